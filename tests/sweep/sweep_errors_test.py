#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `hilda sweep check` says of each wrong study in cases/CODE.xml, against cases/CODE.txt;
CODE+MORE.xml has mistakes of several kinds.

    sweep_errors_test.py HILDA [--write]
"""
import os
import subprocess
import sys
from pathlib import Path

here = Path(__file__).resolve().parent / "cases"
hilda = str(Path(sys.argv[1]).resolve())
write = "--write" in sys.argv
os.chdir(here)
wrong = 0
cases = sorted(path for path in here.glob("*.xml") if path.name != "plant.xml")
assert len(cases) > 15, "the cases are no longer found"
for case in cases:
    done = subprocess.run([hilda, "sweep", "check", case.name], capture_output=True, text=True, timeout=60)
    golden = case.with_suffix(".txt")
    if write:
        golden.write_text(done.stderr)
    told = done.stderr
    problems = []
    if done.returncode != 2:
        problems.append(f"exit code {done.returncode}")
    if not golden.exists() or told != golden.read_text():
        problems.append("it says:\n" + told)
    if f"[{case.stem.split('+')[0]}]" not in told:
        problems.append("its code is not among them")
    if told.count("help: ") < told.count("error["):
        problems.append("an error without help")
    for problem in problems:
        wrong += 1
        print(f"{case.name}: {problem}")
print(f"{len(cases)} wrong studies")
sys.exit(wrong != 0)
