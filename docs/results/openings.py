#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each page of results begins with its question, the answer, and how to rerun it, as openings.txt has them. A page is in one of FOLDERS,
by what it answers; docs/README.md has a table for each.

    docs/results/openings.py --write           puts them into the pages, after their titles, and the questions into docs/README.md
    docs/results/openings.py --check [TREE]    the faults, one a line; exit code 1 if there is one

Scripts write their pages without it: run --write after them. A number of an answer that its page no longer contains is a fault.
"""
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = {"validation": "Is it right?", "measurements": "How fast, how large, how robust?"}
BLOCK = re.compile(r"\n- \*\*Question:\*\* [^\n]*\n- \*\*Answer:\*\* [^\n]*\n- \*\*Rerun:\*\* [^\n]*\n")
INDEX, MARK, END = "docs/README.md", "<!-- questions: written by results/openings.py -->\n", "<!-- end of questions -->\n"
TITLE = re.compile(r"^# .*\n", re.MULTILINE)
NUMBER = re.compile(r"(?<![\w.])\d[\d,.]*(?:e[+-]?\d+)?(?<![.,])")


def openings(tree):
    """(FOLDER/NAME, question, answer, command) of each line of the list."""
    found = []
    for number, line in enumerate((tree / "docs/results/openings.txt").read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            parts = line.split("\t")
            if len(parts) != 4 or not all(map(str.strip, parts)):
                raise ValueError(f"openings.txt:{number}: expected 4 fields between tabs")
            if parts[0].split("/")[0] not in FOLDERS:
                raise ValueError(f"openings.txt:{number}: '{parts[0]}' is in no folder of {', '.join(FOLDERS)}")
            found.append(parts)
    return found


def with_opening(text, question, answer, command):
    """The page with its opening after the title; one that is there is replaced."""
    block = f"\n- **Question:** {question}\n- **Answer:** {answer}\n- **Rerun:** `{command}`\n"
    text = BLOCK.sub("", text, count=1)
    title = TITLE.search(text)
    if title is None:
        raise ValueError("the page has no title")
    return text[:title.end()] + block + text[title.end():]


def with_questions(index, known):
    """docs/README.md with its tables of questions."""
    if index.count(MARK) != 1 or index.count(END) != 1:
        raise ValueError(f"{INDEX}: the marks of the table of questions are missing")
    tables = "\n".join(table for folder in FOLDERS if (table := questions(folder, known)))
    return index.split(MARK)[0] + MARK + tables + END + index.split(END)[1]


def questions(folder, known):
    """The table of one folder, or nothing."""
    rows = [f"| {parts[0]} | [{name.split('/')[1]}](results/{name}.md) |\n" for name, *parts in known if name.startswith(f"{folder}/")]
    return f"### {FOLDERS[folder]}\n| question | answer |\n|---|---|\n" + "".join(rows) if rows else ""


def missing_numbers(text, answer):
    held = set(NUMBER.findall(re.sub(r"`[^`]*`", "", TITLE.sub("", BLOCK.sub("", text)))))
    return [number for number in NUMBER.findall(re.sub(r"`[^`]*`", "", answer)) if number not in held]


def faults(tree):
    known = {name: parts for name, *parts in openings(tree)}
    pages = {page.relative_to(tree / "docs/results").with_suffix("").as_posix(): page
             for folder in FOLDERS for page in sorted((tree / "docs/results" / folder).glob("*.md"))}
    found = [fault for name, page in pages.items() for fault in faults_of_page(name, page.read_text(), known.get(name))]
    index = (tree / INDEX).read_text()
    if with_questions(index, openings(tree)) != index:
        found.append(f"{INDEX}: its questions are not those of openings.txt; run docs/results/openings.py --write")
    found += [f"docs/results/{page.name}: move it into a folder of {', '.join(FOLDERS)}" for page in sorted((tree / "docs/results").glob("*.md"))]
    return found + [f"openings.txt: there is no page {name}.md" for name in known if name not in pages]


def faults_of_page(name, text, opening):
    if opening is None:
        return [f"docs/results/{name}.md: openings.txt has no question for it"]
    if with_opening(text, *opening) != text:
        return [f"docs/results/{name}.md: its opening is not that of openings.txt; run docs/results/openings.py --write"]
    return [f"docs/results/{name}.md: the answer in openings.txt says {number}, which the page does not contain"
            for number in missing_numbers(text, opening[1])]


def write(tree):
    for name, *parts in openings(tree):
        page = tree / f"docs/results/{name}.md"
        page.write_text(with_opening(page.read_text(), *parts))
    index = tree / INDEX
    index.write_text(with_questions(index.read_text(), openings(tree)))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write(SOURCE)
    elif sys.argv[1:2] == ["--check"]:
        lines = faults(pathlib.Path(sys.argv[2]) if sys.argv[2:] else SOURCE)
        print("\n".join(lines))
        sys.exit(1 if lines else 0)
    else:
        sys.exit(__doc__)
