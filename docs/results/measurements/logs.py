#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a log costs: processor time and bytes a tick, and time and memory to make a page of a long one.

    docs/results/measurements/logs.py --build build --write                   docs/results/measurements/logs.md
    docs/results/measurements/logs.py --build build --other OLD/bin/hilda     next to another hilda, such as an installed 0.1.0

A tick's cost is the slope between a short and a long run, so that nothing of a start is in it; with a log less without
one, all threads together. Programs and ways take turns in an order drawn for each round; ratios are of each round, for
ratios travel and microseconds do not.
"""
import argparse
import datetime
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "docs/results"))
from machine import kind_of_machine  # noqa: E402

SHORT, LONG = 1, 61  # s
TICK = 0.001  # s, of diagrams/pida.xml


def measured(words):
    """Processor time in s, greatest memory in MB"""
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(str(word) for word in words)} ends with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def run_of(program, duration, log, settings):
    end = ["--log", log] if log else ["--no-log"]
    words = [program, "run", SOURCE / "diagrams" / "pida.xml", "--quiet", "--for", f"{duration}s", *end]
    return measured(words + [word for setting in settings for word in ("--set", setting)])[0]


def slope(program, log, settings):
    """us a tick"""
    short = run_of(program, SHORT, log, settings)
    return 1e6 * (run_of(program, LONG, log, settings) - short) / ((LONG - SHORT) / TICK)


def costs(programs, rounds, folder):
    """By program: the log's us a tick in each round, and bytes a tick"""
    chance, took, size = random.Random(1), {name: [] for name in programs}, {}
    log = folder / "run.mcap"
    for _ in range(rounds):
        for name in chance.sample(list(programs), len(programs)):
            parts = {way: slope(programs[name], log if way else None, ["contacts=0"]) for way in chance.sample([True, False], 2)}
            took[name].append(parts[True] - parts[False])
            size[name] = log.stat().st_size * TICK / LONG
    return took, size


def pages(programs, seconds, folder):
    """By program: size of a long log in MB, processor time of its page in s, memory in MB"""
    found = {}
    for name, program in programs.items():
        log = folder / "long.mcap"
        run_of(program, seconds, log, ["contacts=0"])
        found[name] = (log.stat().st_size / 1e6, *measured([program, "report", log, "-o", folder / "long.html"]))
        newest = list(programs.values())[0]
        if program != newest:
            found[f"this one, of the log of {name}"] = (
                log.stat().st_size / 1e6, *measured([newest, "report", log, "-o", folder / "long.html"]))
        log.unlink()
    return found


def verdict(got, goal):
    return f"{goal:g}, {'met' if got <= goal else '**missed**'}"


def page(took, size, long, seconds):
    count = len(next(iter(took.values())))
    text = ["# What a log costs", "",
            f"Made by docs/results/measurements/logs.py on {datetime.date.today()}: {kind_of_machine()}, Linux {platform.release()}, load "
            f"{os.getloadavg()[1]:.0f}. diagrams/pida.xml, {count} rounds, in turns.", "",
            "| hilda | least us a tick | median | greatest | goal | bytes a tick | goal |", "|---|---|---|---|---|---|---|"]
    for name, values in took.items():
        first = name == next(iter(took))
        middle = statistics.median(values)
        text.append(f"| {name} | {min(values):.2f} | {middle:.2f} | {max(values):.2f} | {verdict(middle, 1) if first else ''} | "
                    f"{size[name]:.0f} | {verdict(size[name], 1000) if first else ''} |")
    mine = next(iter(took))
    for name in [name for name in took if name != mine]:
        ratios = [a / b for a, b in zip(took[mine], took[name])]
        text += ["", f"Ratio of each round to the {name}: {min(ratios):.2f} to {max(ratios):.2f}, median {statistics.median(ratios):.2f}."]
    text += ["", f"`hilda report` of a log of {seconds} s, {seconds / TICK / 1e6:.2g} million ticks:", "",
             "| hilda | log MB | processor time s | goal | memory MB | goal |", "|---|---|---|---|---|---|"]
    for name, (megabytes, time, memory) in long.items():
        mine = name.startswith("this")
        text.append(f"| {name} | {megabytes:.0f} | {time:.1f} | {verdict(time, 10) if mine else ''} | {memory:.0f} | "
                    f"{verdict(memory, 300) if mine else ''} |")
    return "\n".join(text) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", default="build")
    options.add_argument("--other", help="another hilda to measure beside this one")
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--seconds", type=int, default=950, help="of the long log; 950 s are 3 GB of format 1")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    programs = {"this one": pathlib.Path(given.build).resolve() / "bin" / "hilda"}
    if given.other:
        programs["other"] = pathlib.Path(given.other).resolve()
    with tempfile.TemporaryDirectory(prefix="hilda_logs_") as name:
        folder = pathlib.Path(name)
        took, size = costs(programs, given.rounds, folder)
        text = page(took, size, pages(programs, given.seconds, folder), given.seconds)
    print(text)
    if given.write:
        (SOURCE / "docs/results/measurements/logs.md").write_text(text)


if __name__ == "__main__":
    main()
