#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Delays of robot, force and cycle apart: what each makes of a contact's energy, by closed form and by simulation. Writes delays.md.

    docs/results/validation/delays.py      HILDA=path: another program than build/bin/hilda
"""
import datetime
import math
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from claims_contact import MASS  # noqa: E402
from claims_field import rebound  # noqa: E402
from delayed_contact import Contact  # noqa: E402
from runs import here  # noqa: E402
from tables import table  # noqa: E402

EXACT = ("period=0.25 ms",)  # a cycle so short that it makes nothing
FREQUENCY, RATIO = 15.0, 0.7  # Hz, of the robot's second order


def phase_delay(w):
    """Of the second order, s."""
    x = w / (2 * math.pi * FREQUENCY)
    return math.atan2(2 * RATIO * x, 1 - x * x) / w


def cases(w):
    """Name, delay of the loop in s, settings; the cycle is held by zoh, and half of it counts."""
    force, robot = ("sensor_delay=8 ms", "lead_time=0 ms"), ("response_delay=8 ms",)
    order = (f"natural_frequency={FREQUENCY} Hz", f"damping_ratio={RATIO}")
    none = ("response_delay=0 ms",)
    return (("robot, dead time 8 ms", 0.008, robot + EXACT),
            (f"robot, second order of {FREQUENCY:g} Hz", phase_delay(w), none + order + EXACT),
            ("force, 8 ms", 0.008, none + force + EXACT),
            ("cycle, 8 ms, zoh", 0.004, none + ("period=8 ms", "integrator=zoh")),
            ("cycle, 8 ms, rk4", 0.004, none + ("period=8 ms", "integrator=rk4")),
            ("cycle, 8 ms, variational", 0.0, none + ("period=8 ms", "integrator=variational")),
            ("cycle, 8 ms, symplectic", 0.0, none + ("period=8 ms", "integrator=symplectic")),
            ("robot 8 ms, force 8 ms, cycle 8 ms, zoh", 0.020, robot + force + ("period=8 ms", "integrator=zoh")))


def formula(p):
    """As hilda measure-delay prints it."""
    return math.exp(math.pi * p * (1 - p * p / 4))


def simulated(settings):
    """Energy after a contact over that before it: geometric mean over where in a cycle the contact begins."""
    starts = [0.02 * i for i in range(8)] if "period=8 ms" in settings else [0.0]
    logs = [2 * math.log(rebound("uncompensated", f"start={start:g} mm", "contact_threshold=0.001 N", *settings)) for start in starts]
    return math.exp(sum(logs) / len(logs)), max(abs(math.exp(x) - math.exp(sum(logs) / len(logs))) for x in logs)


def rows():
    for stiffness in (5e3, 20e3, 80e3):
        w = math.sqrt(stiffness / MASS)
        for name, delay, settings in cases(w):
            exact = Contact(MASS, 1e-9, stiffness).rebound(delay) if delay else 1.0
            mean, spread = simulated((f"stiffness={stiffness!r} N/m", *settings))
            yield stiffness, name, w * delay, exact, formula(w * delay), mean, spread


def main():
    found = list(rows())
    lines = [[f"{k / 1e3:g} N/mm", name, f"{p:.3f}", f"{exact:.3f}", f"{simple:.3f}", f"{mean:.3f}" + (f" (+- {spread:.3f})" if spread > 5e-4 else ""),
              f"{100 * (mean / exact - 1):+.1f} %"] for k, name, p, exact, simple, mean, spread in found]
    fit = [(p, abs(formula(p) / Contact(MASS, 1e-9, 20e3).rebound(p / math.sqrt(20e3 / MASS)) - 1)) for p in (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)]
    off = {word: max(abs(f[5] / f[3] - 1) for f in found if word in f[1]) for word in ("dead time", "second", "force, 8 ms", "zoh", "rk4", "variational", "symplectic")}
    text = f"""<!-- written by delays.py; do not edit -->
# Delays of robot, force and cycle apart

This page shows what each delay of the loop makes of the energy of a contact, by closed form and by simulation.

{datetime.date.today()}, {platform.machine()}. One contact of `uncompensated`: reduced mass {MASS:.1f} kg, walls without damping, 20 mm/s. *Closed form*: one late contact
m x'' + k x(t - d) = 0 whose force does not pull, with the delay d of the loop. *Formula*: exp(pi p (1 - p^2/4)), p = w d, as `hilda measure-delay` prints it.
*Simulation*: energy after the contact over that before it. With cycles of 8 ms it is the mean over eight places within the cycle at which the contact begins, and their largest distance from it.

{table(["wall", "delay", "w d", "closed form", "formula", "simulation", "against the closed form"], lines)}

- **Delays of force and robot cost the same.** They follow each other in one path, so the loop sees their sum. Force: at most {100 * off["force, 8 ms"]:.1f} % from the closed form; robot: {100 * off["dead time"]:.1f} %.
- **A cycle costs as much as half of it as dead time**, if the integrator holds the force for the cycle (`zoh`, `rk4`). `variational` and `symplectic` make no energy of it
  ({100 * off["variational"]:.1f} and {100 * off["symplectic"]:.1f} % at most).
- **A second order costs what its phase at the contact's frequency says**, within {100 * off["second"]:.1f} %: 2 xi / wn where it is much faster than the contact.
- **The formula** is a fit of ours to the closed form: at most {100 * max(e for _, e in fit):.1f} % off for p up to {fit[-1][0]:g}.

`hilda measure-delay` [measures the three on the cell](../../hardware.md#6-measure-the-delay), prints each with its energy in a contact of 4 Hz, and writes them into the overlay for the simulated rig.
How well it finds them on the simulated cell is in [hardware](hardware.md#measured-delay).
"""
    (here / "delays.md").write_text(text)


if __name__ == "__main__":
    main()
