#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes hardware.md: the hardware rig against the simulated cell, two processes over the loopback, next to simulation
at the same delay and cycle. Every number comes from a run; what the machine did to the timing is in the tables too.

    docs/results/validation/hardware.py [path to hilda]
"""
import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

here = Path(__file__).resolve().parent
project = here.parents[2]
hilda = sys.argv[1] if len(sys.argv) > 1 else str(project / "build" / "bin" / "hilda")
diagrams = project / "diagrams"
loopback = ["--overlay", str(diagrams / "rigs" / "kuka_ati_loopback.xml")]
folder = Path(tempfile.mkdtemp(prefix="hilda_hardware_"))


def free_port(kind, address):
    with socket.socket(socket.AF_INET, kind) as place:
        place.bind((address, 0))
        return place.getsockname()[1]


robot_port = free_port(socket.SOCK_DGRAM, "127.0.0.1")
record_port = free_port(socket.SOCK_DGRAM, "127.0.0.2")
page_port = free_port(socket.SOCK_STREAM, "127.0.0.2")


def ports(prefix):
    return [f"{prefix}robot_port={robot_port}", f"{prefix}sensor_port={record_port}",
            f"{prefix}sensor_http_port={page_port}"]


def sets(settings):
    return [word for setting in settings for word in ("--set", setting)]


class Cell:
    """The cell in its own process, as long as the block lasts."""

    def __init__(self, *settings):
        self.settings = settings

    def __enter__(self):
        self.process = subprocess.Popen([hilda, "run", str(diagrams / "cells" / "kuka_ati.xml"), "--no-log",
                                         "--summary", str(folder / "cell.json"), *sets(ports("")), *sets(self.settings)],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(1.5)
        if self.process.poll() is not None:
            raise RuntimeError(self.process.stderr.read())
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)


def read(name):
    path = folder / name
    return json.loads(path.read_text()) if path.exists() else None


def on_cell(diagram, settings, *more):
    (folder / "run.json").unlink(missing_ok=True)
    run = subprocess.run([hilda, "run", str(diagrams / f"{diagram}.xml"), "--mode", "hardware", *loopback, "--arm",
                          "--no-log", "--quiet", "--summary", str(folder / "run.json"), *sets(ports("rig.")), *sets(settings), *more],
                         capture_output=True, text=True, check=False)
    return run, read("run.json")


def simulated(diagram, settings, *more):
    subprocess.run([hilda, "run", str(diagrams / f"{diagram}.xml"), "--no-log", "--quiet", "--summary",
                    str(folder / "sim.json"), *sets(settings), *more], check=True)
    return read("sim.json")


def series(values, digits=3):
    return " ".join(f"{v:.{digits}f}" for v in values)


def column(data, name):
    return [contact[name] for contact in data["contacts"]]


def band(runs, name, index, digits=3):
    values = [column(run, name)[index] for run in runs]
    return f"{min(values):.{digits}f} to {max(values):.{digits}f}"


def timing(data):
    t = data["realtime"]
    return f"{t['lost']} / {t['late']}"


PURE = ["natural_frequency=0", "response_delay=4ms", "payload_mass=0"]
CONTACTS = 4


def methods():
    lines = ["| diagram | contact | restitution: cell | simulation | peak force: cell, N | simulation, N |",
             "|---|---|---|---|---|---|"]
    notes = []
    for diagram in ("pic", "dac", "pida"):
        with Cell(*PURE):
            run, cell = on_cell(diagram, ["rig.payload_mass=0", "response_delay=12ms", f"contacts={CONTACTS}"],
                                "--for", "12s")
        if run.returncode != 0:
            raise RuntimeError(run.stderr)
        phases = [simulated(diagram, ["period=4ms", "response_delay=12ms", f"contacts={CONTACTS}",
                                      f"start={phase * 0.01}mm"]) for phase in range(8)]
        for i in range(CONTACTS):
            lines.append(f"| {diagram} | {i + 1} | {column(cell, 'cor')[i]:.3f} | {band(phases, 'cor', i)} "
                         f"| {column(cell, 'peak_force')[i]:.1f} | {band(phases, 'peak_force', i, 1)} |")
        stiffness = [run["identified"]["stiffness"] / 1e3 for run in phases]
        notes.append(f"{diagram}: identified {cell['identified']['stiffness'] / 1e3:.2f} N/mm, in simulation "
                     f"{min(stiffness):.2f} to {max(stiffness):.2f}; cycles lost / replies late {timing(cell)}")
    return lines, notes


ROOM = ["half_size=100 mm", "rotational_half_size=0.0207 rad", "stiffness=2000 N/m", "rotational_stiffness=800 N m/rad"]


def tdpa():
    lines = ["| diagram | where | restitution of each contact | energy at the end over that at the start | lost / late |",
             "|---|---|---|---|---|"]
    settings = ["half_size=100 mm", "response_delay=12ms", "velocity=0.1 0.08 0.06 m/s"]
    for diagram in ("tdpa", "tdpa_uncompensated"):
        with Cell(*PURE, *ROOM):
            run, cell = on_cell(diagram, settings + ["force_noise=0.02N", "rig.payload_mass=0"], "--for", "6s")
        simulation = simulated(diagram, settings + ["period=4ms"], "--for", "6s")
        for where, data in (("cell", cell), ("simulation", simulation)):
            lines.append(f"| {diagram} | {where} | {series(column(data, 'cor'))} "
                         f"| {data['contacts'][-1]['energy_ratio']:.3f} "
                         f"| {timing(data) if where == 'cell' else ''} |")
    return lines


def diverging():
    with Cell(*PURE):
        run, cell = on_cell("uncompensated", ["rig.payload_mass=0", "contacts=0", "response_delay=12ms", "speed=50mm/s",
                                              "rig.speed_limit=0.2m/s"], "--for", "30s")
    simulation = simulated("uncompensated", ["period=4ms", "response_delay=12ms", "speed=50mm/s", "contacts=3"])
    return [f"Restitution on the cell {series(column(cell, 'cor'))}, in simulation {series(column(simulation, 'cor'))}.",
            f"Exit code {run.returncode}: `{run.stderr.strip().splitlines()[-1]}`"]


def measured():
    truth = {"response_delay": 6.0, "natural_frequency": 20.0, "damping_ratio": 0.6, "sensor_delay": 2.0}
    with Cell("response_delay=6ms", "natural_frequency=20Hz", "damping_ratio=0.6", "sensor_delay=2ms",
              "force_noise=0.2N"):
        run = subprocess.run([hilda, "measure-delay", *loopback, *sets(ports("rig.")), "--arm", "--quiet", "--log",
                              str(folder / "measure.mcap"), "--out", str(folder / "measured.xml")],
                             capture_output=True, text=True, check=True)
    got = {name: float(value) for name, value in
           re.findall(r'path="(\w+)" value="([0-9.e+-]+)', (folder / "measured.xml").read_text())}
    # Two robot cycles on the way, half a tick of the cell's second order; half a cycle less in the overlay.
    expected = dict(truth, response_delay=truth["response_delay"] + 8 + 0.5 - 2)
    units = {"response_delay": "ms", "natural_frequency": "Hz", "damping_ratio": "", "sensor_delay": "ms"}
    lines = ["| | in the cell | measured | difference |", "|---|---|---|---|"]
    for name, value in expected.items():
        off = got[name] - value
        shown = f"{off:+.3f} ms" if units[name] == "ms" else f"{100 * off / value:+.2f} %"
        lines.append(f"| {name} | {value:g} {units[name]} | {got[name]:.4g} {units[name]} | {shown} |")
    lines += ["", "```", run.stdout.replace(str(folder), "out").strip(), "```", "",
              "The numbers after +- are the random scatter, two standard deviations. They do not contain errors of the model, so they are not confidence",
              "intervals: [how accurate the measurement is](../../hardware.md#6-measure-the-delay)."]
    with Cell("response_delay=6ms", "natural_frequency=20Hz", "damping_ratio=0.6", "sensor_delay=2ms", "payload_mass=0"):
        _, cell = on_cell("pida", ["rig.payload_mass=0", f"contacts={CONTACTS}", "response_delay=22ms",
                                   f"lead_time={got['sensor_delay']}ms"], "--for", "12s")
    simulation = simulated("pida", [f"contacts={CONTACTS}"], "--overlay", str(folder / "measured.xml"))
    lines += ["", "PIDA on that cell and in simulation with the overlay as it was written:", "",
              "| contact | restitution: cell | simulation | peak force: cell, N | simulation, N |", "|---|---|---|---|---|"]
    for i in range(CONTACTS):
        lines.append(f"| {i + 1} | {column(cell, 'cor')[i]:.3f} | {column(simulation, 'cor')[i]:.3f} "
                     f"| {column(cell, 'peak_force')[i]:.1f} | {column(simulation, 'peak_force')[i]:.1f} |")
    lines += ["", f"The identified stiffness is {cell['identified']['stiffness'] / 1e3:.2f} N/mm on the cell and "
              f"{simulation['identified']['stiffness'] / 1e3:.2f} N/mm in simulation. Cycles lost / replies late on the cell: {timing(cell)}."]
    return lines


def minute():
    with Cell():
        run, data = on_cell("pida", ["response_delay=21ms", "contacts=0"], "--for", "60s", "--witness")
    t = data["realtime"]
    us = {key: f"{1e6 * t[key]:.0f} us" for key in ("jitter_p50", "jitter_p99", "jitter_p999", "reply_p50", "reply_p99",
                                                    "reply_p999", "reply_max")}
    return ["| ticks | cycles lost | replies late, the loop's | replies late, the machine's | jitter p50, p99, p99.9 "
            "| reply p50, p99, p99.9, longest |", "|---|---|---|---|---|---|",
            f"| {t['ticks']} | {t['lost']} | {t['late']} | {t['witness_late']} | {us['jitter_p50']}, {us['jitter_p99']}, "
            f"{us['jitter_p999']} | {us['reply_p50']}, {us['reply_p99']}, {us['reply_p999']}, {us['reply_max']} |", "",
            f"Exit code {run.returncode}, {len(data['contacts'])} contacts."]


FAULTS = [("none", []), ("drop=0.02", []), ("duplicate=0.05", []), ("reorder=0.05", []), ("corrupt=0.02", []),
          ("truncate=0.02", []), ("nan=0.02", []), ("late_reply=0.01", []), ("ipoc_jump=0.01", []),
          ("delay=8ms", ["delay_probability=0.02"]), ("sensor_drop=0.1", []), ("sensor_duplicate=0.1", []),
          ("sensor_reorder=0.1", []), ("sensor_truncate=0.1", []), ("sensor_corrupt=0.002", []),
          ("sensor_lag=10ms", ["sensor_lag_probability=0.1"]), ("error_bit=1", ["error_at=3s"]),
          ("sensor_disconnect_at=3s", []), ("sensor_steal_at=3s", []), ("disconnect_at=3s", []), ("steal_at=3s", []),
          ("brake_at=3s", [])]


def faults():
    lines = ["| fault of the cell | exit | lost / late | how it ended |", "|---|---|---|---|"]
    for fault, more in FAULTS:
        with Cell("half_size=8 1000 1000 mm", *([] if fault == "none" else [fault]), *more):
            run, data = on_cell("pida", ["speed=40mm/s", "response_delay=21ms", "contacts=0", "contact_threshold=2N",
                                         "rig.force_range=20000N", "rig.torque_range=2000 N m"], "--for", "4s")
        last = run.stderr.strip().splitlines()[-1] if run.returncode else "its time was over"
        last = re.sub(r"^error: the run failed at t = [0-9.]+ s \(tick \d+\), ", "", last)
        lines.append(f"| {' '.join([fault, *more])} | {run.returncode} | {timing(data) if data else ''} | {last} |")
    return lines


def main():
    table, notes = methods()
    text = ["# Hardware against simulation", "",
            "Written by `docs/results/validation/hardware.py`. The rig `kuka_ati.xml` runs against the cell of the same name, two",
            "processes over the loopback, 4 ms cycles. The cell is not a model of the rig but the other end of its wires;",
            "where within a cycle a contact begins is left to chance. So the first table gives simulation as a band, from the",
            "smallest to the largest of eight runs. In these the contact begins at eight places within the cycle; delay and period",
            "are the same. Restitution is the speed after the contact divided by the speed before it.", "",
            "## PIC, DAC and PIDA at 12 ms", "",
            "The delay is dead time alone: 4 ms of the drives and two robot cycles. A satellite of 300 kg meets one of 4000 kg that carries the",
            "walls, at 20 mm/s. The walls have 176.275 N/mm.", "",
            *table, "", *[f"- {note}" for note in notes], "",
            "## TDPA at 12 ms", "", *tdpa(), "",
            "## Without compensation", "", *diverging(), "",
            "## Measured delay", "",
            "A cell with second order, sensor delay, 0.2 N of noise and 2 kg on the sensor, as `hilda measure-delay` finds it.",
            "", *measured(), "",
            "## A minute of PIDA", "",
            "Rig and cell share the processors of one machine without a real-time kernel.", "", *minute(), "",
            "## Faults", "",
            "PIDA runs for 4 s, at 40 mm/s between walls 16 mm apart. Faults of single packets do not end the run, and neither does a",
            "second sender of telegrams (`steal_at`). A fault of a whole device ends the run with exit code 3 and says why.",
            "`ipoc_jump` is such a fault: IPOC leaps and counts on from there, as after a restart of RSI. hilda then sends the robot nothing",
            "more. Here that happened before the first tick: nothing moved, and the wait for the device ran out.", "", *faults(), ""]
    (here / "hardware.md").write_text("\n".join(text))


main()
