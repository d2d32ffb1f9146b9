#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Studies on a real Slurm: real_cluster_test.py HILDA. munged, slurmctld and slurmd of Debian run here, in a network, a mount and
a separate process namespace, with a separate configuration. Where they cannot run, the test is skipped (exit code 77)."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SKIPPED = 77
INSIDE = "HILDA_IN_A_CLUSTER"
# Debian has the daemons in a folder that is not on everyone's path.
os.environ["PATH"] += ":/usr/sbin:/sbin"


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def go_inside():
    missing = [program for program in ("slurmctld", "slurmd", "munged", "sbatch", "unshare", "ip") if not shutil.which(program)]
    if missing:
        skip(f"not installed: {', '.join(missing)} (packages slurmctld, slurmd, slurm-client, munge, iproute2)")
    space = ["unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"]
    asked = subprocess.run([*space, "ip", "link", "set", "lo", "up"], capture_output=True, text=True)
    if os.geteuid() != 0 or asked.returncode != 0:
        skip(f"namespaces and daemons want root: {asked.stderr.strip() or 'this user is not'}")
    sys.exit(subprocess.run([*space, sys.executable, *sys.argv], env={**os.environ, INSIDE: "1"}).returncode)


if INSIDE not in os.environ:
    go_inside()

from study_case import STUDY, here, rows, run  # noqa: E402

CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=4
PartitionName=short Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Daemons:
    """The cluster of this test: one node, which counts as four processors."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="hilda_slurm_"))
        self.folder.chmod(0o755)  # munged refuses a socket whose folder others cannot read
        # An address that is not loopback's: without one, names are not resolved at all, not even 127.0.0.1.
        subprocess.run("ip link set lo up && ip addr add 10.77.0.1/32 dev lo", shell=True, check=True)
        for part in ("state", "spool"):
            (self.folder / part).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        host = os.uname().nodename.split(".")[0]
        configuration = self.folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(host=host, folder=self.folder))
        os.environ["SLURM_CONF"] = str(configuration)
        self.start("munged", "--force", *(f"--{what}={self.folder}/munge.{end}" for what, end in (
            ("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"), ("log-file", "log"), ("seed-file", "seed"))))
        self.start("slurmctld")
        self.start("slurmd")
        self.until(lambda: "idle" in subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True, text=True).stdout)

    def start(self, *words):
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60)
        if done.returncode != 0:
            skip(f"{words[0]} does not start: {done.stderr.strip()}")

    def until(self, holds, seconds=60):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                logs = "".join(file.read_text()[-1000:] for file in self.folder.glob("slurm*.log"))
                skip(f"no node answers after {seconds} s\n{logs}")
            time.sleep(0.2)

    def end(self):
        for file in self.folder.glob("*.pid"):
            try:
                os.kill(int(file.read_text()), signal.SIGTERM)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)


class RealCluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemons = Daemons()
        cls.addClassCleanup(cls.daemons.end)

    def setUp(self):
        self.outside = Path(tempfile.mkdtemp())
        self.folder = self.outside / "it's here"
        self.folder.mkdir()
        shutil.copy(here / "cases/plant.xml", self.folder)
        self.addCleanup(shutil.rmtree, self.outside)

    def study(self, count):
        (self.folder / "study.xml").write_text(STUDY.format(seed=3, to=30, count=count, more=""))

    def sweep(self, *words, **named):
        return run("sweep", *words, cwd=self.folder, **named)

    def submit(self, tasks, *more):
        said = self.sweep("submit", "study.xml", "--slurm", "--tasks", tasks, "-o", "s.sqlite", *more).stdout
        return re.search(r"job +(\d+):", said)[1]

    def until(self, holds, seconds=120):
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end, self.slurm("squeue", "--array"))
            time.sleep(0.1)

    def slurm(self, *words):
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    def queue(self):
        return self.slurm("squeue", "--noheader", "--array", "--format=%i %T")

    def holds_the_rows_of_one_sweep(self):
        self.until(lambda: (self.folder / "s.sqlite").exists() and self.queue() == "")
        self.sweep("study.xml", "-j", 2, "-o", "whole.sqlite")
        self.assertEqual(rows(self.folder / "s.sqlite"), rows(self.folder / "whole.sqlite"))

    def program_of(self, job, task):
        """The process of hilda that makes this task's part, or none."""
        step = self.slurm("squeue", "--noheader", "--array", "--format=%i %A %T", "--jobs", f"{job}_{task}").split()
        if len(step) != 3 or step[2] != "RUNNING":
            return None
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                variables = (process / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if f"SLURM_JOB_ID={step[1]}".encode() in variables and b"sweep" in words:
                return int(process.name)
        return None

    def test_a_submitted_study_has_the_rows_of_one_sweep(self):
        self.study(count=10)
        self.submit(5, "--time", "1:00:00", "--partition", "short")
        self.holds_the_rows_of_one_sweep()
        said = self.sweep("status", "s_slurm").stdout
        self.assertIn("5 tasks: 5 done, 0 running, 0 waiting, 0 ended early", said)
        self.assertIn("rows     120 of 120", said)

    def test_a_task_that_is_requeued_goes_on(self):
        self.study(count=600)
        job = self.submit(2)
        self.until(lambda: (self.folder / "s_slurm/part1of2.sqlite").exists() and self.program_of(job, 1))
        first = self.program_of(job, 1)
        self.slurm("scontrol", "requeue", f"{job}_1")
        self.assertIn("waiting", self.sweep("status", "s_slurm").stdout)
        # Slurm would wait two minutes before it starts what was requeued.
        self.until(lambda: f"{job}_1 PENDING" in self.queue())
        self.slurm("scontrol", "update", f"JobId={job}_1", "StartTime=now")
        self.until(lambda: self.program_of(job, 1) not in (None, first) or (self.folder / "s.sqlite").exists(), seconds=240)
        self.holds_the_rows_of_one_sweep()

    def test_a_task_that_is_killed_holds_the_merge_back_and_is_submitted_once_more(self):
        self.study(count=600)
        job = self.submit(2)
        self.until(lambda: (self.folder / "s_slurm/part2of2.sqlite").exists() and self.program_of(job, 2))
        os.kill(self.program_of(job, 2), signal.SIGKILL)
        self.until(lambda: not re.search(rf"^{job}_", self.queue(), re.MULTILINE))
        self.assertFalse((self.folder / "s.sqlite").exists())
        told = self.sweep("status", "s_slurm", expect=3)
        self.assertIn("before their part was whole: 2\n", told.stderr)
        self.sweep("cancel", "s_slurm")
        self.until(lambda: self.queue() == "")
        self.submit(2)
        self.holds_the_rows_of_one_sweep()

    def test_what_is_cancelled_leaves_the_queue(self):
        self.study(count=2000)
        job = self.submit(3)
        self.until(lambda: self.program_of(job, 1))
        self.assertIn("are taken out", self.sweep("cancel", "s_slurm").stdout)
        self.until(lambda: self.queue() == "" and self.program_of(job, 1) is None)
        self.assertFalse((self.folder / "s.sqlite").exists())

    def test_a_partition_that_is_not_there_is_told_in_slurms_words(self):
        self.study(count=10)
        refused = self.sweep("submit", "study.xml", "--slurm", "--partition", "none", "-o", "s.sqlite", expect=3).stderr
        self.assertIn("invalid partition specified: none", refused)


unittest.main()
