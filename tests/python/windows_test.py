# SPDX-License-Identifier: BSD-3-Clause
"""A function that a run calls each time some seconds are over: what it gets, what it may do, and how it ends the run."""

import asyncio
import os
import pathlib
import signal
import tempfile
import threading
import time
import unittest

import numpy as np

import hilda

LAG = """<diagram format="1" name="lag" period="1 ms">
  <input name="push" unit="N" default="1 N"/>
  <parameter name="gain" value="2"/>
  <block name="twice" type="math/Gain" gain="${gain}"/>
  <block name="sum" type="discrete/DiscreteIntegrator"/>
  <connect from="push" to="twice.u"/>
  <connect from="twice.y" to="sum.u"/>
</diagram>
"""


class Windows(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "lag.xml"
        self.file.write_text(LAG)

    def simulation(self):
        return hilda.Simulation(self.file)

    def test_windows_follow_each_other_and_are_the_run(self):
        for every, lengths in (("10 ms", [10, 10, 5]), (0.01, [10, 10, 5]), ("2.4 ms", [3] * 8 + [1]), (1e-9, [1] * 25), ("1 s", [25])):
            windows = []
            run = self.simulation().run(0.025, every=every, call=windows.append)
            self.assertEqual([len(each) for each in windows], lengths)
            for name in run.signals:
                np.testing.assert_array_equal(np.concatenate([each[name] for each in windows]), run[name])
            np.testing.assert_array_equal(np.concatenate([each.time for each in windows]), run.time)
            self.assertAlmostEqual(windows[0].end, lengths[0] * 1e-3, 12)
            self.assertEqual(windows[-1].unit("twice.y"), "N")
        alone = self.simulation().run(0.025)
        np.testing.assert_array_equal(alone["sum.y"], run["sum.y"])

    def test_it_reads_and_writes_and_the_next_tick_has_it(self):
        simulation = self.simulation()
        push, total = simulation.input("push"), simulation.output("sum.y")
        seen = []

        def turn(window):
            seen.append((simulation.time, simulation.tick, simulation["sum.y"], total.read(), simulation.get("gain")))
            push.write(-3.0)
            simulation.write({"push": -push_at[len(seen)]})

        push_at = {1: 4.0, 2: 5.0, 3: 6.0}
        run = simulation.run(0.03, every="10 ms", call=turn, log=self.folder / "a.mcap")
        self.assertEqual([each[1] for each in seen], [10, 20, 30])
        self.assertEqual([each[2] for each in seen], [each[3] for each in seen])
        np.testing.assert_array_equal(run["twice.y"], np.repeat([2.0, -8.0, -10.0], 10))
        np.testing.assert_array_equal(hilda.Log(self.folder / "a.mcap")["twice.y"], run["twice.y"])
        self.assertEqual(simulation.get("push"), -6)

    def test_it_may_set_what_may_change_but_not_what_is_built(self):
        simulation = self.simulation()
        for call in (lambda w: simulation.run(1), lambda w: simulation.step(), lambda w: simulation.reset(), lambda w: simulation.set("gain", 3),
                     lambda w: simulation.back(1), lambda w: simulation.reload(), lambda w: simulation.restore(start), lambda w: simulation.end_log(),
                     lambda w: simulation.begin_log(self.folder / "c.mcap")):
            simulation.reset()
            start = simulation.checkpoint()
            with self.assertRaisesRegex(hilda.RunError, r"run\(\) is calling this function: it can read and write the simulation, but not run"):
                simulation.run(0.02, every="10 ms", call=call)
            self.assertEqual(simulation.tick, 10)
        simulation.reset()
        run = simulation.run(0.02, every="10 ms", call=lambda w: simulation.set("push", "3 N", live=True) and None)
        np.testing.assert_array_equal(run["twice.y"][[9, 10]], [2, 6])
        self.assertEqual(simulation.step(), True, "it goes on as before")

    def test_false_ends_the_run_which_can_go_on(self):
        simulation = self.simulation()
        run = simulation.run(1.0, every="10 ms", call=lambda window: window["sum.y"][-1] < 0.03)
        self.assertEqual((len(run), run.reason, simulation.tick), (20, "interrupted", 20))
        rest = simulation.run(0.01)
        self.assertEqual(len(rest), 10)
        for goes_on in (None, 0, "", np.array(False)):
            self.assertEqual(len(self.simulation().run(0.02, every="10 ms", call=lambda window, goes_on=goes_on: goes_on)), 20)
        ended = self.simulation().run(0.02, every="20 ms", call=lambda window: False)
        self.assertEqual(ended.reason, "duration", "the time was over")

    def test_what_it_raises_ends_the_run_with_file_and_line(self):
        def inner(window):
            return 1 / len(window.signals[:0])

        def watch(window):
            if window.time[0] >= 0.01:
                inner(window)

        line = inner.__code__.co_firstlineno + 1
        simulation = self.simulation()
        with self.assertRaises(hilda.RunError) as raised:
            simulation.run(1.0, every="10 ms", call=watch)
        error = raised.exception
        self.assertEqual(str(error), "the run ended at t = 0.02 s (tick 20): the function that run() calls fails at "
                                     f"{__file__}:{line}: ZeroDivisionError: division by zero")
        self.assertIsInstance(error.__cause__, ZeroDivisionError)
        self.assertEqual((error.time, len(error.run), simulation.tick), (0.02, 20, 20))
        self.assertIs(simulation.last_run, error.run)
        self.assertTrue(simulation.step())
        with self.assertRaises(SystemExit):
            self.simulation().run(1.0, every="10 ms", call=lambda window: exec("raise SystemExit(3)"))

    def test_ctrl_c_ends_it_in_the_function_and_between(self):
        simulation = self.simulation()
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            simulation.run(1e6, record=[], every="100 s", call=lambda window: None)
        self.assertTrue(simulation.step())
        with self.assertRaises(KeyboardInterrupt):
            simulation.run(1.0, every="10 ms", call=lambda window: os.kill(os.getpid(), signal.SIGINT) or time.sleep(1))

    def test_a_block_that_ends_the_run_has_its_last_window(self):
        class End(hilda.Block):
            u = hilda.Input("@u", "*s")

            def output(self, t):
                if t.index == 24:
                    t.stop("enough")
                if t.index == 30:
                    t.fail("too much")

        block = hilda.block(doc="Ends.")(End)
        diagram = hilda.edit(self.file)
        diagram.add("python/End", "end")
        diagram.connect("sum.y", "end.u")
        simulation, windows = hilda.Simulation(diagram, blocks=[block]), []
        run = simulation.run(1.0, every="10 ms", call=windows.append)
        self.assertEqual(([len(each) for each in windows], run.reason, run.text), ([10, 10, 5], "stopped", "enough"))

    def test_in_a_thread_of_asyncio(self):
        async def both():
            loop, seen = asyncio.get_running_loop(), []
            run = await self.simulation().run_async(0.03, every="10 ms", call=lambda window: loop.call_soon_threadsafe(seen.append, len(window)))
            await asyncio.sleep(0)
            return len(run), seen

        self.assertEqual(asyncio.run(both()), (30, [10, 10, 10]))

    def test_another_thread_is_kept_out_while_the_function_runs(self):
        simulation, said = self.simulation(), []

        def other():
            try:
                simulation.step()
            except hilda.Error as error:
                said.append(str(error))

        def wait(window):
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()

        simulation.run(0.01, every="10 ms", call=wait)
        self.assertEqual(said, ["this simulation is running in another thread"])

    def test_mistakes_are_answered_in_words(self):
        simulation = self.simulation()
        for named, error, said in (
            ({"call": print}, TypeError, r"call= needs every=, the time between two calls; write every=\"10 ms\" or every=0\.01, in s"),
            ({"every": 0.1}, TypeError, "every= needs call="),
            ({"every": "10 mm", "call": print}, ValueError, r"every='10 mm' is not a time; write every="),
            ({"every": "soon", "call": print}, ValueError, r"every='soon' is not a time"),
            ({"every": [1], "call": print}, TypeError, r"every is a time, not \[1\]"),
            ({"every": 0, "call": print}, ValueError, "every is 0 s; the time between two calls is above 0 s and finite"),
            ({"every": float("nan"), "call": print}, ValueError, "every is nan s"),
            ({"every": 0.1, "call": 3}, TypeError, "call is a function of a Run, not 3"),
        ):
            with self.subTest(named), self.assertRaisesRegex(error, said):
                simulation.run(0.1, **named)
            self.assertEqual(simulation.tick, 0)
        with hilda.Simulation(self.file) as other:
            isolated = hilda.Simulation(self.file, isolate=True)
            with self.assertRaisesRegex(TypeError, "call= is a function of this process, and isolate=True runs another one"):
                isolated.run(0.1, every=0.01, call=print)
            isolated.close()
            self.assertEqual(other.tick, 0)


if __name__ == "__main__":
    unittest.main()
