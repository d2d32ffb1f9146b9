#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The store of finished runs: what it keeps, and when it takes over runs of an older state of diagrams and blocks."""
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/results/validation"))
sys.dont_write_bytecode = True
from store import Store  # noqa: E402


class Kept(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = Path(self.folder.name) / "runs.jsonl"

    def older(self, count):
        self.file.write_text("".join(json.dumps({"key": f"run {i}", "sources": "older", "figures": i}) + "\n" for i in range(count)))
        return Store(self.file)

    def test_goes_on_where_it_was_stopped(self):
        Store(self.file).keep("run", {"speed": 0.1 + 0.2})
        self.assertEqual(Store(self.file).figures, {"run": {"speed": 0.1 + 0.2}})

    def test_older_runs_do_not_count_by_themselves(self):
        self.assertEqual(self.older(5).figures, {})

    def test_older_runs_count_once_samples_are_the_same(self):
        store, again = self.older(5), []
        taken = store.confirm({f"run {i}": lambda i=i: again.append(i) or i for i in range(5)}, 2)
        self.assertEqual((taken, len(again), len(store.figures)), (5, 2, 5))
        self.assertEqual(len(Store(self.file).figures), 5)

    def test_one_sample_that_differs_refuses_all(self):
        store = self.older(5)
        self.assertEqual(store.confirm({f"run {i}": lambda i=i: i + 1 for i in range(5)}, 2), 0)
        self.assertEqual(list(store.figures.values()), [int(key.split()[1]) + 1 for key in store.figures])

    def test_none_counts_without_a_sample(self):
        again = []
        self.older(3).confirm({f"run {i}": lambda i=i: again.append(i) or i for i in range(3)}, 0)
        self.assertEqual(len(again), 1)


if __name__ == "__main__":
    unittest.main()
