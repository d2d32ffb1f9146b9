# SPDX-License-Identifier: BSD-3-Clause
"""The tree holds no code of others: no script or style that a machine made small, no installed packages, no licence of
others. What comes from npm is named by lock files that fix every package by its hash and name no host.

foreign_code.py TREE
"""

import json
import pathlib
import re
import subprocess
import sys

tree = pathlib.Path(sys.argv[1])
faults = []


def files():
    """What git knows of, and what it would take; all of it where the tree came without git."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=tree,
                            capture_output=True, text=True)
    if listed.returncode == 0:
        return [tree / name for name in listed.stdout.split("\0") if name and (tree / name).is_file()]
    return [each for each in tree.rglob("*") if each.is_file() and not {"build", "out"} & set(each.relative_to(tree).parts)]


def scripts(path, text):
    """A person's lines are short; a minified file has thousands of characters in one."""
    longest = max((len(line) for line in text.splitlines()), default=0)
    if ".min." in path.name or longest > 1200:
        faults.append(f"{path}: minified: the longest line has {longest} characters")


def licences(path, text):
    own = path == tree / "LICENSE" and text.startswith("BSD 3-Clause License\n\nCopyright (c) 2026, the hilda authors\n")
    for line in text.splitlines()[3 if own else 0:]:
        if re.search(r"copyright (\(c\)|©|\d{4})|permission is hereby granted|@license|@preserve", line, re.I):
            faults.append(f"{path}: words of a licence: {line.strip()[:100]}")


def lock_file(path, lock):
    for name, package in lock["packages"].items():
        if name == "":
            continue
        if not re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", package.get("integrity", "")):
            faults.append(f"{path}: {name} has no integrity hash")
        if "resolved" in package:
            faults.append(f"{path}: {name} names the host it came from")
    if "registry" in json.dumps(lock):
        faults.append(f"{path}: names a registry")


def package_file(path, package):
    if not (path.parent / "package-lock.json").is_file():
        faults.append(f"{path}: there is no package-lock.json beside it")
    for kind in ("dependencies", "devDependencies", "optionalDependencies"):
        for name, version in package.get(kind, {}).items():
            if not re.fullmatch(r"\d+\.\d+\.\d+", version):
                faults.append(f"{path}: {name} {version} is not one version")


seen = 0
for path in files():
    if "node_modules" in path.parts:
        faults.append(f"{path}: an installed package")
        continue
    if path == pathlib.Path(__file__) or path.suffix not in {".js", ".mjs", ".cjs", ".ts", ".css", ".html", ".json", ".h",
                                                             ".cpp", ".c", ".py", ".cmake", ".xml", ".txt", ""}:
        if not re.search("licen[cs]e|copying", path.name, re.I):
            continue
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        continue  # a binary file: tests/abi/frozen holds plugins of ours
    seen += 1
    if path.suffix in {".js", ".mjs", ".cjs", ".ts", ".css"}:
        scripts(path, text)
    licences(path, text)
    if path.name == "package-lock.json":
        lock_file(path, json.loads(text))
    if path.name == "package.json":
        package_file(path, json.loads(text))

if seen < 100:
    faults.append(f"{seen} files were looked at: this is not the tree")
print("\n".join(faults) or f"{seen} files: all of them ours")
sys.exit(bool(faults))
