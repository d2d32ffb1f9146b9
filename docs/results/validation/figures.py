#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the figures of the pages here, from runs of the diagrams, by hilda draw and hilda plot.

    docs/results/validation/figures.py [path to hilda] [page ...]

A page's script puts block(page) where its figures are; this program makes the pictures and renews that block.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
project = here.parents[2]
hilda = next((word for word in sys.argv[1:] if "/" in word), str(project / "build" / "bin" / "hilda"))
begin, end = "<!-- figures: written by figures.py -->", "<!-- end of figures -->"


def force(source, label):
    return f"{source}.force.x={label}"


# page: pictures; a picture: name, caption, what hilda draws or plots.
# runs: (name in the legend, diagram, settings); panels: (axis, signals)
figures = {
    "contact": [
        dict(name="contact_diagram", caption="The diagram `pida.xml`; its rig is closed.", draw=["pida"]),
        dict(name="contact_rig", caption="The rig of two walls, in simulation.", draw=["pida", "--inside", "rig"]),
        dict(name="contact_hardware", caption="The rig of a KUKA robot and an ATI sensor: the same ports.",
             draw=["pida", "--mode", "hardware", "--overlay", str(project / "diagrams/rigs/kuka_ati_loopback.xml"), "--inside", "rig"]),
        dict(name="contact_pida", caption="PIDA with 20 ms of delay, five contacts: the rod comes back as fast as it came, and the "
             "stiffness is known after the first samples.",
             runs=[("PIDA", "pida", ["response_delay=20ms"])],
             panels=[("Velocity", "commanded_tip.velocity[0]=commanded,actual_tip.velocity[0]=actual"),
                     ("Force on the wall", "on_wall.on_wall.force.x=measured,passivity.controlled.force.x=applied"),
                     ("Kinetic energy", "satellites.service.kinetic_energy=service,satellites.target.kinetic_energy=target"),
                     ("Stiffness", "identification.stiffness=identified"),
                     ("Observed energy", "passivity.energy=observer")]),
        dict(name="contact_first", caption="The first contact of that run. The measured force belongs to where the rod was 20 ms ago; compensated is "
             "what the identified stiffness makes of it, applied what clamp and energy controller leave.",
             runs=[("PIDA", "pida", ["response_delay=20ms", "contacts=1"])],
             panels=[("Force on the wall", "on_wall.on_wall.force.x=measured,compensator.compensated.force.x=compensated,"
                      "passivity.controlled.force.x=applied"),
                     ("Observed energy", "passivity.energy=observer")], more=["--from", "0.75", "--to", "0.95"]),
        dict(name="contact_methods", caption="10 ms of delay: without compensation each contact gains; PIC, DAC and PIDA keep the speed.",
             runs=[("none", "uncompensated", ["response_delay=10ms", "contacts=3"]), ("PIC", "pic", ["response_delay=10ms", "contacts=3"]),
                   ("DAC", "dac", ["response_delay=10ms", "contacts=3"]), ("PIDA", "pida", ["response_delay=10ms", "contacts=3"])],
             panels=[("Velocity", "satellites.motion.twist.linear.x"), ("Measured force", "rig.sensor.measured.force.x")]),
    ],
    "tdpa": [
        dict(name="tdpa_diagram", caption="The diagram `tdpa.xml`; its rig is closed.", draw=["tdpa"]),
        dict(name="tdpa_energy", caption="10 ms of delay in a room: without control the satellite gains with each contact, with it it does not.",
             runs=[("without", "tdpa_uncompensated", []), ("with", "tdpa", [])],
             panels=[("Kinetic energy", "body.kinetic_energy"), ("Velocity along x", "body.twist.linear.x")]),
        dict(name="tdpa_controller", caption="Observer and controller of the robot's port: where the energy before control comes down to zero "
             "at the end of a contact, force is taken away until it stays there.",
             runs=[("with", "tdpa", [])],
             panels=[("Energy of the port", "controller.total_before=before,controller.total=after"),
                     ("Force taken away", "controller.removed.force.x=x,controller.removed.force.y=y,controller.removed.force.z=z")]),
    ],
    "arm": [
        dict(name="arm_diagram", caption="The diagram `cartesian_control.xml`.", draw=["cartesian_control"]),
        dict(name="arm_torques", caption="Cartesian and force/torque control: torques of the joints 2, 3 and 5.",
             runs=[("Cartesian", "cartesian_control", []), ("force/torque", "force_torque_control", [])],
             panels=[("Torque", "pid.torque[1]=j2,pid.torque[2]=j3,pid.torque[4]=j5")]),
    ],
    "emulation": [
        dict(name="emulation_diagram", caption="The diagram `emulation_two_link.xml`.", draw=["emulation_two_link"]),
        dict(name="emulation_contact", caption="The emulator slides along a wall as the ideal target does: normal force and places.",
             runs=[("", "emulation_two_link", [])],
             panels=[("Force of the wall", "emulator.wall.force[0]=emulator,ideal.wall.force[0]=ideal target"),
                     ("Place", "emulator.arm.x[1]=emulator,ideal.target.robot.x[1]=ideal target")]),
    ],
}


def log_of(folder, number, run):
    name, diagram, settings = run
    path = folder / f"{number}.mcap"
    command = [hilda, "run", str(project / "diagrams" / f"{diagram}.xml"), "--quiet", "--log", str(path)]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True)
    return str(path)


def make(figure):
    out = str(here / f"{figure['name']}.svg")
    if "draw" in figure:
        diagram, *more = figure["draw"]
        command = [hilda, "draw", str(project / "diagrams" / f"{diagram}.xml"), *more, "-o", out]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [hilda, "plot"] + [log_of(Path(folder), i, run) for i, run in enumerate(figure["runs"])]
        for name, _, _ in figure["runs"]:
            command += ["--name", name]
        for axis, signals in figure["panels"]:
            command += ["--axis", axis, "--signals", signals]
        subprocess.run([*command, *figure.get("more", []), "-o", out], check=True, stdout=subprocess.DEVNULL)


def block(page):
    """The lines of a page that show its figures."""
    lines = [begin, "## Figures", ""]
    for figure in figures[page]:
        lines += [f"![{figure['caption']}]({figure['name']}.svg)", "", figure["caption"], ""]
    return lines + [end]


def renew(page):
    path = here / f"{page}.md"
    text, lines = path.read_text(), "\n".join(block(page))
    if begin in text:
        text = re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: lines, text, flags=re.S)
    else:
        text = text.rstrip() + "\n\n" + lines + "\n"
    path.write_text(text)


def main():
    wanted = [word for word in sys.argv[1:] if "/" not in word] or list(figures)
    for page in wanted:
        for figure in figures[page]:
            make(figure)
            print(f"{figure['name']}.svg")
        renew(page)


if __name__ == "__main__":
    main()
