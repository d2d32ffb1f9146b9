# SPDX-License-Identifier: BSD-3-Clause
"""The pages that the rules of words hold for: README.md, docs/ without docs/results, and the lessons. Of phrases, links and reading also
the pages about the inside: docs/decisions and the README of each module. Of phrases also the other pages at the top, and docs/results
without its history and without words.md, which lists them."""


def names(tree, found):
    return [str(page.relative_to(tree)) for page in found]


def pages(tree):
    return names(tree, [tree / "README.md", *sorted((tree / "docs").glob("*.md")), *sorted((tree / "examples").rglob("*.md"))])


def inner_pages(tree):
    modules = [page for folder in ("engine", "tools") for page in sorted((tree / folder).glob("*/README.md"))]
    return names(tree, [*sorted((tree / "docs/decisions").glob("*.md")), *modules, *(tree / "python").glob("README.md")])


def all_pages(tree):
    results = [page for page in sorted((tree / "docs/results").rglob("*.md")) if page.parent.name != "history" and page.name != "words.md"]
    more = names(tree, [page for page in sorted(tree.glob("*.md")) if page.name != "README.md"] + results)
    return pages(tree) + inner_pages(tree) + more
