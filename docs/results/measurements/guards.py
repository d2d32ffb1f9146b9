#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to watch plugins: instructions of a run of PIDA, and of them those in the guards, by callgrind.

    docs/results/measurements/guards.py --build build        docs/results/measurements/guards.md

A run of one step is what a run costs before and after its loop; a longer one less that is the loop. The guards look ten
times a second, however many steps that are, so their looks are counted one by one. callgrind counts no instructions of
the kernel.
"""
import argparse
import datetime
import os
import pathlib
import platform
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
DIAGRAM = ROOT / "diagrams" / "pida.xml"
STEPS = 20000
PERIOD = 1e-3  # s, of PIDA
#: Each calls no other of its row's, and none of another row's.
GUARDS = {
    "the process: signals, folder, locale, umask, timers, streams, descriptors": r"hilda::base::ProcessWatch::(ProcessWatch|~ProcessWatch|after_call|changes|look_now)\(",
    "parameters of a block": r"hilda::run::KeptParameters::(KeptParameters|changed)\(",
    "memory of its neighbours": r"hilda::run::Neighbours::(Neighbours|whole)\(",
    "canaries between the blocks' memory": r"hilda::run::Memory::(mend_canaries|overrun)\(",
    "threads and processes left behind": r"hilda::base::LeftBehind::(LeftBehind|report)\(",
}
LOOK = r"hilda::base::ProcessWatch::look_now\("


class Counted:
    """One run under callgrind."""

    def __init__(self, build, steps):
        with tempfile.TemporaryDirectory(prefix="hilda_guards_") as folder:
            out = pathlib.Path(folder) / "out"
            subprocess.run(["valgrind", "--tool=callgrind", "-q", f"--callgrind-out-file={out}", build / "bin/hilda", "run", DIAGRAM, "--for",
                            f"{steps * PERIOD} s", "--no-log", "--quiet"], cwd=folder, check=True)
            text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--show-percs=no", "--threshold=100", "--auto=no", out],
                                  capture_output=True, text=True, check=True).stdout
            self.calls = self.calls_of(out.read_text())
        self.functions = {}
        for count, name in re.findall(r"^\s*([\d,]+)\s+\S*?:(hilda::.*?) \[", text, re.MULTILINE):
            self.functions[name] = max(self.functions.get(name, 0), int(count.replace(",", "")))
        self.total = int(re.search(r"^\s*([\d,]+)\s+PROGRAM TOTALS", text, re.MULTILINE)[1].replace(",", ""))

    @staticmethod
    def calls_of(text):
        """How often look_now was called."""
        names = dict(re.findall(r"^c?fn=\((\d+)\) (.+)$", text, re.MULTILINE))
        looks = {number for number, name in names.items() if re.search(LOOK, name)}
        return sum(int(count) for number, count in re.findall(r"^cfn=\((\d+)\)[^\n]*\ncalls=(\d+)", text, re.MULTILINE) if number in looks)

    def of(self, pattern):
        found = [count for name, count in self.functions.items() if re.match(pattern, name)]
        if not found:
            raise SystemExit(f"callgrind names no function {pattern}: was it renamed, or the build stripped?")
        return sum(found)

    def without_guards(self):
        """callgrind is slow, so that there are more looks in a longer run than there would be."""
        return self.total - sum(self.of(pattern) for pattern in GUARDS.values())


def page(short, long):
    step = (long.without_guards() - short.without_guards()) / (STEPS - 1)
    look = short.of(LOOK) / short.calls
    lines = ["<!-- written by guards.py; do not edit -->", "# What it costs to watch plugins", "",
             "This page shows what the guards of the process, of parameters and of memory cost before, in and after the loop.", "",
             f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} processors. `hilda run diagrams/pida.xml --no-log`, counted by "
             f"callgrind, without the kernel's part of system calls. A step takes {step:,.0f} instructions. Between two looks it has no code of "
             f"the guards; a look takes {look:,.0f} instructions, and there are at most ten a second.", "",
             "| guard | instructions of a run of one step | of all |", "|---|---|---|"]
    total = short.total - short.without_guards()
    for name, pattern in GUARDS.items():
        count = short.of(pattern)
        lines.append(f"| {name} | {count:,} | {count / short.total:.2%} |")
    lines += [f"| together | {total:,} | {total / short.total:.2%} |",
              f"| all of the run | {short.total:,} | |", "",
              f"With the guards a run of one step takes {short.total / short.without_guards():.4f} times the instructions that it takes without.", ""]
    return "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    build = arguments.parse_args().build.resolve()
    (ROOT / "docs/results/measurements/guards.md").write_text(page(Counted(build, 1), Counted(build, STEPS)))


if __name__ == "__main__":
    main()
