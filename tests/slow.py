#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests that take long are known: each above 2 s of processor time has a line with its reason in tests/slow.txt.

    tests/slow.py [--build FOLDER] [NAMES...]    measures; ends with 1 where a test is above and has no line

ctest knows no processor time. So each test that took more than 2 s on the wall in ctest's last run is run once more, alone,
and what it and all that it started took is counted. A test that took less on the wall with several threads is not looked at.
NAMES are run instead of those. Fixtures are not set up: a test that needs one has run the whole before. Lines of tests that are gone
are reported, too.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[1]
LIST = pathlib.Path(__file__).resolve().with_name("slow.txt")
LIMIT = 2.0  # s
sys.path.insert(0, str(SOURCE / "docs/results/measurements"))
from ci import test_times  # noqa: E402


def reasons(text):
    """The reason of each name or pattern with * that the list gives: NAME: REASON."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    bad = [line for line in lines if not re.fullmatch(r"\S+: \S.*", line)]
    if bad:
        sys.exit(f"{LIST}: not NAME: REASON: {bad[0]}")
    return dict(line.split(": ", 1) for line in lines)


def covers(pattern, name):
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), name) is not None


def entries(build):
    """What ctest runs, by name."""
    said = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], capture_output=True, text=True, check=True)
    return {each["name"]: each for each in json.loads(said.stdout)["tests"] if "command" in each}


def property_of(entry, name, otherwise):
    return next((each["value"] for each in entry.get("properties", []) if each["name"] == name), otherwise)


def processor_seconds(entry):
    environment = dict(os.environ) | dict(each.split("=", 1) for each in property_of(entry, "ENVIRONMENT", []))
    process = subprocess.Popen(entry["command"], cwd=property_of(entry, "WORKING_DIRECTORY", None), env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def verdicts(known, all_names, taken):
    """Faults of the list: tests above the limit without a line, and lines that no test has."""
    for name, seconds in sorted(taken.items(), key=lambda each: -each[1]):
        if seconds > LIMIT and not any(covers(pattern, name) for pattern in known):
            yield f"{name} takes {seconds:.1f} s of processor time: make it shorter, or give the reason in tests/slow.txt"
    for pattern in known:
        if not any(covers(pattern, name) for name in all_names):
            yield f"tests/slow.txt: there is no test {pattern}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    options.add_argument("names", nargs="*")
    given = options.parse_args()
    known, tests = reasons(LIST.read_text()), entries(given.build)
    wall = test_times(given.build)
    names = given.names or [name for name, seconds in wall.items() if seconds > LIMIT]
    if not names:
        sys.exit("no test took more than 2 s in the last run of ctest, if there was one")
    taken = {name: processor_seconds(tests[name]) for name in names if name in tests}
    for name, seconds in sorted(taken.items(), key=lambda each: -each[1]):
        print(f"{seconds:7.1f} s  {name}")
    wrong = list(verdicts(known, tests, taken))
    print("\n".join(wrong) or f"{len(taken)} measured, {len(known)} lines: as it should be")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
