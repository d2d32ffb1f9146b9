#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How soon the studio's page shows what happens: from a sample to its pixel, frames while a scope of a million samples is
scrolled, and the opening of a diagram of a thousand blocks.

    docs/results/measurements/live.py --build build --write        docs/results/measurements/live.md

The page of `hilda studio` in a browser without a screen, next to the server. Requires what tests/studio/browser/run.sh requires (node,
npm's packages, Chromium), and the build's target wall_stair, whose stair of the wall clock shows when a sample was made.
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

TO_PIXEL, OPENED = 100, 2000  # ms, goals for 95 %
FRAME = 1000 / 60  # ms


def quantile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(part * len(values)))]


def times(values, goal=None):
    told = "" if goal is None else f" {goal}, {'met' if quantile(values, 0.95) < goal else 'missed'} |"
    return " | ".join([str(len(values))] + [f"{quantile(values, part):.0f}" for part in (0.05, 0.5, 0.95)] + [f"{max(values):.0f}"]) + f" |{told}"


def above(frames, limit):
    return f"{100 * sum(frame > limit for frame in frames) / len(frames):.1f}"


def page(found, beside):
    text = [f"""# How soon the page shows what happens

Made by docs/results/measurements/live.py on {datetime.date.today()}: {kind_of_machine()}, {os.cpu_count()} processors, {platform.system()} {platform.release()},
load {os.getloadavg()[0]:.1f}.{beside} Chromium without a screen and without a graphics processor, so that it draws in software, at 1440 x 900,
on the machine that the server runs on.

## From a sample to its pixel
A block gives a stair of eight levels whose steps are those of the wall clock, one each 101 ms; seven waves are below it, all at 1 kHz
in one scope of 5 s that follows the run. In each frame the page's canvas is read from the right until there is a pixel in the stair's colour: its height
shows the step. The time of a step is that of the wall clock, so the wait for the next tick counts, and so do loop, log, server and page.
A step is seen at the beginning of the frame after the one in which its pixel was found; what a screen takes then is not in it. ms.

| run | steps | seen | 5 % | median | 95 % | most | goal for 95 % |
|---|---|---|---|---|---|---|---|"""]
    for name, run in found["pixel"].items():
        text.append(f"| {name} | {run['steps']} | {times(run['found'], TO_PIXEL)}")
    text.append("""
## Scrolling a scope
A run of 1000 s at 1 kHz; each signal has a million samples in the page. A wheel turns sideways, back and forth; its events come from
outside of the page, several a frame. Times between two frames of the browser, ms; at 60 a second each takes 16.7. *Moved*: positions that were drawn.

| signals | samples in the page, each | in sight | moved | frames | 5 % | median | 95 % | most | above 17.5 ms, % | above 33.5 ms, % |
|---|---|---|---|---|---|---|---|---|---|---|""")
    for count, scope in found["scroll"].items():
        for span, seen in scope["all"].items():
            frames = seen["frames"]
            text.append(f"| {count} | {scope['kept']} | {span} s | {seen['moved']} | {times(frames)} {above(frames, 1.05 * FRAME)} | {above(frames, 2.01 * FRAME)} |")
    text.append("""
## Opening a diagram of a thousand blocks
Twenty chains of fifty. *From the command*: `hilda studio` is started, and once it gives its address a browser that is there already opens
a page on it. *From the address*: the second part alone. Both end with the frame after the one that has all thousand symbols. ms.

| | times | 5 % | median | 95 % | most | goal for 95 % |
|---|---|---|---|---|---|---|""")
    text += [f"| from the command | {times(found['open']['started'], OPENED)}", f"| from the address | {times(found['open']['shown'], OPENED)}"]
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--seconds", type=int, default=60, help="of a run from whose samples pixels are awaited")
    parser.add_argument("--opened", type=int, default=20, help="how often the diagram is opened")
    parser.add_argument("--beside", default="", help="a sentence about the machine, such as what else ran")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    words = [SOURCE / "tests/studio/browser/run.sh", SOURCE, build / "bin/hilda", build / "tests/studio_browser", "live_times.mjs"]
    given = {"HILDA_LIVE_PLUGINS": str(build / "tests/studio/plugins"), "HILDA_LIVE_SECONDS": str(arguments.seconds),
             "HILDA_LIVE_OPENED": str(arguments.opened)}
    said = subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, **given}).stdout
    text = page(json.loads(said.strip().splitlines()[-1]), f" {arguments.beside}" if arguments.beside else "")
    print(text)
    if arguments.write:
        (SOURCE / "docs/results/measurements/live.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
