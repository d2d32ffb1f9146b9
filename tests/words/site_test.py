# SPDX-License-Identifier: BSD-3-Clause
"""The parts of the site that tools/docs writes itself: the references and the sidebar.

    tests/words/site_test.py TREE
"""
import pathlib
import sys
import tempfile
import unittest

TREE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path[:0] = [str(TREE / "tools/docs"), str(TREE / "tests/words")]

import block_reference
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
  Multiplies: y = k * u_1.

Inputs
  u  any shape s  @u  feeds through
      The signal | any
  v  boolean

Parameters
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
        for line in ("# math", "## math/Gain", "Multiplies: y = k \\* u\\_1.", "**Inputs**", "| `u` | any shape s, @u, feeds through | The signal \\| any |",
                     "| `v` | boolean | |", "| `gain` | scalar, must be given | |", "@u is any unit.", "## math/Sum", "Adds."):
            self.assertIn(line, lines)
        self.assertNotIn("/somewhere", "".join(lines))
        self.assertEqual(lines[lines.index("@u is any unit.") - 1], "")

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

    def test_each_page_of_the_tree_is_in_the_sidebar_once(self):
        names = site_pages.copied(self.folder / "pages")
        listed = []

        def walk(entries):
            for entry in entries:
                for target in entry.values():
                    listed.append(target) if isinstance(target, str) else walk(target)

        walk(site_pages.navigation(names, ["README", "math"]))
        self.assertEqual(len(listed), len(set(listed)))
        self.assertEqual(set(listed) - {f"{site_pages.BLOCKS}/README.md", f"{site_pages.BLOCKS}/math.md", site_pages.PYTHON}, names)
        self.assertEqual(set(all_pages(TREE)) - names, set())


if __name__ == "__main__":
    unittest.main()
