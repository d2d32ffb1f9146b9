#!/usr/bin/env python3
"""Attacks hilda and writes what comes of it: docs/results/attacks.md, a row an attack. Exit code 1 where one succeeds.

A part is a module of this folder with TITLE and attacks(bench, scale), which yields rows (see bench.py).
"""
import argparse
import datetime
import importlib
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))
from bench import Bench  # noqa: E402


def parts():
    return sorted(path.stem for path in here.glob("*.py") if "\nTITLE = " in path.read_text())


def kind_of_machine():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def page(tables, scale, build):
    text = ["# Attacks", "",
            "What was tried against hilda, how often, and what came of it. No row may end in lost data, a crash without a",
            "word, or a wrong result taken for a right one: the script that writes this page fails then. It is",
            "`tests/attacks/table.py`, and each part is a test of `ctest` at scale 1.", "",
            f"Made {datetime.date.today()}, scale {scale:g}, on {kind_of_machine()}.", ""]
    for title, rows in tables:
        text += [f"## {title}", "", "| attack | count | outcome |", "|---|---|---|"]
        for row in rows:
            outcome = "; ".join(f"{n} {what}" for what, n in sorted(dict(row.outcomes).items(), key=lambda each: -each[1]))
            if row.failures:
                outcome += f"; **{len(row.failures)} succeeded**"
            text.append(f"| {row.attack} | {row.count} | {outcome} |")
        text.append("")
    return "\n".join(text)


def main():
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--build", default="build")
    reader.add_argument("--part", action="append", choices=parts())
    reader.add_argument("--scale", type=float, default=1.0)
    reader.add_argument("--write", action="store_true", help="docs/results/attacks.md")
    arguments = reader.parse_args()
    source = here.parent.parent
    bench = Bench(arguments.build, source)
    tables, failed = [], False
    for name in arguments.part or parts():
        module = importlib.import_module(name)
        rows = []
        print(f"{module.TITLE}", flush=True)
        for row in module.attacks(bench, arguments.scale):
            rows.append(row)
            print(f"  {row.attack}: {row.count} tried; {dict(row.outcomes)}", flush=True)
            for failure in row.failures[:20]:
                print(f"    FAILED {failure}", flush=True)
            failed = failed or bool(row.failures)
            bench.clear()
        tables.append((module.TITLE, rows))
    if arguments.write:
        (source / "docs" / "results" / "attacks.md").write_text(page(tables, arguments.scale, arguments.build))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
