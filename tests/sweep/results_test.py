#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is made of the results of a study: results_test.py HILDA.

Exports are read back by readers that are not hilda's; the logs that a study keeps, runs that take too long, and what lies
next to a store that was read.
"""
import os
import sqlite3
import struct
import unittest

from study_case import StudyCase, here, rows, run

COLUMNS = ("run", "gain", "delay", "seed", "start", "mean", "most", "small")  # of the study, as `rows` has them


def mat_file(content):
    """The variables of a MAT file of level 5, uncompressed: doubles and texts."""
    variables, at = {}, 128
    while at < len(content):
        kind, size = struct.unpack_from("<II", content, at)
        assert kind == 14, f"type {kind} at {at}: not a matrix"
        elements, place, end = [], at + 8, at + 8 + size
        while place < end:
            kind, size = struct.unpack_from("<II", content, place)
            short = kind >> 16
            if short:
                elements.append((kind & 0xFFFF, content[place + 4:place + 4 + short]))
                place += 8
            else:
                elements.append((kind, content[place + 8:place + 8 + size]))
                place += 8 + (size + 7) // 8 * 8
        flags, shape, name, data = (each[1] for each in elements[:4])
        count = len(data) // {9: 8, 4: 2, 16: 1, 1: 1, 2: 1, 17: 2}[elements[3][0]]
        if flags[0] == 4:  # text
            variables[name.decode()] = data.decode("utf-16-le" if elements[3][0] in (4, 17) else "ascii")
        else:
            rows_, cols = struct.unpack("<ii", shape)
            assert rows_ * cols == count, (name, rows_, cols, count)
            variables[name.decode()] = struct.unpack(f"<{count}d", data)
        at = end
    return variables


# In the place of Python's pyarrow, which Debian lacks: writes what it was given as JSON.
PYARROW = '''
import json
def float64(): return "double"
def int64(): return "int64"
def string(): return "string"
def array(values, type): return [type, list(values)]
class Table:
    @staticmethod
    def from_arrays(arrays, names): return dict(zip(names, arrays))
'''
PARQUET = '''
import json
def write_table(table, path):
    with open(path, "w") as file: json.dump(table, file)
'''


class Results(StudyCase):
    def study_with_words(self):
        (self.folder / "words.xml").write_text("""<study format="1" diagram="plant.xml">
          <axis diagram="plant other" /><axis path="start" values="1 2 3 m"/>
          <figure name="mean" from="record.mean"/><figure name="none" from="record.max"/></study>""")
        (self.folder / "other.xml").write_text((self.folder / "plant.xml").read_text().replace('"plant"', '"other"'))
        return "words.xml"

    def test_mat(self):
        self.sweep(self.study(), "-o", "s.sqlite")
        self.sweep("export", "s.sqlite", "--mat", "-o", "s.mat")
        variables = mat_file((self.folder / "s.mat").read_bytes())
        columns = list(zip(*rows(self.folder / "s.sqlite")))
        for place, name in enumerate(COLUMNS):
            self.assertEqual(list(variables[name]), list(map(float, columns[place])), name)
        self.assertEqual(variables["delay_unit"], "s")
        self.assertEqual(set(variables["failed"]), {0.0})

    def test_mat_has_words_by_number_and_more_rows_than_a_piece(self):
        self.sweep(self.study_with_words(), "-o", "w.sqlite")
        self.sweep("export", "w.sqlite", "--mat", "-o", "w.mat")
        variables = mat_file((self.folder / "w.mat").read_bytes())
        self.assertEqual((variables["diagram"], variables["diagram_words"]), ((1, 1, 1, 2, 2, 2), "plant other"))
        self.sweep(self.study(count=400), "-j", 2, "-o", "s.sqlite")  # 4800 rows; 4096 are written at a time
        self.sweep("export", "s.sqlite", "--mat", "-o", "s.mat")
        mean = mat_file((self.folder / "s.mat").read_bytes())["mean"]
        self.assertEqual(list(mean), [row[5] for row in rows(self.folder / "s.sqlite")])

    def test_parquet(self):
        self.sweep(self.study_with_words(), "-o", "w.sqlite")
        try:
            import pyarrow.parquet
        except ImportError:
            pyarrow = None
        if pyarrow is not None:
            self.sweep("export", "w.sqlite", "--parquet", "-o", "w.parquet")
            table = pyarrow.parquet.read_table(self.folder / "w.parquet").to_pydict()
        else:
            (self.folder / "pyarrow").mkdir()
            (self.folder / "pyarrow/__init__.py").write_text(PYARROW)
            (self.folder / "pyarrow/parquet.py").write_text(PARQUET)
            import json
            self.sweep("export", "w.sqlite", "--parquet", "-o", "w.parquet",
                       env={**os.environ, "PYTHONPATH": str(self.folder)})
            typed = json.loads((self.folder / "w.parquet").read_text())
            self.assertEqual({name: kind for name, (kind, _) in typed.items() if kind != "double"},
                             {"run": "int64", "diagram": "string", "ending": "string", "cause": "string",
                              "block": "string", "signal": "string", "steps": "int64"})
            table = {name: values for name, (_, values) in typed.items()}
        names = ["run", "diagram", "start", "mean", "none", "ending", "cause", "block", "signal", "time", "steps"]
        self.assertEqual(list(table), names)  # nothing of when and where
        for place, name in enumerate(names):
            self.assertEqual(table[name], [row[place] for row in rows(self.folder / "w.sqlite")], name)

    def test_parquet_without_pyarrow_says_so(self):
        self.sweep(self.study_with_words(), "-o", "w.sqlite")
        (self.folder / "pyarrow.py").write_text("raise ImportError")
        refused = self.sweep("export", "w.sqlite", "--parquet", "-o", "w.parquet", expect=3,
                             env={**os.environ, "PYTHONPATH": str(self.folder)}).stderr
        self.assertIn("Parquet needs Python's pyarrow, which is not installed", refused)
        self.assertFalse((self.folder / "w.parquet").exists())

    def kept(self, keep, store="k.sqlite"):
        """The runs whose logs a study keeps."""
        self.sweep(self.study(count=5, more=keep), "-j", 2, "-o", store)
        return sorted(int(file.stem) for file in (self.folder / store.replace(".sqlite", "_logs")).glob("*.mcap"))

    def test_logs_of_all(self):
        self.assertEqual(self.kept('<keep log="all"/>'), list(range(20)))  # 20 by default
        self.assertEqual(self.kept('<keep log="all" most="7"/>', "seven.sqlite"), list(range(7)))

    def test_logs_under_a_condition(self):
        self.assertEqual(self.kept('<keep log="when" condition="mean &gt; 0.6 &amp;&amp; gain &lt; 10" most="5"/>'),
                         [row[0] for row in rows(self.folder / "k.sqlite") if row[5] > 0.6 and row[1] < 10][:5])
        first = min((self.folder / "k_logs").glob("*.mcap"), key=lambda file: int(file.stem))
        run("run", "--mode", "replay", first, "--no-log", cwd=self.folder)  # the log is that of the run, bit for bit
        run("run", "--mode", "replay", first, "--no-log", "--summary", "s.json", "--quiet", cwd=self.folder)
        row = rows(self.folder / "k.sqlite")[int(first.stem)]
        self.assertIn(f'"mean": {row[5]!r}', (self.folder / "s.json").read_text())

    def test_logs_of_runs_that_failed(self):
        (self.folder / "plant.xml").write_text((self.folder / "plant.xml").read_text().replace(
            '<block name="record"', '<block name="watch" type="sinks/AssertRange" lower="-9 m" upper="9 m"/>\n'
            '<connect from="state.y" to="watch.u"/>\n<block name="record"'))
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml">
          <axis path="gain" values="1 90 2 120"/><figure name="mean" from="record.mean"/><keep log="failed"/></study>""")
        self.sweep("s.xml", "-o", "s.sqlite")
        self.assertEqual(sorted(file.name for file in (self.folder / "s_logs").iterdir()), ["1.mcap", "3.mcap"])
        (self.folder / "s_logs/1.mcap").unlink()
        self.sweep("s.xml", "-o", "s.sqlite")  # existing runs are not made again, and missing ones are
        self.assertEqual(sorted(file.name for file in (self.folder / "s_logs").iterdir()), ["1.mcap", "3.mcap"])

    def test_a_run_that_takes_too_long_is_a_row(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml" timeout="0.4 s">
          <axis path="duration" values="0.5 1e7 0.6 s"/><figure name="mean" from="record.mean"/></study>""")
        for more in ([], ["--isolate"]):
            store = f"s{len(more)}.sqlite"
            said = self.sweep("s.xml", "-j", 1, "-o", store, *more).stdout
            self.assertIn("failed   1; the first is run 1: timeout: it took longer than the study's timeout", said)
            made = rows(self.folder / store)
            self.assertEqual([row[3] for row in made], ["duration", "timeout", "duration"])
            self.assertEqual((made[1][2], made[1][7:9]), (None, (0, 0)))  # how far it came is the machine's doing
            self.assertEqual([row[8] for row in made], [50, 0, 60])

    def test_nothing_is_left_beside_a_store(self):
        def beside():
            return sorted(file.name for file in self.folder.glob("s.sqlite*"))
        self.sweep(self.study(count=3), "-o", "s.sqlite")
        self.assertEqual(beside(), ["s.sqlite"])
        before = (self.folder / "s.sqlite").read_bytes()
        for words in (["report", "s.sqlite", "-o", "page.html"], ["show", 3, "s.sqlite"], ["rerun", 3, "s.sqlite"],
                      ["plot", "s.sqlite", "--figure", "mean", "-o", "map.svg"],
                      ["export", "s.sqlite", "--csv", "-o", "s.csv"], ["merge", "s.sqlite", "-o", "m.sqlite"]):
            self.sweep(*words)
            self.assertEqual(beside(), ["s.sqlite"], words[0])
        self.assertEqual((self.folder / "s.sqlite").read_bytes(), before)

    def test_a_store_is_read_where_nothing_can_be_written(self):
        self.sweep(self.study(count=3), "-o", "s.sqlite")
        name = "a %41#?.sqlite"  # no sign of it means anything
        (self.folder / "s.sqlite").rename(self.folder / name)
        (self.folder / name).chmod(0o444)
        self.folder.chmod(0o555)
        somebody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}  # root writes everywhere
        try:
            self.assertIn("hilda run plant.xml", self.sweep("show", 3, name, **somebody).stdout)
            self.sweep("export", name, "--csv", "-o", "/dev/null", **somebody)
            self.assertIn("every bit is as in the store", self.sweep("rerun", 3, name, **somebody).stdout)
        finally:
            self.folder.chmod(0o700)

    def test_what_a_sweep_says_of_its_file_is_what_it_stays(self):
        said = self.sweep(self.study(count=3), "-o", "s.sqlite").stdout
        again = self.sweep("study.xml", "-o", "s.sqlite").stdout
        size = (self.folder / "s.sqlite").stat().st_size
        self.assertIn(f"results  s.sqlite ({size / 1000:.1f} kB)", said)
        self.assertIn(f"results  s.sqlite ({size / 1000:.1f} kB)", again)

    def test_an_output_that_is_an_input_is_a_wrong_command_line(self):
        self.sweep(self.study(count=3), "-o", "s.sqlite")
        before = (self.folder / "s.sqlite").read_bytes()
        for words in (["merge", "s.sqlite", "-o", "s.sqlite"], ["merge", "s.sqlite", "-o", "study.xml"],
                      ["rerun", 3, "s.sqlite", "--log", "s.sqlite"]):
            self.sweep(*words, expect=64)
            self.assertEqual((self.folder / "s.sqlite").read_bytes(), before)

    def test_what_is_no_store_is_named_once(self):
        with sqlite3.connect(self.folder / "other.sqlite") as other:
            other.execute("CREATE TABLE t(x)")
        for name, why in (("plant.xml", "file is not a database"), ("other.sqlite", "no such table: study")):
            refused = self.sweep("report", name, expect=2).stderr
            self.assertEqual(refused, f"error: {name} is not a store of a study: {why}\n")


if __name__ == "__main__":
    unittest.main(verbosity=1)
