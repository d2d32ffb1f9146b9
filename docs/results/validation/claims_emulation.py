# SPDX-License-Identifier: BSD-3-Clause
"""What our diagrams give for each claim of the paper on robot emulation (claims.json: emulation-*). See claims_contact.py."""
import cmath
import csv
import math
import subprocess
import tempfile
from pathlib import Path

from claims_contact import verdict
from runs import hilda, project, run

SCHEMES = ("emulation_constrained", "emulation_unconstrained")


def linearize(diagram, source, target, *settings, lowest=1, highest=100, points=3):
    """Poles, and the frequency response as pairs of a frequency and a complex number."""
    with tempfile.TemporaryDirectory() as folder:
        stem = str(Path(folder) / "model")
        command = [hilda, "linearize", str(project / "diagrams" / f"{diagram}.xml"), "--from", source, "--out", stem,
                   "--lowest", str(lowest), "--highest", str(highest), "--points", str(points)]
        for name in target:
            command += ["--to", name]
        for setting in settings:
            command += ["--set", setting]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(stem + "_poles.csv") as f:
            poles = [complex(float(r[0]), float(r[1])) for r in list(csv.reader(f))[1:]]
        with open(stem + "_response.csv") as f:
            rows = [[float(x) for x in r] for r in list(csv.reader(f))[1:]]
    return poles, [[r[0]] + [cmath.rect(10 ** (r[i] / 20), math.radians(r[i + 1])) for i in range(1, len(r), 2)] for r in rows]


def schemes_agree():
    errors = [run(d, "actuator_bandwidth=0", f"inertia_ratio={q}", until="5 s").data["force_error"]["max"]
              for d in SCHEMES for q in (0.1, 0.5, 1, 2)]
    return f"both with an ideal actuator, Q 0.1 to 2: force within {max(errors):.0e} N of the target's", verdict(max(errors) < 1e-6), ""


def constraint_sensitivity():
    sizes = []
    for q in (0.2, 0.5, 1, 2):
        _, rows = linearize("emulation_unconstrained", "emulator.disturbance.y", ("emulator.control.error",), "actuator_bandwidth=0",
                            "velocity=0 m/s", f"inertia_ratio={q}")
        sizes.append(abs(rows[0][1]))
    return "error over disturbance at 1 rad/s, m/(N m), Q = 0.2, 0.5, 1, 2: " + " ".join(f"{s:.1e}" for s in sizes), \
        verdict(sizes == sorted(sizes, reverse=True)), ""


def force_sensitivity():
    sizes = []
    for q in (0.2, 0.5, 1, 2):
        _, rows = linearize("emulation_constrained", "emulator.disturbance.y", ("emulator.constraint.lambda", "emulator.wall.force"),
                            "actuator_bandwidth=0", "velocity=0 m/s", "start=0.06 m", f"inertia_ratio={q}")
        sizes.append(abs(rows[1][1] - rows[1][2]))
    return "force error over disturbance at 10 rad/s, Q = 0.2, 0.5, 1, 2: " + " ".join(f"{s:.3f}" for s in sizes), \
        verdict(sizes == sorted(sizes, reverse=True)), "the sentence before it (\"the higher the ratio, the more sensitivity\") contradicts it if the ratio is Q"


def stability_bound():
    growth = {}
    for factor in (0.99, 1.01):
        poles, _ = linearize("emulation_transmissivity", "lambda.y", ("f.y",), f"inertia_ratio={0.05 * factor}", points=1)
        growth[factor] = max(p.real for p in poles if abs(p) > 1e-3)
    return "largest real part of a pole at 0.99 and 1.01 of g_p/(g_v w_a): " + ", ".join(f"{g:+.3f} 1/s" for g in growth.values()), \
        verdict(growth[0.99] > 0 > growth[1.01]), "Proposition 2 words it as a bound from above on the largest eigenvalue; the equation bounds the smallest from below"


def resonance():
    peaks = []
    for q in (0.051, 0.1, 0.2, 1):
        _, rows = linearize("emulation_transmissivity", "lambda.y", ("f.y",), f"inertia_ratio={q}", lowest=0.1, points=4000)
        peaks.append(20 * math.log10(max(abs(r[1]) for r in rows)))
    return "peak at Q = 0.051, 0.1, 0.2, 1 (edge 0.05): " + " ".join(f"{p:.1f}" for p in peaks) + " dB", verdict(peaks == sorted(peaks, reverse=True)), ""


def actuation_effort():
    efforts = {}
    for q in (0.1, 0.2, 0.5, 1, 2, 5):
        r = run("emulation_constrained", "actuator_bandwidth=0", "gravity_torque=0 N m", f"inertia_ratio={q}", until="5 s",
                signals=("emulator.actuator.torque",))
        tau = [abs(v) for v in r.signal("emulator.actuator.torque")]
        efforts[q] = (max(tau), math.sqrt(sum(v * v for v in tau) * r.data["base_period"]))
    best = min(efforts, key=lambda q: efforts[q][1])
    return "without gravity, largest torque, N m, at Q = 0.1, 0.2, 0.5, 1, 2, 5: " + " ".join(f"{v[0]:.2f}" for v in efforts.values()) + \
        "; root of the integral of its square: " + " ".join(f"{v[1]:.2f}" for v in efforts.values()), verdict(best == 1, best in (0.5, 2)), \
        "least near one; below one it hardly rises, far above one it does" if best in (0.5, 1, 2) else ""
