# SPDX-License-Identifier: BSD-3-Clause
"""A store of figures of finished runs, so that a script with hours of them continues where it was stopped."""
import hashlib
import json
import random
import threading

from runs import project


def of_sources():
    """What the figures depend on in addition to a run's own settings: diagrams and blocks."""
    text = hashlib.sha256()
    for folder, ends in (("diagrams", {".xml"}), ("blocks", {".cpp", ".h"})):
        for file in sorted((project / folder).rglob("*")):
            if file.suffix in ends:
                text.update(file.relative_to(project).as_posix().encode() + b"\0" + file.read_bytes())
    return text.hexdigest()[:12]


class Store:
    """A line of JSON for each run, with the state of diagrams and blocks that it is of. Runs of another state count only
    once some of them, drawn at random, have come out the same to the bit (`confirm`)."""

    def __init__(self, file):
        self.file, self.sources, self.lock = file, of_sources(), threading.Lock()
        self.figures, self.older = {}, {}
        for line in file.read_text().splitlines() if file.exists() else []:
            entry = json.loads(line)
            if entry["sources"] == self.sources:
                self.figures[entry["key"]] = entry["figures"]
            else:
                self.older[entry["key"]] = entry["figures"]
        for key in self.figures:
            self.older.pop(key, None)

    def keep(self, key, figures):
        with self.lock:
            self.figures[key] = figures
            self.file.parent.mkdir(exist_ok=True)
            with self.file.open("a") as out:
                out.write(json.dumps({"key": key, "sources": self.sources, "figures": figures}) + "\n")

    def confirm(self, run_again, samples):
        """Takes over the runs of an older state of one kind, if `samples` of them, run again, give the same figures.
        `run_again`: of that kind, the key of each with what runs it."""
        older = sorted(key for key in self.older if key in run_again)
        if not older:
            return 0
        for key in random.Random(self.sources).sample(older, min(max(1, samples), len(older))):
            self.keep(key, run_again[key]())
            if json.dumps(self.figures[key]) != json.dumps(self.older[key]):
                return 0
        for key in older:
            if key not in self.figures:
                self.keep(key, self.older[key])
        return len(older)
