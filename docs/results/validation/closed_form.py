#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The border of stability of a delayed contact: closed form, NumPy, `linearize` and runs. Writes closed_form.md and its picture.

    docs/results/validation/closed_form.py      PYTHONPATH=build/python, HILDA=path: another program than build/bin/hilda

delayed_contact.py has the closed form. tests/python/delayed_contact_test.py holds hilda against the functions of both files.
"""
import datetime
import math
import os
import platform
import random
import re
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import numpy as np

import hilda

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from delayed_contact import Contact, contacts, crossing, to_run  # noqa: E402
from machine import kind_of_machine  # noqa: E402
from map_lines import draw_lines  # noqa: E402
from tables import table  # noqa: E402

here = Path(__file__).resolve().parent
project = here.parents[2]
models = project / "examples" / "models"
ONE, THREE = models / "delayed_contact.xml", models / "three_delays.xml"
REDUCED_MASS = 300 * 4000 / 4300  # of both satellites of diagrams/uncompensated.xml


def nanoseconds(span):
    """As text in whole ones, which fits a period: that is a fraction with a denominator of 1e9 at most."""
    return f"{max(1, round(span * 1e9))} ns"


def radius(diagram, to, settings, at=0.0):
    """Largest modulus of the poles of the closed loop, and the period that they are of."""
    model = hilda.linearize(diagram, "push.y", [to], time=at, settings=settings)
    return max(abs(model.poles)), model.period


def linearized(contact, delay, parts=16):
    """How fast what `linearize` makes of delayed_contact grows, 1/s, with so many periods in the border's delay."""
    period = contact.border() / parts
    settings = {**contact.settings(), "delay": f"{delay!r} s", "period": nanoseconds(period)}
    largest, span = radius(ONE, "position.y", settings, at=1.2 * delay + 3 * period)
    return math.log(largest) / span


def border_of_linearize(contact, share=1e-5):
    """The border by linearize, from the growth a little below and above the closed form's; no crossing there is NaN."""
    delay = contact.border()
    low, high = linearized(contact, delay * (1 - share)), linearized(contact, delay * (1 + share))
    return delay * (1 + share * (-low - high) / (high - low)) if low < 0 < high else math.nan


def ran(contact, delay, turns=16, parts=16):
    """How fast a run of delayed_contact grows, 1/s: its second half is a pair of roots and, behind a strong damper, a slow
    real one, so x(t + 3 d) is a sum of x(t), x(t + d), x(t + 2 d); what fits gives the pair. d is a quarter of its turn."""
    period = round(contact.border() / parts * 1e9) / 1e9
    turn = 2 * math.pi / contact.frequency()
    settings = {**contact.settings(), "delay": f"{delay!r} s", "period": nanoseconds(period)}
    run = hilda.Simulation(ONE, settings=settings, solver="rk4").run(duration=turns * turn, record=["position.y"])
    x = np.asarray(run["position.y"])
    x = x[len(x) // 2:]
    lag = round(turn / 4 / period)
    past = np.column_stack([x[n * lag:len(x) - (3 - n) * lag] for n in (2, 1, 0)])
    fitted = np.linalg.lstsq(past, x[3 * lag:], rcond=None)[0]
    pair = max(np.roots([1, *-fitted]), key=lambda root: root.imag)
    return math.log(abs(pair)) / (lag * period)


def delays(count, seed=3):
    """Random ones, in ticks."""
    draw = random.Random(seed)
    return [Delays(draw.randint(1, 12), draw.randint(0, 6), draw.randint(1, 8)) for _ in range(count)]


class Delays:
    """Robot and force, and the cycle of the hold, in ticks; the unknown is how long a tick is at the border."""

    def __init__(self, robot, force, cycle):
        self.robot, self.force, self.cycle = robot, force, cycle

    def settings(self, contact, tick):
        """Time is stretched until a tick is 1 ms: mass by the square, damping by the stretch. A period is a fraction, so
        that it could not be moved by one part in 1e10."""
        stretch = 1e-3 / tick
        like = Contact(contact.mass * stretch**2, contact.damping * stretch, contact.stiffness)
        return {**like.settings(), "robot_delay": f"{self.robot} ms", "force_delay": f"{self.force} ms", "cycle": f"{self.cycle} ms"}

    def ticks(self):
        """Of the one delay that is like the three: a hold is late by half a cycle."""
        return self.robot + self.force + self.cycle / 2

    def closed_form(self, contact):
        return contact.border() / self.ticks()

    def exact(self, contact, tick):
        """Largest modulus of the roots of the sampled loop, of the very solution between two samples; NumPy's eigenvalues."""
        m, b, k = contact.mass, contact.damping, contact.stiffness
        cycle, dead = self.cycle * tick, self.robot + self.force
        whole = -(-dead // self.cycle)
        rest = (whole * self.cycle - dead) * tick  # the sample is of so long after a sample of the hold
        double = np.poly([1, 1])
        place = np.polyadd(np.array([cycle**2 / 2, cycle**2 / 2]), np.polyadd(rest * cycle * np.array([1, -1]), rest**2 / 2 * double))
        speed = np.polyadd(cycle * np.array([1, -1]), rest * double)
        polynomial = np.polyadd(m * np.concatenate([double, np.zeros(whole)]), np.polyadd(k * place, b * speed))
        return max(abs(np.roots(polynomial)))

    def of_numpy(self, contact):
        guess = self.closed_form(contact)
        return crossing(lambda tick: math.log(self.exact(contact, tick)), 0.3 * guess, 3 * guess)

    def of_linearize(self, contact, share=1e-4):
        """A tick at the border, from the poles' modulus a little below and above NumPy's; no crossing there is NaN."""
        tick = self.of_numpy(contact)
        low, high = (math.log(radius(THREE, "position.y", self.settings(contact, tick * (1 + by)))[0]) for by in (-share, share))
        return tick * (1 + share * (-low - high) / (high - low)) if low < 0 < high else math.nan

    def of_scan(self, contact):
        """Nyquist's first crossing, w scanned: the hold by its mean, (1 - exp(-s cycle)) / (s cycle), which knows no samples."""
        m, b, k = contact.mass, contact.damping, contact.stiffness
        dead = self.robot + self.force

        def phase(tick):  # beyond -180 degrees where |L| = 1; L = (b s + k) hold exp(-s dead) / (m s^2)
            def size(w):
                half = w * self.cycle * tick / 2
                return math.hypot(k, b * w) * abs(math.sin(half) / half) / (m * w * w)
            low, high = 1e-3 * contact.frequency(), min(10 * contact.frequency(), 1.999 * math.pi / (self.cycle * tick))
            grid = np.geomspace(low, high, 400)
            last = max((w for w in grid if size(w) >= 1), default=low)
            w = crossing(lambda w: 1 - size(w), last, last * (grid[1] / grid[0])) if last < high else high
            return w * (dead + self.cycle / 2) * tick - math.atan2(b * w, k)
        guess = self.closed_form(contact)
        return crossing(phase, 0.3 * guess, 3 * guess)

    def of_routh(self, contact, order):
        """Routh's conditions, each delay and the hold by Pade's approximation of this order."""
        m, b, k = contact.mass, contact.damping, contact.stiffness

        def stable(tick):
            over, under = np.array([b, k]), np.array([m, 0, 0])
            for ticks in (self.robot, self.force):
                if ticks > 0:
                    top, bottom = pade(order, ticks * tick)
                    over, under = np.polymul(over, top), np.polymul(under, bottom)
            top, bottom = pade(order, self.cycle * tick)
            held = np.polysub(bottom, top)[:-1] / (self.cycle * tick)  # (1 - e^(-sT)) / (sT): the root at 0 cancels
            return routh(np.polyadd(np.polymul(over, held), np.polymul(under, bottom)))
        low, high = 0.2 * self.closed_form(contact), 4 * self.closed_form(contact)
        assert stable(low) and not stable(high)
        while high - low > 1e-9 * high:
            middle = (low + high) / 2
            low, high = (middle, high) if stable(middle) else (low, middle)
        return low


def pade(order, delay):
    """Of exp(-s delay): numerator and denominator, the highest power first."""
    factors = [math.factorial(2 * order - j) * math.comb(order, j) * delay**j for j in range(order, -1, -1)]
    return np.array([(-1) ** (order - i) * f for i, f in enumerate(factors)]), np.array(factors)


def routh(polynomial):
    """Whether all roots are left of the axis: no sign changes in the first column of Routh's table, in exact fractions."""
    numbers = [Fraction(float(c)) for c in polynomial]
    upper, lower = numbers[0::2], numbers[1::2]
    lower += [Fraction(0)] * (len(upper) - len(lower))
    for _ in range(len(numbers) - 1):
        if upper[0] * lower[0] <= 0:
            return False
        upper, lower = lower, [upper[i + 1] - upper[0] * lower[i + 1] / lower[0] for i in range(len(lower) - 1)] + [Fraction(0)]
        if not any(lower):
            break
    return True


def damped_walls(folder):
    """Runs diagrams/studies/damped_walls.xml, draws its map with both borders, and gives a row for each stiffness."""
    study, store, searched = project / "diagrams/studies/damped_walls.xml", folder / "map.sqlite", folder / "edge.sqlite"

    def sweep(*words):
        program = os.environ.get("HILDA", str(project / "build" / "bin" / "hilda"))
        return subprocess.run([program, "sweep", *map(str, words)], check=True, capture_output=True, text=True).stdout
    sweep(study, "-o", store, "-j", "1")
    picture = here / "closed_form.svg"
    sweep("plot", store, "--figure", "energy", "--limit", "1", "--across", "response_delay", "--up", "stiffness", "--least", "0.1",
          "--greatest", "10", "-o", picture)
    told = sweep("edge", study, "--along", "response_delay", "--figure", "stable", "--step", "0.05ms", "-j", "1", "-o", searched)
    simulated = {float(k): (float(a), float(b))
                 for k, a, b in re.findall(r"stiffness (\S+) N/m: stable true up to (\S+) s, false from (\S+) s", told)}
    text = study.read_text()
    damping = 1e3 * float(re.search(r'path="damping" value="(\S+) N s/mm"', text).group(1))
    stiffnesses = [1e3 * float(k) for k in re.search(r'path="stiffness" values="([\d. ]+) N/mm"', text).group(1).split()]
    low, high, count = re.search(r'from="(\S+) ms" to="(\S+) ms" count="(\d+)"', text).groups()
    delays_there = [1e-3 * d for d in np.geomspace(float(low), float(high), int(count))]
    lines, rows = ([], []), []
    for k in np.geomspace(stiffnesses[0], stiffnesses[-1], 60):
        contact = Contact(REDUCED_MASS, damping, k)
        lines[0].append((contact.border(), k))
        lines[1].append((contact.contact_border(), k))
    draw_lines(picture, ["uncompensated"], delays_there, stiffnesses,
               [("closed form of the loop", "7 4", lines[0]), ("closed form of one contact", "none", lines[1])], (True, True))
    for k in stiffnesses:
        contact = Contact(REDUCED_MASS, damping, k)
        between = simulated.get(k)
        rows.append([f"{k / 1e3:g}", f"{1e3 * contact.border():.3f}", f"{1e3 * contact.contact_border():.3f}",
                     f"{1e3 * between[0]:.2f} to {1e3 * between[1]:.2f}" if between else "beyond 64",
                     f"{contact.rebound(contact.border()):.3f}"])
    return rows


def relative(found, wanted):
    return abs(found / wanted - 1)


def summary(errors):
    ordered = sorted(errors)
    return [str(len(errors)), f"{ordered[len(ordered) // 2]:.1e}", f"{ordered[-1]:.1e}"]


def errors_of_one(cases):
    rows = [["NumPy's root of the characteristic equation, from jw", *summary([abs(c.root(c.border()) / (1j * c.frequency()) - 1) for c in cases])],
            ["`linearize` of delayed_contact: the largest pole crosses the circle", *summary([relative(border_of_linearize(c), c.border()) for c in cases])]]
    some = [(c, c.border() * share) for c in to_run(100) for share in (0.95, 1.05)]
    grown = [(ran(c, delay), c.root(delay).real) for c, delay in some]
    right = sum(1 for found, wanted in grown if (found > 0) == (wanted > 0))
    rows.append([f"runs at 0.95 and 1.05 of the border: growth a second next to the root's real part; {right} of {len(some)} grow or decay as it says",
                 *summary([relative(*pair) for pair in grown])])
    return rows


def shift_of_ticks(contact):
    rows = []
    for ticks in (1, 2, 5, 10, 20, 50):
        late = Delays(ticks, 0, 1)
        exact = late.of_numpy(contact)
        rows.append([str(ticks), f"{1e3 * exact:.5f}", f"{1e3 * ticks * exact:.4f}", f"{100 * (ticks * exact / contact.border() - 1):.2f} %",
                     f"{100 * ((ticks + 0.5) * exact / contact.border() - 1):.4f} %", f"{relative(late.of_linearize(contact), exact):.0e}"])
    return rows


def errors_of_three(pairs):
    exact = [late.of_numpy(c) for c, late in pairs]
    judges = [("`linearize` of three_delays", lambda c, late: late.of_linearize(c)),
              ("closed form, one delay: robot + force + half a cycle", lambda c, late: late.closed_form(c)),
              ("scan of the axis, the hold by its mean", lambda c, late: late.of_scan(c))]
    judges += [(f"Routh, Pade of order {order}", lambda c, late, order=order: late.of_routh(c, order)) for order in (1, 2, 3)]
    rows = [["modulus of the largest pole, `linearize`, at that border (absolute)",
             *summary([abs(radius(THREE, "position.y", late.settings(c, tick))[0] - 1) for (c, late), tick in zip(pairs, exact)])]]
    return rows + [[name, *summary([relative(judge(c, late), tick) for (c, late), tick in zip(pairs, exact)])] for name, judge in judges]


def main():
    began = time.process_time()
    cases = list(contacts(100))
    contact = Contact(60, 50, 1000)
    with tempfile.TemporaryDirectory() as folder:
        walls = damped_walls(Path(folder))
    published = [[f"{m}", f"{b}", f"{k}", f"{1e3 * c.border():.4f}", f"{1e3 * border_of_linearize(c):.4f}", f"{c.frequency():.4f}"]
                 for m, b, k in ((60, 50, 1000), (60, 50, 3000), (500, 200, 10000)) for c in [Contact(m, b, k)]]
    pairs = list(zip(cases, delays(100)))
    text = f"""<!-- written by closed_form.py; do not edit -->
# The closed form of a delayed contact

This page shows how well hilda finds the border of stability of a contact whose force comes late, for which there is a closed form.

{datetime.date.today()}, {kind_of_machine()}, {platform.system()} {platform.release()}, NumPy {np.__version__}. `docs/results/validation/closed_form.py` writes this page.

    m x'' + b x'(t - T) + k x(t - T) = 0
    at the border:  w^2 = (b^2 + sqrt(b^4 + 4 m^2 k^2)) / (2 m^2),  T = atan2(b w, k) / w

Without a damper the border is at T = 0: any delay makes energy. Diagrams: [delayed_contact](../../../examples/models/delayed_contact.xml),
[three_delays](../../../examples/models/three_delays.xml).

{table(["mass, kg", "damping, N s/m", "stiffness, N/m", "border, ms", "by `linearize`, ms", "frequency, rad/s"], published)}

## 100 random cases
Masses from 1 kg to 10 t, stiffness from 100 N/m to 10 kN/mm, damping from 0.003 to 3 times critical, drawn evenly in their logarithms,
seed 39. Sixteen periods in the delay, cubics between them. `linearize` must have its crossing between T (1 - 1e-5) and
T (1 + 1e-5), or the case counts as missed (nan).

{table(["against the closed form", "cases", "median of the relative error", "worst"], errors_of_one(cases))}

Runs: those of the 100 with w T above 0.1; in the others a turn has thousands of ticks.

## A delay in ticks
Where the force is sampled and held for a tick h, and the delay is n ticks, the border moves: a hold is late by half a tick on
average, so n h + h / 2 is what compares with T. Who compares n h alone with T takes a loop for stable that is not: n h at the border is
smaller than T, by about 1 / (2 n). The exact border is where the largest root of the sampled loop's characteristic
polynomial (NumPy, eigenvalues of its companion matrix) is on the unit circle. Contact: 60 kg, 50 N s/m, 1000 N/m, T = {1e3 * contact.border():.4f} ms.

{table(["n", "h at the border, ms", "n h, ms", "n h next to T", "n h + h / 2 next to T", "`linearize` next to NumPy"], shift_of_ticks(contact))}

## Three delays
Robot (1 to 12 ticks), force (0 to 6) and a cycle (1 to 8) in which the force is held, seed 3, with the same 100 contacts. The tick at the border is compared. Reference: NumPy's roots of the sampled loop's characteristic polynomial, which is exact.

{table(["compared with NumPy", "cases", "median of the relative error", "worst"], errors_of_three(pairs))}

`linearize` takes differences of the running system, and its poles show it: of a weakly damped loop the modulus hardly changes with
the delay, so that an error of 1e-9 in it can be 1e-5 of the border.

The scan and Routh's table know the hold by its mean, (1 - exp(-s T)) / (s T); the rest at any order of Pade's approximation is the sampling itself. Where a cycle is a large part of the delay and w T is about 1, use `linearize`.

## In the contact diagrams
[uncompensated](../../../diagrams/uncompensated.xml) has this loop: m is the reduced mass of both satellites ({REDUCED_MASS:.2f} kg), T the dead time of the robot.
[damped_walls](../../../diagrams/studies/damped_walls.xml) gives its walls 2 N s/mm. A wall does not pull: contact begins with an empty
delay, and ends with a force that comes late. So the energy of *one contact* is kept at a shorter delay than the loop's border. That has a
closed form too: the series of the motion in T, up to where the force ends. `hilda sweep edge` finds the change by runs, in steps of 0.05 ms; their ticks of
1 ms move it by up to 0.3 ms.

{table(["stiffness, N/mm", "border of the loop, ms", "border of one contact, ms", "runs change between, ms", "energy ratio of a contact at the loop's border"], walls)}

![Energy after five contacts, and both borders](closed_form.svg)

Colour: kinetic energy after five contacts over that at the start. Red: where it passes 1. Black: the closed form, of one contact (whole) and
of the loop (dashed). Crossed out: the run failed, as the loop diverged.
The shipped diagrams' walls have no damper, so that in [their map](stability.md) the border is at no delay.

The page took {time.process_time() - began:.0f} s of processor time in addition to the sweeps.
"""
    (here / "closed_form.md").write_text(text)


if __name__ == "__main__":
    main()
