# SPDX-License-Identifier: BSD-3-Clause
"""What a peer at the other end of a wire is made to do, by the packets that it gets: it looks for a packet once a cycle.
A place that did not come is the place that it has; a twist that did not come continues for the time `hold`.

The peer's cycles may be its own, until it has been at rest, or begin again with each packet. docs/udp.md allows both, and a
program that lost a tick of several cannot know which: a gap of one cycle and a third is nothing to the one, and may be
a cycle without a packet to the other. The limits hold for both."""
import bisect

HOLD = 0.1  # s
SENDING = 2e-5  # s from the program's last look at its clock to the packet


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

    def take(self, value, held=False):
        """A packet at the end of a cycle. One that was held up is compared with the mildest possible case: the peer was
        at rest before it or continued, and what it asks for took all cycles since the last one or some."""
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

    def rest(self):
        self.velocities, self.change = [0.0], 0.0

    def miss(self, stands):
        """A cycle without a packet; a twist that continues leaves nothing known of the change to the next one."""
        self.cycles += 1
        self.velocities = [0.0] if stands else self.velocities
        self.change = 0.0 if stands else None


def seen(packets, cycle, twist, held=None):
    """The peer whose cycles are its own until it has been at rest, after all packets, without its own halts. `held`: packets
    that the machine held up; None: the program's clock is the peer's."""
    peer, missed, ends = Peer(cycle, twist), False, []
    grid = packets[0][0] if held is None else grid_of(packets, cycle) + 0.05 * cycle
    look, i, came = grid + cycle / 2 + SENDING, 0, packets[0][0]
    while i < len(packets):
        value, mild = None, False
        while i < len(packets) and packets[i][0] <= look:
            if twist and packets[i][0] - came > HOLD:
                peer.rest()
            (came, value), mild = packets[i], mild or (held is not None and held[i])
            i += 1
            if missed and held is None:
                look = came + cycle / 2 + SENDING
            missed = False
        if value is not None:
            peer.take(value, mild)
            ends.append(i)
        else:
            missed = True
            peer.miss(not twist or look - came > HOLD)
        look += cycle
    return told(peer, packets, ends)


def seen_by_packets(packets, cycle, twist):
    """The peer whose cycles begin with each packet: it takes one as it comes, and has seen a cycle without one after
    one and a half. The program's clock is its own."""
    peer, before = Peer(cycle, twist), packets[0][0]
    for came, value in packets:
        gap, before = came - before, came
        if gap > 1.5 * cycle + SENDING:
            peer.miss(not twist or gap > HOLD)
        peer.take(value)
    return told(peer, packets, range(1, len(packets) + 1))


def told(peer, packets, ends):
    """With the packets around the worst: cycle, value."""
    worst = ends[peer.worst]
    peer.around = [(round((came - packets[0][0]) / peer.cycle, 3), value)
                   for k, (came, value) in enumerate(packets) if abs(k - worst) < 8]
    return peer
