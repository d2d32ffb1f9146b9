# SPDX-License-Identifier: BSD-3-Clause
"""A mass on a spring and a damper whose force comes late, in closed form: m x'' + b x'(t - T) + k x(t - T) = 0.

The border of stability is where w^2 = (b^2 + sqrt(b^4 + 4 m^2 k^2)) / (2 m^2) and T = atan2(b w, k) / w. Standard library only.
"""
import cmath
import math
import random


class Contact:
    """Mass, damping and stiffness, in SI."""

    def __init__(self, mass, damping, stiffness):
        self.mass, self.damping, self.stiffness = mass, damping, stiffness

    def settings(self):
        return {"mass": f"{self.mass!r} kg", "damping": f"{self.damping!r} N s/m", "stiffness": f"{self.stiffness!r} N/m"}

    def frequency(self):
        """At the border, rad/s: where |b jw + k| = m w^2."""
        m, b, k = self.mass, self.damping, self.stiffness
        return math.sqrt((b * b + math.hypot(b * b, 2 * m * k)) / (2 * m * m))

    def border(self):
        """The delay at the border, s: the damper's lead is what the delay may take away."""
        w = self.frequency()
        return math.atan2(self.damping * w, self.stiffness) / w

    def root(self, delay):
        """The root of m s^2 + (b s + k) exp(-s T) that is at jw when the delay is at the border; Newton."""
        m, b, k = self.mass, self.damping, self.stiffness
        s = 1j * self.frequency()
        for _ in range(50):
            late = cmath.exp(-s * delay)
            step = (m * s * s + (b * s + k) * late) / (2 * m * s + (b - delay * (b * s + k)) * late)
            s -= step
            if abs(step) < 1e-15 * abs(s):
                break
        return s

    def motion(self, delay, at, order=0):
        """Place or velocity (order 1) at a time after the first touch, per speed at that: the transform as a series in
        exp(-s delay), the sum of powers of t - n delay. Of a few turns; then rounding takes over."""
        total, n = 0.0, 0
        while n * delay < at:
            since = math.log(at - n * delay)
            for j in range(n + 1):
                power = n + j + 1 - order
                size = (n - j) * math.log(self.damping / self.mass) + j * math.log(self.stiffness / self.mass) + power * since
                total += (-1) ** n * math.comb(n, j) * math.exp(size - math.lgamma(power + 1))
            n += 1
        return total

    def rebound(self, delay):
        """Energy after a contact over that before it, with a wall that does not pull: its force ends where it would, and
        moves the mass for one delay more."""
        def pull(at):
            return -(self.stiffness * self.motion(delay, at) + self.damping * self.motion(delay, at, 1))
        step = 0.02 / self.frequency()
        at = step
        while pull(at) < 0:
            at += step
        return self.motion(delay, crossing(pull, at - step, at, 1e-9) + delay, 1) ** 2

    def contact_border(self):
        """The delay with which a contact gives back the energy that it took."""
        return crossing(lambda delay: self.rebound(delay) - 1, 0.3 * self.border(), 1.2 * self.border(), 1e-6)


def contacts(count, seed=39):
    """Random ones: mass over four decades, stiffness over five, the share of critical damping over three."""
    draw = random.Random(seed)
    for _ in range(count):
        mass, stiffness, share = 10 ** draw.uniform(0, 4), 10 ** draw.uniform(2, 7), 10 ** draw.uniform(-2.5, 0.5)
        yield Contact(mass, 2 * share * math.sqrt(mass * stiffness), stiffness)


def to_run(count):
    """Of them, those in which a turn has so few ticks that a run is short."""
    return [contact for contact in contacts(100) if contact.frequency() * contact.border() > 0.1][:count]


def crossing(excess, low, high, tolerance=1e-13):
    """Where a function that grows goes through 0: regula falsi as Illinois does it."""
    a, b, fa, fb = low, high, excess(low), excess(high)
    if not fa < 0 < fb:
        raise ValueError(f"no crossing between {low} ({fa}) and {high} ({fb})")
    for _ in range(100):
        c = (a * fb - b * fa) / (fb - fa)
        fc = excess(c)
        if fc == 0 or abs(b - a) < tolerance * abs(b):
            return c
        if fc * fb < 0:
            a, fa = b, fb
        else:
            fa /= 2
        if abs(c - b) < tolerance * abs(c):
            return c
        b, fb = c, fc
    return b
