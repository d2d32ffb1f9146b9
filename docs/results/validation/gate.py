#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the contact methods owe to their contact gate: its threshold from 0 to 10 N, with and without hysteresis. Writes gate.md.

    docs/results/validation/gate.py [--contacts 20] [--repeat 3] [-j 1]      HILDA=path: another program than build/bin/hilda

The diagrams are copied, and the gate of each is replaced. What counts contacts keeps its own gate, at what the shipped diagrams have.
"""
import argparse
import datetime
import math
import os
import platform
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tables import table  # noqa: E402

here = Path(__file__).resolve().parent
project = here.parents[2]
hilda = os.environ.get("HILDA", str(project / "build" / "bin" / "hilda"))
METHODS = ("pic", "dac", "acc", "pida")
THRESHOLDS = (0, 0.1, 0.5, 1, 2, 5, 10)

GATE = '  <block name="gate" type="contact/ContactGate" threshold="${contact_threshold}"/>\n'
COUNTS = '  <block name="figures_gate" type="contact/ContactGate" threshold="${max(0.5 N, 6 * max(force_noise))}"/>\n'
WITH_HYSTERESIS = """  <block name="gate_force" type="math/Norm"/>
  <block name="gate_switch" type="discrete/Hysteresis" upper="${contact_threshold}" lower="${0.5 * contact_threshold}"/>
  <block name="gate_off" type="math/Gain" gain="0"/>
  <block name="gate_on" type="routing/Switch"/>
  <block name="gate" type="contact/ContactGate" threshold="0 N"/>
"""
MEASURED = '  <connect from="on_wall.on_wall" to="gate.measured"/>\n'
SWITCHED = """  <connect from="on_wall.on_wall.force" to="gate_force.u"/>
  <connect from="gate_force.y" to="gate_switch.u"/>
  <connect from="gate_switch.on" to="gate_on.condition"/>
  <connect from="on_wall.on_wall" to="gate_on.when_true"/>
  <connect from="on_wall.on_wall" to="gate_off.u"/>
  <connect from="gate_off.y" to="gate_on.when_false"/>
  <connect from="gate_on.y" to="gate.measured"/>
"""
STUDY = """<study format="1" name="gate" mode="sim" seed="7" timeout="10 min" doc="The contact gate's threshold by method.">
  <set path="duration" value="{duration} s"/>
  <set path="contacts" value="{contacts}"/>
  <set path="response_delay" value="10 ms"/>
  <axis diagram="{diagrams}" folder="diagrams" doc="The method, with and without hysteresis"/>
  <axis path="force_noise" values="0 0.1 N" doc="Standard deviation of an axis"/>
  <axis path="contact_threshold" values="{thresholds} N" doc="Of the gate"/>
  <draw path="seed" repeat="{repeat}" doc="Of the noise"/>
  <figure name="energy" from="contacts[-1].energy_ratio" doc="kinetic energy after the last contact over that at the start"/>
  <figure name="had" from="count(contacts[].time)" doc="How many contacts there were"/>
</study>
"""


def replaced(text, old, new):
    assert text.count(old) == 1, old
    return text.replace(old, new)


def variants(folder):
    """Copies the diagrams; NAME has its plain gate, NAME_hysteresis one that ends at half of the threshold."""
    shutil.copytree(project / "diagrams", folder / "diagrams")
    for method in METHODS:
        shipped = (project / "diagrams" / f"{method}.xml").read_text()
        shipped = replaced(shipped, 'from="gate.in_contact" to="figures.in_contact"', 'from="figures_gate.in_contact" to="figures.in_contact"')
        counted = MEASURED.replace("gate.measured", "figures_gate.measured")
        for name, gate, wires in ((method, GATE, MEASURED), (f"{method}_hysteresis", WITH_HYSTERESIS, SWITCHED)):
            text = replaced(replaced(shipped, GATE, gate + COUNTS), MEASURED, wires + counted)
            (folder / "diagrams" / f"{name}.xml").write_text(replaced(text, f'name="{method}"', f'name="{name}"'))


def check_of_shipped(folder, contacts, rows):
    """The copies are the shipped diagrams but for the gate: with the shipped threshold they have the same energy, bit for bit."""
    study, store = folder / "shipped.xml", folder / "shipped.sqlite"
    study.write_text(STUDY.format(duration=6 * contacts, contacts=contacts, repeat=1, diagrams=" ".join(METHODS), thresholds="0.5")
                     .replace('values="0 0.1 N"', 'values="0 N"').replace('folder="diagrams"', f'folder="{project / "diagrams"}"'))
    subprocess.run([hilda, "sweep", str(study), "-o", str(store), "-j", "1", "--quiet"], check=True)
    with sqlite3.connect(store) as database:
        shipped = dict(database.execute("SELECT diagram, energy FROM runs").fetchall())
    for method in METHODS:
        here_too = {r[3] for r in rows if r[:3] == (method, 0, 0.5)}
        if here_too != {shipped[method]}:
            sys.exit(f"{method}: {shipped[method]} as shipped, {here_too} here")


def swing(rows, method, ending, noise):
    """Greatest over least energy of the thresholds from what is shipped, medians of the seeds."""
    medians = [statistics.median([r[3] for r in rows if r[:3] == (method + ending, noise, threshold) and r[3] is not None] or [math.nan])
               for threshold in THRESHOLDS if threshold >= (0.5 if noise == 0 else 1)]
    return f"{max(medians) / min(medians):.3g}"


def cell(rows, contacts):
    """Median and range of the energy ratio of a place's runs; what did not have all contacts is reported."""
    whole = [energy for energy, had in rows if had is not None and had >= contacts]
    missing = f", {len(rows) - len(whole)} of {len(rows)} not whole" if len(whole) < len(rows) else ""
    if not whole:
        return "none whole"
    low, high = min(whole), max(whole)
    return (f"{statistics.median(whole):.3g}" if math.isclose(low, high, rel_tol=5e-3) else f"{low:.3g} to {high:.3g}") + missing


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("--contacts", type=int, default=20)
    asked.add_argument("--repeat", type=int, default=3)
    asked.add_argument("-j", default="1")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        variants(folder)
        study, store = folder / "gate.xml", folder / "gate.sqlite"
        study.write_text(STUDY.format(duration=6 * given.contacts, contacts=given.contacts, repeat=given.repeat,
                                      diagrams=" ".join(m + end for m in METHODS for end in ("", "_hysteresis")),
                                      thresholds=" ".join(map(str, THRESHOLDS))))
        subprocess.run([hilda, "sweep", str(study), "-o", str(store), "-j", given.j], check=True)
        with sqlite3.connect(store) as database:
            rows = database.execute("SELECT diagram, force_noise, contact_threshold, energy, had, steps FROM runs").fetchall()
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        check_of_shipped(folder, given.contacts, rows)
    seconds = spent.ru_utime + spent.ru_stime
    lines = []
    for method in METHODS:
        for noise in (0, 0.1):
            for ending in ("", "_hysteresis"):
                cells = [cell([(r[3], r[4]) for r in rows if r[0] == method + ending and r[1] == noise and r[2] == threshold], given.contacts)
                         for threshold in THRESHOLDS]
                lines.append([method, f"{noise:g}", "half" if ending else "none", *cells, swing(rows, method, ending, noise)])
    full = seconds * (1000 / given.contacts) * (30 / given.repeat) * 2
    text = f"""<!-- written by gate.py; do not edit -->
# What the contact methods owe to their gate

This page shows how the energy of four contact methods depends on the threshold of force at which they detect contact.

{datetime.date.today()}, {platform.machine()}. Robot's delay 10 ms, the rest as the diagrams have it; {given.contacts} contacts, {given.repeat} seeds where there is noise (0.1 N a
component). Shown: kinetic energy after the last contact over that at the start; 1 is right. *Hysteresis half*: contact ends at
half of the threshold. The shipped diagrams have no hysteresis, and max(0.5 N, 6 standard deviations): here 0.5 and 0.6 N. What counts contacts has that
gate in all runs.

{table(["method", "noise, N", "hysteresis", *(f"{t} N" for t in THRESHOLDS), "greatest / least"], lines)}

*Greatest / least*: of the thresholds above the noise (0.5 N and more without it, 1 N and more with it), medians. 1: the gate does not
matter. PIC and ACC compensate only where the gate says contact, so that what it cuts off is uncompensated. DAC and PIDA have a
passivity law that books energy in the same interval. A threshold below six standard deviations of the noise lets the
compensators act in free flight, where what they add is noise. With the shipped threshold the copies have the energy of the shipped diagrams, bit for bit.

Cost: {len(rows)} runs, {sum(r[5] or 0 for r in rows) / 1e6:.1f} million ticks, {seconds:.0f} s of processor time. The whole ablation (1000 contacts, 30 seeds, the four methods with
and without their ledgers) would take {full / 3600:.0f} h at this speed. *That was not run here.*
"""
    (here / "gate.md").write_text(text)


if __name__ == "__main__":
    main()
