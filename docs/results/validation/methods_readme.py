#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""README's table of the contact methods, made from methods.md.

    docs/results/validation/methods_readme.py --write     writes it between its marks in README.md
    docs/results/validation/methods_readme.py --check     exit code 1 where README has another one
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tables import table  # noqa: E402

here = Path(__file__).resolve().parent
README = here.parents[2] / "README.md"
BEGIN, END = "<!-- methods: written by docs/results/validation/methods_readme.py -->\n", "<!-- end of methods -->\n"
WALL, DELAYS = "176.275 N/mm", (4, 10, 20)


def tables(text):
    """Each table of a page: its head, and its rows by their first cell."""
    found, head, rows = [], None, {}
    for line in [*text.splitlines(), ""]:
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else None
        if cells is None:
            if head:
                found.append((head, rows))
            head, rows = None, {}
        elif head is None:
            head = cells
        elif not set(line) <= set("|-"):
            rows[cells[0]] = cells
    return found


def with_column(page, name):
    """The rows that have this column, and its place."""
    for head, rows in tables(page):
        if name in head:
            return rows, head.index(name)
    raise ValueError(f"methods.md has no column '{name}'")


def block(page):
    """README's rows: energy after five contacts at each delay, after a thousand at 10 ms, and how far the energy is kept."""
    few = [with_column(page, f"{WALL}, {delay} ms") for delay in DELAYS]
    many, limit = with_column(page, f"{WALL}, no noise"), with_column(page, "kept up to w T")
    rows = []
    for method in limit[0]:
        cells = [found[method][at].split(" / ")[0] for found, at in few]
        rows.append([method, *cells, many[0][method][many[1]], limit[0][method][limit[1]]])
    return table(["energy kept (1 is right)", *[f"5 contacts, {delay} ms" for delay in DELAYS], "1000 contacts, 10 ms", "within 5 % up to w T"], rows) + "\n"


def with_block(readme, text):
    if readme.count(BEGIN) != 1 or readme.count(END) != 1:
        raise ValueError("README.md: the marks of the table of methods are missing")
    return readme.split(BEGIN)[0] + BEGIN + text + END + readme.split(END)[1]


def main(words):
    readme, text = README.read_text(), block((here / "methods.md").read_text())
    wanted = with_block(readme, text)
    if words == ["--write"]:
        README.write_text(wanted)
    elif words != ["--check"]:
        print(__doc__)
        return 2
    elif readme != wanted:
        print("README.md: its table of methods is not that of methods.md; docs/results/validation/methods_readme.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
