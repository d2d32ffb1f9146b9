# SPDX-License-Identifier: BSD-3-Clause
"""Values of settings: each shape and kind that Python has, as set takes it and get gives it."""

import math
import pathlib
import tempfile
import unittest

import numpy as np

import hilda

DIAGRAM = """<diagram format="1" name="values" period="1 ms">
  <block name="u" type="sources/Constant" value="10 20"/>
  <block name="f" type="math/MatrixGain" gain="1 2;"/>
  <block name="on" type="sources/BooleanConstant" value="on"/>
  <block name="c" type="sources/Constant" value="1"/>
  <block name="r" type="sinks/Record" key="k"/>
  <connect from="u.y" to="f.u"/>
  <connect from="c.y" to="r.u"/>
</diagram>
"""


class Values(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "values.xml"
        self.file.write_text(DIAGRAM)
        self.simulation = hilda.Simulation(self.file)

    def gives(self, gain):
        self.simulation.set("f.gain", gain)
        self.simulation.step()
        return np.asarray(self.simulation["f.y"]).ravel().tolist()

    def test_a_matrix_of_one_row_is_one(self):
        for gain in ("1 2;", [[1, 2]], [(1, 2)], ([1, 2],), np.array([[1, 2]]), np.array([[2, 1]])[:, ::-1]):
            self.assertEqual(self.gives(gain), [50], gain)
            self.assertEqual(self.simulation.get("f.gain"), [[1, 2]])
        self.assertEqual(self.gives([1, 2]), [10, 40])
        self.simulation = hilda.Simulation(self.file, settings={"f.gain": np.array([[1, 2]])})
        self.simulation.step()
        self.assertEqual(np.ravel(self.simulation["f.y"]).tolist(), [50])
        d = hilda.Diagram()
        d.add("math/MatrixGain", "m", gain=[[1, 2]])
        self.assertIn('gain="1 2;"', d.text)

    def test_what_get_gives_set_takes_for_each_shape(self):
        for gain in ("3", "1 2", "1 2;", "1 2; 3 4", "1 2; 3 4; 5 6"):
            result = self.gives(gain)
            back = self.simulation.get("f.gain")
            self.assertEqual(self.gives(back), result, gain)
            self.assertEqual(self.gives(np.array(back)), result, gain)
            self.assertEqual(self.gives(self.simulation.parameters["f.gain"]), result, gain)
            self.assertEqual(self.simulation.get("f.gain"), back)
        self.file.write_text(DIAGRAM.replace('"10 20"', '"10"'))
        self.simulation = hilda.Simulation(self.file, settings={"f.gain": [[1], [2]]})
        self.assertEqual(self.simulation.get("f.gain"), [[1], [2]])
        self.assertEqual(self.gives([[1], [2]]), [10, 20])

    def test_what_get_gives_keeps_the_unit(self):
        for gain in ("3 N/mm", "1 2 N/mm", "1 2; 3 4 N/mm", "1 2; N/mm"):
            self.simulation = hilda.Simulation(self.file, settings={"f.gain": gain})
            for live in (False, True):
                self.simulation.set("f.gain", self.simulation.get("f.gain"), live=live)
                self.simulation.step()
                self.assertEqual(self.simulation.unit("f.y"), "N/m", gain)
                self.simulation.set("f.gain", np.array(self.simulation.get("f.gain")) * 2, live=live)
                self.assertEqual(self.simulation.unit("f.y"), "N/m", gain)

    def test_what_get_gives_is_taken_by_every_diagram(self):
        """Numbers: their units are those of the diagrams, inertias and torques without rad among them."""
        root = pathlib.Path(__file__).resolve().parents[2]
        count = 0
        for file in [*sorted(root.glob("diagrams/*.xml")), *sorted(root.glob("examples/models/*.xml"))]:
            simulation = hilda.Simulation(file)
            values = {path: simulation.get(path) for path in simulation.parameters}
            numbers = {path: value for path, value in values.items() if isinstance(value, (int, float, list))}
            with self.subTest(file=file.name):
                simulation.set_many(numbers)
                for path, value in numbers.items():
                    self.assertEqual(simulation.get(path), value, path)
            count += len(numbers)
        self.assertGreater(count, 1000)

    def test_what_get_gives_is_taken_where_bare_numbers_count_in_another_unit(self):
        """A robot's natural frequency is declared in Hz, and get gives rad/s."""
        file = pathlib.Path(__file__).resolve().parents[2] / "diagrams" / "pic.xml"
        simulation = hilda.Simulation(file, settings={"natural_frequency": "20 Hz"})
        paths = [path for path in simulation.parameters if path.split(".")[-1] == "natural_frequency"]
        self.assertGreater(len(paths), 1)
        for path in paths:
            value = simulation.get(path)
            self.assertAlmostEqual(value, 40 * math.pi)
            simulation.set(path, value)
            self.assertEqual(simulation.get(path), value, path)

    def test_set_does_not_change_a_unit(self):
        self.simulation = hilda.Simulation(self.file, settings={"f.gain": "3 N/mm"})
        for other in ("3", "3 1/s"):
            with self.assertRaisesRegex(hilda.Error, "'f.gain' is in N/m, and '" + other + "' is in "):
                self.simulation.set("f.gain", other)
            self.assertEqual(self.simulation.get("f.gain"), [[3000, 0], [0, 3000]])
        self.simulation.set("f.gain", "5 N/m")
        self.assertEqual(self.simulation.get("f.gain"), [[5, 0], [0, 5]])

    def test_rows_and_numbers_do_not_mix(self):
        for wrong in ([[1, 2], 3], [1, [2, 3]], [[[1]]], np.zeros((2, 2, 2))):
            with self.assertRaisesRegex(TypeError, "rows of numbers"):
                self.simulation.set("f.gain", wrong)

    def test_booleans_of_numpy_are_booleans(self):
        for value in (np.bool_(False), np.array(False), np.array([1.0])[0] > 2, False):
            self.simulation.set("on.value", value)
            self.assertIs(self.simulation.get("on.value"), False)
            self.simulation.set("on.value", True)
        for path in ("c.value", "u.value"):
            for value in (True, np.bool_(True), np.array([True, False])):
                with self.assertRaises(hilda.DiagramError):
                    self.simulation.set(path, value)

    def test_numbers_of_numpy_are_exact(self):
        for value in (np.int64(2**53 - 1), np.uint8(200), np.array(7), np.float32(0.1), np.float64(1e-300)):
            self.simulation.set("c.value", value)
            self.assertEqual(self.simulation.get("c.value"), float(value))

    def test_what_is_no_number_is_refused(self):
        for wrong in (3 + 4j, np.complex128(3), np.array([3 + 4j]), np.timedelta64(5, "s"), None, {}, b"3", [1, None]):
            with self.assertRaisesRegex(TypeError, "a parameter is a text"):
                self.simulation.set("c.value", wrong)
        for wrong in (float("nan"), np.nan, [1, float("nan")], np.array([1, np.nan])):
            with self.assertRaisesRegex(ValueError, "nan is none"):
                self.simulation.set("u.value", wrong)
        self.assertEqual(self.simulation.get("c.value"), 1)

    def test_paths_and_texts_that_are_none(self):
        with self.assertRaisesRegex(TypeError, "the path of a setting is a text, not 3"):
            hilda.Simulation(self.file, settings={3: 4})
        for wrong, why in (("\udc80", "not Unicode text"), ("a\0b", "null character")):
            with self.assertRaisesRegex(ValueError, why):
                hilda.Simulation(self.file, settings={"r.key": wrong})
            with self.assertRaisesRegex(ValueError, why):
                self.simulation.set("r.key", wrong)
            with self.assertRaisesRegex(ValueError, why):
                hilda.Simulation(self.file, settings={wrong: 1})
        self.simulation.set("r.key", "é")
        self.assertEqual(self.simulation.get("r.key"), "é")

    def test_one_signal_is_recorded_by_its_name(self):
        self.assertEqual(self.simulation.run(0.01, record="f.y").signals, ["f.y"])
        with self.assertRaises(KeyError):
            self.simulation.run(0.01, record="f.z")


if __name__ == "__main__":
    unittest.main()
