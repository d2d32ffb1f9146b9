# SPDX-License-Identifier: BSD-3-Clause
"""What the build makes of npm's packages for the pages of a run and of hilda studio: a bundle, the same each time, or,
without npm or where npm fails or hangs, empty files, the reason, and one line to who builds. It never fails and never waits
for long.

page_bundle.py CMAKE TREE BUILD
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CMAKE, TREE, BUILD = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])


class Bundle:
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)
        self.out = self.folder / "page"
        self.bin = self.folder / "bin"
        self.bin.mkdir()

    def tearDown(self):
        self.place.cleanup()

    def program(self, name, script):
        (self.bin / name).write_text("#!/bin/sh\n" + script)
        (self.bin / name).chmod(0o755)

    def bundled(self, seconds=30, path=None):
        """The line that the build shows."""
        path = path or f"{self.bin}"
        made = subprocess.run([CMAKE, f"-DSOURCE={self.source}", f"-DOUTPUT={self.out}", f"-DSECONDS={seconds}",
                               f"-DFILES={','.join(self.taken)}", f"-DWITHOUT={self.without}",
                               "-P", f"{TREE}/cmake/bundle_page.cmake"], env={**os.environ, "PATH": path},
                              capture_output=True, text=True, timeout=200)
        self.assertEqual(made.returncode, 0, made.stderr)
        return (made.stdout + made.stderr).strip()

    def check_lacking(self, line, reason):
        self.assertEqual(len(line.splitlines()), 1, line)
        self.assertIn(f"{self.without}: when hilda was built, {reason}", line)
        self.assertIn(str(self.out), line)
        self.assertEqual((self.out / "lacking.txt").read_text(), reason)
        for name in self.made:
            self.assertEqual((self.out / name).read_bytes(), b"", name)

    def test_without_npm(self):
        self.program("node", "exit 0\n")
        self.check_lacking(self.bundled(), "node or npm was not there")

    def test_npm_that_fails_leaves_its_words_in_a_file(self):
        self.program("node", "exit 0\n")
        self.program("npm", "echo no way to the packages >&2; exit 1\n")
        self.check_lacking(self.bundled(), "the installation of the page's packages by npm failed")
        self.assertEqual((self.out / "said.txt").read_text().strip(), "no way to the packages")

    def test_npm_that_hangs_is_ended(self):
        self.program("node", "exit 0\n")
        self.program("npm", "/bin/sleep 1000\n")
        self.check_lacking(self.bundled(seconds=1), "the installation of the page's packages by npm took longer than 1 s")

    def test_bundling_that_fails(self):
        self.program("node", "exit 3\n")
        self.program("npm", "exit 0\n")
        self.check_lacking(self.bundled(), "the bundling of the page's packages failed")

    def test_what_failed_can_be_had_later_and_is_the_same_each_time(self):
        self.assertEqual((BUILD / self.built / "lacking.txt").read_text(), "", "this build has no bundle to compare with")
        self.bundled()
        self.assertEqual(self.bundled(seconds=100, path=os.environ["PATH"]), "")
        for name in [*self.made, "lacking.txt"]:
            self.assertEqual((self.out / name).read_bytes(), (BUILD / self.built / name).read_bytes(), name)
        self.assertIn(b"uplot", (self.out / self.made[0]).read_bytes().lower())
        self.assertIn("MIT License", (self.out / "licences.txt").read_text())
        self.assertFalse((self.out / "work").exists())


class PageOfARun(Bundle, unittest.TestCase):
    source, built, made = TREE / "tools/graphics/detail/report/page", "page", ["plots.js", "plots.css", "licences.txt"]
    taken = ["plots.mjs", "package.json", "package-lock.json"]
    without = "hilda report will draw still plots"


class PageOfStudio(Bundle, unittest.TestCase):
    source, built, made = TREE / "tools/studio/page", "studio_page", ["studio.js", "studio.css", "licences.txt"]
    taken = ["studio.ts", *sorted(str(each.relative_to(TREE / "tools/studio/page")) for each in source.rglob("*")
                                  if each.suffix in {".ts", ".css"} and each.name != "studio.ts"),
             "package.json", "package-lock.json"]
    without = "hilda studio will have no page"


unittest.main(argv=sys.argv[:1])
