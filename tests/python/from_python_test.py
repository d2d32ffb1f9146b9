# SPDX-License-Identifier: BSD-3-Clause
"""`hilda new-plugin --from-python`: what it writes compiles, and the test in it is passed by the right body alone."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
BUILD = pathlib.Path.cwd()
PROGRAM = BUILD / "bin" / "hilda"
COMPILER = os.environ.get("CXX") or shutil.which("c++")
MORE = '''
import math

LIMIT = 3.5


@hilda.block(doc="Uses what is translated.")
class Much(hilda.Block):
    u = hilda.Input(doc="Signal")
    n = hilda.Input(dtype=int)
    double = hilda.Output(doc="A name that C++ has")
    big = hilda.Output(dtype=bool)
    gain = hilda.Parameter(default=2, live=True)
    x = hilda.State(initial=0.5)
    count = hilda.State(dtype=int, initial=-3)

    def prepare(self):
        self.k = math.sqrt(self.gain) / 2

    def output(self, t):
        new = min(self.x, LIMIT, 2 * self.u) if self.u > 0 else abs(self.x) ** 0.5
        if self.large() and not t.minor:
            new = new + math.atan2(self.u, 1)
        elif -1 < self.u <= 0:
            new -= self.n / 2
        self.double = self.k * new
        self.big = self.large()

    def large(self):
        return abs(self.u) > 0.5 or self.count > 100

    def update(self, t):
        self.x = 0.9 * self.x + t.period * self.u
        self.count += 1 + self.n


@hilda.block(doc="Uses what is not.")
class Beyond(hilda.Block):
    u = hilda.Input()
    y = hilda.Output()

    def output(self, t):
        self.y = sum(self.u for _ in range(3))
'''


class FromPython(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "my_blocks.py").write_text((HERE / "blocks" / "my_blocks.py").read_text() + MORE)

    def make(self, name, block, code=0):
        done = subprocess.run([PROGRAM, "new-plugin", name, "--from-python", f"my_blocks.py:{block}"], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def compile(self, name, output, *words):
        include = ["-I", PROJECT / "plugins" / "abi", "-I", PROJECT / "plugins" / "sdk", "-isystem", "/usr/include/eigen3"]
        done = subprocess.run([COMPILER, "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", *include, *words,
                               "-o", self.folder / name / output], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def build(self, name):
        self.compile(name, "plugin.so", "-shared", "-fPIC", "-fvisibility=hidden", f'-DHILDA_PLUGIN_NAME="{name}"',
                     self.folder / name / f"{name}.cpp", PROJECT / "plugins" / "sdk" / "entry.cpp")

    def outcome(self, name):
        program = self.folder / name / "test"
        if not program.exists():
            self.compile(name, "test", f'-DHILDA_PLUGIN_FILE="{self.folder / name / "plugin.so"}"',
                         self.folder / name / f"{name}_test.cpp", "-lgtest", "-lgtest_main", "-ldl")
        done = subprocess.run([program], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_what_is_translated_whole_computes_the_same_and_a_millionth_off_does_not(self):
        for name, block, mutant in (("one", "Switch", ("*u - *upper", "*u - *upper * (1 + 1e-1)")),
                                    ("two", "Much", ("0.9 * *x", "(0.9 + 1e-6) * *x"))):
            with self.subTest(block):
                said = self.make(name, block)
                self.assertNotIn("To be written", said)
                self.build(name)
                code, text = self.outcome(name)
                self.assertEqual(code, 0, text)
                source = self.folder / name / f"{name}.cpp"
                right = source.read_text()
                self.assertIn(mutant[0], right)
                source.write_text(right.replace(*mutant))
                self.build(name)
                code, text = self.outcome(name)
                self.assertNotEqual(code, 0, text)
                self.assertRegex(text, r"\[0\] at tick \d+")

    def test_what_is_not_is_marked_with_its_line_and_fails_the_test_until_it_is_written(self):
        said = self.make("three", "Beyond")
        self.assertRegex(said, r"To be written: output \(my_blocks\.py:\d+\): an expression GeneratorExp is not translated")
        self.assertIn("the test fails until the block's body is written", said)
        source = self.folder / "three" / "three.cpp"
        text = source.read_text()
        self.assertIn("// TO BE WRITTEN (my_blocks.py:", text)
        self.assertIn("//         self.y = sum(self.u for _ in range(3))", text)
        self.build("three")
        code, said = self.outcome("three")
        self.assertNotEqual(code, 0, said)
        self.assertIn("y[0] at tick 0", said)
        at = text.index("t.fail(")
        source.write_text(text[:at] + "y = *u + *u + *u;" + text[text.index(";", at) + 1:].replace("Tick& t", "Tick&"))
        source.write_text(source.read_text().replace("const Tick& t)", "const Tick&)"))
        self.build("three")
        code, said = self.outcome("three")
        self.assertEqual(code, 0, said)

    def test_what_cannot_be_is_said(self):
        self.assertIn("did you mean 'Filter'?", self.make("four", "Filtr", code=2))
        for words, said in ((["--from-python", "my_blocks.py"], "names no class"),
                            (["--from-python", "not_there.py:It"], "not_there.py: error[python-block]: there is no such file"),
                            (["--from-python", "my_blocks.py:Filter", "--from", "d.xml:rig"], "--from and --from-python are both given"),
                            (["--from-python", "my_blocks.py:Filter", "--language", "c"], "--from-python writes C++"),
                            (["--from-python", "my_blocks.py:Filter", "--for", "2s"], "are for a diagram")):
            done = subprocess.run([PROGRAM, "new-plugin", "four", *words], cwd=self.folder, capture_output=True, text=True)
            self.assertIn(said, done.stdout + done.stderr)
            self.assertNotEqual(done.returncode, 0)
            self.assertFalse((self.folder / "four").exists())


if __name__ == "__main__":
    if COMPILER is None or not pathlib.Path("/usr/include/gtest/gtest.h").exists():
        sys.exit(77)
    unittest.main()
