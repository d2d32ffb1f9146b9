# SPDX-License-Identifier: BSD-3-Clause
"""Says from a capture alone what the robot was made to do, and whether a limit was broken.

The robot takes the first answer with the IPOC of its current cycle. From one cycle's end to the next it goes straight
to what the answer asks for; without one it stops (absolute: the last correction holds, relative: nothing is added),
so that its velocity is then zero. For each answer taken: step, speed, acceleration and range, from the position and
the velocity that the robot then has. The halt that a cycle without an answer makes is the controller's own, and is
counted apart, as is the halt that POSCORR makes where it clamps. A robot whose own clock stopped for half a cycle and more may have stopped or not: its next answer is
compared with the milder of the two."""
import math
from dataclasses import dataclass, field

import numpy as np

import capture

LIMITS = {"position": 0.3, "rotation": math.radians(30), "speed": 0.25, "angular_speed": 0.5,
          "acceleration": 5.0, "angular_acceleration": 5.0}  # of diagrams/rigs/kuka_ati_loopback.xml, SI
RESOLUTION = {"length": 1e-9, "angle": math.radians(1e-6)}  # one step of the last decimal on the wire


def rotation(a, b, c):
    """Rz(A) Ry(B) Rx(C), degrees."""
    (sa, sb, sc), (ca, cb, cc) = np.sin(np.radians([a, b, c])), np.cos(np.radians([a, b, c]))
    return np.array([[ca * cb, ca * sb * sc - sa * cc, ca * sb * cc + sa * sc],
                     [sa * cb, sa * sb * sc + ca * cc, sa * sb * cc - ca * sc],
                     [-sb, cb * sc, cb * cc]])


def rotation_vector(matrix):
    axis = np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]]) / 2
    sine = np.linalg.norm(axis)
    angle = math.atan2(sine, (np.trace(matrix) - 1) / 2)
    return axis * (angle / sine) if sine > 1e-12 else axis


def matrix_of(vector):
    """The rotation of a rotation vector."""
    angle = np.linalg.norm(vector)
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = vector / angle
    across = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * across + (1 - math.cos(angle)) * across @ across


@dataclass
class Cycle:
    """One cycle of the robot."""
    time: float
    ipoc: int
    answer: list = None  # the correction that was taken
    restarted: bool = False  # RSI was restarted before it
    stood: bool = False  # the robot's clock stopped before it
    braked: bool = False


@dataclass
class Verdict:
    """What the wire shows of a run."""
    cycles: int = 0
    taken: int = 0
    unanswered: int = 0  # cycles without an answer, from the first answer to the last
    rejected: int = 0  # answers that came for another cycle, or twice
    worst: dict = field(default_factory=dict)  # by limit: largest value of an answer taken
    over: dict = field(default_factory=dict)  # by limit: how many answers broke it
    first_over: list = field(default_factory=list)  # time s, IPOC, limit, value
    halt: float = 0.0  # m/s2, the largest that a cycle without an answer made
    step: float = 0.0  # m, the largest that an answer made
    unknown: int = 0  # answers compared with the milder of two velocities
    distance: float = 0.0  # m gone by what was asked for, from the fault on
    notes: list = field(default_factory=list)  # time s since motion began, what happened

    @property
    def held(self):
        return not self.over


def cycles_of(entries, period):
    """The robot's cycles with the answers that it took; how many answers it could not take."""
    cycles, rejected, restarted, braked = [], 0, False, False
    for entry in entries:
        if entry.kind == "R":
            stood = bool(cycles) and entry.time - cycles[-1].time > 1.5 * period
            cycles.append(Cycle(entry.time, capture.ipoc(entry.bytes), None, restarted, stood, braked))
            restarted = False
        elif entry.kind == "A":
            asked = capture.correction(entry.bytes)
            current = cycles[-1] if cycles else None
            if current and asked and current.answer is None and capture.ipoc(entry.bytes) == current.ipoc:
                current.answer = asked
            else:
                rejected += 1
        elif entry.kind == "N":
            restarted = restarted or entry.bytes.startswith(b"rsi restart")
            braked = braked or entry.bytes.startswith(b"robot brakes")
    return cycles, rejected


class Motion:
    """Where the robot is and how fast, from RSI_ON."""

    def __init__(self, relative, clamp, clamp_turn):
        self.relative, self.clamp, self.clamp_turn = relative, clamp, clamp_turn
        self.position, self.turned = np.zeros(3), np.eye(3)
        self.velocity = np.zeros(6)
        self.clamped = False  # the newest answer asked for more than POSCORR lets through

    def asked(self, values):
        """Position and orientation that an answer asks for."""
        position, turned = np.array(values[:3]) * 1e-3, rotation(*values[3:])
        if self.relative:
            position, turned = self.position + position, turned @ self.turned
        turn = rotation_vector(turned)
        self.clamped = bool(self.clamp) and bool(np.max(np.abs(position)) > self.clamp)
        if self.clamp_turn and np.linalg.norm(turn) > self.clamp_turn:
            self.clamped = True
            turned = matrix_of(turn * (self.clamp_turn / np.linalg.norm(turn)))
        return (np.clip(position, -self.clamp, self.clamp) if self.clamp else position), turned

    def towards(self, position, turned, period):
        """The velocity of a cycle that goes there."""
        return np.concatenate([position - self.position, rotation_vector(turned @ self.turned.T)]) / period


def judge(entries, period=0.004, relative=False, clamp=0.0, clamp_turn=0.0, limits=None):
    """period of the robot in s; clamp of its POSCORR in m and rad, 0: none."""
    limits = {**LIMITS, **(limits or {})}
    verdict = Verdict()
    cycles, verdict.rejected = cycles_of(entries, period)
    verdict.cycles = len(cycles)
    answered = [i for i, cycle in enumerate(cycles) if cycle.answer is not None]
    began = next((cycle.time for cycle in cycles if cycle.answer and any(cycle.answer)), None)
    base = began if began is not None else (entries[0].time if entries else 0)
    verdict.notes = [[round(e.time - base, 4), e.bytes.decode(errors="replace")] for e in entries if e.kind == "N"]
    fault = next((e.time for e in entries if e.kind == "N" and e.bytes.startswith(b"fault ")), math.inf)
    fault = max(fault, base)
    motion = Motion(relative, clamp, clamp_turn)
    for i, cycle in enumerate(cycles):
        if cycle.braked:
            break
        if cycle.restarted:
            motion = Motion(relative, clamp, clamp_turn)
        if cycle.answer is None:
            if answered and answered[0] < i < answered[-1]:
                verdict.unanswered += 1
            verdict.halt = max(verdict.halt, np.linalg.norm(motion.velocity[:3]) / period)
            motion.velocity = np.zeros(6)
            continue
        verdict.taken += 1
        position, turned = motion.asked(cycle.answer)
        velocity = motion.towards(position, turned, period)
        look(verdict, cycle, motion, position, turned, velocity, period, limits, base)
        if cycle.time >= fault:
            verdict.distance += float(np.linalg.norm(position - motion.position))
        motion.position, motion.turned, motion.velocity = position, turned, velocity
    return verdict


def look(verdict, cycle, motion, position, turned, velocity, period, limits, base):
    """Holds one answer that was taken against every limit."""
    change = velocity - motion.velocity
    if motion.clamped:
        verdict.halt = max(verdict.halt, float(np.linalg.norm(change[:3])) / period)
        change = np.zeros(6)
    if cycle.stood:
        verdict.unknown += 1
        if np.linalg.norm(velocity[:3]) < np.linalg.norm(change[:3]):
            change = velocity
    verdict.step = max(verdict.step, float(np.linalg.norm(velocity[:3])) * period)
    values = {"position": np.max(np.abs(position)), "rotation": np.linalg.norm(rotation_vector(turned)),
              "speed": np.linalg.norm(velocity[:3]), "angular_speed": np.linalg.norm(velocity[3:]),
              "acceleration": np.linalg.norm(change[:3]) / period,
              "angular_acceleration": np.linalg.norm(change[3:]) / period}
    for name, value in values.items():
        value = float(value)
        verdict.worst[name] = max(verdict.worst.get(name, 0.0), value)
        if value > limits[name] * (1 + 1e-6) + rounding(name, period):
            verdict.over[name] = verdict.over.get(name, 0) + 1
            if len(verdict.first_over) < 3:
                verdict.first_over.append([round(cycle.time - base, 4), cycle.ipoc, name, value])


def rounding(name, period):
    """What the decimals on the wire may add: half a step of each of three axes, in each sample that enters."""
    step = 0.5 * math.sqrt(3) * RESOLUTION["angle" if "angular" in name or name == "rotation" else "length"]
    # The conversion of a rotation to angles and back enters as one more sample each.
    return step * {"position": 1, "rotation": 2, "speed": 2 / period, "angular_speed": 4 / period,
                   "acceleration": 4 / period ** 2, "angular_acceleration": 8 / period ** 2}[name]


def judge_file(path, **facts):
    return judge(capture.read(path), **facts)


if __name__ == "__main__":
    import argparse
    import dataclasses
    import json

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("capture")
    parser.add_argument("--period", type=float, default=0.004, help="of the robot, s")
    parser.add_argument("--relative", action="store_true")
    parser.add_argument("--clamp", type=float, default=0.0, help="of POSCORR, m")
    parser.add_argument("--clamp-turn", type=float, default=0.0, help="of POSCORR, deg")
    given = parser.parse_args()
    verdict = judge_file(given.capture, period=given.period, relative=given.relative, clamp=given.clamp,
                         clamp_turn=math.radians(given.clamp_turn))
    print(json.dumps(dataclasses.asdict(verdict), indent=1))
