# SPDX-License-Identifier: BSD-3-Clause
"""What longrun.md is made of: its runs, in the order in which they are made."""
from longrun_job import SceneJob, contact_job, damped_ideal, methods
from longrun_reference import Reference
from longrun_rooms import box_jobs, port_room, rough_jobs, tdpa_room, tdpa_room_published

delays = (0, 4, 10, 20, 40)
four = ("PIDA", "DAC", "PIC", "TDPA")
seeds = tuple(range(1, 31))
noise = ("force_noise=0.5 N", "sensor_delay=2 ms")

# The published methods and the same with the ledger, without noise. Gap 6 mm; some at the paper's 30 mm besides.
published = {(m, d): contact_job(m, d) for m in methods for d in delays}
with_ledger = {(m, d): contact_job(m, d, ledger=True) for m in methods for d in delays}
in_room = {(m, d): contact_job(m, d, ledger=True, rig="room") for m in four[:3] for d in delays}
paper_gap = {(m, led): contact_job(m, 10, ledger=led, gap=30) for m in four for led in (True, False)}

# Noise of the force and delay of the sensor, each seed by the diagram.
noisy = {(m, d, s): contact_job(m, d, *noise, f"seed={s}", ledger=True) for d in (10, 0, 40, 4, 20) for s in seeds for m in four}
noisy_published = {(m, d, s): contact_job(m, d, *noise, f"seed={s}", contacts=100) for d in (10, 0, 40, 4, 20) for s in seeds for m in four}
noisy_published_long = {(m, 10, s): contact_job(m, 10, *noise, f"seed={s}") for s in seeds for m in four}
reference = {(m, d, led): Reference(methods[m][0], d, len(seeds), led) for led in (True, False) for m in four for d in delays}

# Damped walls.
dampings, rules = (100.0, 1000.0), ("ratio", "model", "known")


def damped_job(name, delay, c, rule):
    more = [f"damping={c} N s/m"]
    if rule:
        more += [f"rule={rule}", f"restitution={damped_ideal(c)!r}"]
    return contact_job(name, delay, *more, ledger=bool(rule), contacts=30 if c < 500 else 5)


damped = {(m, d, c, r): damped_job(m, d, c, r) for m in four for d in delays[1:] for c in dampings for r in (None, *rules)}

# Other walls, periods, robots.
stiffnesses, periods = (5e3, 2e4, 1e5, 5e5), (0.5, 2, 4)
stiff = {(m, k, d): contact_job(m, d, f"stiffness={k} N/m", ledger=True, contacts=300, seconds=700 if k < 1e5 else None) for m in four for k in stiffnesses for d in (10, 40)}
timed = {(m, T, d): contact_job(m, d, f"period={T} ms", ledger=True, contacts=300) for m in four for T in periods for d in (20, 40)}
lagging = {m: contact_job(m, 10, "natural_frequency=20 Hz", ledger=True, contacts=300) for m in four}
misaligned = {("PIDA", e): contact_job("PIDA", 4, "sensor_delay=2 ms", f"alignment={2 + e} ms", ledger=True, contacts=100)
              for e in (-0.5, -0.1, -0.05, 0.05, 0.1)}
calibrated = {s: contact_job("PIDA", 10, *noise, "alignment=1.5 ms", "calibration=100", f"seed={s}", ledger=True, contacts=300)
              for s in seeds[:10]}

# Six degrees of freedom, a thousand contacts.
scenes = {
    "oblique approach": ("velocity=0.016 0.012 0 m/s",),
    "spinning": ("angular_velocity=0.03 0.03 0.02 rad/s",),
    "tip next to the axis, oblique wall, spinning": ("tip=0 0.05 0.02 m", "wall_normal=0.9 0.3 0.1", "velocity=0.02 0.005 0 m/s",
                                                    "angular_velocity=0.003 0.004 0.002 rad/s"),
    "contact off both centres of mass": ("service_offset=0.8 0.1 0.2 m", "target_offset=-1 0 0 m"),
    "the same, inertia 60 98 140, spinning": ("service_offset=0.8 0.1 0.2 m", "target_offset=-1 0 0 m",
                                              "service_inertia=60 98 140 kg m2", "angular_velocity=0.005 0.003 0.002 rad/s"),
}
scene_jobs = {(m, s): SceneJob(methods[m][0] + "_ledger", (*methods[m][1], "response_delay=10 ms", *scenes[s], "gap=6 mm", "contacts=1001",
                                                           "duration=4000 s", "figures.ideal.horizon=4000 s",
                                                           "figures.metrics.capacity=4000"), None, (5, 30, 100, 300, 1000))
              for s in scenes for m in four[:3]}

def of_delay(jobs, delay):
    return {key: job for key, job in jobs.items() if key[1] == delay}


groups = [misaligned, calibrated, tdpa_room, with_ledger, published, in_room, box_jobs, rough_jobs, damped, stiff, timed, lagging, scene_jobs,
          tdpa_room_published, port_room, paper_gap, reference, of_delay(noisy, 10), of_delay(noisy, 40), of_delay(noisy, 0),
          of_delay(noisy, 4), of_delay(noisy, 20), noisy_published, noisy_published_long]
