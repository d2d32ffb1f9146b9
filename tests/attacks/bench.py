# SPDX-License-Identifier: BSD-3-Clause
"""What attacks are made with: the program, their own folders, and a process that is watched."""
import dataclasses
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from processes.lifetime import ends_with_parent


@dataclasses.dataclass
class Row:
    """One line of the table: what was tried, how often, and what came of it. Failures make the script fail."""
    attack: str
    count: int
    outcomes: dict
    failures: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Result:
    exit: int
    out: str
    err: str
    seconds: float
    peak_mb: float


class Bench:
    def __init__(self, build, source):
        self.build, self.source = pathlib.Path(build).resolve(), pathlib.Path(source).resolve()
        self.hilda = self.build / "bin" / "hilda"
        self._folders = []
        self._made = {}

    def folder(self):
        self._folders.append(pathlib.Path(tempfile.mkdtemp(prefix="hilda_attack_")))
        return self._folders[-1]

    def once(self, what, make):
        """What `make` gives, which is the same each time: it is made once."""
        if what not in self._made:
            self._made[what] = make()
        return self._made[what]

    def clear(self):
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)
        self._folders = []

    def start(self, arguments, cwd, stdout=subprocess.PIPE, limits=(), more={}):
        bind = ends_with_parent()

        def prepare():
            os.setsid()
            bind()
            # A script in the background has these ignored, and hands that down: what comes early would be lost.
            for which in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
                signal.signal(which, signal.SIG_DFL)
            for which, value in limits:
                resource.setrlimit(which, (value, value))
            if any(which == resource.RLIMIT_FSIZE for which, _ in limits):
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        return subprocess.Popen([self.hilda, *map(str, arguments)], cwd=cwd, stdin=subprocess.DEVNULL, stdout=stdout,
                                stderr=subprocess.PIPE, preexec_fn=prepare, env={**os.environ, "LC_ALL": "C.UTF-8", **more})

    def run(self, arguments, cwd, stdout=subprocess.PIPE, limits=(), timeout=300):
        began = time.monotonic()
        process = self.start(arguments, cwd, stdout, limits)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            err += b"\n(killed: it took too long)"
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        return Result(process.returncode, (out or b"").decode(errors="replace"), err.decode(errors="replace"),
                      time.monotonic() - began, peak)
