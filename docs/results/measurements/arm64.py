#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs every diagram with the programs of two builds, x86-64 and arm64, and writes arm64.md: do all signals have the same bits?

  docs/results/measurements/arm64.py [--build build] [--arm64 build-arm64] [--seconds 1] [--write] [DIAGRAM...]

The program for arm64 is run by qemu-aarch64 (tools/arm64.sh builds it). Exit code 1 where a bit differs. A hash is SHA-256 of the
log's signals as `hilda export --csv` writes them: each number as the shortest text that gives its bits again.
"""
import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "docs/results"))
from machine import kind_of_machine  # noqa: E402


def emulated(build):
    cache = (build / "CMakeCache.txt").read_text()
    return ["qemu-aarch64", "-L", re.search(r"^HILDA_ARM64_ROOT:\w+=(.+)$", cache, re.M)[1]]


def call(words, why):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{why}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def run(program, diagram, seconds, log):
    call([*program, "run", diagram, "--mode", "sim", "--for", f"{seconds} s", "--quiet", "--log", log], f"{program[0]} run {diagram}")


def hash_of(hilda, log):
    text = log.with_suffix(".csv")
    call([hilda, "export", log, "-o", text], f"export {log}")
    return hashlib.sha256(text.read_bytes()).hexdigest()


def row(hilda, arm, diagram, seconds, folder):
    """Signals, ticks, the hashes, and whether `hilda compare` finds the logs equal."""
    here, there = folder / "x86_64.mcap", folder / "arm64.mcap"
    run([hilda], diagram, seconds, here)
    run(arm, diagram, seconds, there)
    compared = subprocess.run([str(hilda), "compare", str(here), str(there)], capture_output=True, text=True)
    lines = here.with_suffix(".csv")
    hashes = [hash_of(hilda, log) for log in (here, there)]
    with open(lines, encoding="utf-8") as file:
        columns, ticks = len(next(file).split(",")) - 1, sum(1 for _ in file)
    return columns, ticks, hashes, compared.returncode == 0, compared.stdout


def page(rows, seconds, versions):
    differ = [name for name, each in rows.items() if not each[3]]
    lines = ["# Bits on arm64", "",
             f"Written by docs/results/measurements/arm64.py on {date.today()}: {kind_of_machine()}, {os.cpu_count()} processors, load "
             f"{os.getloadavg()[2]:.0f}. The program for arm64 was run by {versions.pop('emulator')}: no board with such a processor was there.",
             "",
             *[f"- {name}: {text}" for name, text in versions.items()],
             "",
             f"Each diagram was run for {seconds:g} s of simulated time by both programs, as its file says and in simulation. `hilda compare` "
             f"finds all values of {len(rows) - len(differ)} of {len(rows)} equal bit by bit"
             + (f"; not those of {', '.join(differ)}." if differ else "."),
             "",
             "| diagram | numbers a line | lines | x86-64 | arm64 | equal |", "|---|---|---|---|---|---|"]
    lines += [f"| {name} | {columns} | {ticks} | `{hashes[0][:12]}` | `{hashes[1][:12]}` | {'yes' if equal else '**no**'} |"
              for name, (columns, ticks, hashes, equal, _) in rows.items()]
    lines += ["", "A hash is the beginning of SHA-256 over the signals as `hilda export --csv` writes them.", ""]
    return "\n".join(lines)


def diagrams(given):
    if given:
        return [Path(each).resolve() for each in given]
    return sorted(ROOT.glob("diagrams/*.xml"))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--build", type=Path, default=ROOT / "build")
    arguments.add_argument("--arm64", type=Path, default=ROOT / "build-arm64")
    arguments.add_argument("--seconds", type=float, default=1)
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("diagrams", nargs="*")
    given = arguments.parse_args()
    hilda, before = given.build.resolve() / "bin/hilda", emulated(given.arm64)
    arm = [*before, given.arm64.resolve() / "bin/hilda"]
    told = {name: call([*each, "--version"], name).splitlines() for name, each in (("x86-64", [hilda]), ("arm64", arm))}
    versions = {name: next(line for line in lines if line.startswith("mathematics")) for name, lines in told.items()}
    versions["emulator"] = call([before[0], "--version"], "emulator").splitlines()[0].replace("version ", "")
    rows = {}
    with tempfile.TemporaryDirectory(prefix="hilda_arm64_") as folder:
        for diagram in diagrams(given.diagrams):
            name = diagram.relative_to(ROOT).as_posix().removeprefix("diagrams/")
            rows[name] = row(hilda, arm, diagram, given.seconds, Path(folder))
            print(name, *rows[name][:2], "equal" if rows[name][3] else f"DIFFERS\n{rows[name][4]}", flush=True)
    if given.write:
        (ROOT / "docs/results/measurements/arm64.md").write_text(page(rows, given.seconds, versions))
    return 0 if all(each[3] for each in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
