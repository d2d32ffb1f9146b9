#!/usr/bin/env python3
"""Writes bits.md: what a step costs with musl's mathematical functions, against the C library's own.

  docs/results/bits.py OTHER [--rounds 25]    OTHER: a build of the same sources with -DHILDA_MATHEMATICS=OFF

Both programs run each diagram turn and turn about; the processor's time of a run without logs, less that of a run of a
tenth of its length, is that of nine tenths of its steps.
"""
import argparse
import os
import platform
import resource
import statistics
import subprocess
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Diagram and its simulated time: about 0.3 s of computing each.
DIAGRAMS = {"pida": 100, "tdpa_full": 1000, "cartesian_control": 17, "force_torque_control": 17, "free_tumble": 17,
            "emulation_two_link": 20}


def processor_time(build, diagram, seconds):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([build / "bin/hilda", "run", ROOT / f"diagrams/{diagram}.xml", "--for", f"{seconds}s", "--no-log",
                    "--quiet", *(["--set", "contacts=0"] if diagram == "pida" else [])], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def steps_time(build, diagram, seconds):
    return processor_time(build, diagram, seconds) - processor_time(build, diagram, seconds / 10)


def version(build):
    return subprocess.run([build / "bin/hilda", "--version"], capture_output=True, text=True).stdout.split("\n")[1]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("other", type=Path)
    arguments.add_argument("--rounds", type=int, default=25)
    given = arguments.parse_args()
    ours = ROOT / "build"
    lines = [
        "# What bits that travel cost",
        "",
        f"Written by docs/results/bits.py on {date.today()}: {platform.machine()}, {os.cpu_count()} processors; "
        f"{given.rounds} rounds, the two programs turn and turn about in each. Ratios of the processor's time of a step, "
        "a round each.",
        "",
        f"- this build: {version(ours)}",
        f"- the other: {version(given.other)}",
        "",
        "| diagram | lower quartile | median | upper quartile | processor, ms a simulated second |",
        "|---|---|---|---|---|",
    ]
    for diagram, seconds in DIAGRAMS.items():
        pairs = [(steps_time(ours, diagram, seconds), steps_time(given.other, diagram, seconds))
                 for _ in range(given.rounds)]
        low, middle, high = statistics.quantiles([a / b for a, b in pairs], n=4)
        lines.append(f"| {diagram} | {low:.3f} | {middle:.3f} | {high:.3f} | "
                     f"{statistics.median(a for a, _ in pairs) / (0.9 * seconds) * 1e3:.2f} |")
        print(lines[-1], flush=True)
    (ROOT / "docs/results/bits.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
