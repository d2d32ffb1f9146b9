#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables of comparison.md: all methods on the same scenarios, on both rigs. Every number comes from a run.

    docs/results/comparison.py [path to hilda] [--long]

What stands above the first table is kept: it is written by hand, from the numbers. The long runs are those of longrun.py,
from its store; --long writes these anew and leaves the other tables.
"""
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import runs
from longrun_cases import four, noisy, noisy_published, published, seeds, with_ledger
from longrun_page import Page
from store import Store
from tables import below_mark, show, spread, table

long_alone = "--long" in sys.argv
runs.choose([word for word in sys.argv[1:] if word != "--long"])
delays = (0, 4, 10, 20, 40)

methods = {  # name: diagram, family, settings
    "none": ("uncompensated", "contact", ()),
    "PIC": ("pic", "contact", ()),
    "DAC": ("dac", "contact", ()),
    "PIDA": ("pida", "contact", ()),
    "TDPA": ("tdpa", "tdpa", ()),
    "TDPA, integrator +1": ("tdpa", "tdpa", ("passive_integrator=on", "sign=1")),
    "TDPA, integrator -1": ("tdpa", "tdpa", ("passive_integrator=on", "sign=-1")),
}

two_walls = {
    "common": {
        "contact": ("contacts=5",),
        "tdpa": ("period=1 ms", "mass=279.0697674 kg", "angular_velocity=0 0 0 rad/s", "stiffness=176.275 N/mm",
                 "half_size=15 mm", "rotational_stiffness=0 N m/rad", "rotational_half_size=inf", "duration=8.5 s"),
    },
    "scenarios": {
        "axial": {"contact": (), "tdpa": ("velocity=0.02 0 0 m/s",)},
        "oblique: normal (0.8, 0.6, 0), moving along it": {
            "contact": ("wall_normal=0.8 0.6 0", "velocity=0.016 0.012 0 m/s"),
            "tdpa": ("rig.wall_normal=0.8 0.6 0", "velocity=0.016 0.012 0 m/s")},
        "spinning at 0.05 rad/s": {"contact": ("angular_velocity=0.03 0.03 0.02 rad/s",),
                                   "tdpa": ("velocity=0.02 0 0 m/s", "angular_velocity=0.03 0.03 0.02 rad/s")},
        "damped: 100 N s/m": {"contact": ("damping=100 N s/m",), "tdpa": ("velocity=0.02 0 0 m/s", "damping=100 N s/m")},
        "noisy: 0.5 N": {"contact": ("force_noise=0.5 N",), "tdpa": ("velocity=0.02 0 0 m/s", "force_noise=0.5 N")},
    },
}
body = ("service_mass=50 kg", "target_mass=inf", "service_inertia=18 20 22 kg m2", "stiffness=2000 N/m", "duration=15 s",
        "contacts=0", "rig.half_size=0.2031 m")
room = {
    "common": {"contact": body, "tdpa": ("duration=15 s",)},
    "scenarios": {
        "axial": {"contact": ("velocity=0.1 0 0 m/s",), "tdpa": ("velocity=0.1 0 0 m/s", "angular_velocity=0 0 0 rad/s")},
        "oblique: three pairs of walls": {
            "contact": ("velocity=0.1 0.15 0.2 m/s",),
            "tdpa": ("angular_velocity=0 0 0 rad/s",)},
        "spinning into rotational walls": {
            "contact": ("velocity=0.1 0.15 0.2 m/s", "angular_velocity=0.01 0.02 0.03 rad/s",
                        "rig.rotational_half_size=0.0207 rad", "rig.rotational_stiffness=800 N m/rad"),
            "tdpa": ()},
        "damped: 10 N s/m": {"contact": ("velocity=0.1 0 0 m/s", "damping=10 N s/m"),
                             "tdpa": ("velocity=0.1 0 0 m/s", "angular_velocity=0 0 0 rad/s", "damping=10 N s/m")},
        "noisy: 0.1 N": {"contact": ("velocity=0.1 0 0 m/s", "force_noise=0.1 N"),
                         "tdpa": ("velocity=0.1 0 0 m/s", "angular_velocity=0 0 0 rad/s", "force_noise=0.1 N")},
    },
}
rigs = {"two_walls": two_walls, "room": room}
home = {"contact": "two_walls", "tdpa": "room"}


def run(rig, scenario, method, delay):
    diagram, family, own = methods[method]
    settings = [*rigs[rig]["common"][family], *rigs[rig]["scenarios"][scenario][family], *own, f"response_delay={delay} ms"]
    with tempfile.TemporaryDirectory() as folder:
        code, _, data = runs.execute([*runs.words(diagram, settings, None if home[family] == rig else rig), "--no-log"],
                                     Path(folder) / "summary.json")
        return code, data


def number(x, digits=3):
    if x is None:
        return "-"
    return f"{x:.{digits}f}" if abs(x) < 100 else f"{x:.3g}"


def cell(result):
    """CoV of the last contact and the largest CoF; energy: over the initial one, at the end. A loop that diverges stays in
    the table with the contact in which its energy passes 1e12 times what it was; any other failure is told as it is."""
    code, data = result
    rows = data["contacts"]
    if code == 3:
        ending = data["ending"]
        return f"diverges in contact {len(rows)}" if "diverged" in ending.get("text", "") else f"fails: {ending.get('text')}"
    cov = [r["cov"] for r in rows if r["cov"] is not None]
    cof = [r["cof"] for r in rows if r["cof"] is not None]
    energy = data.get("energy")
    ratio = energy["kinetic_final"] / energy["kinetic_initial"] if energy else (rows[-1]["energy_ratio"] if rows else None)
    last = cov[-1] if cov else None
    return f"{number(last)} / {number(max(cof) if cof else None, 2)} / {number(ratio)}"


def tables():
    jobs = {(rig, scenario, method, delay): None
            for rig in rigs for scenario in rigs[rig]["scenarios"] for method in methods for delay in delays}
    with ThreadPoolExecutor(2) as pool:
        for key, result in zip(jobs, pool.map(lambda key: run(*key), jobs)):
            jobs[key] = cell(result)
    lines = []
    for rig in rigs:
        lines += [f"## Rig {rig}", ""]
        for scenario in rigs[rig]["scenarios"]:
            lines += [f"### {scenario[0].upper() + scenario[1:]}", "",
                      "| method | " + " | ".join(f"{d} ms" for d in delays) + " |", "|---|" + "---|" * len(delays)]
            lines += [f"| {m} | " + " | ".join(jobs[rig, scenario, m, d] for d in delays) + " |" for m in methods]
            lines.append("")
    return "\n".join(lines)


def long_runs():
    """CoV after 5, 100 and 1000 contacts without noise, and its distribution over seeds with noise."""
    page = Page(Store(runs.project / "out" / "longrun.jsonl"))
    head = ["method", *[f"{d} ms" for d in delays]]
    quiet, loud = [], []
    for m in four:
        for name, jobs in ((m, published), (f"{m}, ledger", with_ledger)):
            quiet.append([name, *[" / ".join(show(page.cov(jobs[m, d], n), 3) for n in (5, 100, 1000)) for d in delays]])
        for name, jobs in ((m, noisy_published), (f"{m}, ledger", noisy)):
            for n in (5, 100, 1000):
                cells = [spread([page.cov(jobs[m, d, s], n) for s in seeds])[0] for d in delays]
                if n < 1000 or jobs is noisy:
                    loud.append([name, str(n), *cells])
    return "\n".join(["## Long runs", "", "Axial on two_walls, gap 6 mm, by longrun.py (symplectic; TDPA in a room of the same gap). CoV after 5 / 100 / 1000 "
                      "contacts without noise; *lost*: the run ended before.", "", table(head, quiet), "",
                      "With 0.5 N of noise and 2 ms of sensor delay: mean +- standard deviation [smallest, largest], number of seeds.", "",
                      table(["method", "contact", *head[1:]], loud)])


if __name__ == "__main__":
    page = runs.here / "comparison.md"
    others = page.read_text().split("do not edit below -->\n")[1].split("## Long runs\n")[0].strip() if long_alone else tables().rstrip()
    below_mark(page, "comparison.py", others + "\n\n" + long_runs())
