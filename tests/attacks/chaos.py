# SPDX-License-Identifier: BSD-3-Clause
"""Chaos: random diagrams, modes, commands and faults, seeded; what must hold holds whatever happens (verdict.py).

    python3 tests/attacks/table.py --build build --part chaos               a short one, as in ctest
    python3 tests/attacks/chaos.py --build build --seconds 600 --seed 1     for CI
Each trial follows from (seed, number) alone: --seed S --only N repeats one and keeps its folder.
"""
import argparse
import collections
import datetime
import json
import multiprocessing
import os
import pathlib
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import time
import zlib

import random_diagram
import signals
import verdict
from bench import Bench, Row, ends_with_parent

TITLE = "Chaos"

FAULTS = ["none", "kill", "signal", "two signals", "file size limit", "full disk", "slow disk", "memory limit",
          "full output", "packets", "stop and continue", "plugin", "cut input"]
SIGNALS = [signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2,
           signal.SIGPIPE, signal.SIGXCPU, signal.SIGPROF, signal.SIGIO, signal.SIGRTMIN + 1, signal.SIGRTMAX]
WAYS = ["segv", "abort", "exit", "_exit", "throw", "round", "fpe", "overflow", "thread exit", "quick_exit", "hang"]
PHASES = ["feeds_through", "configure", "prepare", "initialize", "output", "update", "summarize", "infer"]
OLD_DIAGRAM = """<diagram format="1" name="old" period="1 ms">
  <parameter name="duration" value="20 ms"/>
  <block name="s" type="sources/Sine" amplitude="1" frequency="2 Hz"/>
  <block name="g" type="math/Gain" gain="2"/>
  <connect from="s.y" to="g.u"/>
</diagram>
"""


def where_it_stands(process):
    """Each thread's name, state and place in the kernel."""
    threads = []
    for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
        told = [(thread / name).read_text().strip() for name in ("comm", "wchan", "syscall")]
        state = re.search(r"State:\s+(.*)", (thread / "status").read_text())[1]
        threads.append(" ".join([*told, state]))
    return "; ".join(threads)


class Trial:
    def __init__(self, bench, seed, number):
        self.bench, self.seed, self.number = bench, seed, number
        self.chance = random.Random(f"{seed}:{number}")
        self.folder = bench.folder()
        self.fault = self.chance.choice(FAULTS)
        self.port = 20000 + self.chance.randrange(20000)
        self.behaviour, self.misbehaves, self.peer, self.mounted = None, False, None, False
        self.old, self.sent, self.problems = {}, [], []

    def choose(self):
        chance = self.chance
        packets = self.fault == "packets"
        if self.fault == "plugin":
            self.behaviour = (chance.choice(WAYS), chance.choice(PHASES))
        if self.fault not in ("plugin", "packets", "cut input") and chance.random() < 0.2:
            command, self.outputs = random_diagram.ARMED
            self.peer = signals.Peer()
            (self.folder / "moves.xml").write_text(signals.MOVES.replace("PORT", str(self.peer.port)))
        else:
            kinds = {"plugin": random_diagram.RUNS + random_diagram.LOOKS, "packets": random_diagram.RUNS,
                     "cut input": random_diagram.OF_LOGS}
            command, self.outputs = chance.choice(
                kinds.get(self.fault, random_diagram.RUNS * 2 + random_diagram.LOOKS + random_diagram.OF_LOGS))
        net = self.port if packets or chance.random() < 0.2 else None
        (self.folder / "v.xml").write_text(random_diagram.diagram(chance, self.behaviour, net))
        shipped = sorted((self.bench.source / "diagrams").glob("*.xml"))
        diagram = "v.xml" if self.behaviour or packets or chance.random() < 0.8 else str(chance.choice(shipped))
        self.misbehaves = command[0] == "run" and self.behaviour is not None
        return [diagram if word == "D" else word for word in command]

    def old_files(self):
        """Results of earlier runs: as they were they stay, or whole they are replaced."""
        (self.folder / "old.xml").write_text(OLD_DIAGRAM)
        made = self.bench.run(["run", "old.xml", "--log", "old.mcap", "--quiet"], self.folder)
        if made.exit != 0:
            raise RuntimeError(f"the sound run fails: {made.exit} {made.err[-200:]}")
        if self.fault == "cut input":
            data = (self.folder / "old.mcap").read_bytes()
            (self.folder / "old.mcap").write_bytes(data[:self.chance.randrange(len(data))])
        for name in self.outputs:
            (self.folder / name).write_bytes(verdict.old(name))
        for file in self.folder.iterdir():
            self.old[file.name] = file.read_bytes()

    def small_disk(self):
        """The folder becomes a separate disk that has little room left; a limit on files where that is not allowed."""
        self.mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "hilda_chaos", self.folder],
                                      stderr=subprocess.DEVNULL).returncode == 0
        return self.mounted

    def fill_disk(self):
        room = os.statvfs(self.folder)
        left = self.chance.choice([0, 4096, 20_000, 100_000, 1_000_000])
        (self.folder / "filler").write_bytes(bytes(max(0, room.f_bavail * room.f_frsize - left)))

    def run(self):
        if self.fault == "full disk" and not self.small_disk():
            self.fault = "file size limit"
        command = self.choose()
        self.old_files()
        limits, more = [(resource.RLIMIT_CORE, 0)], {"HILDA_CALL_LIMIT": "1"}
        if self.fault == "file size limit":
            limits.append((resource.RLIMIT_FSIZE, self.chance.choice([0, 1000, 20000, 1 << 20])))
        if self.fault == "memory limit":
            limits.append((resource.RLIMIT_AS, self.chance.choice([60, 150, 300, 600]) << 20))
        if self.fault == "full disk":
            self.fill_disk()
        if self.fault == "slow disk":
            slow = self.bench.build / "tests" / "attacks" / "libslow_disk.so"
            if not slow.exists():
                raise RuntimeError(f"{slow} is not there: build the target slow_disk")
            more.update(LD_PRELOAD=str(slow), HILDA_SLOW_DISK=str(self.chance.choice([1000, 20_000, 200_000])))
        plugins = ["--plugins", self.bench.build / "tests" / "cli" / "ways_plugins"]
        with_plugins = self.fault == "plugin"
        with open("/dev/full" if self.fault == "full output" else os.devnull, "wb") as stdout:
            process = self.bench.start([*command, *(plugins if with_plugins else [])], self.folder, stdout, limits, more)
            code, err = self.finish(process)
        for problem in verdict.problems(self, code, err):
            self.problems.append(f"--seed {self.seed} --only {self.number}: {self.fault} {self.behaviour or ''} "
                                 f"{[signals.name_of(each) for each in self.sent]}: {' '.join(map(str, command))}: exit {code}: "
                                 f"{problem}: {err[-400:]!r}")
        return self.fault, command[0], code

    def finish(self, process):
        self.disturb(process)
        # Some runs never end by themselves: they get a signal, and again where that came too early to be heard.
        end = time.monotonic() + self.chance.choice([0.3, 1.0, 2.0])
        told = False
        while process.poll() is None and time.monotonic() < end + 120:
            if self.peer:
                self.peer.take()
            if time.monotonic() > end and not told:
                self.send(process, signal.SIGINT)
                told = True
            time.sleep(0.01)
        if process.poll() is None:
            self.problems.append(f"--seed {self.seed} --only {self.number}: {self.fault}: it does not end: "
                                 f"{where_it_stands(process.pid)}")
            os.killpg(process.pid, signal.SIGKILL)
        err = process.communicate()[1].decode(errors="replace")
        return process.returncode, err

    def send(self, process, which):
        if process.poll() is None:
            process.send_signal(which)
            self.sent.append(which)

    def disturb(self, process):
        time.sleep(self.chance.choice([0.0, 0.01, 0.05, 0.2, 0.5]))
        if self.fault == "kill":
            self.send(process, signal.SIGKILL)
        if self.fault in ("signal", "two signals"):
            self.send(process, self.chance.choice(SIGNALS))
        if self.fault == "two signals":
            time.sleep(self.chance.choice([0.0, 0.01, 0.1]))
            self.send(process, self.chance.choice(SIGNALS))
        if self.fault == "stop and continue":
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.2)
            process.send_signal(signal.SIGCONT)
        if self.fault == "packets":
            self.shower()

    def shower(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for sequence in range(200):
                body = struct.pack("<4sHHQdd", b"hUDP", 1, 1, sequence, 0.0, self.chance.uniform(-1, 1))
                packet = bytearray(body + struct.pack("<I", zlib.crc32(body)))
                if self.chance.random() < 0.5:
                    packet[self.chance.randrange(len(packet))] ^= 1 << self.chance.randrange(8)
                if self.chance.random() < 0.1:
                    packet = packet[:self.chance.randrange(len(packet))]
                sender.sendto(bytes(packet), ("127.0.0.1", self.port))
                time.sleep(0.0005)

    def clear(self):
        if self.peer:
            self.peer.socket.close()
        if self.mounted:
            subprocess.run(["umount", "--lazy", self.folder])
        self.bench.clear()


def one(given):
    bench, seed, number = given
    trial = Trial(bench, seed, number)
    try:
        return *trial.run(), trial.problems
    finally:
        trial.clear()


def run_for(bench, seed, seconds=None, count=None, jobs=2, progress=False):
    """Counts by (fault, command, exit code), and what went wrong."""
    outcomes, failures, number = collections.Counter(), [], 0
    end = time.monotonic() + (seconds or 1e9)

    def numbers():
        for each in range(count if count is not None else 1 << 62):
            if time.monotonic() > end:
                return
            yield bench, seed, each

    with multiprocessing.Pool(jobs, initializer=ends_with_parent()) as pool:
        asked = numbers()
        while batch := [each for each, _ in zip(asked, range(16 * jobs))]:
            for fault, command, code, problems in pool.imap_unordered(one, batch):
                outcomes[fault, command, code] += 1
                failures += problems
                if progress and problems:
                    print(*problems, sep="\n", flush=True)
                number += 1
            if progress and number % 320 < len(batch):
                print(f"{datetime.datetime.now():%H:%M:%S} {number} trials, {len(failures)} problems", flush=True)
    return number, outcomes, failures


def name_of(code):
    return f"exit {code}" if code >= 0 else f"ended by {signals.name_of(-code)}"


def row(number, outcomes, failures, seed):
    """Signals that were sent to a command that is not a run, and plugins that crash, end it as they should."""
    by_exit = collections.Counter()
    for (_, _, code), n in outcomes.items():
        by_exit[name_of(code)] += n
    return Row(f"random diagrams, commands and faults ({', '.join(FAULTS[1:])}), seed {seed}", number, by_exit, failures)


def attacks(bench, scale):
    yield row(*run_for(bench, seed=1, count=max(1, int(120 * scale))), seed=1)
    # A long one that was run by itself: --record.
    for file in sorted((bench.build / "tests" / "attacks").glob("chaos_*.json")):
        told = json.loads(file.read_text())
        outcomes = {tuple(key): n for key, n in told["outcomes"]}
        longer = row(told["trials"], outcomes, told["problems"], told["seed"])
        longer.attack = f"{told['seconds'] / 60:.0f} minutes of the same, seed {told['seed']}, at {told['revision']}"
        yield longer


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", default="build")
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--seed", default="1")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--record", action="store_true", help="for the table: BUILD/tests/attacks/chaos_SEED.json")
    options.add_argument("--only", type=int, help="this trial alone; its folder is kept")
    given = options.parse_args()
    bench = Bench(given.build, pathlib.Path(__file__).resolve().parents[2])
    if given.only is not None:
        trial = Trial(bench, given.seed, given.only)
        print(*trial.run(), trial.folder, *trial.problems, sep="\n")
        return 1 if trial.problems else 0
    number, outcomes, failures = run_for(bench, given.seed, given.seconds, jobs=given.jobs, progress=True)
    for (fault, command, code), count in sorted(outcomes.items()):
        print(f"{count:6d}  {fault}: {command}: {name_of(code)}")
    print(f"{number} trials in {given.seconds:g} s, seed {given.seed}: {len(failures)} problems")
    for failure in failures[:50]:
        print(failure)
    if given.record:
        revision = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=bench.source, capture_output=True,
                                  text=True).stdout.strip()
        record = {"trials": number, "seconds": given.seconds, "seed": given.seed, "revision": revision,
                  "outcomes": [[list(key), n] for key, n in outcomes.items()], "problems": failures}
        (bench.build / "tests" / "attacks" / f"chaos_{given.seed}.json").write_text(json.dumps(record))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
