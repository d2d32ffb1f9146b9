#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How soon the editor answers: from a keystroke in a value to its diagnostics next to it, and from an edit to the new drawing.

    docs/results/measurements/editing.py --build build --write        docs/results/measurements/editing.md

The page of `hilda studio` in a browser without a screen, on a copy of diagrams/pida.xml and on chains of a thousand blocks; the page itself takes the times
(performance.now). Requires what tests/studio/browser/run.sh requires: node, npm's packages and Chromium.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "docs/results"))
from machine import kind_of_machine  # noqa: E402

GOAL = 50  # ms, 95 % of keystrokes
GOAL_DRAWING = 100  # ms, 95 % of edits of a value


def share(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(part * len(values)))]


def row(name, what, values, goal):
    told = "" if goal is None else f"{goal}, {'met' if share(values, 0.95) < goal else 'missed'}"
    return f"| {name} | {what} | {len(values)} | {share(values, 0.5):.1f} | {share(values, 0.95):.1f} | {max(values):.1f} | {told} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    words = [SOURCE / "tests/studio/browser/run.sh", SOURCE, build / "bin/hilda", build / "tests/studio_browser", "editing_times.mjs"]
    said = subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = json.loads(said.strip().splitlines()[-1])
    rows = []
    for name, times in found.items():
        if "typed" in times:
            rows.append(row(name, "keystroke to diagnostics", times["typed"], GOAL))
        rows.append(row(name, "edit to drawing", times["drawn"], GOAL_DRAWING if "value" in name else None))
        rows.append(row(name, "edit to picture", times["painted"], None))
    text = f"""# How soon the editor answers

Made by docs/results/measurements/editing.py on {datetime.date.today()}: {kind_of_machine()}, {os.cpu_count()} processors, {platform.system()} {platform.release()},
load {os.getloadavg()[0]:.1f}. Chromium without a screen on the same machine as the server. *Keystroke to diagnostics*: from the input's event until the
diagnostics of the whole diagram with that value are next to it. *Edit to drawing*: from the request until the page has the new drawing; *to picture*: until the browser has
painted it.

| diagram | what | how many | median ms | 95 % ms | most ms | goal for 95 % |
|---|---|---|---|---|---|---|
""" + "\n".join(rows) + "\n"
    print(text)
    if arguments.write:
        (SOURCE / "docs/results/measurements/editing.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
