# SPDX-License-Identifier: BSD-3-Clause
"""The pages that the rules of words hold for: README.md, docs/ without docs/results, and the lessons. Of phrases also the other pages
at the top, and docs/results without its history and without words.md, which lists them."""


def pages(tree):
    found = [tree / "README.md", *sorted((tree / "docs").glob("*.md")), *sorted((tree / "examples").rglob("*.md"))]
    return [str(page.relative_to(tree)) for page in found]


def all_pages(tree):
    results = [page for page in sorted((tree / "docs/results").rglob("*.md")) if page.parent.name != "history" and page.name != "words.md"]
    more = [page for page in sorted(tree.glob("*.md")) if page.name != "README.md"]
    return pages(tree) + [str(page.relative_to(tree)) for page in more + results]
