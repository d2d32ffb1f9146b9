# SPDX-License-Identifier: BSD-3-Clause
"""An FMU that is driven by an importer has the bits of the same diagram in the C API: inputs, parameters, states, threads.

driven_test.py HILDA LIBRARY TREE VERSION
"""

import math
import pathlib
import sys
import tempfile
import threading
import unittest

import hilda_run
import importer

HILDA, LIBRARY, TREE, VERSION = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4])
DIAGRAM = TREE / "tests/fmi/servo.xml"
STEPS = 120


def push_at(k, phase=0.0):
    return 3 * math.sin(0.1 * k + phase)


def wind_at(k):
    return [0.1 * k, -1 / (k + 1), math.cos(0.05 * k)]


def set_all(one, name, values):
    """An array, row by row where it is a matrix."""
    if one.fmu.version == 3:
        one.set(name, values)
        return
    elements = [each for each in one.fmu.variables if each.startswith(name + "[")]
    for element, value in zip(sorted(elements), values, strict=True):
        one.set(element, value)


def outputs(one):
    shown = [each for each in one.fmu.variables.values() if each.causality == "output"]
    return one.read_all(shown)


def drive(one, first, last, phase=0.0):
    """What it shows at each step, as bytes."""
    seen = []
    for k in range(first, last):
        one.set("push", push_at(k, phase))
        set_all(one, "wind", wind_at(k))
        if k == 50:
            one.set("stiffness", 250.5)
        seen.append(outputs(one))
        one.step()
    return seen


class Driven(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        file = pathlib.Path(cls.place.name) / "servo.fmu"
        hilda_run.export_fmu(HILDA, DIAGRAM, file, "--fmi", str(VERSION))
        cls.fmu = importer.Fmu(file, pathlib.Path(cls.place.name) / "unpacked")

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def expected(self, settings=(), phase=0.0):
        """The same by the C API."""
        run = hilda_run.Simulation(LIBRARY, DIAGRAM, settings)
        seen = []
        for k in range(STEPS):
            run.write("push", push_at(k, phase))
            run.write("wind", wind_at(k))
            if k == 50:
                run.write("stiffness", 250.5)
            run.step()
            numbers = run.read("position.y") + run.read("way.y") + run.read("push.y")
            seen.append(b"".join(memoryview(importer.ctypes.c_double(number)).tobytes() for number in numbers))
        run.close()
        return seen

    def test_inputs_and_tunable_parameters(self):
        expected = self.expected()
        self.assertEqual(len(set(expected)), STEPS)
        with hilda_run.instance_of(self.fmu) as one:
            self.assertEqual(drive(one, 0, STEPS), expected)

    def test_inputs_that_are_written_after_outputs_were_read(self):
        with hilda_run.instance_of(self.fmu) as one:
            for k, expected in enumerate(self.expected()):
                for value in (99.0, push_at(k)):
                    one.set("push", value)
                    set_all(one, "wind", wind_at(k))
                    if k == 50:
                        one.set("stiffness", 250.5)
                    shown = outputs(one)
                self.assertEqual(shown, expected, k)
                one.step()

    def test_a_late_first_write_comes_to_the_tick_that_was_read(self):
        """Ticks since the last checkpoint are computed again."""
        def until(one, read):
            for _ in range(STEPS):
                if read:
                    outputs(one)
                one.step()
            if read:
                outputs(one)
            one.set("push", 2.5)
            return outputs(one) + bytes(one.step()) + outputs(one)

        with hilda_run.instance_of(self.fmu) as one, hilda_run.instance_of(self.fmu) as other:
            self.assertEqual(until(one, True), until(other, False))

    def test_parameters_that_are_set_before_the_start(self):
        settings = ["mass=3 kg", "mix=2 1 0; 0 -1 0.25", "law=u^3", "method=trapezoidal", "stiffness=60 N/m"]
        one = self.fmu.instance()
        set_all(one, "mix", [2, 1, 0, 0, -1, 0.25])
        self.assertEqual(one.get("mobility"), 0.5)
        one.start({"mass": 3.0, "law": "u^3", "method": 3, "stiffness": 60.0})
        self.assertEqual((one.get("mass"), one.get("mobility"), one.get("law"), one.get("method")), (3, 1 / 3, "u^3", 3))
        self.assertEqual(drive(one, 0, STEPS), self.expected(settings))
        self.assertEqual(one.get("stiffness"), 250.5)
        one.call("Reset")
        self.assertEqual((one.get("mass"), one.get("law"), one.get("stiffness")), (2, "u*abs(u)", 80))
        one.start()
        self.assertEqual(drive(one, 0, STEPS), self.expected())
        one.free()

    def test_times_count_from_the_importers_start(self):
        one = self.fmu.instance()
        one.start(begin=10.0)
        self.assertEqual(drive(one, 0, STEPS), self.expected())
        self.assertAlmostEqual(one.get("time"), 10 + STEPS / 1000, places=12)
        one.free()

    def test_a_state_in_the_middle(self):
        expected = self.expected()
        with hilda_run.instance_of(self.fmu) as one, hilda_run.instance_of(self.fmu, name="other") as other:
            drive(one, 0, 40)
            time, state = one.time, one.save()
            packed = one.pack(state)
            self.assertEqual(drive(one, 40, STEPS), expected[40:])
            one.restore(state, time)
            self.assertEqual(drive(one, 40, STEPS), expected[40:])
            again = other.unpack(packed)
            other.restore(again, time)
            self.assertEqual(drive(other, 40, STEPS), expected[40:])
            self.assertEqual(other.pack(again), packed)
            one.drop(state)
            other.drop(again)

    def test_a_state_has_the_parameters_that_were_set(self):
        one = self.fmu.instance()
        one.start({"mass": 5.0})
        drive(one, 0, 40)
        time, state = one.time, one.save()
        rest = drive(one, 40, STEPS)
        with hilda_run.instance_of(self.fmu) as other:
            other.restore(other.unpack(one.pack(state)), time)
            self.assertEqual(other.get("mass"), 5)
            self.assertEqual(drive(other, 40, STEPS), rest)
        one.free()

    def test_two_instances_in_turn(self):
        expected = [self.expected(phase=phase) for phase in (0.0, 1.0)]
        with hilda_run.instance_of(self.fmu) as one, hilda_run.instance_of(self.fmu, name="two") as two:
            for k in range(STEPS):
                self.assertEqual(drive(one, k, k + 1), [expected[0][k]])
                self.assertEqual(drive(two, k, k + 1, 1.0), [expected[1][k]])

    def test_two_instances_in_two_threads(self):
        seen = {}

        def work(phase):
            with hilda_run.instance_of(self.fmu, name=f"phase {phase}") as one:
                seen[phase] = drive(one, 0, STEPS, phase)

        threads = [threading.Thread(target=work, args=(phase,)) for phase in (0.0, 1.0)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(seen, {phase: self.expected(phase=phase) for phase in (0.0, 1.0)})

    def test_a_step_of_several_ticks(self):
        with hilda_run.instance_of(self.fmu) as one, hilda_run.instance_of(self.fmu) as other:
            one.step(0.02)
            for _ in range(20):
                other.step()
            self.assertEqual(outputs(one), outputs(other))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
