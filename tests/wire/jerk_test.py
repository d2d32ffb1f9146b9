# SPDX-License-Identifier: BSD-3-Clause
"""The limit of jerk on the wire: what a device is sent from rest, on the ramp after Ctrl-C and where cycles are lost keeps
`jerk` of its <limits>, and a velocity ends at zero. Without the limit the same ramp does not keep it, so the judge would
see it. The loop's clock is the test's own (own_clock.py)."""
import random
import signal
import unittest

from own_clock import interrupt, run, stall
from peer import HOLD, seen, seen_by_packets

JERK = 3.0  # m/s3
HEAD = """<diagram format="1" name="smooth" period="4 ms">
  <parameter name="duration" value="20 s"/>
  <realtime lost_in_a_row="1000"/>
"""
PLACES = HEAD + """
  <block name="path" type="sources/Trajectory" times="0 2 4 6 8 s" points="0 0.1 0 0.1 0; m"/>
  <block name="peer" type="udp/UdpActuator" rest="0 m" port="9"/>
  <limits on="peer.values" magnitude="1" rate="0.2" acceleration="2" {jerk}/>
  <connect from="path.position" to="peer.values"/>
</diagram>
"""
TWISTS = HEAD + """
  <block name="path" type="sources/Trajectory" times="0 2 4 6 8 s" points="0 0.15 0 0.15 0; 0 0 0 0 0; 0 0 0 0 0; m/s"/>
  <block name="still" type="sources/Constant" value="0 0 0 rad/s"/>
  <block name="twist" type="kinematics/MakeTwist"/>
  <block name="peer" type="udp/UdpTwistActuator" port="9"/>
  <limits on="peer.twist" speed="0.2 m/s" angular_speed="1 rad/s" acceleration="2 m/s2" angular_acceleration="5 rad/s2"
          hold="100 ms" {jerk}/>
  <connect from="path.position" to="twist.linear"/>
  <connect from="still.y" to="twist.angular"/>
  <connect from="twist.twist" to="peer.twist"/>
</diagram>
"""


class Jerk(unittest.TestCase):
    def peers_of(self, text, limit, stop_at, stalls=()):
        """Of a run that is interrupted `stop_at` s after it began to move."""
        events = sorted([(stop_at, interrupt(stop_at, signal.SIGINT)), *((at, stall(at, length)) for at, length in stalls)])
        done = run(text.format(jerk=limit), [event for _, event in events])
        self.assertEqual(done.code, 130, done.said)
        first = next(k for k, (_, value) in enumerate(done.packets) if value != 0)
        packets, twist = done.packets[first - 1:], text is TWISTS
        self.assertGreater(max(abs(value) for _, value in packets), 0.01, "it moved")
        end, value = packets[-1]
        if twist:
            self.assertEqual(value, 0, f"{done.said}\n{packets[-8:]} {stalls}")
        # it stays there: velocity and acceleration have gone, too
        packets += [(end + 0.004 * k, value) for k in (1, 2, 3)]
        return seen(packets, 0.004, twist), seen_by_packets(packets, 0.004, twist)

    def check(self, text, stop_at, stalls=()):
        unit = "m/s3" if text is TWISTS else ""
        for peer in self.peers_of(text, f'jerk="{JERK} {unit}"', stop_at, stalls):
            self.assertLessEqual(peer.jerk, JERK * 1.001, (stop_at, stalls))
            self.assertLessEqual(peer.speed, 0.2 * 1.001, (stop_at, stalls))
            self.assertLessEqual(peer.acceleration, 2 * 1.001, (stop_at, stalls))

    def test_is_kept_by_places(self):
        for stop_at in (0.5, 0.9, 1.3):
            self.check(PLACES, stop_at)

    def test_is_kept_by_twists(self):
        for stop_at in (0.5, 0.9, 1.3):
            self.check(TWISTS, stop_at)

    def test_is_kept_after_a_freeze(self):
        for length in (0.011, 0.05, 0.3):
            self.check(PLACES, 1.5, [(1.0, length)])
            self.check(TWISTS, 1.5, [(1.0, length)])

    def test_is_kept_whatever_is_lost_before_and_on_the_ramp(self):
        """A stall of about the time for which a twist continues by itself leaves open whether the device is at rest."""
        for seed in range(12):
            draw = random.Random(seed)
            stop_at = draw.uniform(0.5, 1.3)
            at, stalls = stop_at - 0.05, []
            while at < stop_at + 0.4:
                length = HOLD + draw.uniform(-1.5, 1.5) * 0.004 if draw.random() < 0.2 else draw.uniform(0, 0.012)
                stalls.append((at, length))
                at += length + draw.uniform(0.002, 0.06)
            self.check(PLACES if seed % 4 == 0 else TWISTS, stop_at, stalls)

    def test_is_seen_by_the_judge_where_there_is_no_limit(self):
        for text in (PLACES, TWISTS):
            for peer in self.peers_of(text, "", 0.8):
                self.assertGreater(peer.jerk, 2 * JERK)


if __name__ == "__main__":
    unittest.main()
