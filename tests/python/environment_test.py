# SPDX-License-Identifier: BSD-3-Clause
"""Diagrams as environments: the interface of Gymnasium, same seeds same bits, several side by side."""

import gc
import os
import pathlib
import signal
import tempfile
import threading
import unittest

import numpy as np

import hilda

# A cart that is pushed, with noise on what is seen of its place.
CART = """<diagram format="1" name="cart" period="1 ms">
  <input name="push" unit="N" default="0.5 N"/>
  <parameter name="seed" value="1"/>
  <block name="velocity" type="continuous/Integrator" initial="0 m/s"/>
  <block name="position" type="continuous/Integrator" initial="0.1 m"/>
  <block name="mass" type="math/Gain" gain="0.5 1/kg"/>
  <block name="noise" type="sources/Noise" deviation="1 mm" seed="${seed}"/>
  <block name="seen" type="math/Sum" signs="++"/>
  <connect from="push" to="mass.u"/>
  <connect from="mass.y" to="velocity.u"/>
  <connect from="velocity.y" to="position.u"/>
  <connect from="position.y" to="seen.u[0]"/>
  <connect from="noise.y" to="seen.u[1]"/>
</diagram>
"""


class Environment(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "cart.xml"
        self.file.write_text(CART)
        self.options = {"actions": ["push"], "observations": ["seen.y", "velocity.y"], "ticks": 10, "seeds": ["seed"],
                        "reward": lambda seen, action: -seen[0] ** 2 - action[0] ** 2}

    def env(self, **more):
        return hilda.Env(self.file, **{**self.options, **more})

    def test_a_step_writes_runs_and_reads(self):
        env = self.env()
        first, info = env.reset(seed=3)
        self.assertEqual((first.shape, info["time"]), ((2,), 0))
        for k in range(1, 6):
            seen, reward, terminated, truncated, info = env.step([2.0])
            # One newton moves half a kilogram's inverse: the velocity after n whole ticks, seen at the last of them.
            self.assertAlmostEqual(seen[1], 2.0 * 0.5 * 0.001 * (10 * k - 1), places=12)
            self.assertEqual(reward, -seen[0] ** 2 - 4.0)
            self.assertFalse(terminated or truncated)
            self.assertAlmostEqual(info["time"], 0.01 * k, places=12)

    def test_equal_seeds_give_equal_bits_and_others_others(self):
        env = self.env()

        def rollout(seed):
            rows = [env.reset(seed=seed)[0]]
            rows += [env.step([np.sin(k)])[0] for k in range(30)]
            return np.stack(rows)

        first, other, again = rollout(5), rollout(6), rollout(5)
        np.testing.assert_array_equal(first, again)
        self.assertFalse(np.array_equal(first, other))

    def test_reset_without_a_seed_starts_the_same_run_again(self):
        env = self.env()
        env.reset(seed=5)
        rows = [env.step([1.0])[0] for _ in range(5)]
        env.reset()
        np.testing.assert_array_equal(rows, [env.step([1.0])[0] for _ in range(5)])
        env.reset()
        self.assertEqual(env.simulation.get("push"), 0.5, "the action starts at its default again")

    def test_it_ends_by_a_function_a_signal_a_block_and_time(self):
        env = self.env(terminated=lambda seen: seen[1] > 0.05)
        self.assertEqual([env.step([10.0])[2] for _ in range(3)], [False, True, True])
        env = self.env(terminated="velocity.y", duration=0.03)
        self.assertEqual([env.step([-1.0])[2:4] for _ in range(3)], [(False, False), (False, False), (False, True)])
        self.assertTrue(env.step([10.0])[2])

    def test_mistakes_are_answered_in_words(self):
        with self.assertRaisesRegex(ValueError, "a step takes at least one tick"):
            self.env(ticks=0)
        with self.assertRaisesRegex(hilda.DiagramError, "push"):
            self.env(actions=["pusch"])
        with self.assertRaisesRegex(ValueError, "the action has 2 numbers; push take 1"):
            self.env().step([1, 2])
        with self.assertRaises(ValueError):
            self.env().step([np.nan])
        with self.assertRaisesRegex(ValueError, "action_low has the shape"):
            self.env(action_low=[1, 2, 3])

    def test_spaces_say_shape_and_limits(self):
        env = self.env(action_low=-1, action_high=1)
        self.assertEqual((env.action_space.shape, env.observation_space.shape), ((1,), (2,)))
        self.assertTrue(env.action_space.contains(env.action_space.sample()))
        self.assertFalse(env.action_space.contains(np.array([2.0])))

    def test_several_give_what_each_gives_alone(self):
        actions = np.sin(np.arange(60)).reshape(20, 3, 1)
        with hilda.VectorEnv(self.file, 3, threads=2, **self.options) as several:
            rows = [several.reset(seed=10)[0]] + [several.step(each)[0] for each in actions]
        for i in range(3):
            env = self.env()
            alone = [env.reset(seed=10 + i)[0]] + [env.step(each[i])[0] for each in actions]
            np.testing.assert_array_equal(np.stack(rows)[:, i], alone)

    def test_one_of_several_that_ends_starts_again(self):
        with hilda.VectorEnv(self.file, 2, **{**self.options, "duration": 0.02}) as several:
            several.reset(seed=1)
            several.step([[1.0], [1.0]])
            seen, _, _, truncated, info = several.step([[1.0], [1.0]])
        self.assertEqual(truncated.tolist(), [True, True])
        self.assertEqual(seen[:, 1].tolist(), [0, 0])
        self.assertGreater(info["final_observation"][0][1], 0)

    def test_arrays_are_row_by_row_in_both_directions(self):
        """Of a matrix, a vector and a number, each known by its place."""
        file = self.file.with_name("arrays.xml")
        file.write_text("""<diagram format="1" name="arrays" period="1 ms">
          <input name="m" default="0 0 0; 0 0 0"/><input name="v" default="0 0"/><input name="s" default="0"/>
          <block name="twice" type="math/Gain" gain="2"/><block name="same" type="math/Gain" gain="1"/><block name="less" type="math/Gain" gain="-1"/>
          <block name="up" type="math/Compare" operation="greater" with="0"/>
          <connect from="m" to="twice.u"/><connect from="v" to="same.u"/><connect from="s" to="less.u"/><connect from="s" to="up.a"/>
        </diagram>""")
        options = {"actions": ["s", "m", "v"], "observations": ["same.y", "twice.y", "up.y", "twice.y[0][2]"], "reward": "less.y", "terminated": "up.y"}
        action = [-1.5, 1, 2, 3, 4, 5, 6, 7, 8]
        seen = [7, 8, 2, 4, 6, 8, 10, 12, 0, 6]
        for isolate in (False, True):
            with hilda.Env(file, isolate=isolate, **options) as env:
                self.assertEqual(env.simulation.input("m").shape, (2, 3))
                for given in (action, np.array(action), np.array(action, dtype=np.float32).reshape(3, 3), tuple(action), [-1.5, *range(1, 9)]):
                    found, reward, terminated, _, _ = env.step(given)
                    self.assertEqual((found.tolist(), reward, terminated), (seen, 1.5, False))
                found, reward, terminated, _, _ = env.step([2.0, *action[1:]])
                self.assertEqual((found[8], reward, terminated), (1, -2, True))
        for isolate in (False, True):
            with hilda.VectorEnv(file, 2, isolate=isolate, **options) as several:
                rows, rewards, terminated, _, info = several.step([action, [2.0, *action[1:]]])
                self.assertEqual((rows[0].tolist(), rewards.tolist(), terminated.tolist()), (seen, [1.5, -2], [False, True]))
                self.assertIsNone(info["final_observation"][0])
                self.assertEqual(info["final_observation"][1].tolist(), [*seen[:8], 1, 6])

    def test_handles_follow_a_diagram_that_is_loaded_again(self):
        for isolate in (False, True):
            with hilda.VectorEnv(self.file, 2, isolate=isolate, **self.options) as several:
                several.reset(seed=3)
                several.step([[2.0], [2.0]])
                several.reset(seed=4, options={"settings": {"mass.gain": "1 1/kg"}})
                rows = [several.step([[2.0], [2.0]])[0] for _ in range(2)]
                self.assertAlmostEqual(rows[1][0][1], 2.0 * 0.001 * 19, places=12)
            with self.env(isolate=isolate) as env:
                env.reset(seed=4, options={"settings": {"mass.gain": "1 1/kg"}})
                np.testing.assert_array_equal([env.step([2.0])[0] for _ in range(2)], [row[0] for row in rows])

    def test_batched_functions_give_what_single_ones_give(self):
        actions = np.sin(np.arange(60)).reshape(20, 3, 1)
        single = {**self.options, "terminated": lambda seen: seen[1] > 0.002}
        batched = {**self.options, "batched": True, "reward": lambda seen, action: -seen[:, 0] ** 2 - action[:, 0] ** 2, "terminated": lambda seen: seen[:, 1] > 0.002}
        made = []
        for options in (single, batched):
            with hilda.VectorEnv(self.file, 3, threads=2, **options) as several:
                several.reset(seed=10)
                made.append([several.step(each)[:3] for each in actions])
        ended = 0
        for a, b in zip(*made):
            for x, y in zip(a, b):
                np.testing.assert_array_equal(x, y)
                self.assertEqual(x.dtype, y.dtype)
            ended += a[2].sum()
        self.assertGreater(ended, 0)
        with hilda.VectorEnv(self.file, 3, **{**batched, "reward": lambda seen, action: 1.0}) as several:
            with self.assertRaisesRegex(ValueError, r"reward returned the shape \(\); with batched=True it returns \(3,\), an element for each environment"):
                several.step(actions[0])

    def test_wrong_actions_of_one_change_none(self):
        with hilda.VectorEnv(self.file, 3, **self.options) as several:
            several.reset(seed=1)
            with self.assertRaisesRegex(ValueError, "push"):
                several.step([[1.0], [2.0], [np.nan]])
            self.assertEqual([each.simulation.get("push") for each in several.envs], [0.5] * 3)
            self.assertEqual([each.simulation.tick for each in several.envs], [0] * 3)
            with self.assertRaisesRegex(ValueError, "the actions have 6 numbers; 3 environments take 1 each for push"):
                several.step([[1.0, 2.0]] * 3)
            with self.assertRaises(ValueError):
                several.step([[1.0], [2.0]])

    def test_a_failure_and_an_end_are_those_of_the_one_that_has_them(self):
        @hilda.block(doc="Ends or fails by its input.")
        class End(hilda.Block):
            u = hilda.Input("@u")
            y = hilda.Output("@u")

            def output(self, t):
                self.y = self.u
                if self.u > 5:
                    t.stop("enough")
                if self.u < -5:
                    t.fail("too low")

        file = self.file.with_name("end.xml")
        file.write_text("""<diagram format="1" name="end" period="1 ms"><input name="u" default="0"/>
          <block name="end" type="python/End"/><connect from="u" to="end.u"/></diagram>""")
        with hilda.VectorEnv(file, 4, threads=2, blocks=[End], actions=["u"], observations=["end.y"], reward="end.y", ticks=3) as several:
            rows, _, terminated, truncated, info = several.step([[1.0], [6.0], [2.0], [3.0]])
            self.assertEqual((rows[:, 0].tolist(), terminated.tolist(), truncated.any()), ([1, 0, 2, 3], [False, True, False, False], False))
            self.assertEqual((info["final_observation"][1].tolist(), info["time"].tolist()), ([6], [0.003, 0, 0.003, 0.003]))
            self.assertEqual([each.simulation.tick for each in several.envs], [3, 0, 3, 3])
            with self.assertRaisesRegex(hilda.RunError, "block end.*too low"):
                several.step([[1.0], [2.0], [-6.0], [3.0]])

    def test_threads_stay_and_end_with_it(self):
        gc.collect()
        before = len(os.listdir("/proc/self/task"))
        several = hilda.VectorEnv(self.file, 4, threads=3, **self.options)
        self.assertEqual(len(os.listdir("/proc/self/task")), before + 2)
        several.reset(seed=1)
        for _ in range(200):
            several.step(np.ones((4, 1)))
        self.assertEqual(len(os.listdir("/proc/self/task")), before + 2)
        child = os.fork()
        if child == 0:  # it has one thread, and still steps
            several.step(np.ones((4, 1)))
            os._exit(5 if several.envs[3].simulation.tick == 2010 else 6)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 5)
        del several
        gc.collect()
        self.assertEqual(len(os.listdir("/proc/self/task")), before)

    def test_ctrl_c_ends_a_long_step_of_many(self):
        with hilda.VectorEnv(self.file, 3, threads=2, **{**self.options, "ticks": 10 ** 9}) as several:
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                several.step(np.ones((3, 1)))
            ticks = [each.simulation.tick for each in several.envs]
            self.assertTrue(all(0 < each < 10 ** 9 for each in ticks), ticks)
            self.assertTrue(several.envs[0].simulation.step())


if __name__ == "__main__":
    unittest.main()
