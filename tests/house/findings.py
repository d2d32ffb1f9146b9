# SPDX-License-Identifier: BSD-3-Clause
"""Each finding of tests/findings.md has tests, and they exist.

findings.py TREE
"""

import pathlib
import re
import sys

tree = pathlib.Path(sys.argv[1])
CODES = [f"{letter}{k}" for letter, most in (("K", 11), ("T", 14), ("D", 13), ("B", 4)) for k in range(1, most + 1)] + ["A4"]
OPEN = {"K11", "T12"}  # found no test yet

sources = "\n".join(path.read_text() for path in sorted(tree.glob("tests/**/*.cpp")))
tests = {".".join(pair) for pair in re.findall(r"^(?:TEST|TEST_F|TEST_P)\(\s*(\w+),\s*(\w+)\s*\)", sources, re.M)}
methods = {name for path in tree.glob("tests/**/*.py") for name in re.findall(r"^    def (test_\w+)\(self", path.read_text(), re.M)}
cases = {path.stem for folder in ("errors", "sweep") for path in tree.glob(f"tests/{folder}/cases/*.txt")}
cases |= set(re.findall(r"NAME (house\.\w+)", (tree / "tests/house/CMakeLists.txt").read_text()))

rows = re.findall(r"^\| ([KTDBA]\d+) \| (.*) \| (.*) \|$", (tree / "tests/findings.md").read_text(), re.M)
faults = [f"{code} has no row, or two" for code in CODES if sum(row[0] == code for row in rows) != 1]
for code, _, last in rows:
    names = re.findall(r"`([^`]+)`", last)
    if not names and code not in OPEN:
        faults.append(f"{code} has no test")
    for name in names:
        if name not in tests and name not in methods and name.removeprefix("case ") not in cases:
            faults.append(f"{code}: there is no test {name}")
print("\n".join(faults) or f"{len(rows)} findings")
sys.exit(bool(faults))
