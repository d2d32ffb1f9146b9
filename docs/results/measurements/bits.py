#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes bits.md: what a step costs with musl's mathematical functions, against the C library's own.

  docs/results/measurements/bits.py [--build build] [--rounds 25]

The same objects are linked once more, without musl's archive, into BUILD/own_mathematics (one file is compiled again: the
one that says whose functions these are). Two figures, of runs without a log, of a run less a shorter one:

- Instructions of a step, counted by callgrind (of Debian's valgrind): the same each time, whatever else runs.
- Processor time. The two programs run each diagram turn and turn about, --rounds times; 0 leaves it out, as on a busy
  machine it says nothing.
"""
import argparse
import json
import os
import platform
import random
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "benchmarks"))
from hardening import LIBRARY, counted, interval, processor_time  # noqa: E402

# Diagram and its simulated time, s: about 0.3 s of computing each; callgrind, which is fifty times as slow, runs a twelfth.
DIAGRAMS = {"pida": 120, "tdpa_full": 1000, "cartesian_control": 17, "force_torque_control": 17, "free_tumble": 17,
            "emulation_two_link": 12}
OF_MUSL = re.compile(r"-Wl,--undefined=hilda_musl_version|-Wl,--export-dynamic-symbol-list=.*|.*libhilda_math\.a")


def link_command(build, target):
    last = subprocess.run(["ninja", "-t", "commands", "-s", target], cwd=build, capture_output=True, text=True,
                          check=True).stdout.strip().splitlines()[-1]
    words = shlex.split(last)
    return words[words.index("&&") + 1:len(words) - 2]  # ": && ... && :"


def compile_without_musl(build, folder):
    """The file that knows of musl, as it is without it."""
    entry = next(each for each in json.loads((build / "compile_commands.json").read_text())
                 if "-DHILDA_MUSL" in each["command"] and each["file"].endswith(".cpp"))
    words = [word for word in shlex.split(entry["command"]) if word != "-DHILDA_MUSL"]
    words[words.index("-o") + 1] = str(folder / "arithmetic.o")
    subprocess.run(words, cwd=entry["directory"], check=True)
    return folder / "arithmetic.o"


def link_without_musl(build):
    """A folder like BUILD, whose program and plugins call the C library."""
    other = build / "own_mathematics"
    for folder in ("bin", "lib/hilda/plugins"):
        (other / folder).mkdir(parents=True, exist_ok=True)
    arithmetic = compile_without_musl(build, other)
    plugins = sorted(path.relative_to(build) for path in (build / "lib/hilda/plugins").glob("*.so"))
    for target in ["bin/hilda", LIBRARY, *map(str, plugins)]:
        words = [word for word in link_command(build, target) if not OF_MUSL.fullmatch(word)]
        place = words.index("-o") + 1
        words[place] = str(other / target)
        if target == LIBRARY:  # code before the engine's archive takes the place of its member
            words[place + 1:place + 1] = ["-Wl,--allow-multiple-definition", str(arithmetic)]
        subprocess.run(words, cwd=build, check=True)
    return other


def version(build, *under):
    told = subprocess.run([*under, build / "bin/hilda", "--version"], capture_output=True, text=True, check=True).stdout
    return told.split("\n")[1]


def steps_time(build, diagram, seconds, folder):
    return processor_time(build, diagram, seconds, folder) - processor_time(build, diagram, seconds / 10, folder)


def instructions(build, diagram, seconds, folder):
    return counted(build, diagram, seconds / 12, folder) - counted(build, diagram, seconds / 120, folder)


def measure(ours, other, diagram, seconds, rounds, folder):
    chance, ratios, times = random.Random(1), [], []
    for _ in range(rounds):
        took = {build: steps_time(build, diagram, seconds, folder) for build in chance.sample([ours, other], 2)}
        ratios.append(took[ours] / took[other])
        times.append(took[ours])
    counts = [instructions(build, diagram, seconds, folder) for build in (ours, other)]
    told = {"instructions": counts[0] / counts[1]}
    if rounds:
        low, high = interval(ratios, chance)
        told |= {"times": f"{statistics.median(ratios):.3f} | {low:.3f} to {high:.3f} | "
                          f"{statistics.median(times) / (0.9 * seconds) * 1e3:.2f}"}
    return told


def page(rows, versions, rounds):
    pida = rows["pida"]["instructions"]
    lines = [
        "# What bits that travel cost",
        "",
        f"Written by docs/results/measurements/bits.py on {date.today()}: {platform.machine()}, {os.cpu_count()} processors, load "
        f"{os.getloadavg()[2]:.0f}; {rounds} rounds, the two programs turn and turn about in each.",
        "",
        *[f"- {name}: {text}" for name, text in versions.items()],
        "",
        "| diagram | instructions of a step, musl / C library | processor time, median of the rounds' ratios | 95 % of the "
        "median | processor, ms a simulated second |",
        "|---|---|---|---|---|",
    ]
    lines += [f"| {name} | {r['instructions']:.4f} | {r.get('times', 'not measured | |')} |" for name, r in rows.items()]
    lines += ["", f"Goal: below 1.05 for PIDA's step. By instructions it is {'met' if pida < 1.05 else 'missed'}: {pida:.4f}. "
              "They are the same each time; times vary with what else the machine does and with where code comes to lie. "
              "callgrind's processor may lack instructions that this one has, and the C library then takes other functions: "
              "the fingerprints above tell.", ""]
    return "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--build", type=Path, default=ROOT / "build")
    arguments.add_argument("--rounds", type=int, default=25)
    given = arguments.parse_args()
    ours = given.build.resolve()
    other = link_without_musl(ours)
    versions = {"this build": version(ours), "the other": version(other),
                "the other under callgrind": version(other, "valgrind", "--tool=none", "-q")}
    rows = {}
    with tempfile.TemporaryDirectory(prefix="hilda_bits_") as folder:
        for name, seconds in DIAGRAMS.items():
            rows[name] = measure(ours, other, ROOT / f"diagrams/{name}.xml", seconds, given.rounds, folder)
            print(name, rows[name], flush=True)
    (ROOT / "docs/results/measurements/bits.md").write_text(page(rows, versions, given.rounds))


if __name__ == "__main__":
    main()
