# SPDX-License-Identifier: BSD-3-Clause
"""What the models of defaults/ should give: closed forms, and SciPy with tolerances of 1e-11."""
import math

import numpy as np
from scipy import integrate, linalg

TIGHT = dict(rtol=1e-11, atol=1e-13)


def solve(rates, start, t, breaks=(), method="DOP853", **options):
    """States at the times; the rates may jump at `breaks` (rates(t, x, piece))."""
    t, state, edges = np.asarray(t), np.array(start, float), [0.0, *breaks, max(t[-1], breaks[-1] + 1e-9 if breaks else 0) + 1e-9]
    out = np.zeros((len(state), len(t)))
    for piece, (a, b) in enumerate(zip(edges, edges[1:])):
        found = integrate.solve_ivp(lambda at, x: rates(at, x, piece), [a, b], state, method, dense_output=True, **{**TIGHT, **options})
        inside = (t >= a - 1e-12) & (t <= b)
        out[:, inside], state = found.sol(np.clip(t[inside], a, b)), found.y[:, -1]
    return out


def linear(a, b, start, t, pieces=((0.0, 1.0),)):
    """dx/dt = a x + b u, u piecewise constant: (from, value)."""
    a, b = np.array(a, float), np.array(b, float)
    n, rows = len(a), []
    whole = np.zeros((n + 1, n + 1))
    whole[:n, :n], whole[:n, n] = a, b
    for at in t:
        x = np.array(start, float)
        for i, (begin, u) in enumerate(pieces):
            end = min(at, pieces[i + 1][0] if i + 1 < len(pieces) else math.inf)
            if end <= begin:
                break
            x = (linalg.expm(whole * (end - begin)) @ [*x, u])[:n]
        rows.append(x)
    return np.array(rows).T


def until(rates, start, events, act, t, max_step=np.inf):
    """A run with events: at event i the state becomes act(i, time, x)."""
    t, at, x, out = np.asarray(t), 0.0, np.array(start, float), np.full((len(start), len(t)), np.nan)
    end = t[-1] + 1e-9
    for each in events:
        each.terminal = True
    while at < end:
        found = integrate.solve_ivp(rates, [at, end], x, "DOP853", dense_output=True, events=events, max_step=max_step, **TIGHT)
        inside = (t >= at - 1e-12) & (t <= found.t[-1] + 1e-12)
        out[:, inside] = found.sol(np.clip(t[inside], at, found.t[-1]))
        at, x = found.t[-1], found.y[:, -1]
        hit = [i for i, each in enumerate(found.t_events) if len(each)]
        if not hit:
            break
        x = np.array(act(hit[0], at, x), float)
    return out


def pulses(t, tau, repeat, width, high):
    """1/(tau s + 1) of a train of pulses."""
    rows = []
    for at in t:
        x, begin, k = 0.0, 0.0, 0
        while begin < at - 1e-15:
            for u, end in ((high, k * repeat + width), (0.0, (k + 1) * repeat)):
                stop = min(at, end)
                if stop > begin:
                    x, begin = u + (x - u) * math.exp(-(stop - begin) / tau), stop
            k += 1
        rows.append(x)
    return rows


def ball(g, k, e, x0, v0, t):
    def rates(_, x):
        return [x[1], -g - k * x[1] * abs(x[1])]

    def floor(_, x):
        return x[0]
    floor.direction = -1
    return until(rates, [x0, v0], [floor], lambda i, at, x: [0.0, -e * x[1]], t)[0]


def resting_ball(t):
    g, fall = 9.81, math.sqrt(2 / 9.81)
    rows = []
    for at in t:
        begin, v, x = fall, 0.7 * g * fall, None
        if at <= fall:
            x = 1 - g * at * at / 2
        while x is None:
            length = 2 * v / g
            if length < 1e-12:
                x = 0.0
            elif at <= begin + length:
                x = v * (at - begin) - g * (at - begin) ** 2 / 2
            else:
                begin, v = begin + length, 0.7 * v
        rows.append(x)
    return rows


def switching(rates, start, on, up, down, t):
    """rates(x, on) of one state that switches at up and down: on becomes False at up, True at down."""
    state = [on]

    def high(_, x):
        return x[0] - up if state[0] else -1.0

    def low(_, x):
        return x[0] - down if not state[0] else 1.0
    high.direction, low.direction = 1, -1

    def act(i, _, x):
        state[0] = i == 1
        return [up if i == 0 else down]
    return until(lambda _, x: [rates(x[0], state[0])], [start], [high, low], act, t)[0]


def delayed(rates, start, delay, t):
    """Steps of the delay: rates(x, x one delay ago)."""
    steps, out = [], []

    def past(at):
        return start if at < 0 else float(steps[min(int(at / delay + 1e-12), len(steps) - 1)](at)[0])
    x = start
    for k in range(int(t[-1] / delay) + 1):
        found = integrate.solve_ivp(lambda at, y: [rates(y[0], past(at - delay) if k else start)], [k * delay, (k + 1) * delay], [x],
                                    "DOP853", dense_output=True, max_step=delay / 20, **TIGHT)
        steps.append(found.sol)
        x = float(found.y[0, -1])
    for at in t:
        out.append(past(at))
    return out


def dry(t):
    """A mass on a spring of 40 N/m with 1 N of friction, from 0.23 m: half swings about +-1/40 m."""
    w, shift, rows = math.sqrt(40), 1 / 40, []
    half = math.pi / w
    for at in t:
        x, side, begin = 0.23, 1, 0.0
        while abs(x) > shift and at > begin + half:
            x, side, begin = -(x - 2 * side * shift), -side, begin + half
        rows.append(x if abs(x) <= shift else side * shift + (x - side * shift) * math.cos(w * (at - begin)))
    return rows


def limited(rates, start, t, breaks):
    return solve(rates, start, t, breaks, max_step=2e-3, rtol=1e-10, atol=1e-12)


def notch(t):
    w, f0, f1 = 2 * math.pi * 15, 2 * math.pi, 2 * math.pi * 40
    u = lambda at: math.sin(f0 * at + (f1 - f0) * at * at / 8)
    x = solve(lambda at, x, _: [x[1], u(at) - w * x[1] - w * w * x[0]], [0, 0], t)
    return [u(at) - w * v for at, v in zip(t, x[1])]


def reference(name, t):
    if name == "bouncing_ball":
        return ball(9.81, 0.2, 0.95, 1.0, 5.0, t)
    if name == "ball_at_rest":
        return resting_ball(t)
    if name == "van_der_pol":
        return solve(lambda _, x, p: [x[1], (1 - x[0] ** 2) * x[1] - x[0]], [2, 0], t)[0]
    if name == "van_der_pol_stiff":
        return solve(lambda _, x, p: [x[1], 1000 * (1 - x[0] ** 2) * x[1] - x[0]], [2, 0], t, method="Radau", rtol=1e-10, atol=1e-12)[0]
    if name == "lorenz":
        return solve(lambda _, x, p: [10 * (x[1] - x[0]), x[0] * (28 - x[2]) - x[1], x[0] * x[1] - 8 / 3 * x[2]], [1, 1, 1], t, rtol=1e-13)[0]
    if name == "pendulum":
        return solve(lambda _, x, p: [x[1], -9.81 * math.sin(x[0])], [0.9 * math.pi, 0], t)[0]
    if name == "cart_pole_pushed":
        def rates(_, s, piece):
            x, v, q, w = s
            d, f = 1 + 0.1 * math.sin(q) ** 2, (piece == 1) - 10 * v
            return [v, (f + 0.1 * math.sin(q) * (0.5 * w * w - 9.81 * math.cos(q))) / d, w,
                    (-f * math.cos(q) - 0.05 * w * w * math.cos(q) * math.sin(q) + 1.1 * 9.81 * math.sin(q)) / (0.5 * d)]
        return solve(rates, [0, 0, 0, 0], t, (1, 1.2), rtol=1e-12)[2]
    if name == "drive_train":
        def rates(_, s, piece):
            ref, i, twist, a, b = s
            free = 100 * (ref - a) + i
            u = min(max(free, -12), 12)
            spring = 1e4 * twist + 100 * (b - a)
            return [(0, 1, 0, -1, 0)[piece], 1000 * (ref - a) + (u - free) / 0.01, b - a, u + spring, (10 - spring) / 2]
        return limited(rates, [0, -10, 0.001, 0, 0], t, (0.5, 1.5, 0.5 + math.pi / 2, 1.5 + math.pi / 2))[3]
    if name == "relay_loop":
        return switching(lambda x, on: 1.0 if on else -1.0, 0.0, True, 0.537, -0.537, t)
    if name == "thermostat":
        rows = []
        for at in t:
            x, on, begin = 15.0, True, 0.0
            while True:
                final, edge = 15 + (5 / 0.45 if on else 0), 25.0 if on else 23.0
                length = math.log((x - final) / (edge - final)) / 0.45
                if at <= begin + length:
                    break
                x, on, begin = edge, not on, begin + length
            rows.append(final + (x - final) * math.exp(-0.45 * (at - begin)))
        return rows
    if name == "dc_motor":
        def rates(_, s, piece):
            i, lag, current, w = s
            e = (50, 100, 100, 100)[piece] - w
            free = 8 * e + i + 0.2 * (e - lag) / 0.01
            u = min(max(free, -24), 24)
            load = 0.05 if piece == 2 else 0
            return [15 * e + (u - free) / 0.1, (e - lag) / 0.01, (u - current - 0.1 * w) * 1000, 100 * (0.1 * current - 0.001 * w - load)]
        return solve(rates, [0, 0, 0, 0], t, (5, 10, 12), rtol=1e-9, atol=1e-11, max_step=5e-3)[3]
    if name == "smith_predictor":
        x = linear([[-(1 + 5.6 * 0.5) / 0.402, 5.6 / 0.402], [-1.25, 0]], [5.6 * 0.5 / 0.402, 1.25], [0, 0], [max(at - 0.939, 0) for at in t])
        return x[0]
    if name == "delay_equation":
        return [sum((-1) ** k * (at - (k - 1)) ** k / math.factorial(k) for k in range(int(at + 1e-12) + 2)) for at in t]
    if name == "mackey_glass":
        return delayed(lambda x, v: 2 * v / (1 + v**9.65) - x, 0.5, 2.0, t)
    if name == "robertson":
        return solve(lambda _, x, p: [-0.04 * x[0] + 1e4 * x[1] * x[2], 0.04 * x[0] - 1e4 * x[1] * x[2] - 3e7 * x[1] ** 2, 3e7 * x[1] ** 2],
                     [1, 0, 0], t, method="Radau", atol=1e-15)[0]
    if name == "arenstorf":
        m = 0.012277471

        def rates(_, s, p):
            x, y, u, v = s
            d1, d2 = ((x + m) ** 2 + y * y) ** 1.5, ((x - 1 + m) ** 2 + y * y) ** 1.5
            return [u, v, x - (1 - m) * (x + m) / d1 - m * (x - 1 + m) / d2 + 2 * v, y - (1 - m) * y / d1 - m * y / d2 - 2 * u]
        return solve(rates, [0.994, 0, 0, -2.00158510637908252240537862224], t, rtol=1e-13, atol=1e-14)[0]
    if name == "stick_slip":
        return belt(t)
    if name == "coulomb_oscillator":
        return dry(t)
    if name == "dead_beat":
        rows = []
        for at in t:
            x, v, begin = 1.0, 0.0, 0.0
            while True:
                u, h = -4 * x - 3 * v, min(0.5, at - begin)
                x, v = x + v * h + u * h * h / 2, v + u * h
                begin += 0.5
                if begin >= at - 1e-12:
                    break
            rows.append(x)
        return rows
    if name == "rc_ladder_pi":
        a, b, h = 1 / 0.36, 1 / 0.56, 0.005
        whole = np.zeros((3, 3))
        whole[:2] = [[-a - b, b, a], [b, -b, 0]]
        x, i, rows, step = np.zeros(2), 0.0, [], linalg.expm(whole * h)
        for k in range(int(t[-1] / h + 1e-9) + 1):
            u = 3 * (1 - x[1]) + i
            rows += [(linalg.expm(whole * (at - k * h)) @ [*x, u])[1] for at in t if k * h - 1e-9 <= at < (k + 1) * h - 1e-9]
            i, x = i + 20 * h * (1 - x[1]), (step @ [*x, u])[:2]
        return rows
    if name == "chirp_notch":
        return notch(t)
    if name == "lead_loop":  # lag z' = -20 z + e, lead = 100 e - 1800 z
        return linear([[0, 1, 0], [-100, -1, -1800], [-1, 0, -20]], [0, 100, 1], [0, 0, 0], t)[0]
    if name == "two_mass":
        w = math.sqrt(1000)

        def rates(_, s, piece):
            x, v, z, r, lag, n, m = s
            e = (piece == 1) - x
            u = 30 * e + 10 * (e - lag) / 0.01
            out = u - 0.9 * w * m
            return [v, -500 * (x - z) - (v - r) + out, r, 500 * (x - z) + v - r, (e - lag) / 0.01, m, u - w * m - w * w * n]
        return solve(rates, [0] * 7, t, (0.1,))[0]
    if name == "pwm_slow":
        return pulses(t, 0.02, 0.02, 0.00746, 3.3)
    if name == "pwm_fast":
        return pulses(t, 0.002, 62.5e-6, 21.875e-6, 6.0)
    if name in ("step_at_zero", "low_pass_at_zero"):
        return [1 - math.exp(-at) for at in t]
    if name == "feedback":
        return [5 / 6 * (1 - math.exp(-3 * max(at - 1, 0))) for at in t]
    if name == "step_at_odd_time":
        return [5 / 6 * (1 - math.exp(-60 * max(at - 0.1 - 0.001 / 3, 0))) for at in t]
    if name == "observer":
        a = np.zeros((4, 4))
        a[:2, :2], a[:2, 2:], a[2:, :2] = [[0, 1], [0, -2]], [[0, 0], [-9, -3]], [[18, 0], [64, 0]]
        a[2:, 2:] = np.array([[-18, 1], [-64, -2]]) + np.array([[0, 0], [-9, -3]])
        return linear(a, [0] * 4, [1, 0, 0, 0], t, ((0.0, 0.0),))[0]
    if name == "quadrotor_height":
        def rates(_, s, piece):
            i, lag, thrust, v, x = s
            e = (piece == 1) - x
            free = 6 * e + i + 3 * (e - lag) / 0.01
            u = min(max(free, -4.905), 4.905)
            return [0 if (free - u) * e > 0 else 3 * e, (e - lag) / 0.01, (u - thrust) / 0.05, 2 * thrust, v]
        return solve(rates, [0] * 5, t, (0.5,), rtol=1e-9, atol=1e-11, max_step=1e-3)[4]
    if name == "bicycle":
        return solve(lambda _, s, p: [math.cos(s[2]), math.sin(s[2]), math.tan((0, 0.5, 0, -0.5, 0)[p])], [0, 0, 0], t, (3, 4, 5, 6))[1]
    if name == "cannon":
        return [10 * at - at * at / 4 for at in t]
    if name == "lotka_volterra":
        return solve(lambda _, x, p: [1.5 * x[0] - x[0] * x[1], x[0] * x[1] - 3 * x[1]], [10, 5], t)[0]
    if name == "decay":
        return [8 * math.exp(-at / 2) for at in t]
    if name == "cruise":
        drag = 0.5 * 1.3 * 0.32 * 2.4

        def rates(at, s, piece):
            i, v = s
            free = 0.5 * (20 - v) + i
            u = min(max(free, 0), 1)
            slope = math.radians(6) * (0, at - 5, 1)[piece]
            force = 12 * 190 * (1 - 0.4 * (12 * v / 420 - 1) ** 2) * u
            return [0.1 * (20 - v) + (u - free) / 0.5, (force - 1600 * 9.8 * (math.sin(slope) + 0.01) - drag * v * v) / 1600]
        return solve(rates, [0.1687261, 20], t, (5, 6), rtol=1e-10, max_step=0.01)[1]
    if name == "slew_rate":
        def place(at):
            a, b = max(at - 0.1, 0), max(at - 0.6, 0)
            ramp = lambda s: 10 * min(s, 0.1) ** 2 + 2 * max(s - 0.1, 0)
            return ramp(a) - ramp(b)
        return [place(at) for at in t]
    if name == "butterworth":
        w = 4 * math.pi
        x = linear([[0, 1, 0], [0, 0, 1], [-w**3, -2 * w * w, -2 * w]], [0, 0, w**3], [0, 0, 0], t, ((0.0, 0.1), (0.1, 1.1)))
        return x[0]
    if name == "duffing":
        return solve(lambda at, x, p: [x[1], 0.5 * math.cos(1.2 * at) - 0.3 * x[1] + x[0] - x[0] ** 3], [1, 0], t)[0]
    if name == "sawtooth":
        return [at if at < 3 - 1e-9 else 2 + (at + 1e-9) % 1 - 1e-9 for at in t]
    raise KeyError(name)


def belt(t):
    """Sticks as PathSim's author has it: compared with -70 x - 10 v up to the force of sliding."""
    top, w, most = 3.0, 2 * math.pi / 50, 1.5 * 20 * 9.81
    stuck = [True]
    speed = lambda at: top * math.sin(w * at)
    sign = [1.0]

    def pull(at, s):
        return -70 * s[0] - 10 * (speed(at) if stuck[0] else s[1])

    def need(at, s):
        return abs(20 * top * w * math.cos(w * at) - pull(at, s)) - most if stuck[0] else -1.0

    def meet(at, s):
        return (speed(at) - s[1]) * sign[0] if not stuck[0] else 1.0
    need.direction, meet.direction = 1, -1

    def rates(at, s):
        if stuck[0]:
            return [speed(at), top * w * math.cos(w * at)]
        return [s[1], (pull(at, s) + sign[0] * most) / 20]

    def act(i, at, s):
        if i == 0:
            sign[0] = 1.0 if 20 * top * w * math.cos(w * at) - pull(at, s) > 0 else -1.0
            stuck[0] = False
        else:
            stuck[0] = True
            if abs(20 * top * w * math.cos(w * at) - pull(at, [s[0], speed(at)])) > most:
                stuck[0], sign[0] = False, -sign[0]
        return [s[0], speed(at)] if stuck[0] else [s[0], s[1]]
    return until(rates, [0.0, 0.0], [need, meet], act, t, max_step=0.05)[0]
