#!/usr/bin/python3
"""Writes docs/results/faults.md from results of tests/wire/run_faults.py: faults.py RESULTS... [--before RESULTS]."""
import argparse
import collections
import datetime
import json
import os
import platform
import re
import statistics
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests/wire"))
from fault_table import FAULTS
from judge import LIMITS

ORDER = [fault.name for fault in FAULTS]
MAIN = ("cart", "pida")


def read(paths):
    return [json.loads(line) for path in paths for line in Path(path).read_text().splitlines() if line.strip()]


def shares(rows):
    """The largest share of any limit in each run."""
    return [max((row["worst"].get(name, 0) / limit for name, limit in LIMITS.items()), default=0) for row in rows]


def over(rows):
    return sum(not row["held"] for row in rows)


def ends(rows):
    codes = collections.Counter(row["exit"] for row in rows)
    return ", ".join(f"{code}" if len(codes) == 1 else f"{code} ({count})" for code, count in codes.most_common())


def spread(values, form="{:.0f}"):
    values = sorted(values)
    if not values:
        return "-"
    middle, most = statistics.median(values), values[-1]
    return form.format(middle) + (" to " + form.format(most) if form.format(most) != form.format(middle) else "")


def words(rows):
    said = collections.Counter(shorten(row["words"]) for row in rows if row["exit"] not in (0, 130, 137))
    return said.most_common(1)[0][0] if said else ""


def shorten(text):
    """What is said, without place and figures of the one run."""
    text = text.split(": ", 2)[-1] if text.startswith("error: the run failed") else text.split(": ", 1)[-1]
    for mark in (";", ". "):
        text = text.split(mark)[0]
    return re.sub(r"/\S*/", "", text)[:110].replace("|", "/").strip()


def main_table(rows, before):
    lines = ["| fault | runs | above a limit | largest share of a limit | stand by itself, m/s2 | exit code | mm from the "
             "fault on | it says | 0.1.0: above, worst share |", "|---|---|---|---|---|---|---|---|---|"]
    for name in ORDER:
        mine = [row for row in rows if row["fault"] == name and row["diagram"] in MAIN]
        if not mine:
            continue
        ended = [row for row in mine if row["exit"] != 0]
        old = [row for row in before if row["fault"] == name]
        was = f"{over(old)} of {len(old)}, {max(shares(old)):.1f}" if old else ""
        lines.append("| " + " | ".join([
            name, str(len(mine)), f"**{over(mine)}**" if over(mine) else "0", spread(shares(mine), "{:.2f}"),
            spread([row["halt"] for row in mine]), ends(mine),
            spread([1e3 * row["distance"] for row in ended], "{:.1f}"), words(mine), was]) + " |")
    return lines


def other_table(rows):
    lines = ["| diagram | runs | above a limit | largest share of a limit | ended by themselves | wrong ends |",
             "|---|---|---|---|---|---|"]
    for diagram in sorted({row["diagram"] for row in rows}):
        mine = [row for row in rows if row["diagram"] == diagram]
        for correction in ("absolute", "relative"):
            some = [row for row in mine if row["correction"] == correction]
            if some:
                lines.append("| " + " | ".join([f"{diagram}, {correction}", str(len(some)), str(over(some)),
                                                spread(shares(some), "{:.2f}"), str(sum(r["exit"] == 3 for r in some)),
                                                str(sum(r["kept"] is False for r in some))]) + " |")
    return lines


PAGE = """# What the robot does under faults

Written by `docs/results/faults.py` on {date} from {count} runs of `tests/wire/run_faults.py` ({machine}; load average
{load}; {fifo} of the runs without SCHED_FIFO) with {build}. Robot, wire and sensor are a program that shares no code with hilda; a
second program judges the capture of the wire alone (`tests/wire/judge.py`).

For each answer that the robot **took**: step, speed, acceleration and range, from the position and the velocity that it
then has, against the limits of the cell (0.25 m/s, 5 m/s2, 0.5 rad/s, 5 rad/s2, 0.3 m, 30 deg). A share of 1 is the
limit itself. A cycle without an answer stops a robot by itself, at once: that is the controller's doing, no answer of ours
can soften it, and it stands in a column of its own. Ranges are median to largest. Cart and PIDA, absolute and relative
corrections together; the robot's own time-out is set to 2000 late answers, so that it does not save the run. The path
from the fault on is that of what the robot was asked for, in runs that ended: its way to rest.

**{over} of {count} runs above a limit.** {still} runs never moved: refused as they must be, or out of answers before the first
motion on a machine this loaded.{wrong}

## Fault by fault
{main}

The last column is the same table for version 0.1.0, once each.

## Diagram by diagram
{others}

## Again
```sh
cmake --build build --target wire_witness
tests/wire/run_faults.py --repetitions 20 --at-a-time 3 --results out/faults.jsonl     # resumes where it was stopped
tests/wire/run_faults.py --without-fifo --results out/faults.jsonl
tests/wire/run_faults.py --diagrams pic dac acc uncompensated pida_oblique tdpa tdpa_docking tdpa_full \\
    tdpa_uncompensated passive_integrator --results out/faults.jsonl
docs/results/faults.py out/faults.jsonl
```
Each row draws when its fault begins, and what is lost, from its own number. `--keep FOLDER` keeps script, capture and output
of each run; `tests/wire/judge.py CAPTURE` tells the answers that broke a limit.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--before", nargs="*", default=[HERE.parents[1] / "tests/wire/results_0.1.0.jsonl"],
                        help="results of an earlier version")
    parser.add_argument("--build", default="the tree that this page lies in", help="what was run, in words")
    given = parser.parse_args()
    rows, before = read(given.results), read(given.before)
    wrong = [row for row in rows if row["kept"] is False]
    loads = [row["load"] for row in rows]
    bad = "\n\nRuns that did not end as their fault demands: " + ", ".join(
        f"{name} ({count})" for name, count in collections.Counter(row["fault"] for row in wrong).most_common()) + "." \
        if wrong else "\n\nEvery run ended as its fault demands."
    page = PAGE.format(date=datetime.date.today().isoformat(), count=len(rows), over=over(rows), wrong=bad, build=given.build,
                       still=sum(not row["moved"] for row in rows),
                       machine=f"{platform.machine()}, {len(os.sched_getaffinity(0))} processors",
                       load=f"{min(loads):.0f} to {max(loads):.0f}", fifo=sum(not row["fifo"] for row in rows),
                       main="\n".join(main_table(rows, before)), others="\n".join(other_table(rows)))
    (HERE / "faults.md").write_text(page)


if __name__ == "__main__":
    main()
