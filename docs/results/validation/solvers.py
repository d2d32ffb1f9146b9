#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes solvers.md: what each solver gives for how many right-hand sides, on problems with known solutions.

    docs/results/validation/solvers.py [path to hilda]
"""
import datetime
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runs  # noqa: E402
from machine import kind_of_machine  # noqa: E402
from solver_problems import hires, oregonator, pollution, robertson, solve, swing, van_der_pol  # noqa: E402
from tables import table  # noqa: E402

here = Path(__file__).resolve().parent
runs.choose(sys.argv[1:])


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
for rtol, atol in (("1e-6", "1e-8"), ("1e-9", "1e-11")):
    rows.append(line("OREGO", oregonator, "oregonator", "3600 ms", 360, "--solver", "rosenbrock", "--rtol", rtol, "--atol", atol))
for rtol, atol in (("1e-5", "1e-16"), ("1e-7", "1e-20")):
    rows.append(line("Pollution", pollution, "pollution", "600 ms", 60, "--solver", "rosenbrock", "--rtol", rtol, "--atol", atol))
for label, text, name, period, end, rtol, atol in (("HIRES", hires, "hires", "3218122 us", 321.8122, "1e-9", "1e-13"),
                                                   ("Van der Pol, mu = 1000", van_der_pol, "van_der_pol", "1 s", 2000, "1e-8", "1e-11"),
                                                   ("Robertson, to 1e11 s", robertson, "robertson", "1000000000 s", 1e11, "1e-8", "1e-18"),
                                                   ("OREGO", oregonator, "oregonator", "3600 ms", 360, "1e-9", "1e-11"),
                                                   ("Pollution", pollution, "pollution", "600 ms", 60, "1e-7", "1e-20")):
    rows.append(line(label, text, name, period, end, "--solver", "cvode", "--rtol", rtol, "--atol", atol))
rows.append(line("oscillator, 6.4 turns", swing, "swing", "10 ms", 2, "--solver", "adams", "--rtol", "1e-9", "--atol", "1e-9"))
for rtol in ("1e-6", "1e-9", "1e-12"):
    rows.append(line("oscillator, 6.4 turns", swing, "swing", "10 ms", 2, "--solver", "dopri5", "--rtol", rtol, "--atol", rtol))
rows.append(line("oscillator, 6.4 turns", swing, "swing", "10 ms", 2, "--solver", "rk4"))
rows.append(line("oscillator, 6.4 turns", swing, "swing", "1 ms", 2, "--solver", "rk4"))

text = f"""# What the solvers give, and for how much

Written by `docs/results/validation/solvers.py` on {datetime.date.today()}: {kind_of_machine()}, Linux {platform.release()}. Problems with published or known solutions, as diagrams of integrators and functions; the error
is the largest relative one of the states at the end. All but the oscillator are stiff; their solutions are those of the
IVP test set (Mazzia and Magherini, 2008). Right-hand sides hold those that Jacobians cost. A trial of CVODE 6.4 over the same
equations, before hilda had it, took 1778 right-hand sides for HIRES (error 2.5e-8), 4343 for Van der Pol (2.9e-7) and 3244 for
Robertson (1.6e-7), with the relative tolerances that are given here.

{table(["problem", "solver, rtol, atol", "steps", "rejected", "right-hand sides", "Jacobians", "error"], rows)}

Published solutions of HIRES, Van der Pol, Robertson, OREGO and Pollution: the IVP test set; scipy's Radau with rtol 1e-10 meets those of
OREGO and Pollution within 4e-12 relative. The same problems as tests, with blocks in C++, and the orders of the methods:
tests/engine/variable_step_test.cpp; the Reference-FMUs' Dahlquist, VanDerPol, StateSpace and BouncingBall rebuilt as diagrams, against
closed forms and scipy: tests/engine/reference_problem_test.cpp; crossings: tests/engine/event_test.cpp; modes, stick-slip among
them: tests/engine/mode_test.cpp.
"""
page = here / "solvers.md"
_, mark, kept = page.read_text().partition("<!-- tables: written by work_accuracy.py")
page.write_text(text + ("\n" + mark + kept if mark else ""))
print(text)
