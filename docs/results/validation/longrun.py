#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes longrun.md: a thousand contacts with the published methods, and with the energy ledger behind them.

    docs/results/validation/longrun.py [path to hilda] [--jobs N] [--minutes N] [--confirm N] [--page]

Every number is of a run of a diagram. Finished runs are kept in a store (out/longrun.jsonl), so that the script continues
where it was stopped; --minutes ends it early, --page writes the page from what is there. A cell of a table whose runs
are not all there says so.
"""
import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runs  # noqa: E402
from longrun_campaign import fill  # noqa: E402
from longrun_cases import groups  # noqa: E402
from longrun_page import Page  # noqa: E402
from store import Store  # noqa: E402
from tables import below_mark  # noqa: E402

arguments = argparse.ArgumentParser()
arguments.add_argument("hilda", nargs="?", default=runs.hilda)
arguments.add_argument("--jobs", type=int, default=2)
arguments.add_argument("--minutes", type=float, default=90.0)
arguments.add_argument("--confirm", type=int, default=10, help="runs of a kind to repeat before those of an older state count")
arguments.add_argument("--page", action="store_true", help="no more runs")

if __name__ == "__main__":
    options = arguments.parse_args()
    runs.hilda = options.hilda
    store = Store(runs.project / "out" / "longrun.jsonl")
    if not options.page:
        fill(store, groups, options.minutes, options.jobs, options.confirm)
    below_mark(runs.here / "longrun.md", "longrun.py", Page(store).text())
