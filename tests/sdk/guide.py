#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""docs/sdk.md has every member of the SDK in an example, finds each by its index, and its examples run.

    guide.py PROJECT HILDA FOLDER        the tests; the plugin guide.so of the examples is in FOLDER
    guide.py --source PROJECT FILE       writes the examples of docs/sdk.md as one source file of a plugin
    guide.py --write PROJECT             writes the index of docs/sdk.md
"""
import contextlib
import csv
import json
import math
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SDK = "plugins/sdk/hilda"
HEADERS = ("block.h", "declare.h", "difference.h", "figures.h", "frames.h", "input.h", "lane_block.h", "output.h", "parameter.h", "parts.h",
           "per_element.h", "plugin.h", "random.h", "rotation.h", "row.h", "state.h", "types.h",
           "watched_descriptor.h", "whole_ticks.h")
# Classes whose member functions an author calls; the others are written by the compiler or are called by hilda alone.
CALLED = ("Tick", "Fired", "Instance", "Inference", "Summary", "Input", "Parameter", "ContinuousState", "Crossing", "Ring", "Generator", "PerElement", "Row",
          "Wrench", "Twist", "WatchedDescriptor")
NOT_FOR_AUTHORS = {"distances", "begin", "end", "Flag", "Range", "Default", "Count", "HILDA_PLUGIN", "HILDA_PLUGIN_VARIANTS",
                   "HILDA_LANE_TYPES", "HILDA_CONCATENATE", "HILDA_CONCATENATE_"}
MARK, END = "<!-- written by tests/sdk/guide.py --write -->\n", "<!-- end of the index -->\n"
EXAMPLE = re.compile(r"^```cpp\n(.*?)^```$", re.M | re.S)
INCLUDES = ["hilda/block.h", "hilda/difference.h", "hilda/figures.h", "hilda/flags.h", "hilda/frames.h", "hilda/lane_block.h",
            "hilda/per_element.h", "hilda/random.h", "hilda/watched_descriptor.h", "hilda/whole_ticks.h", "arpa/inet.h", "poll.h", "sys/socket.h", "unistd.h", "algorithm",
            "array", "atomic", "chrono", "fstream", "random", "set", "sstream", "stop_token", "string", "thread", "utility", "vector"]


def public(text, owner):
    """The bodies of a class, of a template and of its specialisations, without what is private."""
    for start in re.finditer(rf"^(?:template <.*>\s*(?:requires.*?\)?\s)?)?(?:class|struct) {owner}\b[^;{{]*\{{", text, re.M):
        yield text[start.end():text.index("\n};", start.end())].split("\nprivate:")[0]


def members(project):
    """Each name of the SDK with a pattern for its use."""
    headers = {name: (project / SDK / name).read_text(encoding="utf-8") for name in HEADERS}
    outside = {name: re.sub(r"^namespace detail \{\n.*?^\} // namespace detail", "", text, flags=re.M | re.S) for name, text in headers.items()}
    names = {}
    for phase in re.findall(r"virtual [\w:<>]+ (\w+)\(", headers["block.h"]):
        names[phase] = rf" {phase}\("
    for text in outside.values():
        found = re.findall(r"^inline constexpr Flag (\w+)\{", text, re.M)
        found += re.findall(r"^(?:template <[^>]*>\s*)?(?:\[\[.*?\]\] )?(?:inline )?(?:const )?[\w:]+\*? (\w+)\([^;]*\{", text, re.M)
        found += re.findall(r"^(?:template <[^>]*>\s*)?(?:class|struct|enum class) (\w+)(?: : [^;{]*)?(?: \{|;|$)", text, re.M)
        found += re.findall(r"class Parameter<(\w{2,})>", text)
        found += re.findall(r"^(?:template <[^>]*>\s*)?using (\w+) =", text, re.M)
        found += re.findall(r"^#define (HILDA_\w+)\(", text, re.M)
        names |= {name: rf"\b{name}\b" for name in found}
        for owner in CALLED:
            for body in public(text, owner):
                for name in re.findall(r"^  (?:template <.*> )?(?:static |constexpr )*[\w:<>,& ]*?[\w>&*] \*?(\w+)\([^()]*\)(?: const)? ?(?:requires.*)?\{", body, re.M):
                    names[name] = rf"(\.|::)(template )?{name}\("
    flags = (project / "plugins/abi/hilda/abi.h").read_text(encoding="utf-8") + (project / "plugins/abi/hilda/flags.h").read_text(encoding="utf-8")
    for flag in ("HILDA_REALTIME_UNSAFE", "HILDA_SINK", "HILDA_RAISES_FLAGS", "HILDA_FOLLOWS_TIME", "HILDA_STEADY"):
        assert flag in flags, flag
        names[flag] = rf"\b{flag}\b"
    names |= {name: rf"\b{name}\b" for name in ("remembers", "past_age", "recall", "type_flags")}  # static names that thunks.h looks for
    return {name: use for name, use in names.items() if len(name) > 1 and name not in NOT_FOR_AUTHORS}


def code(example):
    """Without comments and texts: words there are not members."""
    return re.sub(r"//[^\n]*|\"[^\"\n]*\"", "", example)


def sections(page):
    """(anchor, title, text) of each section."""
    parts = re.split(r"^(#{2,3} .*)$", page, flags=re.M)
    for heading, text in zip(parts[1::2], parts[2::2]):
        title = heading.lstrip("# ")
        yield re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-"), title, text


def index(project, page):
    """A row for each member: the block of the first example that has it, and its section."""
    rows = []
    for name, use in sorted(members(project).items(), key=lambda item: (item[0].lower(), item[0])):
        for anchor, title, text in sections(page):
            owner = next((block for example in EXAMPLE.findall(text) for block in re.split(r"^(?=///)", example, flags=re.M)
                          if re.search(use, code(block))), None)
            if owner is not None:
                block = re.search(r"HILDA_BLOCK\w*\(\s*\"?(\w+)", owner)
                rows.append(f"| `{name}` | {f'`{block[1]}` in ' if block else ''}[{title}](#{anchor}) |\n")
                break
    return "| member | example |\n|---|---|\n" + "".join(rows)


def write_index(project):
    file = project / "docs/sdk.md"
    page = file.read_text(encoding="utf-8")
    before, after = page.split(MARK)[0], page.split(END)[1]
    file.write_text(before + MARK + index(project, page) + END + after, encoding="utf-8")


def write_source(project, to):
    """With the page's lines, so that an error of the compiler names them."""
    page = (project / "docs/sdk.md").read_text(encoding="utf-8")
    text = "".join(f"#include <{name}>\n" for name in INCLUDES) + "using namespace hilda;\n"
    for example in EXAMPLE.finditer(page):
        text += f'#line {page.count(chr(10), 0, example.start(1)) + 1} "docs/sdk.md"\n{example[1]}'
    to.write_text(text, encoding="utf-8")


class Guide(unittest.TestCase):
    def test_every_member_has_an_example(self):
        found, examples = members(project), code("\n".join(EXAMPLE.findall(page)))
        self.assertGreater(len(found), 150, sorted(found))
        missing = sorted(name for name, use in found.items() if not re.search(use, examples))
        self.assertEqual(missing, [], "no example of docs/sdk.md has these members of the SDK")

    def test_the_index_is_that_of_the_examples(self):
        self.assertEqual(page.split(MARK)[1].split(END)[0], index(project, page), "run tests/sdk/guide.py --write .")

    def test_author_md_quotes_files(self):
        """Code of the guide is part of a file that is built and run elsewhere; `...` stands for lines that are left out."""
        guide = (project / "docs/author.md").read_text(encoding="utf-8")
        marks = re.findall(r"^```(?:cpp|cmake)([^\n]*)\n(.*?)^```$", guide, re.M | re.S)
        self.assertGreater(len(marks), 3)
        for mark, text in marks:
            name = re.search(r"file=(\S+)", mark)
            self.assertTrue(name, f"docs/author.md: this code names no file it is from:\n{text}")
            lines = [line.strip() for line in (project / name[1]).read_text(encoding="utf-8").splitlines() if line.strip()]
            text = text.replace("my_filters", "template_plugin")  # the name that new-plugin puts in
            for part in re.split(r"^\s*\.\.\.\n", text, flags=re.M):
                wanted = [line.strip() for line in part.splitlines() if line.strip()]
                at = [k for k in range(len(lines)) if lines[k:k + len(wanted)] == wanted]
                self.assertTrue(at, f"docs/author.md: {name[1]} does not have\n{part}")

    def test_its_blocks_keep_what_every_block_promises(self):
        made = subprocess.run([hilda, "test-plugin", folder / "guide.so", "--diagram", project / "tests/sdk/guide.xml", "--plugins", folder],
                              capture_output=True, text=True, check=False)
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        self.assertNotIn("not run", made.stdout)
        blocks = set(re.findall(r"HILDA_BLOCK\w*\(\s*\"?(\w+)", "\n".join(EXAMPLE.findall(page))))
        self.assertGreater(len(blocks), 35)
        self.assertEqual(blocks, set(re.findall(r"^guide/(\w+)", made.stdout, re.M)))

    def test_its_blocks_run(self):
        with tempfile.TemporaryDirectory() as place:
            place = pathlib.Path(place)
            made = subprocess.run([hilda, "run", project / "tests/sdk/guide.xml", "--plugins", folder, "--log", place / "guide.mcap",
                                   "--summary", place / "guide.json"], capture_output=True, text=True, check=False)
            self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
            subprocess.run([hilda, "export", place / "guide.mcap", "--csv", "--hold", "--out", place / "guide.csv"], check=True, capture_output=True)
            summary = json.loads((place / "guide.json").read_text(encoding="utf-8"))
            with open(place / "guide.csv", encoding="utf-8", newline="") as file:
                rows = list(csv.reader(file))
        names, last = rows[0], rows[-1]
        values = {re.sub(r"[ (].*", "", name): float(value) for name, value in zip(names, last)}
        now = values["time"]
        sine = 3 * math.sin(4 * math.pi * now)
        expected = {
            "sum.y": sine - 0.5, "split.y[0][0]": 3, "split.y[1][2]": 9, "split.positive[0]": 1,
            "point.position[1]": 3, "point.torque[2]": 1, "spring.wrench.force.y": -20, "spring.wrench.torque.z": -math.pi,
            "way.pose.position.z": 1.5, "way.pose.orientation.z": math.sin(math.pi / 8), "rotation.phi[2]": 0.5 * now,
            "attitude.q.z": math.sin(0.25 * now), "table.y": sine * 2 if sine < 0 else sine / 2, "formula.y": 2, "quantile.y": 2,
            "past.y.position.x": 0.5, "running.y": 0.5 * (now + 1e-3), "on.y": 1, "dead.y": 3 * math.sin(4 * math.pi * (now - 0.01)),
            "damping.wrench.force.y": -4, "damping.wrench.torque.z": -2, "gears.motors[5]": 11, "lag.y": 0.5, "magnitude.y": abs(sine),
            "ratio.y": 2 * sine, "different.y": 4, "file.y[5]": 2, "hold.y": sine, "loop.y": 0,
        }
        for name, number in expected.items():
            self.assertIn(name, values)
            self.assertAlmostEqual(values[name], number, delta=1e-5, msg=name)
        self.assertEqual(summary["passes"], 4)
        self.assertEqual(summary["units"]["limit"], "V")  # declared as "@u"
        self.assertEqual([round(row["time"], 3) for row in summary["blocks"]["passes"]["passes"]], [0.059, 0.559, 1.059, 1.559])


class DriveAtTheOtherEnd(threading.Thread):
    """A drive as docs/sdk.md has it: a packet in each cycle of 4 ms, with its count; it goes at once where the command says."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.socket.setblocking(False)
        self.angle, self.ended = 0.0, threading.Event()

    def run(self):
        cycle, due = 0, time.monotonic()
        while not self.ended.is_set():
            with contextlib.suppress(BlockingIOError):
                while True:
                    self.angle = struct.unpack("<d", self.socket.recv(64))[0]
            self.socket.sendto(struct.pack("<qdd", cycle, self.angle, self.angle), ("127.0.0.1", self.port))
            cycle, due = cycle + 1, due + 4e-3
            time.sleep(max(0.0, due - time.monotonic()))
        self.socket.close()


class Drivers(unittest.TestCase):
    def test_a_drive_and_a_thread_run(self):
        drive = DriveAtTheOtherEnd()
        drive.start()
        with tempfile.TemporaryDirectory() as place:
            log = pathlib.Path(place) / "guide.mcap"
            made = subprocess.run([hilda, "run", project / "tests/sdk/guide_devices.xml", "--arm", "--set",
                                   f"port={drive.port}", "--plugins", folder, "--log", log], capture_output=True, text=True, check=False)
            drive.ended.set()
            drive.join()
            self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
            subprocess.run([hilda, "export", log, "--csv", "--out", log.with_suffix(".csv")], check=True, capture_output=True)
            with open(log.with_suffix(".csv"), encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        column = {re.sub(r"[ (].*", "", name): name for name in rows[0]}
        way = [float(row[column["drive.angle"]]) for row in rows]
        self.assertAlmostEqual(max(way), 0.02, delta=1e-3)
        self.assertTrue(any(row[column["drive.took"]] in ("1", "true") for row in rows), rows[-1])
        self.assertGreater(float(rows[-1][column["sensor.count"]]), 10, "the sensor's thread has read nothing")
        self.assertEqual(float(rows[-1][column["sensor.y"]]), 1.5)


if __name__ == "__main__":
    if sys.argv[1] == "--source":
        write_source(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    elif sys.argv[1] == "--write":
        write_index(pathlib.Path(sys.argv[2]))
    else:
        project, hilda, folder = map(pathlib.Path, sys.argv[1:4])
        page = (project / "docs/sdk.md").read_text(encoding="utf-8")
        unittest.main(argv=sys.argv[:1])
