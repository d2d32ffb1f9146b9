#!/usr/bin/env python3
"""What hardening costs a step: the same sources built with and without it, run in turns.

    cmake -S . -B build-soft -G Ninja -DHILDA_HARDENING=OFF -DHILDA_TESTS=OFF -DHILDA_BENCHMARKS=OFF
    cmake --build build-soft --target hilda hilda_plugins
    benchmarks/hardening.py --hard build --soft build-soft --write        docs/results/hardening.md

Without: no canaries, no checked copies, lazy binding, addresses that stay writable. Both are position independent, as
Debian's compiler makes every program. Processor time of whole runs without a log, less that of a run of one step; the two
builds take turns in an order drawn for each pair. What counts is the ratio of each pair; its median's interval is by
bootstrap.
"""
import argparse
import datetime
import os
import pathlib
import platform
import random
import statistics
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
CHAIN = ('<diagram format="1" name="chain" period="1 ms">\n<block name="b0" type="sources/Sine" amplitude="1" frequency="1 Hz"/>\n'
         + "".join(f'<block name="b{i}" type="{kind}"/>\n<connect from="b{i - 1}.y" to="b{i}.u"/>\n'
                   for i, kind in enumerate(['math/Gain" gain="1.0001', 'continuous/TransferFunction" numerator="1" denominator="0.1 1',
                                             'discrete/UnitDelay', 'math/Saturation" lower="-9" upper="9'] * 50, 1))
         + "</diagram>\n")


def processor_time(build, diagram, seconds, folder):
    words = [str(build / "bin" / "hilda"), "run", str(diagram), "--no-log", "--quiet", "--for", f"{seconds}s"]
    process = subprocess.Popen(words, cwd=folder)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(words)} ends with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime


def interval(values, chance):
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(2000))
    return medians[50], medians[-51]


def measure(hard, soft, diagram, seconds, pairs, folder):
    chance = random.Random(1)
    start = {build: statistics.median(processor_time(build, diagram, 0.001, folder) for _ in range(9)) for build in (hard, soft)}
    ratios, times = [], {hard: [], soft: []}
    for _ in range(pairs):
        took = {}
        for build in chance.sample([hard, soft], 2):
            took[build] = processor_time(build, diagram, seconds, folder) - start[build]
            times[build].append(took[build])
        ratios.append(took[hard] / took[soft])
    quarters = statistics.quantiles(ratios, n=20)
    low, high = interval(ratios, chance)
    return {"median": statistics.median(ratios), "low": low, "high": high, "p5": quarters[0], "p95": quarters[-1],
            "best": min(times[hard]) / min(times[soft]), "pairs": pairs, "cpu": statistics.median(times[hard])}


def kind_of_machine():
    lines = open("/proc/cpuinfo", encoding="utf-8").read().splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown processor")


def page(results):
    text = ["# What hardening costs", "",
            f"Made by benchmarks/hardening.py on {datetime.date.today()}: {kind_of_machine()}, Linux {platform.release()}, load "
            f"{os.getloadavg()[1]:.0f}.",
            "", "Stack canaries, checked copies, addresses that are read-only and bound at the start, against a build of the same",
            "sources without them, in turns. Processor time of a run with / without; the step is whole, with the look for NaN.", "",
            "| diagram | pairs of runs | with / without, median | 95 % of the median | 5 % to 95 % of pairs | best with / best without |",
            "|---|---|---|---|---|---|"]
    for name, r in results.items():
        text.append(f"| {name} | {r['pairs']} of {r['cpu']:.2f} s | {r['median']:.4f} | {r['low']:.4f} to {r['high']:.4f} | "
                    f"{r['p5']:.3f} to {r['p95']:.3f} | {r['best']:.4f} |")
    worst = max(r["median"] for r in results.values())
    resolved = all(r["high"] < 1.01 for r in results.values())
    text += ["", f"Goal: below 1.01. {'Met' if worst < 1.01 else 'Missed'}: the larger median is {worst:.4f}"
             + ("." if resolved else "; the spread on this machine does not exclude more than 1 %."), ""]
    return "\n".join(text)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--hard", default="build")
    options.add_argument("--soft", default="build-soft")
    options.add_argument("--pairs", type=int, default=60)
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    hard, soft = pathlib.Path(given.hard).resolve(), pathlib.Path(given.soft).resolve()
    with tempfile.TemporaryDirectory(prefix="hilda_hardening_") as folder:
        chain = pathlib.Path(folder) / "chain.xml"
        chain.write_text(CHAIN)
        results = {"200 blocks in a chain": measure(hard, soft, chain, 200, given.pairs, folder),
                   "diagrams/pida.xml": measure(hard, soft, SOURCE / "diagrams" / "pida.xml", 5, given.pairs, folder)}
    print(page(results))
    if given.write:
        (SOURCE / "docs" / "results" / "hardening.md").write_text(page(results))


if __name__ == "__main__":
    main()
