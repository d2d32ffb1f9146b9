#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A log of 10 GB, made by a run, and what it takes to export it and to report on it. The log is removed afterwards.

    python3 tests/attacks/ten_gigabytes.py --build build       an entry for the table: BUILD/tests/attacks/long_log.json
It needs 12 GB of disk and some minutes; the test in budgets.py does the same with a short log.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

COMMANDS = ["info l.mcap", "export l.mcap s1 s2 --csv -o x.csv", "export l.mcap s1 s2 s3 --mat -o x.mat",
            "report l.mcap -o x.html"]
LIMIT = 300  # MB


def wave(channels):
    return ('<diagram format="1" name="long" period="1 ms">\n'
            + "".join(f'<block name="s{i}" type="sources/Sine" amplitude="1 2 3 4 5 6" frequency="{i + 1} Hz"/>\n'
                      for i in range(channels)) + "</diagram>\n")


def watched(words, folder):
    """Exit code, processor time, peak of memory in MB."""
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", default="build")
    options.add_argument("--gigabytes", type=float, default=10)
    given = options.parse_args()
    build = pathlib.Path(given.build).resolve()
    hilda, folder = str(build / "bin" / "hilda"), pathlib.Path(tempfile.mkdtemp(prefix="hilda_long_"))
    try:
        (folder / "d.xml").write_text(wave(20))
        tick = 20 * (59 + 48)  # bytes
        seconds = int(given.gigabytes * 1e9 / tick / 1000) + 1
        code, took, _ = watched([hilda, "run", "d.xml", "--for", f"{seconds}s", "--log", "l.mcap", "--quiet"], folder)
        if code != 0:
            return f"the run ends with {code}"
        size, rows, failures = (folder / "l.mcap").stat().st_size / 1e9, [], []
        print(f"{size:.2f} GB made in {took:.0f} s", flush=True)
        for command in COMMANDS:
            code, took, peak = watched([hilda, *command.split()], folder)
            print(f"{command}: exit {code}, {took:.0f} s, {peak:.0f} MB", flush=True)
            rows.append([command, code, took, peak])
            if code != 0 or peak > LIMIT:
                failures.append(f"{command}: exit {code}, {peak:.0f} MB")
        told = {"gigabytes": size, "commands": rows, "failures": failures, "date": time.strftime("%Y-%m-%d")}
        (build / "tests" / "attacks" / "long_log.json").write_text(json.dumps(told))
        return 1 if failures else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
