#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What hardening costs a step: the code of the loop compiled with and without it, run in turns.

    benchmarks/hardening.py --build build --write        docs/results/measurements/hardening.md

Without: the loop's parts of the engine and the blocks of the diagrams are compiled once more, into BUILD/soft, with no
canaries and no checked copies; program and plugins are linked with lazy binding and addresses that stay writable. All is position independent in
both, as Debian's compiler makes every program. Two figures, of runs without a log:

- Instructions of a step, counted by callgrind (of Debian's valgrind): a run less a shorter one. They are the same each time.
- Processor time of whole runs, less that of a run of one step; the two take turns in an order drawn for each pair. What
  counts is the ratio of each pair; its median's interval is by bootstrap. Where code comes to lie differs between the two
  programs and is worth a few percent either way, whatever the flags.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import platform
import random
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "docs/results"))
from machine import kind_of_machine  # noqa: E402

CHAIN = ('<diagram format="1" name="chain" period="1 ms">\n<block name="b0" type="sources/Sine" amplitude="1" frequency="1 Hz"/>\n'
         + "".join(f'<block name="b{i}" type="{kind}"/>\n<connect from="b{i - 1}.y" to="b{i}.u"/>\n'
                   for i, kind in enumerate(['math/Gain" gain="1.0001', 'continuous/TransferFunction" numerator="1" denominator="0.1 1',
                                             'discrete/UnitDelay', 'math/Saturation" lower="-9" upper="9'] * 50, 1))
         + "</diagram>\n")


LOOP = [pathlib.Path("engine/run/detail") / part for part in ("loop", "schedule", "solve", "safety")]
LIBRARY = "lib/hilda/libhilda.so"
HARD_FLAGS = ("-fstack-protector-strong", "-fstack-protector", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-Werror", "-Winvalid-pch")


def code_of_the_loop(build, diagrams):
    """The files of LOOP and of the blocks in the diagrams, with the commands that compile them."""
    types = set()
    for diagram in diagrams:
        plan = subprocess.run([build / "bin" / "hilda", "plan", diagram], capture_output=True, text=True, check=True).stdout
        types.update(name for _, name in re.findall(r"\((\w+)/(\w+)\)", plan))
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"]).relative_to(SOURCE) if entry["file"].startswith(str(SOURCE)) else None
        if file is None:
            continue
        declared = re.search(r"HILDA_PLUGIN\((\w+)", (SOURCE / file).read_text()) if file.parts[0] == "blocks" else None
        if file.parent in LOOP or (declared and declared[1] in types):
            yield entry


def compile_softly(entry, folder):
    words = [word for word in shlex.split(entry["command"]) if word not in HARD_FLAGS]
    place = words.index("-o") + 1
    hard = words[place]
    words[place] = str(folder / (hard.replace("/", "_")))
    made = pathlib.Path(words[place])
    if made.exists() and made.stat().st_size > 0 and made.stat().st_mtime > (pathlib.Path(entry["directory"]) / hard).stat().st_mtime:
        return hard, words[place]
    subprocess.run([*words, "-fno-stack-protector", "-U_FORTIFY_SOURCE"], cwd=entry["directory"], check=True)
    return hard, words[place]


def link_softly(build, target, soft, objects):
    command = subprocess.run(["ninja", "-t", "commands", "-s", target], cwd=build, capture_output=True, text=True,
                             check=True).stdout.strip().splitlines()[-1]
    words, used = [], set()
    for word in shlex.split(command):
        used.update({word} & objects.keys())
        words.append(objects.get(word, str(soft / target) if word == target else word))
    words = words[words.index("&&") + 1:len(words) - 2]  # ": && ... && :"
    if target == LIBRARY:  # what is before the archive takes the place of its members
        words[words.index("-o"):words.index("-o")] = ["-Wl,--allow-multiple-definition",
                                                      *(new for old, new in objects.items() if "hilda_engine.dir" in old)]
    elif not used:
        return shutil.copy(build / target, soft / target)
    words = [word.replace("-Wl,-z,relro,-z,now", "-Wl,-z,norelro,-z,lazy") for word in words]
    subprocess.run(words, cwd=build, check=True)


def make_soft(build, soft, diagrams, jobs):
    entries = list(code_of_the_loop(build, diagrams))
    for folder in ("objects", "bin", "lib/hilda/plugins"):
        (soft / folder).mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        objects = dict(pool.map(lambda entry: compile_softly(entry, soft / "objects"), entries))
    for target in ["bin/hilda", LIBRARY, *(f"lib/hilda/plugins/{each.name}" for each in (build / "lib/hilda/plugins").glob("*.so"))]:
        link_softly(build, target, soft, objects)
    return len(entries)


def command_of_run(build, diagram, seconds):
    return [str(build / "bin" / "hilda"), "run", str(diagram), "--no-log", "--quiet", "--for", f"{seconds}s",
            *(["--set", "contacts=1000000"] if diagram.stem == "pida" else [])]  # or they would end it


def processor_time(build, diagram, seconds, folder):
    words = command_of_run(build, diagram, seconds)
    process = subprocess.Popen(words, cwd=folder)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(words)} ends with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime


def counted(build, diagram, seconds, folder):
    """Instructions of a run."""
    words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind", *command_of_run(build, diagram, seconds)]
    told = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stderr
    return int(re.search(r"I\s+refs:\s+([\d,]+)", told)[1].replace(",", ""))


def instructions(build, diagram, folder):
    """Of ten seconds of the diagram's time, without what starting and loading take."""
    return counted(build, diagram, 12, folder) - counted(build, diagram, 2, folder)


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
    return {"instructions": instructions(hard, diagram, folder) / instructions(soft, diagram, folder),
            "median": statistics.median(ratios), "low": low, "high": high, "p5": quarters[0], "p95": quarters[-1],
            "best": min(times[hard]) / min(times[soft]), "pairs": pairs, "cpu": statistics.median(times[hard])}


def page(results, files):
    text = ["# What hardening costs", "",
            f"Made by benchmarks/hardening.py on {datetime.date.today()}: {kind_of_machine()}, Linux {platform.release()}, load "
            f"{os.getloadavg()[1]:.0f}.",
            "", "Stack canaries, checked copies, addresses that are read-only and bound at the start, against the same program whose code",
            f"of the loop (engine/run/detail/loop, schedule, solve, safety and the diagrams' blocks, {files} files) is built without them, in turns. The step is",
            "whole, with the look for NaN.", "",
            "| diagram | instructions of a step, with / without | time with / without, median | 95 % of the median | "
            "5 % to 95 % of pairs | best with / best without | pairs of runs |", "|---|---|---|---|---|---|---|"]
    for name, r in results.items():
        text.append(f"| {name} | {r['instructions']:.5f} | {r['median']:.4f} | {r['low']:.4f} to {r['high']:.4f} | "
                    f"{r['p5']:.3f} to {r['p95']:.3f} | {r['best']:.4f} | {r['pairs']} of {r['cpu']:.2f} s |")
    most = max(r["instructions"] for r in results.values())
    slowest = max(r["median"] for r in results.values())
    text += ["", f"Goal: below 1.01. By instructions it is {'met' if most < 1.01 else 'missed'}: {most:.5f} at most. The larger median of the "
             f"times is {slowest:.4f}; they vary by more than what is looked for, and by where the code of two programs comes to",
             "lie. Blocks and plugins have `-fstack-protector`: `-strong` puts a canary into each function with a small matrix too.", ""]
    return "\n".join(text)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", default="build")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--pairs", type=int, default=60)
    options.add_argument("--seconds", type=float, default=600, help="simulated in each run of the chain; four times as much in PIDA's")
    options.add_argument("--diagram", action="append", choices=["chain", "pida"], help="one of the two; both if not given")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    hard = pathlib.Path(given.build).resolve()
    soft, pida = hard / "soft", SOURCE / "diagrams" / "pida.xml"
    with tempfile.TemporaryDirectory(prefix="hilda_hardening_") as folder:
        chain = pathlib.Path(folder) / "chain.xml"
        chain.write_text(CHAIN)
        wanted = {"chain": ("200 blocks in a chain", chain), "pida": ("diagrams/pida.xml", pida)}
        chosen = [wanted[name] for name in given.diagram or wanted]
        files = make_soft(hard, soft, [diagram for _, diagram in chosen], given.jobs)
        results = {name: measure(hard, soft, diagram, given.seconds * (4 if diagram == pida else 1), given.pairs, folder)
                   for name, diagram in chosen}
    print(page(results, files))
    if given.write:
        (SOURCE / "docs/results/measurements/hardening.md").write_text(page(results, files))


if __name__ == "__main__":
    main()
