# SPDX-License-Identifier: BSD-3-Clause
"""The limit of jerk on the wire: what a device is sent from rest, on the ramp after Ctrl-C and after a freeze of the
process keeps `jerk` of its <limits>. Without it the same ramp does not, so the judge would see it."""
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from freeze_test import BUILD, Capture, frozen, seen, wait_for

JERK = 3.0  # m/s3
HEAD = """<diagram format="1" name="smooth" period="4 ms">
  <parameter name="duration" value="20 s"/>
  <realtime lost_in_a_row="1000"/>
"""
PLACES = HEAD + """
  <block name="path" type="sources/Trajectory" times="0 2 4 6 8 s" points="0 0.1 0 0.1 0; m"/>
  <block name="peer" type="udp/UdpActuator" rest="0 m" port="{port}"/>
  <limits on="peer.values" magnitude="1" rate="0.2" acceleration="2" {jerk}/>
  <connect from="path.position" to="peer.values"/>
</diagram>
"""
TWISTS = HEAD + """
  <block name="path" type="sources/Trajectory" times="0 2 4 6 8 s" points="0 0.15 0 0.15 0; 0 0 0 0 0; 0 0 0 0 0; m/s"/>
  <block name="still" type="sources/Constant" value="0 0 0 rad/s"/>
  <block name="twist" type="kinematics/MakeTwist"/>
  <block name="peer" type="udp/UdpTwistActuator" port="{port}"/>
  <limits on="peer.twist" speed="0.2 m/s" angular_speed="1 rad/s" acceleration="2 m/s2" angular_acceleration="5 rad/s2"
          hold="100 ms" {jerk}/>
  <connect from="path.position" to="twist.linear"/>
  <connect from="still.y" to="twist.angular"/>
  <connect from="twist.twist" to="peer.twist"/>
</diagram>
"""


def run(text, jerk, stop_at, freeze=0.0):
    """What a run printed and its packets. It is frozen for `freeze` s and interrupted `stop_at` s after it has moved a
    little."""
    capture = Capture()
    with tempfile.TemporaryDirectory(prefix="hilda_jerk_") as folder:
        (Path(folder) / "smooth.xml").write_text(text.format(port=capture.port, jerk=jerk))
        process = subprocess.Popen([BUILD / "bin/hilda", "run", "smooth.xml", "--arm", "--no-log"], cwd=folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        wait_for(lambda: any(value > 0.012 for _, value in capture.packets[-1:]))
        time.sleep(stop_at / 2)
        stops = [frozen(process, freeze)] if freeze else []
        time.sleep(stop_at / 2)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=30)[0]
    return process.returncode, said, capture.end(), stops


class Jerk(unittest.TestCase):
    def peer_of(self, text, limit, stop_at, freeze=0.0):
        code, said, packets, stops = run(text, limit, stop_at, freeze)
        self.assertEqual(code, 130, said)
        twist = text is TWISTS
        self.assertGreater(max(abs(value) for _, value in packets), 0.01, "it moved")
        end, value = packets[-1]
        if twist:
            self.assertEqual(value, 0, f"{said}\n{packets[-8:]} {stops}")
        rest = [(end + 0.004 * k, value) for k in (1, 2, 3)]  # it stays there: velocity and acceleration have gone, too
        return seen(packets + rest, 0.004, twist, 1, stops)

    def check(self, text, stop_at, freeze=0.0):
        unit = "m/s3" if text is TWISTS else ""
        peer = self.peer_of(text, f'jerk="{JERK} {unit}"', stop_at, freeze)
        self.assertLessEqual(peer.jerk, JERK * 1.001)
        self.assertLessEqual(peer.speed, 0.2 * 1.001)
        self.assertLessEqual(peer.acceleration, 2 * 1.001)

    def test_is_kept_by_places(self):
        for stop_at in (0.0, 0.4, 0.8):
            self.check(PLACES, stop_at)

    def test_is_kept_by_twists(self):
        for stop_at in (0.0, 0.4, 0.8):
            self.check(TWISTS, stop_at)

    def test_is_kept_after_a_freeze(self):
        for freeze in (0.011, 0.05, 0.3):
            self.check(PLACES, 1.0, freeze)
            self.check(TWISTS, 1.0, freeze)

    def test_is_seen_by_the_judge_where_there_is_no_limit(self):
        for text in (PLACES, TWISTS):
            self.assertGreater(self.peer_of(text, "", 0.3).jerk, 2 * JERK)


if __name__ == "__main__":
    unittest.main()
