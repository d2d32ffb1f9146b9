#!/usr/bin/env python3
"""Runs the benchmarks and writes docs/results/speed.md.

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
TITLES = {
    "chain": "Chain of 1000 scalar gains, a gain",
    "loops": "100 loops of PID and second-order plant, a block",
    "matrices": "200 6x6 matrices times a vector, a matrix",
    "pida": "PIDA without its ideal run, a whole step",
}
LOAD_GOAL = 0.8  # s for 100,000 blocks


def measured(program):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([program, f"--benchmark_out={file.name}", "--benchmark_out_format=json",
                        "--benchmark_enable_random_interleaving=true"], check=True, stdout=subprocess.DEVNULL)
        return [b for b in json.load(open(file.name))["benchmarks"] if b["run_type"] == "iteration"]


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


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


def loading(rows):
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


def report(rows):
    pida = statistics.median(r["engine_ns"] for r in rows if r["name"].startswith("loop/pida/"))
    yield "# Speed"
    yield ""
    yield (f"Made by benchmarks/report.py on {datetime.date.today()}: {processor()}, {platform.system()} {platform.release()}, "
           f"{compiler()}. Processor time, on a machine that others used too; only the ratios travel.")
    yield ""
    yield "## The loop"
    yield ""
    yield ("Each diagram on the engine, as loaded from XML with the standard plugins and nothing recorded, beside the same maths "
           "by hand in the same program: *fused* is one loop, *B* one function a block that is not inlined, each the best of two "
           "sets of flags. Contenders take turns in an order drawn for each round; the ratios are medians over rounds. At start-up "
           "engine and hand must agree to 1e-9. ns for each block and tick.")
    yield ""
    yield from loops(rows)
    yield ""
    yield f"PIDA: {1e3 / pida:.2f} million steps a second, {1e6 / pida:.0f} times real time at 1 ms."
    yield ""
    yield "The engine looks for NaN in every output and state at every tick (in slices where a state holds more than 1024 numbers); neither B nor fused does."
    yield ""
    yield "## Loading and size"
    yield ""
    yield "A generated diagram of loops of five blocks (difference, PID, gain, saturation, delay), each led by the one before."
    yield ""
    yield from loading(rows)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    (ROOT / "docs/results/speed.md").write_text("\n".join(report(measured(sys.argv[1]))) + "\n")


if __name__ == "__main__":
    main()
