#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a diagram costs before it runs: hilda check of generated diagrams, processor time and memory a block.

    docs/results/measurements/load.py --write        docs/results/measurements/load.md

A chain is one Constant and then gains, each the reader of the one before; loops are groups of difference, PID, gain,
saturation and delay, each group led by the one before, as in docs/results/history/speed.md. Each size runs in its own process;
what an empty diagram costs, plugins and all, is taken off. --other PROGRAM measures another hilda next to this one.
"""
import argparse
import datetime
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "docs/results"))
from machine import kind_of_machine  # noqa: E402

HEAD = '<diagram format="1" name="made" period="1 ms">\n<block name="u" type="sources/Constant" value="1"/>\n'


def chain(count):
    last = "u"
    for i in range(count - 1):
        yield f'<block name="g{i}" type="math/Gain" gain="1"/><connect from="{last}.y" to="g{i}.u"/>\n'
        last = f"g{i}"


def loops(count):
    yield '<block name="zero" type="sources/Constant" value="0"/>\n'
    lead = "u.y"
    for i in range(max(0, count - 2) // 5):
        yield (f'<block name="e{i}" type="math/Sum" signs="+-"/><block name="c{i}" type="discrete/Pid" kp="1" ki="0.5 1/s"/>'
               f'<block name="g{i}" type="math/Gain" gain="0.5"/><block name="s{i}" type="math/Saturation" lower="-1" upper="1"/>'
               f'<block name="d{i}" type="discrete/UnitDelay"/>\n<connect from="{lead}" to="e{i}.u[0]"/>'
               f'<connect from="d{i}.y" to="e{i}.u[1]"/><connect from="e{i}.y" to="c{i}.setpoint"/><connect from="zero.y" to="c{i}.measured"/><connect from="c{i}.command" to="g{i}.u"/>'
               f'<connect from="g{i}.y" to="s{i}.u"/><connect from="s{i}.y" to="d{i}.u"/>\n')
        lead = f"d{i}.y"


def checked(program, file):
    """s, MB"""
    words = [str(program), "check", str(file)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(words)} ends with {process.returncode}\n{errors[:2000]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measured(programs, make, count, rounds, folder):
    """By program: median seconds, and MB."""
    file = folder / "made.xml"
    with file.open("w", encoding="utf-8") as out:  # a line at a time: a large text here counts as the program's memory, too
        out.write(HEAD)
        out.writelines(make(count))
        out.write("</diagram>\n")
    took = {program: [] for program in programs}
    for _ in range(rounds):
        for program in programs:
            took[program].append(checked(program, file))
    return {program: (statistics.median(t for t, _ in took[program]), statistics.median(m for _, m in took[program]))
            for program in programs}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default=str(SOURCE / "build" / "bin" / "hilda"))
    options.add_argument("--other")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--million", action="store_true", help="a chain of a million blocks, too: some seconds and gigabytes")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    programs = [given.program] + ([given.other] if given.other else [])
    text = ["# What a large diagram costs to check", "",
            f"Made by docs/results/measurements/load.py on {datetime.date.today()}: {kind_of_machine()}, Linux {platform.release()}, load "
            f"{os.getloadavg()[1]:.0f}. `hilda check`, processor time and largest memory of a process, less that of one block; medians of "
            f"{given.rounds}.", "",
            "| diagram | blocks | s | us a block | MB | kB a block |" + (" other, s | ratio | other, MB |" if given.other else ""),
            "|---|---|---|---|---|---|" + ("---|---|---|" if given.other else "")]
    with tempfile.TemporaryDirectory(prefix="hilda_load_") as name:
        folder = pathlib.Path(name)
        for make in (chain, loops):
            empty = measured(programs, make, 1, given.rounds, folder)
            for count in (1000, 10000, 100000, *([1000000] if given.million and make is chain else [])):
                found = measured(programs, make, count, given.rounds if count < 1000000 else 1, folder)
                less = {p: (found[p][0] - empty[p][0], found[p][1] - empty[p][1]) for p in programs}
                time, memory = less[given.program]
                row = [make.__name__, count, f"{time:.3f}", f"{1e6 * time / count:.2f}", f"{memory:.1f}", f"{1024 * memory / count:.2f}"]
                if given.other:
                    row += [f"{less[given.other][0]:.3f}", f"{less[given.other][0] / time:.2f}", f"{less[given.other][1]:.1f}"]
                text.append("| " + " | ".join(str(x) for x in row) + " |")
                print(text[-1], flush=True)
    if given.write:
        (SOURCE / "docs/results/measurements/load.md").write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
