#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables of comparison.md: all methods on the same scenarios, on both rigs. Every number comes from a run.

    docs/results/validation/comparison.py [path to hilda] [--long] [--between]

The text above the first table is kept: it is written by hand, from the numbers. The long runs are those of longrun.py,
from its store; --long writes these again and leaves the other tables. --between does so with what lies between and beyond
the points of the tables.
"""
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runs  # noqa: E402
from longrun_cases import four, noisy, noisy_published, published, seeds, with_ledger  # noqa: E402
from longrun_page import Page  # noqa: E402
from store import Store  # noqa: E402
from tables import below_mark, show, spread, table  # noqa: E402

long_alone, between_alone = "--long" in sys.argv, "--between" in sys.argv
runs.choose([word for word in sys.argv[1:] if not word.startswith("--")])
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
        "spinning at 0.05 rad/s about (3, 3, 2)": {"contact": ("angular_velocity=0.03 0.03 0.02 rad/s",),
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
    the table with the contact in which its energy passes 1e12 times what it was; any other failure is reported as it is."""
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


def last_cov(diagram, rig, *settings):
    """CoV of the last of the contacts; None where there is none."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*runs.words(diagram, settings, None if rig == "two_walls" else rig), "--no-log"]
        rows = runs.execute(command, Path(folder) / "summary.json")[2]["contacts"]
    return next((row["cov"] for row in reversed(rows) if row["cov"] is not None), None)


def every_delay(rig):
    """Of PIDA without damping and noise: the delays from 1 to 40 ms, and how far the speed is off at each, in %."""
    axial = rigs[rig]["scenarios"]["axial"]["contact"]
    each = [f"{delay} ms" for delay in range(1, 41)]
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda delay: last_cov("pida", rig, *rigs[rig]["common"]["contact"], *axial, f"response_delay={delay}"), each)
        return [(delay, 100 * abs(cov - 1)) for delay, cov in zip(each, found)]


def between():
    dampings, late = (30, 100, 300, 1000, 2400), (10, 20, 40)
    diagrams = {"PIC": "pic", "DAC": "dac", "PIDA": "pida", "PIDA, ledger": "pida_ledger"}
    common = rigs["two_walls"]["common"]["contact"]

    def cov(job):
        diagram, damping, delay = job
        return last_cov(diagram, "two_walls", *common, f"damping={damping} N s/m", f"response_delay={delay} ms")

    jobs = [("uncompensated", damping, 0) for damping in dampings]
    jobs += [(diagram, damping, delay) for diagram in diagrams.values() for damping in dampings for delay in late]
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(jobs, pool.map(cov, jobs)))

    def share(diagram, damping, delay):
        here, right = found[diagram, damping, delay], found["uncompensated", damping, 0]
        return "-" if here is None or right is None else f"{here / right:.3f}"

    rows = [[name, *[" / ".join(share(diagram, damping, delay) for delay in late) for damping in dampings]]
            for name, diagram in diagrams.items()]
    worst = {rig: max(every_delay(rig), key=lambda each: each[1]) for rig in rigs}
    told = " and ".join(f"{off:.2f} % on {rig} (at {delay})" for rig, (delay, off) in worst.items())
    return "\n".join(["## Between and beyond the points", "",
                      f"PIDA without damping and noise, at every whole ms from 1 to 40: the largest error of the speed is {told}.", "",
                      "Damped walls on two_walls: speed after five contacts, divided by that without delay, at 10 / 20 / 40 ms.", "",
                      table(["method", *[f"{damping} N s/m" for damping in dampings]], rows)])


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
                      "contacts without noise; *lost*: the run ended before it reached that contact.", "", table(head, quiet), "",
                      "With 0.5 N of noise and 2 ms of sensor delay: mean +- standard deviation [smallest, largest], number of seeds.", "",
                      table(["method", "contact", *head[1:]], loud)])


if __name__ == "__main__":
    page = runs.here / "comparison.md"
    kept = page.read_text().split("do not edit below -->\n")[1]
    first, rest = kept.split("## Between and beyond the points\n") if "## Between" in kept else kept.split("## Long runs\n")
    middle = ("## Between and beyond the points\n" + rest.split("## Long runs\n")[0]).strip()
    last = "## Long runs\n" + kept.split("## Long runs\n")[1].rstrip()
    alone = long_alone or between_alone
    below_mark(page, "comparison.py", "\n\n".join([first.strip() if alone else tables().rstrip(),
                                                   middle if long_alone else between(), last if between_alone else long_runs()]))
