# SPDX-License-Identifier: BSD-3-Clause
"""Objects of the package as Python treats any: compared, pickled, made by halves."""

import concurrent.futures
import copy
import multiprocessing
import pathlib
import pickle
import tempfile
import unittest

import numpy as np

import hilda

UNSTABLE = """<diagram format="1" name="unstable" period="1 ms">
  <block name="c" type="sources/Constant" value="1 N"/>
  <block name="g" type="math/Gain" gain="2"/>
  <block name="sum" type="math/Sum" signs="++"/>
  <block name="delay" type="discrete/UnitDelay" initial="1e300 N"/>
  <connect from="delay.y" to="g.u"/>
  <connect from="g.y" to="sum.u[0]"/>
  <connect from="c.y" to="sum.u[1]"/>
  <connect from="sum.y" to="delay.u"/>
</diagram>
"""


def fails(file):
    hilda.Simulation(file).run(1)


class Objects(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "unstable.xml"
        self.file.write_text(UNSTABLE)

    def test_a_run_error_comes_out_of_a_pool_of_processes(self):
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
            with self.assertRaises(hilda.RunError) as raised:
                pool.submit(fails, self.file).result(60)
        with self.assertRaises(hilda.RunError) as here:
            fails(self.file)
        error, same = raised.exception, here.exception
        self.assertEqual((str(error), error.time, error.block, error.signal),
                         (str(same), same.time, same.block, same.signal))
        np.testing.assert_array_equal(error.run["delay.y"], same.run["delay.y"])
        self.assertEqual(error.run.reason, "failed")

    def test_a_run_is_pickled_as_a_copy(self):
        run = hilda.Simulation(self.file).run(0.005)
        for again in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run)):
            self.assertIsInstance(again, hilda.IsolatedRun)
            self.assertEqual((again.signals, len(again), again.reason), (run.signals, 5, "duration"))
            np.testing.assert_array_equal(again["g.y"], run["g.y"])
            np.testing.assert_array_equal(again.time, run.time)
            self.assertEqual(again.unit("g.y"), "N")

    def test_a_checkpoint_equals_checkpoints_alone(self):
        simulation = hilda.Simulation(self.file)
        checkpoint = simulation.checkpoint()
        self.assertTrue(checkpoint == simulation.checkpoint())
        for other in (None, "a", 3, object()):
            self.assertFalse(checkpoint == other)
            self.assertTrue(checkpoint != other)
            self.assertFalse(other == checkpoint)
        simulation.step()
        self.assertTrue(checkpoint != simulation.checkpoint())

    def test_one_without_its_constructor_is_refused(self):
        uses = {hilda.Diagram: lambda d: d.text, hilda.Run: len, hilda.Checkpoint: lambda c: c.tick,
                hilda.Simulation: lambda s: s.tick, hilda.Log: lambda log: log.signals, hilda.Diagnostic: str,
                hilda.LinearModel: lambda m: m.A, hilda.BlockType: lambda b: b.name, hilda.Slot: lambda s: s.name}
        for each, use in uses.items():
            empty = each.__new__(each)
            with self.assertRaisesRegex(TypeError, "is empty: its constructor was not called", msg=each):
                use(empty)
        with self.assertRaisesRegex(TypeError, "is empty"):
            hilda.Simulation(self.file).restore(hilda.Checkpoint.__new__(hilda.Checkpoint))


if __name__ == "__main__":
    unittest.main()
