# SPDX-License-Identifier: BSD-3-Clause
"""Attacks by signals: every one that can be caught ends a run in order, and an armed one with its ramp."""
import collections
import concurrent.futures
import itertools
import os
import pty
import signal
import socket
import struct
import subprocess
import time
import zlib

from bench import Row, ends_with_parent

TITLE = "Signals and operators"

LONG = """<diagram format="1" name="long" period="1 ms">
  <block name="wave" type="sources/Sine" amplitude="1" frequency="2 Hz"/>
  <block name="gain" type="math/Gain" gain="2"/>
  <connect from="wave.y" to="gain.u"/>
</diagram>
"""
SPEED, ACCELERATION, PERIOD, HOLD = 0.2, 1.0, 0.004, 0.1
# A peer that follows a twist: it speeds up and then continues until it is commanded otherwise.
MOVES = f"""<diagram format="1" name="moves" period="4 ms">
  <realtime lost_in_a_row="1000"/>
  <block name="v" type="sources/Ramp" slope="0.5 0 0 m/s2"/>
  <block name="kept" type="math/Saturation" lower="-{SPEED} m/s" upper="{SPEED} m/s"/>
  <block name="w" type="sources/Constant" value="0 0 0 rad/s"/>
  <block name="make" type="kinematics/MakeTwist"/>
  <connect from="v.y" to="kept.u"/>
  <connect from="kept.y" to="make.linear"/>
  <connect from="w.y" to="make.angular"/>
  <block name="out" type="udp/UdpTwistActuator" port="PORT"/>
  <limits on="out.twist" speed="0.25 m/s" angular_speed="0.1 rad/s" acceleration="{ACCELERATION} m/s2"
          angular_acceleration="1 rad/s2" hold="{HOLD} s"/>
  <connect from="make.twist" to="out.twist"/>
</diagram>
"""

HARMLESS = {signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH}
IGNORED = {signal.SIGPIPE, signal.SIGXFSZ}
STOPS = {signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU}
UNCATCHABLE = {signal.SIGKILL, signal.SIGSTOP}
OF_THE_LIBRARY = {32, 33}  # the C library keeps these two


def all_signals():
    for number in range(1, signal.SIGRTMAX + 1):
        if number not in UNCATCHABLE and number not in OF_THE_LIBRARY:
            yield number


def name_of(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def goes_on(process, seconds=0.3):
    try:
        process.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        return True


def finish(process, timeout=60):
    try:
        _, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        _, err = process.communicate()
        err += b" (killed: it did not end)"
    return process.returncode, (err or b"").decode(errors="replace")


def wait_for(condition, timeout=60):
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def comes_to_a_stand(amount, seconds=1.0, timeout=60):
    """Until `amount()` is above 0 and has not changed for so long."""
    seen, since = 0, time.monotonic()

    def stands():
        nonlocal seen, since
        now = amount()
        if now != seen:
            seen, since = now, time.monotonic()
        return seen > 0 and time.monotonic() - since > seconds
    return wait_for(stands, timeout)


def of_each_signal(attack, bench, scale, to_one, at_a_time):
    """`to_one` gives what came of one signal and what failed. Most of it is waiting, so several have their turn at once."""
    numbers = list(all_signals()) * max(1, int(scale))
    with concurrent.futures.ProcessPoolExecutor(at_a_time, initializer=ends_with_parent()) as pool:
        done = list(pool.map(to_one, itertools.repeat(bench), numbers))
    outcomes = collections.Counter(outcome for outcome, failures in done if not failures)
    return Row(attack, len(numbers), outcomes, [failure for _, failures in done for failure in failures])


def signal_in_simulation(bench, number):
    folder, failures = bench.folder(), []
    (folder / "long.xml").write_text(LONG)
    process = bench.start(["run", "long.xml", "--for", "1e4s", "--log", "l.mcap", "--quiet"], folder)
    logs = lambda: [each for each in folder.iterdir() if each.name.startswith("l.mcap") and each.stat().st_size > 5000]
    if not wait_for(logs):
        return None, [f"{name_of(number)}: the run does not begin: {finish(process)}"]
    process.send_signal(number)
    expected = "ends in order, the log is whole"
    if number in HARMLESS | IGNORED | STOPS:
        expected = "stopped and continued" if number in STOPS else "continues"
        if not goes_on(process):
            failures.append(f"{name_of(number)} ends a simulation")
        process.send_signal(signal.SIGCONT)
        process.send_signal(signal.SIGINT)
    code, err = finish(process)
    info = bench.run(["info", "l.mcap"], folder)
    if code != 130 or info.exit != 0:
        failures.append(f"{name_of(number)} in simulation: exit {code}, info {info.exit}: {err[-300:]}{info.err[-200:]}")
    bench.clear()
    return expected, failures


SO_TIMESTAMPNS = 35  # asm-generic/socket.h; the message has the same number


class Peer:
    """Takes the twists of an armed run. It continues with the last one for HOLD, and then stops."""
    allowed_step = ACCELERATION * PERIOD * (1 + 1e-6)  # m/s from one packet to the next

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.setblocking(False)
        self.port = self.socket.getsockname()[1]
        self.speeds, self.times = [], []

    def take(self):
        while True:
            try:
                packet, messages, _, _ = self.socket.recvmsg(2048, socket.CMSG_SPACE(16))
            except BlockingIOError:
                return self.speeds
            assert struct.unpack("<I", packet[-4:])[0] == zlib.crc32(packet[:-4])
            seconds, nanoseconds = struct.unpack("qq", messages[0][2])  # when the kernel received it
            self.times.append(seconds + 1e-9 * nanoseconds)
            self.speeds.append(struct.unpack("<d", packet[24:32])[0])

    def moving(self):
        speeds = self.take()
        return len(speeds) > 0 and speeds[-1] > 0.5 * SPEED

    def largest_step(self, ends_at_once=False):
        """From what the peer does to the next packet. Two stop signals end a run with one zero, which is not a step."""
        speeds = self.take()
        done = [0.0] + [0.0 if later - time > HOLD else speed
                        for speed, time, later in zip(speeds, self.times, self.times[1:])]
        if ends_at_once and speeds[-1:] == [0.0]:
            speeds = speeds[:-1]
        return max((abs(b - a) for a, b in zip(done, speeds)), default=0.0)


def armed(bench, options=(), start=None):
    folder, peer = bench.folder(), Peer()
    (folder / "moves.xml").write_text(MOVES.replace("PORT", str(peer.port)))
    arguments = ["run", "moves.xml", "--arm", "--for", "60s", "--log", "l.mcap", *options]
    return folder, peer, (start or bench.start)(arguments, folder)


def came_to_rest(peer):
    if peer.largest_step() > peer.allowed_step:
        return f"a step of {peer.largest_step():.4f} m/s where {peer.allowed_step:.4f} is allowed"
    return "" if peer.speeds and abs(peer.speeds[-1]) < 1e-9 else f"ends at {peer.speeds[-1:]} m/s"


def signal_to_an_armed_run(bench, number):
    (folder, peer, process), failures = armed(bench), []
    if not wait_for(peer.moving):
        return None, [f"{name_of(number)}: the armed run does not move: {finish(process)}"]
    process.send_signal(number)
    expected = "ramps to rest"
    if number in HARMLESS | IGNORED | {signal.SIGTTIN, signal.SIGTTOU}:
        expected = "continues"
        if not goes_on(process):
            failures.append(f"{name_of(number)} ends an armed run")
        process.send_signal(signal.SIGINT)
    code, err = finish(process)
    problem = came_to_rest(peer)
    info = bench.run(["info", "l.mcap"], folder)
    if code != 130 or problem or info.exit != 0:
        failures.append(f"{name_of(number)} to an armed run: exit {code}, {problem}, info {info.exit}: {err[-300:]}")
    bench.clear()
    return expected, failures


def on_a_terminal(bench, detached):
    """The run has its own terminal, which is then closed, as a dropped ssh does."""
    master, slave = pty.openpty()

    def start(arguments, folder):
        bind = ends_with_parent()

        def controlling():
            os.setsid()
            bind()
            import fcntl
            import termios
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        return subprocess.Popen([bench.hilda, *arguments], cwd=folder, stdin=slave, stdout=slave, stderr=slave,
                                preexec_fn=controlling)

    folder, peer, process = armed(bench, ["--detach"] if detached else [], start)
    os.close(slave)
    moving = wait_for(peer.moving)
    os.close(master)
    return folder, peer, process, moving


def operators(bench, _scale):
    outcomes, failures, count = collections.Counter(), [], 0
    for detached in (False, True):
        _, peer, process, moving = on_a_terminal(bench, detached)
        count += 1
        alive = goes_on(process, 1.0) if detached else None
        if detached:
            before = len(peer.take())
            process.send_signal(signal.SIGTERM)
        code, _ = finish(process)
        problem = came_to_rest(peer)
        if not moving or code != 130 or problem or alive is False:
            failures.append(f"a lost terminal (detached: {detached}): moving {moving}, alive {alive}, exit {code}, {problem}")
        else:
            outcomes["continues until it receives a signal" if detached else "ramps to rest"] += 1
        bench.clear()
    yield Row("the terminal is lost, without and with --detach", count, outcomes, failures)

    outcomes, failures = collections.Counter(), []
    _, peer, process = armed(bench)
    wait_for(peer.moving)
    process.send_signal(signal.SIGINT)
    time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    code, err = finish(process)
    before, last = ([0, 0] + peer.take())[-2:]
    if code == 130 and abs(before) > 1e-3 and last == 0:
        outcomes["ends at once, with one packet of zero"] += 1
    else:
        failures.append(f"a second SIGINT: exit {code}, last speeds {before} and {last}: {err[-300:]}")
    bench.clear()
    # A closing terminal sends more than one SIGHUP; a session that ends sends SIGHUP, then SIGTERM.
    storms = [("SIGHUP five times", [signal.SIGHUP] * 5, 0.005)]
    storms += [(f"{name_of(first)}, then SIGTERM", [first, signal.SIGTERM], 0.02)
               for first in (signal.SIGHUP, signal.SIGPROF, signal.SIGRTMIN)]
    for told, sent, pause in storms:
        _, peer, process = armed(bench)
        wait_for(peer.moving)
        for number in sent:
            process.send_signal(number)
            time.sleep(pause)
        code, err = finish(process)
        problem = came_to_rest(peer)
        if code == 130 and not problem:
            outcomes["ramps to rest"] += 1
        else:
            failures.append(f"{told}: exit {code}, {problem}: {err[-300:]}")
        bench.clear()
    yield Row("SIGINT twice ends at once; SIGHUP five times, or another signal and then SIGTERM, does not", 5, outcomes,
              failures)


HANGS = '  <block name="it" type="ways/Misbehaves" way="hang" in="output" at="0.5 s"/>\n</diagram>'


def hangs(bench, _scale):
    """A block that does not come back: it is named, whether the program ends it or the operator does."""
    outcomes, failures = collections.Counter(), []
    plugins = ["--plugins", bench.build / "tests" / "cli" / "ways_plugins"]

    def judge(what, process, peer, ends, words):
        code, err = finish(process, 30)
        if code in ends and words in err and "it (ways/Misbehaves)" in err and peer.largest_step() <= peer.allowed_step:
            outcomes["named; nothing jumps"] += 1
        else:
            failures.append(f"{what}: exit {code}, largest step {peer.largest_step():.4f}: {err[-300:]!r}")
        bench.clear()

    _, peer, process = armed(bench, plugins, lambda words, at: run_with(bench, words, at, MOVES, HANGS))
    judge("a block hangs while devices move", process, peer, {3}, "has not come back from output")
    for interrupts, diagram in ((2, LONG), (3, MOVES)):
        folder, peer, process = armed(bench, plugins, lambda words, at: run_with(bench, words, at, diagram, HANGS))
        logged = lambda: sum(each.stat().st_size for each in folder.glob("l.mcap*"))
        comes_to_a_stand(logged if diagram is LONG else lambda: len(peer.take()))  # it hangs
        for _ in range(interrupts):
            process.send_signal(signal.SIGINT)
            time.sleep(0.05)
        judge(f"{interrupts} Ctrl-C to a hung block", process, peer, {-signal.SIGINT},
              "ended while a block had not come back")
    yield Row("a block that hangs, alone and with Ctrl-C", 3, outcomes, failures)


def run_with(bench, words, folder, diagram, more):
    """The run of `armed` with another diagram: one that moves nothing is not armed."""
    text = diagram.replace("</diagram>", more)
    port = (folder / "moves.xml").read_text().split('port="')[1].split('"')[0]
    (folder / "moves.xml").write_text(text.replace("PORT", port))
    return bench.start([word for word in words if diagram is MOVES or word != "--arm"], folder)


def attacks(bench, scale):
    yield of_each_signal("every catchable signal to a simulation", bench, scale, signal_in_simulation, 4)
    yield of_each_signal("every catchable signal to an armed run, seen from the peer that it moves", bench, scale,
                         signal_to_an_armed_run, 8)
    yield from operators(bench, scale)
    yield from hangs(bench, scale)
