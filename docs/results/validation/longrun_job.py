# SPDX-License-Identifier: BSD-3-Clause
"""One long run: its commands, and which of its figures are kept."""
import json
import math

import runs

mass, wall, speed, tick = 1 / (1 / 300 + 1 / 4000), 176275.0, 0.02, 1e-3
w = math.sqrt(wall / mass)
methods = {"PIDA": ("pida", ("integrator=symplectic",)), "PIDA, zoh": ("pida", ("integrator=zoh",)),
           "DAC": ("dac", ("integrator=symplectic",)), "PIC": ("pic", ("integrator=symplectic",)),
           "PIC, zoh": ("pic", ("integrator=zoh",)), "TDPA": ("tdpa", ())}
on_one_axis = (f"mass={mass!r} kg", "velocity=0.02 0 0 m/s", "angular_velocity=0 0 0 rad/s", "stiffness=176.275 N/mm",
               "rotational_stiffness=0 N m/rad", "rotational_half_size=inf")


class Job:
    """A run of a diagram on a rig with settings; `contacts` are the numbers of which the speed is kept."""

    def __init__(self, diagram, settings, rig=None, contacts=(5, 100, 1000)):
        self.diagram, self.settings, self.rig, self.contacts = diagram, tuple(settings), rig, contacts
        self.kind = diagram
        self.key = json.dumps([type(self).__name__, diagram, rig, self.settings, contacts])

    def run(self, folder):
        """The figures of the run, made again."""
        command = [*runs.words(self.diagram, self.settings, self.rig), "--no-log"]
        return self.digest(*runs.execute(command, folder / "summary.json"))

    def digest(self, code, said, data):
        # Noise carries a satellite of TDPA into the other walls of its room as well.
        rows = [row for row in data.get("contacts") or [] if row.get("wall", "x")[0] == "x"]
        speeds = [row["speed_before"] for row in rows]
        return {"exit": code, "contacts": len(rows), "ledger": data.get("ledger"), "energy": data.get("energy"),
                "speeds": {str(n): speeds[n] / speeds[0] for n in self.contacts if n < len(speeds)},
                "peak": max((row["peak_force"] for row in rows), default=None), "time": data.get("time"),
                "error": said[-200:] if code else ""}


class SceneJob(Job):
    """Against the ideal run: CoV and energy after contacts, and momentum."""

    def digest(self, code, said, data):
        kept = super().digest(code, said, data)
        rows = data.get("contacts") or []
        kept["cov"] = {str(n): rows[n - 1].get("cov") for n in self.contacts if n <= len(rows)}
        kept["ratio"] = {str(n): rows[n - 1].get("energy_ratio") for n in self.contacts if n <= len(rows)}
        kept["momentum"] = data.get("momentum_error")
        return kept


def contact_job(name, delay, *more, ledger=False, contacts=1000, rig=None, gap=6, seconds=None):
    """On one axis, where the ideal is known in closed form. Nothing happens in flight but the settling, so a gap (mm)
    shorter than the paper's gives the same contacts in a fraction of the time."""
    diagram, own = methods[name]
    settings = [*own, f"response_delay={delay} ms", *more]
    if diagram == "tdpa":
        # The run is given a time (seconds): of all contacts at 20 mm/s, and half as long again; a damped wall slows it down.
        last = seconds or (0.055 * gap + 0.2) * contacts * (4 if contacts <= 100 else 1)
        settings = [*on_one_axis, *settings, f"half_size={gap / 2:g} 1000 1000 mm", f"duration={round(last)} s", "contacts.capacity=4000"]
    else:
        settings += [f"contacts={contacts + 1}", "figures.metrics.capacity=4000", f"duration={4 * contacts} s", "figures.ideal.horizon=1 ms"]
        settings += [f"rig.half_size={gap / 2:g} 1000 1000 mm" if rig == "room" else f"gap={gap:g} mm"]
    kept = tuple(n for n in (5, 30, 100, 300, 1000) if n <= contacts)
    return Job(diagram + ("_ledger" if ledger else ""), settings, rig, kept)


def damped_ideal(c):
    """Restitution of a wall of the damping c, N s/m."""
    z = c / (2 * math.sqrt(wall * mass))
    return math.exp(-z * (math.pi - 2 * math.asin(z)) / math.sqrt(1 - z * z))
