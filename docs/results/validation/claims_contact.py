# SPDX-License-Identifier: BSD-3-Clause
"""What our diagrams give for each claim of the two contact papers (claims.json: hybrid-*, compliance-*).

Each function returns (ours, verdict, reason). Cases are run with every integrator and period that make sense for the
claim; a range is the smallest and the largest of them.
"""
import math
from functools import partial

from runs import run

K, MASS = 176275.0, 300.0 * 4000.0 / 4300.0
INTEGRATORS = ("symplectic", "zoh", "rk4")
PERIODS = ("0.5 ms", "1 ms", "2 ms")
EXPERIMENT = "an experiment: the lag of its robot and the wall's losses are not reported, so only the trend can be compared with it"


def cases(diagram, delay, *settings, integrators=INTEGRATORS, periods=PERIODS):
    """The same run with each integrator and period."""
    return [run(diagram, f"response_delay={delay} ms", *settings, f"integrator={i}", f"period={p}")
            for i in integrators for p in periods]


def spread(values, digits=3, unit=""):
    low, high = min(values), max(values)
    text = f"{low:.{digits}f}" if f"{low:.{digits}f}" == f"{high:.{digits}f}" else f"{low:.{digits}f} to {high:.{digits}f}"
    return text + unit


def percent(values, digits=2):
    return spread([100 * v for v in values], digits, " %")


def verdict(good, nearly=False):
    return "holds" if good else "nearly" if nearly else "fails"


def hertz(stiffness, mass):
    return math.sqrt(stiffness / mass) / (2 * math.pi)


def stiffness_error():
    parts, worst = [], 0.0
    for delay, paper in ((4, 0.0023), (10, 0.0043)):
        errors = [r.data["identified"]["stiffness_mean"] / K - 1 for r in cases("pic", delay)]
        final = max(abs(r.data["identified"]["stiffness"] / K - 1) for r in cases("pic", delay))
        worst = max(worst, *(abs(e) - paper for e in errors))
        parts.append(f"{delay} ms: mean {percent(errors)}, final below {max(final, 1e-9):.0e}")
    return "; ".join(parts), verdict(worst <= 0, worst < 0.01), ("the mean holds the filter's first samples and grows with T; "
                                                                 "the final value is exact")


def damping_error():
    parts = []
    for delay in (4, 10):
        means = [r.data["identified"]["damping_mean"] for r in cases("pic", delay)]
        scale = math.sqrt(K * MASS)
        parts.append(f"{delay} ms: mean {spread(means, 1)} N s/m, {percent([m / scale for m in means])} of sqrt(k m)")
    return "; ".join(parts), "not comparable", "the true damping is 0, so an error in per cent of it means nothing"


def stiffness_after_three():
    errors = [abs(r.contacts[2]["stiffness"] / K - 1) for d in (4, 10) for r in cases("pic", d)]
    return f"error after contact 3: below {max(errors):.0e}", verdict(max(errors) < 0.01), ""


def negative_damping():
    quiet = [r.data["identified"]["damping_mean"] for r in cases("pic", 10)]
    noisy = [run("pic", "response_delay=10 ms", "force_noise=0.5 N", "contact_threshold=3 N", f"seed={s}")
             .data["identified"]["damping_mean"] for s in range(1, 31)]
    return (f"mean without noise {spread(quiet, 1)} N s/m, with 0.5 N (30 seeds) {spread(noisy, 1)} N s/m",
            verdict(max(noisy) < 0), "negative without any noise too: it comes with the start-up of the filter, not with noise alone")


def pic_errors():
    worst = {i: [max(abs(c - 1) for r in cases("pic", 10, integrators=(i,)) for c in r.column(f)) for f in ("cov", "cof")]
             for i in INTEGRATORS}
    good = [v < 0.06 and f < 0.10 for v, f in worst.values()]
    return ("largest errors of velocity and force: " + "; ".join(f"{i} {100 * v:.1f} and {100 * f:.1f} %" for i, (v, f) in worst.items()),
            verdict(all(good), any(good)), "zoh and rk4 hold the force over the tick and gain with each contact, the more the larger T")


def peak_speed(diagram, delay, *settings):
    """Largest speed of the commanded motion in the first contact over the initial one."""
    r = run(diagram, f"response_delay={delay} ms", *settings, "contacts=1", signals=("satellites.motion.twist",))
    return max(abs(row[0]) for row in r.signal("satellites.motion.twist")) / 0.02


def pic_overshoot():
    peaks = [peak_speed("pic", 20, f"integrator={i}", f"period={p}") for i in ("symplectic", "zoh") for p in PERIODS]
    late = peak_speed("pic", 50)
    return (f"{spread(peaks)} at 20 ms; {late:.3f} at 50 ms", verdict(min(peaks) >= 1.5),
            "a contact with the lag theta peaks at sqrt(1 + (w theta)^2): 1.6 belongs to about 50 ms; the paper's robot is "
            "another program's model whose lag beyond the nominal one is not given")


def pic_rebound():
    covs = [r.contacts[0]["cov"] for r in cases("pic", 20)]
    late = run("pic", "response_delay=50 ms", "contacts=1").contacts[0]["cov"]
    return f"CoV {spread(covs)} at 20 ms; {late:.3f} at 50 ms", verdict(max(covs) < 0.5), "as the line above"


def contact_time(diagram, *settings):
    """Seconds for which the wall of the first contact pushes."""
    r = run(diagram, *settings, "contacts=1", signals=("rig.wall.penetration",))
    touching = [t for t, p in zip(r.times, r.signal("rig.wall.penetration")) if p > 0]
    return touching[-1] - touching[0]


def dac_contact_time():
    ideal = math.pi / math.sqrt(K / MASS)
    ours = [contact_time("dac", f"response_delay={d} ms") for d in (10, 20)]
    return (f"{1e3 * ours[0]:.0f} ms at 10 ms, {1e3 * ours[1]:.0f} ms at 20 ms, without delay {1e3 * ideal:.0f} ms",
            verdict(max(ours) < ideal), "the wall is touched longer, since the robot is late; what DAC shortens is the push on the "
            "satellite, not the contact" if max(ours) >= ideal else "")


def dac_cov():
    covs = [c for r in cases("dac", 10) for c in r.column("cov")]
    return spread(covs), verdict(max(abs(c - 1) for c in covs) < 0.03, True), ("grows by about 0.4 % a contact, which the figure "
                                                                              "does not show; see longrun.md")


def dac_cof():
    means = {i: [r.mean("cof") for r in cases("dac", 10, integrators=(i,))] for i in INTEGRATORS}
    every = [m for values in means.values() for m in values]
    return ("mean " + "; ".join(f"{i} {spread(v)}" for i, v in means.items()),
            verdict(any(abs(m - 1.28) < 0.005 for m in every), True), "1.26 is reached with zoh at 2 ms")


def pida_cov():
    covs = {d: [c for r in cases("pida", d) for c in r.column("cov")] for d in (10, 20)}
    free = run("pida", "response_delay=20 ms", "clamp=off").contacts[-1]["cov"]
    return ("; ".join(f"{d} ms: {spread(c)}" for d, c in covs.items()),
            verdict(all(abs(c - 1) < 0.05 for v in covs.values() for c in v)),
            f"with the clamp, which the paper does not print; without it {free:.3f} after five contacts at 20 ms")


def pic_energy():
    ratios = {d: [r.contacts[-1]["energy_ratio"] for r in cases("pic", d, integrators=("symplectic", "zoh"))] for d in (10, 20)}
    return ("energy after five contacts: " + "; ".join(f"{d} ms {spread(v)}" for d, v in ratios.items()),
            verdict(max(ratios[10]) < 0.9), "at 10 ms it does not converge here: symplectic gains a little, zoh more")


def pida_energy():
    ratios = [r.contacts[-1]["energy_ratio"] for d in (10, 20) for r in cases("pida", d)]
    return f"after five contacts {spread(ratios)}", verdict(max(abs(x - 1) for x in ratios) < 0.05, True), "five contacts; see longrun.md"


def dac_peak_grows():
    peaks = [run("dac", f"response_delay={d} ms").mean("cof") for d in (4, 10, 20, 40)]
    return "mean CoF at 4, 10, 20, 40 ms: " + " ".join(f"{p:.3f}" for p in peaks), verdict(peaks == sorted(peaks)), ""


def pida_forces():
    means = {d: [r.mean("cof") for r in cases("pida", d)] for d in (10, 20)}
    return "mean CoF " + "; ".join(f"{d} ms {spread(v)}" for d, v in means.items()), verdict(max(means[20]) < 1.05, True), \
        "near at 10 ms; 13 to 16 % above at 20 ms is what the paper's own averages say"


def pida_average():
    means = {d: [r.mean(f) for r in cases("pida", d)] for d in (10, 20) for f in ("cov",)}
    force = {d: [r.mean("cof") for r in cases("pida", d)] for d in (10, 20)}
    return ("mean CoV " + ", ".join(f"{d} ms {spread(v)}" for d, v in means.items()) + "; mean CoF "
            + ", ".join(f"{d} ms {spread(v)}" for d, v in force.items()),
            "holds as CoF", "the text contradicts the same section (hybrid-11); both numbers are those of CoF")


def stiffness_two_masses():
    ours = [run("pida", "response_delay=10 ms", f"service_mass={m} kg", "stiffness=77 N/mm", "damping=0.13 N s/mm",
                f"integrator={i}").data["identified"]["stiffness_mean"] / 1e3 for m in (300, 600) for i in INTEGRATORS]
    return f"a wall of 77 N/mm and 0.13 N s/mm: {spread(ours, 2)} N/mm for both masses", verdict(max(ours) / min(ours) < 1.01), EXPERIMENT


def contact_frequencies():
    f = hertz(76.9e3, 279.07), hertz(77.2e3, 521.74)
    return f"Eq. 31 gives {f[0]:.3f} and {f[1]:.3f} Hz", verdict(abs(f[0] - 2.64) < 0.005 and abs(f[1] - 1.93) < 0.006), \
        "arithmetic of the paper; the second rounds to 1.94"


DAMPED = ("stiffness=77 N/mm", "damping=0.13 N s/mm", "contacts=4")


def after_four(diagram, delay, mass=300):
    r = run(diagram, f"response_delay={delay} ms", f"service_mass={mass} kg", *DAMPED)
    return r.contacts[-1]["speed_after"] / 0.02 if len(r.contacts) == 4 else float("nan")


def damped(diagram):
    return ", ".join(f"{d} ms {after_four(diagram, d):.3f}" for d in (0, 10, 20, 40))


def damped_pida():
    values = [after_four("pida", d) for d in (0, 10, 20, 40)]
    return f"speed after four contacts over the initial one, 2.64 Hz: {damped('pida')}", verdict(min(values) <= 0.5, min(values) < 0.65), \
        EXPERIMENT


def damped_pic():
    values = [after_four("pic", d) for d in (0, 10, 20, 40)]
    return f"speed after four contacts over the initial one, 2.64 Hz: {damped('pic')}", \
        verdict(min(values) < 0.1, min(values) < 0.4), EXPERIMENT + "; it takes a lag beyond 40 ms"


def dissipation_and_frequency():
    low, high = ([after_four(d, 20, m) for d in ("pic", "dac", "pida")] for m in (600, 300))
    return ("speed after four contacts, PIC, DAC, PIDA at 20 ms: 1.93 Hz " + " ".join(f"{v:.3f}" for v in low) + "; 2.64 Hz "
            + " ".join(f"{v:.3f}" for v in high)), verdict(all(h < l for h, l in zip(high, low))), EXPERIMENT


def peaks_of(diagram, delay):
    return [c["peak_force"] for c in run(diagram, f"response_delay={delay} ms", *DAMPED).contacts]


def forces_of_methods():
    peaks = {d: peaks_of(d, 20) for d in ("dac", "pic", "pida")}
    return ("first peak at 20 ms, N: " + ", ".join(f"{d.upper()} {p[0]:.0f}" for d, p in peaks.items()),
            verdict(peaks["dac"][0] > 1.1 * max(peaks["pic"][0], peaks["pida"][0])), EXPERIMENT)


def late_forces():
    pic, pida = peaks_of("pic", 20), peaks_of("pida", 20)
    return (f"peaks of contacts 3 and 4 at 20 ms, N: PIC {pic[2]:.0f} {pic[3]:.0f}, PIDA {pida[2]:.0f} {pida[3]:.0f}",
            verdict(pida[2] > pic[2] and pida[3] > pic[3]), EXPERIMENT)


def pic_up_to_10():
    covs = {i: [r.contacts[-1]["cov"] for d in (2, 4, 6, 8, 10) for r in cases("pic", d, integrators=(i,))] for i in INTEGRATORS}
    return ("CoV of contact 5, 2 to 10 ms: " + "; ".join(f"{i} {spread(v)}" for i, v in covs.items()),
            verdict(max(v for vs in covs.values() for v in vs) < 1.1, True), "five contacts: zoh continues to grow, see longrun.md")


def tdpa_40():
    r = run("tdpa", "response_delay=40 ms")
    e = r.data["energy"]
    return (f"kinetic energy {e['kinetic_initial']:.3f} to {e['kinetic_final']:.3f} J in 15 s; CoV {r.contacts[-1]['cov']:.3f}, peak force "
            f"{max(r.column('cof')):.2f} of the ideal"), verdict(e["kinetic_final"] < 1.2 * e["kinetic_initial"], True), \
        "bounded over seconds, not over minutes: see longrun.md"


LAG = ("natural_frequency=135 Hz", "contacts=8")


def divergence_velocity():
    ours = {i: run("uncompensated", "response_delay=6 ms", *LAG, f"integrator={i}").contacts[-1]["speed_after"] / 0.02
            for i in ("symplectic", "zoh")}
    pure = run("uncompensated", "response_delay=6 ms", "integrator=zoh", "contacts=8").contacts[-1]["speed_after"] / 0.02
    return (", ".join(f"{i} {v:.1f} x" for i, v in ours.items()) + f" with a second order of 135 Hz and 0.7; dead time alone {pure:.1f} x",
            verdict(abs(ours["zoh"] / 15 - 1) < 0.05, True),
            "135 Hz and 0.7 were fitted to this figure by us; neither is in the paper's text. Four cycles are eight contacts")


def divergence_force():
    def growth(*settings):
        c = run("uncompensated", "response_delay=6 ms", *settings).contacts
        return c[-1]["peak_force"] / c[0]["peak_force"]
    ours = {i: growth(*LAG, f"integrator={i}") for i in ("symplectic", "zoh")}
    return (", ".join(f"{i} {v:.1f} x" for i, v in ours.items()) + f"; dead time alone {growth('contacts=8', 'integrator=zoh'):.1f} x",
            verdict(abs(ours["zoh"] / 10 - 1) < 0.1, True), "fitted, as above")


def response_frequency():
    ours = [run("uncompensated", "response_delay=2 ms", f"natural_frequency={f} Hz", "contacts=8").contacts[-1]["cov"]
            for f in (20, 40, 80, 160)]
    return "CoV of contact 8 at 20, 40, 80, 160 Hz: " + " ".join(f"{v:.2f}" for v in ours), verdict(ours == sorted(ours, reverse=True)), ""


def divergence_and_delay():
    ours = [run("uncompensated", f"response_delay={d} ms", "contacts=8").contacts[-1]["cov"] for d in (2, 4, 6, 10)]
    return "CoV of contact 8 at 2, 4, 6, 10 ms: " + " ".join(f"{v:.2f}" for v in ours), verdict(ours == sorted(ours)), ""


COSIMULATION = ("stiffness=176 N/mm", "damping=0 N s/m")


def acc_damping():
    runs = cases("acc", 2, *COSIMULATION)
    c = [r.data["identified"]["damping_mean"] for r in runs]
    k = [r.data["identified"]["stiffness"] / 176e3 - 1 for r in runs]
    scale = math.sqrt(176e3 * MASS)
    return (f"mean damping {spread(c, 1)} N s/m, {percent([x / scale for x in c])} of sqrt(k m); stiffness within {max(map(abs, k)):.0e}",
            verdict(max(abs(x) for x in c) / scale < 0.05), "an error of 5 % of a damping of 0 is not defined; taken of sqrt(k m)")


def acc_velocities():
    covs = [c for r in cases("acc", 2, *COSIMULATION) for c in r.column("cov")]
    return f"CoV {spread(covs)}", verdict(max(abs(c - 1) for c in covs) < 0.05, True), ""


VIRTUAL = partial(cases, "acc")


def acc_stiffness():
    means = {d: [r.data["identified"]["stiffness_mean"] / 1e3 for r in VIRTUAL(d)] for d in (4, 10, 20)}
    return ("mean " + "; ".join(f"{d} ms {spread(v, 2)}" for d, v in means.items()) + " N/mm",
            verdict(all(abs(v / 70 - 1) < 0.005 for vs in means.values() for v in vs), True),
            "69.71 is 0.41 % below 70, so the paper's two numbers differ by a rounding")


def acc_frequency():
    return f"{hertz(70e3, 279.07):.3f} Hz", verdict(abs(hertz(70e3, 279.07) - 2.52) < 0.005), "arithmetic of the paper"


def acc_variation():
    r = run("acc", "response_delay=10 ms", "force_noise=0.5 N", "contact_threshold=3 N",
            signals=("identification.stiffness", "identification.damping", "identification.updated"))
    rows = [(k / 70e3, c / 100.0) for k, c, u in zip(r.signal("identification.stiffness"), r.signal("identification.damping"),
                                                     r.signal("identification.updated")) if u]
    late = rows[len(rows) // 5:]

    def deviation(column):
        values = [row[column] for row in late]
        mean = sum(values) / len(values)
        return math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))
    k, c = deviation(0), deviation(1)
    return f"with 0.5 N of noise: {100 * k:.2f} % of 70 N/mm, {100 * c:.1f} % of 0.1 N s/mm", verdict(c > k), ""


def acc_restitution():
    cors = {d: run("acc", f"response_delay={d} ms").column("cor") for d in (4, 10, 20, 40)}
    ours = "; ".join(f"{d} ms {' '.join(f'{c:.3f}' for c in v[:3])}" for d, v in cors.items())
    return f"restitution of contacts 1 to 3: {ours}", verdict(all(v[0] > v[1] for v in cors.values())), \
        "the first is the largest, since the filter begins in it; above 1 it is not, at these delays"


def acc_three_masses():
    stiffness = [m * (2 * math.pi * f) ** 2 / 1e3 for m, f in ((279.07, 2.62), (404.49, 2.17), (521.74, 1.92))]
    return "they imply " + ", ".join(f"{k:.1f}" for k in stiffness) + " N/mm", verdict(max(stiffness) / min(stiffness) < 1.02), \
        "arithmetic of the paper: one stiffness within 1 %"


def uncompensated_restitution():
    rows = []
    for d in (20, 40, 60):
        r = run("uncompensated", f"response_delay={d} ms", "stiffness=75.6 N/mm", "damping=0.13 N s/mm", "contacts=3")
        rows.append(f"{d} ms " + " ".join(f"{c['cor']:.2f}" for c in r.contacts[1:3]))
    return "restitution of contacts 2 and 3: " + "; ".join(rows), "not comparable", EXPERIMENT + \
        "; a dead time gives every contact the same restitution, so 2.5 and 4.5 are rather speeds over the initial one"


def acc_runs(delay=20):
    return {f: run("acc", f"response_delay={delay} ms", f"service_mass={m} kg", "stiffness=75.6 N/mm", "damping=0.13 N s/mm",
                   "contacts=4") for f, m in ((2.62, 300), (2.17, 450), (1.92, 600))}


def acc_convergence():
    ours = {f: r.contacts[-1]["speed_after"] / 0.02 for f, r in acc_runs().items()}
    return "speed after four contacts at 20 ms: " + ", ".join(f"{f} Hz {v:.3f}" for f, v in ours.items()), \
        verdict(ours[2.62] < ours[2.17] < ours[1.92]), EXPERIMENT


def acc_force_and_mass():
    ours = {f: r.contacts[0]["peak_force"] for f, r in acc_runs().items()}
    return "first peak at 20 ms: " + ", ".join(f"{f} Hz {v:.0f} N" for f, v in ours.items()), verdict(ours[2.62] < ours[2.17] < ours[1.92]), \
        EXPERIMENT


def acc_energy():
    ours = [r.contacts[-1]["energy_ratio"] for d in (10, 20, 40) for r in acc_runs(d).values()]
    return f"after four contacts, 10 to 40 ms: {spread(ours)}", verdict(max(ours) < 1), EXPERIMENT
