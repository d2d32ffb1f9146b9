#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The licence line of sources: tools/spdx.py [--add]. Without --add it names the files that have none, and fails if there are any.

Files in .cpp, .h, .c, .py, .sh, .cmake, .ts and .mjs, CMakeLists.txt, and scripts without an ending have the line. All others (pages of
docs, diagrams, data) are covered by REUSE.toml.
"""

import pathlib
import subprocess
import sys

LINE = "SPDX-License-Identifier: BSD-3-Clause"
MARKS = {".py": "#", ".sh": "#", ".cmake": "#", ".ts": "//", ".mjs": "//", ".cpp": "//", ".h": "//", ".c": "/*"}
PLAIN_C = "plugins/abi/"  # its headers are C: no comment begins with //
HERE = pathlib.Path(__file__).resolve().parents[1]
# What people begin their own files with belongs to them; frozen plugins are as they were.
LEFT_OUT = ("plugins/template/", "examples/", "tests/abi/frozen/")


def mark(path):
    """How a comment begins in this file; None: it has no line."""
    if path.name == "CMakeLists.txt":
        return "#"
    if path.suffix == ".h" and path.relative_to(HERE).as_posix().startswith(PLAIN_C):
        return "/*"
    if path.suffix:
        return MARKS.get(path.suffix)
    with path.open("rb") as file:
        return "#" if file.read(64).startswith((b"#!/usr/bin/env bash", b"#!/usr/bin/env python3", b"#!/bin/sh")) else None


def line_of(begin):
    return f"{begin} {LINE}" + (" */" if begin == "/*" else "")


def with_line(text, begin):
    lines = text.splitlines(keepends=True)
    lines.insert(1 if text.startswith("#!") else 0, line_of(begin) + "\n")
    return "".join(lines)


def files():
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=HERE,
                            capture_output=True, text=True)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.split("\0") if name]
    else:  # the tree came without git
        names = [str(each.relative_to(HERE)) for each in HERE.rglob("*") if "build" not in each.relative_to(HERE).parts[0]]
    for name in sorted(set(names)):
        path = HERE / name
        if path.is_file() and not path.is_symlink() and not name.startswith(LEFT_OUT):
            yield path


def main():
    if sys.argv[1:] not in ([], ["--add"]):
        sys.exit(__doc__)
    seen, without = 0, []
    for path in files():
        begin = mark(path)
        if begin is None:
            continue
        seen += 1
        text = path.read_text(encoding="utf-8")
        if line_of(begin) in text.splitlines()[:3]:
            continue
        if sys.argv[1:]:
            path.write_text(with_line(text, begin), encoding="utf-8")
        else:
            without.append(path.relative_to(HERE))
    for path in without:
        print(f"{path}: no line '{LINE}'")
    if without:
        sys.exit("help: tools/spdx.py --add adds it")
    print(f"{seen} sources, each with its licence")


if __name__ == "__main__":
    main()
