#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes endurance.md: PIDA paced at 1 kHz for an hour with its log, and the memory of the process meanwhile.

  docs/results/measurements/endurance.py [--seconds 3600]         runs it, in out/endurance (the log of an hour has 8 GB)
  docs/results/measurements/endurance.py --from FOLDER            from mem.txt, hour.json of such a run
"""
import argparse
import json
import os
import platform
import re
import subprocess
import time
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
COMMAND = ["run", "diagrams/pida.xml", "--realtime", "--witness", "--set", "contacts=0", "--set", "response_delay=20ms"]


def resident(process):
    """kB of virtual and of resident memory."""
    status = Path(f"/proc/{process}/status").read_text()
    return [int(re.search(rf"{key}:\s+(\d+)", status).group(1)) for key in ("VmSize", "VmRSS")]


def run(folder, seconds):
    folder.mkdir(parents=True, exist_ok=True)
    command = [str(ROOT / "build/bin/hilda"), *COMMAND, "--for", f"{seconds}s", "--log", str(folder / "hour.mcap"),
               "--summary", str(folder / "hour.json"), "--quiet"]
    with open(folder / "mem.txt", "w") as samples, subprocess.Popen(command, cwd=ROOT) as process:
        due = time.monotonic()
        while process.poll() is None:
            if time.monotonic() >= due:
                size, rss = resident(process.pid)
                samples.write(f"{time.strftime('%T')} {size} {rss}\n")
                samples.flush()
                due += 60
            time.sleep(0.5)


def page(folder, remark):
    samples = [list(map(int, line.split()[1:3])) for line in open(folder / "mem.txt") if line[0].isdigit()]
    summary = json.load(open(folder / "hour.json"))
    figures = summary["realtime"]
    log = folder / "hour.mcap"
    settled = [rss for _, rss in samples[2:]]
    rows = [n for n in (2, 10, 20, 30, 40, 50, len(samples) - 1) if n < len(samples)]
    lines = [
        "# An hour at 1 kHz",
        "",
        f"Written by docs/results/measurements/endurance.py on {date.today()}: {platform.machine()}, Linux {platform.release()}, "
        f"{os.cpu_count()} processors{remark}. "
        f"`hilda {' '.join(COMMAND)} --for {round(summary['steps'] * figures['period'])}s` with its log"
        + (f" ({log.stat().st_size / 1e9:.1f} GB)." if log.exists() else "."),
        "",
        "| after | resident memory, MB |",
        "|---|---|",
        *[f"| {n} min | {samples[n][1] / 1000:.1f} |" for n in rows],
        "",
        f"From the second minute on it grows by {(settled[-1] - settled[0]) / 1000:.1f} MB, "
        f"{(settled[-1] - settled[0]) / max(1, len(settled) - 1):.0f} kB a minute: what the log's writer keeps of each "
        "chunk for the index at the end of the file. The loop's thread takes no memory; a test traps it.",
        "",
        "| ticks | late | late with the witness | lost | jitter p50 | p99 | p99.9 | max |",
        "|---|---|---|---|---|---|---|---|",
        f"| {figures['ticks']} | {figures['late']} | {figures['witness_late']} | {figures['lost']} | "
        + " | ".join(f"{figures[key] * 1e6:.0f} us" for key in ("jitter_p50", "jitter_p99", "jitter_p999", "jitter_max"))
        + " |",
        "",
        "Late: a tick that was not done when the next was due, though the witness, a second thread with a timer of "
        "1 ms, was on time. Without PREEMPT_RT and with others at work that happens: a tick "
        f"takes {figures['compute_p50'] * 1e6:.0f} us (median), the rest is waiting for a processor; and at a contact the undelayed run next to the diagram may take more than a millisecond. `hilda doctor` says what to change.",
        "",
    ]
    (ROOT / "docs/results/measurements/endurance.md").write_text("\n".join(lines))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--from", dest="folder", type=Path)
    parser.add_argument("--remark", help="on the circumstances, such as 'others compiled meanwhile'")
    options = parser.parse_args()
    if options.seconds < 300:
        parser.error("--seconds: memory is looked at once a minute, five minutes are the least that says something")
    place = options.folder or ROOT / "out/endurance"
    if options.folder is None:
        run(place, options.seconds)
    page(place, f", {options.remark}" if options.remark else "")
