# SPDX-License-Identifier: BSD-3-Clause
"""hilda.Study and hilda.sweep: runs by the program, results as arrays with named axes."""

import contextlib
import pathlib
import shutil
import sqlite3
import tempfile
import unittest

import numpy as np

import hilda

here = pathlib.Path(__file__).resolve().parent
STUDY = """<study format="1" name="small" diagram="plant.xml" seed="3">
  <set path="noise" value="0.01"/>
  <axis path="gain" values="1 2 3"/>
  <axis path="delay" values="0 20 ms" when="gain &gt; 1.5"/>
  <draw path="seed" repeat="4"/>
  <figure name="mean" from="record.mean"/>
  <figure name="big" expression="mean &gt; 0.6"/>
</study>
"""


class Panel:
    """As much of matplotlib's axes as a plot of one axis needs."""

    def __init__(self):
        self.lines, self.labels = [], {}

    def plot(self, x, y, marker):
        self.lines.append((x, y))

    def set_xlabel(self, text):
        self.labels["x"] = text

    def set_ylabel(self, text):
        self.labels["y"] = text


class StudyTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(here.parent / "sweep/cases/plant.xml", self.folder)
        (self.folder / "study.xml").write_text(STUDY)
        self.study = hilda.Study(self.folder / "study.xml")

    def test_results_have_named_axes(self):
        self.assertIn("20 runs", self.study.check())
        results = self.study.run(self.folder / "s.sqlite", jobs=2)
        self.assertEqual(results.dims, ("gain", "delay", "draw"))
        self.assertEqual(len(results), 20)
        np.testing.assert_array_equal(results.axes["gain"], [1, 2, 3])
        np.testing.assert_array_equal(results.axes["delay"], [0, 0.02, np.nan])
        mean = results["mean"]
        self.assertEqual(mean.shape, (3, 3, 4))
        # an axis that does not apply has a separate place, and no runs elsewhere
        self.assertTrue(np.isnan(mean[0, :2]).all() and not np.isnan(mean[0, 2]).any())
        self.assertFalse(np.isnan(mean[1:, :2]).any())
        self.assertEqual(len(set(mean[1, 0])), 4)  # each repeat its own seed
        np.testing.assert_array_equal(results.select("mean", gain=2, delay=0.02), mean[1, 1])
        np.testing.assert_allclose(results.mean("mean", gain=3)[:2], mean[2, :2].mean(axis=-1))
        np.testing.assert_array_equal(results["big"][1:, :2] == 1, mean[1:, :2] > 0.6)
        shown = results._repr_html_()
        self.assertIn("<th>mean</th>", shown)
        self.assertIn("20 runs", shown)
        panel = Panel()
        results.plot("mean", delay=0.02, ax=panel)
        (x, y), = panel.lines
        np.testing.assert_array_equal(x, [1, 2, 3])
        np.testing.assert_array_equal(y, results.mean("mean", delay=0.02))
        self.assertEqual(panel.labels, {"x": "gain", "y": "mean"})
        with self.assertRaisesRegex(ValueError, r"mean depends on 0 axes"):
            results.plot("mean", gain=2, delay=0.02)
        with self.assertRaisesRegex(KeyError, "gain has no 5"):
            results.select("mean", gain=5)

    def test_rows_are_what_a_simulation_says(self):
        results = self.study.run(self.folder / "s.sqlite")
        for row in (0, 7, 19):
            settings = {"noise": 0.01, "gain": results.columns["gain"][row], "seed": int(results.columns["seed"][row])}
            if not np.isnan(results.columns["delay"][row]):
                settings["delay"] = f"{results.columns['delay'][row]} s"
            simulation = hilda.Simulation(self.folder / "plant.xml", settings=settings)
            simulation.run(record=[])
            self.assertEqual(simulation.summary["record"]["mean"], results.columns["mean"][row])

    def test_parts(self):
        whole = self.study.run(self.folder / "whole.sqlite")
        parts = [self.folder / f"{k}.sqlite" for k in (1, 2, 3)]
        for k, part in enumerate(parts, 1):
            self.study.run(part, part=(k, 3))
        merged = hilda.sweep.merge(parts, self.folder / "merged.sqlite")
        np.testing.assert_array_equal(merged["mean"], whole["mean"])

    def test_a_damaged_row_is_refused(self):
        self.study.run(self.folder / "s.sqlite")
        with contextlib.closing(sqlite3.connect(self.folder / "s.sqlite")) as store, store:
            store.execute("UPDATE runs SET mean = mean + 1e-15 WHERE run = 5")
        with self.assertRaisesRegex(hilda.Error, "run 5 is not as it was written"):
            hilda.sweep.read(self.folder / "s.sqlite")

    def test_mistakes(self):
        (self.folder / "study.xml").write_text(STUDY.replace('path="noise"', 'path="niose"'))
        with self.assertRaisesRegex(hilda.Error, "did you mean 'noise'"):
            self.study.check()
        with self.assertRaisesRegex(hilda.Error, "not a store of a study"):
            hilda.sweep.read(self.folder / "plant.xml")


if __name__ == "__main__":
    unittest.main()
