# SPDX-License-Identifier: BSD-3-Clause
"""Rooms: walls on three axes that are touched at the same time, and walls with friction."""
import csv
import subprocess

import runs
from longrun_job import Job, methods

four = ("PIDA", "DAC", "PIC", "TDPA")
# The satellite of comparison.md in its room, with an account for each axis and one for rotation.
box = ("service_mass=50 kg", "target_mass=inf", "service_inertia=18 20 22 kg m2", "stiffness=2000 N/m", "contacts=0", "rig.half_size=0.2031 m",
       "velocity=0.1 0.15 0.2 m/s", "figures.ideal.horizon=1 ms", "ledger_grouping=axis")


class BoxJob(Job):
    """Kinetic energy while the ledger has nothing to settle, and its largest value at any time, both over that at the start."""

    def run(self, folder):
        log, sheet = folder / "run.mcap", folder / "run.csv"
        code, said, data = runs.execute([*runs.words(self.diagram, self.settings, self.rig), "--log", str(log)], folder / "summary.json")
        subprocess.run([runs.hilda, "export", str(log), "satellites.service.kinetic_energy", "ledger.settled", "--csv", "--out", str(sheet)],
                       check=True, stdout=subprocess.DEVNULL)
        with open(sheet) as lines:
            rows = [(float(row[1]), float(row[2])) for row in list(csv.reader(lines))[1:]]
        start, free = rows[0][0], [energy for energy, settled in rows if settled]
        return {"exit": code, "error": said[-200:] if code else "", "free": len(free) / len(rows), "least": min(free) / start,
                "most": max(free) / start, "peak": max(energy for energy, _ in rows) / start}


box_jobs = {(m, d): BoxJob(methods[m][0] + "_ledger", (*methods[m][1], *box, f"response_delay={d} ms", "duration=150 s"), "room")
            for m in four[:3] for d in (10, 40)}

# Two half-spaces with Coulomb friction, struck at an angle: the normal speed stays, the speed along the wall goes, so that
# 0.02^2/(0.02^2 + 0.01^2) of the energy is left.
rough = ("rig.points=0 0 0; 0 0 0;", "rig.normals=1 0 0; -1 0 0;", "rig.offsets=-3 -3 mm", "velocity=0.02 0.01 0 m/s", "target_mass=inf",
         "service_mass=279.07 kg", "contacts=301", "figures.metrics.capacity=4000", "duration=600 s", "figures.ideal.horizon=1 ms")


class RoughJob(Job):
    def digest(self, code, said, data):
        kept = super().digest(code, said, data)
        rows = data.get("contacts") or []
        kept["ratio"] = {str(n): rows[n - 1]["energy_ratio"] for n in self.contacts if n <= len(rows)}
        return kept


frictions = (0.1, 0.3)
rough_jobs = {(m, mu, d, g): RoughJob(methods[m][0] + "_ledger", (*methods[m][1], *rough, f"rig.friction={mu}", f"response_delay={d} ms",
                                                                f"ledger_grouping={g}"), "room", (5, 30, 300))
              for m in four[:3] for mu in frictions for d in (10, 40) for g in ("axis", "port")}

# The satellite of the TDPA page, three pairs of walls and rotational ones, 1000 s; ends at which it flies freely are looked for.
delays = (0, 4, 10, 20, 40)
ends = (1000.0, 1000.7, 1001.3, 1002.1, 1003.4)
tdpa_room = {(d, t): Job("tdpa_ledger", (f"response_delay={d} ms", f"duration={t} s"), None, ()) for d in delays for t in ends}
tdpa_room_published = {(d, 1000.0): Job("tdpa", (f"response_delay={d} ms", "duration=1000 s"), None, ()) for d in delays}
port_room = {(d, t): Job("tdpa_ledger", (f"response_delay={d} ms", f"duration={t} s", "grouping=port"), None, ()) for d in (10, 40) for t in ends[:1]}
