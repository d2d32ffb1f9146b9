#!/usr/bin/env python3
"""Writes solvers.md: what each solver gives for how many right-hand sides, on problems with known solutions.

    docs/results/solvers.py [path to hilda]
"""
import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import runs
from tables import table

here = Path(__file__).resolve().parent
runs.choose(sys.argv[1:])


def equation(states, period, duration, extra=""):
    """A diagram with an integrator for each state (initial value, expression, its variables by letter)."""
    lines = [f'<diagram format="1" name="problem" period="{period}">', f'<parameter name="duration" value="{duration}"/>']
    for name, (initial, text, variables) in states.items():
        lines.append(f'<block name="{name}" type="continuous/Integrator" initial="{initial}"/>')
        lines.append(f'<block name="d{name}" type="math/Function" expression="{text}" sample_time="continuous"/>')
        lines.append(f'<connect from="d{name}.y" to="{name}.u"/>')
        lines += [f'<connect from="{source}.y" to="d{name}.{letter}"/>' for letter, source in variables.items()]
    return "\n".join([*lines, extra, "</diagram>"])


hires = equation({
    "s1": (1, "-1.71*u + 0.43*v + 8.32*w + 0.0007", {"u": "s1", "v": "s2", "w": "s3"}),
    "s2": (0, "1.71*u - 8.75*v", {"u": "s1", "v": "s2"}),
    "s3": (0, "-10.03*u + 0.43*v + 0.035*w", {"u": "s3", "v": "s4", "w": "s5"}),
    "s4": (0, "8.32*u + 1.71*v - 1.12*w", {"u": "s2", "v": "s3", "w": "s4"}),
    "s5": (0, "-1.745*u + 0.43*v + 0.43*w", {"u": "s5", "v": "s6", "w": "s7"}),
    "s6": (0, "-280*u*v + 0.69*w + 1.71*a - 0.43*u + 0.69*b", {"u": "s6", "v": "s8", "w": "s4", "a": "s5", "b": "s7"}),
    "s7": (0, "280*u*v - 1.81*w", {"u": "s6", "v": "s8", "w": "s7"}),
    "s8": (0.0057, "-280*u*v + 1.81*w", {"u": "s6", "v": "s8", "w": "s7"}),
}, "{period}", "321.9 s")
van_der_pol = equation({"x": (2, "u", {"u": "v"}), "v": (0, "1000*(1 - u^2)*v - u", {"u": "x", "v": "v"})}, "{period}", "2001 s")
robertson = equation({
    "a": (1, "-0.04*u + 1e4*v*w", {"u": "a", "v": "b", "w": "c"}),
    "b": (0, "0.04*u - 1e4*v*w - 3e7*v^2", {"u": "a", "v": "b", "w": "c"}),
    "c": (0, "3e7*u^2", {"u": "b"}),
}, "{period}", "101000000000 s")
swing = equation({"x": (1, "u", {"u": "v"}), "v": (0, "-400*u", {"u": "x"})}, "{period}", "2.001 s")

ends = {
    "hires": {"s1": 0.7371312573325668e-3, "s2": 0.1442485726316185e-3, "s3": 0.5888729740967575e-4,
              "s4": 0.1175651343283149e-2, "s5": 0.2386356198831331e-2, "s6": 0.6238968252742796e-2,
              "s7": 0.2849998395185769e-2, "s8": 0.2850001604814231e-2},
    "van_der_pol": {"x": 0.1706167732170469e1},
    "robertson": {"a": 0.2083340149701255e-7, "b": 0.8333360770334713e-13, "c": 0.9999999791665050},
    "swing": {"x": math.cos(40)},
}


def solve(text, name, period, end, *options):
    """The largest relative error at `end` and what the solver did; None where the run failed."""
    with tempfile.TemporaryDirectory() as folder:
        diagram, summary, log, values = (Path(folder) / each for each in ("p.xml", "s.json", "l.mcap", "v.csv"))
        diagram.write_text(text.replace("{period}", period))
        done = subprocess.run([runs.hilda, "run", diagram, "--quiet", "--summary", summary, "--log", log, *options],
                              capture_output=True, text=True)
        if done.returncode:
            return None, done.stderr
        told = json.loads(summary.read_text())
        signals = [f"{each}.y" for each in ends[name]]
        subprocess.run([runs.hilda, "export", log, *signals, "--csv", "--out", values], check=True, capture_output=True)
        rows = list(csv.DictReader(values.open()))
    row = min(rows, key=lambda each: abs(float(next(iter(each.values()))) - end))
    found = {key.split(" ")[0]: value for key, value in row.items()}
    error = max(abs(float(found[f"{each}.y"]) / right - 1) for each, right in ends[name].items())
    return error, told


def line(label, text, name, period, end, *options):
    error, told = solve(text, name, period, end, *options)
    if error is None:
        return [label, " ".join(options), "-", "-", "-", "-", "failed: " + told.strip().splitlines()[0][:90]]
    did = told.get("solver")
    steps = did["steps"] if did else told["steps"]
    sides = did["right_hand_sides"] if did else steps * 4
    return [label, " ".join(options[1::2]), f"{steps}", f"{did['rejected']}" if did else "0", f"{sides}",
            f"{did['jacobians']}" if did else "0", f"{error:.1e}"]


rows = []
for rtol, atol in (("1e-5", "1e-9"), ("1e-7", "1e-11"), ("1e-9", "1e-13")):
    rows.append(line("HIRES", hires, "hires", "3218122 us", 321.8122, "--solver", "rosenbrock", "--rtol", rtol, "--atol", atol))
rows.append(line("HIRES", hires, "hires", "3218122 us", 321.8122, "--solver", "dopri5", "--rtol", "1e-7", "--atol", "1e-11"))
for rtol, atol in (("1e-6", "1e-8"), ("1e-8", "1e-10")):
    rows.append(line("Van der Pol, mu = 1000", van_der_pol, "van_der_pol", "1 s", 2000, "--solver", "rosenbrock", "--rtol", rtol, "--atol", atol))
for rtol, atol in (("1e-6", "1e-16"), ("1e-8", "1e-18")):
    rows.append(line("Robertson, to 1e11 s", robertson, "robertson", "1000000000 s", 1e11, "--solver", "rosenbrock", "--rtol", rtol, "--atol", atol))
for rtol in ("1e-6", "1e-9", "1e-12"):
    rows.append(line("oscillator, 6.4 turns", swing, "swing", "10 ms", 2, "--solver", "dopri5", "--rtol", rtol, "--atol", rtol))
rows.append(line("oscillator, 6.4 turns", swing, "swing", "10 ms", 2, "--solver", "rk4"))
rows.append(line("oscillator, 6.4 turns", swing, "swing", "1 ms", 2, "--solver", "rk4"))

text = f"""# What the solvers give, and for how much

Written by `docs/results/solvers.py`. Problems with published or known solutions, as diagrams of integrators and functions; the error
is the largest relative one of the states at the end. HIRES, Van der Pol and Robertson are stiff; their solutions are those of the
IVP test set (Mazzia and Magherini, 2008). Right-hand sides hold those that Jacobians cost.

{table(["problem", "solver, rtol, atol", "steps", "rejected", "right-hand sides", "Jacobians", "error"], rows)}

The same problems as tests, with blocks in C++, and the orders of the methods: tests/engine/variable_step_test.cpp; crossings:
tests/engine/event_test.cpp.
"""
(here / "solvers.md").write_text(text)
print(text)
