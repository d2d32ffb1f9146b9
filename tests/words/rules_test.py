"""The rules of words find what they are there for: each is given a tree with one fault.

    tests/words/rules_test.py
"""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from glossary import COLUMNS, PAGE, glossary_faults

HEAD = "| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|\n"


class Rule(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.tree = pathlib.Path(self.place.name)
        self.write("README.md", "A page.\n")

    def write(self, name, text):
        (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
        (self.tree / name).write_text(text)


class Glossary(Rule):
    def faults(self, *rows, head=HEAD):
        self.write(PAGE, "# Glossary\n\n" + head + "".join(row + "\n" for row in rows))
        return glossary_faults(self.tree)

    def test_a_name_that_the_sources_have_passes(self):
        self.write("engine/a.h", "class Wire {};\n")
        self.write("tools/a.cpp", 'auto a = "--wire,-w"; auto b = "wire";\n')
        self.assertEqual(self.faults("| wire | m | - | `Wire` | - | `wire` | `--wire` | cable |"), [])

    def test_a_name_that_no_source_has_is_found(self):
        self.write("engine/a.h", "class Wired {};\n")
        for column in COLUMNS[2:7]:
            cells = ["wire", "m", *("`Wire`" if c == column else "-" for c in COLUMNS[2:7]), "-"]
            self.assertIn(f"{column} name 'Wire' of 'wire'", self.faults("| " + " | ".join(cells) + " |")[0])

    def test_a_banned_word_is_found_in_a_page_and_in_a_text_of_the_program(self):
        row = "| wire | m | - | - | - | - | - | cable |"
        self.write("docs/a.md", "One.\nTwo Cables here.\n")
        self.write("engine/a.cpp", '#include "cable.h"\nint cable = 1;\nauto a = "no cable";\nauto b = "cabled";\n')
        self.assertEqual([fault.split(": '")[0] for fault in self.faults(row)], ["docs/a.md:2", "engine/a.cpp:3"])

    def test_a_table_that_is_not_one_is_refused(self):
        row = "| wire | m | - | - | - | - | - | cable |"
        self.assertIn("the columns are", self.faults(row, head=HEAD.replace("XML", "xml"))[0])
        self.assertIn("3 cells", self.faults("| a | b | c |")[0])
        self.assertIn("is banned and a term", self.faults(row, row.replace("wire", "cable"))[0])
        self.assertIn("an empty word", self.faults(row.replace("cable", "cable, "))[0])
        self.assertIn("write `a name` or -", self.faults(row.replace("m | -", "m | Wire"))[0])
        self.assertIn("no table", self.faults(head="")[0])


if __name__ == "__main__":
    unittest.main()
