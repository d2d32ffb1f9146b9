#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the work-accuracy part of solvers.md, with its pictures: error over right-hand sides and over time, hilda's solvers
next to CVODE alone (cvode_alone.cpp, which it compiles) and scipy's solve_ivp (DOP853, Radau, LSODA).

    docs/results/validation/work_accuracy.py [path to hilda]
"""
import datetime
import math
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import scipy
from scipy.integrate import solve_ivp

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runs  # noqa: E402
from machine import kind_of_machine  # noqa: E402
from solver_problems import ends, hires, oregonator, solve, swing, van_der_pol  # noqa: E402
from tables import below_mark, table  # noqa: E402

here = Path(__file__).resolve().parent
runs.choose(sys.argv[1:])
rounds = 9
commits = set()


def hires_slope(_, y):
    a, b, c, d, e, f, g, h = y
    return [-1.71 * a + 0.43 * b + 8.32 * c + 0.0007, 1.71 * a - 8.75 * b, -10.03 * c + 0.43 * d + 0.035 * e,
            8.32 * b + 1.71 * c - 1.12 * d, -1.745 * e + 0.43 * f + 0.43 * g,
            -280 * f * h + 0.69 * d + 1.71 * e - 0.43 * f + 0.69 * g, 280 * f * h - 1.81 * g, -280 * f * h + 1.81 * g]


# by name: the diagram, its period and end, the slope for scipy, the states at 0, relative tolerances and by how much the absolute is less
problems = {
    "HIRES": (hires, "hires", "3218122 us", 321.8122, hires_slope, [1, 0, 0, 0, 0, 0, 0, 0.0057], (1e-4, 1e-6, 1e-8), 1e-4),
    "Van der Pol, mu = 1000": (van_der_pol, "van_der_pol", "20 s", 2000, lambda _, y: [y[1], 1000 * (1 - y[0] ** 2) * y[1] - y[0]],
                               [2, 0], (1e-4, 1e-6, 1e-8), 1e-2),
    "OREGO": (oregonator, "oregonator", "3600 ms", 360,
              lambda _, y: [77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1])), (y[2] - (1 + y[0]) * y[1]) / 77.27,
                            0.161 * (y[0] - y[2])], [1, 2, 3], (1e-4, 1e-6, 1e-8), 1e-2),
    "oscillator, 6.4 turns": (swing, "swing", "20 ms", 2, lambda _, y: [y[1], -400 * y[0]], [1, 0], (1e-4, 1e-6, 1e-8, 1e-10), 1),
}
solvers = {"HIRES": ("rosenbrock", "dopri5", "cvode"), "Van der Pol, mu = 1000": ("rosenbrock", "cvode"), "OREGO": ("rosenbrock", "cvode"),
           "oscillator, 6.4 turns": ("dopri5", "rosenbrock", "cvode", "adams")}
methods = {"HIRES": ("Radau", "LSODA"), "Van der Pol, mu = 1000": ("Radau", "LSODA"), "OREGO": ("Radau", "LSODA"),
           "oscillator, 6.4 turns": ("DOP853", "Radau", "LSODA")}


REPEATED = """import hilda, sys, time
simulation, least = hilda.Simulation(sys.argv[1]), 1e9
for _ in range(int(sys.argv[2])):
    simulation.reset()
    begun = time.process_time()
    simulation.run(record=[])
    least = min(least, time.process_time() - begun)
print(least)
"""


def seconds_of(text, solver, rtol, atol, folder):
    """Processor time of a run without a log, in a process that makes it again and again: the least, as of CVODE alone."""
    diagram = Path(folder) / "timed.xml"
    diagram.write_text(text.replace("<diagram ", f'<diagram solver="{solver}" rtol="{rtol:g}" atol="{atol:g}" ', 1))
    module = Path(runs.hilda).resolve().parent.parent / "python"
    words = [sys.executable, "-c", REPEATED, str(diagram), str(10 * rounds)]
    return float(subprocess.run(words, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(module)}).stdout)


def ours(text, name, period, end, solver, rtol, atol):
    """Error, right-hand sides, seconds."""
    options = ["--solver", solver, "--rtol", f"{rtol:g}", "--atol", f"{atol:g}"]
    error, told = solve(text, name, period, end, *options)
    if error is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        spent = seconds_of(text.replace("{period}", period), solver, rtol, atol, folder)
    commits.add(told["git"])
    return error, told["solver"]["right_hand_sides"], spent


def theirs(slope, begin, name, end, method, rtol, atol):
    best = math.inf
    for _ in range(3):
        started = time.process_time()
        done = solve_ivp(slope, (0, end), begin, method=method, rtol=rtol, atol=atol)
        best = min(best, time.process_time() - started)
    right = list(ends[name].values())
    error = max(abs(done.y[i, -1] / right[i] - 1) for i in range(len(right)))
    return error, done.nfev, best


def alone(program, name, end, formulas, rtol, atol):
    """CVODE without hilda, its right-hand side compiled."""
    told = subprocess.run([program, name, repr(rtol), repr(atol), formulas, repr(end), str(10 * rounds)], check=True, capture_output=True,
                          text=True).stdout.split()
    right = list(ends[name].values())
    error = max(abs(float(told[2 + i]) / right[i] - 1) for i in range(len(right)))
    return error, int(told[0]), float(told[1])


def compiled(folder):
    program = Path(folder) / "cvode_alone"
    subprocess.run(["g++", "-O2", "-o", program, here / "cvode_alone.cpp", "-l:libsundials_cvode.a", "-lm"], check=True)
    return program


colours = ("#1f77b4", "#2ca02c", "#d62728", "#9467bd", "#ff7f0e", "#8c564b", "#e377c2", "#17becf", "#7f7f7f")


def panel(title, lines, which, across, left, top, width=330, height=240):
    """One diagram: error upwards, work across, both in tens."""
    points = [p for line in lines.values() for p in line]
    x0, x1 = (f(math.log10(max(p[which], 1e-6)) for p in points) for f in (min, max))
    y0, y1 = (f(math.log10(max(p[0], 1e-16)) for p in points) for f in (min, max))
    x0, x1, y0, y1 = math.floor(x0), math.ceil(x1 + 1e-9), math.floor(y0), math.ceil(y1 + 1e-9)

    def place(p):
        return (left + (math.log10(max(p[which], 1e-6)) - x0) / max(x1 - x0, 1) * width,
                top + height - (math.log10(max(p[0], 1e-16)) - y0) / max(y1 - y0, 1) * height)
    made = [f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#888"/>',
            f'<text x="{left}" y="{top - 8}" font-weight="bold">{title}</text>',
            f'<text x="{left + width / 2}" y="{top + height + 32}" text-anchor="middle">{across}</text>']
    for power in range(x0, x1 + 1):
        x = left + (power - x0) / max(x1 - x0, 1) * width
        made.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{top + height}" stroke="#ddd"/>'
                    f'<text x="{x:.1f}" y="{top + height + 15}" text-anchor="middle">1e{power}</text>')
    for power in range(y0, y1 + 1, max(1, (y1 - y0) // 6)):
        y = top + height - (power - y0) / max(y1 - y0, 1) * height
        made.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + width}" y2="{y:.1f}" stroke="#ddd"/>'
                    f'<text x="{left - 5}" y="{y + 4:.1f}" text-anchor="end">1e{power}</text>')
    for number, (name, line) in enumerate(lines.items()):
        colour = colours[number % len(colours)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, line))
        made.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        made += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in map(place, line)]
        made.append(f'<text x="{left + width + 8}" y="{top + 14 + 16 * number}" fill="{colour}">{name}</text>')
    return made


def picture(title, lines, file):
    body = panel(f"{title}: error", lines, 1, "right-hand sides", 60, 40) + panel("", lines, 2, "time, s", 560, 40)
    file.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="1010" height="330" font-family="sans-serif" font-size="12">'
                    '<rect width="1010" height="330" fill="white"/>' + "\n".join(body) + "</svg>\n")


def at_error(line, error, which):
    """Work at an error, between two points in logarithms; None where the line does not reach it."""
    for a, b in zip(line, line[1:]):
        if min(a[0], b[0]) <= error <= max(a[0], b[0]) and a[0] != b[0]:
            share = math.log(error / a[0]) / math.log(b[0] / a[0])
            return math.exp(math.log(a[which]) + share * math.log(b[which] / a[which]))
    return None


rows, pictures, beside = [], [], []
scratch = tempfile.TemporaryDirectory()
program = compiled(scratch.name)
for title, (text, name, period, end, slope, begin, tolerances, less) in problems.items():
    lines = {}
    for solver in solvers[title]:
        found = [ours(text, name, period, end, solver, rtol, rtol * less) for rtol in tolerances]
        lines[f"hilda {solver}"] = [each for each in found if each]
    for formulas in (each for each in solvers[title] if each in ("cvode", "adams")):
        lines[f"CVODE alone, {formulas}"] = [alone(program, name, end, formulas, rtol, rtol * less) for rtol in tolerances]
    for method in methods[title]:
        lines[f"scipy {method}"] = [theirs(slope, begin, name, end, method, rtol, rtol * less) for rtol in tolerances]
    file = f"work_{name}.svg"
    picture(title, lines, here / file)
    pictures.append(f"![{title}]({file})")
    first = f"hilda {solvers[title][0]}"
    for label, line in lines.items():
        for rtol, point in zip(tolerances, line):
            mine = at_error(lines[first], point[0], 2) if label.startswith("scipy") else None
            bare = lines.get(label.replace("hilda ", "CVODE alone, ")) if label.startswith("hilda ") else None
            bare = at_error(bare, point[0], 2) if bare else None
            if bare:
                beside.append(point[2] / bare)
            rows.append([title, label, f"{rtol:g}", f"{point[0]:.1e}", f"{point[1]}", f"{point[2]:.5f}",
                         f"{point[2] / mine:.0f}" if mine else "", f"{point[2] / bare:.1f}" if bare else ""])

ratios = [int(row[-2]) for row in rows if row[-2]]
ahead = f"Goal: 20 times. It is met at {sum(each >= 20 for each in ratios)} of {len(ratios)} points; the least is {min(ratios)}."
met = f"It is met at {sum(each <= 1.3 for each in beside)} of {len(beside)} points; the most is {max(beside):.1f}." if beside else "No point can be compared."
text = f"""Written by `docs/results/validation/work_accuracy.py` on {datetime.date.today()}: {kind_of_machine()}, Linux {platform.release()}, load
{os.getloadavg()[1]:.0f}, SciPy {scipy.__version__}, NumPy {numpy.__version__}, hilda of commit
{", ".join(sorted(commits))}. hilda runs diagrams of Function blocks, SciPy functions in
Python. Time is processor time, the least: for hilda of {10 * rounds} runs without a log in one process (its Python module), for SciPy of 3, for
CVODE alone of {10 * rounds} in one process: cvode_alone.cpp, with compiled equations and one call to the end. "times hilda's": SciPy's time over that of
hilda's first solver of the problem at equal error, where that error lies within its line. {ahead} "times CVODE's": hilda's time over
that of CVODE alone at equal error, where it lies within that line; hilda's is with Function blocks, which are read expressions, and
a hundred ticks. Goal: within 1.3. {met}

{table(["problem", "solver", "rtol", "error", "right-hand sides", "time, s", "times hilda's", "times CVODE's"], rows)}

{chr(10).join(pictures)}
"""
below_mark(here / "solvers.md", "work_accuracy.py", text)
