# SPDX-License-Identifier: BSD-3-Clause
"""What our diagrams give for claims of the later contact methods, of which only public abstracts were read (claims.json: field-*).

Each function returns (ours, verdict, reason).
"""
import math

from claims_contact import MASS, spread, verdict
from delayed_contact import Contact, crossing
from runs import run

INTEGRATORS = ("variational", "symplectic", "zoh", "rk4")


def rebound(diagram, *settings):
    """Speed after the first contact over that before it."""
    first = run(diagram, "contacts=1", *settings).contacts[0]
    return first["speed_after"] / first["speed_before"]


def critical_damping(service_mass, stiffness, delay):
    """Virtual damping at which one contact keeps its energy: (closed form, runs), N s/m; ticks of 0.25 ms."""
    mass = 1 / (1 / service_mass + 1 / 4000)
    unit = stiffness * delay
    form = crossing(lambda b: 1 - Contact(mass, b, stiffness).rebound(delay), 0.8 * unit, 2 * unit, 1e-6)

    def excess(b):
        return 1 - rebound("hybrid_contact", f"service_mass={service_mass} kg", f"stiffness={stiffness} N/m", f"response_delay={delay * 1e3:g} ms",
                           f"virtual_damping={b!r} N*s/m", "period=0.25 ms", "contact_threshold=0.01 N")
    return form, crossing(excess, 0.8 * unit, 2 * unit, 1e-3)


def hybrid_critical_damping():
    cases = [(m, k, T) for m, k in ((60, 3000), (300, 5000), (300, 20000), (500, 20000), (1000, 20000)) for T in (0.008, 0.016)]
    errors = [runs / form - 1 for form, runs in (critical_damping(*case) for case in cases)]
    return (f"runs against the closed form of one contact, {len(cases)} cases: {spread([100 * e for e in errors], 1, ' %')}",
            verdict(max(map(abs, errors)) < 0.05), "their tests had a robot and a metal tip; ours is the simulated rig, so the agreement is that of the model")


def hybrid_any_contact():
    ratios = []
    for virtual in (-60, 0, 100):
        for damping in (0, 100, 400):
            row = run("hybrid_contact", "contacts=1", "stiffness=100 N/mm", f"virtual_stiffness={virtual} N/mm", f"wanted_damping={damping} N*s/m",
                      "response_delay=8 ms", "period=0.5 ms").contacts[0]
            ratios.append(row["cov"])
    return (f"rebound speed over that of the desired contact, 9 contacts of 40 to 200 N/mm: {spread(ratios)}", verdict(max(abs(r - 1) for r in ratios) < 0.05),
            "the delay is known, and the virtual damper adds what it takes away; without that damper the same contacts gain energy")


def delay_is_negative_damping():
    errors = []
    for stiffness, delay in ((5000, 0.004), (20000, 0.004), (20000, 0.01), (176275, 0.004)):
        x = delay * math.sqrt(stiffness / MASS) / 2  # share of critical damping of -k T
        turn = math.pi - math.acos(x) if x else math.pi / 2
        formula = math.exp(2 * turn * x / math.sqrt(1 - x * x))
        errors.append(rebound("uncompensated", f"stiffness={stiffness} N/m", f"response_delay={delay * 1e3:g} ms", "period=0.25 ms",
                              "contact_threshold=0.01 N") / formula - 1)
    return (f"rebound over that with a damper of -k T: {spread([100 * e for e in errors], 1, ' % off')}", verdict(max(map(abs, errors)) < 0.05, max(map(abs, errors)) < 0.1),
            "to first order in the delay; the force that comes late after release is not in it")


def prediction_and_integrator():
    grown = {}
    for order in (1, 2, 3):
        for integrator in INTEGRATORS:
            r = run("polynomial_extrapolation", f"order={order}", f"integrator={integrator}", "response_delay=10 ms", "contacts=5")
            grown[order, integrator] = r.contacts[-1]["energy_ratio"]
    worst, best = max(grown, key=grown.get), min(grown, key=lambda key: abs(math.log(grown[key])))
    return (f"energy after 5 contacts with the exact delay, 10 ms: {spread(grown.values())}; most with order {worst[0]} and {worst[1]}, nearest to 1 with order {best[0]} and {best[1]}",
            verdict(max(grown.values()) > 1.05), "")


def series_learns_delay():
    ratios = []
    for delay in (5, 10, 20):
        for guess in (0.6, 1.3):
            r = run("adaptive_time_series", f"response_delay={delay} ms", f"compensation_lead={guess * delay} ms", "stiffness=20 N/mm", "speed=4 mm/s", "contacts=3",
                    signals=("position.a0", "position.a1"))
            a0, a1 = r.signal("position.a0")[-1][0], r.signal("position.a1")[-1][0]
            if abs(a0 - 1) < 0.02:
                ratios.append(a1 / (delay * 1e-3))
    return f"a1 over the delay after 3 contacts, begun 40 % too short and 30 % too long: {spread(ratios)} ({len(ratios)} of 6 with a0 within 2 % of 1)", verdict(
        len(ratios) > 0 and max(abs(r - 1) for r in ratios) < 0.05), ""
