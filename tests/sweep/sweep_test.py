#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Studies as people run them: sweep_test.py HILDA.

Rows are the same bits whatever makes them (threads, processes, parts), each is what `hilda run` gives with its settings;
parts that conflict are refused. Interruptions are in trouble_test.py.
"""
import contextlib
import json
import shutil
import sqlite3
import subprocess
import unittest

from study_case import StudyCase, diagrams, here, hilda, rows, run


class Sweep(StudyCase):
    def test_rows_do_not_depend_on_who_makes_them(self):
        study = self.study()
        self.sweep(study, "-j", 1, "-o", "one.sqlite")
        first = rows(self.folder / "one.sqlite")
        self.assertEqual(len(first), 120)
        self.assertEqual({row[0] for row in first}, set(range(120)))
        self.sweep(study, "-j", 8, "-o", "eight.sqlite")
        self.assertEqual(rows(self.folder / "eight.sqlite"), first)
        self.sweep(study, "-j", 3, "--isolate", "-o", "apart.sqlite")
        self.assertEqual(rows(self.folder / "apart.sqlite"), first)
        parts = [f"part{k}.sqlite" for k in range(1, 17)]
        for k, part in enumerate(parts, 1):
            self.sweep(study, "--part", f"{k}/16", "-j", 2, "-o", part)
        self.sweep("merge", *parts[::-1], "-o", "merged.sqlite")
        self.assertEqual(rows(self.folder / "merged.sqlite"), first)
        self.assertEqual(self.csv("merged.sqlite"), self.csv("one.sqlite"))

    def test_a_row_is_what_a_run_gives(self):
        study = self.study(count=3)
        self.sweep(study, "-o", "s.sqlite")
        for row in rows(self.folder / "s.sqlite")[::5]:
            shown = self.sweep("show", row[0], "s.sqlite").stdout.splitlines()[0]
            self.assertTrue(shown.startswith("hilda run plant.xml "), shown)
            subprocess.run(shown.replace("hilda", hilda, 1) + " --no-log --quiet --summary s.json", shell=True,
                           check=True, cwd=self.folder)
            record = json.loads((self.folder / "s.json").read_text())["record"]
            self.assertEqual((record["mean"], record["max"]), (row[5], row[6]))
            self.assertIn("every bit is as in the store", self.sweep("rerun", row[0], "s.sqlite").stdout)
        self.sweep("rerun", 3, "s.sqlite", "--log", "three.mcap")
        run("run", "--mode", "replay", "three.mcap", "--no-log", cwd=self.folder)

    def test_a_diagram_that_is_not_loaded_again_gives_the_same_bits(self):
        # A gain may change in a run, so the runs share one loading; rerun loads for its run alone.
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml"><set path="noise" value="0.01"/>
          <axis path="gain" from="1" to="20" count="40"/><figure name="mean" from="record.mean"/></study>""")
        self.sweep("s.xml", "-j", 1, "-o", "s.sqlite")
        self.assertEqual(len({row[2] for row in rows(self.folder / "s.sqlite")}), 40)
        for run_number in (0, 1, 20, 39):
            self.assertIn("every bit is as in the store", self.sweep("rerun", run_number, "s.sqlite").stdout)

    def test_schema(self):
        if shutil.which("xmllint") is None:
            self.skipTest("xmllint is not there")
        run("schema", "--study", "-o", "study.rng", cwd=self.folder)

        def valid(file):
            return subprocess.run(["xmllint", "--noout", "--relaxng", "study.rng", file], cwd=self.folder,
                                  capture_output=True).returncode == 0
        self.assertTrue(valid(self.study()))
        self.assertTrue(valid(here.parent.parent / "diagrams/studies/stability.xml"))
        self.assertTrue(valid(here.parent.parent / "examples/13-studies/delays.xml"))
        for wrong in ("study-axis", "study-figure", "unknown-element", "bad-word"):
            self.assertFalse(valid(here / f"cases/{wrong}.xml"), wrong)

    def test_a_store_can_be_rerun_without_its_files(self):
        self.sweep(self.study(count=3), "-o", "s.sqlite")
        (self.folder / "plant.xml").unlink()
        (self.folder / "study.xml").unlink()
        self.assertIn("every bit is as in the store", self.sweep("rerun", 7, "s.sqlite").stdout)

    def test_a_row_that_was_changed_is_found(self):
        self.sweep(self.study(count=3), "-o", "s.sqlite")
        mean = next(row for row in rows(self.folder / "s.sqlite") if row[0] == 7)[5]
        self.another_result("s.sqlite", 7, {"mean": mean + 1e-16 * abs(mean) + 1e-15})
        self.assertIn("mean is", self.sweep("rerun", 7, "s.sqlite", expect=3).stderr)
        with contextlib.closing(sqlite3.connect(self.folder / "s.sqlite")) as database, database:
            database.execute("UPDATE runs SET mean = 0 WHERE run = 7")
        self.assertIn("run 7 is not as it was written", self.sweep("rerun", 7, "s.sqlite", expect=2).stderr)

    def test_parts_that_conflict_are_refused(self):
        study = self.study(count=3)
        self.sweep(study, "-o", "a.sqlite")
        shutil.copy(self.folder / "a.sqlite", self.folder / "b.sqlite")
        self.another_result("b.sqlite", 5, {"mean": 0.0})
        refused = self.sweep("merge", "a.sqlite", "b.sqlite", "-o", "c.sqlite", expect=2).stderr
        self.assertIn("run 5 is not the same", refused)
        self.assertFalse((self.folder / "c.sqlite").exists())
        self.sweep(self.study(count=3, seed=4, name="other.xml"), "-o", "d.sqlite")
        refused = self.sweep("merge", "a.sqlite", "d.sqlite", "-o", "c.sqlite", expect=2).stderr
        self.assertIn("do not belong together", refused)
        # and a store does not continue with another study
        refused = self.sweep("other.xml", "-o", "a.sqlite", expect=3).stderr
        self.assertIn("the file study.xml is another", refused.replace("other.xml", "study.xml"))

    def test_a_value_that_no_run_can_have_is_told_before_the_first(self):
        # 15 ms are not a whole number of ticks
        study = self.study(count=2)
        text = (self.folder / study).read_text().replace('values="0 20 50 ms"', 'values="0 20 15 ms"')
        (self.folder / study).write_text(text)
        said = self.sweep(study, "-o", "s.sqlite", expect=2).stderr  # reported before the first run
        self.assertIn("study.xml:3: error[study-value]: with '0.015 s'", said)
        self.assertFalse((self.folder / "s.sqlite").exists())

    def test_what_fixed_steps_miss_is_one_warning_of_a_study(self):
        """[T3, T4] With the number of runs and the first of them, with any number of processes."""
        (self.folder / "late.xml").write_text("""<diagram format="1" name="late" period="10 ms">
  <parameter name="duration" value="0.1 s"/>
  <parameter name="at" value="0 s"/>
  <parameter name="lag" value="1"/>
  <block name="u" type="sources/Step" time="${at}" after="1"/>
  <block name="x" type="continuous/TransferFunction" numerator="1" denominator="${lag} 1"/>
  <block name="record" type="sinks/Record" key="record"/>
  <connect from="u.y" to="x.u"/>
  <connect from="x.y" to="record.u"/>
</diagram>
""")
        (self.folder / "s.xml").write_text("""<study format="1" diagram="late.xml">
  <axis path="at" values="20 25 27 30 ms"/>
  <axis path="lag" values="0.002 1"/>
  <figure name="mean" from="record.mean"/>
</study>
""")
        late = ("late.xml:5: warning[event-late]: 4 of 8 runs; run 2: rk4 with one step a tick of 10 ms acts on events at the next "
                "tick: 'u' (sources/Step) switched once, 5 ms late\n  help: ")
        coarse = "late.xml:6: warning[step-too-long]: 4 of 8 runs; run 0: rk4 with one step a tick of 10 ms is too coarse for 'x.w'"
        for k, words in enumerate([["-j", 1], ["-j", 2], ["--isolate"]]):
            said = self.sweep("s.xml", "-o", f"{k}.sqlite", *words).stderr
            self.assertIn(late, said)
            self.assertIn(coarse, said)
            self.assertEqual(said.count("warning["), 2)
            self.assertEqual(rows(self.folder / f"{k}.sqlite"), rows(self.folder / "0.sqlite"))
        self.assertEqual(self.sweep("s.xml", "-o", "0.sqlite").stderr.count("warning["), 0)  # all rows are there
        self.assertEqual(self.sweep("s.xml", "-o", "q.sqlite", "--quiet").stderr, "")

    def test_a_diverging_run_is_a_row_with_its_cause(self):
        (self.folder / "worse.xml").write_text((self.folder / "plant.xml").read_text().replace(
            '<block name="record"', '<block name="watch" type="sinks/AssertRange" lower="-9 m" upper="9 m"/>\n'
            '<connect from="state.y" to="watch.u"/>\n<block name="record"'))
        (self.folder / "s.xml").write_text("""<study format="1" diagram="worse.xml">
          <axis path="gain" values="1 90 2 120"/><figure name="mean" from="record.mean"/></study>""")
        done = self.sweep("s.xml", "-o", "s.sqlite", expect=None)
        self.assertEqual(done.returncode, 0, done.stderr)
        ends = [(row[3], row[5]) for row in rows(self.folder / "s.sqlite")]
        self.assertEqual([end for end, _ in ends], ["duration", "failed", "duration", "failed"])
        self.assertEqual(ends[1][1], "watch")
        done = self.sweep("s.xml", "-o", "f.sqlite", "-j", 1, "--fail-fast", expect=3)
        self.assertIn("the first is run 1", done.stdout)

    def test_the_edge_is_that_of_the_grid(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml">
          <axis path="start" values="1 1.5 2 m"/>
          <axis path="gain" from="1" to="9" count="81"/>
          <figure name="low" expression="record &lt; 0.5"/></study>""".replace(
              '<figure name="low"', '<figure name="record" from="record.mean"/><figure name="low"'))
        said = self.sweep("edge", "s.xml", "--along", "gain", "--figure", "low", "-o", "e.sqlite").stdout
        self.sweep("s.xml", "-o", "g.sqlite")
        grid = rows(self.folder / "g.sqlite")
        for start in (1, 1.5, 2):
            first = min(row[2] for row in grid if row[1] == start and row[4] == 1)
            self.assertIn(f"start {start} m: low false up to {round(first - 0.1, 12):g}, true from {first:g}\n", said)
        searched = rows(self.folder / "e.sqlite")
        self.assertLess(len(searched), len(grid) / 3)
        by_place = {row[1:3]: row[3:5] for row in grid}
        for row in searched:  # evaluations are rows as others are
            self.assertEqual(by_place[(row[1], round(row[2], 12))], row[3:5])
        again = self.sweep("edge", "s.xml", "--along", "gain", "--figure", "low", "-o", "e.sqlite").stdout
        self.assertIn("0 made now", again)
        self.assertIn("every bit is as in the store", self.sweep("rerun", searched[-1][0], "e.sqlite").stdout)

    def test_an_island_between_two_ends_is_found(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml"><axis path="gain" from="1" to="9" count="81"/>
          <figure name="mean" from="record.mean"/><figure name="low" expression="gain &gt; 5 &amp;&amp; gain &lt; 6"/></study>""")
        words = ["edge", "s.xml", "--along", "gain", "--figure", "low", "-o", "e.sqlite"]
        self.assertIn("low false up to 5, true from 5.1 to 5.9, false from 6\n", self.sweep(*words).stdout)
        self.assertIn("low false at both ends and at the 1 places between them that were looked at\n",
                      self.sweep(*words, "--coarse", 2).stdout)

    def test_the_optimum_is_found_under_noise_and_within_limits(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml">
          <set path="noise" value="0.001"/><draw path="seed" repeat="3"/>
          <axis path="gain" from="1" to="9" count="2"/>
          <axis path="start" from="0.5 m" to="3 m" count="2"/>
          <figure name="mean" from="record.mean"/>
          <figure name="off" expression="(mean - 0.45)^2 + (start / 1 m - 2)^2"/></study>""")
        words = ["optimise", "s.xml", "--minimise", "off", "--evaluations", 80, "-o", "o.sqlite"]
        said = self.sweep(*words).stdout.split("\n")
        found = dict((line.split()[0], float(line.split()[1])) for line in said[:3])
        self.assertLess(found["off"], 1e-3, said)
        self.assertAlmostEqual(found["start"], 2, delta=0.05)
        for row in rows(self.folder / "o.sqlite"):
            self.assertTrue(1 <= row[1] <= 9 and 0.5 <= row[2] <= 3, row)
        self.assertIn("0 runs made now", self.sweep(*words).stdout)

    def test_pictures(self):
        self.sweep(self.study(count=6), "-o", "s.sqlite")
        self.sweep("plot", "s.sqlite", "--figure", "mean", "--limit", 0.5, "-o", "map.svg")
        drawn = (self.folder / "map.svg").read_text()
        self.assertIn("gain", drawn)
        self.assertIn(">delay [ms]<", drawn)  # as the study file writes it; the store has s
        for label in (">0<", ">20<", ">50<"):
            self.assertIn(label, drawn)
        self.assertGreater(drawn.count("#ff2d2d"), 2)  # the limit
        refused = self.sweep("plot", "s.sqlite", "--figure", "maen", "-o", "m.svg", expect=64).stderr
        self.assertIn("there are: mean, most, small", refused)
        self.sweep("report", "s.sqlite", "-o", "page.html")
        page = (self.folder / "page.html").read_text()
        data = json.loads(page.split('id="data">')[1].split("</script>")[0])
        self.assertEqual(len(data["rows"]), 72)
        self.assertEqual([c["unit"] for c in data["columns"]][:4], ["", "ms", "", "m"])
        self.assertEqual({row[2] for row in data["rows"]}, {0, 20, 50})
        self.assertIn("did you mean 's.sqlite'?", self.sweep("plot", "ss.sqlite", expect=2).stderr)
        self.assertEqual([c["kind"] for c in data["columns"]], ["number"] * 2 + ["draw"] * 2 + ["figure"] * 3)
        self.assertIn("Content-Security-Policy", page)

    def test_pictures_of_draws_alone(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml" seed="5">
          <draw path="start" from="1 m" to="3 m" count="64"/><draw path="gain" normal="3" deviation="0.5" count="64"/>
          <draw path="seed" repeat="2"/><figure name="mean" from="record.mean"/></study>""")
        self.sweep("s.xml", "-o", "s.sqlite")
        for words in ([], ["--across", "gain", "--up", "start"]):
            self.sweep("plot", "s.sqlite", *words, "-o", "map.svg")
            drawn = (self.folder / "map.svg").read_text()
            self.assertIn("gain", drawn)
            self.assertIn("start [m]", drawn)
            self.assertNotIn("seed", drawn)
        refused = self.sweep("plot", "s.sqlite", "--across", "gian", "-o", "m.svg", expect=64).stderr
        self.assertIn("there is no axis or draw 'gian'\nhelp: there are: start, gain", refused)
        self.sweep("report", "s.sqlite", "-o", "page.html")
        for id, options in self.selectors("page.html").items():
            self.assertEqual(options, ["mean"] if id == "figure" else ["start", "gain"], id)

    def test_pictures_of_one_axis_are_lines(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml">
          <axis path="delay" from="10 ms" to="1000 ms" count="3" spacing="log"/><draw path="seed" repeat="3"/>
          <set path="noise" value="0.1"/><figure name="mean" from="record.mean"/></study>""")
        self.sweep("s.xml", "-o", "s.sqlite")
        self.sweep("plot", "s.sqlite", "--limit", 0.5, "-o", "line.svg")
        drawn = (self.folder / "line.svg").read_text()
        for text in (">delay [ms]<", ">10<", ">100<", ">1000<", ">mean<", ">limit 0.5<"):
            self.assertIn(text, drawn)
        self.assertEqual(drawn.count("<circle"), 3)
        refused = self.sweep("plot", "s.sqlite", "--up", "gain", "-o", "m.svg", expect=64).stderr
        self.assertIn("there is no axis or draw 'gain'\nhelp: there are: delay", refused)

    def test_pictures_of_one_axis_and_words(self):
        text = (self.folder / "plant.xml").read_text()
        (self.folder / "other.xml").write_text(text)
        (self.folder / "s.xml").write_text("""<study format="1"><axis diagram="plant other"/>
          <axis path="delay" values="0 20 50 ms"/><figure name="mean" from="record.mean"/></study>""")
        self.sweep("s.xml", "-o", "s.sqlite")
        self.sweep("plot", "s.sqlite", "-o", "line.svg")
        drawn = (self.folder / "line.svg").read_text()
        for text in (">plant<", ">other<", ">delay [ms]<"):
            self.assertIn(text, drawn)
        self.sweep("plot", "s.sqlite", "--up", "delay", "--across", "diagram", "-o", "map.svg")
        self.assertIn(">delay [ms]<", (self.folder / "map.svg").read_text())

    def selectors(self, page):
        """What the selectors of a study's page offer, by a document that knows just enough for its script."""
        if shutil.which("node") is None:
            self.skipTest("node is not installed")
        text = (self.folder / page).read_text()
        (self.folder / "page.mjs").write_text("""
            import fs from 'node:fs';
            const text = fs.readFileSync(process.argv[2], 'utf8'), options = {};
            const part = (begin, end) => text.split(begin)[1].split(end)[0];
            const make = (id) => ({id, value: '0', textContent: '', style: {}, hidden: false, setAttribute() {},
              appendChild() {}, append() {}, replaceChildren() {}, addEventListener() {},
              add(option) { (options[id] ??= []).push(option.text); if (option.chosen) this.value = String(option.value); }});
            const elements = {};
            globalThis.Option = class { constructor(text, value, _, chosen) { Object.assign(this, {text, value, chosen}); } };
            globalThis.document = {getElementById: (id) => (elements[id] ??= make(id)), createElementNS: () => make(''),
              createElement: () => make('')};
            elements.data = {textContent: part('id="data">', '</script>')};
            elements.limit = {...make('limit'), value: ''};
            new Function(text.split('<script>')[1].split('</script>')[0])();
            console.log(JSON.stringify(options));""")
        done = subprocess.run(["node", "page.mjs", page], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('id="across"', text)
        return json.loads(done.stdout)

    def test_samples(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml" seed="5">
          <draw path="start" from="1 m" to="3 m" sampling="latin" count="64"/>
          <draw path="gain" normal="3" deviation="0.5" sampling="latin" count="64"/>
          <figure name="mean" from="record.mean"/></study>""")
        self.sweep("s.xml", "-o", "s.sqlite")
        starts = sorted(row[1] for row in rows(self.folder / "s.sqlite"))
        for i, start in enumerate(starts):  # one in each of 64 equal parts
            self.assertEqual(int((start - 1) / 2 * 64), i)
        gains = [row[2] for row in rows(self.folder / "s.sqlite")]
        mean = sum(gains) / 64
        self.assertAlmostEqual(mean, 3, delta=0.02)
        self.assertAlmostEqual((sum((g - mean) ** 2 for g in gains) / 63) ** 0.5, 0.5, delta=0.03)
        text = (self.folder / "s.xml").read_text().replace("latin", "sobol")
        (self.folder / "s.xml").write_text(text)
        self.sweep("s.xml", "-o", "b.sqlite")
        starts = [row[1] for row in rows(self.folder / "b.sqlite")]
        self.assertEqual(sorted(int((s - 1) / 2 * 64) for s in starts), list(range(64)))  # whatever the shift

    def test_axes_go_together_and_under_conditions(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml">
          <axis path="gain" values="1 2 3"/>
          <axis path="start" values="1 2 3 m" with="gain"/>
          <axis path="delay" values="0 20 ms" when="gain &gt; 1.5"/>
          <figure name="mean" from="record.mean"/></study>""")
        self.sweep("s.xml", "-o", "s.sqlite")
        self.assertEqual([row[1:4] for row in rows(self.folder / "s.sqlite")],
                         [(1, 1, None), (2, 2, 0), (2, 2, 0.02), (3, 3, 0), (3, 3, 0.02)])

    def test_factors_are_of_the_diagrams_own_value(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml">
          <set path="start" value="4 m"/><axis path="start" factors="0.5 1 2"/>
          <figure name="most" from="record.max"/></study>""")
        self.sweep("s.xml", "-o", "s.sqlite")
        self.assertEqual([row[1:3] for row in rows(self.folder / "s.sqlite")], [(0.5, 2), (1, 4), (2, 8)])

    def test_factors_are_of_a_blocks_own_value(self):
        plant = (self.folder / "plant.xml").read_text()
        (self.folder / "own.xml").write_text(plant.replace("</diagram>", """
          <block name="own" type="sources/Constant" value="3 m"/>
          <block name="kept" type="sinks/Record" key="kept"/>
          <connect from="own.y" to="kept.u"/></diagram>"""))
        (self.folder / "s.xml").write_text("""<study format="1" diagram="own.xml">
          <axis path="own.value" factors="0.5 1 2"/><figure name="most" from="kept.max"/></study>""")
        self.sweep("s.xml", "-o", "s.sqlite")
        self.assertEqual([row[1:3] for row in rows(self.folder / "s.sqlite")], [(0.5, 1.5), (1, 3), (2, 6)])

    def test_shipped_methods(self):
        (self.folder / "s.xml").write_text(f"""<study format="1" mode="sim">
          <set path="contacts" value="2"/><set path="force_noise" value="0.1 N"/>
          <axis diagram="uncompensated pic dac acc pida tdpa tdpa_full tdpa_uncompensated" folder="{diagrams}"/>
          <axis path="response_delay" values="8 20 ms"/>
          <figure name="had" from="count(contacts[].time)"/>
          <figure name="cov" from="contacts[-1].cov"/>
          <figure name="peak" from="max(contacts[].peak_force)" unit="N"/></study>""")
        self.sweep("s.xml", "-j", 4, "-o", "s.sqlite")
        all_rows = rows(self.folder / "s.sqlite")
        self.assertEqual(len(all_rows), 16)
        for row in all_rows:
            self.assertEqual((row[3], row[6]), (2, "stopped"), row)
            self.assertTrue(row[4] > 0.5 and row[5] > 1, row)


if __name__ == "__main__":
    unittest.main(verbosity=1)
