# SPDX-License-Identifier: BSD-3-Clause
"""hilda.linearize, describe and blocks say what the program says."""
import csv
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import hilda

PROGRAM = pathlib.Path.cwd() / "bin" / "hilda"
LAG = """<diagram format="1" name="lag" period="1 ms">
  <parameter name="tau" value="100 ms"/>
  <block name="in" type="sources/Sine" amplitude="1" frequency="3 Hz"/>
  <block name="lag" type="continuous/TransferFunction" numerator="2" denominator="${tau / (1 s)} 1"/>
  <block name="limit" type="math/Saturation" lower="-0" upper="10"/>
  <connect from="in.y" to="lag.u"/>
  <connect from="lag.y" to="limit.u"/>
</diagram>
"""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hilda_linear_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "lag.xml").write_text(LAG)


class Linearize(Case):
    def test_a_first_order_lag(self):
        model = hilda.linearize(self.folder / "lag.xml", "in.y", ["lag.y"], settings={"tau": "50 ms"})
        self.assertEqual((model.inputs, model.outputs, model.period), (["in.y"], ["lag.y"], 0.001))
        pole = np.exp(-0.001 / 0.05)
        np.testing.assert_allclose(model.poles, [pole], rtol=1e-7)
        w = np.array([1.0, 20.0, 300.0])
        np.testing.assert_allclose(model.response(w)[:, 0, 0], 2 * (1 - pole) / (np.exp(0.001j * w) - pole), rtol=1e-5)
        self.assertEqual(model.response(20.0).shape, (1, 1))

    def test_is_continuous_where_the_diagram_is(self):
        file = hilda.library_file("emulation_transmissivity.xml")
        model = hilda.linearize(file, "lambda.y", "f.y")
        self.assertEqual(model.period, 0)
        self.assertGreater(hilda.linearize(file, "lambda.y", "f.y", discrete=True).period, 0)

    def test_has_the_numbers_of_the_program(self):
        done = subprocess.run([PROGRAM, "linearize", "lag.xml", "--from", "in.y", "--to", "limit.y", "--for", "0.1s", "--out",
                               "m"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        model = hilda.linearize(self.folder / "lag.xml", "in.y", "limit.y", 0.1)
        for part in "ABCD":
            rows = list(csv.reader((self.folder / f"m_{part}.csv").read_text().splitlines()))
            numbers = [[float(cell) for cell in row[1:]] for row in rows[1:]]
            np.testing.assert_array_equal(getattr(model, part), numbers)

    def test_says_what_is_wrong(self):
        with self.assertRaisesRegex(hilda.DiagramError, "in.z"):
            hilda.linearize(self.folder / "lag.xml", "in.z", "lag.y")
        for wrong in ({"time": -1}, {"step": 0}, {"time": float("nan")}):
            with self.assertRaises(ValueError):
                hilda.linearize(self.folder / "lag.xml", "in.y", "lag.y", **wrong)


class Describe(unittest.TestCase):
    def test_prints_what_the_program_prints(self):
        self.assertIn("math/Gain", hilda.blocks())
        for name in hilda.blocks():
            done = subprocess.run([PROGRAM, "describe", name], capture_output=True, text=True,
                                  env={**os.environ, "HILDA_PLUGIN_PATH": ""})
            self.assertEqual(str(hilda.describe(name)), done.stdout, name)

    def test_slots(self):
        gain = hilda.describe("Gain")
        self.assertEqual([each.name for each in gain.parameters], ["gain"])
        self.assertIn("must be given", gain.parameters[0].traits)
        with self.assertRaisesRegex(KeyError, "did you mean 'math/Gain'"):
            hilda.describe("math/Gian")

    def test_a_file_that_did_not_come_with_hilda(self):
        with self.assertRaisesRegex(FileNotFoundError, "did you mean 'pida.xml'"):
            hilda.library_file("pdia.xml")


if __name__ == "__main__":
    unittest.main()
