#!/usr/bin/env python3
"""How far blocks move in the drawing when a diagram is edited a little: writes results/edits.md.

    docs/edits.py [NAME...]            HILDA=path: another program than build/bin/hilda; EDITS=n: of a kind, 6; JOBS=n: at a time

One edit at a time: each wire is taken away (what then lacks an input is skipped), to each block with outputs a block is
added that looks on, and each block and subsystem gets another name. The edited diagram is drawn anew, and with --like and
the picture from before. Told is how far the other symbols are from where they were, px of the picture.
"""
import concurrent.futures
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
most = int(os.environ.get("EDITS", "6"))  # of a kind and diagram
jobs = int(os.environ.get("JOBS", "2"))
hilda = os.environ.get("HILDA", str(project / "build" / "bin" / "hilda"))


def places(diagram, picture, *options):
    """Left upper corners by path; none where it cannot be drawn."""
    done = subprocess.run([hilda, "draw", str(diagram), *options, "-o", str(picture)], capture_output=True, text=True)
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
    for name in dict.fromkeys(re.findall(r'<(?:block|subsystem) name="(\w+)"', text)):
        yield "name", re.sub(rf'(name="|from="|to="|[,\s]){name}(?=["._ ])(?!_)', r"\g<1>" + name + "_2", text)


def chosen(all_edits):
    """At most `most` of a kind, from all over the file."""
    by_kind = {}
    for kind, changed in all_edits:
        by_kind.setdefault(kind, []).append(changed)
    for kind, list_ in by_kind.items():
        for i in range(0, len(list_), max(1, -(-len(list_) // most))):
            yield kind, list_[i]


def cells(found):
    """How many edits, how many of them move fewer than half of the symbols; median and greatest way, px."""
    every = [m for one in found for m in one]
    few = sum(1 for one in found if statistics.median(one or [0]) < 1)
    return [str(len(found)), str(few), f"{statistics.median(every):.0f}" if every else "-", f"{max(every, default=0):.0f}"]


def row(diagram):
    text = diagram.read_text()
    found = {(kind, like): [] for kind in ("wire", "block", "name") for like in (False, True)}
    with tempfile.TemporaryDirectory() as folder:
        edited, first, second = (Path(folder) / name for name in (diagram.name, "before.svg", "after.svg"))
        before = places(diagram, first)
        for kind, changed in chosen(edits(text)):
            edited.write_text(changed)  # rigs and tables are found in the library path
            for like in (False, True):
                after = places(edited, second, *(["--like", str(first)] if like else []))
                if after:
                    found[kind, like].append(moves(before, after))
    return found


def line(name, found):
    parts = []
    for kind in ("wire", "block", "name"):
        anew, like = cells(found[kind, False]), cells(found[kind, True])
        parts += [like[0]] + [f"{a} / {b}" for a, b in zip(anew[1:], like[1:])]
    return f"| {name} | " + " | ".join(parts) + " |"


def main():
    names = sys.argv[1:]
    diagrams = [d for d in sorted((project / "diagrams").glob("*.xml")) if not names or d.stem in names]
    out = ["<!-- written by ../edits.py; do not edit -->", "# How far blocks move when a diagram is edited", "",
           f"{datetime.date.today()}. One edit at a time, {most} of a kind from all over the file: a wire taken away, a block added that", "looks at a signal, a block renamed. Of the",
           "edits that can be drawn: how many; how many leave most symbols where they were; median and greatest way of all other",
           "symbols over all edits, px of the picture. Each as *drawn anew / drawn with `--like`* the picture from before.", "",
           "| diagram | wires | at rest | median | most | blocks | at rest | median | most | names | at rest | median | most |",
           "|---|---|---|---|---|---|---|---|---|---|---|---|---|"]
    together = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for diagram, found in zip(diagrams, pool.map(row, diagrams)):
            for key, value in found.items():
                together.setdefault(key, []).extend(value)
            out.append(line(diagram.stem, found))
            print(out[-1], flush=True)
    out.append(line("all", together))
    print(out[-1])
    if not names:
        (here / "results" / "edits.md").write_text("\n".join(out) + "\n")


main()
