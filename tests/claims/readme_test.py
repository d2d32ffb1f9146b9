#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What README says of contact 1000 is what longrun.md's tables say."""
import re
import unittest
from pathlib import Path

project = Path(__file__).resolve().parent.parent.parent


def tables(text):
    """Of each table: its heading cells and its rows, the cells of each."""
    found, rows = [], []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            found.append((rows[0], rows[2:]))
            rows = []
    return found


def section(text, heading):
    return re.split(r"^## ", text.split(f"## {heading}\n", 1)[1], flags=re.M)[0]


def same(told, figure):
    """Whether a figure, rounded to the digits that are shown, is the one that is shown."""
    if told == figure:
        return True
    if not all(re.fullmatch(r"[\d.]+", text) for text in (told, figure)):
        return False
    digits = len(told.partition(".")[2])
    return abs(float(told) - float(figure)) <= 0.5 * 10.0 ** -digits + 10.0 ** -9


def differences(readme, longrun):
    head, rows = next((h, r) for h, r in tables(readme) if h[-1] == "with the energy ledger")
    published = {row[0]: row[1:] for row in tables(section(longrun, "The published methods"))[0][1]}
    held = {row[0]: row[1:] for row in tables(section(longrun, "With the ledger, rig two_walls"))[0][1]}
    delay = tables(section(longrun, "The published methods"))[0][0].index("10 ms") - 1
    found = [] if len(rows) == 4 else [f"{len(rows)} methods"]
    for method, fifth, thousandth, ledger in rows:
        plain = published[method][delay].split(" / ")
        settled = held[method][delay].split(" (")[0].split(" / ")
        for told, figure in ((fifth, plain[0]), (thousandth, plain[2]), (ledger, settled[2])):
            if not same(told, figure):
                found.append(f"{method}: README says {told}, longrun.md {figure}")
    return found


class Readme(unittest.TestCase):
    def setUp(self):
        self.readme = (project / "README.md").read_text()
        self.longrun = (project / "docs/results/validation/longrun.md").read_text()

    def test_says_what_the_long_runs_say(self):
        self.assertEqual(differences(self.readme, self.longrun), [])

    def test_would_notice_another_figure(self):
        head, rows = next((h, r) for h, r in tables(self.readme) if h[-1] == "with the energy ledger")
        for row in rows:
            for i in (1, 2, 3):
                other = [*row[:i], "1.777", *row[i + 1:]]
                text = self.readme.replace("| " + " | ".join(row) + " |", "| " + " | ".join(other) + " |")
                self.assertNotEqual(text, self.readme)
                self.assertEqual(len(differences(text, self.longrun)), 1)


if __name__ == "__main__":
    unittest.main()
