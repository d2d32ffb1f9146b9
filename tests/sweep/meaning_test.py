#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the words of a study mean, number by number: meaning_test.py HILDA."""
import contextlib
import json
import sqlite3
import statistics
import unittest

from study_case import StudyCase, diagrams, rows, run


class Meaning(StudyCase):
    def made(self, text, *words):
        (self.folder / "s.xml").write_text(text)
        self.said = self.sweep("s.xml", "-o", "s.sqlite", *words).stdout
        return rows(self.folder / "s.sqlite")

    def test_functions_of_a_column(self):
        names = ("min", "max", "mean", "median", "sum", "deviation", "count")
        figures = "".join(f'<figure name="f_{name}" from="{name}(contacts[].peak_force)"/>' for name in names)
        row = self.made(f'<study format="1" mode="sim" diagram="{diagrams}/dac.xml"><set path="contacts" value="4"/>{figures}</study>')[0]
        run("run", diagrams / "dac.xml", "--set", "contacts=4", "--no-log", "--quiet", "--summary", "s.json", cwd=self.folder)
        forces = [contact["peak_force"] for contact in json.loads((self.folder / "s.json").read_text())["contacts"]]
        self.assertEqual(len(set(forces)), 4)
        wanted = [min(forces), max(forces), statistics.fmean(forces), statistics.median(forces), sum(forces),
                  statistics.stdev(forces), 4]
        for name, got, want in zip(names, row[1:8], wanted):
            self.assertAlmostEqual(got, want, delta=1e-12 * abs(want), msg=name)

    def test_values_between_two_ends(self):
        made = self.made("""<study format="1" diagram="plant.xml"><axis path="gain" from="1" to="16" count="5" spacing="log"/>
          <axis path="start" from="0 m" to="0.04 m" count="41"/><figure name="mean" from="record.mean"/></study>""")
        self.assertEqual(sorted({row[1] for row in made}), [1, 2, 4, 8, 16])
        self.assertEqual([row[2] for row in made[:41]], [float(f"{k}e-3") for k in range(41)])

    def test_each_run_has_a_seed_of_its_own(self):
        made = self.made("""<study format="1" diagram="plant.xml"><axis path="gain" values="1 2 3"/>
          <draw path="seed" repeat="5"/><figure name="mean" from="record.mean"/></study>""")
        self.assertEqual(len({row[2] for row in made}), 15)

    def test_a_value_behind_samples_is_looked_at_too(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml"><axis path="delay" values="0 20 15 ms"/>
          <draw path="start" from="1 m" to="3 m" sampling="latin" count="16"/><figure name="mean" from="record.mean"/></study>""")
        self.assertIn("study-value", self.sweep("s.xml", "-o", "s.sqlite", expect=2).stderr)

    def test_a_figure_that_a_run_may_be_without(self):
        text = """<study format="1" diagram="plant.xml"><axis path="gain" values="1 2"/><figure name="mean" from="record.mean"/>
          <figure name="odd" from="record.odd" optional="true"/><figure name="small" expression="odd &lt; 1"/>
          <keep log="when" condition="odd"/></study>"""
        made = self.made(text)
        self.assertEqual([(row[3], row[4]) for row in made], [(None, 0), (None, 0)])
        self.assertFalse((self.folder / "s_logs").exists(), "no number is not true")
        (self.folder / "s.xml").write_text(text.replace(' optional="true"', ""))
        self.assertIn("study-unknown-figure", self.sweep("check", "s.xml", expect=2).stderr)

    def test_the_greatest_value(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml"><axis path="start" from="0.5 m" to="3 m" count="2"/>
          <figure name="mean" from="record.mean"/><figure name="high" expression="7 - (start / 1 m - 2)^2 + 0 * mean"/></study>""")
        said = self.sweep("optimise", "s.xml", "--maximise", "high", "--evaluations", 40, "-o", "o.sqlite").stdout
        found = {line.split()[0]: float(line.split()[1]) for line in said.split("\n")[:2]}
        self.assertAlmostEqual(found["high"], 7, delta=1e-3)
        self.assertAlmostEqual(found["start"], 2, delta=0.05)

    def test_repeats_of_a_search_are_runs_of_their_own(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml"><set path="noise" value="0.01"/>
          <draw path="seed" repeat="3"/><axis path="gain" from="1" to="9" count="81"/><figure name="mean" from="record.mean"/>
          <figure name="low" expression="mean &lt; 0.5"/></study>""")
        self.sweep("edge", "s.xml", "--along", "gain", "--figure", "low", "-o", "e.sqlite")
        places = {}
        for row in rows(self.folder / "e.sqlite"):
            places.setdefault(row[1], []).append(row[2])
        self.assertGreater(len(places), 3)
        self.assertEqual({len(set(seeds)) for seeds in places.values()}, {3})
        self.assertEqual(len({tuple(seeds) for seeds in places.values()}), 1, "another place, other draws")
        # rows of a search are none of the design's
        self.assertIn("243 are missing", self.sweep("merge", "e.sqlite", "-o", "m.sqlite").stdout)

    def test_runs_that_fail_and_runs_that_are_refused(self):
        (self.folder / "plant.xml").write_text((self.folder / "plant.xml").read_text().replace(
            '<block name="record"', '<block name="watch" type="sinks/AssertRange" lower="-9 m" upper="9 m"/>'
            '<connect from="state.y" to="watch.u"/><block name="record"'))
        made = self.made("""<study format="1" diagram="plant.xml"><axis path="period" values="10 8 ms"/>
          <axis path="delay" values="0 20 ms"/><axis path="gain" values="1 150"/><figure name="mean" from="record.mean"/>
          <figure name="ticks" from="steps"/><keep log="failed"/></study>""")
        ends = {row[0]: row[6] for row in made}
        self.assertEqual((ends[6], ends[7]), ("refused", "refused"))  # 20 ms are not a whole number of 8 ms
        self.assertEqual(ends[3], "failed")
        self.assertIsNotNone(made[3][5], "what a failed run says is kept")
        failed = [run for run, end in ends.items() if end == "failed"]
        self.assertEqual(sorted(int(file.stem) for file in (self.folder / "s_logs").iterdir()), failed)
        self.assertIn(f"logs     {len(failed)} in s_logs", self.said)

    def test_parts_and_what_is_missing(self):
        study = self.study(count=2)
        for wrong in ("5/3", "0/3", "2", "1/0"):
            self.assertIn("is not a part such as 3/16", self.sweep(study, "--part", wrong, "-o", "p.sqlite", expect=64).stderr)
        self.sweep(study, "--part", "2/3", "-o", "p.sqlite")
        self.assertEqual([row[0] for row in rows(self.folder / "p.sqlite")], list(range(1, 24, 3)))
        self.assertIn("8, 16 are missing", self.sweep("merge", "p.sqlite", "-o", "m.sqlite").stdout)

    def test_rows_of_another_revision_are_refused(self):
        study = self.study(count=2)
        self.sweep(study, "-o", "s.sqlite")
        with contextlib.closing(sqlite3.connect(self.folder / "s.sqlite")) as database, database:
            database.execute("UPDATE study SET value = 'fedcba' WHERE key = 'git'")
        self.assertIn("revision fedcba", self.sweep(study, "-o", "s.sqlite", expect=3).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
