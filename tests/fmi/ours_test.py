# SPDX-License-Identifier: BSD-3-Clause
"""A diagram of hilda as an FMU inside another diagram equals the same diagram as a subsystem, bit by bit.

ours_test.py HILDA TREE VERSION
"""

import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HILDA, TREE, VERSION = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]

LOOP = """<diagram format="1" name="{name}" period="1 ms">
  <block name="target" type="sources/Sine" amplitude="20 mm" frequency="1.5 Hz" sample_time="1 ms"/>
  <block name="gusts" type="sources/Sine" amplitude="1 2 3" frequency="4 Hz" sample_time="1 ms"/>
  <subsystem name="plant" src="{plant}" stiffness="60 N/m"/>
  <block name="control" type="discrete/Pid" kp="300 N/m" ki="50 N/(m s)" kd="40 N s/m" sample_time="1 ms"/>
  <connect from="target.y" to="control.setpoint"/>
  <connect from="held.y" to="control.measured"/>
  <block name="held" type="discrete/ZeroOrderHold" sample_time="1 ms"/>
  <connect from="plant.place" to="held.u"/>
  <connect from="control.command" to="plant.push"/>
  {wind}
  <block name="pushed" type="discrete/ZeroOrderHold" sample_time="1 ms"/>
  {sails}
  <connect from="plant.same_push" to="pushed.u"/>
  <log signals="held.y"/><log signals="pushed.y"/><log signals="control.command"/>
</diagram>
"""

HOLD = '<block name="sails{0}" type="discrete/ZeroOrderHold" sample_time="1 ms"/><connect from="plant.sails{1}" to="sails{0}.u"/><log signals="sails{0}.y"/>'


def loop(name, plant):
    """FMI 2.0 has no arrays: each element is a port."""
    alone = VERSION == "2" and plant != "servo.xml"
    wind = [f'<connect from="gusts.y[{i}]" to="plant.wind_{i}"/>' for i in range(3)] if alone else ['<connect from="gusts.y" to="plant.wind"/>']
    sails = [HOLD.format(i, f"_{i}" if alone else f"[{i}]") for i in range(2)]
    return LOOP.format(name=name, plant=plant, wind="".join(wind), sails="".join(sails))


class Ours(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        shutil.copy(TREE / "tests/fmi/servo.xml", self.place)
        self.hilda("export-fmu", "servo.xml", "-o", "servo.fmu", "--fmi", VERSION)
        self.said = self.hilda("import-fmu", "servo.fmu", "-o", "foreign.xml")

    def hilda(self, *words, good=0, script=None):
        done = subprocess.run([HILDA, *map(str, words)], cwd=self.place, capture_output=True, text=True, timeout=120, input=script)
        self.assertEqual(done.returncode, good, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def table(self, name):
        self.hilda("export", f"out/{name}.mcap", "--csv", "-o", f"{name}.csv")
        with open(self.place / f"{name}.csv") as file:
            return list(csv.reader(file))

    def test_equals_the_diagram_as_a_subsystem(self):
        tables = {}
        for name, plant in (("inside", "servo.xml"), ("foreign", "foreign.xml")):
            (self.place / f"{name}_loop.xml").write_text(loop(name, plant))
            self.hilda("run", f"{name}_loop.xml", "--for", "2s")
            tables[name] = self.table(name if (self.place / f"out/{name}.mcap").exists() else f"{name}_loop")
        self.assertEqual(len(tables["foreign"]), 2001)
        self.assertEqual(tables["inside"][0], tables["foreign"][0])
        for mine, other in zip(tables["inside"], tables["foreign"]):
            self.assertEqual(mine, other)
        self.assertGreater(max(abs(float(row[1])) for row in tables["inside"][1:]), 0.01)

    def test_its_structure_says_what_feeds_through(self):
        self.assertIn("one step later: place follows", self.said)
        self.assertIn("feeds through: same_push depends", self.said)

    def test_going_back_gives_the_same_bits(self):
        (self.place / "loop.xml").write_text(loop("loop", "foreign.xml"))
        self.hilda("run", "loop.xml", "--for", "500ms", "--log", "plain.mcap")
        said = self.hilda("run", "loop.xml", "--for", "500ms", "--console", "--log", "back.mcap",
                          script="to 400 ms\nback 300 ms\nto 350 ms\nback 100\nrun\nquit\n")
        self.assertNotIn("error", said)
        for log in ("plain", "back.3"):  # a log for each way that was taken
            self.hilda("export", f"{log}.mcap", "--csv", "-o", f"{log}.csv")
        lines = {log: (self.place / f"{log}.csv").read_text().splitlines() for log in ("plain", "back.3")}
        self.assertEqual(len(lines["back.3"]), 1 + 250)
        self.assertEqual(lines["back.3"][1:], lines["plain"][251:])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
