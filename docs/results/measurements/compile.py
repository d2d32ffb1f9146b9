#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures programs that `hilda compile` writes: their size, and how long they take to their first tick.

    docs/results/measurements/compile.py --prefix FOLDER            prints the page; openings.py --write adds its first lines
    docs/results/measurements/compile.py --prefix FOLDER --write    docs/results/measurements/compile.md

FOLDER is an installed hilda (cmake --install build --prefix FOLDER), whose libraries are stripped.
"""
import argparse
import datetime
import os
import pathlib
import resource
import subprocess
import tempfile

PAGE = pathlib.Path(__file__).with_suffix(".md")
GOAL_MB, GOAL_MS, STARTS = 8.0, 5.0, 40
FIRST_TICK = ["--for", "1 ms", "--no-log", "--quiet"]
DIAGRAMS = ["pida", "uncompensated", "tdpa_docking", "cartesian_control"]


def processor_ms(words, folder):
    """The least processor time of some starts."""
    least = float("inf")
    for _ in range(STARTS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd=folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return 1000 * least


def measure(hilda, diagram, folder, *more):
    program = folder / (diagram.stem + "".join(more))
    subprocess.run([hilda, "compile", diagram, "-o", program, *more], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    return program.stat().st_size / 1e6, processor_ms([program, *FIRST_TICK], folder)


def met(value, goal):
    return "met" if value < goal else "**missed**"


def page(prefix):
    hilda, rows = prefix / "bin/hilda", []
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for name in DIAGRAMS:
            diagram = prefix / f"share/hilda/diagrams/{name}.xml"
            run = processor_ms([hilda, "run", diagram, *FIRST_TICK], folder)
            rows.append((name, *measure(hilda, diagram, folder), *measure(hilda, diagram, folder, "--with-libc"), run))
    _, size, start, *_ = rows[0]
    table = "\n".join(f"| {name} | {size:.1f} | {start:.1f} | {size_libc:.1f} | {start_libc:.1f} | {run:.1f} |" for name, size, start, size_libc, start_libc, run in rows)
    return f"""# Compiled programs

Written by docs/results/measurements/compile.py on {datetime.date.today()}, from an installed hilda. [install.md](../../install.md#one-program)
says what such a program is. Processor times are the least of {STARTS} runs of one tick, from the start of the process to its
end; the machine had a load of {os.getloadavg()[0]:.0f}.

| diagram | program, MB | first tick, ms | `--with-libc`, MB | first tick, ms | `hilda run`, ms |
|---|---|---|---|---|---|
{table}

Goals for PIDA: below {GOAL_MB:.0f} MB, {met(size, GOAL_MB)}; first tick after {GOAL_MS:.0f} ms, {met(start, GOAL_MS)}.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    text = page(arguments.prefix.resolve())
    print(text)
    if arguments.write:
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
