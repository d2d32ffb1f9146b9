# SPDX-License-Identifier: BSD-3-Clause
"""A process that is frozen while it moves devices over UDP at times of the clock: what the peer at the other end sees
keeps the limits, and too many cycles in a row that are lost end the run.

The peer is this file's: it notes when each packet came, by the kernel's stamps, and judges afterwards. It looks for a
packet once a cycle, in the middle between two; a place that did not come is the place that it has, a twist that did not
come continues for the time `hold`."""
import os
import re
import signal
import socket
import struct
import subprocess
import sys
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


def seen(packets, cycle, twist, divider):
    """Largest speed, acceleration and jerk of a peer at the other end (m/s, m/s2, m/s3), without its own halts. Where
    packets come in one tick of several, a peer that was stopped restarts its cycles with the packet that ends it."""
    start = packets[0][0]
    late = sorted((t - start) % cycle for t, _ in packets)  # the timer's grid: nothing comes before it
    gaps = [(late[(i + 1) % len(late)] - each) % cycle for i, each in enumerate(late)]
    first = late[(gaps.index(max(gaps)) + 1) % len(late)]
    anchor = start + first - (cycle if first > cycle / 2 else 0)
    speed = acceleration = jerk = place = velocity = change = 0.0
    stood = False
    look, i, came = anchor + 0.55 * cycle, 0, packets[0][0]
    while i < len(packets):
        value = None
        while i < len(packets) and packets[i][0] <= look:
            if twist and packets[i][0] - came > HOLD:
                velocity = change = 0.0
            came, value = packets[i]
            i += 1
            if stood and divider > 1:
                look = came + cycle / 2
            stood = False
        if value is not None:
            now = value if twist else (value - place) / cycle
            before, change = change, (now - velocity) / cycle
            speed, acceleration = max(speed, abs(now)), max(acceleration, abs(change))
            jerk = max(jerk, abs(change - before) / cycle) if before is not None else jerk
            place, velocity = value, now
        else:
            stood = not twist or look - came > HOLD
            velocity = 0.0 if stood else velocity
            change = 0.0 if stood else None  # a twist that continues: nothing is known of the change to the next one
        look += cycle
    return speed, acceleration, jerk


def wait_for(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)


def run_frozen(text, freezes, period=4, divider=1, realtime='<realtime lost_in_a_row="1000"/>', duration=None):
    """Exit code, what was printed, the packets, and the replay, of a run that is frozen for those times (s)."""
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
            process.send_signal(signal.SIGSTOP)
            time.sleep(length)
            process.send_signal(signal.SIGCONT)
        said = process.communicate(timeout=60)[0]
        again = subprocess.run([BUILD / "bin/hilda", "run", "--mode", "replay", "frozen.mcap"], cwd=folder,
                               capture_output=True, text=True)
    return process.returncode, said, capture.end(), again


class Frozen(unittest.TestCase):
    def check(self, text, freezes, period=4, divider=1):
        twist = text is TWISTS
        for attempt in range(3):  # a machine that holds the program up between its clock and its socket
            exit_code, said, packets, again = run_frozen(text, freezes, period, divider)
            self.assertEqual(exit_code, 0, said)
            self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
            speed, acceleration, _ = seen(packets, divider * period * 1e-3, twist, divider)
            if speed <= SPEED * 1.001 and acceleration <= ACCELERATION * 1.001:
                return
            print(f"attempt {attempt}: {speed:.3g} m/s, {acceleration:.3g} m/s2", file=sys.stderr)
        self.fail(f"{speed:.3g} m/s, {acceleration:.3g} m/s2 are seen by the peer")

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
            exit_code, said, packets, again = run_frozen(text, [0.3], realtime="", duration=5)
            self.assertEqual(exit_code, 3, said)
            self.assertIn("every bit is as recorded", again.stdout + again.stderr)
            self.assertRegex(said, r"block peer: \d+ cycles in a row in which it was sent nothing in time "
                                   r"\(lost_in_a_row of <realtime> allows 5\): this process did not run")
            _, acceleration, _ = seen(packets, 0.004, text is TWISTS, 1)
            self.assertLessEqual(acceleration, ACCELERATION * 1.001)
            if text is TWISTS:
                self.assertEqual(packets[-1][1], 0)

    def test_a_second_interrupt_leaves_no_velocity(self):
        capture = Capture()
        with tempfile.TemporaryDirectory(prefix="hilda_freeze_") as folder:
            text = TWISTS.format(period=4, port=capture.port, rate="", realtime="", duration=20)
            slow = text.replace('hold="100 ms"', 'hold="100 ms" stop_time="5 s"')  # a ramp that is long under way
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
