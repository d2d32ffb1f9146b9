# SPDX-License-Identifier: BSD-3-Clause
"""Numbers from outside: handles, their bits compared with those of texts, what is refused, and what a log has of them."""

import math
import pathlib
import resource
import tempfile
import threading
import unittest

import numpy as np

import hilda

CART = """<diagram format="1" name="cart" period="1 ms">
  <input name="push" default="0 N" unit="N"/>
  <input name="three" default="0 0 0"/>
  <parameter name="twice" value="2"/>
  <block name="total" type="math/Sum" signs="+-"/>
  <block name="mobility" type="math/Gain" gain="0.5 1/kg"/>
  <block name="velocity" type="continuous/Integrator"/>
  <block name="position" type="continuous/Integrator" initial="0.1 m"/>
  <block name="spring" type="math/Gain" gain="80 N/m"/>
  <block name="table" type="sources/Constant" value="1 2 3; 4 5 6"/>
  <block name="scaled" type="math/Gain" gain="${twice * 2}"/>
  <block name="slow" type="discrete/LowPass" cutoff="5 Hz"/>
  <connect from="push" to="total.u[0]"/>
  <connect from="spring.y" to="total.u[1]"/>
  <connect from="total.y" to="mobility.u"/>
  <connect from="mobility.y" to="velocity.u"/>
  <connect from="velocity.y" to="position.u"/>
  <connect from="position.y" to="spring.u"/>
  <connect from="three" to="scaled.u"/>
  <connect from="scaled.y" to="slow.u"/>
</diagram>
"""


class Outside(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "cart.xml"
        self.file.write_text(CART)

    def drive(self, simulation, steps, give):
        places = []
        for k in range(steps):
            give(math.sin(0.1 * k) - simulation["velocity.y"])
            simulation.step(3)
            places.append(simulation["position.y"])
        return places

    def test_handles_texts_and_numbers_set_live_have_the_same_bits(self):
        one, other, third = (hilda.Simulation(self.file) for _ in range(3))
        push = one.input("push")
        self.assertEqual((push.path, push.unit, push.shape), ("push", "N", ()))
        first = self.drive(one, 50, push.write)
        self.assertEqual(first, self.drive(other, 50, lambda x: other.set("push", f"{x!r} N", live=True)))
        self.assertEqual(first, self.drive(third, 50, lambda x: third.set("push", x, live=True)))
        self.assertEqual(one.checkpoint(), other.checkpoint())
        self.assertEqual(one.get("push"), other.get("push"))
        self.assertEqual(one.parameters["push"], third.parameters["push"])

    def test_vectors_and_matrices_come_and_go_as_numpy_has_them(self):
        simulation = hilda.Simulation(self.file)
        three, table = simulation.input("three"), simulation.input("table.value")
        self.assertEqual((three.shape, table.shape), ((3,), (2, 3)))
        shown, scaled = simulation.output("table.y"), simulation.output("scaled.y")
        part = simulation.output("scaled.y[1]")
        matrix = np.arange(6.0).reshape(2, 3)
        for value in (matrix, matrix.tolist(), np.asfortranarray(matrix), matrix.astype(np.float32)):
            simulation.write({"table.value": matrix * 0, three: [1, 2, 3]})
            simulation.step()
            table.write(value)
            three.write([0.5, 0.25, 0.125])
            simulation.step()
            np.testing.assert_array_equal(scaled.read(), [2, 1, 0.5])
            three.write(np.array([7.0, 8.0, 9.0, 0.0])[:3][::-1])
            simulation.step()
            np.testing.assert_array_equal(shown.read(), matrix)
            np.testing.assert_array_equal(scaled.read(), [36, 32, 28])
            self.assertEqual(part.read(), 32.0)
        np.testing.assert_array_equal(simulation.get("table.value"), matrix)

    def test_what_does_not_fit_is_refused_and_nothing_has_changed(self):
        simulation = hilda.Simulation(self.file)
        push, three, cutoff = (simulation.input(path) for path in ("push", "three", "slow.cutoff"))
        for handle, value, error, word in [
            (push, [1, 2], ValueError, "has 1 numbers, and 2 came"),
            (push, math.nan, ValueError, "'push' would be nan"),
            (push, "5 N", TypeError, "takes numbers, not '5 N'"),
            (push, None, TypeError, "takes numbers, not None"),
            (push, 1j, TypeError, "takes numbers"),
            (three, 1.0, ValueError, "has 3 numbers, and 1 number came"),
            (three, np.ones((3, 3)), ValueError, "and 3x3 came"),
            (cutoff, -1, ValueError, "would be -1 rad/s, but must be above 0 rad/s"),
        ]:
            with self.assertRaisesRegex(error, word):
                handle.write(value)
        with self.assertRaisesRegex(ValueError, "would be inf"):
            simulation.write({push: 3, "three": [1, math.inf, 2]})
        self.assertEqual(simulation.get("push"), 0)
        for path, code in [("pish", "unknown-setting"), ("twice", "input-computed"), ("period", "live-")]:
            with self.assertRaisesRegex(hilda.DiagramError, code):
                simulation.input(path)
        with self.assertRaisesRegex(KeyError, "positoin"):
            simulation.output("positoin.y")
        with self.assertRaisesRegex(hilda.DiagramError, "parameter-range"):
            simulation.set("slow.cutoff", -1, live=True)

    def test_handles_of_another_run_or_of_a_diagram_loaded_anew_are_refused(self):
        simulation, other = hilda.Simulation(self.file), hilda.Simulation(self.file)
        push, position = simulation.input("push"), simulation.output("position.y")
        with self.assertRaisesRegex(hilda.Error, "belongs to another run"):
            other.write({push: 1})
        push.write(4)
        simulation.step(5)
        place = position.read()
        simulation.reload()
        self.assertEqual(simulation.get("push"), 4, "what was written is set again")
        for call in (lambda: push.write(1), position.read, lambda: simulation.write({push: 1})):
            with self.assertRaisesRegex(hilda.Error, "reloaded"):
                call()
        self.assertEqual(simulation.output("position.y").read(), place)
        self.file.write_text(CART.replace('name="table"', 'name="tables"'))
        simulation.input("table.value").write(np.ones((2, 3)))
        simulation.step()
        self.assertIn("table.value: its value is the file's", simulation.reload())
        with self.assertRaisesRegex(hilda.DiagramError, "unknown-setting"):
            simulation.input("table.value")

    def test_back_and_restore_know_what_was_written(self):
        simulation, straight = hilda.Simulation(self.file), hilda.Simulation(self.file)
        gives = [math.sin(0.01 * k * k) for k in range(700)]

        def go(to, first, last, by):
            for k in range(first, last):
                by(gives[k])
                to.step()

        go(simulation, 0, 700, simulation.input("push").write)
        go(straight, 0, 300, lambda x: straight.set("push", f"{x!r} N", live=True))
        simulation.back(400)
        self.assertEqual(simulation.checkpoint(), straight.checkpoint())
        self.assertEqual(simulation.get("push"), straight.get("push"))
        there = simulation.checkpoint()
        go(simulation, 300, 500, simulation.input("push").write)
        end = simulation.checkpoint()
        simulation.restore(there)
        go(simulation, 300, 500, simulation.input("push").write)
        self.assertEqual(simulation.checkpoint(), end)

    def test_a_log_over_steps_has_all_of_it_and_ends_where_the_run_goes_elsewhere(self):
        simulation = hilda.Simulation(self.file)
        push = simulation.input("push")
        push.write(2)
        simulation.step(5)
        first, second = self.folder / "first.mcap", self.folder / "second.mcap"
        simulation.begin_log(first)
        with self.assertRaisesRegex(hilda.Error, "is being written"):
            simulation.begin_log(second)
        self.drive(simulation, 20, push.write)
        simulation.set("slow.cutoff", "3 Hz", live=True)
        simulation.step()
        simulation.end_log()
        log = hilda.Log(first)
        self.assertTrue(log.complete)
        kinds = [kind for _, kind, _ in log.events()]
        self.assertEqual((kinds.count("numbers"), kinds.count("set")), (20, 1))
        texts = [text for _, kind, text in log.events() if kind == "numbers"]
        self.assertEqual([text for text in texts if not text.startswith("push=")], [])
        self.assertEqual(float(texts[-1].removeprefix("push=")), log["push.y"][-1])
        self.assertEqual(len(log["push.y"]), 61)
        self.assertEqual(log["position.y"][-1], simulation["position.y"])
        simulation.begin_log(second)
        simulation.step(4)
        simulation.back(2)
        self.assertEqual(len(hilda.Log(second)["push.y"]), 4)
        simulation.step()

    def test_sets_of_numbers_keep_no_memory(self):
        simulation = hilda.Simulation(self.file)
        here = simulation.checkpoint()

        def some(count):
            for k in range(count):
                simulation.set("push", 0.001 * k, live=True)
                simulation.step()
                if k % 100 == 0:
                    simulation.restore(here)

        some(3000)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        some(30000)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
        self.assertLess(grown, 30000 * 100, "bytes; texts took 730 each")

    def test_a_second_thread_gets_an_error(self):
        simulation = hilda.Simulation(self.file)
        push = simulation.input("push")
        runs = threading.Thread(target=lambda: simulation.step(3_000_000))
        runs.start()
        said = ""
        while runs.is_alive() and not said:
            try:
                push.write(1)
            except hilda.Error as error:
                said = str(error)
        runs.join()
        self.assertIn("running in another thread", said)

    def test_in_a_process_of_its_own_it_is_the_same(self):
        with hilda.Simulation(self.file, isolate=True) as isolated:
            here = hilda.Simulation(self.file)
            there, push = isolated.input("push"), here.input("push")
            self.assertEqual((there.unit, there.shape), (push.unit, push.shape))
            self.assertEqual(self.drive(isolated, 10, there.write), self.drive(here, 10, push.write))
            self.assertEqual(isolated.output("position.y").read(), here["position.y"])
            isolated.write({there: 3, "three": [1, 2, 3]})
            with self.assertRaises(ValueError):
                there.write([1, 2])
            isolated.reload()
            with self.assertRaisesRegex(hilda.Error, "reloaded"):
                there.write(1)


if __name__ == "__main__":
    unittest.main()
