# SPDX-License-Identifier: BSD-3-Clause
"""A run of hilda whose loop has a clock of the test's own (preload/own_clock.cpp): a busy machine does not change
its packets or their times."""
import os
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("HILDA_BUILD", ROOT / "build"))
NOWHERE = 9  # a port; the packets are captured in the program itself


class Run(NamedTuple):
    code: int
    said: str
    packets: list  # time (s, of its clock) and first number of each
    again: subprocess.CompletedProcess  # its replay, where it has a log


def stall(at, length):
    """The loop does nothing for a time; `at` is counted from its first packet whose first number is not zero (s)."""
    return f"stall {at:.9f} {length:.9f}"


def interrupt(at, number):
    """A signal to the program."""
    return f"signal {at:.9f} {int(number)}"


def run(text, events, log=True):
    """Of a diagram's text, armed. `events` are in the order of time."""
    with tempfile.TemporaryDirectory(prefix="hilda_own_clock_") as folder:
        folder = Path(folder)
        (folder / "diagram.xml").write_text(text)
        (folder / "script").write_text("".join(f"{event}\n" for event in events))
        own = {"LD_PRELOAD": str(BUILD / "tests/wire/own_clock.so"), "OWN_CLOCK": str(folder / "script"),
               "OWN_CLOCK_CAPTURE": str(folder / "capture")}
        hilda = BUILD / "bin/hilda"
        logging = ["--log", "run.mcap"] if log else ["--no-log"]
        done = subprocess.run([hilda, "run", "diagram.xml", "--arm", *logging], cwd=folder, timeout=100, text=True,
                              env={**os.environ, **own}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        again = log and subprocess.run([hilda, "run", "--mode", "replay", "run.mcap"], cwd=folder, capture_output=True,
                                       text=True)
        lines = (folder / "capture").read_text().split("\n")
        packets = [tuple(map(float, line.split())) for line in lines if line]
    return Run(done.returncode, done.stdout, packets, again)
