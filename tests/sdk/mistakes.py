#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compiles each mistake of mistakes.cpp by itself: the first error is in the SDK's own words, and the compiler names the mistake's line.

mistakes.py SOURCE COMPILER ARGUMENTS...
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

source, *command = sys.argv[1:]
BLOCK = """struct Mistaken : Block {
  Ring<> line{*this, "line", "3", "m", "Entries"}; Input<double> given{*this, "given", "1", "Number"}; Input<Vector> list{*this, "list", "n", "m", ""};
  Output<double> number{*this, "number", "1", "A number"};
  Output<Vector3> point{*this, "point", "m", "A point"};
  Output<Vector> vector{*this, "vector", "n", "m", "A vector"};
  void output(const Tick& t) override { (void)t; MISTAKE }
};
HILDA_BLOCK(Mistaken, "Compiles without a mistake.")
"""
JOINED = "struct Joined : Parts { using Parts::Parts; };\n"


class Mistakes(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)
        with open(source, encoding="utf-8") as file:
            text = file.read()
        (self.folder / "all.h").write_text(text.split("// clang-format off")[0].split("\n", 2)[2], encoding="utf-8")
        self.lines = re.findall(r"^(\S.*?;) +// (in output, )?says: (.*)$", text, re.M)
        self.compiled = self.folder / "all.h.gch"
        made = subprocess.run([*command, "-x", "c++-header", "all.h", "-o", self.compiled], cwd=self.folder, capture_output=True, text=True,
                              check=False)
        self.assertEqual(made.returncode, 0, made.stderr)

    def tearDown(self):
        self.place.cleanup()

    def errors(self, text):
        """What the compiler prints of a file with this text behind the headers."""
        (self.folder / "mistake.cpp").write_text(text, encoding="utf-8")
        made = subprocess.run([*command, "-include", "all.h", "-fsyntax-only", "mistake.cpp"], cwd=self.folder, capture_output=True, text=True,
                              check=False)
        return made.stderr if made.returncode != 0 else ""

    def test_without_a_mistake_the_block_compiles(self):
        self.assertEqual(self.errors(BLOCK.replace("MISTAKE", "")), "")

    def test_each_is_answered_first_in_words(self):
        self.assertGreater(len(self.lines), 25)
        for mistake, in_output, words in self.lines:
            with self.subTest(mistake):
                if in_output:
                    text, line = BLOCK.replace("MISTAKE", "\n" + mistake + "\n"), 7
                else:
                    text, line = f"{JOINED}struct Mistaken : Block {{\n  {mistake}\n}};\nHILDA_BLOCK(Mistaken, \"\")\n", 3
                if "Joined" in mistake:
                    line = "[13]"  # GCC names the line of the constructor that is inherited
                said = self.errors(text)
                first = next((each for each in said.splitlines() if "error:" in each), "no error")
                self.assertRegex(first, r"static.assert\w*( assertion)? failed", said)
                self.assertIn("hilda: ", first, said)
                self.assertIn(words, first, said)
                self.assertRegex(said, rf"mistake\.cpp:{line}\b")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
