#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How well a diagram is drawn by hand in the studio: processor time and frames while a symbol moves, the time until wires are routed again, crossings of
ten diagrams that a script draws by mouse, and what two seeded monkeys find.

    docs/results/measurements/studio.py --build build --monkey 3600 --write        docs/results/measurements/studio.md

The two monkeys run at the same time. With --ran they are not run: FILE is what such a test printed before, as by
HILDA_MONKEY_SECONDS=3600 tests/studio/browser/run.sh SOURCES HILDA FOLDER monkey_test.mjs > FILE.
The page of `hilda studio` in a browser without a screen, next to the server. Requires what tests/studio/browser/run.sh requires (node,
npm's packages, Chromium).
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "docs/results"))
from live import FRAME, above, quantile, times  # noqa: E402
from machine import kind_of_machine  # noqa: E402

ROUTED = {"300": 50, "1000": 150}  # ms, goals for 95 %
MONKEYS = {"monkey_test.mjs": "clicks, drags and types", "typing_monkey_test.mjs": "types into fields while files, another page and the server change"}


def tenths(values, goal=None):
    cells = [str(len(values))] + [f"{quantile(values, part):.1f}" for part in (0.05, 0.5, 0.95)] + [f"{max(values):.1f}", "" if goal is None else str(goal)]
    return " | ".join(cells).rstrip() + " |"


def browser(build, script, folder="studio_browser", **given):
    """What the script prints, and whether it passed."""
    words = [SOURCE / "tests/studio/browser/run.sh", SOURCE, build / "bin/hilda", build / "tests" / folder, script]
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, check=False, env={**os.environ, **given})
    return done.stdout, done.returncode == 0


def drawn_ten(build):
    """(name, crossings, those of the automatic layout) of each diagram, and whether all tests of them passed."""
    said, passed = browser(build, "ten_test.mjs")
    rows = re.findall(r"(\S+): (\d+) crossings, (\d+) of the automatic layout", said)
    return [(name, int(here), int(automatic)) for name, here, automatic in rows], passed


def result_of(script, said, passed):
    """(script, seconds, seed, steps, passed) as a monkey's test prints them."""
    def number(pattern, none):
        found = re.search(pattern, said, re.M)
        return found.group(1) if found else none
    seconds = round(float(number(r"^# duration_ms ([\d.]+)", "0")) / 1000)
    return script, seconds, number(r"seed (\d+)[:,]", "1"), number(r"(\d+) (?:steps in|values)", "not told"), passed


def monkeys(build, seconds, seed):
    """The result of each; both run at once."""
    def run(script):
        return result_of(script, *browser(build, script, f"studio_{script[:6]}", HILDA_MONKEY_SECONDS=str(seconds), HILDA_MONKEY_SEED=str(seed), HILDA_BROWSER_SECONDS=str(seconds + 400)))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        return list(pool.map(run, MONKEYS))


def monkeys_before(files):
    """The same of what such tests have printed."""
    for file in files:
        said = file.read_text(encoding="utf-8")
        script = "monkey_test.mjs" if "a monkey clicks" in said else "typing_monkey_test.mjs"
        yield result_of(script, said, all(re.search(pattern, said, re.M) for pattern in (r"^# pass 1$", r"^# fail 0$")))


def page(moved, ten, all_drawn, wild, beside, remark):
    text = [f"""# A diagram drawn by hand in the studio

Made by docs/results/measurements/studio.py on {datetime.date.today()}: {kind_of_machine()}, {os.cpu_count()} processors, {platform.system()} {platform.release()},
load {os.getloadavg()[0]:.1f}.{beside}
Chromium without a screen and without a graphics processor, so that it draws in software, at 1440 x 900,
on the machine that the server runs on.

Chains of fifty blocks; one symbol is dragged 72 px back and forth, in 25 steps each way.

## Processor time
Of the page's main thread for each move of the mouse, and of the main thread and of the server for each drop, ms. It depends less than the
times below on what else runs on the machine. A frame at 60 a second has {FRAME:.1f} ms.

| blocks | | times | 5 % | median | 95 % | most | goal for the median |
|---|---|---|---|---|---|---|---|"""]
    kinds = {"move": "a move, page", "page": "a drop, page", "server": "a drop, server"}
    text += [f"| {blocks} | {kinds[key]} | {tenths(found['work'][key], round(FRAME, 1) if key == 'move' else None)}" for blocks, found in moved.items() for key in kinds]
    text.append("""
## A symbol follows the mouse
Times between two frames of the browser, ms. *Moves*: positions of the mouse that reached the page.

| blocks | moves | frames | 5 % | median | 95 % | most | above 17.5 ms, % | above 33.5 ms, % |
|---|---|---|---|---|---|---|---|---|""")
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
Seeded programs work in the page. A run passes if the console of the browser has no error, no edit is lost and the server lives.
Steps are clicks, drags and texts of the first program, and values of the second one.
{remark.strip()}

| program | what it does | seed | s | steps | passed |
|---|---|---|---|---|---|""")
    text += [f"| `{script}` | {MONKEYS[script]} | {seed} | {seconds} | {steps} | {'yes' if passed else '**no**'} |" for script, seconds, seed, steps, passed in wild]
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--drops", type=int, default=40, help="how often a symbol is moved")
    parser.add_argument("--monkey", type=int, default=3600, help="s that each monkey works; 0: they are left out")
    parser.add_argument("--ran", type=pathlib.Path, nargs="+", metavar="FILE", help="what the monkeys' tests printed; they ran for --monkey s")
    parser.add_argument("--seed", type=int, default=1, help="of the monkeys")
    parser.add_argument("--beside", default="", help="a sentence about the machine, such as what else ran")
    parser.add_argument("--remark", default="", help="a sentence about the monkeys")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    said, passed = browser(build, "studio_times.mjs", HILDA_STUDIO_DROPS=str(arguments.drops))
    if not passed:
        sys.exit("studio_times.mjs did not come to its end")
    moved = json.loads(said.strip().splitlines()[-1])
    ten, all_drawn = drawn_ten(build)
    wild = list(monkeys_before(arguments.ran)) if arguments.ran else monkeys(build, arguments.monkey, arguments.seed) if arguments.monkey else []
    text = page(moved, ten, all_drawn, wild, *(f" {each}" if each else "" for each in (arguments.beside, arguments.remark)))
    print(text)
    if arguments.write:
        (SOURCE / "docs/results/measurements/studio.md").write_text(text, encoding="utf-8")
    for blocks, found in moved.items():
        print(f"{blocks}: painted after {quantile(found['painted'], 0.95):.0f} ms in 95 %", file=sys.stderr)


if __name__ == "__main__":
    main()
