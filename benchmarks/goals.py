#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""All goals for speed in one run: which are met, and which are missed by how much; and a line for benchmarks/history.md.

    benchmarks/goals.py --build build             prints the page
    benchmarks/goals.py --build build --write     docs/results/measurements/goals.md, and appends to benchmarks/history.md

Times do not travel from one machine to another, ratios do. A loop's is to B, the same maths with one function a block, in
one program and in turns (hilda_bench). What else takes time is given in steps of PIDA written by hand as one loop, as
that same program measures it in this run: in benchmarks/history.md a loss shows as a number that grows, whatever the machine.
"""
import argparse
import datetime
import importlib.util
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "docs/results"))
from machine import kind_of_machine  # noqa: E402

HISTORY = SOURCE / "benchmarks" / "history.md"
MEASUREMENTS = SOURCE / "docs/results/measurements"
PAGE = MEASUREMENTS / "goals.md"


def script(name):
    spec = importlib.util.spec_from_file_location(name, MEASUREMENTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


startup, logs, load = script("startup"), script("logs"), script("load")


class Goal:
    """`unit` "B": a ratio to B; "s": seconds, which the history reports in steps by hand; else as it is. `want`: largest that is accepted,
    None where none was set. `why`: why it is missed and what it would take, where it is."""

    def __init__(self, key, title, unit, want, why=""):
        self.key, self.title, self.unit, self.want, self.why = key, title, unit, want, why


GOALS = [
    Goal("chain", "Chain of 1000 scalar gains", "B", 1.0,
         "The cause is the fixed cost of a tick: 22 ns in addition to 730. These 22 ns are spent on the time, the processor's floating-point exception flags"
         " (read four times), two checks of blocks that set no flag, the ledger, and the start and end of the tick. No part of it is dominant in a "
         "profile of a diagram of one block."),
    Goal("loops", "100 loops of PID and plant", "B", 0.4,
         "Controllers and plants are computed four at a time with AVX2; their data are interleaved in memory (docs/decisions/0026-lanes.md). In a trial "
         "the same arithmetic without an engine took 0.47 B, and 0.53 B if each input was collected from another address. The time goes to memory "
         "loads: a PID has ten numbers and two inputs for 17 operations. The goal requires fewer loads: keep numbers that a whole row "
         "shares only once, and do not compute the output `unlimited` if nothing reads it. AVX-512, eight at a time, was not faster in that trial, "
         "in which plants were computed one by one."),
    Goal("loops_two", "The same, two loops at a time (SSE2)", "B", 0.6,
         "In the same trial two loops at a time with SSE2 took 0.68 to 0.74 B, and one after the other 1.19 B. The fused loop by hand itself takes "
         "more than the goal. The present layout of the data did not help: collecting them, computing them together and writing them back "
         "cost 1.33 B a loop instead of 1.21."),
    Goal("matrices", "200 6x6 matrices times a vector", "B", 1.0,
         "B is within 3 % of one loop in which all blocks are fused, so all of the engine's overhead is visible: the 22 ns of a tick, and records that "
         "contain more than the matrix."),
    Goal("pida", "PIDA without its ideal run", "B", 1.2,
         "The engine adds 93 ns to the 280 ns of B. The fixed cost of a tick is 22 ns of these. The rest has three causes: poses and twists pass "
         "through memory between small blocks, outputs and updates are two calls, and the rig's gate is checked. In a trial that computed fewer "
         "results a contact than today, a flat list with everything inlined reached 1.19 B."),
    Goal("force_torque_svd", "The arm (force/torque control), by singular values", "B", None),
    Goal("force_torque_orthogonal", "The arm, by complete orthogonal decomposition", "B", None),
    Goal("force_torque_normal", "The arm, by normal equations", "B", None),
    Goal("ship_pida", "diagrams/pida.xml, a step", "s", None),
    Goal("ship_tdpa", "diagrams/tdpa.xml, a step", "s", None),
    Goal("ship_tdpa_docking", "diagrams/tdpa_docking.xml, a step", "s", None),
    Goal("ship_emulation_two_link", "diagrams/emulation_two_link.xml, a step", "s", None),
    Goal("ship_emulation_unconstrained", "diagrams/emulation_unconstrained.xml, a step", "s", None),
    Goal("large_step", "100,000 blocks: a step, ns a block", "ns", 4.5,
         "Above what the caches hold, memory rules: a tick walks through the records once and through those with an update twice. It would "
         "take shorter records, and updates in the same walk, for which a delay's readers have to be done before it. Large pages for the "
         "records alone change nothing (madvise and MADV_COLLAPSE, eight alternating runs)."),
    Goal("check", "hilda check diagrams/pida.xml", "s", 0.015),
    Goal("run", "hilda run diagrams/pida.xml --no-log", "s", 0.030),
    Goal("import", "import hilda, after NumPy's", "s", 0.020),
    Goal("ideal_pida", "IdealRun's share of the loop, pida", "", 0.30),
    Goal("ideal_dac", "IdealRun's share of the loop, dac", "", 0.30),
    Goal("ideal_pic", "IdealRun's share of the loop, pic", "", 0.30),
    Goal("ideal_pida_oblique", "IdealRun's share of the loop, pida_oblique", "", 0.30),
    Goal("log", "A log, s a tick of PIDA", "s", 1e-6,
         "Most of the rest is the transfer of 1.7 KB a tick from one core to another: to reach the goal, transfer only the words that changed."),
    Goal("log_bytes", "A log, bytes a tick of PIDA", "bytes", 1000),
    Goal("load", "Loading 100,000 blocks, first in the process", "s", 0.5,
         "No function takes more than 3 % of the instructions. By stage, 15 % convert elements to declarations, 17 % are for names and wires, 36 % "
         "for the inference of types, 21 % for the plan and the records. A fifth of the time is spent by the system, which zeroes 42,000 pages of "
         "4 kB. With glibc.malloc.hugetlb=1 in GLIBC_TUNABLES the same load takes 0.46 s instead of 0.55 s (alternating runs). To reach the goal, "
         "use an arena of large pages for all that a load allocates, and one walk over the blocks in the inference instead of eight."),
    Goal("load_memory", "The same: memory, MB", "MB", 130,
         "A block takes 200 bytes in the checked system, a wire 112, a parameter 120, types of its slots 24 each, with a second copy for "
         "ports; a signal of the run 72. To reach the goal, equal blocks must share their types."),
    Goal("load_flat", "Dearest block to cheapest, 1000 to 100,000", "", 1.5,
         "A small diagram finds its data in the caches. A large one must fetch them from memory, which the system zeroes first. Fewer bytes a block "
         "and large pages would help, as above. Loading 1000 blocks takes 2 ms in addition to the 13 ms of a start, so the ratio varies by a fifth from run "
         "to run."),
    Goal("linearize", "Linearising PIDA's channel", "s", 2.0),
]


def bench(program, pattern, *more):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([program, f"--benchmark_filter={pattern}", f"--benchmark_out={file.name}", "--benchmark_out_format=json", *more],
                       check=True, stdout=subprocess.DEVNULL)
        return [b for b in json.load(open(file.name))["benchmarks"] if b["run_type"] == "iteration"]


def loops(program, found):
    """The ratios, and s of a step of PIDA by hand."""
    rows = bench(program, "^loop/", "--benchmark_enable_random_interleaving=true")
    hand = 0.0
    for name in ("chain", "loops", "loops_two", "matrices", "pida", "force_torque_svd", "force_torque_orthogonal", "force_torque_normal"):
        mine = [r for r in rows if r["name"].startswith(f"loop/{name}/")]
        found[name] = statistics.median(r["engine_to_b"] for r in mine)
        if name == "pida":
            hand = 1e-9 * statistics.median(r["fused_ns"] for r in mine)
    return hand


def shipped(program, found):
    """s a step of diagrams that no one has written by hand."""
    rows = bench(program, "^shipped/", "--benchmark_enable_random_interleaving=true")
    for goal in GOALS:
        if goal.key.startswith("ship_"):
            mine = [r for r in rows if r["name"].startswith(f"shipped/{goal.key.removeprefix('ship_')}/")]
            found[goal.key] = 1e-9 * statistics.median(r["ns"] for r in mine)


def size(program, hilda, folder, found):
    found["large_step"] = statistics.median(r["ns_per_block"] for r in bench(program, "^step/100000/", "--benchmark_repetitions=3"))
    firsts = [bench(program, "^load/100000/", "--benchmark_min_time=0")[0] for _ in range(3)]
    found["load"] = 1e-3 * statistics.median(r["total_ms"] for r in firsts)
    costs = {}
    for count in (1, 1000, 100000):
        rounds = 3 if count > 1000 else 25  # what 1000 blocks cost is a seventh of a start
        costs[count] = load.measured([hilda], load.chain, count, rounds, folder)[hilda]
    found["load_memory"] = costs[100000][1] - costs[1][1]
    each = {count: (costs[count][0] - costs[1][0]) / count for count in (1000, 100000)}
    found["load_flat"] = max(each.values()) / min(each.values())


def commands(build, folder, python, rounds, found):
    hilda, pida = str(build / "bin" / "hilda"), str(SOURCE / "diagrams" / "pida.xml")
    words = {"check": [hilda, "check", pida], "run": [hilda, "run", pida, "--no-log"],
             "linearize": [hilda, "linearize", pida, "--from", "rig.sensor.measured", "--to", "satellites.service.pose", "--for", "0.8s",
                           "--out", "model"]}
    if python and any((build / "python").glob("hilda*")):
        words |= {"numpy": [python, "-c", "import numpy"], "import": [python, "-c", "import numpy, hilda"]}
    took = startup.rounds(words, rounds, folder, build / "python")
    for key in ("check", "run", "linearize"):
        found[key] = 1e-3 * statistics.median(took[key])
    if "import" in took:
        found["import"] = 1e-3 * statistics.median(a - b for a, b in zip(took["import"], took["numpy"]))


def measured(build, python, rounds):
    found = {}
    program, hilda = str(build / "bin" / "hilda_bench"), str(build / "bin" / "hilda")
    with tempfile.TemporaryDirectory(prefix="hilda_goals_") as name:
        folder = pathlib.Path(name)
        hand = loops(program, found)
        shipped(program, found)
        commands(build, folder, python, rounds, found)
        for diagram, values in startup.shares(hilda, rounds, folder).items():
            found[f"ideal_{diagram}"] = statistics.median(values)
        took, size_of = logs.costs({"this": hilda}, rounds, folder)
        found["log"], found["log_bytes"] = 1e-6 * statistics.median(took["this"]), size_of["this"]
        size(program, hilda, folder, found)
    return found, hand


def shown(goal, value):
    if goal.unit == "s":
        return f"{1e6 * value:.2f} us" if value < 1e-4 else f"{1e3 * value:.1f} ms" if value < 1 else f"{value:.2f} s"
    return f"{value:.0f}" if value >= 100 else f"{value:.2f}"


def in_history(goal, value, hand):
    """What travels: times in steps by hand."""
    if value is None:
        return "-"
    if goal.unit == "s":
        value /= hand
    elif goal.unit == "ns":
        value *= 1e-9 / hand
    return f"{value:.4g}"


def commit():
    text = lambda *words: subprocess.run(["git", *words], cwd=SOURCE, check=True, capture_output=True, text=True).stdout.strip()
    changed = [line for line in text("status", "--porcelain", "--untracked-files=no").splitlines()
               if not line[3:].startswith(("docs/", "benchmarks/history.md"))]
    return text("rev-parse", "--short=10", "HEAD") + ("+" if changed else "")


def machine():
    return f"{kind_of_machine()}, {os.cpu_count()} cores, load {os.getloadavg()[1]:.0f}"


def page(found, hand):
    text = ["# Goals for speed", "",
            f"Made by benchmarks/goals.py on {datetime.date.today()} at {commit()}: {machine()}, Linux {platform.release()}. All "
            "times are medians of processor time. B is the time of the same mathematics written by hand, with one function for each block. It "
            "is measured in the same program, alternately with the engine. A step of PIDA by hand takes "
            f"{1e9 * hand:.0f} ns here; [history](../../benchmarks/history.md) gives times in such steps.", "",
            "| measured | value | goal | |", "|---|---|---|---|"]
    missed = []
    for goal in GOALS:
        value = found.get(goal.key)
        if value is None:
            text.append(f"| {goal.title} | not measured | | |")
            continue
        unit = " B" if goal.unit == "B" else ""
        if goal.want is None:
            steps = f", {value / hand:.1f} steps of PIDA by hand" if goal.unit == "s" else ""
            text.append(f"| {goal.title} | {shown(goal, value)}{unit}{steps} | | |")
            continue
        met = value <= goal.want
        text.append(f"| {goal.title} | {shown(goal, value)}{unit} | {shown(goal, goal.want)}{unit} | "
                    f"{'met' if met else f'**missed**, {value / goal.want:.2f} times the goal'} |")
        if not met:
            missed.append(f"- {goal.title}, {value / goal.want:.2f} times the goal. {goal.why}".rstrip())
    if missed:
        text += ["", "## Goals that are missed: why, and what is needed", "", *missed]
    text += ["", "Not in this run: a million blocks ([load](load.md)), the reply of a real-time loop ([reply](reply.md)), a page of a long "
             "log ([logs](logs.md))."]
    return "\n".join(text) + "\n"


def history(found, hand):
    """The table with one more line. Columns that are not those of the last table begin another."""
    head = "| date | commit | machine | " + " | ".join(goal.key for goal in GOALS) + " |"
    line = (f"| {datetime.date.today()} | {commit()} | {machine()} | "
            + " | ".join(in_history(goal, found.get(goal.key), hand) for goal in GOALS) + " |")
    text = HISTORY.read_text() if HISTORY.exists() else (
        "# Speed over time\n\nAppended to by `benchmarks/goals.py --write`, a line a run. Loops are ratios to B; times are in steps of PIDA "
        "written by hand, as measured in the same run; shares, bytes and MB are as they are. [Goals](../docs/results/measurements/goals.md) "
        "describes each column.\n")
    if [line for line in text.splitlines() if line.startswith("| date |")][-1:] != [head]:
        text += f"\n{head}\n" + "|---" * (len(GOALS) + 3) + "|\n"
    return text + line + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", default="build", help="with the target hilda_bench built")
    options.add_argument("--python", default="/usr/bin/python3", help="an interpreter with NumPy; empty: without Python")
    options.add_argument("--rounds", type=int, default=9)
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    build = pathlib.Path(given.build).resolve()
    if not (build / "bin" / "hilda_bench").exists():
        sys.exit(f"{build} has no hilda_bench: cmake --build {given.build} --target hilda_bench")
    found, hand = measured(build, given.python, given.rounds)
    print(page(found, hand))
    if given.write:
        PAGE.write_text(page(found, hand))
        HISTORY.write_text(history(found, hand))


if __name__ == "__main__":
    main()
