#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What README says of contact 1000 is what longrun.md's tables say, and its table of methods is that of methods.md."""
import re
import sys
import unittest
from pathlib import Path

project = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(project / "docs/results/validation"))
import methods_readme  # noqa: E402


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
    """What README says of the ledger, and longrun.md does not."""
    sentence = re.search(r"`passivity/EnergyLedger` behind ([\w, ]+) or (\w+) the rebound speed of contact 1000 at 10 ms is ([\d.]+) times", " ".join(readme.split()))
    if sentence is None:
        return ["README does not say what the ledger makes of contact 1000"]
    held = {row[0]: row[1:] for row in tables(section(longrun, "With the ledger, rig two_walls"))[0][1]}
    delay = tables(section(longrun, "The published methods"))[0][0].index("10 ms") - 1
    methods = [*sentence[1].split(", "), sentence[2]]
    found = [] if len(methods) == 4 else [f"{len(methods)} methods"]
    for method in methods:
        figure = held[method][delay].split(" (")[0].split(" / ")[2]
        if not same(sentence[3], figure):
            found.append(f"{method}: README says {sentence[3]}, longrun.md {figure}")
    return found


class Readme(unittest.TestCase):
    def setUp(self):
        self.readme = (project / "README.md").read_text()
        self.longrun = (project / "docs/results/validation/longrun.md").read_text()

    def test_says_what_the_long_runs_say(self):
        self.assertEqual(differences(self.readme, self.longrun), [])

    def test_would_notice_another_figure(self):
        self.assertEqual(len(differences(self.readme.replace("is 1.0000 times", "is 1.0007 times"), self.longrun)), 4)
        self.assertEqual(len(differences(self.readme.replace("PIDA, DAC, PIC or TDPA", "PIDA, DAC or TDPA"), self.longrun)), 1)

    def test_has_the_table_of_methods_that_the_results_make(self):
        page = (project / "docs/results/validation/methods.md").read_text()
        self.assertEqual(self.readme, methods_readme.with_block(self.readme, methods_readme.block(page)))
        rows = methods_readme.block(page).splitlines()[2:]
        self.assertGreaterEqual(len(rows), 13)
        for row in rows:  # another figure on the page is another table
            cell = row.split(" | ")[2]
            if re.fullmatch(r"\d\.\d\d", cell):
                self.assertNotIn(row, methods_readme.block(page.replace(f" {cell} / ", " 7.77 / ")))


if __name__ == "__main__":
    unittest.main()
