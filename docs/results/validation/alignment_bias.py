#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""By how much `hilda measure-delay` misses the sensor's delay on the simulated cell, and why: prints a table.

    docs/results/validation/alignment_bias.py      (needs numpy)

No program of this project runs here. The cell is written down once more: a swept motion in 4 ms cycles, straight between
its samples; a second order whose input is held over a tick of 1 ms; a payload's inertia by the difference of three
velocities. The estimate is least squares with the continuous second order, as measure-delay makes it. A shorter tick of
the cell makes both, the held input and the difference, finer.
"""
import math

import numpy as np

cycle, dead_time, damping, payload = 4e-3, 4e-3, 0.7, 2.0


def transition(w, t):
    values, vectors = np.linalg.eig(np.array([[0, 1], [-w * w, -2 * damping_now * w]], dtype=complex))
    return (vectors @ np.diag(np.exp(values * t)) @ np.linalg.inv(vectors)).real


damping_now = damping


def response(u, w, xi, delay):
    """Place and acceleration of the continuous second order at the samples, behind a path that is straight between them."""
    global damping_now
    damping_now = xi
    behind = math.ceil(delay / cycle - 1e-12)
    part = behind * cycle - delay
    whole, rest, lag = transition(w, cycle), transition(w, part), 2 * xi / w
    state, states = np.array([u[0], 0.0]), []
    for start, rate in zip(u[:-1], np.diff(u) / cycle):
        off = state - [start - lag * rate, rate]
        x, v = [start + rate * part - lag * rate, rate] + rest @ off
        states.append((x, w * w * (start + rate * part - x) - 2 * xi * w * v))
        state = [start + rate * cycle - lag * rate, rate] + whole @ off
    states = [(u[0], 0.0)] * behind + states
    return np.array(states[:len(u)] + [states[-1]] * (len(u) - len(states)))


def motion(duration=14.0, first=0.5, last=15.0, amplitude=8e-3, speed=0.1, acceleration=1.5):
    t = np.arange(0, duration, cycle)
    w = 2 * math.pi * (first + (last - first) * t / duration)
    phase = 2 * math.pi * (first * t + (last - first) * t * t / 2 / duration)
    ends = np.minimum(1, np.minimum(t, duration - t) / 0.5)
    return np.minimum(amplitude, np.minimum(speed / w, acceleration / w ** 2)) * np.sin(phase) * ends


def cell(u, w, tick):
    """What the cell reports each cycle: the place, and the force of the payload."""
    global damping_now
    damping_now = damping
    sub = round(cycle / tick)
    way = np.repeat(u[:-1], sub) + np.tile(np.arange(sub) / sub, len(u) - 1) * np.repeat(np.diff(u), sub)
    way = np.concatenate([np.full(round(dead_time / tick), u[0]), way])
    step, state, x, v = transition(w, tick), np.array([u[0], 0.0]), [], []
    for held in way:
        x.append(state[0]), v.append(state[1])
        state = [held, 0.0] + step @ (state - [held, 0.0])
    v, a = np.array(v), np.zeros(len(v))
    a[2:] = (3 * v[2:] - 4 * v[1:-1] + v[:-2]) / (2 * tick)
    return np.array(x)[::sub][:len(u)], -payload * a[::sub][:len(u)]


def estimated(u, x, force, w):
    """The sensor's delay behind the reported motion, s: 0 is right."""
    follow = np.array([dead_time, w, damping])
    for _ in range(6):
        base = response(u, follow[1], follow[2], follow[0])[:, 0]
        slopes = []
        for i, h in enumerate((1e-6, 1e-3, 1e-5)):
            other = follow.copy()
            other[i] += h
            slopes.append((response(u, other[1], other[2], other[0])[:, 0] - base) / h)
        follow = follow + np.linalg.lstsq(np.array(slopes).T, x - base, rcond=None)[0]
    delay, h = 0.0, 1e-5
    for _ in range(4):
        a, later = (response(u, follow[1], follow[2], follow[0] + delay + d)[:, 1] for d in (0.0, h))
        found = np.linalg.lstsq(np.array([np.ones_like(a), a, (later - a) / h]).T, force, rcond=None)[0]
        delay += found[2] / found[1]
    return delay


if __name__ == "__main__":
    u = motion()
    ticks = (1e-3, 0.5e-3, 0.25e-3)
    print("| robot | " + " | ".join(f"tick of {1e3 * t:g} ms" for t in ticks) + " |\n|---|" + "---|" * len(ticks))
    for hertz in (8, 12, 20, 25):
        w = 2 * math.pi * hertz
        print(f"| {hertz} Hz | " + " | ".join(f"{1e3 * estimated(u, *cell(u, w, t), w):+.4f} ms" for t in ticks) + " |", flush=True)
