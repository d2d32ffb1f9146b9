#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compiles mistakes.cpp and expects the SDK's own words among the errors, each at its member's line.

mistakes.py SOURCE COMPILER ARGUMENTS...
"""
import re
import subprocess
import sys
import unittest

source, *command = sys.argv[1:]


class Mistakes(unittest.TestCase):
    def test_each_is_answered_in_words(self):
        with open(source, encoding="utf-8") as file:
            wanted = re.findall(r"// says: (.*)", file.read())
        self.assertGreater(len(wanted), 5)
        made = subprocess.run([*command, "-fsyntax-only", source], capture_output=True, text=True, check=False)
        self.assertNotEqual(made.returncode, 0)
        errors = [line for line in made.stderr.splitlines() if "static assertion failed" in line]
        for words in wanted:
            self.assertTrue(any(words in line for line in errors), f"no error says: {words}\n" + "\n".join(errors))
        # A mistake that is not one of those would be found here too.
        self.assertIn("error: static assertion failed: hilda: ", errors[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
