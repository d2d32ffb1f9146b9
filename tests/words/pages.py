# SPDX-License-Identifier: BSD-3-Clause
"""The pages that the rules of words hold for: README.md, docs/ without docs/results, and the lessons."""


def pages(tree):
    found = [tree / "README.md", *sorted((tree / "docs").glob("*.md")), *sorted((tree / "examples").rglob("*.md"))]
    return [str(page.relative_to(tree)) for page in found]
