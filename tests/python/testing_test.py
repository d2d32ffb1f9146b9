# SPDX-License-Identifier: BSD-3-Clause
"""hilda.testing: one block on a bench, in Python and in C++, and the checks of the test kit."""

import pathlib
import sys
import tempfile
import unittest

import numpy as np

import hilda
from hilda import testing

HERE = pathlib.Path(__file__).resolve().parent
REFERENCE = pathlib.Path.cwd() / "tests" / "python"
sys.path.insert(0, str(HERE / "blocks"))
import my_blocks  # noqa: E402


def both(name, **named):
    """The block in Python, and the same in C++."""
    return testing.Bench(getattr(my_blocks, name), **named), testing.Bench(f"reference/{name}", plugins=[REFERENCE], **named)


class OnABench(unittest.TestCase):
    def test_a_block_gives_the_bits_of_the_same_equations_in_cpp(self):
        for ours in both("Filter", tau="4 ms", period=2e-3):
            x = 0.0
            for k in range(20):
                ours["u"] = np.sin(k)
                ours.step()
                self.assertEqual(ours["y"], x)
                x = x + 2e-3 / 4e-3 * (np.sin(k) - x)
            self.assertEqual((ours.tick, ours["x"]), (20, x))
            self.assertAlmostEqual(ours.time, 0.04, 15)
        a, b = both("Oscillator", stiffness=50)
        for bench in (a, b):
            bench["u"] = 1.5
            bench.step(100)
        self.assertEqual((a["y"], a["v"]), (b["y"], b["v"]))
        self.assertNotEqual(a["y"], 0.25)

    def test_vectors_parameters_and_types_are_as_in_a_run(self):
        for bench in both("Smooth", shapes={"u": (2,)}, share=0.5):
            bench["u"] = [1, -2]
            bench.step()
            np.testing.assert_array_equal(bench["y"], [0.5, -1])
            self.assertIs(type(bench["share"]), float)
        goal = testing.Bench(my_blocks.Goal, side="below", parameters={"label": "there"}, level=0.0)
        goal["u"] = -1
        self.assertIsNone(goal.stopped)
        goal.step(10)
        self.assertEqual((goal.stopped, goal["count"], goal["passed"]), ("there after 1 ticks", 1, True))
        self.assertIs(type(goal["passed"]), bool)

    def test_inputs_that_nothing_drives_and_repeated_ports(self):
        @hilda.block(doc="The sum of what is there.")
        class Total(hilda.Block):
            u = hilda.Input(optional=True)
            many = hilda.Input(repeated=True)
            y = hilda.Output()

            def output(self, t):
                self.y = (-1.0 if self.u is None else self.u) + 10 * len(self.many) + sum(self.many)

        bench = testing.Bench(Total, undriven={"u"}, counts={"many": 3})
        bench.step()
        self.assertEqual(bench["y"], 29)
        bench = testing.Bench(Total, counts={"many": 2})
        bench.step()
        self.assertEqual(bench["y"], 20)

    def test_events_are_fired_by_hand(self):
        bench = testing.Bench(my_blocks.Ball)
        bench.compute()
        bench.fire_restart()
        bench.step(100)
        down = bench["v"]
        self.assertLess(down, -0.9)
        bench.fire("ground", 1)
        self.assertEqual(bench["bounces"], 0)
        bench.fire("ground", -1)
        self.assertEqual((bench["bounces"], bench["v"]), (1, -0.5 * down))
        switch, reference = both("Switch")
        for each in (switch, reference):
            each["u"] = 0.2
            each.step(), each.compute(), each.fire("distance", 1)
            self.assertIs(each["held"], True)

    def test_a_checkpoint_is_all_that_it_remembers(self):
        bench = testing.Bench(my_blocks.Oscillator)
        bench.step(10)
        saved, then = bench.checkpoint(), bench["x"]
        bench.step(10)
        self.assertNotEqual(bench["x"], then)
        bench.restore(saved)
        self.assertEqual((bench.tick, bench["x"]), (10, then))
        self.assertEqual(bench.checkpoint(), saved)
        bench.reset()
        self.assertEqual(bench["x"], 0.25)

    def test_what_a_method_raises_has_its_line(self):
        @hilda.block
        class Divides(hilda.Block):
            u = hilda.Input()
            y = hilda.Output()

            def output(self, t):
                self.y = 1 / self.u

        bench = testing.Bench(Divides)
        with self.assertRaisesRegex(hilda.RunError, r"tick 0\), block Divides: output at .*testing_test\.py:\d+: ZeroDivisionError") as raised:
            bench.step()
        self.assertEqual(raised.exception.block, "Divides")

    def test_mistakes_are_answered_in_words(self):
        bench = testing.Bench(my_blocks.Filter)
        for wrong, said in ((lambda: bench["z"], "nothing called 'z'"), (lambda: testing.Bench(my_blocks.Filter, tau="3 N m q"), "unit"),
                            (lambda: testing.Bench(my_blocks.Filter, ta="1 s"), "no parameter 'ta'"),
                            (lambda: bench.__setitem__("u", [1, 2]), "has the shape 1x1, not 2x1"), (lambda: bench.fire("u", 1), "no crossing 'u'")):
            with self.assertRaisesRegex(hilda.Error, said):
                wrong()
        with self.assertRaisesRegex(KeyError, "did you mean"):
            testing.Bench("math/Gian")
        with self.assertRaises(hilda.DiagramError):
            testing.Bench(int)


class Checks(unittest.TestCase):
    def verdicts(self, block, **named):
        return {finding.check: finding for finding in testing.check_all(block, **named)}

    def test_pass_what_keeps_its_promises(self):
        for name in ("Filter", "Ball", "Switch"):
            for block in (getattr(my_blocks, name), f"reference/{name}"):
                found = self.verdicts(block, plugins=[REFERENCE])
                self.assertEqual([str(each) for each in found.values() if each.verdict == "failed"], [])
                self.assertEqual(found["phases"].verdict, "passed")
                self.assertEqual(found["phases"].block, name)

    def test_find_what_a_method_raises_also_in_event(self):
        @hilda.block
        class Raises(hilda.Block):
            u = hilda.Input()
            on = hilda.Output(dtype=bool)
            held = hilda.State(dtype=bool, modal=True)
            far = hilda.Crossing()

            def output(self, t):
                self.on, self.far = self.held, self.u

            def event(self, t, fired):
                self.held = not_there  # noqa: F821

        phases = self.verdicts(Raises)["phases"]
        self.assertEqual(phases.verdict, "failed")
        self.assertRegex(phases.why, r"^event at .*testing_test\.py:\d+: NameError: name 'not_there'")

    def test_find_a_state_that_is_hidden(self):
        kept = []

        @hilda.block
        class Hides(hilda.Block):
            u = hilda.Input()
            y = hilda.Output()

            def output(self, t):
                kept.append(self.u)
                self.y = len(kept)

        self.assertEqual(self.verdicts(Hides)["pure"].verdict, "failed")

    def test_end_what_hangs(self):
        @hilda.block
        class Hangs(hilda.Block):
            y = hilda.Output()

            def output(self, t):
                while True:
                    pass

        found = testing.check_all(Hangs, time_limit=0.2)
        failed = [each.why for each in found if each.verdict == "failed"]
        self.assertTrue(failed)
        for why in failed:
            self.assertRegex(why, r"^does not come back( from \w+)? within 0\.2 s$")


if __name__ == "__main__":
    unittest.main()
