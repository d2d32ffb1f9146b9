"""What the tests of studies share: a folder with a small study, and the program, whose path is the first argument."""
import contextlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from row_hash import row_hash

hilda = str(Path(sys.argv.pop(1)).resolve())
here = Path(__file__).resolve().parent
diagrams = here.parent.parent / "diagrams"

STUDY = """<study format="1" name="small" diagram="plant.xml" seed="{seed}">
  <axis path="gain" from="1" to="{to}" count="{count}"/>
  <axis path="delay" values="0 20 50 ms"/>
  <draw path="seed" repeat="4"/>
  <draw path="start" normal="1 m" deviation="0.1 m"/>
  <set path="noise" value="0.01"/>
  {more}
  <figure name="mean" from="record.mean"/>
  <figure name="most" from="record.max"/>
  <figure name="small" expression="mean &lt; 0.6"/>
</study>
"""


def run(*words, cwd, expect=0, **more):
    done = subprocess.run([hilda, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=250, **more)
    if expect is not None and done.returncode != expect:
        raise AssertionError(f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def rows(store):
    with contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as database:
        return database.execute("SELECT * FROM runs ORDER BY run").fetchall()


def rows_or_none(store):
    try:
        return rows(store)
    except sqlite3.Error:
        return []


class StudyCase(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        shutil.copy(here / "cases/plant.xml", self.folder)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def study(self, seed=3, to=30, count=10, more="", name="study.xml"):
        (self.folder / name).write_text(STUDY.format(seed=seed, to=to, count=count, more=more))
        return name

    def sweep(self, *words, **named):
        return run("sweep", *words, cwd=self.folder, **named)

    def csv(self, store):
        self.sweep("export", store, "--csv", "-o", store + ".csv")
        return (self.folder / (store + ".csv")).read_bytes()

    def another_result(self, store, run, values):
        """As if that run of `store` had given other values: the row has the hash of what is in it."""
        with contextlib.closing(sqlite3.connect(self.folder / store)) as database, database:
            database.row_factory = sqlite3.Row
            columns = database.execute("SELECT kind, name FROM columns ORDER BY place").fetchall()
            figures = [name for kind, name in columns if kind == "figure"]
            kinds = ([name for kind, name in columns if kind in ("draw", "number", "word")], figures)
            row = dict(database.execute("SELECT * FROM runs WHERE run = ?", [run]).fetchone())
            self.assertEqual(row_hash(row, *kinds), row["hash"])
            row.update(values)
            sets = ", ".join(f'"{name}" = ?' for name in [*values, "hash"])
            database.execute(f"UPDATE runs SET {sets} WHERE run = ?", [*values.values(), row_hash(row, *kinds), run])
