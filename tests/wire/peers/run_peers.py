#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs of others against hilda: RSI simulators and ATI clients and simulators.

Nothing of theirs is in this project: the argument is a folder with checkouts (git clones) of
  kuka_experimental (ros-industrial), kuka_rsi_driver (fzi-forschungszentrum-informatik), netft_py (MMintLab),
  NetFT (CameronDevine), cof_tester (LoomDeBWiles; its package is gsdv).
A missing peer is skipped and reported. ROS is not needed: the two functions of it that the simulators call are replaced
for. Everything stays on the loopback. Writes docs/results/validation/peers.md with --write."""
import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = Path(os.environ.get("HILDA_BUILD", ROOT / "build"))
HILDA = str(BUILD / "bin/hilda")
PYTHON = "/usr/bin/python3"

ROSPY = '''
class _Publisher:
    def publish(self, *_): pass
def Publisher(*_, **__): return _Publisher()
def init_node(*_, **__): pass
def on_shutdown(*_): pass
def is_shutdown(): return False
def loginfo(*_): pass
logwarn = logfatal = loginfo
'''
RCLPY = '''
import sys, time
class _Log:
    def info(self, *_): pass
    warn = info
class _Rate:
    def __init__(self, hertz): self.period, self.next = 1 / hertz, time.monotonic()
    def sleep(self):
        self.next = max(self.next + self.period, time.monotonic())
        time.sleep(self.next - time.monotonic() if self.next > time.monotonic() else 0)
class _Node:
    def get_logger(self): return _Log()
    def get_name(self): return "simulator"
    def create_rate(self, hertz): return _Rate(hertz)
def init(*_): pass
def ok(): return True
def shutdown(): pass
def create_node(*_): return _Node()
'''


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def revision(checkout):
    told = subprocess.run(["git", "-C", str(checkout), "log", "-1", "--format=%h %cs"], capture_output=True, text=True)
    return told.stdout.strip() or "unknown"


class Other:
    """A program of others while it runs."""

    def __init__(self, command, folder, path=()):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONDONTWRITEBYTECODE": "1"}
        self.log = open(folder / "other.log", "w+")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT, env=environment, cwd=folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
        self.log.close()


def wait_for(there, seconds=20):
    """Until this says yes: others send, or ask, once and do not try again."""
    until = time.monotonic() + seconds
    while not there() and time.monotonic() < until:
        time.sleep(0.02)


def listens(protocol, port):
    """Whether a socket of this machine has the port."""
    lines = Path(f"/proc/net/{protocol}").read_text().splitlines()[1:]
    waiting = "0A" if protocol == "tcp" else "07"  # and not what is left of a connection that ended
    return any(line.split()[1].endswith(f":{port:04X}") and line.split()[3] == waiting for line in lines)


def hilda(folder, diagram, *more, other=None):
    """A run to its end: exit code, summary, and the line in which it says how it ended. `other`: a program of others
    that starts once the run listens for it."""
    command = [HILDA, "run", str(diagram), "--no-log", "--summary", "summary.json", *more]
    run = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if other:
        wait_for(lambda: listens("udp", 49152) or run.poll() is not None)
        with Other(*other):
            out, err = run.communicate(timeout=60)
    else:
        out, err = run.communicate(timeout=60)
    file = folder / "summary.json"
    summary = json.loads(file.read_text()) if file.exists() else {}
    file.unlink(missing_ok=True)
    lines = [line for line in (err + out).splitlines() if "error" in line or ": ended" in line]
    return run.returncode, summary, re.sub(r"/\S*/", "", lines[0])[:300] if lines else err.strip()[:200]


def find(summary, name):
    """A figure of the summary by the end of its key, wherever it is."""
    for key, value in summary.items():
        if key == name or key.endswith("." + name):
            return value
        if isinstance(value, dict) and (found := find(value, name)) is not None:
            return found
    return None


def told(result):
    code, summary, words = result
    facts = [f"exit {code}"]
    for name in ("ticks", "lost", "late", "delay", "records", "gaps", "malformed"):
        value = find(summary, name)
        if isinstance(value, (int, float)):
            facts.append(f"{value:g} {name}")
    return ", ".join(facts) + ": " + words


def stage_axis(folder, ethernet):
    shutil.copy(HERE / "axis.xml", folder)
    # The user who sets up a cell writes the machine's address there.
    text = re.sub(r"<IP_NUMBER>.*?</IP_NUMBER>", "<IP_NUMBER>127.0.0.1</IP_NUMBER>", ethernet.read_text())
    write(folder / "ethernet.xml", text)


def kuka_experimental(checkout, folder):
    """Its cycle is as long as the answer takes and 2 ms, and IPOC counts by one."""
    stage_axis(folder, checkout / "kuka_rsi_hw_interface/krl/KR_C4/ros_rsi_ethernet.xml")
    text = (checkout / "kuka_rsi_simulator/scripts/kuka_rsi_simulator").read_text()
    text = re.sub(r"except (socket\.\w+), (\w+):", r"except \1 as \2:", text)  # it is of Python 2
    write(folder / "simulator.py", text)
    write(folder / "rospy.py", ROSPY)
    write(folder / "std_msgs/msg.py", "class String: pass\n")
    command = [PYTHON, "simulator.py", "127.0.0.1", "49152"]
    start = "middle=2 -90 90 0 90 0 deg"
    results = []
    for note, more in (("as it is", []), ("`cycle_check=0`, `clock_drift=1`", ["--set", "robot.cycle_check=0",
                                                                          "--set", "robot.clock_drift=1"])):
        run = hilda(folder, "axis.xml", "--arm", "--set", start, *more, other=(command, folder, [folder]))
        results.append((f"hilda moves axis 1, {note}", told(run)))
    return results


def kuka_rsi_driver(checkout, folder):
    """250 Hz; IPOC counts by one."""
    package = checkout / "kuka_rsi_driver"
    stage_axis(folder, package / "krl/Common/ros_rsi_ethernet.xml")
    write(folder / "rclpy/__init__.py", RCLPY)
    write(folder / "rclpy/utilities.py", "import sys\ndef remove_ros_args(): return sys.argv\n")
    write(folder / "rclpy/executors.py", "class MultiThreadedExecutor:\n    def add_node(self, _): pass\n"
                                         "    def spin(self): pass\n    def shutdown(self): pass\n")
    write(folder / "ament_index_python/packages.py", "def get_package_share_directory(_): return '.'\n")
    main = "from kuka_rsi_driver.simulator import main; main()"
    command = [PYTHON, "-c", main, "--config", str(folder / "ethernet.xml"), "--host-ip", "127.0.0.1"]
    return [(f"hilda moves axis 1, {note}",
             told(hilda(folder, "axis.xml", "--arm", *more, other=(command, folder, [folder, package]))))
            for note, more in (("as it is", []), ("`cycle_check=0`", ["--set", "robot.cycle_check=0"]))]


CLIENT = '''
import sys, time
sys.path.insert(0, {path!r})
from {module} import {name}
sensor = {name}("127.0.0.3")
{scale}
sensor.startStreaming(False)
begun = time.monotonic()
seen = [list(sensor.receive()) for _ in range(1000)]
took = time.monotonic() - begun
sensor.stopStreaming()
print([round(v * scale, 6) for v in seen[-1]], len(set(map(tuple, seen))), "values in", round(took, 1), "s")
'''


def with_box(folder, client):
    """A client of others while hilda plays the box."""
    box = subprocess.Popen([HILDA, "run", str(HERE / "box.xml"), "--no-log"], cwd=folder, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    wait_for(lambda: listens("tcp", 8080) and listens("udp", 49152))
    try:
        done = subprocess.run([PYTHON, "-c", client], cwd=folder, capture_output=True, text=True, timeout=30,
                              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    finally:
        box.terminate()
        box.wait(10)
    return (done.stdout.strip() or done.stderr.strip().splitlines()[-1])[:300]


def netft_py(checkout, folder):
    client = CLIENT.format(path=str(checkout / "src"), module="netft_py.netft", name="NetFT", scale="scale = 1")
    return [("it reads hilda's box: force, torque", with_box(folder, client))]


def netft(checkout, folder):
    client = CLIENT.format(path=str(checkout), module="NetFT", name="Sensor", scale="scale = 1e-6")
    return [("it reads hilda's box: force, torque", with_box(folder, client))]


GSDV_CLIENT = '''
import sys
sys.path.insert(0, {path!r})
from gsdv.protocols.http_calibration import HttpCalibrationClient
from gsdv.protocols.rdt_udp import RdtClient
info = HttpCalibrationClient("127.0.0.3", 8080).get_calibration()
client = RdtClient("127.0.0.3", 49152)
client.start_streaming()
seen = list(client.receive_samples(timeout=1.0, max_samples=1000))
client.stop_streaming()
print([c / info.counts_per_force for c in seen[-1].counts], len(seen), "records,", client.statistics.packets_lost, "lost")
'''


def gsdv(checkout, folder):
    source = str(checkout / "src")
    shutil.copy(HERE / "reader.xml", folder)
    serve = ("import sys, time; sys.path.insert(0, {!r}); "
             "from gsdv.diagnostics.sensor_simulator import SensorSimulator, SimulatorConfig; "
             "s = SensorSimulator(SimulatorConfig(udp_port=49162, tcp_port=49161, http_port=8090)); s.start(); "
             "time.sleep(60)").format(source)
    results = []
    for note, more in (("as it is", []), ("units given", ["--set", "force_unit=N", "--set", "torque_unit=Nm"])):
        with Other([PYTHON, "-c", serve], folder):
            wait_for(lambda: listens("tcp", 8090))
            results.append((f"hilda reads its simulator, {note}", told(hilda(folder, "reader.xml", *more))))
    results.append(("its client reads hilda's box: force, torque", with_box(folder, GSDV_CLIENT.format(path=source))))
    return results


PEERS = [("ros-industrial/kuka_experimental", "RSI simulator", kuka_experimental),
         ("fzi-forschungszentrum-informatik/kuka_rsi_driver", "RSI simulator", kuka_rsi_driver),
         ("MMintLab/netft_py", "ATI client", netft_py),
         ("CameronDevine/NetFT", "ATI client", netft),
         ("LoomDeBWiles/cof_tester", "gsdv: ATI simulator and client", gsdv)]

PAGE = """# Programs of others

Each was run against hilda by `tests/wire/peers/run_peers.py FOLDER --write` on {date}, from a checkout of the revision
named. Nothing of theirs is in this project. ROS was not installed: what the two RSI simulators call of it is replaced
by a few empty functions, and the one that is written for Python 2 has its two `except` lines rewritten.

| project | what | revision | what was done | what happened |
|---|---|---|---|---|
{rows}

- Both RSI simulators wait for an answer before they send again, which no controller does, and their IPOC counts by 1.
  kuka_experimental's then waits for 2 ms, so its cycle is no clock. hilda holds a robot to its cycle before the start and
  along the run; `cycle_check=0` and `clock_drift=1` turn that off.
- gsdv's simulator has a page without the names of the units (`scfgfu`, `scfgtu`), as some boxes have: hilda says which
  parameters to give.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", type=Path, help="folder with the checkouts, each in a folder of its repository's name")
    parser.add_argument("--write", action="store_true", help="write docs/results/validation/peers.md")
    given = parser.parse_args()
    rows = []
    for repository, what, play in PEERS:
        checkout = given.checkouts.resolve() / repository.split("/")[1]
        if not checkout.exists():
            rows.append((repository, what, "", "", "not there: skipped"))
            continue
        with tempfile.TemporaryDirectory(prefix="hilda_peers_") as folder:
            try:
                results = play(checkout, Path(folder))
            except Exception as problem:  # one that fails must not keep the others from being tried
                results = [("", f"failed: {problem}")]
        rows += [(repository, what, revision(checkout), done, happened) for done, happened in results]
    for row in rows:
        print(" | ".join(row), flush=True)
    if given.write:
        lines = "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in row) + " |" for row in rows)
        page = PAGE.format(date=datetime.date.today().isoformat(), rows=lines)
        (ROOT / "docs/results/validation/peers.md").write_text(page)


if __name__ == "__main__":
    main()
