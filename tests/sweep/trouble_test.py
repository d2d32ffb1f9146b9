#!/usr/bin/env python3
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
    def whole(self, study):
        self.sweep(study, "-j", 2, "-o", "whole.sqlite")
        return rows(self.folder / "whole.sqlite")

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
            self.assertIn("the same command goes on", full.stderr)
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
        self.assertIn("the same command goes on", full.stderr)
        before = rows(self.folder / "s.sqlite")
        self.assertGreater(len(before), 0)
        self.assertLess(len(before), 2400)
        self.sweep(study, "-j", 2, "-o", "s.sqlite")
        after = rows(self.folder / "s.sqlite")
        self.assertEqual(len(after), 2400)
        for row in before:
            self.assertEqual(row, after[row[0]])

    def test_one_writer_at_a_time(self):
        study = self.study(count=400)
        going = subprocess.Popen([hilda, "sweep", study, "-j", "1", "-o", "s.sqlite"], cwd=self.folder,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(200):
                if (self.folder / "s.sqlite").exists() and len(rows_or_none(self.folder / "s.sqlite")) > 0:
                    break
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
        killed = 0
        while going.poll() is None and killed < 3:
            try:
                children = Path(f"/proc/{going.pid}/task/{going.pid}/children").read_text().split()
            except OSError:
                break
            if children:
                os.kill(int(children[0]), signal.SIGKILL)
                killed += 1
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
            self.sweep(study, "--part", f"{k}/{of}", "-o", name)
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
        with sqlite3.connect(self.folder / "other.sqlite") as database:
            database.execute("UPDATE runs SET most = most + 1 WHERE run = 4")
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
