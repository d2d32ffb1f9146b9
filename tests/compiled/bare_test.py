# SPDX-License-Identifier: BSD-3-Clause
"""A compiled program runs where nothing is but the C library and the C++ library; with --with-libc, where nothing is.

bare_test.py HILDA TREE      ends with 77 where no other root may be entered
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import program

HILDA, TREE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
ENTER = 'mount --rbind /proc "$0/proc" && exec chroot "$0" "$@"'
HOST = ("libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1")


def enter(root, *words, proc=True):
    inside = ["unshare", "--mount", "sh", "-c", ENTER if proc else 'exec chroot "$0" "$@"', str(root), *words]
    return subprocess.run(inside, capture_output=True, text=True, timeout=120)


def make_root(folder):
    """The libraries of this computer that a program needs, and nothing else."""
    said = subprocess.run(["ldd", HILDA], capture_output=True, text=True, timeout=60, check=True).stdout
    found = dict(re.findall(r"^\s*(\S+) => (\S+) \(", said, re.M))
    loader = re.search(r"^\s*(/\S*ld-linux\S*) \(", said, re.M)[1]
    for name in ("proc", "lib", "tmp"):
        (folder / name).mkdir()
    (folder / loader[1:]).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(loader, folder / loader[1:])
    for name in HOST:
        place = folder / found[name][1:]
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(found[name], place)


class Bare(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        cls.root = cls.folder / "root"
        cls.root.mkdir()
        make_root(cls.root)
        program.compile_diagram(HILDA, "diagrams/pida.xml", cls.root / "pida", cwd=TREE)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def test_the_same_log(self):
        ended = enter(self.root, "/pida", "--for", "0.3 s", "--log", "/tmp/other.mcap", "--quiet")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        one = self.folder / "one.mcap"
        program.run(HILDA, "run", "diagrams/pida.xml", "--for", "0.3 s", "--log", one, "--quiet", cwd=TREE)
        program.assert_same_log(self, HILDA, one, self.root / "tmp/other.mcap")
        self.assertIn("every bit is as recorded", enter(self.root, "/pida", "replay", "/tmp/other.mcap").stdout)

    def test_nothing_is_needed_with_libc(self):
        empty = self.folder / "empty"
        for name in ("proc", "tmp"):
            (empty / name).mkdir(parents=True)
        program.compile_diagram(HILDA, "diagrams/pida.xml", empty / "pida", "--with-libc", cwd=TREE)
        ended = enter(empty, "/pida", "--for", "0.3 s", "--log", "/tmp/other.mcap", "--quiet")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        one = self.folder / "one.mcap"
        program.run(HILDA, "run", "diagrams/pida.xml", "--for", "0.3 s", "--log", one, "--quiet", cwd=TREE)
        program.assert_same_log(self, HILDA, one, empty / "tmp/other.mcap")
        self.assertIn("every bit is as recorded", enter(empty, "/pida", "replay", "/tmp/other.mcap").stdout)
        content = (empty / "pida").read_bytes()
        (empty / "pida").write_bytes(content[:-100])
        self.assertIn("error[program-damaged]", enter(empty, "/pida").stderr)
        self.assertIn("error[program-proc]", enter(empty, "/pida", proc=False).stderr)

    def test_proc_is_named_where_it_is_not_mounted(self):
        ended = enter(self.root, "/pida", "--for", "1 ms", proc=False)
        self.assertEqual(ended.returncode, 2)
        for words in ("error[program-proc]", "/proc/self/exe", "help: mount /proc"):
            self.assertIn(words, ended.stderr)


if __name__ == "__main__":
    if enter("/", "/bin/true").returncode != 0:
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
