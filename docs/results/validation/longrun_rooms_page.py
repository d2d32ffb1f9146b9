# SPDX-License-Identifier: BSD-3-Clause
"""The tables of rooms in longrun.md."""
import math

from longrun_rooms import box_jobs, delays, ends, four, frictions, port_room, rough_jobs, tdpa_room, tdpa_room_published
from tables import show, table


def energies(page, jobs):
    figures = [page.figures(job) for job in jobs]
    return None if None in figures else [f["energy"]["kinetic_final"] / f["energy"]["kinetic_initial"] for f in figures]


def tdpa(page):
    rows = []
    for d in delays:
        values, plain = energies(page, [tdpa_room[d, t] for t in ends]), energies(page, [tdpa_room_published[d, 1000.0]])
        rows.append([f"{d} ms", show(plain[0]) if plain else "not run", " ".join(show(v) for v in values) if values else "not run",
                     show(min(values, key=lambda v: abs(v - 1)), 5) if values else "not run"])
    port = {d: energies(page, [port_room[d, ends[0]]]) for d in (10, 40)}
    return ["## TDPA in its room, 1000 s", "",
            "Three pairs of walls and rotational ones, an account for each axis and one for rotation. Kinetic energy over that at the start; a "
            "satellite that touches a wall at the end has some in the wall, so five ends are listed and the one nearest to 1 is in free flight.", "",
            table(["delay", "published, 1000 s", "with ledger, five ends", "in free flight"], rows), "",
            "TDPA's own `grouping=port` in that room, ledger with it: " +
            ", ".join(f"{d} ms {show(port[d][0]) if port[d] else 'not run'}" for d in port) + ". See what does not hold."]


def box(page):
    rows = []
    for (m, d), job in box_jobs.items():
        f = page.figures(job)
        rows.append([m, f"{d} ms", *([show(f["least"], 5), show(f["most"], 5), show(f["peak"], 2), show(f["free"], 2)] if f else ["not run"] * 4)])
    return ["## Contact methods in that room", "", "`ledger_grouping=axis`, 150 s, contacts on three axes that overlap. Kinetic energy over that at the start, "
            "least and most while nothing is left to settle; the largest at any time, overlapping contacts and the settling included; share of the "
            "time that nothing was.", "", table(["method", "delay", "least", "most", "at any time", "settled"], rows)]


def rough(page):
    rows = []
    for mu in frictions:
        for g in ("axis", "port"):
            for m in four[:3]:
                for d in (10, 40):
                    f = page.figures(rough_jobs[m, mu, d, g])
                    told = ["not run", ""] if f is None else [" / ".join(show(f["speeds"].get(str(n), math.inf)) for n in (5, 30, 300)),
                                                              " / ".join(show(f["ratio"].get(str(n), math.inf)) for n in (5, 30, 300))]
                    rows.append([f"{mu:g}", g, m, f"{d} ms", *told])
    return ["## Friction", "", "Coulomb friction at the contact point, struck at 0.02 m/s along the normal and 0.01 m/s tangentially to it. After 5 / 30 / 300 contacts: speed "
            "along the normal over that at the start, which should stay 1; energy over that at the start, which should end at 0.8.", "",
            table(["friction", "accounts", "method", "delay", "normal speed", "energy"], rows)]


def rooms(page):
    return "\n".join([*tdpa(page), "", *box(page), "", *rough(page)])
