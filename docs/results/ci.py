#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where the time of a build and of its tests goes, from what ninja, ctest and clang have written down.

    docs/results/ci.py                       of build/, printed
    docs/results/ci.py --build FOLDER --write   keeps it in ci.md

Seconds of units and links are on the wall, from the last build of each (.ninja_log); a hit of the compiler cache counts as
short as it is. Tests are those of ctest's last run. `-ftime-trace` of clang leaves a .json beside each object: where there are
any, the headers that cost most are added up over units. The steps are those of the last .ci/run (out/ci/steps.json).
"""
import argparse
import collections
import json
import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PAGE = pathlib.Path(__file__).resolve().with_name("ci.md")
SHOWN = 15  # rows of a table


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
    """What is compiled: the target, and below it the sources' folder where it is not a batch."""
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


def step_table(file):
    """The steps of the last .ci/run: seconds on the wall, of the processor, and the budget of the latter."""
    if not file.exists():
        return []
    steps = json.loads(file.read_text())
    turn, steps = (steps.get("turn"), steps["steps"]) if isinstance(steps, dict) else (None, steps)
    rows = [(each["step"], each["wall"], each["cpu"], each["budget"]) for each in steps]
    rows.append(("all", *(sum(row[i] for row in rows) for i in (1, 2, 3))))
    return ["", "## Steps" + (f" of turn {turn}" if turn is not None else ""), "",
            *table(["step", "wall, s", "processor, s", "budget, s"], rows)]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    options.add_argument("--steps", type=pathlib.Path, default=SOURCE / "out/ci/steps.json")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    text = ["# The time of a change", "", "Made by docs/results/ci.py."] + step_table(given.steps) + build_tables(edges(given.build))
    tests = test_times(given.build)
    text += (test_tables(tests) if tests else []) + header_table(given.build)
    print("\n".join(text))
    if given.write:
        PAGE.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
