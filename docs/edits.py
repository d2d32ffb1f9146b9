#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How far blocks move in the drawing when a diagram is edited a little: writes results/measurements/edits.md.

    docs/edits.py [NAME...]            HILDA=path: another program than build/bin/hilda; EDITS=n: of a kind, 6; JOBS=n: at a time

One edit at a time, drawn again, and with --like and the picture from before: a wire taken away or given (what then lacks an
input is skipped), a block added that looks at a signal or taken away again, a gain of 1 put into a wire, a block or
subsystem renamed. Reported is how far the other symbols are from where they were, in the px that ui.x and ui.y count: from
an origin that the picture names, so that a picture that is wider on the left is not a move.
"""
import concurrent.futures
import datetime
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
project = here.parent
most = int(os.environ.get("EDITS", "6"))  # of a kind and diagram
jobs = int(os.environ.get("JOBS", "2"))
hilda = os.environ.get("HILDA", str(project / "build" / "bin" / "hilda"))


def places(diagram, picture, *options):
    """Left upper corners by path; none where it cannot be drawn."""
    done = subprocess.run([hilda, "draw", str(diagram), *options, "-o", str(picture)], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    found = re.findall(r"^(?:at (\S+) -?\d+ -?\d+|sink (\S+)) (\S+) (\S+) \S+ \S+", picture.read_text(), re.M)
    return {at or sink: (float(x), float(y)) for at, sink, x, y in found}


def moves(before, after):
    both = before.keys() & after.keys()
    return [((before[p][0] - after[p][0]) ** 2 + (before[p][1] - after[p][1]) ** 2) ** 0.5 for p in both]


def edits(text):
    """Kind, the diagram before, and after."""
    for wire in re.finditer(r"^[ \t]*<connect [^>]*/>\n", text, re.M):
        without = text[:wire.start()] + text[wire.end():]
        yield "wire taken", text, without
        yield "wire given", without, text
    end = text.rindex("</diagram>")
    for source in dict.fromkeys(re.findall(r'<connect from="([\w.\[\]]+)"', text)):
        more = f'  <block name="watcher" type="sinks/Terminator"/>\n  <connect from="{source}" to="watcher.u"/>\n'
        yield "block added", text, text[:end] + more + text[end:]
        yield "block taken", text[:end] + more + text[end:], text
    for wire in re.finditer(r'<connect from="([\w.\[\]]+)" to=', text):
        more = f'  <block name="unity" type="math/Gain" gain="1"/>\n  <connect from="{wire[1]}" to="unity.u"/>\n'
        yield "gain put in", text, text[:wire.start()] + '<connect from="unity.y" to=' + text[wire.end():end] + more + text[end:]
    for name in dict.fromkeys(re.findall(r'<(?:block|subsystem) name="(\w+)"', text)):
        yield "renamed", text, re.sub(rf'(name="|from="|to="|[,\s]){name}(?=["._ ])(?!_)', r"\g<1>" + name + "_2", text)


def chosen(all_edits):
    """At most `most` of a kind, from all over the file."""
    by_kind = {}
    for kind, *texts in all_edits:
        by_kind.setdefault(kind, []).append(texts)
    for kind, list_ in by_kind.items():
        for i in range(0, len(list_), max(1, -(-len(list_) // most))):
            yield kind, *list_[i]


def drawn(diagram):
    """Ways of all other symbols by kind and by how they were drawn, a list an edit."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        edited, first, second = (Path(folder) / name for name in (diagram.name, "before.svg", "after.svg"))
        for kind, text, changed in chosen(edits(diagram.read_text())):
            edited.write_text(text)  # rigs and tables are found in the library path
            before = places(edited, first)
            edited.write_text(changed)
            for like in (False, True):
                after = places(edited, second, *(["--like", str(first)] if like else [])) if before else None
                if after:
                    found.setdefault((kind, like), []).append(moves(before, after))
    return found


def cells(found):
    """How many edits; how many of them move no other symbol; of all ways median, 95 % and greatest, px."""
    every = sorted(m for one in found for m in one)
    still = sum(1 for one in found if max(one, default=0) < 1)
    if not every:
        return [str(len(found)), str(still), "-", "-", "-"]
    return [str(len(found)), str(still)] + [f"{every[min(len(every) - 1, int(p * len(every)))]:.0f}" for p in (0.5, 0.95, 1)]


def lines(name, found):
    for kind in kinds:
        if (kind, True) not in found:
            continue
        anew, like = cells(found[kind, False]), cells(found[kind, True])
        yield f"| {name} | {kind} | {like[0]} | " + " | ".join(f"{a} / {b}" for a, b in zip(anew[1:], like[1:])) + " |"


kinds = ("wire taken", "wire given", "block added", "block taken", "gain put in", "renamed")


def main():
    names = sys.argv[1:]
    diagrams = [d for d in sorted((project / "diagrams").glob("*.xml")) if not names or d.stem in names]
    out = ["<!-- written by ../edits.py; do not edit -->", "# How far blocks move when a diagram is edited", "",
           f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores. One edit at a time, {most} of a kind and diagram at most, from all over the file. Of the edits",
           "that can be drawn: how many; how many move no other symbol at all; median, 95 % and greatest of the ways of all",
           "other symbols, px. Each as *drawn again / drawn with `--like`* the picture from before.", "",
           "| diagram | edit | edits | others at rest | median | 95 % | most |", "|---|---|---|---|---|---|---|"]
    together, each = {}, []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for diagram, found in zip(diagrams, pool.map(drawn, diagrams)):
            for key, value in found.items():
                together.setdefault(key, []).extend(value)
            each += lines(diagram.stem, found)
            print(diagram.stem, flush=True)
    whole = list(lines("all", together))
    print("\n".join(whole))
    if not names:
        (here / "results/measurements/edits.md").write_text("\n".join(out + whole + each) + "\n")


main()
