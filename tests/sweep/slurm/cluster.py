# SPDX-License-Identifier: BSD-3-Clause
"""A cluster of one machine for tests: what sbatch, squeue and scancel next to this file share.

FAKE_SLURM names the folder in which jobs lie: one folder a job, with its script, its options and a file with the state of
each task. A runner, one process a job, starts the tasks, FAKE_SLURM_SLOTS at a time (2). A task that is ended by SIGKILL
has lost its node: where the job may be requeued, it is started again.
"""
import argparse
import fcntl
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

WAITING, RUNNING = ("PENDING",), ("RUNNING",)
MOST_STARTS = 6


def root():
    folder = pathlib.Path(os.environ["FAKE_SLURM"])
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class Job:
    def __init__(self, number):
        self.number = str(number)
        self.folder = root() / self.number

    @property
    def options(self):
        return json.loads((self.folder / "options.json").read_text())

    def tasks(self):
        return self.options["tasks"]

    def state(self, task):
        return (self.folder / f"{task}.state").read_text()

    def set_state(self, task, state):
        part = self.folder / f"{task}.state.part"
        part.write_text(state)
        part.rename(self.folder / f"{task}.state")

    def name(self, task):
        return f"{self.number}_{task}" if self.options["array"] else self.number

    def states(self):
        return [self.state(task) for task in self.tasks()]

    def cancelled(self):
        return (self.folder / "cancel").exists()


def jobs():
    return [Job(folder.name) for folder in sorted(root().iterdir(), key=lambda f: f.name) if (folder / "ready").exists()]


def refuse(program, text):
    print(f"{program}: error: {text}", file=sys.stderr)
    sys.exit(1)


class Words(argparse.ArgumentParser):
    """Unknown options are errors, as the real programs have it."""

    def __init__(self, program):
        super().__init__(prog=program, allow_abbrev=False)


def sbatch(words):
    asked = Words("sbatch")
    for flag in ("parsable", "requeue"):
        asked.add_argument("--" + flag, action="store_true")
    for option in ("array", "job-name", "open-mode", "partition", "cpus-per-task", "output", "time", "dependency",
                   "kill-on-invalid-dep", "account"):
        asked.add_argument("--" + option)
    asked.add_argument("script")
    given = vars(asked.parse_args(words))
    if given["partition"] == "none":
        refuse("sbatch", "Batch job submission failed: Invalid partition name specified")
    tasks = [0]
    if given["array"]:
        first, last = map(int, given["array"].split("-"))
        tasks = list(range(first, last + 1))
    with open(root() / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        number = 1 + max([int(f.name) for f in root().iterdir() if f.name.isdigit()], default=100)
        job = Job(number)
        job.folder.mkdir()
    (job.folder / "script").write_text(pathlib.Path(given["script"]).read_text())
    given["tasks"] = tasks
    (job.folder / "options.json").write_text(json.dumps(given))
    for task in tasks:
        job.set_state(task, "PENDING")
    (job.folder / "ready").touch()
    subprocess.Popen([sys.executable, __file__, str(number)], start_new_session=True, stdin=subprocess.DEVNULL,
                     stdout=subprocess.DEVNULL, stderr=(job.folder / "runner.log").open("w"))
    print(number if given["parsable"] else f"Submitted batch job {number}")


def squeue(words):
    asked = Words("squeue")
    for flag in ("me", "noheader", "array"):
        asked.add_argument("--" + flag, action="store_true")
    asked.add_argument("--format", required=True)
    given = asked.parse_args(words)
    if not (given.noheader and given.array):
        refuse("squeue", "only --noheader --array is known here")
    for job in jobs():
        for task in job.tasks():
            if job.state(task) in WAITING + RUNNING:
                print(given.format.replace("%i", job.name(task)).replace("%T", job.state(task)))


def scancel(words):
    asked = Words("scancel")
    asked.add_argument("jobs", nargs="+")
    for number in asked.parse_args(words).jobs:
        job = Job(number)
        if not job.folder.is_dir():
            refuse("scancel", f"Kill job error on job id {number}: Invalid job id specified")
        (job.folder / "cancel").touch()
        while any(state in WAITING + RUNNING for state in job.states()):
            time.sleep(0.02)


def may_start(job):
    """None while it waits for another job; False where it never can."""
    dependency = job.options["dependency"]
    if not dependency:
        return True
    kind, number = dependency.split(":")
    assert kind == "afterok", dependency
    states = Job(number).states()
    if all(state == "COMPLETED" for state in states):
        return True
    return False if any(state in ("FAILED", "CANCELLED") for state in states) else None


def start(job, task):
    output = job.options["output"].replace("%%", "\0").replace("%a", str(task)).replace("\0", "%")
    environment = {**os.environ, "SLURM_ARRAY_TASK_ID": str(task), "SLURM_JOB_ID": job.number}
    process = subprocess.Popen(["sh", str(job.folder / "script")], env=environment, stdin=subprocess.DEVNULL,
                               stdout=open(output, "a"), stderr=subprocess.STDOUT, cwd="/")
    (job.folder / f"{task}.pid").write_text(str(process.pid))
    job.set_state(task, "RUNNING")
    return process


def run(number):
    job, running = Job(number), {}
    starts = {task: 0 for task in job.tasks()}
    slots = int(os.environ.get("FAKE_SLURM_SLOTS", "2"))
    while any(state in WAITING + RUNNING for state in job.states()):
        if job.cancelled():
            for process in running.values():
                process.terminate()
                process.wait()
            for task in job.tasks():
                if job.state(task) in WAITING + RUNNING:
                    job.set_state(task, "CANCELLED")
            return
        ready = may_start(job)
        for task in job.tasks():
            if job.state(task) == "PENDING" and ready is False:
                job.set_state(task, "CANCELLED")
            elif job.state(task) == "PENDING" and ready and len(running) < slots:
                starts[task] += 1
                running[task] = start(job, task)
        for task, process in list(running.items()):
            code = process.poll()
            if code is None:
                continue
            del running[task]
            lost = code == -signal.SIGKILL and job.options["requeue"] and starts[task] < MOST_STARTS
            job.set_state(task, "PENDING" if lost else "COMPLETED" if code == 0 else "FAILED")
        time.sleep(0.02)


if __name__ == "__main__":
    run(sys.argv[1])
