#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts of phrases that pages should not contain, before and after, and how easy each page is to read.

    docs/results/measurements/words.py --write        docs/results/measurements/words.md, with its opening

The phrases are those of tests/words/phrases.txt, counted as the test words.phrases counts them. Readability is Flesch's
reading ease (tests/words/reading.py). words_messages.txt has messages that were rewritten, words_read.txt how many sentences a
reader had to read twice, and words_reader_*.txt the same of three fresh readers.
"""
import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(SOURCE / "tests/words"), str(SOURCE / "docs/results")]

from comments import found_in as found_in_comments
from pages import all_pages, pages
from phrases import counts, fields, phrases
from reading import BOUNDS, kind, reading_ease
from openings import write as write_openings
from strings import found_in as found_in_texts
from tables import table

BEFORE, BEFORE_COMMENTS = "203b5b46", "13742a33"
def earlier(page):
    """The page's text at the revision before, or None."""
    found = subprocess.run(["git", "-C", SOURCE, "show", f"{BEFORE}:{page}"], capture_output=True, text=True, check=False)
    return found.stdout if found.returncode == 0 else None


def counts_elsewhere(tree, known):
    """How many phrases there are in comments, in texts that a program shows, in literals of tests, and in other pages."""
    texts = collections.Counter(name.startswith("tests/") and name.endswith((".cpp", ".h", ".c")) for name, *_ in found_in_texts(tree, known))
    own = {*pages(tree)}
    more = sum(sum(counts((tree / page).read_text(), known).values()) for page in all_pages(tree) if page not in own)
    return sum(1 for _ in found_in_comments(tree, known)), texts[False], texts[True], more


def earlier_counts(known):
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "-C", SOURCE, "archive", BEFORE_COMMENTS], capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        return counts_elsewhere(pathlib.Path(folder), known)


def elsewhere_lines():
    known = phrases()
    heads = ["comments: C, C++, Python, JavaScript, TypeScript, CMake, shell", "texts: literals of C, C++, Python, JavaScript and TypeScript, pages of HTML, golden files, doc, title and comments of diagrams",
             "string literals of tests", "results, decisions, READMEs of modules, and pages at the top"]
    rows = [[head, str(before), str(now)] for head, before, now in zip(heads, earlier_counts(known), counts_elsewhere(SOURCE, known))]
    return ["## Elsewhere", table(["phrases in", BEFORE_COMMENTS, "now"], rows), "",
            "`words.comments` bounds those of comments and `words.strings` those of tests, for each folder; the bounds may only fall. Of texts `words.strings` "
            "allows none but names, listed in `tests/words/strings_allowed.txt`.", "",
            "## The site as pictures",
            "All 132 pages were checked in Chromium at 480 and 1400 px in the dark for cut text, raw Markdown and contrast; 16 of them were drawn light "
            "and dark at both widths, and 5 of the 10 sheets of these pictures were looked at.",
            "Found and mended: quotes of lessons shown as text, torn tables of blocks, words that left the page, a light sidebar in the dark.",
            "After the third reading 13 pages were looked at again, at 1400 px in the light, at 480 px in the dark, or both. Found and mended: lists and "
            "tables without an empty line before them, nested lists shown flat, slots named `from` that were missing in the reference of blocks, "
            "names in tables broken after three letters, backslashes in code of tables. `words.site` tests all but the broken names.",
            "Last, 16 pages were drawn again, light and dark at both widths, and all 12 sheets of these 64 pictures were looked at: no page scrolls sideways, "
            "wide tables and quotes scroll within themselves, and nothing had to be mended.",
            "After the pages of the last reading were rewritten, ten of them were drawn in the same four ways and looked at: nothing had to be mended.", ""]


def message_lines():
    rows = [[f"`{text}`".replace("|", "\\|") for text in row] for _, row in fields(SOURCE / "docs/results/measurements/words_messages.txt", 2)]
    return ["## Messages", "Messages and texts of help that were rewritten, in the sources and in their golden files. No fact of a message changed: a script "
            "compared names, numbers with their units, codes, paths, options and remedies of the 105 golden files and 266 places in sources that the two "
            "commits of the rewriting (116a69e3, b04200ac) changed. None was lost.", "",
            table(["before", "now"], rows), ""]


def reading_lines():
    rows = [row for _, row in fields(SOURCE / "docs/results/measurements/words_read.txt", 7)]
    counts_of = [[sum(int(row[at + more]) for row in rows if row[at] != "-") for more in (0, 1)] for at in (1, 3, 5)]
    first, second, third = (f"{marked} of {all_} ({100 * marked / all_:.1f} in 100)" for all_, marked in counts_of)
    return ["## Sentences read twice", "Readers who did not know the project marked each sentence that they had to read twice. After each reading the "
            "marked sentences were rewritten.", "",
            f"- First reading: {first}. Three readers read the sets, and a fourth the lessons.",
            f"- Second reading: {second}. Three other readers read one set each; the one of set 3 also rewrote what was marked.",
            f"- Third reading, of sets 1 and 2 by the reader of set 3: {third}.", "",
            "The goal is under 2 in 100. Of the rows below only sets 1 and 2 without blocks.md reach it. The sentences that were rewritten last have not been read again. "
            "The readers are language models in the roles of a control engineer, an operator of a robot cell, and a programmer of plugins. "
            "The pages changed between the readings, and sets overlap: README.md was read with each.", "",
            "After these readings one author read README.md, first_hour, diagram, hardware, realtime, studies, live, python and solvers once more, with three readers "
            "in mind: a control engineer, a student whose third language is English, and a C++ programmer. Of 1190 sentences 58 (4.9 in 100; some are entries "
            "of tables) were marked, and 53 of them were rewritten; 5 are left (0.4 in 100). The new text has not been read again, and this is not a reading by someone "
            "who does not know the project.", "",
            table(["pages", "sentences, first", "marked", "sentences, second", "marked", "sentences, third", "marked"], rows), ""]


# Who read, and what; a file of each has the counts.
FRESH_READERS = {
    "a": "a control engineer: the pages for a first diagram and for those who know another tool. Parts of table cells with six words or more count",
    "b": "a robotics lab's software engineer: the pages for authors of plugins and for hardware. Entries of tables count; the index of sdk.md does not",
    "c": "a control engineer of a university, whose English is not native: the pages of the studio, of runs and studies, and the lessons. Entries of tables "
         "of three words or more count",
}


def fresh_reader_lines():
    out = ["## Fresh readers", "Three more readers, language models in roles, who had not seen the project. Each marked the sentences of its pages that it had to read "
           "twice, then rewrote them, and read the pages once more. It knew them by then, so the second count is not that of a stranger. What was marked "
           "the second time was rewritten too, all or most of it, and has not been read again. Code does not count.", ""]
    for name, read in FRESH_READERS.items():
        rows = [row for _, row in fields(SOURCE / f"docs/results/measurements/words_reader_{name}.txt", 5)]
        sentences, marked, later, left = (sum(int(row[at]) for row in rows if row[at] != "-") for at in range(1, 5))
        out += [f"### Reader {name.upper()}", f"Read as {read}. Marked were {marked} of {sentences} sentences ({100 * marked / sentences:.1f} in 100), "
                f"and {left} of {later} ({100 * left / later:.1f} in 100) after the rewriting.", "",
                table(["page", "sentences, before", "marked", "sentences, after", "marked"], rows), ""]
    return out


def show(number, digits=0):
    return "-" if number is None else f"{number:.{digits}f}"


def measured():
    known, left = phrases(), {page for _, (page, _) in fields(SOURCE / "tests/words/phrases_left.txt", 2)}
    before, after, rows = collections.Counter(), collections.Counter(), []
    for page in pages(SOURCE):
        old, new = earlier(page), (SOURCE / page).read_text()
        was, now = counts(old or "", known), counts(new, known)
        before += was
        after += now
        rows.append([page, kind(page), show(sum(was.values()) if old else None),
                     show(sum(now.values())), show(reading_ease(old or "")), show(reading_ease(new)), "to be done" if page in left else ""])
    return [(phrase, before[phrase], after[phrase]) for _, phrase, _ in known], rows


def text():
    by_phrase, rows = measured()
    total = [sum(row[i] for row in by_phrase) for i in (1, 2)]
    done = [row for row in rows if not row[-1]]
    eases = [(row[1], float(row[5])) for row in done if row[5] != "-"]
    below = [of for of, ease in eases if ease < BOUNDS[of]]
    return "\n".join([
        "# Words", "",
        "<!-- written by words.py; do not edit -->",
        f"Counted in {len(rows)} pages: README.md, docs and the lessons.",
        "The test `words.phrases` allows none of the phrases below, but for quotes of names and messages that",
        "`tests/words/phrases_allowed.txt` lists, and for pages that are still to be done.", "",
        f"- Phrases: {total[0]} at {BEFORE}, {total[1]} now; in the {len(done)} pages that are done {sum(int(row[3]) for row in done)}, all of them quotes.",
        f"- Flesch's reading ease of the pages that are done: {len(eases) - len(below)} of {len(eases)} reach their bound (55 for a guide, 45 for a reference).",
        "",
        "## By phrase", "A phrase is a regular expression; a blank is any white space.", "",
        table(["phrase", BEFORE, "now"], [[f"`{phrase}`".replace("|", "\\|"), str(was), str(now)] for phrase, was, now in by_phrase]), "",
        *elsewhere_lines(), *reading_lines(), *fresh_reader_lines(), *message_lines(),
        "## By page", "",
        table(["page", "kind", f"phrases, {BEFORE}", "now", f"reading ease, {BEFORE}", "now", ""], rows)]) + "\n"


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--write", action="store_true", help="write words.md")
    if arguments.parse_args().write:
        (SOURCE / "docs/results/measurements/words.md").write_text(text())
        write_openings(SOURCE)
    else:
        print(text())
