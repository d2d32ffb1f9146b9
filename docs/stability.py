#!/usr/bin/env python3
"""How far blocks move in the drawing when a diagram is edited a little: writes the table in gallery_stability.md.

    docs/stability.py [NAME...]            HILDA=path: another program than build/bin/hilda

For each diagram each wire is taken away, one at a time (what then lacks an input is skipped), and a block that looks at
a signal is added to each block with outputs, one at a time. Told are median and most of how far the other symbols are from
where they were, px of the picture.
"""
import datetime
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
project = here.parent
hilda = os.environ.get("HILDA", str(project / "build" / "bin" / "hilda"))


def places(diagram):
    """Left upper corners by path; none where it cannot be drawn."""
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "it.svg"
        done = subprocess.run([hilda, "draw", str(diagram), "-o", str(picture)], capture_output=True, text=True)
        if done.returncode != 0:
            return None
        found = re.findall(r'<title>([\w.]+)</title>\s*<rect x="([-\d.]+)" y="([-\d.]+)"', picture.read_text())
    return {path: (float(x), float(y)) for path, x, y in found}


def moves(before, after):
    both = before.keys() & after.keys()
    return [((before[p][0] - after[p][0]) ** 2 + (before[p][1] - after[p][1]) ** 2) ** 0.5 for p in both]


def edits(text):
    for wire in re.finditer(r"^[ \t]*<connect [^>]*/>\n", text, re.M):
        yield "wire", text[:wire.start()] + text[wire.end():]
    end = text.rindex("</diagram>")
    for source in dict.fromkeys(re.findall(r'<connect from="([\w.\[\]]+)"', text)):
        more = f'  <block name="watcher" type="sinks/Terminator"/>\n  <connect from="{source}" to="watcher.u"/>\n'
        yield "block", text[:end] + more + text[end:]


def row(diagram):
    text = diagram.read_text()
    before = places(diagram)
    found = {"wire": [], "block": []}
    edited = diagram.with_name(f"edited_{os.getpid()}.xml")
    try:
        for kind, changed in edits(text):
            edited.write_text(changed)
            after = places(edited)
            if after:
                found[kind].append(moves(before, after))
    finally:
        edited.unlink(missing_ok=True)
    cells = []
    for kind in ("wire", "block"):
        every = [m for one in found[kind] for m in one]
        still = sum(1 for one in found[kind] if max(one, default=0) < 1)
        cells += [str(len(found[kind])), str(still), f"{statistics.median(every):.0f}" if every else "-",
                  f"{statistics.median([max(one) for one in found[kind] if one] or [0]):.0f}", f"{max(every, default=0):.0f}"]
    return f"| {diagram.stem} | " + " | ".join(cells) + " |"


def main():
    names = sys.argv[1:]
    diagrams = [d for d in sorted((project / "diagrams").glob("*.xml")) if not names or d.stem in names]
    out = ["<!-- written by stability.py; do not edit -->", "# How far blocks move when a diagram is edited", "",
           f"{datetime.date.today()}. One edit at a time: a wire taken away, a block added that looks at a signal. Edits that can be drawn,",
           "how many of them move nothing; median over all blocks and edits, median of what moves most in an edit, most at all, px.", "",
           "| diagram | wires | still | median | median of the most | most | blocks | still | median | median of the most | most |",
           "|---|---|---|---|---|---|---|---|---|---|---|"]
    for diagram in diagrams:
        out.append(row(diagram))
        print(out[-1], flush=True)
    if not names:
        (here / "gallery_stability.md").write_text("\n".join(out) + "\n")


main()
