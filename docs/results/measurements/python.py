#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the Python package costs: steps a second of environments, memory over 10,000 simulations.

    docs/results/measurements/python.py --build build --write      docs/results/measurements/python.md
"""
import argparse
import datetime
import os
import pathlib
import platform
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "docs/results"))
from machine import kind_of_machine  # noqa: E402
from outside import rate  # noqa: E402

CART = SOURCE / "examples" / "20-outside" / "cart.xml"
OPTIONS = {"actions": ["push"], "observations": ["position.y", "velocity.y"], "reward": lambda seen, action: -seen[0] ** 2}


def resident():
    """kB of this process in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def measured(hilda, np):
    found = {}
    for ticks in (1, 10):
        env = hilda.Env(CART, ticks=ticks, **OPTIONS)
        env.reset()
        found[f"env_{ticks}"] = rate(lambda k, env=env: env.step([0.3]), 5000)
    # A simulation of the same ticks, without an environment: what cannot be saved.
    simulation = hilda.Simulation(CART)
    for ticks in (1, 10):
        found[f"step_{ticks}"] = rate(lambda k, ticks=ticks: simulation.step(ticks), 5000)
    found["tick"] = 1000 * rate(lambda k: simulation.step(1000), 50)
    actions = np.full((64, 1), 0.3)
    for name, more in (("vector", {}), ("batched", {"batched": True, "reward": lambda seen, action: -seen[:, 0] ** 2}),
                       ("signal", {"reward": "position.y"})):
        with hilda.VectorEnv(CART, 64, threads=1, **{**OPTIONS, **more}) as several:
            several.reset()
            found[name] = 64 * rate(lambda k, several=several: several.step(actions), 100)
    found["loaded"] = rate(lambda k: hilda.Simulation(CART), 50)
    for _ in range(500):
        hilda.Simulation(CART).run(0.005)
    before = resident()
    for _ in range(10_000):
        hilda.Simulation(CART).run(0.005)
    found["grown"] = resident() - before
    return found


def page(found):
    return f"""# Python: environments and memory

Made by docs/results/measurements/python.py on {datetime.date.today()}: {kind_of_machine()}, {os.cpu_count()} processors, {platform.system()} {platform.release()},
Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}. Processor time of one thread, the best of nine rounds; the cart of
[lesson 20](../../../examples/20-outside/README.md), one action, two observations, a reward in Python.

| | a second | goal | of the goal |
|---|---|---|---|
| `Env.step`, one tick | {found['env_1']:,.0f} | | |
| `Env.step`, ten ticks | {found['env_10']:,.0f} | 150,000, {'met' if found['env_10'] >= 150_000 else 'missed'} | {found['env_10'] / 150_000:.2f} |
| `VectorEnv` of 64, one tick, one thread, a reward in Python for each | {found['vector']:,.0f} | | |
| the same, `batched=True`: one reward for all | {found['batched']:,.0f} | | |
| the same, the reward is a signal | {found['signal']:,.0f} | 1,000,000, {'met' if found['signal'] >= 1e6 else 'missed'} | {found['signal'] / 1e6:.2f} |
| `Simulation.step(1)` | {found['step_1']:,.0f} | | |
| `Simulation.step(10)` | {found['step_10']:,.0f} | | |
| ticks of this diagram in one long step | {found['tick']:,.0f} | | |
| simulations loaded | {found['loaded']:,.0f} | | |

A tick of the cart takes {1e6 / found['tick']:.2f} us, so {1e6 / found['tick'] * 10:.1f} us of the {1e6 / found['env_10']:.1f} us of a step of ten ticks are the engine's. `VectorEnv` steps 64 simulations in one call
of the engine: {1e6 / found['signal']:.2f} us for each, with its tick. A diagram of vectors that holds 64 carts is faster still
([outside.md](outside.md)): write the plant with vectors where all instances have one structure.

10,000 simulations, each loaded and run for five ticks, after 500 to warm up: the process grew by {found['grown']:,} kB (goal: 2,048 kB,
{'met' if found['grown'] <= 2048 else 'missed'}).
"""


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    options.add_argument("--write", action="store_true")
    options = options.parse_args()
    sys.path.insert(0, str(options.build / "python"))
    import hilda
    import numpy as np

    text = page(measured(hilda, np))
    print(text)
    if options.write:
        (SOURCE / "docs/results/measurements/python.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
