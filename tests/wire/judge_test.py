# SPDX-License-Identifier: BSD-3-Clause
"""The judge passes a stage that keeps its limits to the last decimal, and catches each stage that is wrong in one way."""
import math
import random
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import judge
from capture import Entry

PERIOD = 0.004
LIMITS = judge.LIMITS


class Stage:
    """Follows a target as fast as the limits let it, in six coordinates (m, rotation vector in rad about one axis).

    What it believes of the robot is what it receives of each answer: taken, or not. The arguments are its mistakes."""

    def __init__(self, relative=False, factor=None, told_late=0, deaf=False, makes_up=False, period=PERIOD):
        self.relative, self.factor, self.period = relative, factor or {}, period
        self.told_late, self.deaf, self.makes_up = told_late, deaf, makes_up
        self.at, self.speed, self.owed = np.zeros(6), np.zeros(6), np.zeros(6)
        self.fates = [True] * told_late

    def limit(self, name):
        return LIMITS[name] * self.factor.get(name, 1.0) * (1 - 1e-7)

    def answer(self, target):
        """The correction for this cycle, and where it leads."""
        speed = (target - self.at) / self.period
        for part, v, a in ((slice(0, 3), "speed", "acceleration"),
                           (slice(3, 6), "angular_speed", "angular_acceleration")):
            speed[part] = self.shorter(speed[part], self.limit(v))
            change = self.shorter(speed[part] - self.speed[part], self.limit(a) * self.period)
            speed[part] = self.speed[part] + change
        self.asked, self.asked_speed = self.at + speed * self.period, speed
        increment = self.asked - self.at + (self.owed if self.makes_up else 0)
        self.owed = np.zeros(6)
        return increment if self.relative else self.asked

    @staticmethod
    def shorter(vector, limit):
        size = np.linalg.norm(vector)
        return vector if size <= limit else vector * (limit / size)

    def told(self, taken):
        self.fates.append(taken)
        taken = self.fates.pop(0) or self.deaf
        if taken:
            self.at, self.speed = self.asked, self.asked_speed
        else:
            if self.makes_up:
                self.owed = self.asked - self.at
                self.at = self.asked
            self.speed = np.zeros(6)


def telegram(time, ipoc):
    return Entry(time, "R", b"<Rob><IPOC>%d</IPOC></Rob>" % ipoc)


def answer(time, ipoc, correction):
    values = " ".join(f'{axis}="{value:.6f}"' for axis, value in
                      zip("XYZABC", [*(1e3 * correction[:3]), *np.degrees(correction[[5, 4, 3]])]))
    return Entry(time, "A", f"<Sen><RKorr {values}/><IPOC>{ipoc}</IPOC></Sen>".encode())


def play(stage, lost=0.05, cycles=500, seed=1, amplitude=0.06, turn=0.2, frequency=1.3, hook=None):
    """A capture of a run in which answers are lost at random. The target is faster than the limits allow."""
    draw, entries = random.Random(seed), []
    for k in range(cycles):
        time, ipoc, angle = k * PERIOD, 1000 + 4 * k, 2 * math.pi * frequency * k * PERIOD
        entries.append(telegram(time, ipoc))
        target = np.array([amplitude * math.sin(angle), 0.3 * amplitude * math.sin(2 * angle), 0,
                           0, 0, turn * math.sin(angle)])
        correction, taken = stage.answer(target), draw.random() >= lost
        if hook:
            hook(entries, time, ipoc, correction)
        # One that is too late is in the next cycle.
        entries.append(answer(time + (0.001 if taken else 0.0041), ipoc, correction))
        stage.told(taken)
    entries.sort(key=lambda entry: entry.time)
    return entries


def verdict(stage, **how):
    return judge.judge(play(stage, **how), PERIOD, stage.relative)


class RightStages(unittest.TestCase):
    def test_a_stage_at_its_limits_passes(self):
        for relative in (False, True):
            for lost in (0.0, 0.05, 0.3):
                for seed in range(3):
                    found = verdict(Stage(relative), lost=lost, seed=seed)
                    self.assertTrue(found.held, (relative, lost, found.first_over))
                    if lost == 0:
                        self.assertAlmostEqual(found.worst["speed"], LIMITS["speed"], 4)
                        self.assertAlmostEqual(found.worst["acceleration"], LIMITS["acceleration"], 2)
                        self.assertEqual((found.taken, found.unanswered, found.rejected), (500, 0, 0))
                    else:
                        self.assertGreater(found.unanswered, 5)
                        self.assertGreater(found.halt, LIMITS["acceleration"])  # and yet not counted

    def test_answers_that_are_not_taken_do_not_count(self):
        def also_nonsense(entries, time, ipoc, correction):
            entries.append(answer(time + 0.0005, ipoc - 4, correction + 1))
            entries.append(answer(time + 0.0006, ipoc + 4, correction + 1))
            entries.append(answer(time + 0.0038, ipoc, correction + 1))  # behind the one that is taken
            entries.append(Entry(time + 0.0004, "A", b"<Sen><RKorr X=\"9\"/><IPOC>%d</IPOC></Sen>" % ipoc))
        found = verdict(Stage(), lost=0.0, hook=also_nonsense)
        self.assertTrue(found.held, found.first_over)
        self.assertEqual(found.rejected, 2000)

    def test_a_robot_that_stood_still_is_given_the_milder_of_two(self):
        entries = play(Stage(), lost=0.0)
        split = entries[400].time
        later = [e._replace(time=e.time + 0.3) if e.time >= split else e for e in entries]
        found = judge.judge(later, PERIOD)
        self.assertTrue(found.held)
        self.assertEqual(found.unknown, 1)


class WrongStages(unittest.TestCase):
    def caught(self, stage, limit, **how):
        found = verdict(stage, **how)
        self.assertIn(limit, found.over, found.worst)

    def test_a_limit_ten_percent_too_high(self):
        for relative in (False, True):
            for limit in ("speed", "acceleration", "angular_speed", "angular_acceleration"):
                self.caught(Stage(relative, {limit: 1.1}), limit, lost=0.0)

    def test_a_limit_hardly_too_high(self):
        for limit in ("speed", "acceleration", "angular_speed"):
            self.caught(Stage(False, {limit: 1.001}), limit, lost=0.0)
        # Six decimals of a degree are this coarse at 4 ms.
        self.caught(Stage(False, {"angular_acceleration": 1.002}), "angular_acceleration", lost=0.0)

    def test_a_range_that_is_left(self):
        self.caught(Stage(), "position", amplitude=0.301, frequency=0.1, cycles=1000)
        self.caught(Stage(), "rotation", turn=0.525, frequency=0.1, cycles=1000)

    def test_off_by_one_cycle(self):
        for relative in (False, True):
            self.caught(Stage(relative, told_late=1), "acceleration")

    def test_deaf_to_lost_answers(self):
        self.caught(Stage(deaf=True), "acceleration")
        self.caught(Stage(deaf=True), "speed", lost=0.3)
        self.caught(Stage(True, deaf=True), "acceleration")

    def test_makes_up_behind_the_limits(self):
        self.caught(Stage(True, makes_up=True), "acceleration")

    def test_another_period(self):
        self.caught(Stage(period=0.0044), "speed", lost=0.0)
        self.caught(Stage(period=0.012), "speed", lost=0.0)

    def test_answers_in_a_burst(self):
        """A stage that believes that the robot took each answer of a burst of old ones."""
        stage, entries, k = Stage(), [], 0
        while k < 300:
            entries.append(telegram(k * PERIOD, 1000 + 4 * k))
            behind = range(k - 9, k + 1) if k % 50 == 49 else [] if k % 50 > 39 else [k]
            for each in behind:
                correction = stage.answer(np.array([0.0005 * each, 0, 0, 0, 0, 0]))
                entries.append(answer(k * PERIOD + 0.001, 1000 + 4 * each, correction))
                stage.told(True)
            k += 1
        found = judge.judge(entries, PERIOD)
        self.assertIn("speed", found.over)

    def test_old_corrections_after_a_restart_of_rsi(self):
        entries = play(Stage(), lost=0.0)
        entries.insert(600, Entry(entries[600].time, "N", b"rsi restart"))
        self.assertIn("speed", judge.judge(entries, PERIOD).over)

    def test_one_step_in_a_thousand(self):
        stage, slips = Stage(), {700}

        def slip(entries, time, ipoc, correction):
            if (ipoc - 1000) // 4 in slips:
                correction[1] += 0.0002
        self.caught(stage, "acceleration", lost=0.0, cycles=1000, hook=slip)


class CutOff(unittest.TestCase):
    """POSCORR lets a correction through up to its limits: what it cuts off is its halt, the way back out is ours."""

    def entries(self, index, ramp, back):
        place, entries, k = np.zeros(6), [], 0
        for speed in [*np.linspace(0, ramp, 60), *[ramp] * 60, *([-ramp] * 120 if back else [])]:
            place[index] += speed * PERIOD
            entries += [telegram(k * PERIOD, 1000 + 4 * k), answer(k * PERIOD + 0.001, 1000 + 4 * k, place.copy())]
            k += 1
        return entries

    def test_of_a_path(self):
        held = judge.judge(self.entries(0, 0.2, False), PERIOD, clamp=0.03, clamp_turn=0.05)
        self.assertTrue(held.held, held.first_over)
        self.assertGreater(held.halt, 20)
        back = judge.judge(self.entries(0, 0.2, True), PERIOD, clamp=0.03)
        self.assertIn("acceleration", back.over)

    def test_of_an_angle(self):
        held = judge.judge(self.entries(5, 0.4, False), PERIOD, clamp=0.03, clamp_turn=0.05)
        self.assertTrue(held.held, held.first_over)
        self.assertAlmostEqual(held.worst["rotation"], 0.05, 6)
        back = judge.judge(self.entries(5, 0.4, True), PERIOD, clamp_turn=0.05)
        self.assertIn("angular_acceleration", back.over)


if __name__ == "__main__":
    unittest.main()
