# SPDX-License-Identifier: BSD-3-Clause
"""A process that is frozen while it moves devices over UDP at times of the clock: what the peer at the other end sees
keeps the limits, and too many cycles in a row that are lost end the run.

The peer is this file's: it notes when each packet came, by the kernel's stamps, and judges afterwards. It looks for a
packet once a cycle, in the middle between two; a place that did not come is the place that it has, a twist that did not
come continues for the time `hold`."""
import bisect
import os
import re
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("HILDA_BUILD", ROOT / "build"))
SPEED, ACCELERATION, HOLD = 0.2, 2.0, 0.1
SO_TIMESTAMPNS = 35

HEAD = """<diagram format="1" name="frozen" period="{period} ms">
  <parameter name="duration" value="{duration} s"/>
  {realtime}
"""
PLACES = HEAD + """
  <block name="path" type="sources/Sine" amplitude="0.05 m" frequency="0.5 Hz" phase="-90 deg" bias="0.05 m"/>
  <block name="peer" type="udp/UdpActuator" rest="0 m" port="{port}" {rate}/>
  <limits on="peer.values" magnitude="1" rate="0.2" acceleration="2"/>
  <connect from="path.y" to="peer.values"/>
</diagram>
"""
TWISTS = HEAD + """
  <block name="path" type="sources/Sine" amplitude="0.07 0 0 m/s" frequency="0.5 Hz" phase="-90 deg" bias="0.07 0 0 m/s"/>
  <block name="still" type="sources/Constant" value="0 0 0 rad/s"/>
  <block name="twist" type="kinematics/MakeTwist"/>
  <block name="peer" type="udp/UdpTwistActuator" port="{port}" {rate}/>
  <limits on="peer.twist" speed="0.2 m/s" angular_speed="1 rad/s" acceleration="2 m/s2" angular_acceleration="5 rad/s2"
          hold="100 ms"/>
  <connect from="path.y" to="twist.linear"/>
  <connect from="still.y" to="twist.angular"/>
  <connect from="twist.twist" to="peer.twist"/>
</diagram>
"""


class Capture(threading.Thread):
    """Arrival (s) and first number of each packet."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(0.1)
        self.port = self.socket.getsockname()[1]
        self.packets, self.over = [], False
        self.start()

    def run(self):
        while True:
            try:
                data, extra, _, _ = self.socket.recvmsg(2048, 256)
            except TimeoutError:
                if self.over:  # and all that came has been read, however late this thread is
                    return
                continue
            stamp = next(data for level, kind, data in extra if kind == SO_TIMESTAMPNS)
            seconds, nanoseconds = struct.unpack("qq", stamp)
            self.packets.append((seconds + nanoseconds * 1e-9, struct.unpack_from("<d", data, 24)[0]))

    def end(self):
        self.over = True
        self.join()
        self.socket.close()
        return self.packets


def grid_of(packets, period):
    """A time of the timer's grid: most packets come in the tenth of a period behind it."""
    start = packets[0][0]
    late = sorted((t - start) % period for t, _ in packets)
    turned = late + [t + period for t in late]
    first = max(late, key=lambda t: bisect.bisect_right(turned, t + period / 10) - bisect.bisect_left(turned, t))
    return start + first - (period if first > period / 2 else 0)


def held_up(packets, cycle, period, stops):
    """Whether each packet was held up by the machine, behind the program's clock: it came off the timer's grid, or
    after a gap that no stop of this test made. The program cannot know of it, so the peer may have been where either
    says."""
    grid, held, before = grid_of(packets, period), [], packets[0][0]
    for came, _ in packets:
        beside = 0.1 < (came - grid) / period % 1 < 0.99
        own = any(begin < came and before < end for begin, end in stops)
        held.append(beside or (came - before > 1.1 * cycle and not own))
        before = came
    return held


class Peer:
    """What moves at the other end, by the packets that it takes: speed, acceleration and jerk (m/s, m/s2, m/s3), each
    the largest so far."""

    def __init__(self, cycle, twist):
        self.cycle, self.twist = cycle, twist
        self.speed = self.acceleration = self.jerk = 0.0
        self.place, self.velocities, self.change = 0.0, [0.0], 0.0  # velocities: one, or all that may be
        self.moved = self.velocities  # with the last packet
        self.cycles, self.milder = 0, 0
        self.taken = self.worst = 0  # packets so far, and the one with the largest acceleration

    def take(self, value, held):
        """A packet at the end of a cycle. One that was held up is compared with the mildest possible case: the peer was at rest
        before it or continued, and what it asks for took all cycles since the last one or some."""
        self.cycles += 1
        ways = range(1, self.cycles + 1) if held else (1,)
        speeds = [value if self.twist else (value - self.place) / (self.cycle * way) for way in ways]
        befores = [*self.velocities, *self.moved, 0.0] if held else self.velocities
        now, change = min(((now, (now - before) / self.cycle) for now in speeds for before in befores),
                          key=lambda each: abs(each[1]))
        known = not held and len(self.velocities) == 1
        if abs(change) > self.acceleration:
            self.worst = self.taken
        self.taken += 1
        self.speed, self.acceleration = max(self.speed, abs(now)), max(self.acceleration, abs(change))
        if self.change is not None and known:
            self.jerk = max(self.jerk, abs(change - self.change) / self.cycle)
        self.milder += held
        self.place, self.cycles = value, 0
        self.velocities = self.moved = [*speeds, 0.0] if held else speeds
        self.change = change if known else None

    def miss(self, stands):
        """A cycle without a packet; a twist that continues leaves nothing known of the change to the next one."""
        self.cycles += 1
        self.velocities = [0.0] if stands else self.velocities
        self.change = 0.0 if stands else None


def seen(packets, cycle, twist, divider, stops=()):
    """The peer, after all packets, without its own halts. `stops`: from when to when this test stopped the program. Where
    packets come in one tick of several, one may be late by a part of a cycle: the peer's cycles go with the packets."""
    peer, held = Peer(cycle, twist), held_up(packets, cycle, cycle / divider, stops)
    missed, places = False, []
    look, i, came = grid_of(packets, cycle) + 0.55 * cycle, 0, packets[0][0]
    while i < len(packets):
        value, mild = None, False
        while i < len(packets) and packets[i][0] <= look:
            if twist and packets[i][0] - came > HOLD:
                peer.velocities, peer.change = [0.0], 0.0
            (came, value), mild = packets[i], mild or held[i]
            i += 1
            if missed and divider > 1:
                look = came + cycle / 2
            missed = False
        if value is not None:
            peer.take(value, mild)
            places.append(i)
            if divider > 1:  # the middle between two goes with the packets
                look = came + cycle / 2
        else:
            missed = True
            peer.miss(not twist or look - came > HOLD)
        look += cycle
    begin = places[peer.worst]
    peer.around = [(round((came - packets[0][0]) / cycle, 3), value, held[k])
                   for k, (came, value) in enumerate(packets) if abs(k - begin) < 8]
    return peer


def wait_for(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)


def frozen(process, length):
    """Stops a program for a time (s); from when to when, by the clock of the stamps."""
    begin = time.time()
    process.send_signal(signal.SIGSTOP)
    time.sleep(length)
    process.send_signal(signal.SIGCONT)
    return begin, time.time()


def run_frozen(text, freezes, period=4, divider=1, realtime='<realtime lost_in_a_row="1000"/>', duration=None):
    """Exit code, what was printed, the packets, the replay, and when it was stopped, of a run that is frozen for those
    times (s)."""
    stops = []
    duration = duration or 0.8 + sum(freezes) + 0.35 * len(freezes)
    capture = Capture()
    with tempfile.TemporaryDirectory(prefix="hilda_freeze_") as folder:
        rate = f'sample_time="{divider * period} ms"' if divider > 1 else ""
        (Path(folder) / "frozen.xml").write_text(text.format(period=period, port=capture.port, rate=rate,
                                                             realtime=realtime, duration=duration))
        process = subprocess.Popen([BUILD / "bin/hilda", "run", "frozen.xml", "--arm", "--log", "frozen.mcap"], cwd=folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        wait_for(lambda: any(value != 0 for _, value in capture.packets[-1:]))
        time.sleep(0.3)  # under way
        for i, length in enumerate(freezes):
            time.sleep(0.3 + 0.00037 * i)  # another phase each time
            stops.append(frozen(process, length))
        said = process.communicate(timeout=60)[0]
        again = subprocess.run([BUILD / "bin/hilda", "run", "--mode", "replay", "frozen.mcap"], cwd=folder,
                               capture_output=True, text=True)
    return process.returncode, said, capture.end(), again, stops


class Judged(unittest.TestCase):
    """The judge itself, by places each 4 ms: from rest up to 0.1 m/s, 5 cycles without a packet, and on."""
    STOP = ((40.5 * 0.004, 45.5 * 0.004),)

    def packets(self, ramp=False, late=0.0, step_at=None):
        speeds = [min(0.008 * k, 0.1) for k in range(41)] + [min(0.008 * k, 0.1) if ramp else 0.1 for k in range(1, 40)]
        place, made = 0.0, []
        for k, speed in enumerate(speeds):
            place += 0.004 * speed + (0.0004 if k == step_at else 0)
            made.append((0.004 * (k if k < 41 else k + 5) + (late if k == 41 else 0), place))
        return made

    def peer(self, packets, stops=()):
        return seen(packets, 0.004, False, 1, stops)

    def test_a_step_after_a_stop_is_seen(self):
        self.assertGreater(self.peer(self.packets(), self.STOP).acceleration, 20)

    def test_a_ramp_after_a_stop_is_allowed(self):
        peer = self.peer(self.packets(ramp=True), self.STOP)
        self.assertLessEqual(peer.acceleration, ACCELERATION * 1.001)
        self.assertEqual(peer.milder, 0)

    def test_a_gap_that_the_machine_made_leaves_both_open(self):
        for packets in (self.packets(), self.packets(ramp=True), self.packets(ramp=True, late=0.003)):
            peer = self.peer(packets)
            self.assertLessEqual(peer.acceleration, ACCELERATION * 1.001)
            self.assertEqual(peer.milder, 1)

    def test_a_step_at_another_time_is_seen(self):
        for k in (20, 38, 43, 60):
            self.assertGreater(self.peer(self.packets(step_at=k)).acceleration, 20, k)


    def test_packets_that_shift_by_a_tick_are_each_taken(self):
        """Of a run in which the machine made a gap of two and a half cycles."""
        speeds = [(k, 0.008 * k) for k in range(1, 10)] + [(11.502, 0.08), (12.501, 0.088), (13.499, 0.0949), (16, 0.0941)]
        peer = seen([(0.004 * t, v) for t, v in speeds], 0.004, True, 2)
        self.assertLessEqual(peer.acceleration, ACCELERATION * 1.001)


class Frozen(unittest.TestCase):
    def check(self, text, freezes, period=4, divider=1):
        twist = text is TWISTS
        exit_code, said, packets, again, stops = run_frozen(text, freezes, period, divider)
        self.assertEqual(exit_code, 0, said)
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        peer = seen(packets, divider * period * 1e-3, twist, divider, stops)
        self.assertLess(peer.milder, len(packets) / 2, "the machine holds up too much for a judgement")
        self.assertLessEqual(peer.speed, SPEED * 1.001)
        self.assertLessEqual(peer.acceleration, ACCELERATION * 1.001, f"cycle, value, held up: {peer.around}")

    def test_places(self):
        self.check(PLACES, [0.002, 0.05, 0.005, 0.3, 0.0035, 0.011, 1.0])

    def test_places_each_third_tick(self):
        self.check(PLACES, [0.005, 0.05, 0.011, 0.3, 0.02], period=2, divider=3)

    def test_twists(self):
        self.check(TWISTS, [0.002, 0.05, 0.005, 0.3, 0.1, 0.011, 1.0])

    def test_twists_each_second_tick(self):
        self.check(TWISTS, [0.005, 0.05, 0.1, 0.3], period=2, divider=2)

    def test_too_many_in_a_row_end_the_run(self):
        for text in (PLACES, TWISTS):
            exit_code, said, packets, again, stops = run_frozen(text, [0.3], realtime="", duration=5)
            self.assertEqual(exit_code, 3, said)
            self.assertIn("every bit is as recorded", again.stdout + again.stderr)
            self.assertRegex(said, r"block peer: \d+ cycles in a row in which it was sent nothing in time "
                                   r"\(lost_in_a_row of <realtime> allows 5\): this process did not run")
            self.assertLessEqual(seen(packets, 0.004, text is TWISTS, 1, stops).acceleration, ACCELERATION * 1.001)
            if text is TWISTS:
                self.assertEqual(packets[-1][1], 0)

    def test_a_second_interrupt_leaves_no_velocity(self):
        capture = Capture()
        with tempfile.TemporaryDirectory(prefix="hilda_freeze_") as folder:
            text = TWISTS.format(period=4, port=capture.port, rate="", realtime="", duration=20)
            slow = text.replace('hold="100 ms"', 'hold="100 ms" stop_time="60 s"')  # a ramp that is long under way
            (Path(folder) / "frozen.xml").write_text(slow)
            process = subprocess.Popen([BUILD / "bin/hilda", "run", "frozen.xml", "--arm", "--no-log"], cwd=folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            wait_for(lambda: capture.packets and capture.packets[-1][1] > 0.02)
            process.send_signal(signal.SIGINT)
            count = len(capture.packets)
            wait_for(lambda: len(capture.packets) > count + 10)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=20)[0]
        packets = capture.end()
        self.assertEqual(process.returncode, 130, said)
        self.assertGreater(packets[-2][1], 0.01, "it was on the ramp")
        self.assertEqual(packets[-1][1], 0)


if __name__ == "__main__":
    unittest.main()
