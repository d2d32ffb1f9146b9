"""Chaos: random diagrams, modes, commands and faults, seeded; what must hold holds whatever happens.

    python3 tests/attacks/table.py --build build --part chaos        a short one, as in ctest
    python3 tests/attacks/chaos.py --build build --seconds 600 --seed 1     for CI
Each trial follows from (seed, number) alone: --seed S --only N repeats one and keeps its folder.
"""
import argparse
import collections
import os
import pathlib
import random
import resource
import signal
import socket
import struct
import sys
import time
import zlib

from bench import Bench, Row

TITLE = "Chaos"

# What hilda says it ends with (hilda --help), and death by a signal that was sent or that a plugin has earned.
EXITS = {0, 1, 2, 3, 64, 130}
FAULTS = ["none", "kill", "signal", "two signals", "file size limit", "memory limit", "full output", "packets",
          "stop and continue", "plugin", "cut input"]
SIGNALS = [signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2,
           signal.SIGPIPE, signal.SIGXCPU, signal.SIGPROF, signal.SIGIO]
WAYS = ["segv", "abort", "exit", "_exit", "throw", "round", "fpe", "overflow"]
PHASES = ["configure", "initialize", "output", "update", "summarize", "infer"]

# type, input, output, attributes: one number in, one number out
MIDDLES = [("math/Gain", "u", "y", 'gain="{f}"'), ("math/Bias", "u", "y", 'bias="{f}"'),
           ("math/Saturation", "u", "y", 'lower="-{p}" upper="{p}"'), ("discrete/UnitDelay", "u", "y", ""),
           ("discrete/Delay", "u", "y", 'delay="{n} ms"'), ("continuous/TransferFunction", "u", "y",
                                                             'numerator="1" denominator="{p} 1"')]
SOURCES = ['sources/Sine" amplitude="{f}" frequency="{p} Hz', 'sources/Constant" value="{f}', 'sources/Ramp" slope="{f} 1/s',
           'sources/Noise" deviation="{p}']
ODD = ["1e308", "-0", "0", "1e-320", "nan", "", "1;2 3", "5 furlong", "${1/0}", "${x}", "&#x1b;", "1 2 3", "100000000000"]


class Trial:
    def __init__(self, bench, seed, number):
        self.bench, self.number = bench, number
        self.chance = random.Random(f"{seed}:{number}")
        self.folder = bench.folder()
        self.problems = []

    def number_text(self, kind):
        if self.chance.random() < 0.02:
            return self.chance.choice(ODD)
        value = self.chance.choice([self.chance.uniform(0.01, 10), 10 ** self.chance.uniform(-6, 6)])
        if kind == "n":
            return str(self.chance.randrange(0, 50))
        return f"{value if kind == 'p' else value * self.chance.choice([-1, 1]):.6g}"

    def filled(self, text):
        for kind in "fpn":
            while "{" + kind + "}" in text:
                text = text.replace("{" + kind + "}", self.number_text(kind), 1)
        return text

    def diagram(self, behaviour):
        """A chain or a net of blocks that any number may pass; loops are closed over delays alone, or not at all."""
        lines = [f'<diagram format="1" name="chaos" period="{self.chance.choice(["1 ms", "2 ms", "250 us", "10 ms"])}">',
                 f'  <parameter name="duration" value="{self.chance.choice(["0.05 s", "0.5 s", "5 s"])}"/>']
        outputs = []
        for i in range(self.chance.randrange(1, 4)):
            lines.append(f'  <block name="s{i}" type="{self.filled(self.chance.choice(SOURCES))}"/>')
            outputs.append(f"s{i}.y")
        for i in range(self.chance.randrange(0, 40)):
            kind, put, out, attributes = self.chance.choice(MIDDLES)
            lines.append(f'  <block name="b{i}" type="{kind}" {self.filled(attributes)}/>')
            source = f"b{self.chance.randrange(0, 40)}.y" if self.chance.random() < 0.03 else self.chance.choice(outputs)
            lines.append(f'  <connect from="{source}" to="b{i}.{put}"/>')
            outputs.append(f"b{i}.{out}")
        if behaviour:
            lines.append(f'  <block name="bad" type="ways/Misbehaves" way="{behaviour[0]}" in="{behaviour[1]}"/>')
        if self.chance.random() < 0.3:
            lines.append('  <block name="net" type="udp/UdpSource" size="1" port="PORT" timeout="0 s"/>')
        lines.append("</diagram>\n")
        return "\n".join(lines)

    def shipped(self):
        folder = self.bench.source / "diagrams"
        return self.chance.choice(sorted(folder.glob("*.xml")))

    def command(self, diagram):
        log = ["--log", "l.mcap", "--summary", "s.json"]
        return self.chance.choice([
            ["run", diagram, *log], ["run", diagram, *log, "--for", "1000s"], ["run", diagram, "--no-log", "--summary", "s.json"],
            ["run", diagram, *log, "--realtime", "--for", "0.5s"], ["check", diagram], ["plan", diagram],
            ["check", "--audit", "--for", "0.2s", diagram], ["draw", diagram, "-o", "d.svg"],
            ["export", "old.mcap", "--csv", "-o", "old.csv"], ["report", "old.mcap", "-o", "old.html"],
            ["info", "old.mcap"], ["run", "--mode", "replay", "old.mcap", "--log", "l.mcap"], ["compare", "old.mcap", "old.mcap"]])

    def run(self):
        fault = self.chance.choice(FAULTS)
        behaviour = (self.chance.choice(WAYS), self.chance.choice(PHASES)) if fault == "plugin" else None
        port = 20000 + self.chance.randrange(20000)
        (self.folder / "v.xml").write_text(self.diagram(behaviour).replace("PORT", str(port)))
        diagram = "v.xml" if behaviour or self.chance.random() < 0.8 else str(self.shipped())
        old = self.old_files(fault)
        command = self.command(diagram)
        limits = []
        if fault == "file size limit":
            limits.append((resource.RLIMIT_FSIZE, self.chance.choice([0, 1000, 20000, 1 << 20])))
        if fault == "memory limit":
            limits.append((resource.RLIMIT_AS, self.chance.choice([150, 300, 600]) << 20))
        stdout = open("/dev/full", "wb") if fault == "full output" else open(os.devnull, "wb")
        plugins = ["--plugins", self.bench.build / "tests" / "cli" / "ways_plugins"]
        with_plugins = command[0] in ("run", "check", "plan", "draw") and "replay" not in command
        process = self.bench.start([*command, *(plugins if with_plugins else [])], self.folder, stdout, limits)
        sent = self.disturb(process, fault, port)
        late = False
        try:
            _, err = process.communicate(timeout=60)
        except Exception:
            late = True
            os.killpg(process.pid, signal.SIGKILL)
            _, err = process.communicate()
        stdout.close()
        self.judge(command, fault, sent, process, err.decode(errors="replace"), old, late, behaviour)
        return fault, process.returncode

    def old_files(self, fault):
        """Results of earlier runs: whole they stay, or whole they are replaced."""
        wave = ('<diagram format="1" name="old" period="1 ms"><parameter name="duration" value="20 ms"/>'
                '<block name="s" type="sources/Sine" amplitude="1" frequency="2 Hz"/></diagram>\n')
        (self.folder / "old.xml").write_text(wave)
        made = self.bench.run(["run", "old.xml", "--log", "old.mcap", "--summary", "s.json", "--quiet"], self.folder)
        if made.exit != 0:
            self.problems.append(f"the sound run fails: {made.exit} {made.err[-200:]}")
        data = (self.folder / "old.mcap").read_bytes() if made.exit == 0 else b""
        if fault == "cut input" and data:
            (self.folder / "old.mcap").write_bytes(data[:self.chance.randrange(len(data))])
        kept = {}
        for file in self.folder.iterdir():
            kept[file.name] = file.read_bytes()
        return kept

    def disturb(self, process, fault, port):
        pause = self.chance.choice([0.0, 0.01, 0.05, 0.2, 0.5])
        sent = []
        if fault in ("kill", "signal", "two signals", "stop and continue"):
            time.sleep(pause)
            for _ in range(2 if fault == "two signals" else 1):
                which = {"kill": signal.SIGKILL, "stop and continue": signal.SIGSTOP}.get(fault) or self.chance.choice(SIGNALS)
                if process.poll() is None:
                    process.send_signal(which)
                    sent.append(which)
                time.sleep(0.01)
            if fault == "stop and continue":
                time.sleep(0.2)
                process.send_signal(signal.SIGCONT)
        if fault == "packets":
            sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            for sequence in range(200):
                body = struct.pack("<4sHHQdd", b"hUDP", 1, 1, sequence, 0.0, self.chance.uniform(-1, 1))
                packet = bytearray(body + struct.pack("<I", zlib.crc32(body)))
                if self.chance.random() < 0.5:
                    packet[self.chance.randrange(len(packet))] ^= 1 << self.chance.randrange(8)
                if self.chance.random() < 0.1:
                    packet = packet[:self.chance.randrange(len(packet))]
                sender.sendto(bytes(packet), ("127.0.0.1", port))
            sender.close()
        # runs without an end of their own
        if sent == [] and process.poll() is None:
            time.sleep(0.3)
        end = time.monotonic() + 3
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            sent.append(signal.SIGINT)
        return sent

    def judge(self, command, fault, sent, process, err, old, late, behaviour):
        def problem(text):
            self.problems.append(f"trial {self.number}, {fault} {behaviour or ''} {sent}: {' '.join(map(str, command))}: "
                                 f"{text}: {err[-300:]!r}")
        code = process.returncode
        if late:
            problem("it does not end")
        named = behaviour is not None and "ways" in err
        by_signal = code < 0 and (-code in [int(each) for each in sent] or named)
        before_a_run = code < 0 and -code in [int(each) for each in sent]  # not yet, or no longer, in a run
        if code not in EXITS and not by_signal and not before_a_run:
            problem(f"exit {code} is none of the documented ones")
        if behaviour is not None and code not in (0, 1, 130) and not named and fault == "plugin" and code < 0:
            problem("the plugin is not named")
        if code in (2, 3, 64) and not err.strip():
            problem(f"exit {code} without a word")
        if "Sanitizer" in err or "terminate called" in err or "std::bad_alloc" in err:
            problem("words that no user should read")
        # Old files are whole: as they were, or whole new ones.
        for name, data in old.items():
            now = (self.folder / name).read_bytes() if (self.folder / name).exists() else None
            if now != data and (name.endswith(".xml") or name == "old.mcap"):
                problem(f"{name} is not what it was")
        summary = self.folder / "s.json"
        if summary.exists() and summary.read_bytes() != old.get("s.json"):
            import json
            try:
                json.loads(summary.read_text())
            except ValueError:
                problem("the summary is neither the old one nor whole")
        # A log that is there under its name, or in progress, can be read or says why not.
        for log in self.folder.glob("l.mcap*"):
            info = self.bench.run(["info", log.name], self.folder, timeout=60)
            if info.exit < 0 or info.exit not in EXITS:
                problem(f"hilda info {log.name} ends with {info.exit}")
            if log.name == "l.mcap" and code == 0 and info.exit != 0:
                problem("the log of a run that went well cannot be read")
        self.orphans(problem)
        self.leaked(problem, sent)

    def orphans(self, problem):
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "cwd") == str(self.folder.resolve()):
                    problem(f"process {entry.name} is left over")
                    os.kill(int(entry.name), signal.SIGKILL)
            except OSError:
                continue

    def leaked(self, problem, sent):
        """Files that nobody asked for: .part of a log that was cut is allowed, other temporary names only after a kill."""
        asked = {"v.xml", "old.xml", "old.mcap", "s.json", "l.mcap", "l.mcap.part", "d.svg", "old.csv", "old.html", "out"}
        for file in self.folder.iterdir():
            if file.name not in asked and signal.SIGKILL not in sent and not file.name.endswith(".part"):
                problem(f"{file.name} is left over")


def run_for(bench, seed, seconds=None, count=None, progress=False):
    outcomes, failures, number, end = collections.Counter(), [], 0, time.monotonic() + (seconds or 1e9)
    while (count is None or number < count) and time.monotonic() < end:
        trial = Trial(bench, seed, number)
        fault, code = trial.run()
        outcomes[f"{fault}: " + (f"exit {code}" if code >= 0 else signal.Signals(-code).name)] += 1
        failures += trial.problems
        bench.clear()
        number += 1
        if progress and number % 50 == 0:
            print(f"{number} trials, {len(failures)} problems", flush=True)
    return number, outcomes, failures


def attacks(bench, scale):
    number, outcomes, failures = run_for(bench, seed=1, count=max(1, int(40 * scale)))
    by_exit = collections.Counter()
    for what, n in outcomes.items():
        by_exit[what.split(": ", 1)[1]] += n
    yield Row("random diagrams, commands and faults (" + ", ".join(FAULTS[1:]) + ")", number, by_exit, failures)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", default="build")
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--seed", default="1")
    options.add_argument("--only", type=int, help="this trial alone; its folder is kept")
    given = options.parse_args()
    bench = Bench(given.build, pathlib.Path(__file__).resolve().parents[2])
    if given.only is not None:
        trial = Trial(bench, given.seed, given.only)
        print(trial.folder, *trial.run(), *trial.problems, sep="\n")
        return 1 if trial.problems else 0
    number, outcomes, failures = run_for(bench, given.seed, given.seconds, progress=True)
    for what, count in sorted(outcomes.items()):
        print(f"{count:6d}  {what}")
    print(f"{number} trials in {given.seconds:g} s, seed {given.seed}: {len(failures)} problems")
    for failure in failures[:50]:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
