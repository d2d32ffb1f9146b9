#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Attacks hilda and writes what comes of it: docs/results/measurements/attacks.md, a row an attack. Exit code 1 where one succeeds.

A part is a module of this folder with TITLE and attacks(bench, scale), which yields rows (see bench.py).
"""
import argparse
import concurrent.futures
import datetime
import importlib
import itertools
import json
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parents[1] / "docs/results")]
from machine import kind_of_machine  # noqa: E402
from bench import Bench, ends_with_parent  # noqa: E402


def parts():
    return sorted(path.stem for path in here.glob("*.py") if "\nTITLE = " in path.read_text())


def page(parts_done):
    text = ["# Attacks", "",
            "What was tried against hilda, how often, and what came of it. No row may end in lost data, a crash without a",
            "word, or a wrong result taken for a right one: the script that makes them fails then. It is",
            "`tests/attacks/table.py`, and each part is a test of `ctest` at scale 1.", "",
            f"On {kind_of_machine()}.", ""]
    for part in parts_done:
        text += [f"## {part['title']}", f"Scale {part['scale']:g}, {part['date']}.", "",
                 *([part["note"], ""] if part.get("note") else []), "| attack | count | outcome |",
                 "|---|---|---|"]
        for row in part["rows"]:
            outcome = "; ".join(f"{n} {what}" for what, n in sorted(row["outcomes"].items(), key=lambda each: -each[1]))
            if row["failures"]:
                outcome += f"; **{len(row['failures'])} succeeded**"
            text.append(f"| {row['attack']} | {row['count']} | {outcome} |")
        text.append("")
    return "\n".join(text)


def kept_in(build, name):
    return pathlib.Path(build) / "tests" / "attacks" / f"part_{name}.json"


def run_part(name, arguments):
    """False where an attack succeeds, which is printed at once. The rows are kept in the build folder."""
    module = importlib.import_module(name)
    bench = Bench(arguments.build, here.parent.parent)
    rows = []
    for row in module.attacks(bench, arguments.scale):
        rows.append(row)
        print(f"{module.TITLE}: {row.attack}: {row.count} tried; {dict(row.outcomes)}", flush=True)
        for failure in row.failures[:20]:
            print(f"    FAILED {failure}", flush=True)
        bench.clear()
    done = {"title": module.TITLE, "scale": arguments.scale, "date": str(datetime.date.today()),
            "note": getattr(module, "NOTE", ""),
            "rows": [{**vars(row), "outcomes": dict(row.outcomes)} for row in rows]}
    kept_in(arguments.build, name).write_text(json.dumps(done))
    return not any(row.failures for row in rows)


def main():
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--build", default="build")
    reader.add_argument("--part", action="append", choices=parts())
    reader.add_argument("--scale", type=float, default=1.0)
    reader.add_argument("--jobs", type=int, default=1, help="parts at a time")
    reader.add_argument("--write", action="store_true", help="docs/results/measurements/attacks.md, of the last run of each part")
    arguments = reader.parse_args()
    # Processes, as a part may have some itself and sets what all of it needs.
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs, initializer=ends_with_parent()) as pool:
        sound = list(pool.map(run_part, arguments.part or parts(), itertools.repeat(arguments)))
    if arguments.write:
        kept = [kept_in(arguments.build, name) for name in parts()]
        (here.parent.parent / "docs/results/measurements/attacks.md").write_text(
            page([json.loads(file.read_text()) for file in kept if file.exists()]))
    return 0 if all(sound) else 1


if __name__ == "__main__":
    sys.exit(main())
