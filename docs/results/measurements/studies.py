#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What studies cost: runs a second of PIDA on one core, and a study of very many cheap runs, from the first row to its page.

    docs/results/measurements/studies.py --write                            docs/results/measurements/studies.md, a million cheap runs: an hour or so
    docs/results/measurements/studies.py --runs 20000 --pida 200            prints a small one
    docs/results/measurements/studies.py --other PROGRAM --write            another hilda next to it: the ratio of each round

What counts is user and system time of a process, as the kernel accounts it, on one core (-j 1). The programs take turns in
an order drawn for each round; ratios travel and times do not.
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
from startup import verdict  # noqa: E402

PIDA = """<study format="1" name="pida" diagram="{diagrams}/pida.xml" seed="7" mode="sim">
  <set path="force_noise" value="0.1 N"/>
  <axis path="response_delay" from="0 ms" to="19 ms" count="20"/>
  <draw path="seed" repeat="{repeats}"/>
  <figure name="cov" from="contacts[-1].cov"/>
  <figure name="peak" from="max(contacts[].peak_force)" unit="N"/>
  <figure name="stiffness" from="identified.stiffness"/>
  <figure name="energy" from="contacts[-1].energy_ratio"/>
  <figure name="stable" expression="cov &lt; 1.05"/>
</study>
"""
CHEAP = """<study format="1" name="cheap" diagram="{plant}" seed="3">
  <set path="noise" value="0.01"/>
  <set path="duration" value="{duration} s"/>
  <axis path="gain" from="1" to="30" count="100"/>
  <axis path="start" from="1 m" to="2 m" count="10"/>
  <draw path="seed" repeat="{repeats}"/>
  <figure name="mean" from="record.mean"/>
  <figure name="most" from="record.max"/>
  <figure name="small" expression="mean &lt; 0.6"/>
</study>
"""
TICK = 0.01  # s, of the cheap diagram
RATE_GOAL, OVERHEAD_GOAL = 150, 0.2


class Cost:
    """Of one process: s of processor time and of waiting, MB at its largest."""

    def __init__(self, words, folder):
        begin = datetime.datetime.now()
        with subprocess.Popen([str(word) for word in words], cwd=folder, stdout=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{words} ends with {process.returncode}")
        self.processor = usage.ru_utime + usage.ru_stime
        self.wall = (datetime.datetime.now() - begin).total_seconds()
        self.memory = usage.ru_maxrss / 1024


def pida(programs, repeats, rounds, folder):
    """By program: runs a second in each round, less what a study of a run for each delay takes."""
    for name, count in (("many", repeats + 1), ("few", 1)):
        (folder / f"{name}.xml").write_text(PIDA.format(diagrams=SOURCE / "diagrams", repeats=count))
    chance, rates = random.Random(1), {name: [] for name in programs}
    for _ in range(rounds):
        for name in chance.sample(list(programs), len(programs)):
            took = {}
            for study in ("many", "few"):
                store = folder / f"{study}.sqlite"
                store.unlink(missing_ok=True)
                took[study] = Cost([programs[name], "sweep", f"{study}.xml", "-j", 1, "-o", store, "--quiet"], folder)
            rates[name].append(20 * repeats / (took["many"].processor - took["few"].processor))
    return rates


def threads(program, rounds, folder):
    """Processor time of the study of `pida` on two threads over that on one, in each round."""
    ratios = []
    for _ in range(rounds):
        took = []
        for jobs in (1, 2):
            (folder / "many.sqlite").unlink(missing_ok=True)
            took.append(Cost([program, "sweep", "many.xml", "-j", jobs, "-o", "many.sqlite", "--quiet"], folder).processor)
        ratios.append(took[1] / took[0])
    return sorted(ratios)


def loop_of(program, plant, seconds, folder):
    """As many ticks in one run, which nothing is set up for again and again: s."""
    words = [program, "run", plant, "--no-log", "--quiet", "--set", "noise=0.01", "--set"]
    return Cost([*words, f"duration={seconds:g} s"], folder).processor - Cost([*words, "duration=0.01 s"], folder).processor


def longer(program, runs, ticks, folder):
    """What a study of runs with so many ticks takes over their loop."""
    plant, duration, repeats = SOURCE / "tests/sweep/cases/plant.xml", ticks * TICK, max(1, runs // 1000)
    (folder / "longer.xml").write_text(CHEAP.format(plant=plant, duration=f"{duration:g}", repeats=repeats))
    sweep = Cost([program, "sweep", "longer.xml", "-j", 1, "-o", "l.sqlite", "--quiet"], folder)
    return 1000 * repeats, ticks, sweep, loop_of(program, plant, 1000 * repeats * duration, folder)


def cheap(program, runs, ticks, folder):
    """A study of that many runs, and all that is done with its store."""
    plant = SOURCE / "tests/sweep/cases/plant.xml"
    duration = ticks * TICK
    (folder / "cheap.xml").write_text(CHEAP.format(plant=plant, duration=f"{duration:g}", repeats=max(1, runs // 1000)))
    runs = 1000 * max(1, runs // 1000)
    told = {}
    (folder / "tenth.xml").write_text(CHEAP.format(plant=plant, duration=f"{duration:g}", repeats=max(1, runs // 10_000)))
    told["a tenth of the sweep"] = Cost([program, "sweep", "tenth.xml", "-j", 1, "-o", "t.sqlite", "--quiet"], folder)
    told["the sweep"] = Cost([program, "sweep", "cheap.xml", "-j", 1, "-o", "c.sqlite", "--quiet"], folder)
    size = (folder / "c.sqlite").stat().st_size
    told["once more: all rows are there"] = Cost([program, "sweep", "cheap.xml", "-j", 1, "-o", "c.sqlite", "--quiet"], folder)
    told["export --csv"] = Cost([program, "sweep", "export", "c.sqlite", "--csv", "-o", "c.csv"], folder)
    told["export --mat"] = Cost([program, "sweep", "export", "c.sqlite", "--mat", "-o", "c.mat"], folder)
    told["merge"] = Cost([program, "sweep", "merge", "c.sqlite", "-o", "m.sqlite"], folder)
    told["plot"] = Cost([program, "sweep", "plot", "c.sqlite", "--figure", "mean", "-o", "c.svg"], folder)
    told["report"] = Cost([program, "sweep", "report", "c.sqlite", "-o", "c.html"], folder)
    sizes = {"the store": size, "CSV": (folder / "c.csv").stat().st_size, "page": (folder / "c.html").stat().st_size}
    return runs, told, sizes, loop_of(program, plant, runs * duration, folder)


def page(rates, pairs, more, runs, ticks, told, sizes, loop):
    mine = rates["this"]
    sweep = told["the sweep"]
    text = ["# What studies cost", "",
            f"Made by docs/results/measurements/studies.py on {datetime.date.today()}: {kind_of_machine()}, Linux {platform.release()}, load "
            f"{os.getloadavg()[1]:.0f}. Processor time of whole processes on one core (-j 1).", "",
            "## PIDA", "",
            "diagrams/pida.xml with its five contacts, 20 delays and noise, a seed a run, five figures. Runs a second of processor time, less",
            f"what the program and a first run of each delay take; {len(mine)} rounds.", "",
            "| program | least | median | greatest | goal |", "|---|---|---|---|---|"]
    for name, values in rates.items():
        median = statistics.median(values)
        goal = f"{RATE_GOAL}, {'met' if median >= RATE_GOAL else '**missed**'}" if name == "this" else ""
        text.append(f"| {name} | {min(values):.0f} | {median:.0f} | {max(values):.0f} | {goal} |")
    for name, values in rates.items():
        if name != "this":
            ratios = sorted(a / b for a, b in zip(mine, values))
            text += ["", f"This over {name}, ratio of each round: median {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})."]
    text += ["", f"On two threads the same study takes {statistics.median(pairs):.2f} times the processor time ({pairs[0]:.2f} to {pairs[-1]:.2f}, "
             f"{len(pairs)} rounds): threads have nothing in common but a queue and the allocator.",
             "", f"## {runs:,} cheap runs", "",
             f"tests/sweep/cases/plant.xml: six blocks, {ticks} ticks a run; 100 gains, 10 starts, {runs // 1000} seeds.", "",
             "| what | processor s | us a row | MB of memory |", "|---|---|---|---|"]
    for name, cost in told.items():
        rows = max(1, runs // 10_000) * 1000 if name == "a tenth of the sweep" else runs
        text.append(f"| {name} | {cost.processor:.2f} | {1e6 * cost.processor / rows:.1f} | {cost.memory:.0f} |")
    text += ["", ", ".join(f"{name} {size / 1e6:.1f} MB ({size / runs:.0f} bytes a run)" for name, size in sizes.items()) + ".", "",
             f"One run of as many ticks takes {loop:.2f} s: making, starting, reading and storing a run adds "
             f"{sweep.processor / loop - 1:.1f} times the loop of {ticks} ticks; goal {verdict(sweep.processor / loop - 1, OVERHEAD_GOAL)}. "
             f"That is {1e6 * (sweep.processor - loop) / runs:.0f} us a run."]
    count, length, took, alone = more
    text += ["", f"{count:,} runs of {length} ticks take {took.processor:.2f} s and their loop {alone:.2f} s: "
             f"{took.processor / alone - 1:.2f} times the loop on top; goal {verdict(took.processor / alone - 1, OVERHEAD_GOAL)}. "
             f"{1e6 * (took.processor - alone) / count:.0f} us a run. Memory at the largest: {took.memory:.0f} MB.",
             "", "What grows with the rows of a sweep are 16 bytes each, for the medians that the progress line shows.", ""]
    return "\n".join(text)


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("--program", type=pathlib.Path, default=SOURCE / "build/bin/hilda")
    asked.add_argument("--other", type=pathlib.Path)
    asked.add_argument("--runs", type=int, default=1_000_000)
    asked.add_argument("--ticks", type=int, default=50)
    asked.add_argument("--pida", type=int, default=1000)
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--write", action="store_true")
    given = asked.parse_args()
    programs = {"this": given.program.resolve()} | ({"the other": given.other.resolve()} if given.other else {})
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        rates = pida(programs, max(1, given.pida // 20), given.rounds, folder)
        pairs = threads(programs["this"], given.rounds, folder)
        more = longer(programs["this"], given.runs // 50, 60 * given.ticks, folder)
        runs, *rest = cheap(programs["this"], given.runs, given.ticks, folder)
        text = page(rates, pairs, more, runs, given.ticks, *rest)
    if given.write:
        (SOURCE / "docs/results/measurements/studies.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
