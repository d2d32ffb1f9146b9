#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The reference of tests/engine/mode_test.cpp: a mass on a belt that sticks and slips, piece by piece.

    tests/engine/stick_slip_reference.py

x' = w + vb, m w' = -k x - f(w), f = level(w) sign(w) + c w, level = C + (B - C) exp(-(w / vs)^2); at rest until |k x| > B.
While it slips scipy's DOP853 carries it with rtol 1e-13; a second run with another method (Radau, rtol 1e-13) shows what the figures are
worth. While it sticks x = x0 + vb (t - t0), exactly.
"""
import math

from scipy.integrate import solve_ivp

m, k, vb, C, B, vs, c = 1.0, 1.0, 0.1, 0.5, 1.0, 0.1, 0.05


def slope(_, state, direction):
    x, w = state
    level = C + (B - C) * math.exp(-((w / vs) ** 2))
    return [w + vb, (-k * x - level * direction - c * w) / m]


def solve(end, method):
    """x at `end`, and when it began to slip and stuck."""
    t, x, times = 0.0, 0.0, []
    while True:
        slips = t + (B / k - x) / vb
        if slips >= end:
            return x + vb * (end - t), times
        t, x = slips, B / k
        times.append(("slips", t))

        def stops(_, state, direction=None):
            return state[1]
        stops.terminal, stops.direction = True, 1
        # the spring pulls back: it slips with w < 0, and begins with w = w' = 0, w'' = -k vb / m
        begin = 1e-6
        w = -k * vb / m * begin ** 2 / 2
        done = solve_ivp(lambda s, state: slope(s, state, -1), (t + begin, end), [x + vb * begin, w], method=method, rtol=1e-13,
                         atol=1e-16, events=stops)
        if done.status == 0:
            return done.y[0, -1], times
        t, x = done.t_events[0][0], done.y_events[0][0][0]
        times.append(("sticks", t))


if __name__ == "__main__":
    for name in ("DOP853", "Radau"):
        place, events = solve(60.0, name)
        print(name, f"x(60 s) = {place:.15g}", [f"{what} {at:.13g}" for what, at in events[:4]], len(events))
