# SPDX-License-Identifier: BSD-3-Clause
"""Runs of the diagrams for the scripts next to this file: each run once, with its summary and the signals asked for."""
import csv
import functools
import json
import os
import subprocess
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
project = here.parents[2]
hilda = os.environ.get("HILDA", str(project / "build" / "bin" / "hilda"))


def choose(words):
    """The first word of a script's command line, where there is one, is the program that it runs."""
    global hilda
    hilda = words[0] if words else hilda


class Run:
    """A finished run: its summary, its exit code, and a list of numbers for each element of a signal."""

    def __init__(self, data, code, names, rows):
        self.data, self.code, self.names, self.rows = data, code, names, rows
        self.contacts = data.get("contacts") or []

    def column(self, figure):
        """One figure of all contacts that have it."""
        return [c[figure] for c in self.contacts if c.get(figure) is not None]

    def mean(self, figure):
        values = self.column(figure)
        return sum(values) / len(values) if values else float("nan")

    def signal(self, name):
        """The samples of a signal that was asked for: numbers, or lists where it has several elements."""
        places = [i for i, n in enumerate(self.names) if n == name or n.startswith((name + ".", name + "["))]
        if not places:
            raise KeyError(f"{name}: not among {self.names}")
        if len(places) == 1:
            return [row[places[0]] for row in self.rows]
        return [[row[i] for i in places] for row in self.rows]

    @property
    def times(self):
        return [row[0] for row in self.rows]


def words(diagram, settings=(), rig=None, until=None, options=()):
    """The command that runs diagrams/DIAGRAM.xml with --set SETTING for each."""
    command = [hilda, "run", str(project / "diagrams" / f"{diagram}.xml"), "--quiet"]
    if rig:
        command += ["--rig", str(project / "diagrams" / "rigs" / f"{rig}.xml")]
    if until:
        command += ["--for", until]
    for setting in settings:
        command += ["--set", setting]
    return [*command, *options]


def execute(command, summary):
    """Runs it: its exit code, what it printed, and the summary that it wrote. Code 3, a run that ended early, is a result as well."""
    done = subprocess.run([*command, "--summary", str(summary)], capture_output=True, text=True)
    if done.returncode not in (0, 3) or not summary.exists():
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return done.returncode, done.stderr.strip(), json.loads(summary.read_text())


@functools.lru_cache(maxsize=None)
def run(diagram, *settings, until=None, signals=(), rig=None, options=()):
    """A run of diagrams/DIAGRAM.xml, with the samples of `signals`."""
    with tempfile.TemporaryDirectory() as folder:
        summary, log, table = (Path(folder) / name for name in ("summary.json", "run.mcap", "run.csv"))
        command = words(diagram, settings, rig, until, options) + (["--log", str(log)] if signals else ["--no-log"])
        code, _, data = execute(command, summary)
        names, rows = [], []
        if signals:
            subprocess.run([hilda, "export", str(log), *signals, "--csv", "--out", str(table)], check=True,
                           stdout=subprocess.DEVNULL)
            with open(table) as lines:
                head, *cells = list(csv.reader(lines))
                names = [name.split(" [")[0] for name in head]
                rows = [[float(x) for x in row] for row in cells]
        return Run(data, code, names, rows)
