#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The stability map of the contact methods: runs diagrams/studies/stability.xml, writes stability.md and its pictures.

    docs/results/validation/stability.py [--large|--quick] [-j N] [--page]      HILDA=path: another program than build/bin/hilda

--large: 41 delays, 13 stiffnesses, 20 repeats. --quick: 3 delays, 3 stiffnesses, after 5 contacts; page and pictures go to out/, to
see that all of it works. Rows are kept in out/, so an interrupted study continues. --page: no run is made, the page is of the
rows that are there.
"""
import argparse
import datetime
import os
import platform
import re
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

from delayed_contact import Contact
from map_lines import draw_lines

here = Path(__file__).resolve().parent
project = here.parents[2]
hilda = os.environ.get("HILDA", str(project / "build" / "bin" / "hilda"))


def run(*words):
    return subprocess.run([hilda, "sweep", *map(str, words)], check=True, cwd=project, capture_output=True, text=True).stdout


def other_size(text, changes):
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


LARGE = [('count="11"', 'count="41"'), ('repeat="3"', 'repeat="20"'),
         ('factors="0.01 0.03 0.1 0.3 1 3 10"', 'factors="0.01 0.02 0.03 0.05 0.1 0.2 0.3 0.5 1 2 3 5 10"'),
         ('name="stability"', 'name="stability_large"')]
QUICK = [('values="5 100 1000"', 'values="5"'), ('count="11"', 'count="3"'), ('"0.01 0.03 0.1 0.3 1 3 10"', '"0.1 1 3"'),
         ('name="stability"', 'name="stability_quick"')]


def number(value):
    return "-" if value is None else f"{value:.3g}"


def table(store):
    """Per method and number of contacts: the part of places that are stable, and the least delay that is not."""
    lines = ["| method | contacts | runs | had them | stable | least delay that is not, at the paper's stiffness | median energy ratio, greatest | failed |",
             "|---|---|---|---|---|---|---|---|"]
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
        groups = database.execute('SELECT DISTINCT diagram, sign, contacts FROM runs ORDER BY min(run) OVER (PARTITION BY diagram, sign), contacts').fetchall()
        for diagram, sign, contacts in groups:
            rows = database.execute(
                'SELECT response_delay, "stiffness.factor", energy, stable, ending, had FROM runs WHERE diagram=? AND sign IS ? AND contacts=?',
                (diagram, sign, contacts)).fetchall()
            energies = sorted(r[2] for r in rows if r[2] is not None)
            stable = sum(1 for r in rows if r[3] == 1)
            unstable = sorted(r[0] for r in rows if r[3] != 1 and r[1] in (1, None))
            failed = sum(1 for r in rows if r[4] not in ("stopped", "duration"))
            reached = sum(1 for r in rows if r[5] is not None and r[5] >= contacts)
            name = diagram if sign is None else f"{diagram}, integrator {'+' if sign > 0 else '-'}1"
            median = energies[len(energies) // 2] if energies else None
            lines.append(f"| {name} | {contacts:g} | {len(rows)} | {100 * reached / len(rows):.0f} % | {100 * stable / len(rows):.0f} % | "
                         f"{'none up to 40 ms' if not unstable else f'{1e3 * unstable[0]:g} ms'} | "
                         f"{number(median)}, {number(energies[-1] if energies else None)} | {failed} |")
    return lines


def draw_border(picture, study):
    """The closed form of the uncompensated loop (delayed_contact.py), into its panels, from what study and diagram say."""
    diagram = (project / "diagrams/uncompensated.xml").read_text()

    def parameter(name):
        return float(re.search(rf'<parameter name="{name}" value="([\d.]+) ', diagram).group(1))
    service, target = parameter("service_mass"), parameter("target_mass")
    low, high, count = re.search(r'path="response_delay" from="(\S+) ms" to="(\S+) ms" count="(\d+)"', study).groups()
    delays = [(float(low) + (float(high) - float(low)) * i / (int(count) - 1)) * 1e-3 for i in range(int(count))]
    factors = re.search(r'path="stiffness" factors="([^"]*)"', study).group(1).split()
    stiffnesses = [1e3 * parameter("stiffness") * float(factor) for factor in factors]
    mass, damping = service * target / (service + target), 1e3 * parameter("damping")
    points = [(Contact(mass, damping, k).border(), k) for k in stiffnesses]
    contacts = re.search(r'path="contacts" values="([^"]*)"', study).group(1).split()
    panels = [f"contacts {n}, uncompensated" for n in contacts] if len(contacts) > 1 else ["uncompensated"]
    draw_lines(picture, panels, delays, stiffnesses,
               [("closed form of the uncompensated loop", "7 4", points)])


def main():
    asked = argparse.ArgumentParser()
    size = asked.add_mutually_exclusive_group()
    size.add_argument("--large", action="store_true")
    size.add_argument("--quick", action="store_true")
    asked.add_argument("-j", default="0")
    asked.add_argument("--page", action="store_true")
    arguments = asked.parse_args()
    (project / "out").mkdir(exist_ok=True)
    study, store, into = project / "diagrams/studies/stability.xml", project / "out/stability.sqlite", here
    if arguments.large or arguments.quick:
        name = "stability_large" if arguments.large else "stability_quick"
        text = other_size(study.read_text(), LARGE if arguments.large else QUICK)
        text = other_size(text, [('folder=".."', 'folder="../diagrams"')])
        study, store = project / f"out/{name}.xml", project / f"out/{name}.sqlite"
        into = here if arguments.large else project / "out"
        study.write_text(text)
    words = [] if arguments.j == "0" else ["-j", arguments.j]
    whole = not arguments.page and not store.exists()
    if not arguments.page:
        print(run(study.relative_to(project), "-o", store.relative_to(project), *words), end="")
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    for figure, limit in (("energy", "1.05"),):
        run("plot", store.relative_to(project), "--figure", figure, "--limit", limit, "--across", "response_delay", "--up",
            "stiffness.factor", "--columns", "4", "--least", "0.1",
            "--greatest", "10", "-o", into / f"stability_{figure}.svg")
        draw_border(into / f"stability_{figure}.svg", study.read_text())
    contacts = re.search(r'path="contacts" values="([^"]*)"', study.read_text()).group(1)
    repeats = re.search(r'repeat="(\d+)"', study.read_text()).group(1)
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
        total, ticks = database.execute("SELECT count(*), sum(steps) FROM runs").fetchone()
        wanted = int(database.execute("SELECT value FROM study WHERE key = 'runs'").fetchone()[0])
    lines = [
        "<!-- written by stability.py; do not edit -->",
        "# Where the contact methods stay stable",
        "",
        f"{datetime.date.today()}, {platform.machine()}. {total} runs of [diagrams/studies/stability.xml](../../../diagrams/studies/stability.xml): delay of the robot by",
        f"stiffness of the wall (times what each method's paper has) by method, after {', '.join(contacts.split())} contacts, {repeats} repeats with 0.1 N of noise",
        "on the force. *Stable*: the kinetic energy after the last contact is below 1.05 times that at the start; a loop that loses energy is",
        "stable in this sense. *Had them*: runs with that many contacts; the others failed, or lost so much speed that 6000 s were over before (of 100 contacts",
        "1000 s, of 1000 4000 s; without delay these take 160 and 1600 s). TDPA has its own scenario (a satellite in a room, contacts of three axes counted together), the others that of two walls;",
        "so its rows are compared with one another and not with theirs. Of TDPA the kinetic energy of the body is meant. `docs/results/validation/stability.py`",
        f"makes this page: {ticks / 1e9:.2g} billion ticks"
        + (f", {(spent.ru_utime + spent.ru_stime) / 3600:.1f} h of processor time." if whole else "; they were not made in one go, so no time is given."),
        None if arguments.large else "With `--large` it has 41 delays, 13 stiffnesses and 20 repeats, 255,840 runs. *That was not run here.*",
        None if total == wanted else f"**{wanted - total} of {wanted} runs are missing.**",
        "",
        *table(store),
        "",
        "![Kinetic energy after the last contact over that at the start](stability_energy.svg)",
        "",
        "Colour: the energy ratio, mean of the repeats, from 0.1 to 10 by decades; values beyond have the last colour. The red line is at 1.05. A dot: runs that failed (the loop diverged); crossed out:",
        "no contact had an energy. Dashed: the [closed form](closed_form.md) of the uncompensated loop. Its border is at no delay, whatever the stiffness, as these",
        "walls have no damper; the runs say the same. With a damper it is elsewhere, and has [its own map](closed_form.md#in-the-contact-diagrams).",
        "",
        "`hilda sweep show N out/stability.sqlite` gives the command line of any of these runs.",
    ]
    (into / "stability.md").write_text("\n".join(line for line in lines if line is not None) + "\n")


if __name__ == "__main__":
    sys.exit(main())
