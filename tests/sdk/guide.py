#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""docs/sdk.md names every member of the SDK, and its examples compile.

guide.py PROJECT COMPILER ARGUMENTS...
"""
import pathlib
import re
import subprocess
import sys
import unittest

project, *command = sys.argv[1:]
project = pathlib.Path(project)
page = (project / "docs/sdk.md").read_text(encoding="utf-8")
headers = {name: (project / "plugins/sdk/hilda" / name).read_text(encoding="utf-8")
           for name in ("block.h", "declare.h", "state.h", "input.h", "output.h", "parts.h", "parameter.h", "random.h", "figures.h")}


def members():
    """Phases, classes of members, attributes, and what Tick, Instance, Inference and Summary offer."""
    block = headers["block.h"]
    yield from re.findall(r"virtual [\w:<>]+ (\w+)\(", block)
    yield from re.findall(r"inline constexpr Flag (\w+)\{", headers["declare.h"])
    yield from re.findall(r"^inline (?:Range|Default|Count) (\w+)\(", headers["declare.h"], re.M)
    for name in ("state.h", "input.h", "output.h", "parts.h"):
        yield from re.findall(r"^(?:template <[^>]*>\s*)?class (\w+)", headers[name], re.M)
    yield from re.findall(r"class Parameter<(\w+)>", headers["parameter.h"])
    for owner in ("Tick", "Instance", "Inference", "Summary"):
        body = block[block.index(f"class {owner} {{"):]
        body = body[:body.index("\n};")].split("private:")[0]
        yield from re.findall(r"^  [\w:]+(?: ?\*| )(\w+)\(.*const \{", body, re.M)
    yield from re.findall(r"^class (\w+)", headers["random.h"], re.M)
    yield from re.findall(r"^inline [\w:]+ (\w+)\(", headers["figures.h"], re.M)


class Guide(unittest.TestCase):
    def test_names_every_member(self):
        found = set(members())
        self.assertGreater(len(found), 70, found)
        missing = sorted(name for name in found if not re.search(rf"\b{name}\b", page))
        missing.remove("E") if "E" in missing else None  # the enum class of a choice
        self.assertEqual(missing, [], "docs/sdk.md does not name these members of the SDK")

    def test_its_examples_compile(self):
        examples = re.findall(r"```cpp\n(.*?)```", page, re.S)
        self.assertGreater(len(examples), 6)
        includes = ["hilda/block.h", "hilda/random.h", "hilda/figures.h", "algorithm", "atomic", "chrono", "fstream", "stop_token",
                    "string", "thread", "utility", "vector"]
        source = "".join(f"#include <{name}>\n" for name in includes) + "using namespace hilda;\n" + "\n".join(examples)
        made = subprocess.run([*command, "-Werror", "-fsyntax-only", "-x", "c++", "-"], input=source, capture_output=True,
                              text=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
