# SPDX-License-Identifier: BSD-3-Clause
"""Citations: a quote is found, an invented one is reported, and every claim has something that measures it."""
import json
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

project = Path(__file__).resolve().parent.parent.parent
results = project / "docs/results/validation"
sys.path.insert(0, str(results))
sys.dont_write_bytecode = True
import citations  # noqa: E402

papers = os.environ.get("HILDA_PAPERS", "")
BOOK = json.loads((results / "claims.json").read_text())
TEXT = "The CoVs are about $1.05$ and\n1.16, respectively; the \\textbf{error} is 0.30\u2013 0.4%."


def book(*claims, figures=()):
    return {"papers": {"p": {"file": "p.txt", "title": "A paper"}}, "figures": list(figures),
            "claims": [{"id": f"p-{i}", "paper": "p", "quote": quote} for i, quote in enumerate(claims)]}


class Citations(unittest.TestCase):
    def found(self, claims, page=""):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.md"
            path.write_text(page)
            citations.PAGES["page.md"] = ("p",)
            try:
                return citations.missing(claims, {"p": TEXT}, [path] if page else [])
            finally:
                del citations.PAGES["page.md"]

    def test_a_quote_is_found_across_lines_and_markup(self):
        self.assertEqual(self.found(book("about 1.05 and 1.16, respectively", "the error is 0.30- 0.4%")), [])

    def test_an_invented_quote_is_told(self):
        self.assertEqual(len(self.found(book("about 1.05 and 1.17"))), 1)

    def test_a_claim_of_a_paper_without_a_file_is_not_looked_for(self):
        claims = book("an abstract says so")
        claims["papers"]["q"] = {"title": "Abstracts"}
        claims["claims"][0]["paper"] = "q"
        self.assertEqual(self.found(claims), [])

    def test_a_number_that_is_in_no_paper_is_told_with_its_line(self):
        page = "| case | paper | measured |\n|---|---|---|\n| a | 1.05 | 9 |\n| b | 0.40 to 0.07 deg | 9 |\n"
        told = self.found(book(), page)
        self.assertEqual([t.split(" ")[0] for t in told], ["page.md:4:"])
        self.assertIn("0.07", told[0])

    def test_a_row_of_the_paper_counts_as_well_as_a_column(self):
        self.assertEqual(len(self.found(book(), "| | j1 |\n|---|---|\n| Cartesian, paper | 7.25 |\n| measured | 8 |\n")), 1)

    def test_a_value_read_from_a_figure_passes_when_it_is_listed(self):
        figure = {"paper": "p", "place": "Fig. 1", "values": [0.07]}
        page = "| case | paper |\n|---|---|\n| b | 0.07 |\n"
        self.assertEqual(len(self.found(book(), page)), 1)
        self.assertEqual(self.found(book(figures=[figure]), page), [])


class Claims(unittest.TestCase):
    def test_each_claim_is_measured_by_a_function_of_its_own(self):
        import claims_arm
        import claims_contact
        import claims_emulation
        import claims_field
        import claims_tdpa
        modules = {"hybrid": claims_contact, "compliance": claims_contact, "passivity": claims_tdpa, "emulation": claims_emulation,
                   "arm": claims_arm, "field": claims_field}
        measures = [c["measure"] for c in BOOK["claims"]]
        self.assertEqual(len(set(measures)), len(measures))
        for claim in BOOK["claims"]:
            self.assertTrue(callable(getattr(modules[claim["paper"]], claim["measure"], None)), claim["id"])

    def test_the_page_has_a_row_for_each_claim(self):
        rows = re.findall(r"^\| ([a-z]+-\d+) \|", (results / "claims.md").read_text(), re.M)
        self.assertEqual(rows, [c["id"] for key in BOOK["papers"] for c in BOOK["claims"] if c["paper"] == key])

    @unittest.skipUnless(papers, "HILDA_PAPERS is not set: the papers' text is not part of hilda")
    def test_every_citation_stands_in_a_paper(self):
        texts = {key: (Path(papers) / paper["file"]).read_text() for key, paper in BOOK["papers"].items() if "file" in paper}
        self.assertEqual(citations.missing(BOOK, texts, [results / name for name in citations.PAGES]), [])


if __name__ == "__main__":
    unittest.main()
