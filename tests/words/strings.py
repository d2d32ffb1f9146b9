# SPDX-License-Identifier: BSD-3-Clause
"""Texts that a program shows are written in plain technical English: none contains a phrase of phrases.txt.

    tests/words/strings.py TREE             the phrases found, one a line; exit code 1 if there is one
    tests/words/strings.py TREE --write     lowers the numbers of strings_left.txt to what is found; none is raised

Checked are the string literals of C and C++, those of TypeScript, JavaScript and Python that are more than a name (not of tests),
what pages of HTML show, the golden files of the tests, and doc, title and the comments of diagrams.
strings_allowed.txt lists lines that contain names. strings_left.txt bounds the phrases in the literals of tests, for each folder.
"""
import collections
import pathlib
import re
import sys

from comments import ENDINGS, FOLDERS, TOKEN, folder_of
from phrases import HERE, fields, phrases, uses
from scripts import html_texts, python_texts, script_texts

ALLOWED, LEFT = "strings_allowed.txt", "strings_left.txt"
DIAGRAMS = ("diagrams", "examples")
GOLDEN = ("cases", "golden", "mistakes")
SCRIPTS = {".ts": script_texts, ".js": script_texts, ".mjs": script_texts, ".py": python_texts, ".html": html_texts}
BORDER = "\n\n"  # a literal begins as a sentence does
INCLUDE = re.compile(r"(?m)^ *#include .*")
SHOWN = re.compile(r"<!--(?P<comment>.*?)-->|\b(?:doc|title)=(?P<mark>[\"'])(?P<text>.*?)(?P=mark)", re.DOTALL)


def content(literal):
    """What a literal of C++ contains, with blanks instead of line breaks."""
    raw = re.fullmatch(r'R"([^(\s]*)\((.*)\)\1"', literal, re.DOTALL)
    return raw[2] if raw else re.sub(r"\\n|\\\n", "  ", literal[1:-1])


def literals(text):
    """(line number, text) of each string literal; literals that the compiler joins are one."""
    found, at = [], 0
    text = INCLUDE.sub("", text)
    for match in TOKEN.finditer(text):
        if match["comment"] or match[0].startswith("'"):
            continue
        joined = found and not text[at:match.start()].strip()
        number = text.count("\n", 0, match.start()) + 1
        if joined:
            begin, before = found[-1]
            found[-1] = begin, before + "\n" * (number - begin - before.count("\n")) + content(match[0])
        else:
            found.append((number, content(match[0])))
        at = match.end()
    return found


def shown(text):
    """(line number, text) of each comment and each doc or title of a diagram."""
    return [(text.count("\n", 0, match.start()) + 1, match["comment"] or match["text"] or "") for match in SHOWN.finditer(text)]


def is_golden(file):
    return file.suffix == ".txt" and (file.parent.name in GOLDEN or file.name == "said.txt")


def texts_of(tree):
    """(file, texts) of each file that is checked."""
    for top in (*FOLDERS, *DIAGRAMS):
        for file in sorted((tree / top).rglob("*")):
            name = file.relative_to(tree).as_posix()
            if "node_modules" in file.parts or name.startswith("tests/abi/frozen/") or not file.is_file():
                continue
            if file.suffix in ENDINGS:
                yield name, literals(file.read_text(errors="replace"))
            elif top == "tests" and is_golden(file):
                yield name, [(1, file.read_text())]
            elif top != "tests" and file.suffix in SCRIPTS:
                yield name, SCRIPTS[file.suffix](file.read_text())
            elif top in DIAGRAMS and file.suffix == ".xml":
                yield name, shown(file.read_text())


def found_in(tree, known):
    """(file, line number, line, words, replacement) of each phrase."""
    for name, texts in texts_of(tree):
        lines = (tree / name).read_text(errors="replace").splitlines()
        for begin, text in texts:
            for number, _, words, _, replacement in uses(BORDER + text, known):
                at = begin + number - 1 - len(BORDER)
                yield name, at, lines[min(at, len(lines)) - 1], words, replacement


def is_bounded(name):
    return name.startswith("tests/") and name.endswith(ENDINGS)


def judged(tree, folder):
    """(file, fault, entries of ALLOWED that permit it) of each phrase."""
    allowed = [(name, words) for _, (name, words, _) in fields(folder / ALLOWED, 3)]
    for name, number, line, words, replacement in found_in(tree, phrases(folder)):
        yield name, f"{name}:{number}: '{words}'; write: {replacement}", {key for key in allowed if key[0] == name and key[1] in line}


def string_faults(tree, folder=HERE):
    left = {name: int(most) for _, (name, most) in fields(folder / LEFT, 2)}
    allowed = {(name, words): number for number, (name, words, _) in fields(folder / ALLOWED, 3)}
    needed, faults, bounded = set(), [], collections.defaultdict(list)
    for name, fault, quotes in judged(tree, folder):
        needed |= quotes
        if not quotes:
            (bounded[folder_of(name)] if is_bounded(name) else faults).append(fault)
    for where, lines in sorted(bounded.items()):
        if len(lines) > left.get(where, 0):
            faults += [*lines, f"{where}: {len(lines)} phrases in texts; {LEFT} allows {left.get(where, 0)}"]
    return faults + [f"{ALLOWED}:{allowed[key]}: no phrase of {key[0]} needs '{key[1]}'" for key in allowed if key not in needed]


def write(tree, folder=HERE):
    counts = collections.Counter(folder_of(name) for name, _, quotes in judged(tree, folder) if is_bounded(name) and not quotes)
    head = [line for line in (folder / LEFT).read_text().splitlines() if line.startswith("#")]
    left = {name: int(most) for _, (name, most) in fields(folder / LEFT, 2)}
    rows = [f"{name}\t{min(most, counts[name])}" for name, most in sorted(left.items()) if counts[name]]
    (folder / LEFT).write_text("\n".join(head + rows) + "\n")


def main(tree, arguments):
    if arguments == ["--write"]:
        write(tree)
        return 0
    faults = string_faults(tree)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))
