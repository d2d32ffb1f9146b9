#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes gallery.md and the pictures in gallery/: every diagram as `hilda draw` draws it, with how it turned out.

    docs/gallery.py [--before FOLDER]      HILDA=path: another program than build/bin/hilda

FOLDER holds pictures NAME.svg that another version drew: their shape is put next to today's. Without it that column stays
as it is in the page.
"""
import datetime
import os
import re
import subprocess
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
project = here.parent
hilda = os.environ.get("HILDA", str(project / "build" / "bin" / "hilda"))


def size(svg):
    width, height = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg).groups()
    return float(width), float(height)


def smallest_text(svg):
    """Of the whole picture on a screen of 1600 x 900, px."""
    width, height = size(svg)
    return min(float(n) for n in re.findall(r'font-size="([\d.]+)"', svg)) * min(1600 / width, 900 / height)


def row(diagram, before, known):
    name = diagram.stem
    picture = here / "gallery" / f"{name}.svg"
    said = subprocess.run([hilda, "draw", str(diagram), "--measure", "-o", str(picture)], check=True, capture_output=True, text=True).stdout
    figures = dict(re.findall(r"(\w+) ([\d.]+)", said))
    svg = picture.read_text()
    old = before / f"{name}.svg" if before else None
    then = known.get(name, ("-", "-"))
    if old and old.exists():
        width, height = size(old.read_text())
        then = (f"{width / height:.1f}", f"{smallest_text(old.read_text()):.1f}")
    return (f"| [{name}](#{name}) | {then[0]} | {then[1]} | {figures['aspect']} | {smallest_text(svg):.1f} | {figures['rows']} | "
            f"{figures['crossings']} | {figures['bends']} | {figures['wires']} | {figures['tags']} |")


def purposes(diagrams):
    """What each diagram is for, by name, from gallery.txt."""
    lines = [line for line in (here / "gallery.txt").read_text().splitlines() if not line.startswith("#")]
    found = dict(line.split("\t") for line in lines)
    if found.keys() != {diagram.stem for diagram in diagrams}:
        sys.exit(f"gallery.txt and diagrams/ differ: {', '.join(sorted(found.keys() ^ {diagram.stem for diagram in diagrams}))}")
    return found


def measures(rows):
    """The section with the table of the drawings."""
    return ["", "## How the drawings turned out",
            f"The table compares the drawings of {datetime.date.today()} with those of version 0.1.0, which had neither rows nor tags.", "",
            "| column | meaning |", "|---|---|",
            "| aspect | width of the drawing divided by its height |",
            "| text | height in px of the smallest text, if the picture fills a screen of 1600 x 900 |",
            "| rows | rows of blocks |",
            "| crossings, bends | how often wires cross, and how often they bend |",
            "| wires | length of all wires in px of the picture |",
            "| tags | tags that replace a long wire |",
            "| 0.1.0 | the same of version 0.1.0, where it was drawn; crossings were not counted |", "",
            "| diagram | aspect, 0.1.0 | text, 0.1.0 | aspect | text | rows | crossings | bends | wires | tags |",
            "|---|---|---|---|---|---|---|---|---|---|", *rows]


def main():
    before = Path(sys.argv[2]) if sys.argv[1:2] == ["--before"] else None
    (here / "gallery").mkdir(exist_ok=True)
    diagrams = sorted((project / "diagrams").glob("*.xml"))
    page = here / "gallery.md"
    cells = re.findall(r"^\| \[(\w+)\]\S* \| (\S+) \| (\S+) \|", page.read_text() if page.exists() else "", re.M)
    known = {name: (aspect, text) for name, aspect, text in cells}
    purpose = purposes(diagrams)
    out = ["<!-- written by gallery.py; do not edit -->", "# All diagrams", "",
           "After reading this page you can find the diagram that you want to start from.", "",
           "These are the diagrams of the folder `diagrams`. The [glossary](glossary.md#words-of-docking) explains names such as PIC.", "",
           "| diagram | what it is |", "|---|---|", *(f"| [{d.stem}](#{d.stem}) | {purpose[d.stem]} |" for d in diagrams), "",
           "Below, each diagram is shown as `hilda draw` draws it. [Pictures](pictures.md#diagrams) explains how to read a drawing, with its rows",
           "and tags."]
    for d in diagrams:
        out += ["", f"## {d.stem}", "", f"![{d.stem}](gallery/{d.stem}.svg)"]
    out += measures([row(d, before, known) for d in diagrams])
    page.write_text("\n".join(out) + "\n")


main()
