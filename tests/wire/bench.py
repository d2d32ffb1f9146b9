# SPDX-License-Identifier: BSD-3-Clause
"""Runs one row of the fault table: hilda against the witness, and what the judge says of the capture."""
import dataclasses
import itertools
import os
import math
import random
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import judge
from fault_table import RUNS, Fault

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from processes.lifetime import ends_with_parent

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("HILDA_BUILD", ROOT / "build"))


ports = None  # of this process


def take_ports(number):
    """Ports for the rows of worker `number`: its own, below those that the system gives out by itself."""
    global ports
    first = 10000 + 200 * (number % 110)
    ports = itertools.cycle(range(first, first + 200))


def free_port(kind, address):
    if ports is None:
        take_ports(os.getpid())
    for port in itertools.islice(ports, 200):
        with socket.socket(socket.AF_INET, kind) as probe:
            try:
                probe.bind((address, port))
                return port
            except OSError:
                pass
    raise RuntimeError("no port is free")


def script_lines(fault: Fault, robot, seed, place):
    """The witness' script of one run."""
    draw = random.Random(f"{fault.name} {place['correction']} {seed}")
    settings = {"seed": seed + 1, "timeout": 2000, "cycle": 4, "limit": 30 + fault.runs, **robot, **fault.robot, **place}
    lines = [f"{name} {value}" for name, value in settings.items()]
    if not fault.begin:
        return settings, lines
    first = draw.uniform(0.35, 0.9) if fault.after is None else fault.after
    for action, at, lasts in ((fault.begin, 0, fault.lasts), *fault.more):
        at += first
        until = f" until {at + lasts:.6f}" if lasts else ""
        lines.append(f"at {at:.6f}{until}{' boot' if fault.boot else ''} {action}")
    return settings, lines


def write(path, text):
    """All at once: other processes may be reading it."""
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(text)
    part.replace(path)


def rig_file(cycle, correction):
    """A copy of the tree's rig, for this correction and cycle, and next to it the vendor's file and the cart."""
    ethernet = (ROOT / "diagrams/rigs/kuka_rsi_ethernet.xml").read_text()
    if correction == "relative":
        ethernet = ethernet.replace('HOLDON="1"', 'HOLDON="0"')
    rig = (ROOT / "diagrams/rigs/kuka_ati.xml").read_text()
    if cycle != 4:
        rig = rig.replace('period="4 ms"', f'period="{cycle} ms"')
        rig = rig.replace('type="kuka_rsi/RsiRobot"', f'type="kuka_rsi/RsiRobot" cycle="{cycle} ms"')
    folder = BUILD / f"tests/wire/{correction}_{cycle}ms"
    folder.mkdir(exist_ok=True)
    write(folder / "ethernet.xml", ethernet)
    write(folder / "kuka_ati.xml", rig)
    write(folder / "cart.xml", (ROOT / "tests/wire/cart.xml").read_text())
    return folder / "kuka_ati.xml"


def command_of(fault, run, correction, place, folder):
    settings = {"rig.payload_mass": "0", "rig.robot_port": place["port"], "rig.sensor_port": place["sensor_port"],
                "rig.sensor_http_port": place["sensor_http_port"], "rig.correction": correction,
                **run.settings, **fault.settings}
    settings["rig.ethernet"] = "ethernet.xml"
    rig = rig_file(fault.rig_cycle, correction)
    diagram = rig.with_name("cart.xml") if run.diagram == "cart" else ROOT / "diagrams" / f"{run.diagram}.xml"
    command = [str(BUILD / "bin/hilda"), "run", str(diagram), "--mode", "hardware", "--rig", str(rig),
               "--overlay", str(ROOT / "diagrams/rigs/kuka_ati_loopback.xml"), "--arm", "--for", f"{fault.runs or run.lasts}s",
               "--log", str(folder / "run.mcap"), "--summary", str(folder / "summary.json")]
    for name, value in settings.items():
        command += ["--set", f"{name}={value}"]
    return command


def wrapped(fault, command, fifo):
    """The command as the machine's faults want it started."""
    words = shlex.split(fault.shell)
    if words[:1] == ["clock_jump"]:
        library = BUILD / "tests/wire/clock_jump.so"
        command = ["env", f"LD_PRELOAD={library}", f"CLOCK_JUMP={words[1]}", "CLOCK_JUMP_AFTER=1.2", *command]
    if words[:1] == ["disk_full"]:  # a file that may not grow is reported like a full disk: a write fails
        command = ["env", "--ignore-signal=XFSZ", "prlimit", "--fsize=40000", *command]
    if not fifo:
        command = ["setpriv", "--inh-caps=-sys_nice", "--bounding-set=-sys_nice", *command]
    return command


def words_of(err, out):
    """What the run says of its end: errors, else the line in which it ends."""
    errors = [line for line in err.splitlines() if "error" in line or "fail" in line]
    ends = [line for line in (out + err).splitlines() if ": ended" in line or "stopped" in line]
    return (errors or ends or [line for line in err.splitlines() if line.strip()][-1:] or [""])[0][:400]


# How a run says that cycles were lost, whatever lost them.
MACHINE = ("in a row in which the robot took no answer", "of the cycles of the last")


def kept(fault, run, exit_code, moved, words):
    """Whether the end is the one that this fault must have; None: any end will do."""
    if exit_code in (-1, 2, 64, 126, 127):  # hangs, or never was a run
        return False
    if not moved and fault.must not in ("", "refused") and not fault.boot and not any(each in words for each in MACHINE):
        return False
    if run.own_end and exit_code == 3 and run.own_end in words:
        return None
    if exit_code == 3 and moved and fault.says not in words:
        return False
    if fault.must == "continues" and exit_code == 3 and any(each in words for each in MACHINE):
        return None  # a loaded machine lost cycles, and reported it
    return {"ends": exit_code not in (0, -1), "refused": exit_code not in (0, -1) and not moved,
            "stops": exit_code == 130, "killed": exit_code == 137, "continues": exit_code == 0, "": None}[fault.must]


def run_row(fault, run_name, correction, repetition, fifo=True, load=0, keep=None):
    """One run. `load`: processes that keep the machine busy meanwhile. `keep`: a folder that takes script, capture and
    output where something is wrong."""
    run = RUNS[run_name]
    with tempfile.TemporaryDirectory(prefix="hilda_wire_") as folder:
        folder = Path(folder)
        place = {"port": free_port(socket.SOCK_DGRAM, "127.0.0.1"), "sensor_address": "127.0.0.2",
                 "sensor_port": free_port(socket.SOCK_DGRAM, "127.0.0.2"),
                 "sensor_http_port": free_port(socket.SOCK_STREAM, "127.0.0.2"), "correction": correction}
        settings, lines = script_lines(fault, run.robot, repetition, place)
        (folder / "script.txt").write_text("\n".join(lines) + "\n")
        command = wrapped(fault, command_of(fault, run, correction, place, folder), fifo)
        began = time.monotonic()
        done = subprocess.run([str(BUILD / "tests/wire/wire_witness"), folder / "script.txt", folder / "capture",
                               folder / "out", folder / "err", "--", *command], capture_output=True, text=True,
                              preexec_fn=ends_with_parent())
        if done.returncode != 0:
            raise RuntimeError(f"the witness failed: {done.stderr}")
        exit_code = int(done.stdout)
        verdict = judge.judge_file(folder / "capture", period=settings["cycle"] * 1e-3,
                                   relative=correction == "relative", clamp=settings.get("clamp", 0) * 1e-3,
                                   clamp_turn=math.radians(settings.get("clamp_turn", 0)))
        out, err = ((folder / name).read_text(errors="replace") for name in ("out", "err"))
        moved, said = verdict.step > 0, words_of(err, out)
        as_demanded = kept(fault, run, exit_code, moved, said)
        if keep and (not verdict.held or as_demanded is False):
            shutil.copytree(folder, keep, dirs_exist_ok=True)
        return {"fault": fault.name, "diagram": run_name, "correction": correction, "repetition": repetition,
                "fifo": fifo, "loaded": load, "held": verdict.held, "exit": exit_code, "kept": as_demanded,
                "words": said, "moved": moved, "seconds": round(time.monotonic() - began, 2),
                "load": os.getloadavg()[0], **dataclasses.asdict(verdict)}
