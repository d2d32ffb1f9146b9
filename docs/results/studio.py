#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How well a diagram is drawn by hand in the studio: frames while a symbol moves, the time until wires are routed again, crossings of
ten diagrams that a script draws by mouse, and what two seeded monkeys find.

    docs/results/studio.py --build build --monkey 3600 --write        docs/results/studio.md

The page of `hilda studio` in a browser without a screen, next to the server. Requires what tests/studio/browser/run.sh requires (node,
npm's packages, Chromium).
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import FRAME, SOURCE, above, kind_of_machine, quantile, times  # noqa: E402

ROUTED = {"300": 50, "1000": 150}  # ms, goals for 95 %
MONKEYS = {"monkey_test.mjs": "clicks, drags and types", "typing_monkey_test.mjs": "types into fields while files, another page and the server change"}


def tenths(values):
    return " | ".join([str(len(values))] + [f"{quantile(values, part):.1f}" for part in (0.05, 0.5, 0.95)] + [f"{max(values):.1f}"]) + " |"


def browser(build, script, **given):
    """What the script prints, and whether it passed."""
    words = [SOURCE / "tests/studio/browser/run.sh", SOURCE, build / "bin/hilda", build / "tests/studio_browser", script]
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, check=False, env={**os.environ, **given})
    return done.stdout, done.returncode == 0


def drawn_ten(build):
    """(name, crossings, those of the automatic layout) of each diagram, and whether all tests of them passed."""
    said, passed = browser(build, "ten_test.mjs")
    rows = re.findall(r"(\S+): (\d+) crossings, (\d+) of the automatic layout", said)
    return [(name, int(here), int(automatic)) for name, here, automatic in rows], passed


def monkeys(build, seconds, seed):
    """(script, steps as it prints them, passed) of each."""
    found = []
    for script in MONKEYS:
        said, passed = browser(build, script, HILDA_MONKEY_SECONDS=str(seconds), HILDA_MONKEY_SEED=str(seed), HILDA_BROWSER_SECONDS=str(seconds + 400))
        steps = re.search(r"(\d+) steps in", said)
        found.append((script, steps.group(1) if steps else "not told", passed))
    return found


def page(moved, ten, all_drawn, wild, seconds, seed, beside):
    text = [f"""# A diagram drawn by hand in the studio

Made by docs/results/studio.py on {datetime.date.today()}: {kind_of_machine()}, {os.cpu_count()} processors, {platform.system()} {platform.release()},
load {os.getloadavg()[0]:.1f}.{beside} Chromium without a screen and without a graphics processor, so that it draws in software, at 1440 x 900,
on the machine that the server runs on.

## A symbol follows the mouse
Chains of fifty blocks; one symbol is dragged 72 px to and fro, in 25 steps each way. Times between two frames of the browser, ms; at 60 a second
each takes 16.7. *Moves*: positions of the mouse that reached the page.

| blocks | moves | frames | 5 % | median | 95 % | most | above 17.5 ms, % | above 33.5 ms, % |
|---|---|---|---|---|---|---|---|---|"""]
    for blocks, found in moved.items():
        text.append(f"| {blocks} | {found['moved']} | {times(found['frames'])} {above(found['frames'], 1.05 * FRAME)} | {above(found['frames'], 2.01 * FRAME)} |")
    text.append("""
## Wires are routed again
From the release of the mouse to the new drawing: the edit goes to the server, which checks the diagram and routes its wires, and the page draws what
has changed. *Drawn*: the page has the new drawing. *Painted*: the frame after it. ms.

| blocks | | drops | 5 % | median | 95 % | most | goal for 95 % |
|---|---|---|---|---|---|---|---|""")
    for blocks, found in moved.items():
        text.append(f"| {blocks} | drawn | {times(found['drawn'], ROUTED[blocks])}")
        text.append(f"| {blocks} | painted | {times(found['painted'], ROUTED[blocks])}")
    text.append("""
Processor time depends less on what else runs on the machine: of the page's main thread for each move of the mouse, and of the main thread and of
the server for each drop. ms.

| blocks | | times | 5 % | median | 95 % | most |
|---|---|---|---|---|---|---|""")
    kinds = {"move": "a move, page", "page": "a drop, page", "server": "a drop, server"}
    text += [f"| {blocks} | {kinds[key]} | {tenths(found['work'][key])}" for blocks, found in moved.items() for key in kinds]
    text.append(f"""
## Ten diagrams of textbooks
`ten_test.mjs` draws each from nothing by mouse. It fails if a symbol lies on another one, if a wire is drawn as a tag, or if more than one wire more
crosses another than in the automatic layout. It {'passed for all' if all_drawn else 'did not pass for all'}.

| diagram | crossings | of the automatic layout |
|---|---|---|""")
    text += [f"| {name} | {here} | {automatic} |" for name, here, automatic in ten]
    if not wild:
        return "\n".join(text) + "\n"
    text.append(f"""
## Monkeys
Two seeded programs work in the page, each for {seconds} s, with the seed {seed}. A run passes if the console of the browser has no error, no edit is lost and
the server lives.

| program | what it does | steps | passed |
|---|---|---|---|""")
    text += [f"| `{script}` | {MONKEYS[script]} | {steps} | {'yes' if passed else '**no**'} |" for script, steps, passed in wild]
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--drops", type=int, default=40, help="how often a symbol is moved")
    parser.add_argument("--monkey", type=int, default=3600, help="s that each monkey works; 0: they are left out")
    parser.add_argument("--seed", type=int, default=1, help="of the monkeys")
    parser.add_argument("--beside", default="", help="a sentence about the machine, such as what else ran")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    said, passed = browser(build, "studio_times.mjs", HILDA_STUDIO_DROPS=str(arguments.drops))
    if not passed:
        sys.exit("studio_times.mjs did not come to its end")
    moved = json.loads(said.strip().splitlines()[-1])
    ten, all_drawn = drawn_ten(build)
    wild = monkeys(build, arguments.monkey, arguments.seed) if arguments.monkey else []
    text = page(moved, ten, all_drawn, wild, arguments.monkey, arguments.seed, f" {arguments.beside}" if arguments.beside else "")
    print(text)
    if arguments.write:
        (SOURCE / "docs/results/studio.md").write_text(text, encoding="utf-8")
    for blocks, found in moved.items():
        print(f"{blocks}: painted after {quantile(found['painted'], 0.95):.0f} ms in 95 %", file=sys.stderr)


if __name__ == "__main__":
    main()
