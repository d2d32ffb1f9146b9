# SPDX-License-Identifier: BSD-3-Clause
"""Maps of the contact methods: the energy after five contacts over delay and stiffness, with the closed form without compensation."""
import functools
import math
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from claims_contact import MASS  # noqa: E402
from delayed_contact import Contact, crossing  # noqa: E402
from map_lines import draw_lines  # noqa: E402
from runs import hilda, project  # noqa: E402
from tables import table  # noqa: E402

STUDY = project / "diagrams" / "studies" / "methods_map.xml"
LEVELS = ((2, "2 3"), (10, "6 4"), (1000, "12 5"))  # energy of the closed form, and how its line is dashed
SHORT = 0.03  # w T below which the series of the closed form has too many terms
LEAST, MOST = 0.95, 1.05  # of the energy that is kept


def places():
    """The delays and stiffnesses of the study, in SI."""
    text = STUDY.read_text()

    def axis(path, unit, scale):
        return [float(value) * scale for value in re.search(rf'path="{path}" values="([^"]*) {unit}"', text)[1].split()]
    return axis("response_delay", "ms", 1e-3), axis("stiffness", "N/mm", 1e3)


def closed_form(product):
    """Energy after five contacts without a damper and without compensation; it depends on w T alone."""
    return Contact(MASS, 1e-9, 20e3).rebound(product / math.sqrt(20e3 / MASS)) ** 5


@functools.lru_cache
def level(energy):
    """The w T at which the closed form has this energy."""
    return crossing(lambda product: closed_form(product) - energy, SHORT, 0.6, 1e-4)


def lines():
    """Of each level: label, dashes, and (delay, stiffness) along it."""
    stiffnesses = places()[1]
    for energy, dashes in LEVELS:
        product = level(energy)
        low, high = stiffnesses[0], stiffnesses[-1]
        along = [low * (high / low) ** (i / 200) for i in range(201)]
        yield f"closed form without compensation: {energy}", dashes, [(product / math.sqrt(k / MASS), k) for k in along]


def kept_up_to(found):
    """Of (w T, energy): the largest w T up to which every place keeps the energy, or None."""
    last = None
    for product, energy in sorted(found, key=lambda each: each[0]):
        if energy is None or not LEAST < energy < MOST:
            return last
        last = product
    return last


def row(found):
    """Places in which the energy is kept, has grown, was lost; and up to which w T it is kept in all."""
    energies = [math.inf if energy is None else energy for _, energy in found]
    last = kept_up_to(found)
    everywhere = all(LEAST < energy < MOST for energy in energies)
    return [str(sum(LEAST < e < MOST for e in energies)), str(sum(e >= MOST for e in energies)), str(sum(e <= LEAST for e in energies)),
            "none" if last is None else f"{last:.2f}" + (" (all)" if everywhere else "")]


def section(store, picture, jobs, methods):
    """Runs the study into `store`, draws `picture`, and returns the page's text. `methods`: their names by diagram."""
    subprocess.run([hilda, "sweep", str(STUDY), "-o", str(store), "-j", jobs], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([hilda, "sweep", "plot", str(store), "--figure", "energy", "--limit", str(MOST), "--across", "response_delay", "--up", "stiffness",
                    "--columns", "4", "--least", "0.1", "--greatest", "10", "-o", str(picture)], check=True, stdout=subprocess.DEVNULL)
    delays, stiffnesses = places()
    draw_lines(picture, list(methods), delays, stiffnesses, list(lines()), (True, True))
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
        rows = database.execute("SELECT diagram, response_delay, stiffness, energy FROM runs").fetchall()
    found = {method: [(delay * math.sqrt(k / MASS), energy) for name, delay, k, energy in rows if name == method] for method in methods}
    worst = max(abs(energy / closed_form(product) - 1) for product, energy in found["uncompensated"] if product > SHORT and energy and energy < 10)
    levels = ", ".join(f"{energy} (w T = {level(energy):.3f})" for energy, _ in LEVELS)
    return f"""## Maps
{len(rows)} runs of [the study](../../../diagrams/studies/methods_map.xml): {len(delays)} delays, {len(stiffnesses)} stiffnesses, five contacts, no noise.

![Energy after five contacts over that at the start](methods_map.svg)

Colour: energy after the last contact over that at the start, from 0.1 to 10; values beyond have the last colour. The red line is at {MOST}. Crossed out: the
run diverged. Dashed: the closed form without compensation, where its energy after five contacts is {levels}. It depends on w T alone: w is the
angular frequency of the contact and T the delay. Its runs are within {100 * worst:.2f} % of it where w T is above {SHORT} and they are below 10. Compare each panel with the first one.

{table(["method", "kept", "grown", "lost", "kept up to w T"], [[methods[method], *row(found[method])] for method in methods])}

Kept: between {LEAST} and {MOST}. Last column: the largest w T of a place up to which the energy is kept in all places.
"""
