#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hilda linearize, next to another build of it: the same files from every shipped diagram, and what they cost.

    docs/results/measurements/linearize.py --other OLD/bin/hilda --write        docs/results/measurements/linearize.md

Every case is a diagram, a delay, a time and a channel. Both programs write A, B, C, D, poles and response. All but the
response have to be the same byte for byte; the response, where sums may be taken in another order, as complex numbers to
1e-9 of its largest. For this comparison the diagrams are copied, and the blocks that keep a table of
contacts, of which no channel here hears, keep --contacts rows of it instead of a thousand: a program that moves each of
its numbers would take minutes a case. Then the programs take turns on the diagrams as they are, in an order drawn for each round; what
counts is user and system time of the process, as the kernel accounts it. Only ratios travel.
"""
import argparse
import cmath
import csv
import datetime
import math
import os
import pathlib
import platform
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "docs/results"))
from machine import kind_of_machine  # noqa: E402

METRICS = re.compile(r'(type="contact/(?:Room|Contact)Metrics")(?![^>]*capacity=)')
PARTS = ["A", "B", "C", "D", "poles", "response"]

CONTACT = ("rig.sensor.measured", "satellites.service.pose")
TDPA = ("integrator.corrected", "command.pose")
# diagram, settings, from, to, time: the contacts' at 0.8 s, where most of them press on a wall
CASES = [
    ("pic", [], *CONTACT, "0.8s"),
    ("pic_ledger", [], *CONTACT, "0.8s"),
    ("acc", [], *CONTACT, "0.8s"),
    ("dac", [], *CONTACT, "0.8s"),
    ("dac_ledger", [], *CONTACT, "0.8s"),
    ("uncompensated", [], *CONTACT, "0.8s"),
    ("pida", ["response_delay=0 ms"], *CONTACT, "0.8s"),
    ("pida", [], *CONTACT, "0.8s"),
    ("pida", ["response_delay=50 ms", "sensor_delay=3 ms"], *CONTACT, "0.8s"),
    ("pida", [], "rig.sensor.measured", "rig.robot.pose", ""),
    ("pida", [], "satellites.service.pose", "compensator.compensated", "0.8s"),
    ("pida_oblique", [], *CONTACT, "0.8s"),
    ("pida_ledger", [], *CONTACT, "0.8s"),
    ("tdpa", [], *TDPA, "0.3s"),
    ("tdpa_docking", [], *TDPA, "2s"),
    ("tdpa_docking", ["response_delay=12 ms"], *TDPA, "2s"),
    ("tdpa_uncompensated", [], *TDPA, "0.3s"),
    ("tdpa_ledger", [], *TDPA, "0.3s"),
    ("tdpa_full", [], *TDPA, "0.3s"),
    ("integrator_drift", [], "first_force.y", "command.pose", "0.1s"),
    ("passive_integrator", [], "first_force.y", "command.pose", "0.1s"),
    ("passive_integrator", ["response_delay=10 ms"], "first_force.y", "rig.robot.pose", "0.1s"),
    ("measure_delay", [], "line.y", "rig.sensor.measured", "0.1s"),
    ("cartesian_control", [], "plant.arm.joint_velocity", "kinematics.pose", "0.2s"),
    ("force_torque_control", [], "plant.arm.joint_velocity", "kinematics.pose", "0.1s"),
    ("free_tumble", [], "torque.y", "arm.base_pose", "0.5s"),
    ("emulation_constrained", ["start=0.06 m"], "emulator.disturbance.y", "emulator.wall.force", ""),
    ("emulation_unconstrained", ["start=0.06 m"], "emulator.disturbance.y", "emulator.wall.force", ""),
    ("emulation_unconstrained", ["start=0.05 m"], "emulator.disturbance.y", "emulator.wall.force", ""),
    ("emulation_transmissivity", [], "lambda.y", "f.y", ""),
    ("emulation_two_link", [], "operator.y", "held.motion.x", "0.1s"),
]
# What the table of times shows: the loop's channel, a part of it, longer delays; the first of them next to the other program
# too, which takes minutes for one of PIDA's.
BESIDE = [
    ("pida", [], *CONTACT, "0.8s"),
    ("free_tumble", [], "torque.y", "arm.base_pose", "0.5s"),
    ("emulation_transmissivity", [], "lambda.y", "f.y", ""),
]
ALONE = [
    ("pida", [], "rig.robot.pose", "rig.sensor.measured", ""),
    ("pida", [], "rig.robot.pose", "actual_tip.position", ""),
    ("pida", ["response_delay=50 ms", "sensor_delay=3 ms"], *CONTACT, "0.9s"),
    ("pida", ["response_delay=200 ms"], *CONTACT, "0.9s"),
    ("tdpa_docking", [], *TDPA, "2s"),
]


class Outcome:
    """What one run of hilda linearize printed, wrote and took."""

    def __init__(self, program, case, folder, diagrams=SOURCE / "diagrams"):
        diagram, settings, source, target, time = case
        words = [str(program), "linearize", str(diagrams / f"{diagram}.xml"), "--from", source, "--to", target, "--out",
                 str(folder / "model"), *[w for s in settings for w in ("--set", s)], *(["--for", time] if time else [])]
        with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            self.said = process.stdout.read()
            self.errors = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.code = process.returncode
        self.time = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss / 1024  # MB
        self.files = {}
        if self.code == 0:
            self.files = {part: (folder / f"model_{part}.csv").read_text() for part in PARTS}

    def states(self):
        return len(self.files["A"].splitlines()) - 1


def responses(text):
    """By frequency: complex numbers, from magnitudes in dB and phases in degrees."""
    rows = [[float(cell) for cell in row] for row in list(csv.reader(text.splitlines()))[1:]]
    return [[cmath.rect(10 ** (size / 20), math.radians(phase)) for size, phase in zip(row[1::2], row[2::2])] for row in rows]


def difference(a, b):
    """Of two responses: the largest, relative to the largest number."""
    one, other = (sum(responses(text), []) for text in (a, b))
    return max((abs(x - y) for x, y in zip(one, other, strict=True)), default=0.0) / max(map(abs, one), default=1.0)


def title(case):
    diagram, settings, source, target, time = case
    return f"{diagram}{''.join(', ' + s for s in settings)}, {source} to {target}, {time or '0 s'}"


def verdict(mine, other):
    """In words, and whether it counts as the same."""
    if (mine.code, mine.errors) != (other.code, other.errors):
        return f"**other end**: {mine.code} and {other.code}", False
    if mine.code != 0:
        return "both refuse: " + mine.errors.splitlines()[0].split("error[")[-1].split("]")[0], True
    wrong = [part for part in PARTS[:-1] if mine.files[part] != other.files[part]]
    if wrong or mine.said != other.said:
        return f"**differ**: {', '.join(wrong) or 'words'}", False
    if mine.files["response"] == other.files["response"]:
        return "every byte", True
    apart = difference(mine.files["response"], other.files["response"])
    return f"every byte but the response, {apart:.0e}", apart < 1e-9


def compared(program, other, contacts, folder):
    shutil.copytree(SOURCE / "diagrams", folder / "diagrams")
    for file in (folder / "diagrams").rglob("*.xml"):
        text = file.read_text().replace("max(1000, contacts)", f"max({contacts}, contacts)")
        file.write_text(METRICS.sub(rf'\1 capacity="{contacts}"', text))
    rows, same = [], True
    for case in CASES:
        mine, theirs = (Outcome(which, case, folder, folder / "diagrams") for which in (program, other))
        words, equal = verdict(mine, theirs)
        same = same and equal
        states = mine.states() if mine.code == 0 else ""
        rows.append(f"| {title(case)} | {states} | {words} |")
        print(f"{rows[-1]} {mine.time:.2f} s, {theirs.time:.2f} s", flush=True)
    return rows, same


def timed(program, other, count, other_count, folder):
    chance = random.Random(1)
    rows = []
    for case in BESIDE + ALONE:
        turns = [program] * count + [other] * (other_count if other and case in BESIDE else 0)
        chance.shuffle(turns)
        took = {program: [], other: []}
        for turn in turns:
            took[turn].append(Outcome(turn, case, folder))
        mine, theirs = ([o.time for o in took[which]] for which in (program, other))
        row = [title(case), took[program][0].states(), f"{min(mine):.3f}", f"{statistics.median(mine):.3f}", f"{max(mine):.3f}",
               f"{took[program][0].memory:.0f}"]
        if other:
            row += [f"{statistics.median(theirs):.2f}", f"{statistics.median(theirs) / statistics.median(mine):.1f}"] if theirs else ["", ""]
        rows.append("| " + " | ".join(str(x) for x in row) + " |")
        print(rows[-1], flush=True)
    return rows


def page(times, rows, given):
    text = ["# What linearising costs", "",
            f"Made by docs/results/measurements/linearize.py on {datetime.date.today()}: {kind_of_machine()}, Linux {platform.release()}, load "
            f"{os.getloadavg()[1]:.0f}. Processor time, user and system, of whole processes, in seconds; {given.rounds} runs"
            + (f", of the other program {given.other_rounds}, in an order drawn." if given.other else ".") + " A start of the program, which loads all plugins, is in it.", ""]
    head = ["channel", "states", "least", "median", "most", "memory MB"] + (["other, median", "ratio of medians"] if given.other else [])
    text += ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *times]
    if rows:
        text += ["", "## The same numbers", "", "Files of this program and of the other one: A, B, C, D and poles byte for byte; the response, where it is not the same",
                 "bytes, relative to its largest number.", "", "| channel | states | equal |", "|---|---|---|", *rows]
    return "\n".join(text) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default=str(SOURCE / "build" / "bin" / "hilda"))
    options.add_argument("--other", help="another hilda to hold this one against")
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--other-rounds", type=int, default=3)
    options.add_argument("--contacts", type=int, default=10, help="rows of the tables of contacts in the comparison")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="hilda_linearize_") as name:
        folder = pathlib.Path(name)
        times = timed(given.program, given.other, given.rounds, given.other_rounds, folder)
        rows, same = compared(given.program, given.other, given.contacts, folder) if given.other else ([], True)
    text = page(times, rows, given)
    if given.write:
        (SOURCE / "docs/results/measurements/linearize.md").write_text(text)
    if not same:
        raise SystemExit("the two programs differ")


if __name__ == "__main__":
    main()
