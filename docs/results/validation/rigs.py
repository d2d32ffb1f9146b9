#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""PIDA and TDPA on three simulated rigs: robot, hexapod and air-bearing table. Writes rigs.md.

    docs/results/validation/rigs.py      HILDA=path: another program than build/bin/hilda
"""
import concurrent.futures
import datetime
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from runs import here, run  # noqa: E402
from tables import table  # noqa: E402

COUNTS = (5, 100, 1000)
DOCKING, ROOM = ("uncompensated", "pida"), ("tdpa_uncompensated", "tdpa")
OBLIQUE = "pida_oblique"
FLAT = ("velocity=0.1 0.15 0 m/s", "angular_velocity=0 0 0 rad/s")
SPINNING = ("velocity=0.1 0.15 0 m/s", "angular_velocity=0 0 0.03 rad/s")
SAME = ("rig.mass=50 kg", "rig.inertia=22 kg m2")


def air(mass, *more):
    return ("air_bearing", (f"rig.mass={mass} kg", *more))


def rigs(robot, mass, *more):
    """Name, rig and settings: the vehicle's mass is `mass`, that of the simulated motion, or another."""
    return (("robot", robot, ()), ("hexapod", "hexapod", ()), (f"air bearing, {mass:g} kg", *air(mass, *more)),
            (f"air bearing, {0.7 * mass:g} kg", *air(0.7 * mass, *more)), (f"air bearing, {4 * mass:g} kg", *air(4 * mass, *more)))


def cases():
    """Diagram, name of the case, name of the rig, rig, settings."""
    for diagram in DOCKING:
        for name, rig, settings in rigs("two_walls", 280):
            yield diagram, "along x", name, rig, settings
        for name, rig, settings in rigs("two_walls", 280)[:1] + rigs("two_walls", 280)[1:2]:
            yield diagram, "along x, legs or robot with 15 Hz", name, rig, (*settings, "natural_frequency=15 Hz")
    for name, rig, settings in rigs("two_walls", 280)[:3]:
        yield OBLIQUE, "oblique, both satellites turn", name, rig, settings
    for diagram in ROOM:
        for case, motion in (("in the plane", FLAT), ("in the plane, turning", SPINNING)):
            for name, rig, settings in rigs("room", 50, "rig.inertia=22 kg m2"):
                yield diagram, case, name, rig, (*motion, *settings)


def ran(case):
    diagram, _, _, rig, settings = case
    most = COUNTS[-1] if "uncompensated" not in diagram else 100
    return run(diagram, f"contacts={most}", "duration=4000 s", *settings, rig=rig)


def energy(r, count):
    """After so many contacts; what came instead where there were fewer."""
    if len(r.contacts) >= count:
        return f"{r.contacts[count - 1]['energy_ratio']:.4g}"
    return "failed" if r.code == 3 else "rest"


def first(r):
    return r.contacts[0]["cor"], r.contacts[0]["cof"]


def ending(r):
    if r.code != 3:
        return f"{len(r.contacts)} contacts"
    text = r.data["ending"]["text"]
    why = next((word for word in ("longer", "shorter", "faster") if f"would be {word}" in text), "")
    return f"{len(r.contacts)} contacts, then " + (f"a leg too {dict(longer='long', shorter='short', faster='fast')[why]}" if why else "diverged" if "diverged" in text else text)


def row(case, r):
    cor, cof = first(r)
    counts = [energy(r, n) if n <= (1000 if "uncompensated" not in case[0] else 100) else "-" for n in COUNTS]
    return [case[0], case[1], case[2], f"{cor:.4f}", f"{cof:.3f}", *counts, ending(r)]


def largest_difference(results):
    """Energies of robot and hexapod with a dead time alone, over the first ten contacts: largest relative difference."""
    most = 0.0
    for case, r in results:
        if case[2] != "robot" or "Hz" in case[1]:
            continue
        other = next(x for c, x in results if c[:2] == case[:2] and c[2] == "hexapod")
        for a, b in list(zip(r.contacts, other.contacts))[:10]:
            most = max(most, abs(b["energy_ratio"] / a["energy_ratio"] - 1))
    return most


def friction_rows():
    """What table and thrusters add: contacts of `pida` on a vehicle of 280 kg."""
    for name, settings in (("no friction, level, free (tracking_frequency 0)", ("rig.coulomb=0", "rig.viscous=0 N s/m", "rig.tilt=0 rad", "rig.tracking_frequency=0 rad/s")),
                           ("no friction, level", ("rig.coulomb=0", "rig.viscous=0 N s/m", "rig.tilt=0 rad")),
                           ("as it is: 1e-5, 0.01 N s/m, 10 urad", ()),
                           ("Coulomb 1e-4", ("rig.coulomb=1e-4",)), ("Coulomb 1e-3", ("rig.coulomb=1e-3",)),
                           ("tilt 0.1 mrad", ("rig.tilt=0.1 mrad",)), ("tilt 1 mrad", ("rig.tilt=1 mrad",))):
        r = run("pida", "contacts=20", *settings, rig="air_bearing")
        yield [name, f"{first(r)[0]:.4f}", f"{first(r)[1]:.3f}", energy(r, 20), ending(r), f"{1e3 * r.data['tracking']['largest_error']:.2f} mm",
               f"{1e3 * r.data['table']['lost']:.2f} mJ"]


def main():
    every, added = list(cases()), list(friction_rows())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(zip(every, pool.map(ran, every)))
    text = f"""<!-- written by rigs.py; do not edit -->
# PIDA and TDPA on robot, hexapod and air-bearing table

This page shows what one diagram does on three simulated rigs, without a change of the diagram.

{datetime.date.today()}, {platform.machine()}. Each row is `hilda run diagrams/DIAGRAM.xml --rig diagrams/rigs/RIG.xml`, with these rigs: `two_walls` or `room` (*robot*), `hexapod`, `air_bearing`. The dead time is that of
the diagram: 20 ms (docking), 10 ms (tdpa). On the air-bearing table it is that of the thrusters. *cor*: speed after the first contact over that before it. *cof*: its peak force
over that of an undelayed contact. *Energy*: after so many contacts, over that at the start. *failed*: the run ended before, by what the last column says. *rest*: contacts ended before.

{table(["diagram", "motion", "rig", "cor", "cof", *[f"energy, {n}" for n in COUNTS], "run"], [row(c, r) for c, r in results])}

- **A hexapod is a robot.** Its legs have the robot's dead time, and the pose is exact where they are, so the energies differ by {largest_difference(results):.0e} at most in the first ten contacts.
  A leg ends a run where the motion leaves its stroke or its speed: where energy grows, and where the satellites of `pida_oblique` drift apart sideways.
  With a second order the legs filter lengths instead of the pose. That is the same to first order.
- **On an air-bearing table the contact itself moves the vehicle.** If vehicle and simulated motion have one mass, the two rebound alike: an uncompensated contact gains about a per cent, not a factor of two.
  The delay is that of weak thrusters, which hardly matter within a contact.
- **The mass must fit.** A vehicle that is too light gives too small an impulse, and the loop loses energy; one that is too heavy gives too large a one. PIDA corrects a heavy vehicle, because it computes
  the force at the commanded position. It does not correct a light one, whose contact ends before that of the simulated body.
- **Turning satellites do not fit.** The inertia that a contact away from the centre of mass meets depends on where it is. One vehicle has one mass and one inertia, so energy wanders in `pida_oblique`.
- **TDPA** takes out most of what a heavy vehicle adds, and adds nothing where energy is lost. Over 1000 contacts energy grows on the robot, too: the diagram integrates by explicit Euler ([tdpa](tdpa.md)).

## What the table adds
`pida`, vehicle of 280 kg, 20 contacts. *Error*: farthest distance of the vehicle from the command. *Lost*: energy that friction took.

{table(["table", "cor", "cof", "energy, 20", "run", "error", "lost"], added)}

The thrusters replace what friction takes, and hold the vehicle on a slope. Where the table is worse, the error grows until contacts of vehicle and simulation are at different places.
Defaults of friction and tilt are guesses of a good table, not measurements of one.
"""
    (here / "rigs.md").write_text(text)


if __name__ == "__main__":
    main()
