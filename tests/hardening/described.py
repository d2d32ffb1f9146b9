# SPDX-License-Identifier: BSD-3-Clause
"""What a build says of itself is true: described.py SOURCE BUILD. Man pages and completions have every command, the SBOM and
THIRD_PARTY.md name what is linked, the version is written alike everywhere; plugins of the user are found and refused.
"""
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
HILDA = BUILD / "bin" / "hilda"


def run(*command, **options):
    return subprocess.run([str(each) for each in command], capture_output=True, text=True, **options)


def hilda(*arguments, **environment):
    return run(HILDA, *arguments, env={**os.environ, **environment})


class Help(unittest.TestCase):
    def test_every_command_has_a_page_and_is_completed(self):
        shown = hilda("--help").stdout.partition("Subcommands:\n")[2].partition("\n\n")[0]
        commands = re.findall(r"^  (\S+)", shown, re.M)
        self.assertIn("run", commands)
        for command in commands:
            page = gzip.decompress((BUILD / "help" / "man1" / f"hilda-{command}.1.gz").read_bytes()).decode()
            self.assertTrue(page.startswith(".TH"), page[:80])
        for name in ("hilda", "_hilda", "hilda.fish"):
            text = (BUILD / "help" / name).read_text()
            self.assertEqual([each for each in commands if each not in text], [], name)
        self.assertEqual(run("bash", "-n", BUILD / "help" / "hilda").stderr, "")

    def test_bash_completes_commands_options_and_words(self):
        script = ("source $0; COMP_WORDS=(hilda \"$@\"); COMP_CWORD=$#; COMPREPLY=(); _hilda; echo ${COMPREPLY[*]}")
        for words, wanted in ((["stud"], "studio"), (["run", "--dry"], "--dry-run"), (["sweep", "che"], "check"),
                              (["run", "a.xml", "--solver", "rose"], "rosenbrock")):
            with tempfile.TemporaryDirectory() as empty:  # names of files are completed too
                told = run("bash", "-c", script, BUILD / "help" / "hilda", *words, cwd=empty)
            self.assertEqual((told.stdout.strip(), told.stderr), (wanted, ""), words)


class Parts(unittest.TestCase):
    def test_the_page_has_all_that_is_linked(self):
        checked = run(sys.executable, SOURCE / "tools" / "third_party.py", "--build", BUILD, "--check")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_the_sbom_is_printed(self):
        told = hilda("--version", "--sbom")
        self.assertEqual(told.returncode, 0, told.stderr)
        bill = json.loads(told.stdout)
        needed = re.findall(r"\[lib(fmt|tinyxml2)\.so", run("readelf", "-dW", BUILD / "lib/hilda/libhilda.so").stdout)
        self.assertEqual(len(needed), 2)
        names = " ".join(part["name"] for part in bill["packages"])
        self.assertEqual([each for each in needed if each not in names], [])
        self.assertEqual(bill["packages"][0]["versionInfo"], hilda("--version").stdout.split()[1])

    def test_without_its_file_there_is_an_error(self):
        with tempfile.TemporaryDirectory() as place:
            prefix = pathlib.Path(place)
            for name in ("bin/hilda", "lib/hilda/libhilda.so.1"):
                (prefix / name).parent.mkdir(parents=True)
                shutil.copy(BUILD / name, prefix / name)
            told = run(prefix / "bin" / "hilda", "--version", "--sbom")
        self.assertEqual((told.returncode, told.stdout), (3, ""))
        self.assertIn(f"{place}/share/hilda/sbom.spdx.json: the SBOM of this program cannot be read", told.stderr)

    def test_the_version_is_one(self):
        version = hilda("--version").stdout.split()[1]
        self.assertIn(f"project(hilda VERSION {version} ", (SOURCE / "CMakeLists.txt").read_text())
        self.assertIn(f"\nversion: {version}\n", (SOURCE / "CITATION.cff").read_text())


class Licences(unittest.TestCase):
    def test_the_tool_finds_and_adds_the_line(self):
        with tempfile.TemporaryDirectory() as place:
            tree = pathlib.Path(place)
            (tree / "tools").mkdir()
            tool = shutil.copy(SOURCE / "tools" / "spdx.py", tree / "tools")
            (tree / "a.sh").write_text("#!/bin/sh\ntrue\n")
            (tree / "plugins" / "abi").mkdir(parents=True)
            for name in ("a.cpp", "a.h", "a.c", "plugins/abi/b.h"):
                (tree / name).write_text("int a;\n")
            told = run(sys.executable, tool)
            self.assertEqual(told.returncode, 1, told.stdout)
            self.assertIn("a.sh: no line", told.stdout)
            self.assertEqual(run(sys.executable, tool, "--add").returncode, 0)
            self.assertEqual((tree / "a.sh").read_text().splitlines()[0::2], ["#!/bin/sh", "true"])
            identifier = "SPDX-License-Identifier: BSD-3-Clause"
            for name, line in (("a.cpp", f"// {identifier}"), ("a.h", f"// {identifier}"), ("a.c", f"/* {identifier} */"),
                               ("plugins/abi/b.h", f"/* {identifier} */")):
                self.assertEqual((tree / name).read_text(), f"{line}\nint a;\n")
            self.assertEqual(run(sys.executable, tool).returncode, 0)


class UserPlugins(unittest.TestCase):
    """A standard plugin that lies there as well has names that are taken: so it was read."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.data = pathlib.Path(place.name)
        self.folder = self.data / "hilda" / "plugins"
        self.folder.mkdir(parents=True)
        shutil.copy(BUILD / "lib" / "hilda" / "plugins" / "sinks.so", self.folder)

    def said(self):
        return hilda("blocks", "gain", XDG_DATA_HOME=str(self.data)).stderr

    def test_are_found(self):
        self.assertRegex(self.said(), rf"{self.folder}/sinks\.so: error\[plugin-name-taken\]")

    def test_of_a_home_are_found(self):
        home = self.data / "home"
        (home / ".local" / "share").mkdir(parents=True)
        (self.data / "hilda").rename(home / ".local" / "share" / "hilda")
        told = hilda("blocks", "gain", XDG_DATA_HOME="", HOME=str(home)).stderr
        self.assertIn("plugin-name-taken", told)

    def test_are_refused_where_others_may_write(self):
        self.folder.chmod(0o777)
        self.assertIn("error[plugin-writable]", self.said())

    def test_of_another_hilda_are_skipped(self):
        (self.data / "hilda" / "libhilda.so.1").touch()
        self.assertEqual(self.said(), "")

    def test_need_not_be_there(self):
        shutil.rmtree(self.data / "hilda")
        self.assertEqual(self.said(), "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
