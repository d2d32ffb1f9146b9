#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes history/house.md: what the tree is like, revision by revision, read from git alone.

    docs/results/house.py [REVISION...]      default: the revisions of REVISIONS and HEAD
"""
import collections
import datetime
import json
import pathlib
import re
import statistics
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PAGE = pathlib.Path(__file__).resolve().with_name("history") / "house.md"
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
        """Types that are in two places of engine and tools, with different meanings."""
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


# A word, a number, a text, a sign; comments are left out.
TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|R\"\w*\(.*?\)\w*\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|\w+|::|->|<<|>>"
                   r"|[<>=!&|+\-*/%]=|&&|\|\||\+\+|--|\S", re.S)
KEYWORDS = set("if else for while do switch case default return break continue const auto throw try catch new delete static "
               "constexpr struct class this true false nullptr sizeof using template typename operator".split())
LEAST_BODY = 40  # tokens


def shape(tokens):
    """The same for two bodies that differ in names, numbers and texts alone."""
    names, made = {}, []
    for token in tokens:
        if token[0] == '"' or token.startswith('R"'):
            made.append("text")
        elif token[0].isdigit():
            made.append("0")
        elif re.fullmatch(r"\w+", token) and token not in KEYWORDS:
            made.append(str(names.setdefault(token, len(names))))
        else:
            made.append(token)
    return " ".join(made)


def bodies(text):
    """Tokens of every function's body that is long enough."""
    tokens = [each for each in TOKEN.findall(text) if not each.startswith(("//", "/*"))]
    opened = []
    for i, token in enumerate(tokens):
        if token == "{":
            opened.append(i)
        elif token == "}" and opened:
            begin = opened.pop()
            last = begin - 1
            while last >= 0 and tokens[last] in ("const", "noexcept", "override", "final"):
                last -= 1
            if i - begin < LEAST_BODY or last < 0 or tokens[last] != ")":
                continue
            first, depth = last, 0
            while first >= 0:
                depth += {")": 1, "(": -1}.get(tokens[first], 0)
                if depth == 0:
                    break
                first -= 1
            if tokens[first - 1] not in ("if", "for", "while", "switch", "catch"):
                yield tokens[begin:i + 1]


def twins(tree, folders):
    """How many shapes of function bodies are in two places."""
    found = collections.Counter(shape(body) for name, text in tree.files.items() if name.startswith(folders)
                                for body in bodies(text))
    return sum(1 for count in found.values() if count > 1)


# The way of one parameter, `lead_time` of diagrams/pida.xml: files in the order in which its text and its value pass
# them, each with a word that must be there; and the types that hold one of the two on the way.
BEFORE_WAY = "113efb3"
# A type that derives from another of them is that one.
FORMS = {"Attribute": r"struct Attribute \{", "ParameterDecl": r"struct ParameterDecl \{", "Setting": r"struct Setting \{",
         "Parameters::Entry": r"class Parameters : public Scope \{.*?struct Entry \{", "Value": r"struct Value \{",
         "NamedParameter": r"struct NamedParameter \{", "ParameterValue": r"struct ParameterValue \{",
         "Shaped": r"struct Shaped \{"}
WAYS = {
    BEFORE_WAY: [
        ("engine/diagram/detail/xml/attributes.cpp", "keep"), ("engine/diagram/detail/xml/elements.cpp", "ParameterDecl"),
        ("engine/diagram/detail/xml/overlay.cpp", "Setting"), ("engine/diagram/diagram.h", "ParameterDecl"),
        ("engine/compile/detail/flatten/settings.cpp", "take"), ("engine/compile/detail/flatten/instance_builder.cpp", "Parameters::Entry"),
        ("engine/flatten/parameters.cpp", "values_"), ("engine/quantity/detail/value/value_reading.cpp", "read_value"),
        ("engine/quantity/detail/value/expression.cpp", "evaluate"), ("engine/compile/detail/flatten/flatten.cpp", "record_parameters"),
        ("engine/compile/detail/flatten/block_parameters.cpp", "ParameterValue"), ("engine/diagram/system.h", "NamedParameter"),
        ("engine/compile/detail/infer/parameter_shapes.cpp", "tell"), ("engine/compile/detail/infer/parameter_units.cpp", "tell_unit"),
        ("engine/compile/detail/infer/fit.cpp", "Shaped"), ("engine/quantity/detail/value/value_fit.cpp", "Shaped"),
        ("engine/compile/detail/infer/fit.cpp", "take"), ("engine/infer/parameter_questions.cpp", "ParameterRecord"),
        ("engine/model/parameter_record.cpp", "write_parameter"), ("engine/run/detail/plan/memory.cpp", "write_parameters"),
        ("engine/model/parameter_record.cpp", "write_parameter")],
    "HEAD": [
        ("engine/diagram/detail/xml/attributes.cpp", "keep"), ("engine/diagram/detail/xml/elements.cpp", "ParameterDecl"),
        ("engine/diagram/detail/xml/overlay.cpp", "Attribute"), ("engine/diagram/attribute.h", "Attribute"),
        ("engine/compile/detail/flatten/settings.cpp", "take"), ("engine/compile/detail/flatten/instance_builder.cpp", "NamedParameter"),
        ("engine/compile/detail/flatten/evaluation.cpp", "Evaluation::value"), ("engine/quantity/detail/value/value_reading.cpp", "read_value"),
        ("engine/quantity/detail/value/expression.cpp", "evaluate"), ("engine/compile/detail/flatten/block_parameters.cpp", "ParameterValue"),
        ("engine/diagram/detail/model/parameter.h", "NamedParameter"), ("engine/compile/detail/infer/parameter_shapes.cpp", "tell"),
        ("engine/compile/detail/infer/parameter_units.cpp", "tell_unit"), ("engine/compile/detail/infer/fit.cpp", "fit_parameter"),
        ("engine/compile/detail/infer/parameter_fit.cpp", "take"), ("engine/quantity/detail/value/value_fit.cpp", "Shaped"),
        ("engine/plugin/detail/block/parameter_questions.cpp", "ParameterRecord"),
        ("engine/plugin/detail/block/parameter_record.cpp", "write_parameter"), ("engine/run/detail/plan/memory.cpp", "write_parameters"),
        ("engine/plugin/detail/block/parameter_record.cpp", "write_parameter")],
}

# The way of one error, `lead_time="3 mm"` in `hilda check`: from where it is found to the terminal, as above.
ERROR_WAYS = {
    "b870dc4": [
        ("engine/model/value_fit.cpp", "unit-mismatch"), ("engine/check/fit.cpp", "refuse"),
        ("engine/check/signal_text.cpp", "notes_through"), ("engine/check/fit.cpp", "diagnostics.error"),
        ("engine/model/diagnostic.cpp", "Diagnostics::error"), ("tools/cli/diagram.h", "diagnostics_"),
        ("tools/cli/check.cpp", "print_diagnostics"), ("tools/cli/terminal.cpp", "print_diagnostics"),
        ("engine/model/diagnostic.cpp", "Diagnostics::sorted")],
    "HEAD": [
        ("engine/quantity/detail/value/value_fit.cpp", "unit-mismatch"), ("engine/compile/detail/infer/parameter_fit.cpp", "fit_parameter"),
        ("engine/compile/detail/infer/fit.cpp", "refuse"), ("engine/compile/detail/infer/explain.cpp", "notes_through"),
        ("engine/diagram/detail/model/parameter.cpp", "origins"), ("engine/compile/detail/infer/fit.cpp", "diagnostics.error"),
        ("engine/base/detail/diagnostics/diagnostic.cpp", "Diagnostics::error"), ("engine/compile/loaded_diagram.h", "diagnostics_"),
        ("tools/cli/detail/look/check.cpp", "print_diagnostics"), ("tools/cli/detail/program/terminal.cpp", "print_diagnostics"),
        ("engine/base/detail/diagnostics/diagnostic.cpp", "Diagnostics::sorted")],
}


def way_of(tree, way):
    """Rooms in the order in which the way enters them."""
    for name, word in way:
        if word not in tree.files.get(name, ""):
            sys.exit(f"{name} of {tree.revision} does not hold {word!r}: the way has changed, amend the list")
    rooms = [str(pathlib.PurePosixPath(name).parent).removeprefix("engine/") for name, _ in way]
    return [room for i, room in enumerate(rooms) if i == 0 or rooms[i - 1] != room]


def error_rows(revision):
    way = ERROR_WAYS[revision]
    steps = way_of(Tree(revision), way)
    return {
        "files that it passes": len({name for name, _ in way}),
        "from room to room": f"{len(steps) - 1}: {', '.join(steps)}",
        "returns to a room": len(steps) - len(set(steps)),
    }


def way_rows(revision):
    """What a parameter meets on its way. engine/quantity/detail/value is a library that everybody calls and counts as no room. A return
    is a room that the way has left and enters again."""
    tree, way = Tree(revision), WAYS[revision]
    steps = way_of(tree, way)
    engine = {name: text for name, text in tree.files.items() if name.startswith("engine/")}
    forms = [form for form, pattern in FORMS.items() if any(re.search(pattern, text, re.S) for text in engine.values())]
    steps = [room for room in steps if room != "value"]
    steps = [room for i, room in enumerate(steps) if i == 0 or steps[i - 1] != room]
    mutable = sum(len(re.findall(r"^ *mutable ", text, re.M)) for name, text in engine.items()
                  if name.startswith("engine/compile/detail/flatten/"))
    return {
        "files that its text or value passes": len({name for name, _ in way}),
        "types that hold it": f"{len(forms)}: {', '.join(forms)}",
        "from room to room, but for the library of values": f"{len(steps) - 1}: {', '.join(steps)}",
        "returns to a room": len(steps) - len(set(steps)),
        "mutable members of engine/compile/detail/flatten": mutable,
    }


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
        "names of types that stand in two files": f"{len(twice)}: {', '.join(sorted(twice))}" if twice else "0",
        "bodies of functions that stand twice, names apart: in the product, in all": f"{twins(tree, CODE)}, {twins(tree, '')}",
        "casts to an index or from one in the engine": tree.matching(r"static_cast<(?:std::size_t|int)>", ("engine/",)),
        "units that compile CLI11": tree.units_that_reach("CLI/"),
        "units of the engine and the program that compile Boost": tree.units_that_reach("boost/"),
        "files that bundle sources and diagnostics by themselves to load a diagram":
            tree.files_matching([r"\bSources \w+;", r"\bDiagnostics \w+[;,]"], LOADERS),
        "loops that take ticks, without tests":
            tree.files_matching([r"compute\(\)", r"advance\(\)"], ("engine/modes", "engine/run", "python/", "tools/")),
        "files of drivers that include blocks": tree.files_matching([r'#include "blocks/'], ("drivers/",)),
    }


def build_section():
    """What rebuild.py has measured, a column a revision."""
    kept = pathlib.Path(__file__).resolve().with_name("rebuild.json")
    if not kept.exists():
        return []
    made = json.loads(kept.read_text())

    def spread(values):
        most = f" ({min(values):.0f} to {max(values):.0f})" if len(values) > 1 else ", one round"
        return f"{statistics.median(values):.0f}{most}"

    rows = {"measured": [f"{each['date']}, {each['machine']}, {each['processors']} processors, load {each['load']}"
                         for each in made.values()],
            "an installation, MB": [f"{each['prefix_bytes'] / 1e6:.1f}" for each in made.values()]}
    for column, each in enumerate(made.values()):
        for change in each["changes"]:
            for key, words in (("build_wall", "build, wall"), ("build_processor", "build, processor"),
                               ("wall", "build and tests, wall"), ("processor", "build and tests, processor")):
                row = rows.setdefault(f"one line of {change['what']}, s: {words}", ["not measured"] * len(made))
                row[column] = spread(change[key])
    return ["", "## Building and installing", "",
            "`./test -R` of one folder after one line was changed, medians with the least and the most; by "
            "docs/results/rebuild.py. On a machine with other work the time on the wall says little.", "",
            "| | " + " | ".join(made) + " |", "|---|" + "---|" * len(made)] + [
                f"| {name} | " + " | ".join(values) + " |" for name, values in rows.items()]


def main():
    trees = [Tree(each) for each in (sys.argv[1:] or [*REVISIONS, "HEAD"])]
    columns = [rows(tree) for tree in trees]
    text = ["# The tree, before and after", "",
            f"Made by docs/results/house.py on {datetime.date.today()}, from git, but for what is built.", "",
            "| | " + " | ".join(tree.revision for tree in trees) + " |", "|---|" + "---|" * len(trees)]
    text += [f"| {name} | " + " | ".join(str(column[name]) for column in columns) + " |" for name in columns[0]]
    ways = {revision: way_rows(revision) for revision in WAYS}
    text += ["", "## The way of one parameter", "",
             "`lead_time` of diagrams/pida.xml, from its attribute (and --set) to the block's record. The files stand in "
             "`WAYS` of house.py in the order of the calls, each with a word that must stand in it; the numbers follow "
             "from that list and from git.", "",
             "| | " + " | ".join(Tree(revision).revision for revision in ways) + " |", "|---|" + "---|" * len(ways)]
    text += [f"| {name} | " + " | ".join(str(each[name]) for each in ways.values()) + " |"
             for name in ways[BEFORE_WAY]]
    errors = {revision: error_rows(revision) for revision in ERROR_WAYS}
    text += ["", "## The way of one error", "",
             "`lead_time=\"3 mm\"` in diagrams/pida.xml, from where it is found until `hilda check` has printed it.", "",
             "| | " + " | ".join(Tree(revision).revision for revision in errors) + " |", "|---|" + "---|" * len(errors)]
    text += [f"| {name} | " + " | ".join(str(each[name]) for each in errors.values()) + " |"
             for name in errors["b870dc4"]]
    text += build_section()
    PAGE.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
