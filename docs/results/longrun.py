#!/usr/bin/env python3
"""Writes longrun.md: a thousand contacts with the published methods, and with the energy ledger behind them.

    docs/results/longrun.py [path to hilda] [--jobs N] [--minutes N] [--page]

Every number is of a run of a diagram. Finished runs are kept in a store (out/longrun.jsonl, by the diagram's text and the
settings), so that the script goes on where it was stopped; --minutes ends it early, --page writes the page from what is there.
A cell of a table whose runs are not all there says so.
"""
import argparse
import hashlib
import json
import math
import platform
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

here = Path(__file__).resolve().parent
project = here.parent.parent
arguments = argparse.ArgumentParser()
arguments.add_argument("hilda", nargs="?", default=str(project / "build" / "bin" / "hilda"))
arguments.add_argument("--jobs", type=int, default=2)
arguments.add_argument("--minutes", type=float, default=60.0)
arguments.add_argument("--page", action="store_true", help="no more runs")
options = arguments.parse_args()
store_file = project / "out" / "longrun.jsonl"

mass, wall, speed, tick = 1 / (1 / 300 + 1 / 4000), 176275.0, 0.02, 1e-3
w = math.sqrt(wall / mass)
delays = (0, 4, 10, 20, 40)
seeds = tuple(range(1, 31))
methods = {"PIDA": ("pida", ("integrator=symplectic",)), "PIDA, zoh": ("pida", ("integrator=zoh",)),
           "DAC": ("dac", ("integrator=symplectic",)), "PIC": ("pic", ("integrator=symplectic",)),
           "PIC, zoh": ("pic", ("integrator=zoh",)), "TDPA": ("tdpa", ())}
four = ("PIDA", "DAC", "PIC", "TDPA")
on_one_axis = (f"mass={mass!r} kg", "velocity=0.02 0 0 m/s", "angular_velocity=0 0 0 rad/s", "stiffness=176.275 N/mm",
               "half_size=15 mm", "rotational_stiffness=0 N m/rad", "rotational_half_size=inf")


# ---- runs -----------------------------------------------------------------------------------------------------------

def text_hash(diagram):
    """Of what a method is made of. Whoever changes more than that (the rigs, the bodies) deletes the store."""
    text = hashlib.sha256((project / "diagrams" / f"{diagram}.xml").read_bytes())
    for file in sorted((project / "blocks" / "passivity").glob("*.[ch]*")) + sorted((project / "blocks" / "estimation").glob("*.cpp")):
        text.update(file.read_bytes())
    return text.hexdigest()[:12]


lock = threading.Lock()
store = {}
if store_file.exists():
    for line in store_file.read_text().splitlines():
        entry = json.loads(line)
        store[entry["key"]] = entry["figures"]


def keep(key, figures):
    with lock:
        store[key] = figures
        store_file.parent.mkdir(exist_ok=True)
        with store_file.open("a") as out:
            out.write(json.dumps({"key": key, "figures": figures}) + "\n")


class Job:
    """One run: a diagram, its rig, settings; `contacts` are the numbers of which the speed is kept."""

    def __init__(self, diagram, settings, rig=None, contacts=(5, 100, 1000)):
        self.diagram, self.settings, self.rig, self.contacts = diagram, tuple(settings), rig, contacts
        self.key = json.dumps([text_hash(diagram), diagram, rig, self.settings, contacts])

    def figures(self):
        return store.get(self.key)

    def run(self):
        if self.key in store:
            return
        with tempfile.TemporaryDirectory() as folder:
            summary = Path(folder) / "summary.json"
            command = ["nice", "-n", "3", options.hilda, "run", str(project / "diagrams" / f"{self.diagram}.xml"), "--quiet",
                       "--no-log", "--summary", str(summary)]
            if self.rig:
                command += ["--rig", str(project / "diagrams" / "rigs" / f"{self.rig}.xml")]
            for setting in self.settings:
                command += ["--set", setting]
            done = subprocess.run(command, capture_output=True, text=True)
            if not summary.exists():
                raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
            figures = self.digest(json.loads(summary.read_text()), done)
        keep(self.key, figures)

    def digest(self, data, done):
        # Noise carries a satellite of TDPA into the other walls of its room as well.
        rows = [row for row in data.get("contacts") or [] if row.get("wall", "x")[0] == "x"]
        speeds = [row["speed_before"] for row in rows]
        kept = {"exit": done.returncode, "contacts": len(rows), "ledger": data.get("ledger"), "energy": data.get("energy"),
                "speeds": {str(n): speeds[n] / speeds[0] for n in self.contacts if n < len(speeds)},
                "peak": max((row["peak_force"] for row in rows), default=None),
                "time": data.get("time"), "error": done.stderr.strip()[-200:] if done.returncode else ""}
        return kept


def contact_job(name, delay, *more, ledger=False, contacts=1000, rig=None, gap=30):
    """Free of the ideal run, which is known in closed form on one axis. Nothing happens in flight but the settling, so a
    gap (mm) shorter than the paper's gives the same contacts in a fraction of the time."""
    diagram, own = methods[name]
    settings = [*own, f"response_delay={delay} ms", *more]
    if diagram == "tdpa":
        settings = [*on_one_axis, *settings, f"duration={round((0.055 * gap + 0.1) * contacts)} s", "contacts.capacity=4000"]
        if gap != 30:
            settings += [f"half_size={gap / 2:g} 1000 1000 mm", f"duration={round((0.055 * gap + 0.2) * contacts * (4 if contacts <= 100 else 1))} s"]
    else:
        settings += [f"contacts={contacts + 1}", "figures.metrics.capacity=4000", f"duration={4 * contacts} s", "figures.ideal.horizon=1 ms"]
        if gap != 30 and not rig:
            settings += [f"gap={gap} mm"]
        if rig == "room":
            settings += [f"rig.half_size={gap / 2:g} 1000 1000 mm"]
    keep = tuple(n for n in (5, 30, 100, 300, 1000) if n <= contacts)
    return Job(diagram + ("_ledger" if ledger else ""), settings, rig, keep)


def speed_after(job, n):
    """CoV of contact n: the speed with which the next wall is met, over that at the start; NaN: not run, inf: diverged."""
    figures = job.figures()
    if figures is None:
        return math.nan
    value = figures["speeds"].get(str(n))
    return math.inf if value is None else value


# ---- what is run ----------------------------------------------------------------------------------------------------

published = {(m, d): contact_job(m, d) for m in methods for d in delays}
with_ledger = {(m, d): contact_job(m, d, ledger=True, gap=6) for m in methods for d in delays}
in_room = {(m, d): contact_job(m, d, ledger=True, rig="room", gap=6) for m in four[:3] for d in delays}
noise = ("force_noise=0.5 N", "sensor_delay=2 ms")


def noisy_job(name, delay, seed, ledger):
    return contact_job(name, delay, *noise, f"seed={seed}", ledger=ledger, gap=6)


paper_gap = {m: contact_job(m, 10, ledger=True) for m in four}
noisy = {(m, d, s): noisy_job(m, d, s, True) for s in seeds for d in (10, 40, 4, 20) for m in four}
dampings = (100.0, 1000.0)
rules = ("ratio", "model", "known")


def damped_ideal(c):
    z = c / (2 * math.sqrt(wall * mass))
    return math.exp(-z * (math.pi - 2 * math.asin(z)) / math.sqrt(1 - z * z))


def damped_job(name, delay, c, rule):
    n = 30 if c < 500 else 5
    more = [f"damping={c} N s/m"]
    if rule:
        more += [f"rule={rule}", f"restitution={damped_ideal(c)!r}"]
    return contact_job(name, delay, *more, ledger=bool(rule), contacts=n, gap=6)


damped = {(m, d, c, r): damped_job(m, d, c, r) for m in four for d in (4, 10, 20, 40) for c in dampings for r in (None, *rules)}
stiffnesses = (5e3, 2e4, 1e5, 5e5)
stiff = {(m, k, d): contact_job(m, d, f"stiffness={k} N/m", ledger=True, contacts=300, gap=6) for m in four for k in stiffnesses for d in (10, 40)}
periods = (0.5, 2, 4)
timed = {(m, T, d): contact_job(m, d, f"period={T} ms", ledger=True, contacts=300, gap=6) for m in four for T in periods for d in (20, 40)}
lagging = {m: contact_job(m, 10, "natural_frequency=20 Hz", ledger=True, contacts=300, gap=6) for m in four}
misaligned = {(m, e): contact_job(m, 4, "sensor_delay=2 ms", f"alignment={2 + e} ms", ledger=True, contacts=100, gap=6)
              for m in ("PIDA",) for e in (-0.5, -0.1, -0.05, 0.05, 0.1)}
calibrated = {s: contact_job("PIDA", 10, *noise, "alignment=1.5 ms", "calibration=100", f"seed={s}", ledger=True, contacts=300, gap=6)
              for s in seeds[:10]}

scenes = {
    "oblique approach": ("velocity=0.016 0.012 0 m/s",),
    "spinning": ("angular_velocity=0.03 0.03 0.02 rad/s",),
    "tip beside the axis, oblique wall, spinning": ("tip=0 0.05 0.02 m", "wall_normal=0.9 0.3 0.1", "velocity=0.02 0.005 0 m/s",
                                                    "angular_velocity=0.003 0.004 0.002 rad/s"),
    "contact off both centres of mass": ("service_offset=0.8 0.1 0.2 m", "target_offset=-1 0 0 m"),
    "the same, inertia 60 98 140, spinning": ("service_offset=0.8 0.1 0.2 m", "target_offset=-1 0 0 m",
                                              "service_inertia=60 98 140 kg m2", "angular_velocity=0.005 0.003 0.002 rad/s"),
}


class SceneJob(Job):
    """Against the ideal run: CoV and energy after contacts, and momentum."""

    def digest(self, data, done):
        kept = super().digest(data, done)
        rows = data.get("contacts") or []
        kept["cov"] = {str(n): rows[n - 1]["cov"] for n in self.contacts if n <= len(rows)}
        kept["ratio"] = {str(n): rows[n - 1]["energy_ratio"] for n in self.contacts if n <= len(rows)}
        kept["momentum"] = data.get("momentum_error")
        return kept


scene_jobs = {(m, s): SceneJob(methods[m][0] + "_ledger", (*methods[m][1], "response_delay=10 ms", *scenes[s], "contacts=100", "duration=1500 s",
                                                           "figures.ideal.horizon=2000 s"), None, (5, 30, 100))
              for m in ("PIDA", "DAC", "PIC") for s in scenes}
# The satellite of the TDPA page, three pairs of walls and rotational ones, 1000 s; ends at which it flies freely are looked for.
ends = (1000.0, 1000.7, 1001.3, 1002.1, 1003.4)
tdpa_room = {(d, t): Job("tdpa_ledger", (f"response_delay={d} ms", f"duration={t} s"), None, ()) for d in delays for t in ends}
tdpa_room_published = {(d, 1000.0): Job("tdpa", (f"response_delay={d} ms", "duration=1000 s"), None, ()) for d in delays}
port_room = {(d, t): Job("tdpa_ledger", (f"response_delay={d} ms", f"duration={t} s", "grouping=port"), None, ()) for d in (10, 40) for t in ends[:1]}



class Reference:
    """Thirty seeds of the equations on one axis as tests/diagrams/one_axis.cpp has them, which tests hold against the diagrams."""

    def __init__(self, name, delay, ledger):
        self.words = [methods[name][0], str(delay), str(len(seeds)), "1000", "on" if ledger else "off"]
        text = b"".join((project / f).read_bytes() for f in ("tests/diagrams/one_axis.cpp", "tests/diagrams/one_axis.h"))
        self.key = json.dumps(["reference", hashlib.sha256(text).hexdigest()[:12], *self.words])

    def figures(self):
        return store.get(self.key)

    def run(self):
        program = project / "out" / "longrun_reference"
        with lock:
            if not program.exists():
                program.parent.mkdir(exist_ok=True)
                subprocess.run(["c++", "-std=c++20", "-O2", "-ffp-contract=off", "-I", str(project), str(here / "longrun_reference.cpp"),
                                str(project / "tests" / "diagrams" / "one_axis.cpp"), "-o", str(program)], check=True)
        lines = subprocess.run([str(program), *self.words], capture_output=True, text=True, check=True).stdout.split()
        keep(self.key, [float(line) for line in lines])


reference = {(m, d, led): Reference(m, d, led) for led in (True, False) for m in four for d in (4, 10, 20, 40)}
groups = [with_ledger, published, damped, misaligned, in_room, scene_jobs, tdpa_room, paper_gap, noisy, tdpa_room_published, port_room, lagging, stiff, timed,
          calibrated, reference]


def run_all():
    begun = time.time()
    jobs = [job for group in groups for job in group.values() if job.figures() is None]

    def one(job):
        if time.time() - begun < 60 * options.minutes:
            job.run()

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, jobs))


# ---- the page -------------------------------------------------------------------------------------------------------

def show(x, digits=4):
    if x is None or (isinstance(x, float) and math.isnan(x)):
        return "not run"
    if math.isinf(x):
        return "lost"
    return f"{x:.{digits}f}" if abs(x) < 100 else f"{x:.3g}"


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(row) + " |" for row in rows])


def spread(values):
    there = [v for v in values if v is not None and not math.isnan(v)]
    good = [v for v in there if not math.isinf(v) and v > 0]
    if not there:
        return "not run", []
    if not good:
        return f"all {len(there)} lost", []
    mean = sum(good) / len(good)
    deviation = math.sqrt(sum((v - mean) ** 2 for v in good) / max(1, len(good) - 1))
    lost = f", {len(there) - len(good)} lost" if len(there) > len(good) else ""
    return f"{show(mean, 3)} +- {show(deviation, 3)} [{show(min(good), 3)}, {show(max(good), 3)}], {len(good)}{lost}", good


def per_contact(job, n):
    value = speed_after(job, n)
    return math.nan if math.isnan(value) or math.isinf(value) else 2 * math.log(value) / n


def worst(jobs, n):
    values = [speed_after(job, n) for job in jobs]
    if any(math.isnan(v) for v in values):
        return "not run"
    return show(max((abs(v - 1) for v in values), default=math.nan), 5)


def peak(job):
    figures = job.figures()
    return math.nan if figures is None or figures["peak"] is None else figures["peak"] / (speed * math.sqrt(wall * mass))


def settling(job):
    figures = job.figures()
    return math.nan if figures is None or not figures["ledger"] else figures["ledger"]["settling_peak"]


def energies(jobs):
    values = []
    for job in jobs:
        figures = job.figures()
        if figures is None:
            return None
        values.append(figures["energy"]["kinetic_final"] / figures["energy"]["kinetic_initial"])
    return values


def page():
    out = [f"Runs of {date.today().isoformat()} on {platform.machine()}; *not run*: missing in the store.", "", "## The published methods", "",
            "CoV after 5, 100 and 1000 contacts without noise; *lost*: the run ended before. TDPA on the same axis: one satellite of the "
            "relative mass in a room of the same gap.", ""]
    out += [table(["method", *[f"{d} ms" for d in delays]],
                  [[m, *[" / ".join(show(speed_after(published[m, d], n), 3) for n in (5, 100, 1000)) for d in delays]] for m in methods])]
    out += ["", "## Theory against figures", "",
            "Energy gained a contact, from contacts 1 to 5 and 5 to 100 where it is not small against the rest; pi w T/2 is what a force held "
            f"over a tick adds (w = {w:.3f} rad/s, T = 1 ms).", ""]
    rows = [["PIC, zoh, 10 ms: 2 ln(CoV_100)/100", show(per_contact(published["PIC, zoh", 10], 100)), f"pi w T/2 = {math.pi * w * tick / 2:.4f}"],
            ["DAC, 10 ms: 2 ln(CoV_1000)/1000", show(per_contact(published["DAC", 10], 1000)), "0.0075 by the work of the held force (observer=work leaves none)"],
            ["TDPA, 10 ms: 2 ln(CoV_5)/5", show(per_contact(published["TDPA", 10], 5)),
             "0.0514: sum F^2 T^2/2m of an uncorrected first contact, by the same sum (observer F(k) V(k) against held F (V(k) + V(k+1))/2)"]]
    for e in (-0.5, -0.1, -0.05, 0.05, 0.1):
        rows.append([f"ledger, force and motion {e:+g} ms apart: CoV_100", show(speed_after(misaligned['PIDA', e], 100)),
                     f"exp(-100 pi w delta/2) = {math.exp(-100 * math.pi * w * e * 1e-3 / 2):.4f}"])
    out += [table(["what", "run", "theory"], rows)]
    out += ["", "## With the ledger, rig two_walls", "", "CoV after 5 / 100 / 1000 contacts; in brackets the largest peak force over the ideal's and the "
            "largest settling force over the contact's peak.", ""]
    out += [table(["method", *[f"{d} ms" for d in delays]],
                  [[m, *[" / ".join(show(speed_after(with_ledger[m, d], n)) for n in (5, 100, 1000)) +
                         f" ({show(peak(with_ledger[m, d]), 2)}, {show(settling(with_ledger[m, d]), 2)})" for d in delays]] for m in methods])]
    out += ["", "Rig room (one pair of walls), CoV after 1000 contacts:", "",
            table(["method", *[f"{d} ms" for d in delays]],
                  [[m, *[show(speed_after(in_room[m, d], 1000)) for d in delays]] for m in four[:3]])]
    out += ["", "## TDPA in its room, 1000 s", "",
            "Three pairs of walls and rotational ones, an account for each axis and one for rotation. Kinetic energy over that at the start; a satellite "
            "that touches a wall at the end has some in the wall, so five ends are listed and the one nearest to 1 is in free flight.", ""]
    rows = []
    for d in delays:
        values, plain = energies([tdpa_room[d, t] for t in ends]), energies([tdpa_room_published[d, 1000.0]])
        rows.append([f"{d} ms", show(plain[0], 4) if plain else "not run", " ".join(show(v, 4) for v in values) if values else "not run",
                     show(min(values, key=lambda v: abs(v - 1)), 5) if values else "not run"])
    out += [table(["delay", "published, 1000 s", "with ledger, five ends", "in free flight"], rows)]
    plain = {d: energies([port_room[d, ends[0]]]) for d in (10, 40)}
    out += ["", "TDPA's own `grouping=port` in that room, ledger with it: " +
            ", ".join(f"{d} ms {show(plain[d][0], 4) if plain[d] else 'not run'}" for d in plain) + ". See what does not hold."]
    limit = 100 * math.sqrt(1000) * 0.5 * tick * math.sqrt(math.pi / w / tick * speed ** 2 / 2) / (0.5 * mass * speed ** 2) / 2
    out += ["", "## Noise of 0.5 N, sensor delay of 2 ms", "",
            "CoV after 1000 contacts: mean +- standard deviation [smallest, largest], number of seeds. Gap 6 mm. *Reference*: the same equations on one axis, "
            "written anew in tests/diagrams/one_axis.cpp, which tests hold against the diagrams contact by contact (to 1e-6, without noise); it runs a "
            "thousand contacts in 30 ms. *Diagram*: the seeds that are in the store. A random walk is left: noise of a force moves the work of a contact by "
            "sigma T sqrt(sum v^2), which no estimate from that force alone undercuts; after 1000 contacts of the undelayed shape that is "
            f"{limit:.1f} % of speed.", ""]
    columns = (4, 10, 20, 40)
    rows = []
    for m in four:
        rows.append([m, "reference", *[spread(reference[m, d, True].figures() or [])[0] for d in columns]])
        rows.append([m, "diagram", *[spread([speed_after(noisy[m, d, s], 1000) for s in seeds])[0] for d in columns]])
        rows.append([f"{m}, published", "reference", *[spread(reference[m, d, False].figures() or [])[0] for d in columns]])
    out += [table(["method", "by", *[f"{d} ms" for d in columns]], rows), "", "All of them, with the ledger:", ""]
    for m in four:
        for d in columns:
            values = spread(reference[m, d, True].figures() or [])[1]
            out.append(f"- {m}, {d} ms, reference: " + " ".join(f"{v:.3f}" for v in values))
            values = spread([speed_after(noisy[m, d, s], 1000) for s in seeds])[1]
            if values:
                out.append(f"- {m}, {d} ms, diagram: " + " ".join(f"{v:.3f}" for v in values))
    out += ["", "## Damped walls", "", "CoV against the damped ideal, after 30 contacts at 100 N s/m and after 5 at 1000 N s/m.", ""]
    rows = []
    for c in dampings:
        for r in (None, *rules):
            for m in four:
                n = 30 if c < 500 else 5
                rows.append([f"{c:g}", m, r or "no ledger", *[show(speed_after(damped[m, d, c, r], n) / damped_ideal(c) ** n, 4) for d in (4, 10, 20, 40)]])
    out += [table(["N s/m", "method", "rule", "4 ms", "10 ms", "20 ms", "40 ms"], rows)]
    out += ["", "## Stiffness, period, lag", "", "|CoV - 1| after 300 contacts, the larger of the two delays.", ""]
    rows = [[f"{k:g} N/m", *[worst([stiff[m, k, d] for d in (10, 40)], 300) for m in four]] for k in stiffnesses]
    rows += [[f"T = {T} ms", *[worst([timed[m, T, d] for d in (20, 40)], 300) for m in four]] for T in periods]
    rows += [["second order of 20 Hz behind 10 ms", *[worst([lagging[m]], 300) for m in four]]]
    out += [table(["case", *four], rows)]
    out += ["", "## Six degrees of freedom", "", "Against the ideal run of the same scene: CoV along the wall's normal at the contact's end (before the settling) after "
            "5 / 30 / 100 contacts, energy over that at the start after 100, error of linear and angular momentum. 10 ms.", ""]
    rows = []
    for s in scenes:
        for m in ("PIDA", "DAC", "PIC"):
            f = scene_jobs[m, s].figures()
            if f is None:
                rows.append([s, m, "not run", "", ""])
                continue
            rows.append([s, m, " / ".join(show(f["cov"].get(str(n)), 4) for n in (5, 30, 100)), show(f["ratio"].get("100"), 4),
                         f"{f['momentum']['linear']:.1e}, {f['momentum']['angular']:.1e}"])
    out += [table(["scene", "method", "CoV", "energy", "momentum"], rows)]
    out += ["", "## An alignment that is learnt", "", "PIDA, 10 ms, noise and sensor delay as above, an alignment given 0.5 ms too short, 100 contacts of known restitution (calibration=100), "
            "then the rule ratio: what was learnt (the truth is 2 ms), its interval, CoV after 300 contacts.", ""]
    rows = []
    for s, job in calibrated.items():
        f = job.figures()
        if f:
            rows.append([str(s), f"{f['ledger']['alignment'] * 1e3:.4f} ms", f"{f['ledger']['alignment_error'] * 1e6:.1f} us", show(speed_after(job, 300), 4)])
    out += [table(["seed", "learnt", "+-", "CoV_300"], rows)]
    cell = project / "out" / "longrun_cell.json"
    if cell.exists():
        shown = (5, 10, 20, 30, 50, 99)
        rows = []
        for name, run in json.loads(cell.read_text()).items():
            learnt = run["ledger"] or {}
            error = learnt.get("alignment_error")
            told = f"{learnt['alignment'] * 1e3:.3f} ms" + (f" +- {error * 1e3:.3f}" if error else "") if learnt else ""
            rows.append([name, *[show(run["speeds"][n], 4) if n < len(run["speeds"]) else "-" for n in shown], str(run["lost"]), told])
        out += ["", "## On the cell, over the hardware drivers", "", "By longrun_cell.py: the simulated cell (KUKA RSI at 4 ms, second order of 25 Hz, ATI Net F/T) "
                "over sockets, 100 contacts; speed before contact n + 1 over that before the first. A contact with a lost cycle in it is an error of its own, so the "
                "cycles lost are listed.", "",
                table(["run", *[str(n) for n in shown], "cycles lost", "alignment"], rows)]
    file = here / "longrun.md"
    mark = "<!-- tables: written by longrun.py, do not edit below -->\n"
    head = file.read_text().split(mark)[0] if file.exists() else "# A thousand contacts\n\n"
    file.write_text(head + mark + "\n" + "\n".join(out) + "\n")


if not options.page:
    run_all()
page()
