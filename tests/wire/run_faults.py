#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs rows of the fault table, several at a time, and adds each result to a file; what the file has is not run
again. See docs/results/measurements/faults.md."""
import argparse
import concurrent.futures
import contextlib
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import bench
from fault_table import FAULTS, RUNS, random_fault, rows
from processes.lifetime import ends_with_parent


def key(result):
    """What a result is of; earlier files do not tell the load that was asked for."""
    names = ("fault", "diagram", "correction", "repetition", "fifo")
    return (*(result[name] for name in names), bool(result.get("loaded", 0)))


def read_results(path):
    if not Path(path).exists():
        return []
    return [json.loads(line) for line in Path(path).read_text().splitlines() if line.strip()]


def tell(result):
    over = ", ".join(f"{name} {result['worst'][name]:.3g}" for name in result["over"])
    verdict = "held" if result["held"] else f"OVER {over}"
    if result["kept"] is False:
        verdict += ", WRONG END"
    print(f"{result['diagram']:8} {result['correction']:8} {result['fault']:40} {verdict:40} "
          f"exit {result['exit']}  {result['words'][:90]}", flush=True)


def selected(given):
    wanted = re.compile(given.only or "")
    faults = [random_fault(number) for number in range(given.random)] if given.random else FAULTS
    table = rows(given.diagrams, given.corrections, faults)
    table = [row for row in table if wanted.search(row[0].name)]
    jobs = [(*row, repetition) for repetition in range(given.repetitions) for row in table]
    if given.sample:
        jobs = [job for job in jobs if job[0].runs < 10]
        jobs = random.Random(given.seed).sample(jobs, min(given.sample, len(jobs)))
    return jobs


@contextlib.contextmanager
def busy_machine(processes):
    """So many processes of stress-ng, which want all of the processors, for as long as the body runs."""
    if not processes:
        yield
        return
    if not shutil.which("stress-ng"):
        sys.exit("--load: stress-ng is not installed")
    load = subprocess.Popen(["stress-ng", "--quiet", "--cpu", str(processes), "--switch", "1"],
                            preexec_fn=ends_with_parent(signal.SIGTERM))  # its own children it ends itself
    try:
        yield
    finally:
        load.terminate()
        load.wait()


def begin_worker(counter, bind):
    bind()
    with counter.get_lock():
        counter.value += 1
        bench.take_ports(counter.value)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--diagrams", nargs="+", default=["cart", "pida"], choices=list(RUNS))
    parser.add_argument("--corrections", nargs="+", default=["absolute", "relative"])
    parser.add_argument("--only", help="regular expression of the faults' names")
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--sample", type=int, help="so many rows, drawn with --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, help="in place of the table, so many random combinations of faults")
    parser.add_argument("--at-a-time", type=int, default=3)
    parser.add_argument("--load", type=int, default=0, metavar="N", help="keep the machine busy with N processes")
    parser.add_argument("--without-fifo", action="store_true", help="hilda may not have SCHED_FIFO")
    parser.add_argument("--results", help="file that takes the results, a JSON object a line")
    parser.add_argument("--keep", help="folder that takes script, capture and output of each row that is wrong")
    given = parser.parse_args()

    fifo = not given.without_fifo
    results = read_results(given.results) if given.results else []
    done = {key(result) for result in results}
    jobs = [job for job in selected(given)
            if (job[0].name, job[1], job[2], job[3], fifo, bool(given.load)) not in done]
    # Each job is a separate process that runs two more, and mostly waits.
    file = open(given.results, "a") if given.results else None
    bad, again = 0, []
    counter = multiprocessing.Value("i", 0)

    def submitted(pool, job):
        kept_in = re.sub(r"\W+", "_", f"{job[0].name} {job[1]} {job[2]} {job[3]}")
        return pool.submit(bench.run_row, *job, fifo, given.load, os.path.join(given.keep, kept_in) if given.keep else None)

    def note(result):
        tell(result)
        if file:
            file.write(json.dumps(result) + "\n")
            file.flush()

    with busy_machine(given.load), concurrent.futures.ProcessPoolExecutor(
            given.at_a_time, initializer=begin_worker, initargs=(counter, ends_with_parent())) as pool:
        waiting = {submitted(pool, job): job for job in jobs}
        for each in concurrent.futures.as_completed(waiting):
            result = each.result()
            if result["held"] and result["kept"] is False:
                again.append(waiting[each])
                tell(result)
                continue
            note(result)
            bad += not result["held"]
        # Many runs at a time on few processors decide how a run ends; a limit they may not decide.
        for job in again:
            print("once more, alone:", flush=True)
            result = submitted(pool, job).result()
            note(result)
            bad += not result["held"] or result["kept"] is False
    print(f"{len(jobs)} runs, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
