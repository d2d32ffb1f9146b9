#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The contact methods compared on one rig, with the closed form of a late contact. Writes methods.md.

    docs/results/validation/methods.py [-j 1] [--stores FOLDER]      HILDA=path: another program than build/bin/hilda

The runs are those of diagrams/studies/methods.xml, methods_map.xml, methods_wide.xml and methods_long.xml; FOLDER keeps them in a store for
each study, and those that it has are not made again. methods_readme.py makes README's table of the page.
"""
import argparse
import datetime
import math
import platform
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from claims_contact import MASS  # noqa: E402
from claims_field import critical_damping, energy  # noqa: E402
from delayed_contact import Contact, crossing  # noqa: E402
import methods_map  # noqa: E402
from runs import here, hilda, project  # noqa: E402
from tables import table  # noqa: E402

METHODS = ("uncompensated", "pic", "dac", "acc", "pida", "hybrid_contact", "polynomial_extrapolation", "inverse_compensation", "adaptive_time_series",
           "predictive_compensation", "smith_predictor", "switching_compensation", "normalized_passivity")
DELAYS, STIFFNESSES = (0.004, 0.01, 0.02), (5e3, 20e3, 176275.0)
HARDNESSES, MASSES = (20e3, 176275.0), (60, 300, 1000)  # of the wide and the long study
NAMES = {"uncompensated": "none", "pic": "PIC", "dac": "DAC", "acc": "ACC", "pida": "PIDA", "hybrid_contact": "hybrid contact",
         "polynomial_extrapolation": "polynomial extrapolation, order 3", "inverse_compensation": "inverse compensation", "adaptive_time_series": "adaptive time series",
         "predictive_compensation": "predictive compensation", "smith_predictor": "Smith predictor", "switching_compensation": "switching compensation",
         "normalized_passivity": "normalised passivity"}


def number(x):
    return "-" if x is None else f"{x:.2f}" if 0.01 <= x < 100 else f"{x:.1e}"


def swept(study, folder, jobs, columns):
    """The columns of each run of diagrams/studies/STUDY.xml, whose store is FOLDER/STUDY.sqlite."""
    store = folder / f"{study}.sqlite"
    subprocess.run([hilda, "sweep", str(project / "diagrams" / "studies" / f"{study}.xml"), "-o", str(store), "-j", jobs], check=True)
    with sqlite3.connect(store) as database:
        return database.execute(f"SELECT {columns} FROM runs").fetchall()


def nearest(value, values):
    return min(values, key=lambda v: abs(v - value))


def measured(folder, jobs):
    """Of each method, delay and stiffness: energy after 5 contacts, after the last, and how many contacts there were."""
    rows = swept("methods", folder, jobs, "diagram, response_delay, stiffness, energy_5, energy, had, steps")
    return {(diagram, nearest(delay, DELAYS), nearest(stiffness, STIFFNESSES)): figures for diagram, delay, stiffness, *figures in rows}


def last(figures, contacts):
    """Energy after the last contact, with their number if there were fewer."""
    energy, had = figures
    return ("diverged" if energy is None else number(energy)) + ("" if had and had >= contacts else f" ({int(had or 0)})")


def wide_rows(folder, jobs):
    """Of each method: at each stiffness and mass, without and with noise. And how many runs there were."""
    rows = swept("methods_wide", folder, jobs, "diagram, stiffness, service_mass, force_noise, energy, had")
    found = {(diagram, nearest(k, HARDNESSES), nearest(m, MASSES), noise > 0): figures for diagram, k, m, noise, *figures in rows}
    return [[NAMES[method]] + [" / ".join(last(found[method, k, m, noisy], 100) for noisy in (False, True)) for k in HARDNESSES for m in MASSES]
            for method in METHODS], len(rows)


def long_rows(folder, jobs):
    """Of each method: at each stiffness, without and with noise, after 1000 contacts."""
    rows = swept("methods_long", folder, jobs, "diagram, stiffness, force_noise, energy, had")
    found = {(diagram, nearest(k, HARDNESSES), noise > 0): figures for diagram, k, noise, *figures in rows}
    return [[NAMES[method]] + [last(found[method, k, noisy], 1000) for k in HARDNESSES for noisy in (False, True)] for method in METHODS], len(rows)


def cell(figures):
    five, last, had, _ = figures
    return f"{number(five)} / {'diverged' if last is None else number(last)}" + ("" if had and had >= 100 else f" ({int(had or 0)})")


def closed_form(delay, stiffness):
    """Energy after five contacts without a damper and without compensation."""
    return Contact(MASS, 1e-9, stiffness).rebound(delay) ** 5


def kept(found, method):
    """In how many places the energy after the last contact is within a twentieth of that at the start, above, and below."""
    last = [math.inf if found[method, d, k][1] is None else found[method, d, k][1] for d in DELAYS for k in STIFFNESSES]
    return sum(abs(e - 1) <= 0.05 for e in last), sum(e > 1.05 for e in last), sum(e < 0.95 for e in last)


def misses():
    """Claims of the papers of these methods that do not hold as they are printed, from claims.md."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in (here / "claims.md").read_text().splitlines() if line.startswith("| field-")]
    return [[f"[{row[0]}](claims.md): {row[1]}", row[2], row[3], row[4]] for row in rows if row[3] != "holds"]


def critical_rows():
    for mass, stiffness, delay in ((60, 3000, 0.008), (300, 5000, 0.016), (300, 20e3, 0.016), (500, 20e3, 0.016), (300, 176275.0, 0.01)):
        reduced = 1 / (1 / mass + 1 / 4000)
        unit = stiffness * delay
        loop = crossing(lambda b: Contact(reduced, b, stiffness).border() - delay, 0.5 * unit, 3 * unit, 1e-6)
        form, runs = critical_damping(mass, stiffness, delay)
        yield [str(mass), f"{stiffness / 1e3:g}", f"{delay * 1e3:g}", f"{delay * math.sqrt(stiffness / reduced):.3f}", f"{unit:.1f}", f"{loop:.1f}", f"{form:.1f}",
               f"{runs:.1f}", f"{100 * (runs / form - 1):+.2f} %"]


def model_rows():
    for what, settings in (("nothing", ()), ("stiffness 20 % less", ("model_stiffness=${0.8 * stiffness}",)), ("stiffness 10 % less", ("model_stiffness=${0.9 * stiffness}",)),
                           ("stiffness 10 % more", ("model_stiffness=${1.1 * stiffness}",)), ("stiffness 20 % more", ("model_stiffness=${1.2 * stiffness}",)),
                           ("each wall 0.1 mm nearer", ("model_gap=29.8 mm",)), ("each wall 0.1 mm farther", ("model_gap=30.2 mm",)),
                           ("delay 8 ms", ("model_delay=8 ms",)), ("delay 12 ms", ("model_delay=12 ms",))):
        yield [what] + [number(energy("smith_predictor", 5, f"stiffness={k!r} N/m", "response_delay=10 ms", *settings)) for k in STIFFNESSES]


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("-j", default="1")
    asked.add_argument("--stores")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(given.stores) if given.stores else Path(temporary)
        found = measured(folder, given.j)
        wide, wide_runs = wide_rows(folder, given.j)
        long, long_runs = long_rows(folder, given.j)
        maps = methods_map.section(folder / "methods_map.sqlite", here / "methods_map.svg", given.j, {method: NAMES[method] for method in METHODS})
    places = [(d, k) for k in STIFFNESSES for d in DELAYS]
    lines = [["closed form, none, 5 contacts"] + [number(closed_form(*place)) for place in places] + [""]]
    for method in METHODS:
        same, more, less = kept(found, method)
        lines.append([NAMES[method]] + [cell(found[(method, *place)]) for place in places] + [f"{same} / {more} / {less}"])
    off = [found[("uncompensated", *p)][0] / closed_form(*p) - 1 for p in places if closed_form(*p) < 10]
    text = f"""<!-- written by methods.py; do not edit -->
# The contact methods compared

This page shows how much energy a contact keeps with each method on one rig, and how far the closed form predicts it.

{datetime.date.today()}, {platform.machine()}. [The study](../../../diagrams/studies/methods.xml): satellites of 300 kg and 4000 kg, walls without
damping, 20 mm/s, ticks of 1 ms, no noise; the rest as the diagrams have it. Each compensation knows the robot's delay.
{len(found)} runs, {sum(f[3] for f in found.values()) / 1e6:.1f} million ticks.

Shown: kinetic energy over that at the start, after 5 / after 100 contacts; 1 is right. In parentheses: how many contacts there were
in 400 s, if fewer than 100, or before the run diverged. Last column: places of {len(places)} in which the energy after the last of them is within a twentieth of 1 / has grown by more
/ has fallen by more.

{table(["method"] + [f"{k / 1e3:g} N/mm, {d * 1e3:g} ms" for d, k in places] + ["kept / grown / lost"], lines)}

Without a damper the border of stability is at no delay at all ([closed form](closed_form.md)): each delay makes energy. The first row is
that energy, the rebound of one contact to the power of ten. Without compensation the runs are within {100 * max(map(abs, off)):.2f} % of it where it is below 10;
their walls are touched between two ticks.

{maps}
## Noise and mass
Energy after 100 contacts at 10 ms, without / with 0.1 N of noise of the force sensor. With noise the threshold of the gate is 0.6 N. [The study](../../../diagrams/studies/methods_wide.xml)
has {wide_runs} runs, over the mass of the satellite that carries the rod.

{table(["method"] + [f"{k / 1e3:g} N/mm, {m} kg" for k in HARDNESSES for m in MASSES], wide)}

## 1000 contacts
Energy after 1000 contacts at 10 ms, 300 kg, in 4000 s at most. In parentheses: how many contacts there were, if fewer. [The study](../../../diagrams/studies/methods_long.xml) has {long_runs} runs.

{table(["method"] + [f"{k / 1e3:g} N/mm, {noise}" for k in HARDNESSES for noise in ("no noise", "0.1 N")], long)}

## Which to use
- **Hybrid contact** needs the wall's stiffness and the robot's delay. It stays near 1 for few contacts and w T below 0.3. What its damper misses adds up with each
  contact. Most of it is the touch between two ticks: with shorter ticks less is missed.
- **Polynomial extrapolation, inverse compensation and adaptive time series** need no knowledge of the wall. They change the command and not the
  force, so that the robot really does what the satellites do. They amplify noise of the simulated motion, which has none here.
- **Polynomial extrapolation** of order 3 takes energy away and **inverse compensation** makes energy, both the more the larger w T is.
- **Adaptive time series** needs no exact delay: begun 40 % too short it learns the delay from the flight before the first contact.
- **Predictive compensation** does here what polynomial extrapolation does, since the robot is a dead time. It also knows of a second order.
- **Smith predictor** is exact here, because its model of the wall is the wall. What a wrong model costs is below. It must also know where the wall is.
- **Switching compensation** needs the stiffness, which it identifies. After 5 contacts the energy is within a tenth of 1.
- **Normalised passivity** takes energy away at small w T and makes energy at large w T. It needs no delay, but its gain needs stiffness and mass.
- **For many contacts**: {" and ".join(NAMES[m] for m in METHODS if kept(found, m)[0] == len(places)) or "no method"} {"keeps" if sum(kept(found, m)[0] == len(places) for m in METHODS) < 2 else "keep"} the energy in all places of the table. With noise of the force sensor PIDA gains energy, most at soft walls.
  Behind another method [put a ledger](longrun.md).

## Smith predictor with a wrong model
Energy after 5 contacts, 10 ms. The predictor takes the walls for softer or stiffer than they are, or knows their distance or the delay wrongly.

{table(["wrong in the model"] + [f"{k / 1e3:g} N/mm" for k in STIFFNESSES], list(model_rows()))}

## Critical damping of hybrid contact
With a virtual damper b and no other the loop is m x'' + b x'(t - T) + k x(t - T) = 0. Runs: the virtual damping of
`hybrid_contact` with which one contact keeps its energy, ticks of 0.25 ms, threshold 0.01 N. Next to it are the closed forms of the loop and of one contact,
whose force does not pull. Damping in N s/m.

{table(["service mass, kg", "stiffness, N/mm", "delay, ms", "w T", "k T", "border of the loop", "border of one contact", "runs", "runs against one contact"], list(critical_rows()))}

The default of `virtual_damping` is k T (1 + p/3 + 0.47 p^2 + 2.5 p^4), p = w T. It is a fit of ours to the column "border of one contact", within 0.2 % for p up to 0.4.

## What does not reproduce
Claims of the texts that do not hold here as they are printed. All others of these methods hold: [claims](claims.md#later-contact-methods-from-public-abstracts-and-notes-alone).

{table(["claim", "here", "verdict", "why"], misses())}

## Sources, and what is a guess
| method | read | guessed, or ours |
|---|---|---|
| hybrid contact | abstracts of arXiv 1309.3512 and 1409.0562: the force is a sum of measured and virtual, the loop is of second order with one delay, virtual and real compliance are combined | that the virtual force follows the reported motion (it makes the one delay); the direction and the depth of the virtual spring; the default damping |
| polynomial extrapolation | abstracts and introductions that report Horiuchi and others 1999; the weights 4, -6, 4, -1 follow from the polynomial | the start, where there are few points; that twist and rotation are predicted like the position |
| inverse compensation | no text of Chen and Ricles 2009 | that it is the inverse of a first-order lag whose steady lag is the delay |
| adaptive time series | a public parameter file by its author: three coefficients, their limits, rates, window, skipped samples and the start a2 = a1^2/2 | derivatives by plain differences; the ridge; no filter of the signals |
| predictive compensation | the abstract of 10.3389/fbuil.2020.00127: a robust model predictive controller, polynomial extrapolation and a Kalman filter | the cost, the horizon, the weight of the second difference; that the Kalman filter estimates what the model lacks |
| Smith predictor | the abstract of Li and others: a hybrid Smith predictor with a dead-zone disturbance observer, which addresses delay and dead zone together | the structure; what the observer makes of a measured 0; its filter |
| switching compensation | the abstract of Actuators 13(4) 123: a switching compensator of variable gain, an energy observer, a tracking differentiator. The differentiator's law is Han's, of 2009 | the law, the gains and the band; that the energy of the spring follows from the identified stiffness |
| normalised passivity | the beginning of 10.1007/s40435-021-00790-8: passivity of the robot, which has two ports; title and abstract | the normalisation by the filtered power passed; the damper; gain and filter |

TDPA has a separate room and is on [another page](comparison.md).
"""
    (here / "methods.md").write_text(text)


if __name__ == "__main__":
    main()
