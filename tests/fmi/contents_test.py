# SPDX-License-Identifier: BSD-3-Clause
"""The diagram in an FMU: with all its files, its ways to end, and what may not change.

contents_test.py HILDA TREE
"""

import math
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

import hilda_run
import importer

HILDA, TREE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SPECTRUM = """<diagram format="1" period="1 ms">
  <parameter name="length" value="8"/>
  <output name="lines"/>
  <block name="clock" type="sources/Constant" value="1"/>
  <block name="spectrum" type="discrete/Spectrum" length="${length}"/>
  <connect from="clock.y" to="spectrum.u"/>
  <connect from="spectrum.amplitude" to="lines"/>
</diagram>
"""


class Contents(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)

    def tearDown(self):
        self.place.cleanup()

    def export(self, diagram, *more):
        hilda_run.export_fmu(HILDA, diagram, self.folder / "x.fmu", *more)
        return importer.Fmu(self.folder / "x.fmu", self.folder / "x")

    def test_the_diagram_is_inside_with_all_its_files(self):
        """Exported from a folder that is gone by the time it runs; a rig and an overlay are named by relative paths."""
        shutil.copytree(TREE / "diagrams", self.folder / "there/diagrams")
        (self.folder / "there/heavy.xml").write_text('<overlay format="1">\n  <set path="service_mass" value="450 kg"/>\n</overlay>\n')
        here = os.getcwd()
        os.chdir(self.folder / "there")
        try:
            fmu = self.export("diagrams/pida.xml", "--rig", "diagrams/rigs/two_walls.xml", "--overlay", "heavy.xml", "--set", "contacts=1")
        finally:
            os.chdir(here)
        shutil.rmtree(self.folder / "there")
        self.assertEqual(float(fmu.variables["service_mass"].start), 450)
        one = fmu.instance()
        one.start()
        self.assertFalse(one.step(20.0))
        self.assertIn("contacts", one.log[-1][1])
        with self.assertRaises(importer.Refused) as caught:
            one.step()
        self.assertIn("error[fmi-ended]", str(caught.exception))
        one.free()

    def test_an_infinite_mass(self):
        fmu = self.export(TREE / "tests/fmi/servo.xml", "--set", "mass=inf kg")
        self.assertEqual(fmu.variables["mass"].start, "INF")
        one = fmu.instance()
        one.start({"mass": math.inf})
        one.set("push", 5.0)
        one.step(0.1)
        self.assertEqual((one.get("mass"), one.get("mobility"), one.get("place")), (math.inf, 0, 0.1))
        one.free()

    def test_a_run_that_fails(self):
        fmu = self.export(TREE / "tests/fmi/servo.xml", "--set", "law=sqrt(u - 1)")
        one = fmu.instance()
        one.start()
        with self.assertRaises(importer.Refused) as caught:
            one.step()
        self.assertIn("error[fmi-ended]", str(caught.exception))
        self.assertIn("sail", str(caught.exception))
        one.call("Reset")
        one.free()

    def test_a_parameter_that_changes_a_shape(self):
        diagram = self.folder / "spectrum.xml"
        diagram.write_text(SPECTRUM)
        one = self.export(diagram).instance()
        with self.assertRaises(importer.Refused) as caught:
            one.start({"length": 16.0})
        self.assertIn("error[fmi-shape]", str(caught.exception))
        one.free()

    def test_a_file_without_a_name_of_c(self):
        diagram = self.folder / "7-\u00e4 & b.xml"
        diagram.write_text(SPECTRUM)
        fmu = self.export(diagram)
        self.assertEqual(fmu.root.get("modelName"), "7-\u00e4 & b")
        self.assertRegex(fmu.library.name, r"^diagram_7_[_b]+\.so$")
        fmu.instance().free()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
