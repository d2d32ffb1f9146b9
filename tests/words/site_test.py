# SPDX-License-Identifier: BSD-3-Clause
"""The parts of the site that tools/docs writes itself: the references and the sidebar.

    tests/words/site_test.py TREE
"""
import itertools
import pathlib
import re
import sys
import tempfile
import unittest

TREE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path[:0] = [str(TREE / "tools/docs"), str(TREE / "tests/words")]

import block_reference
import header_reference
import python_reference
import site_pages
from links import all_pages

PROGRAM = """#!/bin/sh
if [ "$1" = blocks ]; then
  echo "math"
  echo "  math/Gain  A gain"
  echo "  math/Sum   A sum"
  echo "io.net"
  echo "  io.net/Port  A port"
else
  cat <<'END'
math/Gain
  Multiplies: y = k * u_1, as `a_b`.

Inputs
  u  any shape s  @u  feeds through
      The signal | any
      of its kind
  v  boolean
  name[] is wired as name[0], name[1] ..., as often as needed.

Parameters
  from  scalar  default 0
      Where it begins
  gain  scalar  must be given

  @u is any unit.

  from /somewhere/math.so
math/Sum
  Adds.
END
fi
"""
STUB = '''
class Run:
    """What a run gives."""
    @property
    def time(self) -> float:
        """s"""
    def unit(self, signal: str) -> str: ...
    def _hidden(self) -> None: ...
def blocks(*, plugins: int = ...) -> list[str]:
    """Names."""
'''

C_HEADER = """/* A header of C.
 * Texts: UTF-8. */
#ifndef A_H
#define A_H

/* A number
 *   int code;
 * in words. */
#define A_NUMBER 7u

/* A point. */
typedef struct a_point {
  double x; /* m */
} a_point;

/* Moves it. */
int a_move(a_point* point);
int a_turn(a_point* point);

int a_secret(void);
#endif
"""
CPP_HEADER = """// A header of C++.
namespace a {
namespace detail {
/// Not shown.
int hidden();
}
/// A class; "}" is no brace.
class Point : Base {
  /// Private.
  int number_ = 1;

public:
  /// Made of two.
  Point(int x, int y) : x_{x}, y_{y} { f("}"); }
  int x() const { return x_; } ///< the first
  int y() const { return y_; } ///< the second
  int z() const;

private:
  /// Also private.
  int x_, y_;
};
} // namespace a
"""


class Site(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)
        self.program = self.folder / "program"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def test_blocks_are_found_by_library(self):
        self.assertEqual(block_reference.libraries(self.program), {"math": ["math/Gain", "math/Sum"], "io.net": ["io.net/Port"]})

    def test_a_block_page_has_tables_of_slots(self):
        lines = block_reference.page(self.program, "math", ["math/Gain", "math/Sum"]).splitlines()
        for line in ("# math", "## math/Gain", "Multiplies: y = k \\* u\\_1, as `a_b`.", "**Inputs**",
                     "| `u` | any shape s, @u, feeds through | The signal \\| any of its kind |",
                     "| `v` | boolean | |", "| `from` | scalar, default 0 | Where it begins |",
                     "| `gain` | scalar, must be given | |", "@u is any unit.", "## math/Sum", "Adds."):
            self.assertIn(line, lines)
        self.assertNotIn("/somewhere", "".join(lines))
        self.assertTrue(any(line.startswith("name\\[\\] is wired as") for line in lines))
        self.assertEqual(lines[lines.index("@u is any unit.") - 1], "")

    def test_a_quote_with_words_for_tests_is_a_quote_for_mkdocs(self):
        page = "```xml file=loop.xml\n<a/>\n```\n```sh exit=2\nls\n```\n```sh\na `b`\n```\n"
        self.assertEqual(site_pages.shown(page), "```xml\n<a/>\n```\n```sh\nls\n```\n```sh\na `b`\n```\n")

    def test_a_bar_in_code_of_a_table_has_no_backslash_for_mkdocs(self):
        self.assertEqual(site_pages.shown("| `a\\|b` | c\\|d |\n`a\\|b`\n"), "| `a|b` | c\\|d |\n`a\\|b`\n")

    def test_a_table_of_a_page_has_an_empty_line_before_and_after_it(self):
        # mkdocs takes a table for text where a line of text is next to it; a heading or a comment may precede it
        for page in all_pages(TREE):
            lines = ["", *re.sub(r"^ *```.*?^ *```", "", (TREE / page).read_text(), flags=re.MULTILINE | re.DOTALL).splitlines(), ""]
            for before, line in itertools.pairwise(lines):
                if line.startswith("|"):
                    self.assertTrue(before.startswith(("|", "#", "<!--")) or not before.strip(), f"{page}: write an empty line before the table: {line}")
                elif before.startswith("|"):
                    self.assertTrue(not line.strip() or line.startswith("<!--"), f"{page}: write an empty line after the table: {line}")

    def test_a_list_of_a_page_is_a_list_for_mkdocs(self):
        entry = re.compile(r" *(?:[-*]|\d+\.) ")
        for page in all_pages(TREE):
            lines = re.sub(r"^ *```.*?^ *```", "", (TREE / page).read_text(), flags=re.MULTILINE | re.DOTALL).splitlines()
            for before, line in itertools.pairwise(["", *lines]):
                if entry.match(line):
                    self.assertTrue(not before.strip() or before.startswith((" ", "#")) or entry.match(before),
                                    f"{page}: write an empty line before the list: {line}")
                    self.assertIn((len(line) - len(line.lstrip())) % 4, (0,), f"{page}: indent a list within a list by 4: {line}")

    def test_a_program_without_blocks_is_an_error(self):
        self.program.write_text("#!/bin/sh\n")
        with self.assertRaisesRegex(SystemExit, "lists no block"):
            block_reference.libraries(self.program)

    def test_the_python_page_has_signatures_and_docstrings(self):
        stub = self.folder / "a.pyi"
        stub.write_text(STUB)
        lines = python_reference.page(stub).splitlines()
        for line in ("## Run", "What a run gives.", "### Run.time", "`float`", "s", "unit(self, signal: str) -> str", "## blocks", "Names."):
            self.assertIn(line, lines)
        self.assertNotIn("_hidden", "".join(lines))

    def header(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True)
        file.write_text(text)
        return "\n".join(header_reference.header_page(file))

    def test_a_header_of_c_has_its_declarations_with_their_comments(self):
        page = self.header("abi/hilda/a.h", C_HEADER)
        for part in ("## hilda/a.h\n\nA header of C.\n\nTexts: UTF-8.", "```c\n#define A_NUMBER 7u\n```\n\nA number\n```c\n  int code;\n```\nin words.",
                     "```c\ntypedef struct a_point {\n  double x; /* m */\n} a_point;\n```\n\nA point.",
                     "```c\nint a_move(a_point* point);\n```\n\nMoves it.\n\n```c\nint a_turn(a_point* point);\n```"):
            self.assertIn(part, page)
        self.assertNotIn("secret", page)

    def test_a_header_of_cpp_has_what_is_public_and_has_a_comment(self):
        page = self.header("sdk/hilda/a.h", CPP_HEADER)
        for part in ("```cpp\nclass Point : Base;\n```\n\nA class;", "```cpp\nPoint(int x, int y);\n```\n\nMade of two.",
                     "int x() const;\n```\n\nthe first\n", "int y() const;\n```\n\nthe second"):
            self.assertIn(part, page)
        for part in ("rivate", "hidden", "z()"):
            self.assertNotIn(part, page)

    def test_the_headers_of_the_tree_are_all_there(self):
        for title, name in header_reference.write(TREE, self.folder):
            self.assertGreater((self.folder / f"{name}.md").read_text().count("```c"), 20, title)
        self.assertIn("hilda_sim_step(", (self.folder / "c_api.md").read_text())
        for word in ("class Input", "class Block;", "class Bench"):
            self.assertIn(word, (self.folder / "cpp_blocks.md").read_text())

    def test_each_page_of_the_tree_is_in_the_sidebar_once(self):
        names = site_pages.copied(self.folder / "pages")
        listed = []

        def walk(entries):
            for entry in entries:
                for target in entry.values():
                    listed.append(target) if isinstance(target, str) else walk(target)

        walk(site_pages.navigation(names, ["README", "math"], [("C API", "c_api")]))
        self.assertEqual(len(listed), len(set(listed)))
        self.assertEqual(set(listed) - {f"{site_pages.BLOCKS}/README.md", f"{site_pages.BLOCKS}/math.md", site_pages.PYTHON,
                                        "reference/c_api.md"}, names)
        self.assertEqual(set(all_pages(TREE)) - names, set())

    def test_modules_and_decisions_have_their_sections(self):
        entries = {title: pages for entry in site_pages.navigation(site_pages.copied(self.folder / "pages"), ["README"], [])
                   for title, pages in entry.items()}
        self.assertIn({"run": "engine/run/README.md"}, entries["Modules"])
        self.assertIn({"Arithmetic within ${} carries units": "docs/decisions/0001-units-in-expressions.md"}, entries["Decisions"])
        self.assertFalse([page for entry in entries["Project"] for page in entry.values() if "decisions" in page or page.startswith("engine")])


if __name__ == "__main__":
    unittest.main()
