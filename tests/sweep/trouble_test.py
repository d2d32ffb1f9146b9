#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong around a sweep: trouble_test.py HILDA.

A disk that is full (the kernel's word for it, on a small tmpfs where one can be mounted), a second writer, merges that cannot be
finished or meet another, kills at random instants of sweeps, parts and workers. Nothing that was there is lost or changed.
"""
import os
import random
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import time
import unittest
from pathlib import Path

from study_case import StudyCase, hilda, rows, rows_or_none


def no_more_than(size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    return limit


class Trouble(StudyCase):
    made = {}  # what studies gave, by their text: several tests want the same

    def whole(self, study):
        text = (self.folder / study).read_text()
        if text not in self.made:
            self.sweep(study, "-j", 2, "-o", "whole.sqlite")
            self.made[text] = rows(self.folder / "whole.sqlite")
        return self.made[text]

    def test_a_file_of_another_kind_is_not_overwritten(self):
        study = self.study(count=2)
        for word, kind in (("sweep", "a diagram"), ("edge", "a study")):
            taken = "plant.xml" if word == "sweep" else study
            before = (self.folder / taken).read_bytes()
            words = [study] if word == "sweep" else ["edge", study, "--along", "gain", "--figure", "small"]
            refused = self.sweep(*words, "-o", taken, expect=64)
            self.assertIn(f"{taken} is {kind}, and would be overwritten by the results of a study", refused.stderr)
            self.assertEqual((self.folder / taken).read_bytes(), before)
        (self.folder / "other.sqlite").write_bytes(b"")
        self.sweep(study, "-o", "other.sqlite")

    def test_kills_at_random_instants_lose_no_row(self):
        chance = random.Random(20)
        study = self.study(count=150)
        whole = self.whole(study)
        there, ends = [], set()
        for _ in range(20):
            how = ["-j", str(chance.choice((1, 2, 4)))] + chance.choice(([], ["--isolate"]))
            going = subprocess.Popen([hilda, "sweep", study, *how, "-o", "cut.sqlite"], cwd=self.folder,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            enough = len(there) + chance.randrange(-1, 100)
            while going.poll() is None and len(rows_or_none(self.folder / "cut.sqlite")) <= enough:
                time.sleep(chance.uniform(0, 0.02))
            going.kill()
            going.wait()
            now = rows_or_none(self.folder / "cut.sqlite")
            self.assertLessEqual(set(there), set(now), "a row that was there is lost or changed")
            self.assertLessEqual(set(now), set(whole))
            there = now
            ends.add(len(there))
        self.assertGreater(len(ends), 10, "most kills came too early or too late")
        self.sweep(study, "-j", 2, "-o", "cut.sqlite")
        self.assertEqual(rows(self.folder / "cut.sqlite"), whole)

    def test_an_interrupted_run_is_no_row(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml"><set path="duration" value="10000 s"/>
          <axis path="gain" from="1" to="30" count="200"/><figure name="mean" from="record.mean"/></study>""")
        going = subprocess.Popen([hilda, "sweep", "s.xml", "-j", "2", "-o", "s.sqlite"], cwd=self.folder,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while going.poll() is None and len(rows_or_none(self.folder / "s.sqlite")) < 3:
            time.sleep(0.02)
        going.send_signal(signal.SIGINT)
        self.assertEqual(going.wait(60), 130)
        there = rows(self.folder / "s.sqlite")
        self.assertTrue(3 <= len(there) < 200, len(there))
        self.assertEqual({(row[3], row[8]) for row in there}, {("duration", 1_000_000)})

    def test_a_disk_without_room(self):
        place = self.folder / "disk"
        place.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "hilda_sweep", place], capture_output=True, text=True)
        if mounted.returncode != 0:
            self.skipTest(f"no tmpfs can be mounted: {mounted.stderr.strip()}")
        try:
            study = self.study(count=200)
            full = self.sweep(study, "-j", 2, "-o", "disk/s.sqlite", expect=3)
            self.assertIn("full", full.stderr)
            self.assertIn("the same command continues", full.stderr)
            before = rows(place / "s.sqlite")
            self.assertTrue(0 < len(before) < 2400, len(before))
            subprocess.run(["mount", "-o", "remount,size=64m", place], check=True)
            self.sweep(study, "-j", 2, "-o", "disk/s.sqlite")
            self.assertEqual(rows(place / "s.sqlite"), self.whole(study))
            self.assertLessEqual(set(before), set(rows(place / "s.sqlite")))
        finally:
            subprocess.run(["umount", place], check=True)

    def test_a_file_that_may_not_grow_loses_no_row(self):
        study = self.study(count=200)
        full = self.sweep(study, "-j", 2, "-o", "s.sqlite", expect=3, preexec_fn=no_more_than(120_000))
        self.assertIn("the same command continues", full.stderr)
        before = rows(self.folder / "s.sqlite")
        self.assertGreater(len(before), 0)
        self.assertLess(len(before), 2400)
        self.sweep(study, "-j", 2, "-o", "s.sqlite")
        after = rows(self.folder / "s.sqlite")
        self.assertEqual(len(after), 2400)
        for row in before:
            self.assertEqual(row, after[row[0]])

    def test_a_wrong_study_is_wrong_each_time(self):
        text = """<study format="1" diagram="plant.xml"><axis path="gain" from="1" to="2" count="5"/>
          <figure name="n" from="steps"/>{}</study>"""
        for more, said in (('<figure name="v" from="nope.nope"/>', "no run has 'nope.nope'"),
                           ('<figure name="v" from="steps" unit="N"/>', "is in no unit and not in N"),
                           ('<figure name="v" expression="n + 1 m"/>', "'1 m' is in m"),
                           ('<figure name="v" expression="n &gt; 1e400"/>', "1e400"),
                           ('<keep log="when" condition="n + 1 m" most="5"/>', "the condition of <keep>")):
            (self.folder / "w.xml").write_text(text.format(more))
            for how in ([], [], ["--isolate"]):
                told = self.sweep("w.xml", "-j", 2, "-o", "w.sqlite", *how, expect=2)
                self.assertIn(said, told.stderr)
                self.assertNotIn("continues", told.stdout)
                self.assertFalse((self.folder / "w.sqlite").exists(), "nothing was made that could be gone on with")
        (self.folder / "w.xml").write_text(text.format('<figure name="v" from="nope.nope"/><figure name="b" expression="n &gt; 2"/>'))
        for _ in range(2):
            told = self.sweep("edge", "w.xml", "--along", "gain", "--figure", "b", "-o", "w.sqlite", expect=2)
            self.assertIn("no run has 'nope.nope'", told.stderr)
            self.assertFalse((self.folder / "w.sqlite").exists())

    def test_a_figure_of_one_diagram_alone_is_none_that_is_missing(self):
        plant = (self.folder / "plant.xml").read_text()
        (self.folder / "other.xml").write_text(plant.replace('key="record"', 'key="other"'))
        (self.folder / "w.xml").write_text("""<study format="1"><axis diagram="plant other"/><axis path="gain" values="1 2"/>
          <figure name="a" from="record.mean"/><figure name="b" from="other.mean"/></study>""")
        for part in (1, 2, 3, 4):  # each has one row, of one of them
            self.sweep("w.xml", "--part", f"{part}/4", "-o", f"{part}.sqlite")
            self.assertEqual([row[0] for row in rows(self.folder / f"{part}.sqlite")], [part - 1])
        self.sweep("merge", "1.sqlite", "2.sqlite", "-o", "m.sqlite")
        self.sweep("w.xml", "-o", "m.sqlite")  # continues with those of the other alone
        self.sweep("w.xml", "-o", "whole.sqlite")
        self.assertEqual(rows(self.folder / "m.sqlite"), rows(self.folder / "whole.sqlite"))

    def test_what_has_failed_is_told_each_time(self):
        (self.folder / "plant.xml").write_text((self.folder / "plant.xml").read_text().replace(
            '<block name="record"', '<block name="watch" type="sinks/AssertRange" lower="-9 m" upper="9 m"/>'
            '<connect from="state.y" to="watch.u"/><block name="record"'))
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml">
          <axis path="gain" values="1 90 2 120"/><figure name="mean" from="record.mean"/></study>""")
        self.sweep("s.xml", "-o", "s.sqlite", "-j", 1, "--fail-fast", expect=3)
        again = self.sweep("s.xml", "-o", "s.sqlite", "-j", 1, "--fail-fast", expect=3).stdout
        self.assertRegex(again, "0 made now\\nfailed   [12]; the first is run 1")
        self.assertNotIn("continues", again)
        self.assertIn("4 of 4 are there", self.sweep("s.xml", "-o", "s.sqlite", "-j", 1).stdout)
        self.assertIn("failed   2; the first is run 1", self.sweep("s.xml", "-o", "s.sqlite").stdout)

    def test_a_damaged_store_is_not_gone_on_with(self):
        study = self.study(count=40)
        self.sweep(study, "-o", "s.sqlite")
        whole = (self.folder / "s.sqlite").read_bytes()
        chance, refused = random.Random(7), 0
        for _ in range(25):
            bad = bytearray(whole)
            at = chance.randrange(0x2000, len(bad) - 30)
            bad[at:at + 30] = bytes(255 - byte for byte in bad[at:at + 30])
            (self.folder / "bad.sqlite").write_bytes(bad)
            done = self.sweep(study, "-o", "bad.sqlite", expect=None)
            self.assertIn(done.returncode, (0, 2), done.stderr)
            if done.returncode == 0:  # what no one reads
                self.assertEqual(rows(self.folder / "bad.sqlite"), rows(self.folder / "s.sqlite"))
                continue
            refused += 1
            self.assertIn("bad.sqlite", done.stderr)
            codes = {self.sweep(*words, expect=None).returncode for words in (
                ["export", "bad.sqlite", "--csv", "-o", "bad.csv"], ["merge", "bad.sqlite", "-o", "m.sqlite"])}
            self.assertTrue(codes <= {0, 2}, codes)
        self.assertGreater(refused, 10)
        with sqlite3.connect(self.folder / "s.sqlite") as database:
            database.execute("UPDATE runs SET most = most + 1 WHERE run = 4")
        self.assertIn("s.sqlite is damaged: run 4 is not as it was written", self.sweep(study, "-o", "s.sqlite", expect=2).stderr)

    def test_no_reader_uses_a_damaged_row(self):
        """[K4] One flipped bit in a figure, a setting, a unit or a word: each command that reads it says so."""
        study = self.study(count=12)
        self.sweep(study, "-o", "s.sqlite")
        whole = (self.folder / "s.sqlite").read_bytes()
        with sqlite3.connect(self.folder / "s.sqlite") as database:
            columns = [row[1] for row in database.execute("PRAGMA table_info(runs)")]
            numbers = [row[0] for row in database.execute("SELECT name FROM columns WHERE kind IN ('number', 'figure')")]
        chance = random.Random(24)
        changes = [(f'UPDATE runs SET "{name}" = ? WHERE run = ?', name) for name in numbers]
        changes += [(f'UPDATE runs SET "{name}" = "{name}" || ? WHERE run = ?', name) for name in ("ending", "cause")]
        self.assertLessEqual({name for _, name in changes}, set(columns))
        for statement, name in changes:
            run = chance.randrange(12)
            (self.folder / "bad.sqlite").write_bytes(whole)
            with sqlite3.connect(self.folder / "bad.sqlite") as database:
                before = database.execute(f'SELECT "{name}" FROM runs WHERE run = ?', (run,)).fetchone()[0]
                if isinstance(before, float):
                    word = struct.unpack("<Q", struct.pack("<d", before))[0] ^ (1 << chance.randrange(52))
                    value = struct.unpack("<d", struct.pack("<Q", word))[0]
                else:
                    value = "x" if isinstance(before, str) else 1.0
                database.execute(statement, (value, run))
            database.close()
            self.refuse_everywhere(f"run {run} is not as it was written", run)
        for statement, what in (("UPDATE columns SET unit = unit || 'm' WHERE place = 0", "its columns"),
                                ("UPDATE columns SET name = name WHERE 0", None),
                                ("UPDATE study SET value = value + 1 WHERE key = 'runs'", "its columns"),
                                ("UPDATE files SET text = CAST(text || ' ' AS BLOB) WHERE place = 0", "the files of its study")):
            (self.folder / "bad.sqlite").write_bytes(whole)
            with sqlite3.connect(self.folder / "bad.sqlite") as database:
                database.execute(statement)
            database.close()
            if what is None:
                self.sweep("show", 3, "bad.sqlite")
            else:
                self.refuse_everywhere(f"{what} are not as they were written", 3)

    def refuse_everywhere(self, why, run):
        for words in (["show", run, "bad.sqlite"], ["rerun", run, "bad.sqlite"], ["export", "bad.sqlite", "--csv", "-o", "x.csv"],
                      ["export", "bad.sqlite", "--mat", "-o", "x.mat"], ["export", "bad.sqlite", "--parquet", "-o", "x.pq"],
                      ["plot", "bad.sqlite", "-o", "x.svg"], ["report", "bad.sqlite", "-o", "x.html"],
                      ["merge", "bad.sqlite", "-o", "x.sqlite"]):
            refused = self.sweep(*words, expect=2).stderr
            self.assertIn(f"bad.sqlite is damaged: {why}", refused, words)
            self.assertIn("help: name another file with -o", refused, words)
        self.assertEqual([], [each.name for each in self.folder.iterdir() if each.name.startswith("x.")])

    def test_one_writer_at_a_time(self):
        study = self.study(count=400)
        going = subprocess.Popen([hilda, "sweep", study, "-j", "1", "-o", "s.sqlite"], cwd=self.folder,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while going.poll() is None and len(rows_or_none(self.folder / "s.sqlite")) == 0:
                time.sleep(0.02)
            self.assertIsNone(going.poll(), "the study is too short for this test")
            self.assertIn("is being written by", self.sweep(study, "-o", "s.sqlite", expect=3).stderr)
        finally:
            going.kill()
            going.wait()

    def test_a_worker_that_dies_is_a_row(self):
        study = self.study(count=300)
        going = subprocess.Popen([hilda, "sweep", study, "-j", "2", "--isolate", "-o", "s.sqlite"], cwd=self.folder,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        def crashed_so_far():
            return [row for row in rows_or_none(self.folder / "s.sqlite") if row[8] == "crashed"]
        killed = 0
        while going.poll() is None and not crashed_so_far():
            # One that has just ended, or waits for its next run, makes no row: then the next is killed.
            try:
                children = Path(f"/proc/{going.pid}/task/{going.pid}/children").read_text().split()
                if children:
                    os.kill(int(children[0]), signal.SIGKILL)
                    killed += 1
            except (ProcessLookupError, FileNotFoundError):
                pass
            time.sleep(0.1)
        self.assertEqual(going.wait(200), 0)
        all_rows = rows(self.folder / "s.sqlite")
        self.assertEqual(len(all_rows), 3600)
        crashed = [row for row in all_rows if row[8] == "crashed"]
        self.assertTrue(0 < len(crashed) <= killed, (len(crashed), killed))
        self.assertIn("signal 9", crashed[0][9])

    def parts(self, count, of=3):
        study = self.study(count=count)
        names = [f"part{k}.sqlite" for k in range(1, of + 1)]
        for k, name in enumerate(names, 1):
            if (count, k, of) in self.made:
                (self.folder / name).write_bytes(self.made[count, k, of])
            else:
                self.sweep(study, "--part", f"{k}/{of}", "-o", name)
                self.made[count, k, of] = (self.folder / name).read_bytes()
        return study, names

    def test_a_merge_without_room_leaves_nothing_and_its_parts(self):
        study, parts = self.parts(100)
        before = [(self.folder / part).read_bytes() for part in parts]
        refused = self.sweep("merge", *parts, "-o", "m.sqlite", expect=None, preexec_fn=no_more_than(60_000))
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("error: ", refused.stderr)
        self.assertEqual(sorted(file.name for file in self.folder.glob("m.*")), [])
        self.assertEqual([(self.folder / part).read_bytes() for part in parts], before)
        self.sweep("merge", *parts, "-o", "m.sqlite")
        self.assertEqual(rows(self.folder / "m.sqlite"), self.whole(study))

    def test_a_merge_that_fails_leaves_what_was_there(self):
        study, parts = self.parts(3)
        self.sweep("merge", *parts, "-o", "m.sqlite")
        merged = (self.folder / "m.sqlite").read_bytes()
        shutil.copy(self.folder / parts[1], self.folder / "other.sqlite")
        self.another_result("other.sqlite", 4, {"most": 7.0})
        refused = self.sweep("merge", *parts, "other.sqlite", "-o", "m.sqlite", expect=2).stderr
        self.assertIn("run 4 is not the same in part2.sqlite and other.sqlite", refused)
        self.assertEqual((self.folder / "m.sqlite").read_bytes(), merged)
        # one part is the output of another merge: it would be read while it is made
        self.sweep("merge", *parts, "-o", parts[0], expect=None)
        self.assertEqual(len(rows(self.folder / parts[0])), 12)

    def test_merges_into_one_file_at_a_time(self):
        study, parts = self.parts(800, of=2)
        together = [subprocess.Popen([hilda, "sweep", "merge", *parts, "-o", "m.sqlite"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE, text=True) for _ in range(6)]
        said = [each.communicate(timeout=100)[1] for each in together]
        codes = [each.returncode for each in together]
        self.assertIn(0, codes)
        for code, text in zip(codes, said):
            if code != 0:
                self.assertIn("m.sqlite", text)
        self.assertEqual(rows(self.folder / "m.sqlite"), self.whole(study))
        self.assertEqual([file.name for file in self.folder.glob("m.sqlite*")], ["m.sqlite"])

    def test_a_merge_that_is_killed_leaves_no_half_of_it(self):
        study, parts = self.parts(800, of=2)
        chance = random.Random(4)
        for _ in range(8):
            going = subprocess.Popen([hilda, "sweep", "merge", *parts, "-o", "m.sqlite"], cwd=self.folder,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, 0.3))
            going.kill()
            going.wait()
            if (self.folder / "m.sqlite").exists():
                self.assertEqual(len(rows(self.folder / "m.sqlite")), 9600)
                (self.folder / "m.sqlite").unlink()
        self.sweep("merge", *parts, "-o", "m.sqlite")
        self.assertEqual(rows(self.folder / "m.sqlite"), self.whole(study))


if __name__ == "__main__":
    unittest.main(verbosity=1)
