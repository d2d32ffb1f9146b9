# SPDX-License-Identifier: BSD-3-Clause
"""Problems with known solutions as diagrams, for the scripts next to this file: solvers.py and work_accuracy.py."""
import csv
import json
import math
import subprocess
import tempfile
from pathlib import Path

import runs


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

oregonator = equation({
    "a": (1, "77.27*(v + u*(1 - 8.375e-6*u - v))", {"u": "a", "v": "b"}),
    "b": (2, "(w - (1 + u)*v)/77.27", {"u": "a", "v": "b", "w": "c"}),
    "c": (3, "0.161*(u - w)", {"u": "a", "w": "c"}),
}, "{period}", "361 s")


def reactions(initial, rates, changes, period, duration):
    """A diagram of reactions (rate constant, species that meet) and species (reactions by number, below 0 those that take away)."""
    lines = [f'<diagram format="1" name="problem" period="{period}">', f'<parameter name="duration" value="{duration}"/>']
    for number, (constant, species) in enumerate(rates, 1):
        text = "*".join([repr(constant), *"uv"[:len(species)]])
        lines.append(f'<block name="r{number}" type="math/Function" expression="{text}" sample_time="continuous"/>')
        lines += [f'<connect from="y{each}.y" to="r{number}.{letter}"/>' for letter, each in zip("uv", species)]
    for number, parts in enumerate(changes, 1):
        signs = "".join("+" if each > 0 else "-" for each in parts)
        lines.append(f'<block name="y{number}" type="continuous/Integrator" initial="{initial.get(number, 0)}"/>')
        lines.append(f'<block name="d{number}" type="math/Sum" signs="{signs}"/><connect from="d{number}.y" to="y{number}.u"/>')
        lines += [f'<connect from="r{abs(each)}.y" to="d{number}.u[{at}]"/>' for at, each in enumerate(parts)]
    return "\n".join([*lines, "</diagram>"])


# Verwer's air pollution problem, as the IVP test set has it
pollution = reactions(
    {2: 0.2, 4: 0.04, 7: 0.1, 8: 0.3, 9: 0.01, 17: 0.007},
    [(0.35, (1,)), (26.6, (2, 4)), (12300.0, (5, 2)), (0.86e-3, (7,)), (0.82e-3, (7,)), (15000.0, (7, 6)), (0.13e-3, (9,)),
     (24000.0, (9, 6)), (16500.0, (11, 2)), (9000.0, (11, 1)), (0.022, (13,)), (12000.0, (10, 2)), (1.88, (14,)), (16300.0, (1, 6)),
     (4.8e6, (3,)), (0.35e-3, (4,)), (0.0175, (4,)), (1e8, (16,)), (0.444e12, (16,)), (1240.0, (17, 6)), (2.1, (19,)), (5.78, (19,)),
     (0.0474, (1, 4)), (1780.0, (19, 1)), (3.12, (20,))],
    [(-1, -10, -14, -23, -24, 2, 3, 9, 11, 12, 22, 25), (-2, -3, -9, -12, 1, 21), (-15, 1, 17, 19, 22), (-2, -16, -17, -23, 15),
     (-3, 4, 4, 6, 7, 13, 20), (-6, -8, -14, -20, 3, 18, 18), (-4, -5, -6, 13), (4, 5, 6, 7), (-7, -8), (-12, 7, 9), (-9, -10, 8, 11),
     (9,), (-11, 10), (-13, 12), (14,), (-18, -19, 16), (-20,), (20,), (-21, -22, -24, 23, 25), (-25, 24)],
    "{period}", "61 s")

ends = {
    "oregonator": {"a": 0.1000814870318523e1, "b": 0.1228178521549917e4, "c": 0.1320554942846706e3},
    "pollution": dict(zip((f"y{each}" for each in range(1, 21)), (
        0.5646255480022769e-1, 0.1342484130422339, 0.4139734331099427e-8, 0.5523140207484359e-2, 0.2018977262302196e-6,
        0.1464541863493966e-6, 0.7784249118997964e-1, 0.3245075353396018, 0.7494013383880406e-2, 0.1622293157301561e-7,
        0.1135863833257075e-7, 0.2230505975721359e-2, 0.2087162882798630e-3, 0.1396921016840158e-4, 0.8964884856898295e-2,
        0.4352846369330103e-17, 0.6899219696263405e-2, 0.1007803037365946e-3, 0.1772146513969984e-5, 0.5682943292316392e-4))),
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
