# SPDX-License-Identifier: BSD-3-Clause
"""`hilda docs` finds the installed site, in a prefix and in the folder of a build, and says where it is available.

    tests/words/docs_command_test.py HILDA        a copy of the program, with a link to its library, is in each prefix
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()


class Docs(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.prefix = pathlib.Path(place.name).resolve() / "a prefix"
        (self.prefix / "bin").mkdir(parents=True)
        shutil.copy(PROGRAM, self.prefix / "bin/hilda")
        (self.prefix / "lib").symlink_to(PROGRAM.parent.parent / "lib")

    def write(self, *names):
        for name in names:
            (self.prefix / name).parent.mkdir(parents=True, exist_ok=True)
            (self.prefix / name).write_text("<html>")

    def docs(self, *words, **variables):
        kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = subprocess.run([self.prefix / "bin/hilda", "docs", *words], env=kept | variables, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_an_installed_site_is_printed(self):
        self.write("share/doc/hilda/site/index.html", "docs/site/index.html")
        self.assertEqual(self.docs("--print"), (0, f"{self.prefix}/share/doc/hilda/site/index.html\n", ""))

    def test_without_a_screen_the_link_is_printed(self):
        self.write("docs/site/index.html")
        link = str(self.prefix).replace(" ", "%20")
        self.assertEqual(self.docs(), (0, f"file://{link}/docs/site/index.html\n", ""))

    def test_on_a_screen_a_browser_gets_the_link(self):
        self.write("docs/site/index.html")
        seen = self.prefix / "seen"
        os.mkfifo(seen)
        opener = self.prefix / "tools/xdg-open"
        self.write("tools/xdg-open")
        opener.write_text(f"#!/bin/sh\necho \"$1\" > '{seen}'\n")
        opener.chmod(0o755)
        code, out, err = self.docs(DISPLAY=":7", PATH=f"{opener.parent}:/usr/bin:/bin")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(seen.read_text(), out)

    def test_a_browser_that_is_missing_is_a_note(self):
        self.write("docs/site/index.html")
        code, _, err = self.docs(DISPLAY=":7", PATH=str(self.prefix))
        self.assertEqual((code, err), (0, "note: no browser could be opened: the page is at the address above\n"))

    def test_a_page_is_found_by_its_name(self):
        self.write("docs/site/index.html", "docs/site/docs/diagram.html", "docs/site/reference/python.html",
                   "docs/site/docs/results/measurements/words.html")
        for name, file in (("diagram", "docs/diagram"), ("words", "docs/results/measurements/words"), ("measurements/words", "docs/results/measurements/words"), ("docs/diagram", "docs/diagram"), ("python", "reference/python")):
            self.assertEqual(self.docs(name, "--print"), (0, f"{self.prefix}/docs/site/{file}.html\n", ""))
        for name in ("diagran", "../site/docs/diagran"):
            code, out, err = self.docs(name, "--print")
            self.assertEqual((code, out), (64, ""))
            self.assertIn(f"the documentation has no page '{name}'\nhelp: ", err)
        self.assertIn("did you mean 'hilda docs diagram'?", self.docs("diagran")[2])

    def test_without_a_site_it_says_where_to_find_it(self):
        code, out, err = self.docs("--print")
        self.assertEqual((code, out), (2, ""))
        self.assertIn(f"the documentation is not installed: {self.prefix} has neither share/doc/hilda/site nor docs/site\nhelp: install the "
                      "package hilda-doc", err)
        self.assertNotIn("as text", err)
        self.write("share/doc/hilda/first_hour.md")
        self.assertIn(f"the pages as text are in {self.prefix}/share/doc/hilda", self.docs()[2])


if __name__ == "__main__":
    unittest.main()
