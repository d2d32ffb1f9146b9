# SPDX-License-Identifier: BSD-3-Clause
"""A process that does not run for a while, and moves devices over UDP at times of the clock: what the peer at the other
end sees keeps the limits, and too many cycles in a row that are lost end the run.

The loop has a clock of this test's own (own_clock.py), so that a busy machine changes nothing. One test stops the program
by the wall clock and captures its packets at the other end."""
import random
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

from own_clock import BUILD, NOWHERE, interrupt, run, stall
from peer import held_up, seen, seen_by_packets

SPEED, ACCELERATION = 0.2, 2.0
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


def wait_for(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)


def diagram(text, period=4, divider=1, realtime='<realtime lost_in_a_row="1000"/>', duration=4.0, port=NOWHERE):
    rate = f'sample_time="{divider * period} ms"' if divider > 1 else ""
    return text.format(period=period, port=port, rate=rate, realtime=realtime, duration=duration)


def moving(packets):
    """From the packet before the first motion on."""
    first = next(k for k, (_, value) in enumerate(packets) if value != 0)
    return packets[first - 1:]


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
        return seen(packets, 0.004, False, held_up(packets, 0.004, 0.004, stops))

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

    def test_a_gap_of_a_third_of_a_cycle_is_judged(self):
        """Both peers continue over it, so that a halt behind it is a step."""
        even = [(0.004 * k, 0.0004 * k) for k in range(20)]
        for each, least, most in ((0.0004, 0, 26), (0.0, 24, 26)):
            packets = even + [(0.004 * (19 + 1.33 + k), 0.0076 + each * (k + 1)) for k in range(9)]
            for peer in (seen(packets, 0.004, False), seen_by_packets(packets, 0.004, False)):
                self.assertLess(peer.acceleration, most)
                self.assertGreater(peer.acceleration, least)


class Frozen(unittest.TestCase):
    """By the test's own clock."""

    def judge(self, packets, cycle, twist, what=""):
        packets = moving(packets)
        for peer in (seen(packets, cycle, twist), seen_by_packets(packets, cycle, twist)):
            self.assertGreater(peer.speed, 0.05, "it moved")
            self.assertLessEqual(peer.speed, SPEED * 1.001, what)
            self.assertLessEqual(peer.acceleration, ACCELERATION * 1.001, f"{what} cycle, value: {peer.around}")

    def check(self, text, stalls, period=4, divider=1):
        duration = max(at + length for at, length in stalls) + 0.5
        done = run(diagram(text, period, divider, duration=duration), [stall(*each) for each in stalls])
        self.assertEqual(done.code, 0, done.said)
        self.assertEqual(done.again.returncode, 0, done.again.stdout + done.again.stderr)
        self.assertIn("every bit is as recorded", done.again.stdout)
        self.judge(done.packets, divider * period * 1e-3, text is TWISTS, stalls)

    def check_lateness(self, text, period, divider):
        """From 0 to 3 cycles, each followed by two of any part of a cycle."""
        draw, at, stalls, cycle = random.Random(divider), 0.3, [], divider * period * 1e-3
        for tenths in range(31):
            for length in (0.1 * tenths, draw.random(), draw.random()):
                stalls.append((at, length * cycle))
                at += (length + draw.uniform(1, 5)) * cycle
            at += 3 * cycle
        self.check(text, stalls, period, divider)

    def test_long_ones(self):
        for text in (PLACES, TWISTS):
            self.check(text, [(0.3, 0.05), (0.7013, 0.3), (1.4, 0.0035), (1.7, 0.1), (2.1006, 1.0)])

    def test_places_up_to_three_cycles_late(self):
        for period, divider in ((4, 1), (2, 2), (2, 3), (1, 5)):
            self.check_lateness(PLACES, period, divider)

    def test_twists_up_to_three_cycles_late(self):
        for period, divider in ((4, 1), (2, 2), (2, 3)):
            self.check_lateness(TWISTS, period, divider)

    def test_too_many_in_a_row_end_the_run(self):
        for text in (PLACES, TWISTS):
            done = run(diagram(text, realtime="", duration=5), [stall(0.5003, 0.3)])
            self.assertEqual(done.code, 3, done.said)
            self.assertIn("every bit is as recorded", done.again.stdout + done.again.stderr)
            self.assertRegex(done.said, r"block peer: 7[456] cycles in a row in which it was sent nothing in time "
                                        r"\(lost_in_a_row of <realtime> allows 5\): this process did not run")
            self.judge(done.packets, 0.004, text is TWISTS)
            if text is TWISTS:
                self.assertEqual(done.packets[-1][1], 0)

    def test_a_second_interrupt_leaves_no_velocity(self):
        slow = diagram(TWISTS, duration=20).replace('hold="100 ms"', 'hold="100 ms" stop_time="60 s"')
        done = run(slow, [interrupt(0.5, signal.SIGINT), interrupt(0.6, signal.SIGINT)])
        self.assertEqual(done.code, 130, done.said)
        self.assertGreater(done.packets[-2][1], 0.01, "it was on the ramp")
        self.assertEqual(done.packets[-1][1], 0)


class ByTheWallClock(unittest.TestCase):
    """One that is stopped by a signal, and whose packets are captured at the other end by the kernel's stamps."""

    def test_a_program_that_was_stopped(self):
        for text, freezes in ((PLACES, [0.05, 0.3]), (TWISTS, [0.011, 1.0])):
            capture, stops = Capture(), []
            with tempfile.TemporaryDirectory(prefix="hilda_freeze_") as folder:
                duration = 0.8 + sum(freezes) + 0.35 * len(freezes)
                (Path(folder) / "frozen.xml").write_text(diagram(text, duration=duration, port=capture.port))
                process = subprocess.Popen([BUILD / "bin/hilda", "run", "frozen.xml", "--arm", "--no-log"], cwd=folder,
                                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                wait_for(lambda: any(value != 0 for _, value in capture.packets[-1:]))
                time.sleep(0.3)  # under way
                for length in freezes:
                    time.sleep(0.3)
                    stops.append(frozen(process, length))
                said = process.communicate(timeout=60)[0]
            packets = capture.end()
            self.assertEqual(process.returncode, 0, said)
            peer = seen(packets, 0.004, text is TWISTS, held_up(packets, 0.004, 0.004, stops))
            self.assertLessEqual(peer.speed, SPEED * 1.001)
            self.assertLessEqual(peer.acceleration, ACCELERATION * 1.001, f"cycle, value: {peer.around}")


def frozen(process, length):
    """Stops a program for a time (s); from when to when, by the clock of the stamps."""
    begin = time.time()
    process.send_signal(signal.SIGSTOP)
    time.sleep(length)
    process.send_signal(signal.SIGCONT)
    return begin, time.time()


if __name__ == "__main__":
    unittest.main()
