#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each test that tests/findings*.md names exists, and each finding has one: finding_tests.py TREE

A row of such a page is `| finding | what | tests |`. Names of tests are in backticks: `Suite.Name` of GoogleTest, `file.py:function` of Python, the
file of a golden message, or the name that add_test gives. A finding without a test says why in words.
"""
import pathlib
import re
import sys

GOOGLE_TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\(\s*(\w+),\s*(\w+)\s*\)", re.M)
ADD_TEST = re.compile(r"add_test\(\s*NAME\s+([^\s)]+)")
HEAD = "| finding | what | tests |"


def google_tests(tree):
    return {".".join(pair) for path in tree.glob("tests/**/*.cpp") for pair in GOOGLE_TEST.findall(path.read_text(encoding="utf-8"))}


def ctest_patterns(tree):
    """(pattern, words that a part in ${} may be) of each add_test; such a part is a word of that CMake file or a file next to it."""
    for path in [*tree.glob("tests/**/CMakeLists.txt"), *tree.glob("tests/**/extra.cmake")]:
        text = path.read_text(encoding="utf-8")
        near = {each.stem.removesuffix("_test") for each in path.parent.iterdir()}
        near |= {each.name for each in (tree / path.parent.name).glob("*")}  # examples of tests/examples
        for name in ADD_TEST.findall(text):
            pattern = "".join(r"([\w-]+)" if part.startswith("$") else re.escape(part) for part in re.split(r"(\$\{\w+\})", name))
            yield re.compile(pattern), set(re.findall(r"[\w-]+", text)) | near


def is_there(tree, name, google, patterns):
    if ":" in name:
        file, function = name.split(":")
        path = tree / file
        return path.is_file() and re.search(rf"^\s*def {function}\(", path.read_text(encoding="utf-8"), re.M) is not None
    if name in google or (name.startswith("tests/") and (tree / name).is_file()):
        return True
    for pattern, words in patterns:
        found = pattern.fullmatch(name)
        if found and all(part in words for part in found.groups()):
            return True
    return False


def finding_faults(tree):
    google, patterns = google_tests(tree), list(ctest_patterns(tree))
    faults, where, count = [], {}, 0
    for page in sorted(tree.glob("tests/findings*.md")):
        place = page.relative_to(tree)
        lines = page.read_text(encoding="utf-8").splitlines()
        if HEAD not in lines:
            faults.append(f"{place}: has no table '{HEAD}'")
        for number, line in enumerate(lines, 1):
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            if not line.startswith("|") or line == HEAD or set(line) <= set("|-"):
                continue
            if len(cells) != 3 or not re.fullmatch(r"[A-Z]\d+", cells[0]):
                faults.append(f"{place}:{number}: expected a finding such as A1, what it is, and its tests")
                continue
            if cells[0] in where:
                faults.append(f"{place}:{number}: {cells[0]} is also in {where[cells[0]]}")
            where[cells[0]] = f"{place}:{number}"
            names = re.findall(r"`([^`]+)`", cells[2])
            count += len(names)
            if not names and len(cells[2].split()) < 4:
                faults.append(f"{place}:{number}: {cells[0]} has neither a test nor a reason why there is none")
            faults += [f"{place}:{number}: there is no test {name}" for name in names if not is_there(tree, name, google, patterns)]
    if count == 0:
        faults.append("tests/findings*.md name no test: this is not the tree")
    return faults


if __name__ == "__main__":
    found = finding_faults(pathlib.Path(sys.argv[1]))
    print("\n".join(found) or "each test is there")
    sys.exit(bool(found))
