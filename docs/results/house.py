#!/usr/bin/env python3
"""Writes house.md: what the tree is like, revision by revision, read from git alone.

    docs/results/house.py [REVISION...]      default: the revisions of REVISIONS and HEAD
"""
import collections
import datetime
import pathlib
import re
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PAGE = pathlib.Path(__file__).resolve().with_name("house.md")
REVISIONS = ["b870dc4"]  # before the engine was divided into rooms
HOUSES = ("engine/", "tools/", "plugins/host/", "python/")
LOADERS = ("tools/", "python/", "tests/", "benchmarks/", "examples/")


def git(*words):
    return subprocess.run(["git", *words], cwd=PROJECT, capture_output=True, check=True).stdout


class Tree:
    """The sources of a revision."""

    def __init__(self, revision):
        self.revision = git("rev-parse", "--short", revision).decode().strip()
        names = [name for name in git("ls-tree", "-r", "--name-only", revision).decode().splitlines()
                 if name.endswith((".h", ".cpp", ".c")) and not name.startswith(("docs/", "plugins/template/"))]
        wanted = "".join(f"{revision}:{name}\n" for name in names)
        text = subprocess.run(["git", "cat-file", "--batch"], cwd=PROJECT, input=wanted.encode(), capture_output=True,
                              check=True).stdout
        self.files, at = {}, 0
        for name in names:
            end = text.index(b"\n", at)
            size = int(text[at:end].split()[2])
            self.files[name] = text[end + 1:end + 1 + size].decode(errors="replace")
            at = end + 2 + size
        self.includes = {name: re.findall(r'#include [<"]([^>"]+)[>"]', content) for name, content in self.files.items()}

    def rooms(self):
        made = collections.Counter()
        for name in self.files:
            if name.startswith(HOUSES):
                made[str(pathlib.PurePosixPath(name).parent)] += 1
        return made

    def in_rings(self):
        """Rooms that include each other, directly or around a corner."""
        arrows = collections.defaultdict(set)
        for name, included in self.includes.items():
            if not name.startswith(HOUSES):
                continue
            room = str(pathlib.PurePosixPath(name).parent)
            arrows[room].update(str(pathlib.PurePosixPath(each).parent) for each in included
                                if each.startswith(HOUSES) and str(pathlib.PurePosixPath(each).parent) != room)

        def below(room):
            seen, open_rooms = set(), [room]
            while open_rooms:
                for to in arrows.get(open_rooms.pop(), ()):
                    if to not in seen:
                        seen.add(to)
                        open_rooms.append(to)
            return seen

        return sorted(room for room in list(arrows) if room in below(room))

    def units_that_reach(self, start):
        """Units of compilation of the program and the engine that include a header, directly or through others."""
        known = {}

        def reaches(name, path=()):
            if name not in known:
                known[name] = any(each.startswith(start) or (each in self.files and each not in path and
                                                             reaches(each, (*path, name)))
                                  for each in self.includes[name])
            return known[name]

        return sum(1 for name in self.files if name.startswith(HOUSES) and name.endswith(".cpp") and reaches(name))

    def names_twice(self):
        """Types that stand in two places of engine and tools, with different meanings."""
        where = collections.defaultdict(set)
        for name, content in self.files.items():
            if name.startswith(HOUSES):
                for found in re.findall(r"^(?:class|struct) (\w+)(?: final)?(?: : [^{;]*)? \{", content, re.M):
                    where[found].add(name)
        return {name: files for name, files in where.items() if len(files) > 1}

    def lines_over(self, most, folders):
        return sum(1 for name, content in self.files.items() if name.startswith(folders) and content.count("\n") > most)

    def matching(self, pattern, folders):
        return sum(len(re.findall(pattern, content)) for name, content in self.files.items() if name.startswith(folders))

    def files_matching(self, patterns, folders):
        return sum(1 for name, content in self.files.items()
                   if name.startswith(folders) and all(re.search(each, content) for each in patterns))


CODE = ("engine/", "tools/", "blocks/", "drivers/", "plugins/", "python/")


def rows(tree):
    rooms = tree.rooms()
    largest, files = max(rooms.items(), key=lambda each: each[1])
    twice = tree.names_twice()
    return {
        "rooms (engine, program, pictures, Python)": len(rooms),
        "files in the largest room": f"{files} ({largest})",
        "rooms of more than 20 files": sum(1 for each in rooms.values() if each > 20),
        "rooms that include each other in a ring": len(tree.in_rings()),
        "files of more than 300 lines, of more than 400 (without tests)":
            f"{tree.lines_over(300, CODE)}, {tree.lines_over(400, CODE)}",
        "names of types that stand in two files": f"{len(twice)}: {', '.join(sorted(twice))}",
        "casts to an index or from one in the engine": tree.matching(r"static_cast<(?:std::size_t|int)>", ("engine/",)),
        "units that compile CLI11": tree.units_that_reach("CLI/"),
        "units of the engine and the program that compile Boost": tree.units_that_reach("boost/"),
        "files that bundle sources and diagnostics by themselves to load a diagram":
            tree.files_matching([r"\bSources \w+;", r"\bDiagnostics \w+[;,]"], LOADERS),
        "loops that take ticks, without tests":
            tree.files_matching([r"compute\(\)", r"advance\(\)"], ("engine/modes", "engine/run", "python/", "tools/")),
        "files of drivers that include blocks": tree.files_matching([r'#include "blocks/'], ("drivers/",)),
    }


def main():
    trees = [Tree(each) for each in (sys.argv[1:] or [*REVISIONS, "HEAD"])]
    columns = [rows(tree) for tree in trees]
    text = ["# The tree, before and after", "",
            f"Made by docs/results/house.py on {datetime.date.today()}, from git alone.", "",
            "| | " + " | ".join(tree.revision for tree in trees) + " |", "|---|" + "---|" * len(trees)]
    text += [f"| {name} | " + " | ".join(str(column[name]) for column in columns) + " |" for name in columns[0]]
    PAGE.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
