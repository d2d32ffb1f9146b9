#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a block in Python costs: output and update of a first-order filter, and of one with vectors.

    docs/results/measurements/python_blocks.py --build build --write      docs/results/measurements/python_blocks.md
"""
import argparse
import datetime
import os
import pathlib
import platform
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "docs/results"))
from machine import kind_of_machine  # noqa: E402

TICKS = 20_000
GOAL = 2.0
DIAGRAM = """<diagram format="1" name="cost" period="1 ms">
  <block name="source" type="sources/Constant" value="{value}"/>
  {blocks}
</diagram>
"""


def diagram(folder, kind, value, count):
    blocks = "\n".join(f'<block name="b{k}" type="{kind}"/><connect from="source.y" to="b{k}.u"/>' for k in range(count))
    file = folder / f"{kind.replace('/', '_')}{count}.xml"
    file.write_text(DIAGRAM.format(value=value, blocks=blocks))
    return file


def seconds(simulation):
    """Of one tick, processor time, the best of nine rounds."""
    simulation.step(100)
    best = float("inf")
    for _ in range(9):
        start = time.process_time()
        simulation.step(TICKS)
        best = min(best, time.process_time() - start)
    return best / TICKS


def measured(hilda, my_blocks, folder):
    """us for output and update of one block: the difference of diagrams with several and with one."""
    found = {}
    classes = [my_blocks.Filter, my_blocks.Smooth]
    for name, kind, value in (("number", "python/Filter", "1"), ("vector", "python/Smooth", "1 2 3 4 5 6")):
        one, nine = (hilda.Simulation(diagram(folder, kind, value, count), blocks=classes) for count in (1, 9))
        found[name] = (seconds(nine) - seconds(one)) / 8 * 1e6
    return found


def page(found):
    met = "met" if found["number"] < GOAL else "missed"
    return f"""# Blocks in Python: cost of a call

- **Question:** What does a block in Python cost?
- **Answer:** {found['number']:.2f} us a tick for `output` and `update` of a first-order filter; the goal is {GOAL:g} us ({met}).
- **Rerun:** `docs/results/measurements/python_blocks.py --build build --write`

Made by docs/results/measurements/python_blocks.py on {datetime.date.today()}: {kind_of_machine()}, {os.cpu_count()} processors, {platform.system()} {platform.release()},
Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}. Processor time of one thread, the best of nine rounds of {TICKS:,} ticks. The cost of
one block is the difference between diagrams of nine such blocks and of one, divided by eight.

| block | us for `output` and `update` |
|---|---|
| first-order filter of a number (`Filter`) | {found['number']:.2f} |
| smoothing of a vector of six, by NumPy (`Smooth`) | {found['vector']:.2f} |

The blocks are in [tests/python/blocks/my_blocks.py](../../../tests/python/blocks/my_blocks.py).
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    sys.path[:0] = [str(arguments.build.resolve() / "python"), str(SOURCE / "tests" / "python" / "blocks")]
    import hilda
    import my_blocks

    with tempfile.TemporaryDirectory() as folder:
        text = page(measured(hilda, my_blocks, pathlib.Path(folder)))
    if arguments.write:
        (SOURCE / "docs/results/measurements/python_blocks.md").write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
