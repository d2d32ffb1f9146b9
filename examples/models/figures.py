#!/usr/bin/env python3
"""Runs the models of this folder and holds them against independent results: figures.py HILDA [MODEL ...]

The references are in references.json, 41 samples of each signal. With --write they are made again by SciPy (python3-scipy),
and the table of README.md from what comes out; without it a figure that is worse than its bound is an error.
"""

import argparse
import csv
import decimal
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
SAMPLES = 41

# Model: the signals that are compared, and the bound of the largest error, relative to the signal's largest value.
MODELS = {
    "dc_motor": (["current.y", "speed.y"], 1e-9),
    "servo_pid": (["servo.y"], 1e-4),
    "thermostat": (["room.y"], 1e-9),
    "smith_predictor": (["plant.y"], 2e-5),
    "anti_windup": (["plant_none.y", "plant_clamp.y", "plant_back_calculation.y"], 2e-5),
    "kalman_tracking": (["position.y", "velocity.y"], 1e-9),
    "range_bearing": (["filter.x", "filter.vy"], 1e-9),
    "van_der_pol": (["x.y"], 1e-6),
    "lorenz": (["x.y", "z.y"], 1e-6),
    "bang_bang": (["x.y"], 1e-3),
    "cart_pole": (["angle.y", "place.y"], 1e-8),
    "tank": (["level.y"], 1e-8),
    "quarter_car": (["car.y"], 1e-6),
    "half_car": (["car.y"], 1e-6),
    "stick_slip": (["place.y"], 1e-4),
    "remote_tracking": (["slave.y"], 2e-3),
    "pll": (["frequency.y"], 1e-8),
    "sigma_delta": (["mean.y"], 1e-9),
    "gain_scheduling": (["level.y"], 1e-5),
    "lqg": (["mass.y"], 1e-9),
    "traffic_light": (["queue.y", "light.walks", "light.state"], 1e-9),
    "wave_teleoperation": (["master.y", "place.y"], 1e-3),
    "bouncing_ball": (["height.y", "bounced.y"], 1e-11),
    "delayed_contact": (["position.y"], 1e-8),
    "three_delays": (["position.y"], 1e-11),
}

# Signals whose every change is compared with times: of this model, by this much at most, in s.
EVENTS = {"bouncing_ball": ("bounced.y", 1e-12)}


def run(hilda, name):
    """Times, and the columns of the signals, at 41 ticks; and all rows."""
    signals = MODELS[name][0]
    with tempfile.TemporaryDirectory() as folder:
        log, table = f"{folder}/run.mcap", f"{folder}/run.csv"
        subprocess.run([hilda, "run", f"{FOLDER}/{name}.xml", "--quiet", "--log", log], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([hilda, "export", log, *signals, "--csv", "-o", table], check=True, stdout=subprocess.DEVNULL)
        with open(table, newline="") as file:
            rows = [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]
    step = (len(rows) - 1) // (SAMPLES - 1)
    picked = rows[::step][:SAMPLES]
    return [row[0] for row in picked], [list(column) for column in zip(*[row[1:] for row in picked])], rows


def delayed_contact(at, mass=60, damping=50, stiffness=1000, delay="0.04", speed="0.02"):
    """The position in closed form: the transform, as a series in exp(-s delay), is a sum of powers of t - n delay. In
    60 digits, as its terms are far larger than their sum."""
    with decimal.localcontext() as context:
        context.prec = 60
        at, late, total, n = decimal.Decimal(repr(at)), decimal.Decimal(delay), decimal.Decimal(0), 0
        while n * late <= at:
            since = at - n * late
            for j in range(n + 1):
                factor = math.comb(n, j) * damping ** (n - j) * stiffness**j
                total += (-1) ** n * factor * since ** (n + j + 1) / (decimal.Decimal(mass) ** n * math.factorial(n + j + 1))
            n += 1
        return float(decimal.Decimal(speed) * total)


def three_delays(ticks, mass=60, damping=50, stiffness=1000, late=29, cycle=12, period=1e-3, speed=0.02):
    """The position at these ticks, tick by tick: between samples the force is constant."""
    import numpy as np

    motion, force = [(0.0, speed)], 0
    for tick in range(ticks[-1] + 1):
        if tick % cycle == 0:
            position, velocity = motion[tick - late] if tick >= late else (0, 0)
            force = stiffness * position + damping * velocity
        position, velocity = motion[-1]
        motion.append((position + velocity * period - force / mass * period**2 / 2, velocity - force / mass * period))
    return [np.array([place for place, _ in motion])[ticks]]


def references(name, times):
    """What SciPy, or a closed form, gives at these times: a column for each signal."""
    import numpy as np
    from scipy import integrate, linalg

    t = np.array(times)

    def solve(rates, start, method="DOP853", step=np.inf, at=t, rtol=1e-11, atol=1e-13):
        to = max(at[-1], 1e-9)
        return integrate.solve_ivp(rates, [0, to], start, method, t_eval=at, rtol=rtol, atol=atol, max_step=step).y

    def linear(a, b, start):
        """dx/dt = a x + b by the matrix exponential."""
        n = len(a)
        whole = np.zeros((n + 1, n + 1))
        whole[:n, :n], whole[:n, n] = a, b
        return np.array([(linalg.expm(whole * at) @ [*start, 1])[:n] for at in t]).T

    if name == "delayed_contact":
        return [np.array([delayed_contact(at) for at in times])]
    if name == "three_delays":
        return three_delays(np.round(t / 1e-3).astype(int))
    if name == "dc_motor":
        return linear([[-2, -0.1], [5, -0.1]], [24, 0], [0, 0])
    if name == "servo_pid":
        def rates(_, x):  # angle, speed, integral, what the derivative lags
            e = 1 - x[0]
            free = 8 * e + x[2] + (e - x[3]) / 0.02
            command = min(max(free, -5), 5)
            held = (free - command) * e > 0
            return [x[1], (2 * command - x[1]) / 0.1, 0 if held else 4 * e, (e - x[3]) / 0.02]
        return solve(rates, [0, 0, 0, 1], step=1e-3)[:1]
    if name == "thermostat":  # sampled each second: exact from second to second
        room, heating, rooms = 12.0, False, []
        for _ in range(int(t[-1]) + 1):
            rooms.append(room)
            heating = room <= 19.5 or (room < 20.5 and heating)
            final = (40 if heating else 0) - 5
            room = final + (room - final) * np.exp(-1 / 1800)
        return [np.array(rooms)[np.round(t).astype(int)]]
    if name == "smith_predictor":  # with a true model it is the loop without dead time, a dead time later
        at = np.unique(np.concatenate([[0], np.maximum(t - 1, 0)]))
        free = solve(lambda _, x: [(2 * (2 * (1 - x[0]) + x[1]) - x[0]) / 3, 1 - x[0]], [0, 0], at=at)[0]
        return [np.interp(np.maximum(t - 1, 0), at, free)]
    if name == "anti_windup":
        def loop(kind):
            def rates(_, x):
                e = 1 - x[0]
                free = 3 * e + x[2]
                command = min(max(free, -1.5), 1.5)
                rate = 2 * e
                if kind == "back_calculation":
                    rate -= (free - command) / 0.5
                elif kind == "clamp" and (free - command) * rate > 0:
                    rate = 0
                return [x[1], command - 2 * x[1] - x[0], rate]
            return solve(rates, [0, 0, 0], step=1e-3)[0]
        return [loop(kind) for kind in ("none", "clamp", "back_calculation")]
    if name == "kalman_tracking":  # in the form of information
        a, c = np.array([[1, 0.1], [0, 1]]), np.array([[1.0, 0]])
        q, r = np.array([[1e-3, 1e-3], [1e-3, 2e-2]]), np.array([[0.065]])
        x, p, rows = np.zeros(2), np.eye(2), []
        for k in range(int(round(t[-1] / 0.1)) + 1):
            at = 0.1 * k
            y = np.array([5 * np.sin(0.5 * at) + 0.3 * np.sin(29 * at) + 0.2 * np.sin(17 * at)])
            info = linalg.inv(p) + c.T @ linalg.inv(r) @ c
            x = linalg.solve(info, linalg.solve(p, x) + c.T @ linalg.solve(r, y))
            rows.append(x)
            x, p = a @ x, a @ linalg.inv(info) @ a.T + q
        return np.array(rows)[np.round(t / 0.1).astype(int)].T
    if name == "range_bearing":  # Jacobians by hand, the update in its plain form
        a, h = np.eye(4) + 0.1 * np.eye(4, k=2), np.zeros((2, 4))
        q, r = np.diag([1e-4, 1e-4, 1e-2, 1e-2]), np.diag([0.01, 0.0004])
        x, p, rows = np.array([9.0, 9, 0, 0]), np.diag([25.0, 25, 4, 4]), []
        for k in range(int(round(t[-1] / 0.1)) + 1):
            at = 0.1 * k
            place = np.array([10 + 4 * np.cos(0.4 * at), 6 + 3 * np.sin(0.4 * at)])
            y = np.array([np.hypot(*place) + 0.1 * np.sin(29 * at), np.arctan2(place[1], place[0]) + 0.02 * np.sin(17 * at)])
            far = np.hypot(x[0], x[1])
            h[:, :2] = [[x[0] / far, x[1] / far], [-x[1] / far**2, x[0] / far**2]]
            gain = p @ h.T @ linalg.inv(h @ p @ h.T + r)
            x, p = x + gain @ (y - [far, np.arctan2(x[1], x[0])]), (np.eye(4) - gain @ h) @ p
            rows.append(x)
            x, p = a @ x, a @ p @ a.T + q
        return np.array(rows)[np.round(t / 0.1).astype(int)][:, [0, 3]].T
    if name == "van_der_pol":
        return solve(lambda _, x: [x[1], (1 - x[0] ** 2) * x[1] - x[0]], [0.5, 0])[:1]
    if name == "lorenz":
        return solve(lambda _, x: [10 * (x[1] - x[0]), x[0] * (28 - x[2]) - x[1], x[0] * x[1] - 8 / 3 * x[2]],
                     [1, 1, 1], rtol=1e-13)[[0, 2]]
    if name == "bang_bang":  # thrust turns after 1 s, at half the way
        return [np.where(t < 1, 1 - t**2 / 2, (2 - t) ** 2 / 2)]
    if name == "cart_pole":
        observer = np.array([[-23, -1, 1, 0], [-1, -23, 0, 1], [-131.5, -11.499805, 0, 0], [-11.5, -131.500293, 0, 0]])
        takes = np.array([[0, 23, 1], [0, 1, 23], [0.97561, 131.5, 10.782], [-1.463415, 11.5, 147.292]])

        def rates(_, x):  # angle, its rate, place, its rate; the observer's place, angle and their rates
            force = np.array([3.162278, 49.538272, 5.914436, 12.846079]) @ x[4:]
            sine, cosine, spin = np.sin(x[0]), np.cos(x[0]), 0.05 * x[1] ** 2
            turning = (9.81 * sine - cosine * (force + spin * sine) / 1.1) / (0.5 * (4 / 3 - 0.1 * cosine**2 / 1.1))
            guess = observer @ x[4:] + takes @ [force, x[2], x[0]]
            return [x[1], turning, x[3], (force + spin * sine - 0.05 * turning * cosine) / 1.1, *guess]
        return solve(rates, [0.3, 0, 0, 0, 0, 0.25, 0, 0])[[0, 2]]
    if name == "tank":  # with the valve open, and from where it leaves its end
        def leaves(_, x):
            return x[0] - 1
        leaves.terminal = True
        end = max(t[-1], 1e-9)
        full = integrate.solve_ivp(lambda _, x: [0.8 - 0.5 * np.sqrt(x[0])], [0, end], [0.2], "DOP853", rtol=1e-12,
                                   atol=1e-14, events=leaves, dense_output=True)
        left = full.t[-1]
        rest = integrate.solve_ivp(lambda _, x: [1.6 * (1.5 - x[0]) - 0.5 * np.sqrt(x[0])], [left, end], [1.0], "DOP853",
                                   rtol=1e-12, atol=1e-14, dense_output=True)
        return [np.where(t < left, full.sol(t)[0], rest.sol(np.maximum(t, left))[0])]
    if name == "quarter_car":
        a = [[0, 1, 0, 0], [-64, -6, 64, 6], [0, 0, 0, 1], [400, 37.5, -5400, -37.5]]
        return linear(a, [0, 0, 0, 500], [0, 0, 0, 0])[[0, 2]]
    if name == "half_car":  # exact before the rear wheel meets the step, and after
        a = np.array([[0, 1, 0, 0, 0, 0, 0, 0], [-40, -3, -6, -0.45, 20, 1.5, 20, 1.5], [0, 0, 0, 1, 0, 0, 0, 0],
                      [-4, -0.3, -49.2, -3.69, -16, -1.2, 20, 1.5], [0, 0, 0, 0, 0, 1, 0, 0],
                      [400, 30, -480, -36, -4400, -30, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1], [400, 30, 600, 45, 0, 0, -4400, -30]])

        def moved(b, state, by):
            whole = np.zeros((9, 9))
            whole[:8, :8], whole[:8, 8] = a, b
            return (linalg.expm(whole * by) @ [*state, 1])[:8]
        front, both = [0, 0, 0, 0, 0, 400, 0, 0], [0, 0, 0, 0, 0, 400, 0, 400]
        met = moved(front, np.zeros(8), 0.1)
        rows = [moved(front, np.zeros(8), at) if at <= 0.1 else moved(both, met, at - 0.1) for at in t]
        return np.array(rows).T[[0, 2]]
    if name == "stick_slip":
        def rates(at, x):  # place, speed, bristles
            g = 1 + 0.5 * np.exp(-((x[1] / 0.01) ** 2))
            bending = x[1] - 1e4 * abs(x[1]) / g * x[2]
            return [x[1], 2 * (0.1 * at - x[0]) - (1e4 * x[2] + 100 * bending + 0.4 * x[1]), bending]
        return solve(rates, [0, 0, 0], "LSODA", rtol=1e-10, atol=1e-13)[:1]
    if name == "remote_tracking":
        def rates(at, x):  # place, speed, what the derivative lags
            late = at - 0.2 - 0.1 * np.sin(0.7 * at)
            e = (np.cos(late) if late >= 0 else 1) - x[0]
            return [x[1], 40 * e + 10 * (e - x[2]) / 0.01 - 0.5 * x[1], (e - x[2]) / 0.01]
        return solve(rates, [0, 0, 1], step=1e-3)[:1]
    if name == "pll":
        x = solve(lambda at, x: [(np.sin(20 * np.pi * at) * np.cos(x[2]) - x[0]) / 0.01, x[0], 60 + 20 * x[0] + 60 * x[1]],
                  [0, 0, 0], step=1e-2)
        return [60 + 20 * x[0] + 60 * x[1]]
    if name == "sigma_delta":  # exact from sample to sample
        first = second = 0.0
        bits, means = [], []
        for k in range(int(round(t[-1] / 1e-4)) + 1):
            bit = 1.0 if second >= 0 else -1.0
            first = first + 0.5 * np.sin(10 * np.pi * k * 1e-4) - bit
            second = second + first - bit
            bits = (bits or [bit] * 64)[-63:] + [bit]
            means.append(sum(bits) / 64)
        return [np.array(means)[np.round(t / 1e-4).astype(int)]]
    if name == "gain_scheduling":  # from one step of the target level to the next
        def rates(wanted):
            def of(_, x):  # level, integral
                kp = np.interp(x[0], [0.1, 0.5, 1, 2], [0.05, 0.6, 2.2, 8.4])
                ki = np.interp(x[0], [0.1, 0.5, 1, 2], [0.03, 0.3, 1.1, 4.2])
                inflow = max(kp * (wanted - x[0]) + x[1], 0)
                return [(inflow - 0.4 * np.sqrt(max(x[0], 0))) / (x[0] ** 2 + 0.01), ki * (wanted - x[0])]
            return of
        levels, state = np.zeros(len(t)), [0.5, 0.28]
        for begin, wanted in ((0, 0.8), (10, 1.6)):
            end = begin + 10
            inside = (t >= begin) & (t <= end)
            found = integrate.solve_ivp(rates(wanted), [begin, end], state, "DOP853", rtol=1e-11, atol=1e-13,
                                        max_step=1e-2, dense_output=True)
            levels[inside], state = found.sol(t[inside])[0], found.y[:, -1]
        return [levels]
    if name == "lqg":  # the filter in the form of information
        a, b, c = np.array([[1, 0.05], [0, 1]]), np.array([0.00125, 0.05]), np.array([[1.0, 0]])
        q, r, gain = np.array([[1e-7, 2e-6], [2e-6, 1e-4]]), np.array([[2.05e-3]]), np.array([2.9, 2.5])
        x, guess, p, places = np.array([1.0, 0]), np.zeros(2), np.eye(2), []
        for k in range(int(round(t[-1] / 0.05)) + 1):
            at = 0.05 * k
            places.append(x[0])
            push = -gain @ guess
            y = np.array([x[0] + 0.05 * np.sin(37 * at) + 0.04 * np.cos(53 * at)])
            info = linalg.inv(p) + c.T @ linalg.inv(r) @ c
            guess = linalg.solve(info, linalg.solve(p, guess) + c.T @ linalg.solve(r, y))
            guess, p = a @ guess + b * push, a @ linalg.inv(info) @ a.T + q
            x = a @ x + b * (push + 0.4 * np.sin(1.3 * at) + 0.3 * np.sin(5 * at))
        return [np.array(places)[np.round(t / 0.05).astype(int)]]
    if name == "traffic_light":  # by a clock of each phase, sampled twice a second
        queue, flow, walks, asked, phase, begun, rows = 0.0, 0.0, 0, False, 0, 0, []
        for k in range(int(round(t[-1] / 0.5)) + 1):
            time = 0.5 * k
            pressed = time >= 12 and (time - 12) % 71 < 1
            stays = time - begun
            if k == 0:
                pass
            elif phase == 0 and asked and stays >= 20 or phase == 1 and stays >= 3 or phase == 2 and stays >= 10 or phase == 3 and stays >= 5:
                phase, begun = (phase + 1) % 4, time
                if phase == 2:
                    flow, asked, walks = 0.0, False, walks + 1
            elif phase < 2:
                asked, flow = asked or pressed, 1.0 if queue > 0.05 else 0.3713
            rows.append([queue, walks, phase])
            queue += 0.5 * (0.3713 - flow)
        return np.array(rows)[np.round(t / 0.5).astype(int)].T
    if name == "wave_teleoperation":  # in steps of the shortest delay: what arrives was sent in one before
        late, steps = 0.1, []

        def sent(at, x):  # from master to slave; x: the state at that time
            return 2 * x[0] - returned(at)

        def returned(at):
            then = at - 0.15 - 0.05 * np.cos(3 * at)
            return np.sqrt(1 + 0.15 * np.sin(3 * at)) * echo(then, past(then)) if then >= 0 and steps else 0.0

        def arrived(at):
            then = at - 0.15 - 0.05 * np.sin(2 * at)
            return np.sqrt(1 - 0.1 * np.cos(2 * at)) * sent(then, past(then)) if then >= 0 and steps else 0.0

        def force(come, x):
            wanted = (2 * come + 4 * x[1] - 50 * x[2]) / 6
            return wanted, 4 * (wanted - x[1]) + 50 * x[2]

        def echo(at, x):
            come = arrived(at)
            return come - force(come, x)[1]

        def past(at):
            return steps[min(int((at + 1e-12) / late), len(steps) - 1)](at)

        def rates(at, x):  # master's speed, slave's speed, stretch, slave's place
            wanted, pull = force(arrived(at), x)
            return [2 * np.sin(2 * at) - (2 * x[0] - 2 * returned(at)), pull - 20 * x[3] - 0.5 * x[1], wanted - x[1], x[1]]

        state = np.zeros(4)
        for k in range(60):
            found = integrate.solve_ivp(rates, [k * late, (k + 1) * late], state, "DOP853", rtol=1e-9, atol=1e-12,
                                        dense_output=True)
            steps.append(found.sol)
            state = found.y[:, -1]
        return np.array([past(at) for at in t]).T[[0, 3]]
    if name == "bouncing_ball":  # it falls freely between two bounces
        hits = bounces()
        number = np.searchsorted(hits, t)
        since = t - np.concatenate([[0], hits])[number]
        speed = np.where(number > 0, np.sqrt(20) * 0.9**number, 0)
        return [np.where(number > 0, 0, 1) + speed * since - 5 * since**2, np.concatenate([[0], hits])[number]]
    raise KeyError(name)


def bounces():
    """When a ball that falls from 1 m at 10 m/s2 and keeps 0.9 of its speed meets the floor."""
    fall = 0.2**0.5
    times = [fall]
    while len(times) < 20:
        times.append(fall + 2 * fall * sum(0.9**k for k in range(1, len(times) + 1)))
    return times


def worst_event(rows, column):
    """How far the changes of a column are from the times when it bounces; None where one is missing."""
    changes = sorted({row[column] for row in rows} - {0})
    wanted = bounces()
    return max(abs(a - b) for a, b in zip(changes, wanted)) if len(changes) == len(wanted) else None


def worst(found, wanted):
    """The largest error of any signal, relative to its largest value."""
    return max(max(abs(a - b) for a, b in zip(x, y)) / max(abs(b) for b in y) for x, y in zip(found, wanted))


def facts(name):
    text = (FOLDER / f"{name}.xml").read_text()
    return text.count("<block "), text.count("\n"), re.search(r'period="([^"]*)"', text)[1], re.search(r' doc="([^"]*)"', text)[1]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("hilda")
    arguments.add_argument("models", nargs="*")
    arguments.add_argument("--write", action="store_true")
    given = arguments.parse_args()
    file, page = FOLDER / "references.json", FOLDER / "README.md"
    stored = json.loads(file.read_text()) if file.exists() else {}
    lines, failed = [], False
    for name in given.models or MODELS:
        times, found, rows = run(given.hilda, name)
        if given.write:
            stored[name] = {"times": times, "values": [[float(v) for v in column] for column in references(name, times)]}
        elif max(abs(a - b) for a, b in zip(times, stored[name]["times"])) > 1e-9:
            sys.exit(f"{name}: its times are not those of references.json; rewrite that file with --write")
        error = worst(found, stored[name]["values"])
        bound = MODELS[name][1]
        failed = failed or not error <= bound
        print(f"{name}: {error:.1e} (bound {bound:.0e}){'' if error <= bound else '  MISSED'}")
        if name in EVENTS:
            signal, limit = EVENTS[name]
            off = worst_event(rows, 1 + MODELS[name][0].index(signal))
            kept = off is not None and off <= limit
            failed = failed or not kept
            print(f"{name}: events " + ("are missing" if off is None else f"right to {off:.1e} s") +
                  f" (bound {limit:.0e} s){'' if kept else '  MISSED'}")
        blocks, length, period, doc = facts(name)
        lines.append(f"| [{name}]({name}.xml) | {doc} | {blocks} | {length} | {period} | {', '.join(MODELS[name][0])} | {error:.0e} |")
    if given.write:
        file.write_text(json.dumps(stored, indent=0).replace(",\n", ", ") + "\n")
        if page.exists() and not given.models:
            text = page.read_text()
            head, rest = text.split("<!-- models: written by figures.py -->\n")
            rest = rest.split("<!-- end of models -->\n")[1]
            page.write_text(head + "<!-- models: written by figures.py -->\n| model | what | blocks | lines | period | signals | "
                            "largest error |\n|---|---|---|---|---|---|---|\n" + "\n".join(lines) +
                            "\n<!-- end of models -->\n" + rest)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
