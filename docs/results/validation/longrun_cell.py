#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A hundred contacts on the simulated cell over the hardware drivers, with and without the energy ledger: about a minute each.

    docs/results/validation/longrun_cell.py [path to hilda]

Writes out/longrun_cell.json, which longrun.py puts into its page. The cell's walls are 5 mm from the middle, so that a flight takes half a
second; cell and rig are two processes on this machine, which should have nothing else to do: a lost cycle in a contact is an error of some
per cent.
"""
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

project = Path(__file__).resolve().parents[3]
hilda = sys.argv[1] if len(sys.argv) > 1 else str(project / "build" / "bin" / "hilda")
diagrams = project / "diagrams"
cases = {
    "PIDA, published": ("pida", ()),
    "ledger, ratio, alignment 0": ("pida_ledger", ()),
    "ledger, known restitution": ("pida_ledger", ("rule=known",)),
    "ledger, alignment 0.2 ms wrong, 20 contacts of calibration": ("pida_ledger", ("calibration=20", "alignment=0.2ms")),
}


def run(diagram, settings):
    cell = subprocess.Popen([hilda, "run", str(diagrams / "cells" / "kuka_ati.xml"), "--quiet", "--no-log", "--set",
                             "half_size=5 1000 1000 mm"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(2)
        with tempfile.TemporaryDirectory() as folder:
            summary = Path(folder) / "summary.json"
            command = [hilda, "run", str(diagrams / f"{diagram}.xml"), "--mode", "hardware", "--rig", str(diagrams / "rigs" / "kuka_ati.xml"),
                       "--overlay", str(diagrams / "rigs" / "kuka_ati_loopback.xml"), "--arm", "--quiet", "--no-log", "--summary", str(summary)]
            for setting in ("contact_threshold=2N", "contacts=100", "duration=170s", *settings):
                command += ["--set", setting]
            done = subprocess.run(command, capture_output=True, text=True)
            data = json.loads(summary.read_text()) if summary.exists() else {}
    finally:
        cell.send_signal(signal.SIGINT)
        cell.wait()
    speeds = [row["speed_before"] for row in data.get("contacts") or []]
    return {"exit": done.returncode, "speeds": [v / speeds[0] for v in speeds], "lost": data.get("realtime", {}).get("lost"),
            "ledger": data.get("ledger"), "error": done.stderr.strip()[-200:] if done.returncode else ""}


if __name__ == "__main__":
    out = project / "out" / "longrun_cell.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps({name: run(*case) for name, case in cases.items()}, indent=1) + "\n")
