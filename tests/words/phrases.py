# SPDX-License-Identifier: BSD-3-Clause
"""Pages are written in plain technical English: none contains a phrase of phrases.txt.

    tests/words/phrases.py TREE            the phrases found, one a line; exit code 1 if there is one
    tests/words/phrases.py TREE --count    how many each page contains

Text between lines of ``` is a quote of a program or a file and is skipped. phrases_allowed.txt lists lines that quote
names or messages, phrases_left.txt the pages that are still to be rewritten.
"""
import collections
import functools
import pathlib
import re
import sys

from pages import all_pages

HERE = pathlib.Path(__file__).parent


def fields(file, count):
    """The lines of a list: its fields between tabs."""
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            parts = line.split("\t")
            if len(parts) != count or not all(part.strip() for part in parts):
                raise ValueError(f"{file.name}:{number}: expected {count} fields between tabs")
            yield number, parts


def phrases(folder=HERE):
    """(pattern, name, replacement) of each phrase."""
    found = []
    for number, (phrase, replacement) in fields(folder / "phrases.txt", 2):
        begin = r"(?<![\w-])"
        pattern = begin + phrase.replace(" ", r"\s+") + r"(?!\w)"
        try:
            found.append((re.compile(pattern, re.IGNORECASE), phrase, replacement))
        except re.error as error:
            raise ValueError(f"phrases.txt:{number}: '{phrase}' is not a regular expression: {error}") from error
    return found


def prose(text):
    """The text without its quotes of programs and files and without indentation; lines keep their numbers."""
    text = re.sub(r"^ *```.*?^ *```", lambda quote: "\n" * quote.group().count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^ +", "", text, flags=re.MULTILINE)


@functools.lru_cache
def part_of(phrase):
    """Letters that a text with the phrase contains for sure: looked for first, which is faster."""
    return max(re.findall(r"[a-z]+", re.sub(r"\((?:[^()]|\([^()]*\))*\)\??|\w\?", " ", phrase)), key=len, default="")


def uses(text, known):
    """(line number, line, words, phrase, replacement) of each phrase in a page."""
    text = prose(text)
    lines, lower = text.splitlines(), text.lower()
    for pattern, phrase, replacement in known:
        if part_of(phrase) not in lower:
            continue
        for match in pattern.finditer(text):
            number = text.count("\n", 0, match.start()) + 1
            yield number, lines[number - 1], " ".join(match.group().split()), phrase, replacement


def phrase_faults(tree, folder=HERE):
    known = phrases(folder)
    left = {page: int(most) for _, (page, most) in fields(folder / "phrases_left.txt", 2)}
    allowed = {(page, words): number for number, (page, words, _) in fields(folder / "phrases_allowed.txt", 3)}
    needed, faults = set(), []
    for page in all_pages(tree):
        found = []
        for number, line, words, _, replacement in sorted(uses((tree / page).read_text(), known)):
            quotes = {key for key in allowed if key[0] == page and key[1] in line}
            needed |= quotes
            if not quotes:
                found.append(f"{page}:{number}: '{words}'; write: {replacement}")
        if page not in left:
            faults += found
        elif len(found) > left[page]:
            faults += [*found, f"{page}: {len(found)} phrases; phrases_left.txt allows {left[page]}"]
    return faults + [f"phrases_allowed.txt:{allowed[key]}: no phrase of {key[0]} needs '{key[1]}'" for key in allowed if key not in needed]


def counts(text, known):
    """How often a page contains each phrase."""
    return collections.Counter(phrase for *_, phrase, _ in uses(text, known))


def main(tree, count):
    if count:
        known = phrases()
        for page in all_pages(tree):
            print(f"{sum(counts((tree / page).read_text(), known).values()):4} {page}")
        return 0
    found = phrase_faults(tree)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), "--count" in sys.argv[2:]))
