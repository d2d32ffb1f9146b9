#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long `./test` takes after a change of one line: it builds what depends on the line, then runs the tests of one folder.

    docs/results/measurements/rebuild.py --rounds 3 --write         keeps it in rebuild.json and writes rebuild.md
    docs/results/measurements/rebuild.py --tree FOLDER --write      the same of another checkout, built by its own ./test before

Each round adds its own declaration to the file, so that no compiler cache has seen it, and takes it out again; the
build that this asks for is not counted. Wall time and processor time (of all processes) are side by side: on a machine
with other work only the second one means something. The size of an installation is measured, too.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[3]
KEPT = pathlib.Path(__file__).resolve().with_name("rebuild.json")
PAGE = KEPT.with_suffix(".md")
CHANGES = [  # by name: the change, candidates for its file (older trees have others), the tests that are run
    ("block", "a block", ["blocks/discrete/low_pass.cpp"], "blocks"),
    ("source", "a source of the diagram's model", ["engine/diagram/detail/model/parameter.cpp", "engine/model/rational.cpp"], "engine"),
    ("header", "system.h, the header that most include", ["engine/diagram/system.h", "engine/model/system.h"], "engine"),
]


def timed(words, tree):
    """Seconds on the wall, and of the processor."""
    begin = time.monotonic()
    with subprocess.Popen(words, cwd=tree, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(words)} ends with {process.returncode}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime


def measure(tree, file, folder, rounds):
    path = tree / file
    text, times = path.read_bytes(), []
    for turn in range(rounds):
        mark = f"\nnamespace hilda {{ inline constexpr long long one_line_{time.time_ns()} = {turn}; }}\n"
        try:
            path.write_bytes(text + mark.encode())
            build = timed(["cmake", "--build", "build"], tree)
            tests = timed(["./test", "-R", f"^{folder}\\."], tree)
            times.append((build[0] + tests[0], build[1] + tests[1], build[0], build[1]))
        finally:
            path.write_bytes(text)
            subprocess.run(["cmake", "--build", "build"], cwd=tree, stdout=subprocess.DEVNULL, check=True)
    return times


def prefix_bytes(tree):
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.run(["cmake", "--install", "build", "--prefix", prefix], cwd=tree, stdout=subprocess.DEVNULL, check=True)
        return sum(each.lstat().st_size for each in pathlib.Path(prefix).rglob("*") if not each.is_dir())


def median(values):
    return f"{statistics.median(values):.0f} " + (f"({min(values):.0f} to {max(values):.0f})" if len(values) > 1 else "(one round)")


def page(kept):
    """A column a revision."""
    rows = {"measured": [f"{each['date']}, {each['machine']}, {each['processors']} processors, load {each['load']}" for each in kept.values()],
            "an installation, MB": [f"{each['prefix_bytes'] / 1e6:.1f}" for each in kept.values()]}
    for column, each in enumerate(kept.values()):
        for change in each["changes"]:
            for key, words in (("build_wall", "build, wall"), ("build_processor", "build, processor"),
                               ("wall", "build and tests, wall"), ("processor", "build and tests, processor")):
                row = rows.setdefault(f"one line of {change['what']}, s: {words}", ["not measured"] * len(kept))
                row[column] = median(change[key])
    return "\n".join([
        "# How long a rebuild takes", "",
        "Made by docs/results/measurements/rebuild.py: `./test -R` of one folder after one line was changed, a column a revision; medians with the "
        "least and the most. On a machine with other work the time on the wall says little.", "",
        "| | " + " | ".join(kept) + " |", "|---|" + "---|" * len(kept),
        *(f"| {name} | " + " | ".join(values) + " |" for name, values in rows.items())]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=pathlib.Path, default=SOURCE)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=[each[0] for each in CHANGES], default=[each[0] for each in CHANGES])
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    revision = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=given.tree, capture_output=True, text=True,
                              check=True).stdout.strip()
    timed(["cmake", "--build", "build"], given.tree)
    made = {"date": str(datetime.date.today()), "machine": platform.machine(), "processors": os.cpu_count(),
            "load": round(os.getloadavg()[0], 1), "prefix_bytes": prefix_bytes(given.tree), "changes": []}
    for name, what, files, folder in CHANGES:
        if name not in given.only:
            continue
        file = next(each for each in files if (given.tree / each).exists())
        wall, processor, build_wall, build_processor = zip(*measure(given.tree, file, folder, given.rounds))
        made["changes"].append({"what": what, "file": file, "tests": folder, "build_wall": build_wall,
                                "build_processor": build_processor, "wall": wall, "processor": processor})
        print(json.dumps(made["changes"][-1]), flush=True)
    if given.write:
        kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
        fresh = {each["what"] for each in made["changes"]}
        made["changes"] += [each for each in kept.get(revision, {}).get("changes", []) if each["what"] not in fresh]
        kept[revision] = made
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")
        PAGE.write_text(page(kept))


if __name__ == "__main__":
    main()
