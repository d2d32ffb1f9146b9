#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the modules: what each is for, which it uses, and how many of its headers others see.

  docs/modules.py             writes docs/modules.svg, the table of docs/architecture.md, and the headers
                              with the namespaces: engine/modules.h, tools/modules.h and tests/modules.h
  docs/modules.py --check     writes nothing; fails where one of them is out of date
  docs/modules.py --measures  prints modules, arrows, public headers, and how many modules a commit touches

Which module uses which is declared in the build (hilda_module in cmake/ and python/CMakeLists.txt), which refuses an
include that is not declared. An arrow that follows from others is left out of the picture.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
from html import escape

ROOT = pathlib.Path(__file__).resolve().parent.parent
DECLARED = ["cmake/Engine.cmake", "cmake/Pictures.cmake", "cmake/Studio.cmake", "cmake/Fmi.cmake", "cmake/Program.cmake",
            "python/CMakeLists.txt"]
BEGIN, END = "<!-- modules: written by docs/modules.py -->\n", "<!-- end of modules -->\n"


def read_modules():
    """Folder of each module, in the order of their declaration, and the folders that it uses."""
    uses = {}
    for file in DECLARED:
        for call in re.findall(r"^hilda_module\(([^)]*)\)", (ROOT / file).read_text(), re.M):
            folder, _, used = call.partition(" USES ")
            uses[folder.strip()] = used.split()
    return uses


def sources(folder):
    return sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in (".h", ".cpp", ".c"))


def public(folder):
    return sorted((ROOT / folder).glob("*.h"))


def purpose(folder):
    """The first sentence of the module's README."""
    return (ROOT / folder / "README.md").read_text().split("\n\n")[1].strip()


def lines(folder):
    return sum(len(path.read_text().splitlines()) for path in sources(folder))


def included():
    """(module, other module): whether a file of the one includes a header of the other."""
    arrows = set()
    uses = read_modules()
    for folder in uses:
        for path in sources(folder):
            for name in re.findall(r'#include "((?:engine|tools|python)/[^"]+)"', path.read_text()):
                other = "python" if name.startswith("python/") else "/".join(name.split("/")[:2])
                if other != folder:
                    arrows.add((folder, other))
    return arrows


def depths(files, arrows):
    """Longest way down from each module."""
    known = {}

    def depth(module):
        if module not in known:
            known[module] = 1 + max((depth(to) for to in arrows[module]), default=-1)
        return known[module]

    return {module: depth(module) for module in files}


def reduced(arrows):
    """The arrows that do not follow from others."""
    def reach(module, seen):
        for to in arrows[module]:
            if to not in seen:
                seen.add(to)
                reach(to, seen)
        return seen

    below = {module: reach(module, set()) for module in list(arrows)}
    return {module: sorted(to for to in ends if not any(to in below.get(other, ()) for other in ends if other != to))
            for module, ends in arrows.items()}


def short(folder):
    return folder.split("/")[-1]


def table(uses):
    rows = ["| module | what it is for | lines | public headers | uses |", "|---|---|---|---|---|"]
    for folder in uses:
        used = ", ".join(short(each) for each in uses[folder])
        rows.append(f"| [`{folder}`](../{folder}/README.md) | {purpose(folder)} | {round(lines(folder), -2)} | {len(public(folder))} | {used} |")
    return "\n".join(rows) + "\n"


class Layers:
    """Modules in rows, those that all depend on at the bottom; a long arrow has a place in every row that it crosses."""
    WIDTH, BOX, BEND, GAP = 1120, 132, 10, 14

    def __init__(self, files, arrows):
        self.few = reduced(arrows)
        depth = depths(files, arrows)
        users = collections.defaultdict(list)
        for module, ends in self.few.items():
            for to in ends:
                users[to].append(module)
        for module in files:  # what one module alone uses is below that module, and not at the very bottom
            if len(users[module]) == 1 and not self.few.get(module):
                depth[module] = depth[users[module][0]] - 1
        self.rows = [[] for _ in range(max(depth.values()) + 1)]
        for module in sorted(files):
            self.rows[depth[module]].append(module)
        self.near = collections.defaultdict(list)  # above and below, of modules and bends
        self.ways = [self.way(module, to, depth) for module, ends in sorted(self.few.items()) for to in ends]
        self.x = {}
        self.place()

    def way(self, module, to, depth):
        points = [module]
        for level in range(depth[module] - 1, depth[to], -1):
            bend = (module, to, level)
            self.rows[level].append(bend)
            points.append(bend)
        points.append(to)
        for one, other in zip(points, points[1:]):
            self.near[one].append(other)
            self.near[other].append(one)
        return points

    def wide(self, spot):
        return self.BOX if isinstance(spot, str) else self.BEND

    def spread(self, row):
        """Side by side as near to where they want to be as their widths allow."""
        at = 0.0
        for spot in row:
            at = max(at + self.wide(spot) / 2, self.x[spot])
            self.x[spot] = at
            at += self.wide(spot) / 2 + self.GAP
        at = self.WIDTH
        for spot in reversed(row):
            at = min(at - self.wide(spot) / 2, self.x[spot])
            self.x[spot] = at
            at -= self.wide(spot) / 2 + self.GAP

    def place(self):
        for row in self.rows:
            for i, spot in enumerate(row):
                self.x[spot] = self.WIDTH * (i + 0.5) / len(row)
        for _ in range(60):
            for row in [*self.rows, *reversed(self.rows)]:
                for spot in row:
                    beside = self.near[spot]
                    if beside:
                        self.x[spot] = sum(self.x[each] for each in beside) / len(beside)
                row.sort(key=lambda spot: (self.x[spot], str(spot)))
                self.spread(row)


COLOURS = {"engine": ("#eaf1fa", "#4c78a8"), "tools": ("#fdf1e3", "#c2751a"), "python": ("#ecf6ec", "#3c8d40")}


def picture(files, arrows):
    layers = Layers(files, arrows)
    high, step = 32, 66
    top = len(layers.rows) - 1
    y = {spot: 20 + (top - level) * step for level, row in enumerate(layers.rows) for spot in row}
    left = min(layers.x[spot] - layers.wide(spot) / 2 for spot in layers.x) - 10
    width, height = max(layers.x[spot] + layers.wide(spot) / 2 for spot in layers.x) + 10 - left, 40 + top * step + high
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} 0 {width:.0f} {height}" '
           'font-family="DejaVu Sans, sans-serif">',
           f'<rect x="{left:.0f}" width="{width:.0f}" height="{height}" fill="#ffffff"/>',
           '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
           '<path d="M0 1 L7 4 L0 7 z" fill="#7a8793"/></marker></defs>']
    for way in layers.ways:
        line = ""
        for one, other in zip(way, way[1:]):
            x, u = layers.x[one], layers.x[other]
            begin, end = y[one] + high, y[other]
            bend = (end - begin) * 0.6
            line += (f"M{x:.1f} {begin:.1f} " if one is way[0] else f"L{x:.1f} {begin:.1f} ")
            line += f"C{x:.1f} {begin + bend:.1f} {u:.1f} {end - bend:.1f} {u:.1f} {end:.1f} "
        out.append(f'<path d="{line.strip()}" fill="none" stroke="#9aa6b1" stroke-width="1.2" marker-end="url(#tip)"/>')
    for module in sorted(files):
        fill, line = COLOURS[module.split("/")[0]]
        x = layers.x[module]
        out.append(f'<rect x="{x - layers.BOX / 2:.1f}" y="{y[module]:.1f}" width="{layers.BOX}" height="{high}" rx="5" '
                   f'fill="{fill}" stroke="{line}"/>'
                   f'<text x="{x:.1f}" y="{y[module] + 21:.1f}" font-size="14" text-anchor="middle" fill="#1d2731">'
                   f'{escape(short(module))}</text>')
    out.append("</svg>\n")
    return "\n".join(out)


NAMESPACES = {"engine": "// Each module has its namespace, in which the names of the modules that it uses are its own: as cmake/Engine.cmake\n"
                        "// declares it.\n\n",
              "tools": '#include "engine/modules.h"\n\n// The same for tools and Python: as cmake/ declares it.\n\n'}


TOP = "// SPDX-License-Identifier: BSD-3-Clause\n#pragma once\n\n"


def namespaces(house, uses):
    """The header with a namespace per module, which names those that it uses; laid out as clang-format does."""
    here = [folder for folder in uses if folder.startswith(house + "/") or (house == "tools" and "/" not in folder)]
    out = f"{TOP}{NAMESPACES[house]}namespace hilda {{\n\n"
    out += "".join(f"namespace {short(folder)} {{}}\n" for folder in here) + "\n"
    for folder in here:
        named = "".join(f"using namespace {short(other)};\n" for other in uses[folder])
        end = f" // namespace {short(folder)}" if len(uses[folder]) > 1 else ""
        out += f"namespace {short(folder)} {{\n{named}}}{end}\n" if named else ""
    return out + "\n} // namespace hilda\n"


def namespaces_of_tests(uses):
    """The header by which tests see the names of all modules."""
    names = [short(folder) for folder in uses]
    return (f"{TOP}// Tests and benchmarks look at every module: its names are theirs.\n\nnamespace hilda {{\n\n"
            + "".join(f"namespace {name} {{}}\n" for name in names) + "\n"
            + "".join(f"using namespace {name};\n" for name in names) + "\n} // namespace hilda\n")


def measures(uses):
    """The table "Measures" of the house: what a newcomer must hold, and how far changes spread."""
    arrows = included()
    print(f"modules {len(uses)}, arrows between them {len(arrows)}, public headers {sum(len(public(each)) for each in uses)}")
    spread = collections.Counter()
    names = subprocess.run(["git", "log", "-200", "--no-merges", "--name-only", "--format=%x00"], cwd=ROOT, text=True,
                           capture_output=True, check=True).stdout
    for commit in names.split("\0"):
        touched = {folder for folder in uses for name in commit.split("\n") if name.startswith(folder + "/")}
        if touched:
            spread[min(len(touched), 4)] += 1
    print("commits that touch one module / two / three / more:", *(spread[n] for n in (1, 2, 3, 4)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--measures", action="store_true")
    given = parser.parse_args()
    uses = read_modules()
    if given.measures:
        return measures(uses)
    wrong = []
    page = ROOT / "docs/architecture.md"
    text = page.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    made = {page: text[:begin] + table(uses) + text[end:], ROOT / "docs/modules.svg": picture(uses, uses)}
    made.update({ROOT / house / "modules.h": namespaces(house, uses) for house in NAMESPACES})
    made[ROOT / "tests/modules.h"] = namespaces_of_tests(uses)
    for path, content in made.items():
        if path.exists() and path.read_text() == content:
            continue
        if given.check:
            wrong.append(f"{path.relative_to(ROOT)} is out of date: run docs/modules.py")
        else:
            path.write_text(content)
    print("\n".join(wrong) if wrong else f"{len(uses)} modules")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
