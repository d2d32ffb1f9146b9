# SPDX-License-Identifier: BSD-3-Clause
"""The tables of longrun.md, from what the store holds."""
import json
import math
import platform
from datetime import date

from longrun_cases import (calibrated, damped, dampings, delays, four, in_room, lagging, misaligned, noisy, noisy_published,
                           noisy_published_long, paper_gap, periods, published, reference, rules, scene_jobs, scenes, seeds,
                           stiff, stiffnesses, timed, with_ledger)
from longrun_job import damped_ideal, mass, methods, speed, tick, w, wall
from longrun_rooms_page import rooms
from runs import here, project
from tables import show, spread, table

columns = [f"{d} ms" for d in delays]


class Page:
    def __init__(self, store):
        self.store = store

    def figures(self, job):
        return self.store.figures.get(job.key)

    def cov(self, job, n):
        """CoV of contact n: the speed with which the next wall is met, over that at the start; NaN: not run, inf: diverged."""
        figures = self.figures(job)
        if figures is None:
            return math.nan
        value = figures["speeds"].get(str(n))
        return math.inf if value is None else value

    def text(self):
        parts = [self.published(), self.theory(), self.ledger(), rooms(self), self.noise(), self.all_seeds(), self.damped(), self.other_walls(),
                 self.six(), self.learnt(), self.cell()]
        head = f"Runs of {date.today().isoformat()} on {platform.machine()}; *not run*: missing in the store."
        return "\n\n".join([head, *(part for part in parts if part)])

    def published(self):
        rows = [[m, *[" / ".join(show(self.cov(published[m, d], n), 3) for n in (5, 100, 1000)) for d in delays]] for m in methods]
        gaps = ", ".join(f"{m} {show(self.cov(paper_gap[m, False], n), 5)} against {show(self.cov(published[m, 10], n), 5)}"
                         for m, n in zip(four, (1000, 100, 1000, 5)))
        return "\n".join(["## The published methods", "",
                          "CoV after 5, 100 and 1000 contacts without noise; *lost*: the run ended before. TDPA on the same axis: one satellite "
                          "of the relative mass in a room of the same gap. Gap 6 mm, which changes the flight and where in a tick a contact begins; at "
                          f"the paper's 30 mm and 10 ms of delay: {gaps}.", "", table(["method", *columns], rows)])

    def theory(self):
        def rate(job, n):
            value = self.cov(job, n)
            return math.nan if math.isnan(value) or math.isinf(value) else 2 * math.log(value) / n

        rows = [["PIC, zoh, 10 ms: 2 ln(CoV_100)/100", show(rate(published["PIC, zoh", 10], 100)), f"pi w T/2 = {math.pi * w * tick / 2:.4f}"],
                ["DAC, 10 ms: 2 ln(CoV_1000)/1000", show(rate(published["DAC", 10], 1000)),
                 "0.0075 by the work of the held force (observer=work leaves none)"],
                ["TDPA, 10 ms: 2 ln(CoV_5)/5", show(rate(published["TDPA", 10], 5)),
                 "0.0514: sum F^2 T^2/2m of an uncorrected first contact, by the same sum (observer F(k) V(k) against held F (V(k) + V(k+1))/2)"]]
        rows += [[f"ledger, force and motion {e:+g} ms apart: CoV_100", show(self.cov(misaligned["PIDA", e], 100)),
                  f"exp(-100 pi w delta/2) = {math.exp(-100 * math.pi * w * e * 1e-3 / 2):.4f}"] for e in (-0.5, -0.1, -0.05, 0.05, 0.1)]
        return "\n".join(["## Theory against figures", "", "Energy gained a contact, where it is not small against the rest; pi w T/2 is what a "
                          f"force held over a tick adds (w = {w:.3f} rad/s, T = 1 ms).", "", table(["what", "run", "theory"], rows)])

    def ledger(self):
        def peaks(job):
            figures = self.figures(job)
            if figures is None or figures["peak"] is None:
                return "not run"
            return f"{show(figures['peak'] / (speed * math.sqrt(wall * mass)), 2)}, {show(figures['ledger']['settling_peak'], 2)}"

        rows = [[m, *[" / ".join(show(self.cov(with_ledger[m, d], n)) for n in (5, 100, 1000)) + f" ({peaks(with_ledger[m, d])})" for d in delays]]
                for m in methods]
        room = [[m, *[show(self.cov(in_room[m, d], 1000)) for d in delays]] for m in four[:3]]
        return "\n".join(["## With the ledger, rig two_walls", "",
                          "CoV after 5 / 100 / 1000 contacts; in brackets the largest peak force over the ideal's and the largest settling force "
                          "over the contact's peak.", "", table(["method", *columns], rows), "",
                          "Rig room (one pair of walls), CoV after 1000 contacts:", "", table(["method", *columns], room)])

    def noise(self):
        random = 100 * math.sqrt(1000) * 0.5 * tick * math.sqrt(math.pi / w / tick * speed ** 2 / 2) / (0.5 * mass * speed ** 2) / 2
        rows = []
        for m in four:
            for n in (5, 100, 1000):
                rows.append([m, "ledger", str(n), *[spread([self.cov(noisy[m, d, s], n) for s in seeds])[0] for d in delays]])
            rows.append([f"{m}, equations", "ledger", "1000", *[spread(self.figures(reference[m, d, True]) or [])[0] for d in delays]])
            for n in (5, 100):
                rows.append([m, "published", str(n), *[spread([self.cov(noisy_published[m, d, s], n) for s in seeds])[0] for d in delays]])
            rows.append([m, "published", "1000", *[spread([self.cov(noisy_published_long[m, d, s], 1000) for s in seeds])[0] if d == 10 else "not run"
                                                   for d in delays]])
        return "\n".join(["## Noise of 0.5 N, sensor delay of 2 ms", "",
                          "CoV: mean +- standard deviation [smallest, largest], number of seeds, each a run of the diagram. Gap 6 mm. *Equations*: the same "
                          "on one axis, written again in tests/diagrams/one_axis.cpp, which tests hold against the diagrams contact by contact (to 1e-6, "
                          "without noise). A random walk is left: noise of a force moves the work of a contact by sigma T sqrt(sum v^2), which no estimate "
                          f"from that force alone undercuts; after 1000 contacts of the undelayed shape that is {random:.1f} % of speed.", "",
                          table(["method", "", "contact", *columns], rows)])

    def all_seeds(self):
        lines = ["CoV of contact 1000 of all seeds, with the ledger:", ""]
        for m in four:
            for d in delays:
                values = [self.cov(noisy[m, d, s], 1000) for s in seeds]
                if not all(math.isnan(v) for v in values):
                    lines.append(f"- {m}, {d} ms: " + " ".join("-" if math.isnan(v) else show(v, 3) for v in values))
        return "\n".join(lines)

    def damped(self):
        rows = []
        for c in dampings:
            n = 30 if c < 500 else 5
            for r in (None, *rules):
                for m in four:
                    rows.append([f"{c:g}", m, r or "no ledger", *[show(self.cov(damped[m, d, c, r], n) / damped_ideal(c) ** n) for d in delays[1:]]])
        return "\n".join(["## Damped walls", "", "CoV against the damped ideal, after 30 contacts at 100 N s/m and after 5 at 1000 N s/m.", "",
                          table(["N s/m", "method", "rule", *columns[1:]], rows)])

    def other_walls(self):
        def worst(jobs):
            values = [self.cov(job, 300) for job in jobs]
            return "not run" if any(math.isnan(v) for v in values) else show(max(abs(v - 1) for v in values), 5)

        rows = [[f"{k:g} N/m", *[worst([stiff[m, k, d] for d in (10, 40)]) for m in four]] for k in stiffnesses]
        rows += [[f"T = {T} ms", *[worst([timed[m, T, d] for d in (20, 40)]) for m in four]] for T in periods]
        rows += [["second order of 20 Hz behind 10 ms", *[worst([lagging[m]]) for m in four]]]
        return "\n".join(["## Stiffness, period, lag", "", "|CoV - 1| after 300 contacts, the larger of the two delays (10 and 40 ms; period: 20 and 40 ms).", "",
                          table(["case", *four], rows)])

    def six(self):
        rows = []
        for s in scenes:
            for m in four[:3]:
                f = self.figures(scene_jobs[m, s])
                if f is None:
                    rows.append([s, m, "not run", "", ""])
                    continue
                rows.append([s, m, " / ".join(show(f["cov"].get(str(n))) for n in (5, 100, 1000)),
                             " / ".join(show(f["ratio"].get(str(n))) for n in (5, 100, 1000)),
                             f"{f['momentum']['linear']:.1e}, {f['momentum']['angular']:.1e}"])
        return "\n".join(["## Six degrees of freedom", "", "Against the ideal run of the same scene: CoV along the wall's normal and energy over that at the "
                          "start, both where the contact ends and not yet settled, after 5 / 100 / 1000 contacts; error of linear and angular momentum. "
                          "10 ms, gap 6 mm. A satellite that spins or is struck off its centre soon meets the wall elsewhere than the ideal one: from then on "
                          "CoV compares two different contacts, and the energy alone says what is held.", "",
                          table(["scene", "method", "CoV", "energy", "momentum"], rows)])

    def learnt(self):
        rows = []
        for s, job in calibrated.items():
            f = self.figures(job)
            if f:
                rows.append([str(s), f"{f['ledger']['alignment'] * 1e3:.4f} ms", f"{f['ledger']['alignment_error'] * 1e6:.1f} us", show(self.cov(job, 300))])
        return "\n".join(["## An alignment that is learnt", "", "PIDA, 10 ms, noise and sensor delay as above, an alignment given 0.5 ms too short, 100 "
                          "contacts of known restitution (calibration=100), then the rule ratio: what was learnt (the truth is 2 ms), its interval, CoV "
                          "after 300 contacts.", "", table(["seed", "learnt", "+-", "CoV_300"], rows)])

    def cell(self):
        file, heading = project / "out" / "longrun_cell.json", "## On the cell, over the hardware drivers"
        if not file.exists():  # it takes a separate machine: what the page says stays
            return "".join((here / "longrun.md").read_text().partition(heading)[1:])
        shown, rows = (5, 10, 20, 30, 50, 99), []
        for name, run in json.loads(file.read_text()).items():
            learnt = run["ledger"] or {}
            error = learnt.get("alignment_error")
            told = f"{learnt['alignment'] * 1e3:.3f} ms" + (f" +- {error * 1e3:.3f}" if error else "") if learnt else ""
            rows.append([name, *[show(run["speeds"][n]) if n < len(run["speeds"]) else "-" for n in shown], str(run["lost"]), told])
        return "\n".join([heading, "", "By longrun_cell.py: the simulated cell (KUKA RSI at 4 ms, second order of 25 Hz, ATI "
                          "Net F/T) over sockets, 100 contacts; speed before contact n + 1 over that before the first. A contact with a lost cycle in it "
                          "is a separate error, so the cycles lost are listed.", "",
                          table(["run", *[str(n) for n in shown], "cycles lost", "alignment"], rows)])
