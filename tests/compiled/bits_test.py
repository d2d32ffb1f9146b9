# SPDX-License-Identifier: BSD-3-Clause
"""A compiled program writes the log of `hilda run`, bit for bit.

bits_test.py HILDA TREE SECONDS DIAGRAMS...     DIAGRAMS: names in diagrams/ without .xml; none: all of them
"""

import pathlib
import sys
import tempfile
import unittest

import program

HILDA, TREE, SECONDS = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
NAMES = sys.argv[4:] or sorted(file.stem for file in (TREE / "diagrams").glob("*.xml"))


class Bits(unittest.TestCase):
    def test_logs_are_equal(self):
        self.assertGreaterEqual(len(NAMES), 3)
        for name in NAMES:
            with self.subTest(name), tempfile.TemporaryDirectory() as place:
                folder = pathlib.Path(place)
                diagram = f"diagrams/{name}.xml"
                one, other = folder / "hilda.mcap", folder / "program.mcap"
                ended = ["--for", f"{SECONDS} s", "--quiet"]
                program.run(HILDA, "run", diagram, *ended, "--log", one, cwd=TREE)
                compiled = program.compile_diagram(HILDA, diagram, folder / name, cwd=TREE)
                program.run(compiled, *ended, "--log", other, cwd=folder)
                program.assert_same_log(self, HILDA, one, other)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
