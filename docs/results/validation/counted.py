#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes counted.md: are a thousand contacts of PIDA counted at each delay from 0 to 100 ms?

  docs/results/validation/counted.py [PROGRAM] [--jobs 2] [--every 1]    build/bin/hilda runs; every so many ms

Each run ends by its own count of contacts (`contacts=1000`). What it is compared with is counted here, from the force on
the wall in every tick of its log alone: a contact ends where the force vanishes or changes its sign.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import platform
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runs  # noqa: E402
from tables import show, table  # noqa: E402

WANTED = 1000
FORCE = "rig.wall.on_wall"
SETTINGS = (f"contacts={WANTED}", "speed=1 m/s")


def ended(forces):
    """Contacts of a series of forces that have ended."""
    count, before = 0, 0.0
    for force in forces:
        now = force if abs(force) > 1e-9 else 0.0
        count += before != 0.0 and now * before <= 0.0
        before = now
    return count


def diagram(folder):
    """PIDA as it is shipped, whose log holds the force alone."""
    text = (runs.project / "diagrams" / "pida.xml").read_text()
    file = folder / "pida.xml"
    file.write_text(text.replace("</diagram>", f'  <log signals="{FORCE}"/>\n</diagram>'))
    return file


def forces_of(log, csv_file):
    subprocess.run([runs.hilda, "export", str(log), FORCE, "--csv", "--out", str(csv_file)], check=True, stdout=subprocess.DEVNULL)
    with open(csv_file) as lines:
        rows = csv.reader(lines)
        column = next(i for i, name in enumerate(next(rows)) if name.startswith(FORCE))
        yield from (float(row[column]) for row in rows)


def count(delay):
    with tempfile.TemporaryDirectory(prefix="hilda_counted_") as name:
        folder = Path(name)
        log = folder / "run.mcap"
        command = [runs.hilda, "run", str(diagram(folder)), "--quiet", "--for", "1000s", "--log", str(log)]
        for setting in (f"response_delay={delay}ms", *SETTINGS):
            command += ["--set", setting]
        _, _, summary = runs.execute(command, folder / "summary.json")
        contacts = summary["contacts"]
        covs = [c["cov"] for c in contacts[1:]]  # the first begins at t = 0 in the delays' past
        return {"delay": delay, "in the table": len(contacts), "counted": ended(forces_of(log, folder / "force.csv")),
                "time": summary["time"], "without": sum(cov is None for cov in covs),
                "cov": covs[-1], "most": max(c for c in covs if c is not None), "peak": contacts[-1]["peak_force"]}


def page(rows):
    right = sum(row["in the table"] == row["counted"] == WANTED for row in rows)
    shown = [[str(row["delay"]), str(row["in the table"]), str(row["counted"]), f"{row['time']:.2f}", show(row["cov"]),
              show(row["most"]), f"{row['peak']:.0f}", str(row["without"])] for row in rows]
    return "\n".join([
        "# Contacts counted", "",
        f"Written by docs/results/validation/counted.py on {date.today()}: {platform.machine()}. PIDA as it is shipped, {', '.join(SETTINGS)}, "
        f"at {len(rows)} delays of the robot. The second number is counted from the force on the wall in every tick, by the script "
        "alone; the test `Contacts.OfPidaAreAllCountedAtEveryDelay` does so within the program, "
        "`Contacts.OfAPrescribedMotionAreAllCountedAtEveryDelay` for a rod that is moved whatever it meets.", "",
        f"**{right} of {len(rows)} delays: {WANTED} contacts by both counts.**", "",
        table(["delay, ms", "contacts in the table", "counted from the force", "time of the last, s", "CoV of the last",
               "largest CoV from contact 2 on", "peak force of the last, N", "CoV not available, from contact 2 on"], shown), ""])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", nargs="*")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--every", type=int, default=1)
    given = options.parse_args()
    runs.choose(given.program)
    os.environ["HILDA_LIBRARY_PATH"] = str(runs.project / "diagrams")
    with concurrent.futures.ProcessPoolExecutor(given.jobs) as pool:
        rows = list(pool.map(count, range(0, 101, given.every)))
    (runs.here / "counted.md").write_text(page(rows))
    print(json.dumps(rows[-1]))


if __name__ == "__main__":
    main()
