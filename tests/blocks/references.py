#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes references.h: what NumPy and SciPy give for the inputs of the tests next to it.

Requires python3-scipy. Run it again after a change here: tests/blocks/references.py
"""

import pathlib

import numpy as np
import scipy
from scipy import integrate, interpolate, linalg, signal

TABLES = []


def table(name, values, doc):
    TABLES.append((name, np.asarray(values, dtype=float).ravel(), doc))


def wave(k):
    """The input of the filters' tests: sine() of the C++ side, at tick k."""
    return np.sin(0.3 * k) + 0.5 * np.sin(1.7 * k + 1)


def filters():
    k = np.arange(60)
    u = wave(k)
    sos = signal.ellip(6, 0.5, 50, 0.3, output="sos")
    table("elliptic_sections", sos, "scipy.signal.ellip(6, 0.5, 50, 0.3, output='sos')")
    table("elliptic_output", signal.sosfilt(sos, u), "scipy.signal.sosfilt of it")
    taps = signal.firwin(9, 0.4)
    table("window_taps", taps, "scipy.signal.firwin(9, 0.4)")
    table("window_output", signal.lfilter(taps, 1, u), "scipy.signal.lfilter of them")
    zeros, poles, gain = [-0.5, 0.2 + 0.3j, 0.2 - 0.3j], [0.9, 0.4, 0.5 + 0.4j, 0.5 - 0.4j, -0.2], 0.7
    b, a = signal.zpk2tf(zeros, poles, gain)
    table("zero_pole_output", signal.lfilter(np.concatenate([np.zeros(len(a) - len(b)), b]), a, u),
          "zeros -0.5 0.2+-0.3j, poles 0.9 0.4 0.5+-0.4j -0.2, gain 0.7, as a polynomial by scipy.signal.lfilter")
    T, w, z = 1e-3, 2 * np.pi * 60, 0.4
    # Prewarped by hand: the frequency that the transform moves to w.
    moved = 2 / T * np.tan(w * T / 2)
    b, a = signal.bilinear([1, 2 * 0.1 * z * moved, moved**2], [1, 2 * z * moved, moved**2], 1 / T)
    # At rest at the first input: what it does to the deviation from it.
    table("notch_output", u[0] + signal.lfilter(b, a, u - u[0]), "60 Hz, damping 0.4, depth 0.1 at 1 kHz by scipy.signal.bilinear")


def spectra():
    u = wave(np.arange(60))
    for name, window in (("hann", "hann"), ("flat_top", "flattop")):
        w = signal.get_window(window, 60)
        lines = 2 * np.abs(np.fft.rfft(w * u)) / w.sum()
        lines[[0, -1]] /= 2
        table(f"{name}_spectrum", lines, f"numpy.fft.rfft of 60 samples in scipy.signal.get_window('{window}'), amplitudes")


def continuous():
    zeros, poles, gain = [-3], [-1, -2 + 5j, -2 - 5j, -8], 40
    t = np.linspace(0, 2, 201)
    _, y = signal.step((zeros, poles, gain), T=t)
    table("zero_pole_step", y[::10], "step response of 40 (s + 3) / ((s + 1) (s + 2 +- 5j) (s + 8)) at 0, 0.1 ... 2 s")

    # PID with limits and back calculation around 1 / (s + 1)^2.
    kp, ki, kd, tau, top, track = 8, 6, 1, 0.05, 3, 0.5

    def parts(x):
        e = 1 - x[1]
        free = kp * e + x[2] + kd * (e - x[3]) / tau
        return e, free, min(max(free, -top), top)

    def rates(_, x):
        e, free, command = parts(x)
        return [command - x[0], x[0] - x[1], ki * e - (free - command) / track, (e - x[3]) / tau]

    s = integrate.solve_ivp(rates, [0, 8], [0, 0, 0, 1], method="DOP853", rtol=1e-10, atol=1e-12, max_step=1e-3,
                            t_eval=np.arange(0, 8.01, 0.5))
    table("limited_pid_output", s.y[1], "solve_ivp (DOP853) of continuous/Pid around 1 / (s + 1)^2, every 0.5 s")

    # A mass on a spring whose other end moves, with LuGre friction: stick and slip (Canudas de Wit 1995, Fig. 4).
    mass, spring, pull = 1.0, 2.0, 0.1
    s0, s1, s2, fc, fs, vs = 1e5, np.sqrt(1e5), 0.4, 1.0, 1.5, 1e-3

    def slide(t, x):
        p, v, bristle = x
        g = fc + (fs - fc) * np.exp(-((v / vs) ** 2))
        dz = v - s0 * abs(v) / g * bristle
        return [v, (spring * (pull * t - p) - (s0 * bristle + s1 * dz + s2 * v)) / mass, dz]

    s = integrate.solve_ivp(slide, [0, 20], [0, 0, 0], method="LSODA", rtol=1e-9, atol=1e-13,
                            t_eval=np.arange(0, 20.01, 1))
    table("stick_slip_position", s.y[0], "solve_ivp (LSODA) of a mass drawn by a spring over LuGre friction, every second")


def curves():
    x, y = np.array([0.0, 1, 2.5, 3, 4.2, 6]), np.array([0.0, 2, 1.5, 3, 3, -1])
    at = np.linspace(0, 6, 41)
    table("curve_at", at, "where the curves through (0 1 2.5 3 4.2 6; 0 2 1.5 3 3 -1) are compared")
    table("spline_curve", interpolate.CubicSpline(x, y)(at), "scipy.interpolate.CubicSpline, not-a-knot")
    table("monotone_curve", interpolate.PchipInterpolator(x, y)(at), "scipy.interpolate.PchipInterpolator")
    three = interpolate.CubicSpline(x[:3], y[:3])
    table("parabola_curve", three(np.linspace(0, 2.5, 11)), "the same through the first three points")
    for ends in ("clamped", "natural"):
        s = interpolate.CubicSpline(x, y, bc_type=ends)
        table(f"{ends}_motion", np.array([s(at[:-1]), s(at[:-1], 1), s(at[:-1], 2)]).T,
              f"CubicSpline, {ends}: position, velocity, acceleration")
    grid = (np.array([0.0, 1, 3]), np.array([-1.0, 2]), np.array([0.0, 0.5, 1, 4]))
    values = np.sin(np.arange(24)).reshape(3, 2, 4)
    table("grid_values", values, "sin(0), sin(1) ... on the grid 0 1 3 / -1 2 / 0 0.5 1 4")
    k = np.arange(30)
    points = np.stack([1.5 + 1.5 * np.sin(0.3 * k), 0.5 + 1.5 * np.sin(0.7 * k), 2 + 2 * np.sin(1.1 * k)], 1)
    table("grid_output", interpolate.RegularGridInterpolator(grid, values)(points),
          "scipy.interpolate.RegularGridInterpolator along sines")


def estimators():
    # Constant velocity, position measured, in the form of information (inverse covariances): another algorithm.
    T = 0.1
    A, B, C = np.array([[1, T], [0, 1]]), np.array([[T * T / 2], [T]]), np.array([[1.0, 0]])
    Q, R = np.array([[1e-4, 2e-4], [2e-4, 1e-3]]), np.array([[0.04]])
    x, P, rows = np.array([1.0, -1]), np.diag([4.0, 2]), []
    for k in range(40):
        y = np.array([wave(k)])
        if k % 7 != 3:  # the tick without a measurement
            info = linalg.inv(P) + C.T @ linalg.inv(R) @ C
            x = linalg.solve(info, linalg.solve(P, x) + C.T @ linalg.solve(R, y))
            P = linalg.inv(info)
        rows.append([*x, P[0, 0], P[0, 1], P[1, 1]])
        x = A @ x + B[:, 0] * wave(2 * k)
        P = A @ P @ A.T + Q
    table("kalman_rows", rows, "estimate and covariance of a Kalman filter in the information form")

    # The extended filter with Jacobians by hand and the plain form of the update.
    def extended(x, P, f, F, h, H, Q, R, measurements):
        for z in measurements:
            C = H(x)
            K = P @ C.T @ linalg.inv(C @ P @ C.T + R)
            x, P = x + K @ (z - h(x)), (np.eye(len(x)) - K @ C) @ P
            yield x, P
            A = F(x)
            x, P = f(x), A @ P @ A.T + Q

    def drift(x):
        speed = np.hypot(x[2], x[3])
        return np.array([x[0] + T * x[2], x[1] + T * x[3], x[2] - 0.02 * T * x[2] * speed, x[3] - 0.02 * T * x[3] * speed])

    def drift_slope(x):
        vx, vy, speed = x[2], x[3], np.hypot(x[2], x[3])
        A = np.eye(4)
        A[0, 2] = A[1, 3] = T
        if speed > 0:
            A[2:, 2:] -= 0.02 * T * np.array([[speed + vx * vx / speed, vx * vy / speed],
                                              [vx * vy / speed, speed + vy * vy / speed]])
        return A

    def seen(x):
        return np.array([np.hypot(x[0], x[1]), np.arctan2(x[1], x[0])])

    def seen_slope(x):
        r = np.hypot(x[0], x[1])
        return np.array([[x[0] / r, x[1] / r, 0, 0], [-x[1] / r**2, x[0] / r**2, 0, 0]])

    T = 0.1
    found = extended(np.array([6.0, 4, 0, 0]), np.diag([4.0, 4, 1, 1]), drift, drift_slope, seen, seen_slope,
                     np.diag([1e-4, 1e-4, 1e-2, 1e-2]), np.diag([0.09, 0.0025]),
                     [np.array([8 + 0.2 * wave(k), 0.6 + 0.02 * wave(3 * k)]) for k in range(40)])
    table("range_bearing_rows", [[*x, *np.diag(P)] for x, P in found], "an extended Kalman filter, Jacobians by hand")

    T = 0.05
    found = extended(np.array([0.3, 0]), np.diag([0.25, 1.0]),
                     lambda x: np.array([x[0] + T * x[1], x[1] - T * (9.81 * np.sin(x[0]) + 0.1 * x[1])]),
                     lambda x: np.array([[1, T], [-T * 9.81 * np.cos(x[0]), 1 - 0.1 * T]]),
                     lambda x: np.array([np.sin(x[0])]), lambda x: np.array([[np.cos(x[0]), 0]]),
                     np.diag([1e-6, 4e-4]), np.array([[0.01]]), [np.array([0.5 * wave(k)]) for k in range(40)])
    table("pendulum_rows", [[*x, P[0, 0], P[0, 1], P[1, 1]] for x, P in found], "the same of a pendulum")

    # Weighted least squares over all ticks so far, with the first guess as further rows.
    weight, rows = 0.95, []
    for last in range(1, 41):
        k = np.arange(last)
        r = np.stack([wave(k), np.cos(0.5 * k), np.ones(last)], 1)
        y = r @ [2, -1, 0.5] + 0.1 * np.sin(3.1 * k)
        w = np.sqrt(weight ** (last - 1 - k))
        guess = np.sqrt(weight**last / 10) * np.eye(3)
        rows.append(linalg.lstsq(np.vstack([w[:, None] * r, guess]), np.concatenate([w * y, np.zeros(3)]))[0])
    table("least_squares_rows", rows, "parameters by weighted least squares over all ticks so far (scipy.linalg.lstsq)")

    m = np.array([[0.0, 2, 1, 3], [1, 1, 0, 2], [4, 0, 2, -1], [2, 5, 3, 1]])
    table("inverse", linalg.inv(m).T, "of 0 2 1 3; 1 1 0 2; 4 0 2 -1; 2 5 3 1, column by column")
    table("solution", linalg.solve(m, [1, 2, 3, 4]), "of that matrix and 1 2 3 4")


def main():
    for part in (filters, spectra, continuous, curves, estimators):
        part()
    out = pathlib.Path(__file__).with_name("references.h")
    lines = ["// SPDX-License-Identifier: BSD-3-Clause", "#pragma once", "", f"// Written by references.py with NumPy {np.__version__} and SciPy {scipy.__version__}.", "",
             "namespace hilda::test::reference {", ""]
    for name, values, doc in TABLES:
        lines += [f"/// {doc}", f"inline constexpr double {name}[] = {{"]
        texts = [repr(float(v)) for v in values]
        row = ""
        for text in texts:
            if len(row) + len(text) + 2 > 112:
                lines.append("    " + row.rstrip())
                row = ""
            row += text + ", "
        lines += ["    " + row.rstrip(", ") + "};", ""]
    lines += ["} // namespace hilda::test::reference", ""]
    out.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
