# SPDX-License-Identifier: BSD-3-Clause
"""FMUs of other hands inside a diagram: `hilda import-fmu`, and what its block fmi/Fmu computes.

import_test.py HILDA TREE COMPILER VERSION
"""

import csv
import pathlib
import subprocess
import sys
import tempfile
import unittest

import foreign_fmu

HILDA, TREE, COMPILER, VERSION = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
STEP = 0.1


class Imported(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        foreign_fmu.write(self.place / "plant.fmu", foreign_fmu.files(VERSION, COMPILER, self.place))

    def hilda(self, *words, good=0):
        done = subprocess.run([HILDA, *map(str, words)], cwd=self.place, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, good, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def bring_in(self, *words):
        return self.hilda("import-fmu", "plant.fmu", "-o", "plant.xml", *words)

    def write(self, name, text):
        (self.place / name).write_text(text)

    def run_table(self, name, *words):
        """The log as columns of numbers."""
        self.hilda("run", f"{name}.xml", "--for", "1s", *words)
        self.hilda("export", f"out/{name}.mcap", "--csv", "--hold", "-o", "table.csv")
        with open(self.place / "table.csv") as file:
            rows = list(csv.reader(file))
        names = [each.split(" [")[0] for each in rows[0]]
        return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(names)}

    def loop(self, settings="", more=""):
        array = '<block name="three" type="sources/Constant" value="1 -2 3"/><connect from="three.y" to="plant.v"/>' if VERSION == 3 else ""
        self.write("loop.xml", f"""<diagram format="1" name="loop" period="100 ms">
  <block name="wave" type="sources/Sine" amplitude="3 mm" frequency="0.7 Hz"/>
  <subsystem name="plant" src="plant.xml"{settings}/>
  <connect from="wave.y" to="plant.in.u"/>
  {array}{more}
  <log signals="*"/>
</diagram>
""")

    def expected(self, table, tau=0.5):
        x, all_of_x = 0.0, []
        for u in table["wave.y"]:
            all_of_x.append(x)
            x = x + STEP / tau * (u / 0.001 - x)
        return all_of_x

    def test_its_closed_form(self):
        self.bring_in()
        self.loop()
        table = self.run_table("loop")
        x = self.expected(table)
        self.assertEqual(len(x), 10)
        for k, (at, direct) in enumerate(zip(table["plant.fmu.x"], table["plant.fmu.y"])):
            self.assertAlmostEqual(at, 0.001 * x[k], delta=1e-15)
            self.assertAlmostEqual(direct, 0.001 * (2 * table["wave.y"][k] / 0.001 + x[k]), delta=1e-15)
            self.assertEqual(table["plant.fmu.n"][k], k)
            self.assertEqual(table["plant.fmu.on"][k], float(x[k] > 0))

    def test_parameters_are_set_before_the_initialisation_and_kept(self):
        self.bring_in()
        self.loop(' tau="0.25 s" stride="3" mode="fast" label="mine" gain="5"')
        table = self.run_table("loop")
        for k, x in enumerate(self.expected(table, tau=0.25)):
            self.assertAlmostEqual(table["plant.fmu.x"][k], 0.001 * x, delta=1e-15)
            self.assertEqual(table["plant.fmu.n"][k], 3 * k)
            self.assertAlmostEqual(table["plant.fmu.y"][k], 5 * table["wave.y"][k] + 0.001 * x, delta=1e-15)

    def test_the_log_of_the_fmu_is_in_the_summary(self):
        self.bring_in()
        self.loop(f' label="mine" fault="{foreign_fmu.FAULTS.index("step_warning")}"')
        said = self.hilda("run", "loop.xml", "--for", "1s")
        self.assertIn("the step is long", said)
        self.assertIn("warning", said)
        self.assertIn("mine", said)

    @unittest.skipIf(VERSION == 2, "FMI 2.0 has no arrays")
    def test_arrays_stay_arrays(self):
        self.bring_in()
        self.loop(' A="1 0 2; 0 1 -1"')
        table = self.run_table("loop")
        self.assertEqual([table["plant.fmu.w[0]"][3], table["plant.fmu.w[1]"][3]], [7, -5])

    def test_what_import_says(self):
        said = self.bring_in()
        for words in ("one step later: x follows", "feeds through: y depends", "unknown unit: the parameter 'gain' is in 'bananas'",
                      "converted: the input 'in.u' is in 'mm', and the port in m"):
            self.assertIn(words, said)
        if VERSION == 3:
            self.assertIn("left out: the output 'blob', because it is binary", said)
        else:
            self.assertIn("left out: 1 local variables", said)

    def test_wires_are_checked_as_any(self):
        self.bring_in()
        self.loop(more='<block name="mass" type="sources/Constant" value="1 kg"/><block name="sum" type="math/Sum" signs="++"/>'
                       '<connect from="mass.y" to="sum.u[0]"/><connect from="plant.x" to="sum.u[1]"/>')
        said = self.hilda("check", "loop.xml", good=2)
        self.assertIn("kg", said)

    def test_a_loop_through_what_feeds_through_is_refused_and_another_is_not(self):
        self.bring_in()
        for port, good in (("x", 0), ("y", 2)):
            self.write("loop.xml", f"""<diagram format="1" name="loop" period="100 ms">
  <subsystem name="plant" src="plant.xml"/><block name="back" type="math/Gain" gain="-1"/>
  <connect from="plant.{port}" to="back.u"/><connect from="back.y" to="plant.in.u"/>
  {'<block name="three" type="sources/Constant" value="1 -2 3"/><connect from="three.y" to="plant.v"/>' if VERSION == 3 else ''}
</diagram>""")
            said = self.hilda("check", "loop.xml", good=good)
            if good:
                self.assertIn("algebraic-loop", said)

    def console(self, log, script, good=0):
        done = subprocess.run([HILDA, "run", "loop.xml", "--for", "1s", "--console", "--log", log], cwd=self.place, capture_output=True,
                              text=True, timeout=120, input=script)
        self.assertEqual(done.returncode, good, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_going_back_and_live_parameters(self):
        self.bring_in()
        self.loop()
        self.console("plain.mcap", "step 4\nset plant.gain=7\nrun\nquit\n")
        self.console("back.mcap", "step 8\nback 5\nstep 1\nset plant.gain=7\nrun\nquit\n")
        for log in ("plain", "back.2"):  # a log for each way that was taken
            self.hilda("export", f"{log}.mcap", "--csv", "-o", f"{log}.csv")
        lines = {log: (self.place / f"{log}.csv").read_text().splitlines() for log in ("plain", "back.2")}
        self.assertEqual(len(lines["back.2"]), 1 + 7)
        self.assertEqual(lines["back.2"][1:], lines["plain"][4:])
        with open(self.place / "plain.csv") as file:
            rows = list(csv.DictReader(file))
        x, y, u = (next(name for name in rows[0] if name.startswith(each)) for each in ("plant.fmu.x", "plant.fmu.y", "wave.y"))
        for k, row in enumerate(rows):
            self.assertAlmostEqual(float(row[y]), (2 if k < 4 else 7) * float(row[u]) + float(row[x]), delta=1e-15)

    def test_without_a_state_going_back_is_refused_by_name(self):
        files = foreign_fmu.files(VERSION, COMPILER, self.place)
        files["modelDescription.xml"] = files["modelDescription.xml"].replace(b"canSerialize", b"cannotSerialize")
        foreign_fmu.write(self.place / "plant.fmu", files)
        self.assertIn("no checkpoints", self.bring_in())
        self.loop()
        said = self.console("back.mcap", "step 8\nback 5\nquit\n", good=2)
        self.assertIn("plant.fmu", said)

    def test_a_state_that_is_not_saved_or_taken_is_said(self):
        self.bring_in()
        self.loop(f' fault="{foreign_fmu.FAULTS.index("save_error")}"')
        said = self.console("back.mcap", "step 8\nback 5\nquit\n", good=3)
        self.assertIn("a file is open", said)

    def test_it_is_refused_on_hardware(self):
        self.bring_in()
        said = self.hilda("describe", "fmi/Fmu")
        self.assertIn("Not for real time", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
