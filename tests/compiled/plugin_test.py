# SPDX-License-Identifier: BSD-3-Clause
"""A user's plugin in C, with a library of the user's, is in the program; one whose library is not there is named.

plugin_test.py HILDA PLUGINS      PLUGINS has users.so, and ../libusers_model.so, which it needs
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import program

HILDA, PLUGINS = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
DIAGRAM = """<diagram format="1" name="users" period="1 ms">
  <block name="step" type="sources/Step" time="10 ms" before="0 N" after="1 N"/>
  <block name="followed" type="users/Follower"/>
  <connect from="step.y" to="followed.u"/>
</diagram>
"""


class Plugin(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)
        self.plugins = self.folder / "lib/plugins"
        shutil.copytree(PLUGINS, self.plugins)
        self.library = self.folder / "lib/libusers_model.so"
        shutil.copy(PLUGINS.parent / "libusers_model.so", self.library)
        (self.folder / "users.xml").write_text(DIAGRAM)

    def tearDown(self):
        self.place.cleanup()

    def test_plugin_and_its_library_are_in_the_program(self):
        given = ["--plugins", self.plugins]
        run = ["--for", "50 ms", "--quiet", "--log"]
        program.run(HILDA, "run", "users.xml", *given, *run, "one.mcap", cwd=self.folder)
        compiled = program.compile_diagram(HILDA, "users.xml", self.folder / "users", *given, cwd=self.folder)
        shutil.rmtree(self.folder / "lib")
        program.run(compiled, *run, "other.mcap", cwd=self.folder)
        program.assert_same_log(self, HILDA, self.folder / "one.mcap", self.folder / "other.mcap")
        said = program.run(compiled, "--what")
        for words in ("libusers_model.so", "users.so"):
            self.assertIn(words, said)

    def test_plugin_whose_library_is_not_there_is_named(self):
        self.library.unlink()
        ended = subprocess.run([HILDA, "compile", "users.xml", "-o", "users", "--plugins", self.plugins], capture_output=True,
                               text=True, timeout=60, cwd=self.folder)
        self.assertEqual(ended.returncode, 2)
        for words in ("users.so", "libusers_model.so", "error[plugin-load]", "help: "):
            self.assertIn(words, ended.stderr)
        self.assertFalse((self.folder / "users").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
