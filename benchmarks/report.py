#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the benchmarks and writes docs/results/history/speed.md.

    benchmarks/report.py build/bin/hilda_bench
"""

import datetime
import json
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs/results"))
from machine import kind_of_machine  # noqa: E402

TITLES = {
    "chain": "Chain of 1000 scalar gains, a gain",
    "loops": "100 loops of PID and second-order plant, a block",
    "loops_two": "The same, two loops at a time at most, a block",
    "matrices": "200 6x6 matrices times a vector, a matrix",
    "pida": "PIDA without its ideal run, a whole step",
}
ARM = {"svd": "singular value decomposition", "orthogonal": "complete orthogonal decomposition", "normal": "normal equations"}
LOAD_GOAL = 0.5  # s for 100,000 blocks
FIRST_LOADS = 5  # processes

# Why a goal is missed, where it is.
REASONS = {
    "loops": "Four loops are computed at a time where the processor has AVX2, two elsewhere, with their records interleaved. Most of "
             "the rest is loads: a PID has ten numbers for 17 operations.",
    "loops_two": "Two at a time need as many loads a loop as half of one after the other, and the fused loop itself takes more than the goal.",
    "matrices": "B is the fused loop to a few percent, so that all that the engine adds shows.",
    "pida": "What the engine adds is spread: checks at the rig's gate, the calls themselves, "
            "outputs and updates in two calls, and poses and twists that pass through memory between small blocks.",
}


def measured(program):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([program, f"--benchmark_out={file.name}", "--benchmark_out_format=json",
                        "--benchmark_enable_random_interleaving=true"], check=True, stdout=subprocess.DEVNULL)
        return [b for b in json.load(open(file.name))["benchmarks"] if b["run_type"] == "iteration"]


def first_loads(program):
    """ms for the largest diagram, as the first that a process loads."""
    times = []
    for _ in range(FIRST_LOADS):
        out = subprocess.run([program, "--benchmark_filter=^load/100000/", "--benchmark_min_time=0", "--benchmark_format=json"],
                             check=True, capture_output=True, text=True).stdout
        rows, _ = json.JSONDecoder().raw_decode(out)
        times.append(rows["benchmarks"][0]["total_ms"])
    return times


def compiler():
    return subprocess.run(["c++", "--version"], capture_output=True, text=True).stdout.splitlines()[0]


def verdict(ratio, goal, spread, valid):
    if spread > valid:
        return f"{'met' if ratio <= goal else 'missed'}, but invalid: B / fused is above {valid:g}"
    return "met" if ratio <= goal else "**missed**"


def loops(rows):
    yield "| | engine ns | B ns | fused ns | engine / B | goal | B / fused | |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, title in TITLES.items():
        runs = [r for r in rows if r["name"].startswith(f"loop/{name}/")]
        if not runs:
            continue
        of = lambda key: statistics.median(r[key] for r in runs)
        yield (f"| {title} | {of('engine_ns'):.2f} | {of('b_ns'):.2f} | {of('fused_ns'):.2f} | {of('engine_to_b'):.2f} | "
               f"{of('goal'):.1f} | {of('b_to_fused'):.2f} | "
               f"{verdict(of('engine_to_b'), of('goal'), of('b_to_fused'), of('valid_up_to'))} |")


def reasons(rows):
    for name, reason in REASONS.items():
        runs = [r for r in rows if r["name"].startswith(f"loop/{name}/")]
        if runs and statistics.median(r["engine_to_b"] for r in runs) > statistics.median(r["goal"] for r in runs):
            yield f"- {TITLES[name]}: {reason}"


def arm(rows):
    yield "| pseudo-inverse by | engine us a step | engine / B | B / fused | times real time at 1 ms |"
    yield "|---|---|---|---|---|"
    for name, title in ARM.items():
        runs = [r for r in rows if r["name"].startswith(f"loop/force_torque_{name}/")]
        if not runs:
            continue
        of = lambda key: statistics.median(r[key] for r in runs)
        yield (f"| {title} | {of('engine_ns') * 1e-3:.2f} | {of('engine_to_b'):.2f} | {of('b_to_fused'):.2f} | "
               f"{1e6 / of('engine_ns'):.0f} |")


def loading(rows, first):
    loads = {int(r["name"].split("/")[1]): r for r in rows if r["name"].startswith("load/")}
    steps = {int(r["name"].split("/")[1]): r for r in rows if r["name"].startswith("step/")}
    yield "| blocks | load ms | of it: check | create | first step | load us a block | step ns a block |"
    yield "|---|---|---|---|---|---|---|"
    for n in sorted(loads):
        l = loads[n]
        yield (f"| {n} | {l['total_ms']:.2f} | {l['check_ms']:.2f} | {l['create_ms']:.2f} | {l['first_step_ms']:.3f} | "
               f"{l['us_per_block']:.2f} | {steps[n]['ns_per_block']:.2f} |")
    most = loads[max(loads)]["total_ms"] * 1e-3
    costs = [l["us_per_block"] for l in loads.values()]
    yield ""
    yield (f"From text to the first step of {max(loads)} blocks: {most:.2f} s, goal {LOAD_GOAL} s: "
           f"{'met' if most < LOAD_GOAL else '**missed**'}. The dearest block costs {max(costs) / min(costs):.1f} times the cheapest; "
           "the goal is flat" + ("." if max(costs) < 1.3 * min(costs) else ": **missed**."))
    alone = statistics.median(first) * 1e-3
    yield ""
    yield (f"As the first diagram of a process it takes {alone:.2f} s ({min(first) * 1e-3:.2f} to {max(first) * 1e-3:.2f} s in "
           f"{len(first)} processes), goal {LOAD_GOAL} s: {'met' if alone < LOAD_GOAL else '**missed**'}. About a sixth of a load is the "
           "system handing out fresh pages; the rest is spread over all stages, none of which takes more than a few percent in "
           "one function. What a small diagram finds in the caches a large one fetches from memory: hence the cost that rises.")


def report(rows, first):
    pida = statistics.median(r["engine_ns"] for r in rows if r["name"].startswith("loop/pida/"))
    yield "# Speed"
    yield ""
    yield (f"Made by benchmarks/report.py on {datetime.date.today()}: {kind_of_machine()}, {platform.system()} {platform.release()}, "
           f"{compiler()}. Processor time, on a machine that others used too; only the ratios travel.")
    yield ""
    yield "## The loop"
    yield ""
    yield ("Each diagram on the engine, as loaded from XML with the standard plugins and nothing recorded, next to the same maths "
           "by hand in the same program: *fused* is one loop, *B* one function a block that is not inlined, each the best of two "
           "sets of flags. In the chain by hand, B hands each value to the next function in a register. Contenders take turns in an order drawn for each round; the ratios are medians over rounds. At start-up "
           "engine and hand must agree to 1e-9. ns for each block and tick.")
    yield ""
    yield from loops(rows)
    yield ""
    missed = list(reasons(rows))
    if missed:
        yield "Why goals are missed:"
        yield ""
        yield from missed
        yield ""
    yield f"PIDA: {1e3 / pida:.2f} million steps a second, {1e6 / pida:.0f} times real time at 1 ms."
    yield ""
    yield "The engine looks for NaN at every tick, by the processor's marks; neither B nor fused does."
    yield ""
    yield "Force/torque control, the whole arm; the goal is 20 times real time:"
    yield ""
    yield from arm(rows)
    yield ""
    yield "## Loading and size"
    yield ""
    yield "A generated diagram of loops of five blocks (difference, PID, gain, saturation, delay), each led by the one before."
    yield ""
    yield from loading(rows, first)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    (ROOT / "docs/results/history/speed.md").write_text("\n".join(report(measured(sys.argv[1]), first_loads(sys.argv[1]))) + "\n")


if __name__ == "__main__":
    main()
