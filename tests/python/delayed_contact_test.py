# SPDX-License-Identifier: BSD-3-Clause
"""The border of stability of a delayed contact: the closed form against NumPy, `linearize` and runs (docs/results/validation/closed_form.py)."""
import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/results/validation"))
import closed_form as judge  # noqa: E402
from delayed_contact import Contact, contacts, to_run  # noqa: E402


def worst(pairs):
    """Largest relative error; NaN where one is missing."""
    errors = [abs(found / wanted - 1) for found, wanted in pairs]
    return math.nan if any(math.isnan(e) for e in errors) else max(errors)


class OneDelay(unittest.TestCase):
    def test_the_borders_of_three_cases_in_milliseconds(self):
        cases = [(60, 50, 1000, 49.31), (60, 50, 3000, 16.59), (500, 200, 10000, 19.95)]
        self.assertEqual([round(1e3 * Contact(*case[:3]).border(), 2) for case in cases], [case[3] for case in cases])

    def test_the_closed_form_is_a_root_on_the_axis_and_goes_to_the_right_with_the_delay(self):
        for contact in contacts(100):
            w, delay = contact.frequency(), contact.border()
            self.assertLess(abs(contact.root(delay) - 1j * w), 1e-12 * w)
            self.assertLess(contact.root(0.99 * delay).real, 0)
            self.assertGreater(contact.root(1.01 * delay).real, 0)

    def test_poles_cross_the_circle_within_a_hundred_thousandth_of_it(self):
        error = worst((judge.border_of_linearize(contact), contact.border()) for contact in contacts(100))
        self.assertLess(error, 2e-6)
        print(f"100 borders by linearize: worst relative error {error:.1e}")

    def test_runs_grow_as_the_root_says(self):
        runs = [(contact, share * contact.border()) for contact in to_run(6) for share in (0.95, 1.05)]
        found = [(judge.ran(contact, delay), contact.root(delay).real) for contact, delay in runs]
        self.assertEqual([measured > 0 for measured, _ in found], [False, True] * 6)
        self.assertLess(worst(found), 1e-4)


class InTicks(unittest.TestCase):
    def test_a_hold_is_like_half_a_tick_of_delay(self):
        contact = Contact(60, 50, 1000)
        for ticks in (1, 4, 16):
            late = judge.Delays(ticks, 0, 1)
            exact = late.of_numpy(contact)
            self.assertLess(abs(late.of_linearize(contact) / exact - 1), 1e-6)
            self.assertLess(abs(late.closed_form(contact) / exact - 1), 0.02 / ticks**2)
            self.assertGreater(abs(contact.border() / ticks / exact - 1), 0.4 / ticks)


class ThreeDelays(unittest.TestCase):
    def test_linearize_has_the_border_of_the_sampled_loop(self):
        pairs = list(zip(contacts(8), judge.delays(8)))
        self.assertLess(worst((late.of_linearize(contact), late.of_numpy(contact)) for contact, late in pairs), 1e-6)

    def test_routh_with_pade_goes_to_what_a_scan_of_the_axis_finds(self):
        for contact, late in zip(contacts(8), judge.delays(8)):
            scanned = late.of_scan(contact)
            errors = [abs(late.of_routh(contact, order) / scanned - 1) for order in (1, 2, 3)]
            self.assertLess(errors[2], 1e-4)
            self.assertLess(errors[2], errors[0])

    def test_routh_tells_left_from_right(self):
        self.assertTrue(judge.routh([1, 3, 3, 1]))
        self.assertFalse(judge.routh([1, 1, 2, 8]))  # (s + 2)(s^2 - s + 4)
        self.assertFalse(judge.routh([1, 0, 1]))


if __name__ == "__main__":
    unittest.main()
