#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the rooms of the house: every folder with sources, what it includes, and how many files it holds.

  docs/rooms.py             writes docs/rooms.svg and the table of docs/architecture.md
  docs/rooms.py --check     writes nothing; fails where a drawing is out of date, two rooms include each other, or a
                            room is too full

A room is above all that it includes. An arrow that follows from others is left out of the picture.
"""

import argparse
import collections
import pathlib
import re
import sys
from html import escape

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOUSES = ["engine", "tools", "python"]
BEGIN, END = "<!-- rooms: written by docs/rooms.py -->\n", "<!-- end of rooms -->\n"
WHAT = {  # in the order of reading
    "engine/diagnostics": "diagnostics: codes, source lines, budgets; UTF-8 characters; the hash FNV-1a",
    "engine/units": "units of measure, exact exponents",
    "engine/value": "values as written: numbers, exact fractions, matrices, expressions with units",
    "engine/catalogue": "what block types there are: slots, parameters, shapes",
    "engine/signals": "what goes over a wire: its type, its parts by name (`.force.x`), and both as text",
    "engine/model": "a diagram as written (`DiagramDecl`) and as flattened (`System`); what depends on which parameter",
    "engine/files": "output files: checked first, locked, written next to their name, renamed; [files.md](files.md)",
    "engine/xml/text": "reads and parses a file's text and reports its syntax errors; also reads XML that is not hilda's, as plain elements; has the memory for the parsed text",
    "engine/xml": "files and overlays to `DiagramDecl`, with the place of everything",
    "engine/xml/edit/text": "finds each element and attribute in a file's text, lays out new ones, and replaces the bytes of some",
    "engine/xml/edit": "operations on a diagram's text that replace just the bytes that they mean, and undo; [edit.md](edit.md)",
    "engine/schema": "RELAX NG and XSD out of the catalogue",
    "engine/host/process": "what belongs to the whole process (signals, timers, folder, locale, umask, streams), and what plugins change of it or leave behind",
    "engine/host/running": "who runs which plugin's code at the moment, on which stack and in which floating-point mode; the processor and its mathematics",
    "engine/host": "finds plugins, loads them and fills the catalogue",
    "engine/host/block": "one block and its plugin: its type, also where that is its own, its record with its parameters, what it is asked before the run and what it reports",
    "engine/flatten": "subsystems, variants and settings: blocks with their parameters",
    "engine/wires": "follows wires through the ports of subsystems (borders); the attachments of wires: limits, quality, log and figure; `<realtime>`",
    "engine/equations": "exact linear equations over shapes, units and rates",
    "engine/infer": "shapes, units, rates and parameters of every signal, and the messages about conflicts",
    "engine/check": "the way from a file to a checked `System`, in one call; what another text for a parameter makes of it, also while it runs",
    "engine/plan": "dependency graph, order, memory layout; `Memory`: the records",
    "engine/schedule": "what runs when: rows of calls, guards, the look for NaN, pacing as the loop sees it",
    "engine/solve/methods": "continuous blocks as a differential equation, and methods with a variable step for it",
    "engine/solve/past": "what signals were, along a step's curve, for blocks that put them out later; numbers of a checkpoint",
    "engine/solve/cvode": "CVODE over the same equations, where it is installed: its formulas, the matrix of Newton's method, sparse elimination",
    "engine/solve/settings": "what a solver may be given: its numbers, tolerances of single states, and where it may run",
    "engine/solve": "continuous states from tick to tick: by fixed steps or by variable ones over ticks; crossings",
    "engine/safety": "the stage before an input that moves something: limits, ramps, holding",
    "engine/loop": "`Runtime`: one tick after the other; checkpoints, endings, the energy account",
    "engine/live/inputs": "what programs write as numbers between two ticks, and read: handles, their way into records, log and past",
    "engine/live": "a running diagram is changed: requests from any thread into the loop, the way back in time",
    "engine/summary": "what blocks say after a run, and values of parameters, as text and tables",
    "engine/mcap": "MCAP files, written, and read up to the last whole record or by what their summary says",
    "engine/log/format": "the contents of a log: channels, their schemas, a frame's layout, numbers",
    "engine/log": "what a tick made: ring, writer, signals by name; what a cut or damaged log still gives, down to single ticks (`log_recovery`, which is `hilda recover`)",
    "engine/recordings": "a signal of a log or of a MAT file, with its unit, for a block that plays it; MAT files are read by matio, in a separate process",
    "engine/compare": "two logs, signal by signal",
    "engine/export": "logs as CSV and MAT",
    "engine/modes/sim": "what all modes share: ticks taken and counted (`RunTicks`), the run's log, the summary's JSON; and simulation, as fast as it goes",
    "engine/modes/realtime/machine": "what the computer can: clock, rights, the loop's thread, its latencies, the network's settings",
    "engine/modes/profile": "how long each block works in a step (`hilda run --profile`)",
    "engine/modes/realtime/channels": "what sensors measure while devices are held, before anything moves: compared with `<quality>`",
    "engine/modes/realtime": "the same ticks paced by a timer or a device, how well they kept their time; the operator's states (idle, armed, running, stopping, ended)",
    "engine/modes/live": "an interactive simulation: pauses, goes back, continues in an edited diagram, log by log",
    "engine/modes/replay": "the same ticks on recorded measurements, and the first bit that differs",
    "engine/study": "a study as written: axes, draws, figures; its runs by number",
    "engine/sweep/store": "what runs of a study share, and the file of their rows; merging, and export as CSV and MAT",
    "engine/sweep": "makes the runs of a study, in threads or processes; searches",
    "engine/analyse/audit": "whether blocks keep what they declare",
    "engine/analyse/state_space": "a linear model, A, B, C, D with the names of its states: its poles, its frequency response",
    "engine/analyse/linearize": "a linear model of a diagram about a state",
    "engine/analyse/response": "what a linear model answers: margins of a loop, resonances, a step",
    "engine/analyse/trim": "values of parameters with which a diagram is at rest",
    "engine/analyse/identify": "least squares on recorded motions, for `hilda measure-delay`",
    "tools/svg": "SVG and its text, measured",
    "tools/plot": "signals over time, responses over frequency or in the plane",
    "tools/draw/sketch": "what of a diagram is drawn: which symbol represents which block, its size and ports; bundles of wires, hints",
    "tools/draw/layout": "ranks, order, places, tags and wires; which of several compositions is best",
    "tools/draw": "the drawing as SVG: symbols (`symbol_picture`), wires and tags (`panel`), the page with its legend (`drawing`); the same as JSON (`scene`)",
    "tools/edit": "answers for editors of diagrams: which errors an edit brings, how two texts differ and become one, which blocks are meant by some words",
    "tools/report": "the page; `page/` holds its scripts",
    "tools/fmi": "a diagram as an FMU: its variables, `modelDescription.xml`, the libraries and files that travel; one instance of it; [fmi.md](fmi.md)",
    "tools/fmi/library": "the functions of FMI 2.0 and 3.0, which an FMU's library exports",
    "tools/study": "maps and the page of a study; `page/` holds its script",
    "tools/studio/clients": "what clients of a run say and hear, without sockets: Foxglove's protocol and hilda.v1, scopes with their triggers; [studio.md](studio.md)",
    "tools/studio/logs": "logs that pages hand over: their folder, and their reading in a separate process; [studio.md](studio.md#logs-of-other-runs)",
    "tools/studio/server": "HTTP and WebSockets by Boost.Beast; decides which client may connect",
    "tools/studio": "desks (objects that answer the requests of clients about a run or a diagram); `page/` holds the page",
    "tools/studio/edit": "diagrams under edit: their files and journals, what is drawn and reported of them, which ports fit; [studio.md](studio.md)",
    "tools/cli": "`main`, which opens libhilda.so; `hilda_run` in it, which calls the `add_...` of every command (`commands.cpp`)",
    "tools/cli/program": "terminal, exit codes, crashes, interrupts: what every command needs",
    "tools/cli/loading": "arguments that name a diagram and its solver, its loading, and whether its files have changed since; the browser",
    "tools/cli/console": "the commands of `hilda run --console`, and where they come from",
    "tools/cli/run": "run, and its modes",
    "tools/cli/look": "what looks at a diagram or a catalogue: blocks, check (with its audit), describe, diff, docs, draw, plan, schema",
    "tools/cli/linear": "linearize, its words, tables and pictures; trim",
    "tools/cli/edit": "edit",
    "tools/cli/logs": "what reads logs: compare, export, info, plot, recover, report; measure-delay, which moves a robot to write one; export-fmu",
    "tools/cli/sweep": "sweep, its clusters, what reads its results, and Parquet",
    "tools/cli/rig": "doctor, and the checklist of a cell",
    "tools/embed": "the C API for programs that embed the engine (`plugins/abi/hilda/embed.h`); [embedding.md](embedding.md)",
    "tools/cli/author": "for authors of plugins; the checks are in `plugins/sdk/hilda/testing`",
    "python/interpreter": "for the interpreter: conversion of values to NumPy, exceptions, the folder of hilda, the message after a crash",
    "engine/catalogue/scripts": "block types that are in source files and are read when a diagram needs one",
    "engine/host/scripts": "which Python files declare blocks, and what the library that runs them says",
    "python/block_types": "blocks in Python: a class becomes a block type, its members are in the engine's memory, its methods are phases",
    "python/simulation": "a diagram loaded, run and stepped, its signals",
    "python": "the module: what Python sees, with its docstrings; `hilda/` in it is its half in Python",
}


def read_rooms():
    """Files of each room, and the rooms that it includes."""
    files, arrows = collections.defaultdict(list), collections.defaultdict(set)
    for house in HOUSES:
        for path in sorted((ROOT / house).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".c"):
                continue
            room = str(path.parent.relative_to(ROOT))
            files[room].append(path.name)
            for name in re.findall(r'#include "((?:%s)/[^"]+)"' % "|".join(HOUSES), path.read_text()):
                to = str(pathlib.PurePosixPath(name).parent)
                if to != room:
                    arrows[room].add(to)
    return files, arrows


def cycle(arrows):
    """Rooms that include one another in a ring; none if there is none."""
    done, path = set(), []

    def walk(room):
        if room in path:
            return path[path.index(room):] + [room]
        if room in done:
            return None
        path.append(room)
        for to in sorted(arrows[room]):
            found = walk(to)
            if found:
                return found
        path.pop()
        done.add(room)
        return None

    for room in sorted(arrows):
        found = walk(room)
        if found:
            return found
    return None


def depths(files, arrows):
    """Longest way down from each room."""
    known = {}

    def depth(room):
        if room not in known:
            known[room] = 1 + max((depth(to) for to in arrows[room]), default=-1)
        return known[room]

    return {room: depth(room) for room in files}


def reduced(arrows):
    """The arrows that do not follow from others."""
    def reach(room, seen):
        for to in arrows[room]:
            if to not in seen:
                seen.add(to)
                reach(to, seen)
        return seen

    below = {room: reach(room, set()) for room in list(arrows)}
    return {room: sorted(to for to in ends if not any(to in below.get(other, ()) for other in ends if other != to))
            for room, ends in arrows.items()}


def short(room, files):
    """Without its house, where no other house has a room of that name."""
    name = room.split("/", 1)[-1]
    return room if sum(other.split("/", 1)[-1] == name for other in files) > 1 else name


def table(files, arrows):
    lines = ["| room | files | what it is for | includes |", "|---|---|---|---|"]
    few = reduced(arrows)
    for room in sorted(files, key=lambda r: list(WHAT).index(r) if r in WHAT else len(WHAT)):
        ends = ", ".join(short(to, files) for to in few.get(room, []))
        lines.append(f"| `{room}` | {len(files[room])} | {WHAT.get(room, '**not described**')} | {ends} |")
    return "\n".join(lines) + "\n"


class Layers:
    """Rooms in rows, those that all depend on at the bottom; a long arrow has a place in every row that it crosses."""
    WIDTH, BOX, BEND, GAP = 1120, 132, 10, 14

    def __init__(self, files, arrows):
        self.few = reduced(arrows)
        depth = depths(files, arrows)
        users = collections.defaultdict(list)
        for room, ends in self.few.items():
            for to in ends:
                users[to].append(room)
        for room in files:  # what one room alone uses is below that room, and not at the very bottom
            if len(users[room]) == 1 and not self.few.get(room):
                depth[room] = depth[users[room][0]] - 1
        self.rows = [[] for _ in range(max(depth.values()) + 1)]
        for room in sorted(files):
            self.rows[depth[room]].append(room)
        self.near = collections.defaultdict(list)  # above and below, of rooms and bends
        self.ways = [self.way(room, to, depth) for room, ends in sorted(self.few.items()) for to in ends]
        self.x = {}
        self.place()

    def way(self, room, to, depth):
        points = [room]
        for level in range(depth[room] - 1, depth[to], -1):
            bend = (room, to, level)
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
    for room in sorted(files):
        fill, line = COLOURS[room.split("/")[0]]
        x = layers.x[room]
        out.append(f'<rect x="{x - layers.BOX / 2:.1f}" y="{y[room]:.1f}" width="{layers.BOX}" height="{high}" rx="5" '
                   f'fill="{fill}" stroke="{line}"/>'
                   f'<text x="{x:.1f}" y="{y[room] + 21:.1f}" font-size="14" text-anchor="middle" fill="#1d2731">'
                   f'{escape(short(room, files))}</text>')
    out.append("</svg>\n")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    files, arrows = read_rooms()
    wrong = []
    ring = cycle(arrows)
    if ring:
        wrong.append("rooms include one another: " + " -> ".join(ring))
    wrong += [f"{room} is not described in docs/rooms.py" for room in sorted(files) if room not in WHAT]
    wrong += [f"docs/rooms.py describes {room}, which is not there" for room in WHAT if room not in files]
    if ring:
        print("\n".join(wrong))
        return 1
    page = ROOT / "docs/architecture.md"
    text = page.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    made = {page: text[:begin] + table(files, arrows) + text[end:], ROOT / "docs/rooms.svg": picture(files, arrows)}
    for path, content in made.items():
        if path.exists() and path.read_text() == content:
            continue
        if given.check:
            wrong.append(f"{path.relative_to(ROOT)} is out of date: run docs/rooms.py")
        else:
            path.write_text(content)
    print("\n".join(wrong) if wrong else f"{len(files)} rooms, {sum(map(len, files.values()))} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
