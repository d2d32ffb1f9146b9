#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Looks whether what these pages quote is in the papers: every quote of claims.json, and every number in a column
"paper" of a table.

    docs/results/validation/citations.py FOLDER      FOLDER holds the papers as text

Exit code 1 and a line for each citation that is not found. A number that was read from a figure is in no text: it must be
listed under "figures" in claims.json, with its paper and figure.
"""
import html
import json
import re
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
PAGES = {"contact.md": ("hybrid", "compliance"), "tdpa.md": ("passivity",), "arm.md": ("arm",), "emulation.md": ("emulation",)}
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def plain(text):
    """The words without markup, capitals, line breaks and the difference between kinds of dashes and quotes."""
    text = html.unescape(text).replace("\u2010", "-").replace("\u2013", "-").replace("\u2212", "-").replace("\u2019", "'")
    text = re.sub(r"\\[a-zA-Z]+", " ", text)
    text = re.sub(r"[$\\{}*^_~]", "", text)
    return re.sub(r"\s+", " ", text).lower()


def numbers(text):
    """The numbers of a text by value: 1.50 and 1.5 are the same citation."""
    return {float(n) for n in NUMBER.findall(text)}


def cells_of_papers(page):
    """Line number and text of each cell that reports what a paper says: a column, or the row of a table, named "paper"."""
    column = None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if not line.startswith("|"):
            column = None
            continue
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        heads = [i for i, c in enumerate(cells) if c.lower() == "paper"]
        if heads:
            column = heads[0]
        elif re.search(r"\bpaper$", cells[0]):
            yield number, " ".join(cells[1:])
        elif column is not None and column < len(cells):
            yield number, cells[column]


def missing(claims, papers, pages):
    """A message for each citation that is in no paper. papers: text by key; pages: paths."""
    found = []
    words = {key: plain(text) for key, text in papers.items()}
    values = {key: numbers(text) for key, text in papers.items()}
    for figure in claims["figures"]:
        values[figure["paper"]] |= set(figure["values"])
    for claim in claims["claims"]:
        if claim["paper"] not in words and "file" not in claims["papers"][claim["paper"]]:
            continue  # of several public abstracts: each place names its own
        if plain(claim["quote"]) not in words[claim["paper"]]:
            found.append(f"claims.json: {claim['id']}: {claims['papers'][claim['paper']]['title']} does not say: "
                         f"{claim['quote']}")
    for page in pages:
        keys = PAGES[page.name]
        for line, cell in cells_of_papers(page):
            for value in sorted(numbers(cell)):
                if not any(value in values[key] for key in keys):
                    found.append(f"{page.name}:{line}: {value:g} stands in no text of {', '.join(keys)}: {cell}")
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: citations.py FOLDER, the folder with the papers as text")
    claims = json.loads((here / "claims.json").read_text())
    papers = {key: (Path(sys.argv[1]) / paper["file"]).read_text() for key, paper in claims["papers"].items() if "file" in paper}
    found = missing(claims, papers, [here / name for name in PAGES])
    print("\n".join(found + [f"{len(claims['claims'])} quotes, {len(PAGES)} pages, {len(found)} not found"]))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
