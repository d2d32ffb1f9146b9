# SPDX-License-Identifier: BSD-3-Clause
"""Diagrams as environments: the interface of Gymnasium, same seeds same bits, several side by side."""

import pathlib
import tempfile
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


if __name__ == "__main__":
    unittest.main()
