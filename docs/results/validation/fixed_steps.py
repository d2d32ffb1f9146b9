#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables of fixed_steps.md: what the looks at a fixed step cost, and what each choice of a fixed step costs and does to bits.

    docs/results/validation/fixed_steps.py [path to hilda]

Costs are instructions, counted by callgrind in the loop alone: they do not depend on the machine's load. References are
those of defaults/references.json.
"""
import datetime
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import defaults  # noqa: E402
import runs  # noqa: E402
from tables import below_mark, table  # noqa: E402

here = Path(__file__).resolve().parent
TICKS = 2000
CHAINS = [1, 10]
MODELS = ["duffing", "relay_loop", "bouncing_ball", "coulomb_oscillator"]
CHOICES = ["rk4, the default", 'sample_time="continuous"', 'events="located"', "euler"]
SOURCES = "Sine|Chirp|Pulse|Step|Ramp|Trajectory|Triangle"
LOOP, LOOK = "hilda::session::simulate(*", "hilda::run::Runtime::look_at_step()*"


def chain(states):
    """A line of first-order lags, each coupled to the one before and the one behind it."""
    rows = ['<diagram format="1" name="chain"><block name="u" type="sources/Constant" value="1"/>']
    for k in range(states):
        before = f"x{k - 1}.y" if k else "u.y"
        behind = f"x{k + 1}.y" if k + 1 < states else "u.y"
        rows.append(f'<block name="s{k}" type="math/Sum" signs="++--"/><block name="g{k}" type="math/Gain" gain="5 1/s"/>'
                    f'<block name="x{k}" type="continuous/Integrator"/><connect from="{before}" to="s{k}.u[0]"/>'
                    f'<connect from="{behind}" to="s{k}.u[1]"/><connect from="x{k}.y" to="s{k}.u[2]"/><connect from="x{k}.y" to="s{k}.u[3]"/>'
                    f'<connect from="s{k}.y" to="g{k}.u"/><connect from="g{k}.y" to="x{k}.u"/>')
    return "\n".join(rows) + "</diagram>"


def instructions(file, ticks, of, *more):
    """Of a run of so many ticks, those in the function `of` and in what it calls."""
    with tempfile.TemporaryDirectory(prefix="hilda_fixed_") as place:
        out = Path(place) / "out"
        subprocess.run(["valgrind", "--tool=callgrind", "-q", f"--toggle-collect={of}", f"--callgrind-out-file={out}", runs.hilda, "run",
                        str(file), "--quiet", "--no-log", "--for", f"{ticks} ms", *more], cwd=place, check=True, stdout=subprocess.DEVNULL)
        return int(re.search(r"^(?:totals|summary): (\d+)", out.read_text(), re.MULTILINE)[1])


def looks():
    """Looks are before the ticks 1, 2, 5, 10, 20 and so on: two in three ticks, 16 up to tick 100,000."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="hilda_fixed_") as place:
        for states in CHAINS:
            file = Path(place) / "chain.xml"
            file.write_text(chain(states))
            look = instructions(file, 3, LOOK) / 2
            tick = (instructions(file, 203, LOOP) - instructions(file, 3, LOOP) - 6 * look) / 200  # 5, 10, 20, 50, 100, 200
            rows.append([str(states), f"{tick:,.0f}", f"{look:,.0f}", f"{100 * 16 * look / (100_000 * tick):.2g} %"])
    return table(["states, all coupled", "a tick", "a look", "looks, of a run of 100,000 ticks"], rows)


def chosen(text, choice):
    if choice == CHOICES[1]:
        return re.sub(rf'type="sources/({SOURCES})"', r'type="sources/\1" sample_time="continuous"', text)
    if choice == CHOICES[2]:
        return text.replace('format="1"', 'format="1" events="located"', 1)
    return text.replace('format="1"', 'format="1" solver="euler"', 1) if choice == CHOICES[3] else text


def measured(name, choice, references):
    """(error, instructions a tick, the signal's values, codes of what was printed)"""
    signal = defaults.MODELS[name][0]
    text = chosen((defaults.folder / f"{name}.xml").read_text(), choice)
    with tempfile.TemporaryDirectory(prefix="hilda_fixed_") as place:
        file, log, rows = (Path(place) / each for each in ("model.xml", "run.mcap", "run.csv"))
        file.write_text(text)
        done = subprocess.run([runs.hilda, "run", str(file), "--log", str(log)], capture_output=True, text=True)
        said = "\n".join(line for line in done.stderr.splitlines() if "the shape of" not in line)
        subprocess.run([runs.hilda, "export", str(log), signal, "--csv", "-o", str(rows)], capture_output=True, check=True)
        found = [[float(each) for each in line.split(",")] for line in rows.read_text().splitlines()[1:]]
        cost = instructions(file, TICKS, LOOP) / TICKS
    return defaults.error_of(name, found, references[name]), cost, found, defaults.codes(said)


def choices():
    references = json.loads(defaults.stored.read_text())["models"]
    rows = []
    for name in MODELS:
        first = None
        for choice in CHOICES:
            if choice == CHOICES[1] and not re.search(rf'type="sources/({SOURCES})"', (defaults.folder / f"{name}.xml").read_text()):
                continue
            error, cost, values, said = measured(name, choice, references)
            first = first if first is not None else (values, cost)
            rows.append([f"[{name}](defaults/{name}.xml)", choice, defaults.show(error), f"{cost:,.0f}", f"{cost / first[1]:.2f}",
                         "yes" if values == first[0] else "no", said])
    return table(["model", "choice", "error", "a tick", "to the default", "bits of the default", "printed"], rows)


def main(words):
    runs.choose(words)
    head = (f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} processors. Instructions, by callgrind.")
    below_mark(here / "fixed_steps.md", "fixed_steps.py",
               f"{head}\n\n## The check for steps that are too long\n\n{looks()}\n\n## The choices\n\n{choices()}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
