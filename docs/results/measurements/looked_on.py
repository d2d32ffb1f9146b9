#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether a loop of 4 ms over UDP notices its observers: its late and lost cycles with four pages open, and without.

    docs/results/measurements/looked_on.py --write        docs/results/measurements/looked_on.md

diagrams/pida.xml on hardware, against the simulated cell in its own process, as in reply.py. Runs that no client can see and
runs with --serve take turns, in an order drawn for each round. Of the four pages one is in a browser that is stopped by SIGSTOP once
it shows the diagram. Each log is replayed: every bit must come out again. Requires what tests/studio/browser/run.sh requires.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "docs/results"))
from machine import kind_of_machine  # noqa: E402
from reply import DIAGRAMS, cell, free_port, sets  # noqa: E402

TOKEN = "a-token-of-a-script-0123"


def pages(build, port):
    """Four of them, once they show the diagram."""
    words = [SOURCE / "tests/studio/browser/run.sh", SOURCE, build / "bin/hilda", build / "tests/studio_browser", "four_pages.mjs"]
    process = subprocess.Popen([str(word) for word in words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                               env={**os.environ, "HILDA_PAGE": f"http://127.0.0.1:{port}/?token={TOKEN}"})
    if (said := process.stdout.readline()) != "open\n":
        raise SystemExit(f"the pages do not open: {said}")
    return process


def seen(process):
    said, _ = process.communicate("", timeout=60)
    return json.loads(said.strip().splitlines()[-1])


def measured(build, looked_on, seconds, folder):
    """The summary of the run, whether its log replays, and what the pages have seen."""
    program = build / "bin/hilda"
    ports = {"robot_port": free_port(socket.SOCK_DGRAM, "127.0.0.1"), "sensor_port": free_port(socket.SOCK_DGRAM, "127.0.0.2"),
             "sensor_http_port": free_port(socket.SOCK_STREAM, "127.0.0.2")}
    summary, log, port = folder / "run.json", folder / "run.mcap", free_port(socket.SOCK_STREAM, "127.0.0.1")
    words = [program, "run", DIAGRAMS / "pida.xml", "--mode", "hardware", "--overlay", DIAGRAMS / "rigs" / "kuka_ati_loopback.xml",
             "--arm", "--log", log, "--summary", summary, "--witness", "--for", f"{seconds}s", "--set", "contacts=0", "--set", "response_delay=21ms",
             *sets("rig.", ports), *(["--serve", port] if looked_on else [])]
    found = {"pages": None}
    with cell(program, ports), (folder / "said.txt").open("w", encoding="utf-8") as said:
        with subprocess.Popen([str(word) for word in words], stdout=said, stderr=said, env={**os.environ, "HILDA_STUDIO_TOKEN": TOKEN}) as run:
            if looked_on:
                while "socket " not in (folder / "said.txt").read_text() and run.poll() is None:
                    time.sleep(0.05)
                begun = time.monotonic()
                process = pages(build, port)
                opened = time.monotonic() - begun
            run.wait()
        if looked_on:
            found["pages"] = {**seen(process), "opened": opened}
    found["failed"] = run.returncode != 0
    if found["failed"]:
        print((folder / "said.txt").read_text()[-600:])
    found["realtime"] = json.loads(summary.read_text())["realtime"]
    summary.unlink()
    replay = subprocess.run([program, "run", "--mode", "replay", log, "--no-log", "--quiet"], capture_output=True, text=True, check=False)
    found["replays"] = replay.returncode == 0
    return found


def page(found, seconds, rounds, load):
    text = [f"""# Observers do not disturb

Made by docs/results/measurements/looked_on.py on {datetime.date.today()}: {kind_of_machine()}, {os.cpu_count()} processors, Linux {platform.release()}, load
{load:.1f} at the beginning, {rounds} rounds of two runs of {seconds} s each, in turns. diagrams/pida.xml on hardware at 4 ms, against the simulated cell over UDP
on the loopback. *Four pages*: `--serve`, and Chromium without a screen on the same processors: three pages that follow
the run, and one whose browser is stopped by SIGSTOP while it is connected. Counts of each run, in the order of the rounds; `late` are replies
that were not out when the next cycle was due and `the machine's` those of them that the witness saw too
([realtime.md](../../realtime.md)). Reply: median of the runs, us.

| | runs that failed | late | the machine's | lost | overruns | ticks that the log lacks | logs that replay to the bit | reply, median | reply, 99 % | longest |
|---|---|---|---|---|---|---|---|---|---|---|"""]
    for looked_on, runs in found.items():
        times = [run["realtime"] for run in runs]
        each = [" ".join(f"{run.get(key, 0):g}" for run in times) for key in ("late", "witness_late", "lost", "overruns")]
        lacks = sum(run.get("log_dropped", 0) + run.get("log_unrecorded", 0) for run in times)
        reply = [f"{1e6 * statistics.median(run[key] for run in times):.0f}" for key in ("reply_p50", "reply_p99")]
        failed = sum(run["failed"] for run in runs)
        text.append(f"| {'four pages' if looked_on else 'no one'} | {failed} of {len(runs)} | {' | '.join(each)} | {lacks:g} | {sum(run['replays'] for run in runs)} of {len(runs)} | "
                    f"{' | '.join(reply)} | {1e6 * max(run['reply_max'] for run in times):.0f} |")
    shown = [run["pages"] for run in found[True]]
    text += ["", f"The pages were open after {min(each['opened'] for each in shown):.1f} to {max(each['opened'] for each in shown):.1f} s, and each of the three had "
             f"{min(min(each['seen']) for each in shown)} to {max(max(each['seen']) for each in shown)} samples of a signal at the end; "
             f"{min(each['stopped'] for each in shown)} processes of the fourth were stopped."]
    return "\n".join(text) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    options.add_argument("--seconds", type=int, default=30, help="of a run")
    options.add_argument("--rounds", type=int, default=6)
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    chance, found, load = random.Random(1), {False: [], True: []}, os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="hilda_looked_on_") as name:
        for _ in range(given.rounds):
            for looked_on in chance.sample([False, True], 2):
                found[looked_on].append(measured(given.build.resolve(), looked_on, given.seconds, pathlib.Path(name)))
    text = page(found, given.seconds, given.rounds, load)
    print(text)
    if given.write:
        (SOURCE / "docs/results/measurements/looked_on.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
