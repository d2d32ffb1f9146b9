#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where the time of a build and of its tests goes, from what ninja, ctest and clang have written down.

    docs/results/measurements/ci.py                       of build/, printed
    docs/results/measurements/ci.py --build FOLDER --write   keeps it in ci.md, and the steps of out/ci/steps.json in ci_days.json

Seconds of units and links are on the wall, from the last build of each (.ninja_log); a hit of the compiler cache counts as
short as it is. Tests are those of ctest's last run. `-ftime-trace` of clang leaves a .json next to each object: where there are
any, the headers that cost most are added up over units. The steps are those of the last .ci/run (out/ci/steps.json).
ci_days.json keeps the last .ci/run of each turn, with its date and machine; a step that was not recorded has no number.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "docs/results"))
from machine import kind_of_machine  # noqa: E402
PAGE = pathlib.Path(__file__).resolve().with_name("ci.md")
DAYS = PAGE.with_name("ci_days.json")
SHOWN = 15  # rows of a table
TURNS = 8  # the shares of .ci/run come again after so many


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(map(str, row)) + " |" for row in rows]


def edges(build):
    """Seconds of each output of the last build."""
    found = {}
    for line in (build / ".ninja_log").read_text().splitlines():
        fields = line.split("\t")
        if len(fields) == 5:
            found[fields[3]] = (int(fields[1]) - int(fields[0])) / 1000
    return found


def kind(output):
    if output.endswith((".o", ".gch", ".pch")):
        return "unit"
    return "link" if re.search(r"\.(so|a)$|(^|/)(bin|tests)/[a-z_]+$", output) else "other"


def folder(output):
    """The compiled part: the target, and below it the sources' folder where it is not a batch."""
    target = re.search(r"(?:^|/)(\w+)\.dir/", output)
    return target[1] if target else output


def build_tables(found):
    sums, counts, kinds = collections.Counter(), collections.Counter(), collections.Counter()
    for output, seconds in found.items():
        kinds[kind(output)] += seconds
        if kind(output) == "unit":
            name = folder(output)
            sums[name] += seconds
            counts[name] += 1
    tests = sum(seconds for name, seconds in sums.items() if name.startswith("tests_") or name.startswith("hilda_test_"))
    text = ["", "## Build", "", f"{len(found)} steps: compilers {kinds['unit']:.0f} s, of it tests {tests:.0f} s; links "
            f"{kinds['link']:.0f} s; others {kinds['other']:.0f} s.", ""]
    text += table(["target", "units", "s"], [(name, counts[name], f"{seconds:.1f}") for name, seconds in sums.most_common(SHOWN)])
    for which, title in (("unit", "unit"), ("link", "link")):
        dear = sorted(((seconds, name) for name, seconds in found.items() if kind(name) == which), reverse=True)[:SHOWN]
        text += ["", *table([title, "s"], [(name, f"{seconds:.1f}") for seconds, name in dear])]
    return text


def test_times(build):
    """Seconds on the wall of each test of ctest's last run."""
    logs = [build / "Testing/Temporary" / name for name in ("LastTest.log", "LastTest.log.tmp")]
    log = next((each for each in logs if each.exists()), None)
    found, name = {}, None
    for line in (log.read_text(errors="replace").splitlines() if log else []):
        begun, ended = re.match(r"\d+/\d+ Test(?:ing)?: (.+)$", line), re.match(r"Test time = +([\d.]+) sec", line)
        name = begun[1] if begun else name
        if ended and name:
            found[name] = float(ended[1])
    return found


def test_tables(found):
    sums, counts = collections.Counter(), collections.Counter()
    for name, seconds in found.items():
        sums[name.split(".")[0]] += seconds
        counts[name.split(".")[0]] += 1
    text = ["", "## Tests", "", f"{len(found)} entries, {sum(found.values()):.0f} s; {sum(each < 0.1 for each in found.values())} "
            f"take less than 0.1 s, {sum(each > 5 for each in found.values())} more than 5 s.", ""]
    text += table(["folder", "entries", "s"], [(name, counts[name], f"{seconds:.1f}") for name, seconds in sums.most_common(SHOWN)])
    dear = sorted(found.items(), key=lambda each: -each[1])[:SHOWN]
    return text + ["", *table(["test", "s"], [(name, f"{seconds:.1f}") for name, seconds in dear])]


def header_table(build):
    """Headers by what clang's -ftime-trace says, summed over units; a header counts what it includes."""
    sums, counts = collections.Counter(), collections.Counter()
    for trace in build.rglob("*.dir/**/*.json"):
        for event in json.loads(trace.read_text()).get("traceEvents", []):
            if event.get("name") == "Source":
                name = re.sub(r".*/(?=engine/|tools/|tests/|plugins/|include/)", "", event["args"]["detail"])
                sums[name] += event["dur"] / 1e6
                counts[name] += 1
    rows = [(name, counts[name], f"{seconds:.1f}") for name, seconds in sums.most_common(2 * SHOWN)]
    return ["", "## Headers", "", *table(["header", "units", "s"], rows)] if rows else []


def machine():
    return f"{kind_of_machine()}, {os.cpu_count()} processors, Linux {platform.release()}"


def kept_days(steps_file):
    """What each turn's last .ci/run took, with that of STEPS_FILE where there is one: whole runs only, as a single step says nothing of a day."""
    days = json.loads(DAYS.read_text()) if DAYS.exists() else {}
    if steps_file.exists():
        last = json.loads(steps_file.read_text())
        if isinstance(last, dict) and {"format", "tests", "tidy"} <= {each["step"] for each in last["steps"]}:
            commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=SOURCE, capture_output=True, text=True, check=True).stdout.strip()
            day = datetime.date.fromtimestamp(steps_file.stat().st_mtime).isoformat()
            days[str(last["turn"] % TURNS)] = {"date": day, "commit": commit, "machine": machine(), "steps": last["steps"]}
    return days


def day_tables(days):
    """A row for each turn, and for each turn its steps: seconds on the wall, of the processor, and the budget of the latter."""
    if not days:
        return []
    rows = []
    for turn in range(TURNS):
        day = days.get(str(turn))
        if day is None:
            rows.append((turn, "not recorded", "", "", ""))
            continue
        wall = day.get("wall") or sum(each["wall"] for each in day["steps"])
        cpu = "" if "wall" in day else sum(each["cpu"] for each in day["steps"])
        rows.append((turn, day["date"], day["commit"], wall, cpu))
    text = ["", "## Turns", "", "The last whole `.ci/run` of each turn; turn 8 is turn 0 again. Goal: 2400 s on the wall.", "",
            *table(["turn", "date", "commit", "wall, s", "processor, s"], rows)]
    for turn, day in sorted(days.items()):
        text += ["", f"Turn {turn}, {day['date']}, {day['machine']}:{' ' + day['note'] if 'note' in day else ''}"]
        if day["steps"]:
            text += ["", *table(["step", "wall, s", "processor, s", "budget, s"],
                                [(each["step"], each["wall"], each["cpu"], each["budget"]) for each in day["steps"]])]
    return text


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    options.add_argument("--steps", type=pathlib.Path, default=SOURCE / "out/ci/steps.json")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    days = kept_days(given.steps)
    text = ["# The time of a change", "", f"Made by docs/results/measurements/ci.py on {datetime.date.today().isoformat()}: {machine()}, load "
            f"{os.getloadavg()[0]:.1f}. Build and tests are those of the last build and the last ctest on this machine."]
    text += day_tables(days) + build_tables(edges(given.build))
    tests = test_times(given.build)
    text += (test_tables(tests) if tests else []) + header_table(given.build)
    print("\n".join(text))
    if given.write:
        DAYS.write_text(json.dumps(days, indent=1) + "\n")
        PAGE.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
