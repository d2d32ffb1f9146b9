#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/results/measurements/faults.md from results of tests/wire/run_faults.py: faults.py RESULTS... [--before RESULTS].

faults.py RESULTS... --added writes only the page's section of rows that its whole run did not have."""
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
sys.path.insert(0, str(HERE.parents[2] / "tests/wire"))
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
    """The message, without place and figures of the one run."""
    text = text.split(": ", 2)[-1] if text.startswith("error: the run failed") else text.split(": ", 1)[-1]
    for mark in (";", ". "):
        text = text.split(mark)[0]
    return re.sub(r"/\S*/", "", text)[:110].replace("|", "/").strip()


def main_table(rows, before):
    lines = ["| fault | runs | above a limit | largest share of a limit | stop by itself, m/s2 | exit code | mm from the "
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


def machine_of(row):
    """How busy it was: made so on purpose, or by what else ran on it."""
    if row.get("loaded", 0):
        return "stress-ng"
    return "busy with compilers" if row["load"] > 4 else "nearly idle"


def machine_table(rows):
    """What load and rights do, by rows of the table proper."""
    lines = ["| machine | runs | load average | above a limit | largest share of a limit | without a fault: cycles without "
             "an answer, in 1000 | without a fault: ended for them | robot's clock slipped |",
             "|---|---|---|---|---|---|---|---|"]
    kinds = collections.defaultdict(list)
    for row in rows:
        kinds[machine_of(row), row["fifo"]].append(row)
    for (machine, fifo), mine in sorted(kinds.items()):
        sound = [row for row in mine if row["fault"].startswith("none") and row["cycles"]]
        slipped = sum(any("robot late" in text for _, text in row["notes"]) for row in mine)
        loads = sorted(row["load"] for row in mine)
        lines.append("| " + " | ".join([
            f"{machine}, {'SCHED_FIFO' if fifo else 'without SCHED_FIFO'}", str(len(mine)),
            f"{loads[len(loads) // 10]:.0f} to {loads[-1 - len(loads) // 10]:.0f}", str(over(mine)),
            spread(shares(mine), "{:.2f}"), spread([1e3 * row["unanswered"] / row["cycles"] for row in sound], "{:.1f}"),
            f"{sum(row['exit'] == 3 for row in sound)} of {len(sound)}", f"{slipped} of {len(mine)}"]) + " |")
    return lines


def random_text(rows):
    if not rows:
        return "No random combinations were run."
    numbers = {row["fault"] for row in rows}
    return (f"{len(numbers)} combinations of two to five faults, drawn by `random_fault` in `tests/wire/fault_table.py` from "
            f"their number alone (loss, duplicates, reordering, corruption, jitter and delay of either direction, holds, "
            f"stalls of either end, leaps and turns of IPOC, sensor faults, strangers, RSI restarted, both meanings of "
            f"Delay, coarse poses, short time-outs): {len(rows)} runs, **{over(rows)}** above a limit, largest share "
            f"{spread(shares(rows), '{:.2f}')}; {sum(row['exit'] == 3 for row in rows)} ended by themselves, "
            f"{sum(row['exit'] not in (0, 3) for row in rows)} in another way.")


def long_table(rows):
    lines = ["| PIDA, 60 s | machine | runs | above a limit | exit code | cycles without an answer, of 15,000 | it says |",
             "|---|---|---|---|---|---|---|"]
    kinds = collections.defaultdict(list)
    for row in rows:
        if "60 s" in row["fault"]:
            kinds[row["fault"], machine_of(row), row["fifo"]].append(row)
    for (fault, machine, fifo), mine in sorted(kinds.items()):
        lines.append("| " + " | ".join([
            fault, f"{machine}, {'SCHED_FIFO' if fifo else 'without'}", str(len(mine)),
            str(over(mine)), ends(mine), spread([row["unanswered"] for row in mine]), words(mine)]) + " |")
    return lines


PAGE = """# What the robot does under faults

Written by `docs/results/measurements/faults.py` on {date} from {count} runs of `tests/wire/run_faults.py` ({machine}) with {build}. Robot, wire and sensor are a program that shares no code with hilda; a
second program judges the capture of the wire alone (`tests/wire/judge.py`).

For each answer that the robot **took**: step, speed, acceleration and range, from the position and the velocity that it
then has, against the limits of the cell (0.25 m/s, 5 m/s2, 0.5 rad/s, 5 rad/s2, 0.3 m, 30 deg). A share of 1 is the
limit itself. A cycle without an answer stops a robot by itself, at once: that is the controller's doing, no answer of ours
can soften it, and it has its own column. Ranges are median to largest. Cart and PIDA, absolute and relative
corrections together; the robot's own time-out is set to 2000 late answers, so that it does not save the run. The path
from the fault on is that of what the robot was asked for, in runs that ended: its way to rest.

**{over} of {count} runs above a limit.** {still} runs never moved: refused as they must be, or out of answers before the first
motion on a machine this loaded.{wrong}

## Fault by fault
{main}

The last column is the same table for version 0.1.0, once each.

## Loaded or not, with rights and without
{machines}

Busy: a load average above 4 on two processors. The robot's own clock is a thread of the same machine: where it slipped, its
cycle was longer than it should be, and what it did then is judged by the milder of two velocities.

{long}

## Diagram by diagram
{others}

## What no one thought of
{random}

What no program can tell: RSI that restarts within 5 cycles, with an IPOC that happens to continue where it was and Delay at
0 before and after ([kuka_rsi.md](../../kuka_rsi.md)). One of some 40 runs in which RSI restarted within 4 ms behind a turn of IPOC
met those 32 ms, and its next answer had 2.5 times the acceleration allowed; the table's row now begins well before. A
controller needs longer to restart.

## Again
```sh
cmake --build build --target wire_witness
tests/wire/run_faults.py --load 4 --repetitions 20 --at-a-time 6 --results out/faults.jsonl     # resumes where it was stopped
tests/wire/run_faults.py --load 4 --without-fifo --results out/faults.jsonl
tests/wire/run_faults.py --random 100 --results out/faults.jsonl
tests/wire/run_faults.py --diagrams pic dac acc uncompensated pida_oblique tdpa tdpa_docking tdpa_full \\
    tdpa_uncompensated passive_integrator pic_ledger dac_ledger pida_ledger tdpa_ledger --results out/faults.jsonl
docs/results/measurements/faults.py out/faults.jsonl
```
Each row draws when its fault begins, and what is lost, from its own number. `--keep FOLDER` keeps script, capture and output
of each run; `tests/wire/judge.py CAPTURE` lists the answers that broke a limit.
"""


ADDED = "## Rows that were added later\n"


def with_added(page, rows, machine):
    """The page with its section of rows that are not in its first table, written from these results."""
    before, _, rest = page.partition(ADDED)
    rest = rest[rest.index("## "):] if rest else ""
    if not rest:
        at = before.index("## Loaded or not")
        before, rest = before[:at], before[at:]
    known = {line.split("|")[1].strip() for line in before.splitlines() if line.startswith("| ")}
    new = [row for row in rows if row["fault"] not in known]
    loads = sorted(row["load"] for row in new)
    wrong = collections.Counter(row["fault"] for row in new if row["kept"] is False)
    text = (f"{datetime.date.today().isoformat()}, {len(new)} runs ({machine}, load average {loads[0]:.0f} to {loads[-1]:.0f}): "
            f"**{over(new)}** above a limit. " +
            ("Ends that their fault does not allow: " + ", ".join(f"{name} ({count})" for name, count in wrong.items()) + "."
             if wrong else "Every run ended as its fault demands."))
    return before + ADDED + text + "\n\n" + "\n".join(main_table(new, [])) + "\n\n" + rest


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--before", nargs="*", default=[HERE.parents[2] / "tests/wire/results_0.1.0.jsonl"],
                        help="results of an earlier version")
    parser.add_argument("--build", default="the tree that this page lies in", help="what was run, in words")
    parser.add_argument("--added", action="store_true", help="write the section of rows that the page does not have")
    given = parser.parse_args()
    machine = f"{platform.machine()}, {len(os.sched_getaffinity(0))} processors"
    if given.added:
        page = HERE / "faults.md"
        page.write_text(with_added(page.read_text(), read(given.results), machine))
        return
    rows, before = read(given.results), read(given.before)
    wrong = [row for row in rows if row["kept"] is False]
    combined = [row for row in rows if row["fault"].startswith("random ")]
    table = [row for row in rows if not row["fault"].startswith("random ")]
    bad = "\n\nRuns that did not end as their fault demands: " + ", ".join(
        f"{name} ({count})" for name, count in collections.Counter(row["fault"] for row in wrong).most_common()) + "." \
        if wrong else "\n\nEvery run ended as its fault demands."
    page = PAGE.format(date=datetime.date.today().isoformat(), count=len(rows), over=over(rows), wrong=bad, build=given.build,
                       still=sum(not row["moved"] for row in rows),
                       machine=machine,
                       main="\n".join(main_table(table, before)), machines="\n".join(machine_table(table)),
                       long="\n".join(long_table(table)), others="\n".join(other_table(table)),
                       random=random_text(combined))
    (HERE / "faults.md").write_text(page)


if __name__ == "__main__":
    main()
