#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a user waits for before anything is computed: processor time of whole commands, and the ideal run's share of a loop.

    docs/results/measurements/startup.py --build build --write        docs/results/measurements/startup.md

The build is installed into a temporary folder (stripped, as users have it) and measured there and in place. The commands
take turns in an order drawn for each round; what counts is user and system time of the process, as the kernel accounts it.
--other PROGRAM measures another hilda next to them, such as an installed 0.1.0: the ratio of each round, for ratios travel
and milliseconds do not.
"""
import argparse
import datetime
import os
import pathlib
import platform
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "docs/results"))
from machine import kind_of_machine  # noqa: E402

WIRE = re.compile(r'\s*<connect from="rig\.truth\.walls" to="figures\.walls"[^>]*/>')
DIAGRAMS = ["pida", "dac", "pic", "pida_oblique"]


def processor_time(words, folder, path):
    """ms"""
    environment = {**os.environ, "PYTHONPATH": str(path), "HILDA_PLUGIN_PATH": ""}
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(words)} ends with {process.returncode}")
    return 1e3 * (usage.ru_utime + usage.ru_stime)


def rounds(commands, count, folder, path):
    """By name: a time of each round."""
    chance = random.Random(1)
    times = {name: [] for name in commands}
    for turn in range(count + 1):
        for name in chance.sample(list(commands), len(commands)):
            time = processor_time(commands[name], folder, path)
            if turn > 0:  # the first one fetches the files
                times[name].append(time)
    return times


def commands_of(installed, build, python, other):
    pida = str(SOURCE / "diagrams" / "pida.xml")
    found = {"/bin/true": ["/bin/true"]}
    for title, program in (("installed", installed), ("build folder", build), ("other", other)):
        if program is None:
            continue
        found |= {f"hilda --version, {title}": [str(program), "--version"],
                  f"hilda check diagrams/pida.xml, {title}": [str(program), "check", pida],
                  f"hilda run diagrams/pida.xml --no-log, {title}": [str(program), "run", pida, "--no-log"],
                  f"hilda run diagrams/pida.xml, {title}": [str(program), "run", pida, "--log", "run.mcap"]}
    if python:
        found |= {"python3": [python, "-c", "pass"], "python3, import numpy": [python, "-c", "import numpy"],
                  "python3, import numpy, hilda": [python, "-c", "import numpy, hilda"]}
    return found


def loop_time(program, diagram, folder):
    """ms of a minute, less what a start takes."""
    words = [str(program), "run", str(diagram), "--no-log", "--quiet", "--set", "contacts=0", "--for"]
    return processor_time([*words, "60s"], folder, "") - processor_time([*words, "1ms"], folder, "")


def shares(program, count, folder):
    """By diagram: what part of the loop is the ideal run's, in each pair of runs with and without it."""
    whole, without = folder / "whole", folder / "without"
    for copy in (whole, without):
        shutil.copytree(SOURCE / "diagrams", copy)
    chance = random.Random(1)
    found = {}
    for diagram in DIAGRAMS:
        text = (without / f"{diagram}.xml").read_text()
        if not WIRE.search(text):
            raise SystemExit(f"diagrams/{diagram}.xml has no wire to figures.walls: mend WIRE in {__file__}")
        (without / f"{diagram}.xml").write_text(WIRE.sub("", text))
        found[diagram] = []
        for _ in range(count):
            took = {copy: loop_time(program, copy / f"{diagram}.xml", folder) for copy in chance.sample([whole, without], 2)}
            found[diagram].append(1 - took[without] / took[whole])
    return found


def spread(values, digits):
    parts = statistics.quantiles(values, n=20)
    return [f"{x:.{digits}f}" for x in (min(values), statistics.median(values), parts[-1])]


def verdict(got, goal):
    return f"{goal:g}, {'met' if got <= goal else '**missed**'}"


def page(times, found, pairs):
    goals = {"hilda check diagrams/pida.xml, installed": 15, "hilda check diagrams/pida.xml, build folder": 15,
             "hilda run diagrams/pida.xml --no-log, installed": 30, "hilda run diagrams/pida.xml --no-log, build folder": 30}
    count = len(times["/bin/true"])
    text = ["# From a command to an answer", "",
            f"Made by docs/results/measurements/startup.py on {datetime.date.today()}: {kind_of_machine()}, Linux {platform.release()}, load "
            f"{os.getloadavg()[1]:.0f}. Processor time, user and system, of whole processes; {count} rounds, in turns. *Installed* is stripped; the",
            "plugins in a build folder carry what debuggers want.", "",
            "| command | least ms | median ms | 95 % ms | median ratio to /bin/true | goal for the median, ms |", "|---|---|---|---|---|---|"]
    for name, values in times.items():
        ratio = statistics.median(a / b for a, b in zip(values, times["/bin/true"]))
        goal = verdict(statistics.median(values), goals[name]) if name in goals else ""
        text.append(f"| {name} | {' | '.join(spread(values, 1))} | {ratio:.1f} | {goal} |")
    if "python3, import numpy" in times:
        more = [a - b for a, b in zip(times["python3, import numpy, hilda"], times["python3, import numpy"])]
        text += ["", f"`import hilda` after NumPy's: {statistics.median(more):.1f} ms, median of rounds; goal "
                     f"{verdict(statistics.median(more), 20)}."]
    others = [name for name in times if name.endswith(", other")]
    if others:
        text += ["", "Beside another program, ratio of each round:", "", "| command | least | median | 95 % |", "|---|---|---|---|"]
        for name in others:
            mine = times[name.replace(", other", ", installed")]
            text.append(f"| {name.replace(', other', '')} | {' | '.join(spread([a / b for a, b in zip(mine, times[name])], 2))} |")
    text += ["", "## The ideal run", "",
             f"`contact/IdealRun` is what contacts are measured against. Its share of the loop, from {pairs} pairs of runs of a minute with and",
             "without the wire that gives it its walls; processor time, less that of a start:", "",
             "| diagram | least | median | 95 % | goal |", "|---|---|---|---|---|"]
    for diagram, values in found.items():
        text.append(f"| diagrams/{diagram}.xml | {' | '.join(spread(values, 2))} | {verdict(statistics.median(values), 0.3)} |")
    return "\n".join(text) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", default="build")
    options.add_argument("--other", help="another hilda to measure beside this one")
    options.add_argument("--python", default="/usr/bin/python3", help="an interpreter with NumPy; empty: without Python")
    options.add_argument("--rounds", type=int, default=25)
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    build = pathlib.Path(given.build).resolve()
    with tempfile.TemporaryDirectory(prefix="hilda_startup_") as name:
        folder = pathlib.Path(name)
        subprocess.run(["cmake", "--install", build, "--prefix", folder / "prefix"], check=True, stdout=subprocess.DEVNULL)
        installed = folder / "prefix" / "bin" / "hilda"
        commands = commands_of(installed, build / "bin" / "hilda", given.python, given.other)
        text = page(rounds(commands, given.rounds, folder, build / "python"), shares(installed, given.rounds, folder), given.rounds)
    print(text)
    if given.write:
        (SOURCE / "docs/results/measurements/startup.md").write_text(text)


if __name__ == "__main__":
    main()
