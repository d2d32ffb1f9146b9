# SPDX-License-Identifier: BSD-3-Clause
"""Pages are easy to read: Flesch's reading ease is at least 55 for a guide and 45 for a reference.

    tests/words/reading.py TREE        the pages below their bound, one a line; exit code 1 if there is one

Flesch's reading ease is 206.835 - 1.015 words a sentence - 84.6 syllables a word, of a page's prose: without code, tables, links'
targets and names of tests in brackets. A sentence ends at . ! ? or with its paragraph; a name in code counts as a word of two syllables.
"""
import pathlib
import re
import sys

from pages import inner_pages, pages
from phrases import prose

GUIDES = {"README.md", "docs/README.md", "docs/first_hour.md", "docs/author.md", "docs/from_drake.md", "docs/from_simulink.md", "docs/live.md",
          "docs/studies.md", "docs/studio.md", "docs/hardware.md"}
BOUNDS = {"guide": 55, "reference": 45}


def kind(page):
    return "guide" if page in GUIDES or page.startswith("examples/") else "reference"


def sentences(text):
    """The sentences of a page's prose as lists of words; a heading and a table are none, an entry of a list ends one."""
    lines = [line for line in prose(text).splitlines() if not line.startswith(("#", "|", "<"))]
    text = re.sub(r"^(- |\d+\. |> |$)", "\n\n", "\n".join(lines), flags=re.MULTILINE)
    text = re.sub(r"!?\[([^\[\]]*)\]\([^()\s]*\)", r"\1", text)
    text = re.sub(r"\[\w+\.[\w., ]+\]", "", text)
    text = re.sub(r"`[^`]*`", "value", text)  # a name counts as a word of two syllables
    found = [re.findall(r"[A-Za-z]+(?:'[a-z]+)?", part) for part in re.split(r"(?:[.!?](?=\s)|\n\n)", text)]
    return [words for words in found if len(words) > 1]


def syllables(word):
    """Groups of vowels, without a silent e at the end."""
    word = word.lower()
    if len(word) > 3 and word.endswith("e") and not word.endswith("le"):
        word = word[:-1]
    if len(word) > 3 and word.endswith("ed") and word[-3] not in "td":
        word = word[:-2]
    return max(1, len(re.findall(r"[aeiouy]+", word)))


def reading_ease(text):
    parts = sentences(text)
    words = [word for part in parts for word in part]
    if len(words) < 50:
        return None
    return 206.835 - 1.015 * len(words) / len(parts) - 84.6 * sum(map(syllables, words)) / len(words)


def reading_faults(tree):
    eases = {page: reading_ease((tree / page).read_text()) for page in pages(tree) + inner_pages(tree)}
    return [f"{page}: reading ease {ease:.0f}; at least {BOUNDS[kind(page)]} is required of a {kind(page)}. Write shorter sentences and words"
            for page, ease in eases.items() if ease is not None and ease < BOUNDS[kind(page)]]


if __name__ == "__main__":
    found = reading_faults(pathlib.Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
