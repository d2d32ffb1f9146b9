#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where the time of a first build goes: what ./run compiles, from nothing and without a compiler cache, file by file.

    docs/results/measurements/first_build.py --write                    keeps it in first_build.json and writes history/first_build.md
    docs/results/measurements/first_build.py --revision b870dc4 --write   the same of an older tree

The tree is taken from git into a separate folder. Processor time of each compiler is what its children took (wait4), so that
other work on the machine disturbs it less than the wall; the links and what npm bundles are in the whole only.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "docs/results"))
from machine import kind_of_machine  # noqa: E402

KEPT = pathlib.Path(__file__).resolve().with_name("first_build.json")
PAGE = SOURCE / "docs/results/history/first_build.md"
LAUNCHER = """import os, sys
process = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(process, 0)
words = sys.argv[2:]
if "-c" in words:
    with open(sys.argv[1], "a") as times:
        times.write(f"{usage.ru_utime + usage.ru_stime:.3f}\\t{usage.ru_maxrss}\\t{words[words.index('-c') + 1]}\\n")
sys.exit(os.waitstatus_to_exitcode(status))
"""
TARGETS = ["hilda", "hilda_plugins", "hilda_schema"]  # of ./run
HEAVY = 12  # files that the page names


def taken(revision, folder):
    """A revision's tree in a folder."""
    tree = folder / "tree"
    subprocess.run(["git", "clone", "--quiet", "--shared", str(SOURCE), str(tree)], check=True)
    subprocess.run(["git", "checkout", "--quiet", revision], cwd=tree, check=True)
    return tree


def room(file, tree):
    """The folder that contains a source; for a batch of cmake's the folder that it is made of."""
    parts = pathlib.Path(os.path.relpath(file, tree)).parts
    if parts[0] != "build":
        return "/".join(parts[:2])
    return "batches of " + next((each[:-4] for each in parts if each.endswith(".dir")), parts[1])


def measured(revision):
    with tempfile.TemporaryDirectory(prefix="hilda_first_build_") as name:
        folder = pathlib.Path(name)
        tree, times = taken(revision, folder), folder / "times"
        (folder / "launch.py").write_text(LAUNCHER)
        launcher = f"{sys.executable};-SE;{folder / 'launch.py'};{times}"
        words = ["cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DHILDA_TESTS=OFF", "-DHILDA_BY_FOLDER=ON",
                 f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}", f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}"]
        subprocess.run(words, cwd=tree, check=True, stdout=subprocess.DEVNULL)
        begin = time.monotonic()
        process = subprocess.Popen(["cmake", "--build", "build", "--target", *TARGETS], cwd=tree, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{revision} does not build")
        compilers = [line.split("\t") for line in times.read_text().splitlines()]
        files = sorted(((float(seconds), os.path.relpath(file, tree), int(memory)) for seconds, memory, file in compilers), reverse=True)
        rooms = collections.Counter()
        for seconds, file, _ in files:
            rooms[room(tree / file, tree)] += seconds
        short = subprocess.run(["git", "rev-parse", "--short", revision], cwd=SOURCE, capture_output=True, text=True, check=True).stdout.strip()
        return short, {"date": str(datetime.date.today()), "machine": kind_of_machine(), "processors": os.cpu_count(),
                       "system": platform.release(), "load": round(os.getloadavg()[2], 1), "wall": round(time.monotonic() - begin),
                       "processor": round(usage.ru_utime + usage.ru_stime), "compilers": len(files),
                       "compiling": round(sum(each[0] for each in files)), "most_memory_mb": round(max(each[2] for each in files) / 1024),
                       "rooms": {name: round(seconds, 1) for name, seconds in rooms.most_common()},
                       "heavy": [(round(seconds, 1), file) for seconds, file, _ in files[:HEAVY]]}


def page(kept):
    text = ["# Where the time of a first build goes", "",
            "Made by docs/results/measurements/first_build.py: what ./run compiles, from nothing and without a compiler cache. The wall depends on what "
            "else the machine did (load of a quarter of an hour); processor time depends on it less, though not little.", "",
            "| | " + " | ".join(kept) + " |", "|---|" + "---|" * len(kept)]
    rows = {"measured": lambda each: f"{each['date']}, {each['machine']}, {each['processors']} processors, load {each['load']}",
            "wall, s": lambda each: each["wall"], "processor, s": lambda each: each["processor"],
            "of it compilers, s": lambda each: each["compiling"], "calls of a compiler": lambda each: each["compilers"],
            "most memory of one, MB": lambda each: each["most_memory_mb"]}
    text += [f"| {name} | " + " | ".join(str(what(each)) for each in kept.values()) + " |" for name, what in rows.items()]
    for revision, each in kept.items():
        text += ["", f"## {revision}, by folder", "", "| folder | compilers, s |", "|---|---|"]
        shown = {name: seconds for name, seconds in each["rooms"].items() if seconds >= 0.01 * each["compiling"]}
        text += [f"| {name} | {seconds:.1f} |" for name, seconds in shown.items()]
        text += [f"| all others | {each['compiling'] - sum(shown.values()):.1f} |", "",
                 "The longest: " + ", ".join(f"{file} {seconds:.1f} s" for seconds, file in each["heavy"]) + "."]
    return "\n".join(text) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--revision", default="HEAD")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    revision, found = measured(given.revision)
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    kept[revision] = found
    print(page(kept))
    if given.write:
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")
        PAGE.write_text(page(kept))


if __name__ == "__main__":
    main()
