#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long the loop of 4 ms takes to reply to the robot, idle and loaded, next to another hilda.

    docs/results/measurements/reply.py --other OLD/bin/hilda --write        docs/results/measurements/reply.md

diagrams/pida.xml on hardware: the simulated cell runs in its own process, over the loopback, as in hardware.py. It is
always that of --program, so that both loops meet the same robot; an older hilda has its own diagrams (--other-diagrams). The programs take turns in an order drawn for each round,
on an otherwise idle machine and next to processes that compute (--load of them, two a processor by default, at
the usual priority). What counts is the loop's own summary: from the arrival of the robot's packet to the reply that was
sent. The machine's own delays are in it: the witness, a thread that only wakes up, shows them. Only ratios travel.
"""
import argparse
import contextlib
import datetime
import json
import os
import pathlib
import platform
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "docs/results"))
from machine import kind_of_machine  # noqa: E402

DIAGRAMS = SOURCE / "diagrams"
KEYS = ["reply_p50", "reply_p99", "reply_p999", "reply_max"]


def free_port(kind, address):
    with socket.socket(socket.AF_INET, kind) as place:
        place.bind((address, 0))
        return place.getsockname()[1]


def sets(prefix, ports):
    return [word for name, port in ports.items() for word in ("--set", f"{prefix}{name}={port}")]


@contextlib.contextmanager
def cell(program, ports):
    words = [program, "run", DIAGRAMS / "cells" / "kuka_ati.xml", "--no-log", "--quiet", *sets("", ports)]
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(1.5)
        if process.poll() is not None:
            raise SystemExit(f"the cell ends with {process.returncode}")
        try:
            yield
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(20)


@contextlib.contextmanager
def busy(count):
    processes = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def reply(program, diagrams, own, seconds, folder):
    """The summary's times of one run"""
    ports = {"robot_port": free_port(socket.SOCK_DGRAM, "127.0.0.1"), "sensor_port": free_port(socket.SOCK_DGRAM, "127.0.0.2"),
             "sensor_http_port": free_port(socket.SOCK_STREAM, "127.0.0.2")}
    summary = folder / "run.json"
    summary.unlink(missing_ok=True)
    words = [program, "run", diagrams / "pida.xml", "--mode", "hardware", "--overlay", diagrams / "rigs" / "kuka_ati_loopback.xml",
             "--arm", "--no-log", "--quiet", "--summary", summary, "--witness", "--for", f"{seconds}s", "--set", "contacts=0",
             "--set", "response_delay=21ms", *sets("rig.", ports)]
    with cell(own, ports):
        run = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if not summary.exists():
        raise SystemExit(f"{program} ends with {run.returncode}\n{run.stderr[-2000:]}")
    return json.loads(summary.read_text())["realtime"]


def measured(programs, load, seconds, rounds, folder):
    chance = random.Random(1)
    found = {(name, loaded): [] for name in programs for loaded in (False, True)}
    for _ in range(rounds):
        for name, loaded in chance.sample(list(found), len(found)):
            with busy(load if loaded else 0):
                found[name, loaded].append(reply(*programs[name], programs["this one"][0], seconds, folder))
    return found


def page(found, load, seconds, rounds, version):
    other = f" The other one: {version}." if version else ""
    text = ["# How long a reply takes", "",
            f"Made by docs/results/measurements/reply.py on {datetime.date.today()}: {kind_of_machine()}, Linux {platform.release()}, load "
            f"{os.getloadavg()[2]:.0f}, {rounds} runs of {seconds} s of diagrams/pida.xml against the cell on the loopback, in turns. "
            f"*Loaded*: next to {load} processes that compute. us; of each run its quantile, of the runs the median, and the longest of all. *Idle*: without them, "
            f"next to whatever else the machine had to do (the load shows it).{other}",
            "", "| hilda | machine | p50 | p99 | p99.9 | longest, median run | longest of all | late a run, the loop's | the machine's |",
            "|---|---|---|---|---|---|---|---|---|"]
    for (name, loaded), runs in found.items():
        middle = [f"{1e6 * statistics.median(run[key] for run in runs):.0f}" for key in KEYS]
        late = [f"{statistics.median(run[key] for run in runs):g}" for key in ("late", "witness_late")]
        text.append(f"| {name} | {'loaded' if loaded else 'idle'} | {' | '.join(middle)} | {1e6 * max(run['reply_max'] for run in runs):.0f} | "
                    f"{' | '.join(late)} |")
    if "other" in {name for name, _ in found}:
        text += ["", "This one to the other, of each round:", "", "| machine | p50, median | p99.9, median | p99.9, range |", "|---|---|---|---|"]
        for loaded in (False, True):
            pairs = list(zip(found["this one", loaded], found["other", loaded]))
            half, tail = ([a[key] / b[key] for a, b in pairs] for key in ("reply_p50", "reply_p999"))
            text.append(f"| {'loaded' if loaded else 'idle'} | {statistics.median(half):.2f} | {statistics.median(tail):.2f} | "
                        f"{min(tail):.2f} to {max(tail):.2f} |")
    return "\n".join(text) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default=str(SOURCE / "build" / "bin" / "hilda"))
    options.add_argument("--other", help="another hilda, such as an installed 0.1.0")
    options.add_argument("--other-diagrams", default=str(DIAGRAMS), help="those of the other one, such as its share/hilda/diagrams")
    options.add_argument("--seconds", type=int, default=20, help="of a run")
    options.add_argument("--rounds", type=int, default=9)
    options.add_argument("--load", type=int, default=2 * (os.cpu_count() or 1), help="how many processes compute beside")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    programs = {"this one": (given.program, DIAGRAMS)}
    if given.other:
        programs["other"] = (given.other, pathlib.Path(given.other_diagrams))
    version = subprocess.run([given.other, "--version"], check=True, capture_output=True, text=True).stdout.strip() if given.other else ""
    with tempfile.TemporaryDirectory(prefix="hilda_reply_") as name:
        text = page(measured(programs, given.load, given.seconds, given.rounds, pathlib.Path(name)), given.load, given.seconds,
                    given.rounds, version)
    print(text)
    if given.write:
        (SOURCE / "docs/results/measurements/reply.md").write_text(text)


if __name__ == "__main__":
    main()
