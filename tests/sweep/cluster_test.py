#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Studies on a cluster: cluster_test.py HILDA. Slurm's programs are those of slurm/, which run the tasks here."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from study_case import StudyCase, here, rows, run


class Cluster(StudyCase):
    def setUp(self):
        # a blank and a quote in the folder's name: scripts must bear them
        self.outside = Path(tempfile.mkdtemp())
        self.folder = self.outside / "it's here"
        self.folder.mkdir()
        shutil.copy(here / "cases/plant.xml", self.folder)
        self.environment = {**os.environ, "PATH": f"{here / 'slurm'}:{os.environ['PATH']}",
                            "FAKE_SLURM": str(self.outside / "slurm")}

    def tearDown(self):
        for number in self.jobs():
            subprocess.run([here / "slurm/scancel", number], env=self.environment)
        shutil.rmtree(self.outside)

    def jobs(self):
        slurm = self.outside / "slurm"
        return sorted(f.name for f in slurm.iterdir() if f.name.isdigit()) if slurm.is_dir() else []

    def sweep(self, *words, **named):
        return run("sweep", *words, cwd=self.folder, env=self.environment, **named)

    def until(self, holds, seconds=120):
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end, "it takes too long")
            time.sleep(0.05)

    def merged(self, store):
        return lambda: (self.folder / store).exists()

    def whole(self, study):
        self.sweep(study, "-j", 2, "-o", "whole.sqlite")
        return rows(self.folder / "whole.sqlite")

    def test_a_submitted_study_has_the_rows_of_one_sweep(self):
        study = self.study(more='<keep log="when" condition="gain &gt; 29" most="2"/>')
        said = self.sweep("submit", study, "--slurm", "--tasks", 5, "-j", 2, "--time", "1:00:00", "--partition", "short",
                          "--sbatch=--account=space", "-o", "s.sqlite").stdout
        array, merge = self.jobs()
        self.assertIn(f"job      {array}: 5 tasks, up to 24 runs each", said)
        self.assertIn(f"merge    {merge}", said)
        options = json.loads((self.outside / "slurm" / array / "options.json").read_text())
        wanted = {"array": "1-5", "cpus_per_task": "2", "time": "1:00:00", "partition": "short", "account": "space",
                  "job_name": "hilda-small", "requeue": True, "open_mode": "append", "dependency": None}
        self.assertEqual({name: options[name] for name in wanted}, wanted)
        self.until(lambda: "PENDING" not in self.queue() and "RUNNING" not in self.queue())
        self.assertEqual(rows(self.folder / "s.sqlite"), self.whole(study))
        self.assertEqual(len(list((self.folder / "s_logs").glob("*.mcap"))), 2)
        said = self.sweep("status", "s_slurm").stdout
        self.assertIn("5 tasks: 5 done, 0 running, 0 waiting, 0 ended early", said)
        self.assertIn("rows     120 of 120", said)
        self.assertIn(f"merge    {merge}: done\nresults  s.sqlite", said)
        refused = self.sweep("submit", study, "--slurm", "-o", "s.sqlite", expect=3).stderr
        self.assertIn("s.sqlite is there already", refused)
        self.assertIn("are not in the queue", self.sweep("cancel", "s_slurm").stdout)

    def queue(self):
        return subprocess.run([here / "slurm/squeue", "--me", "--noheader", "--array", "--format=%i %T"],
                              env=self.environment, capture_output=True, text=True, check=True).stdout

    def pid_of(self, job, task):
        file = self.outside / "slurm" / job / f"{task}.pid"
        return int(file.read_text() or 0) if file.exists() else 0

    def test_a_task_whose_node_is_lost_goes_on(self):
        study = self.study(count=300)
        self.sweep("submit", study, "--slurm", "--tasks", 2, "-o", "s.sqlite")
        array, _ = self.jobs()
        killed = set()
        for task in (1, 2):
            self.until(lambda: (self.folder / f"s_slurm/part{task}of2.sqlite").exists() and self.pid_of(array, task))
            pid = self.pid_of(array, task)
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        self.until(self.merged("s.sqlite"))
        self.assertFalse(killed & {self.pid_of(array, 1), self.pid_of(array, 2)}, "no task was started again")
        self.assertEqual(rows(self.folder / "s.sqlite"), self.whole(study))

    def test_what_was_cancelled_is_submitted_once_more(self):
        study = self.study(count=800)
        self.sweep("submit", study, "--slurm", "--tasks", 3, "-o", "s.sqlite")
        self.until(lambda: (self.folder / "s_slurm/part1of3.sqlite").exists())
        said = self.sweep("status", "s_slurm").stdout
        self.assertRegex(said, r"3 tasks: 0 done, [12] running, [12] waiting, 0 ended early")
        refused = self.sweep("submit", study, "--slurm", "--tasks", 3, "-o", "s.sqlite", expect=3).stderr
        self.assertIn("the study is in the queue as job", refused)
        self.assertIn("are taken out", self.sweep("cancel", "s_slurm").stdout)
        self.assertEqual(self.queue(), "")
        told = self.sweep("status", "s_slurm", expect=3)
        self.assertRegex(told.stdout, "merge    [0-9]+: not in the queue")
        self.assertRegex(told.stderr, r"tasks have ended before their part was whole: ([12], )*3\n")
        before = rows(self.folder / "s_slurm/part1of3.sqlite")
        self.sweep("submit", study, "--slurm", "--tasks", 3, "-o", "s.sqlite")
        self.until(self.merged("s.sqlite"))
        whole = self.whole(study)
        self.assertEqual(rows(self.folder / "s.sqlite"), whole)
        for row in before:
            self.assertEqual(row, whole[row[0]])

    def test_a_task_that_fails_holds_the_merge_back(self):
        study = self.study()
        (self.folder / "s_slurm").mkdir()
        (self.folder / "s_slurm/part2of3.sqlite").write_text("no store")
        self.sweep("submit", study, "--slurm", "--tasks", 3, "-o", "s.sqlite")
        self.until(lambda: self.queue() == "")
        self.assertFalse((self.folder / "s.sqlite").exists())
        told = self.sweep("status", "s_slurm", expect=3)
        self.assertIn("2 done, 0 running, 0 waiting, 1 ended early", told.stdout)
        self.assertIn("before their part was whole: 2\n", told.stderr)
        self.assertIn("part2of3.sqlite", (self.folder / "s_slurm/part2.log").read_text())

    def test_mistakes(self):
        study = self.study()
        self.assertIn("to which engine?", self.sweep("submit", study, expect=64).stderr)
        refused = self.sweep("submit", study, "--slurm", "--partition", "none", "-o", "s.sqlite", expect=3).stderr
        self.assertIn("Invalid partition name specified", refused)
        self.assertIn("sbatch refuses (exit code 1)", refused)
        self.assertIn("is not a folder of a submitted study", self.sweep("status", ".", expect=2).stderr)
        self.study(count="ten")
        self.assertIn("error[study-count]", self.sweep("submit", study, "--slurm", expect=2).stderr)
        self.assertEqual(self.jobs(), [])
        self.study()
        self.environment["PATH"] = str(self.folder)
        refused = self.sweep("submit", study, "--slurm", "-o", "s.sqlite", expect=3).stderr
        self.assertIn("sbatch is not there", refused)


if __name__ == "__main__":
    unittest.main(verbosity=1)
