# SPDX-License-Identifier: BSD-3-Clause
"""Tests have names of one style, docs/conventions.md says which; and what a page says of a test is true of one that is there.

test_names.py TREE
"""

import pathlib
import re
import sys

tree = pathlib.Path(sys.argv[1])
TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\(\s*(\w+),\s*(\w+)\s*\)", re.M)
STYLE = re.compile(r"[A-Z][A-Za-z0-9]*")

faults, tests = [], {}
for path in sorted([*tree.glob("tests/**/*.cpp"), *tree.glob("plugins/template/**/*.cpp")]):
    for suite, name in TEST.findall(path.read_text()):
        tests.setdefault(suite, set()).add(name)
        for word in (suite, name):
            if not STYLE.fullmatch(word):
                faults.append(f"{path.relative_to(tree)}: {suite}.{name}: '{word}' is not words with capitals, such as SaysWhatIsMissing")

quoted = 0
for path in sorted([*tree.glob("*.md"), *tree.glob("docs/**/*.md"), *tree.glob("docs/**/*.py"), *tree.glob("examples/**/*.md")]):
    if path.name == "CHANGELOG.md":
        continue  # it lists releases, whose tests may be gone
    for suite, name in re.findall(r"\b([A-Z]\w*)\.([A-Za-z]\w*_\w+|[A-Z][a-z]\w+)\b", path.read_text()):
        if suite in tests:
            quoted += 1
            if name not in tests[suite]:
                faults.append(f"{path.relative_to(tree)}: there is no test {suite}.{name}")

count = sum(map(len, tests.values()))
if count < 1000 or quoted < 80:
    faults.append(f"{count} tests, {quoted} quoted: this is not the tree")
print("\n".join(faults) or f"{count} tests, {quoted} quoted")
sys.exit(bool(faults))
