# SPDX-License-Identifier: BSD-3-Clause
"""`hilda new-plugin --from-python`: what it writes compiles, and the test in it is passed by the right body alone."""

import os
import pathlib
import re
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

import numpy as np

LIMIT = 3.5


@hilda.block(doc="Arrays, a choice and a text.")
class Arrays(hilda.Block):
    u = hilda.Input("1", "3")
    v = hilda.Input("1", "n")
    any = hilda.Input("1", "*s")
    y = hilda.Output("1", "3")
    z = hilda.Output("1", "*s")
    s = hilda.Output(port="out")
    A = hilda.Parameter("1", "n n", default=[[0.9, 0.1], [-0.2, 0.8]])
    gain = hilda.Parameter("1", "3", default=[1, 2, 3])
    side = hilda.Parameter(choices=("above", "below", "both"), default="below")
    label = hilda.Parameter(dtype=str, default="tip")
    x = hilda.State("1", "3", initial=0.25)
    w = hilda.State("1", "n", initial=0.5)

    def output(self, t):
        self.y = [self.u[2], -1, self.x[0] * 2]
        self.z = -(self.any + 1) / 2
        self.s = self.u @ self.u + np.sum(self.v) + self.v.max() + np.dot(self.x, self.u)
        if self.side in ("above", "both") or self.side == "both":
            self.s = -self.s

    def update(self, t):
        e = self.gain * (self.u - self.x)
        self.x += t.period * np.clip(e, -1.5, 1.5) / 2
        self.x[1] = 0.5 * self.x[-1] + self.u[0]
        self.w = self.A @ self.w / 2 + np.sqrt(abs(self.v)) - 0.01 * np.maximum(self.w, 0.1) ** 2
        if self.side != "above" and self.label != "root":
            self.x[0] -= 0.01 * e[2]
        if abs(self.u).max() > 50:
            self.x[:] = 0.5


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


REFUSED = '''

@hilda.block(doc="Each method has something that is not translated.")
class Refused(hilda.Block):
    u = hilda.Input("1", "n")
    many = hilda.Input(repeated=True)
    count = hilda.Parameter(dtype=int, default=2)
    several = hilda.Output(count="count")
    x = hilda.State("1", "n")
    label = hilda.Parameter(dtype=str, default="tip")
    gain = hilda.Parameter("1", "3", default=[1, 2, 3])

    def configure(self):
        self.length = len(self.label)

    def prepare(self):
        self.k = self.gain * 2

    def initialize(self):
        self.x[0] = 1.0

    def output(self, t):
        self.several = [self.u.sum()] * self.count

    def update(self, t):
        e = self.u - self.x
        self.x = self.x + e

    def summary(self):
        return {"a": 1}
'''
PARTLY = '''

@hilda.block(doc="Two statements are not translated.")
class Partly(hilda.Block):
    u = hilda.Input()
    y = hilda.Output()
    x = hilda.State()
    seen = hilda.State()

    def output(self, t):
        self.y = 3 * self.x

    def update(self, t):
        step = t.period * 2
        if self.u > 1:
            self.seen = sum(self.u \\
                for _ in range(2))
        else:
            self.seen = -1.0
        self.x += len("abc") * 1e-3
        self.x = self.x + step * self.u
'''
LOUD = '''
print("loaded")

@hilda.block(doc="Prints.")
class Loud(hilda.Block):
    u = hilda.Input()
    y = hilda.Output()

    def output(self, t):
        print("tick", t.index)
        self.y = 2 * self.u
'''
REASONS = {
    "configure": r"self\.label is a text, and is translated where it is compared with a constant text alone: write self\.label ==",
    "prepare": r"self\.k is an array that is not declared: declare it as hilda\.State",
    "initialize": r"self\.x\[0\]: only elements of a vector of fixed size are translated: declare its shape as a number",
    "output": r"self\.several is repeated, which is not translated: write a loop over several\.size\(\)",
    "update": r"e is an array whose size the diagram decides, .*: write its expression where it is used",
    "summary": "a summary is not translated: write its lines with summary.number",
}
ONE = '''import hilda
import numpy as np
@hilda.block(doc="One.")
class One(hilda.Block):
    u = hilda.Input("1", "3")
    v = hilda.Input("1", "2")
    open = hilda.Input(optional=True)
    flags = hilda.Input("1", "3", dtype=bool)
    wrench = hilda.Input(kind="wrench")
    y = hilda.Output("1", "3")
    s = hilda.Output()
    side = hilda.Parameter(choices=("above", "below"), default="above")
    def output(self, t):
        self.y, self.s = self.u, self.u.sum()

    def update(self, t):
        if t.index > 1000000000:  # never
'''
STATEMENTS = {
    "self.y = np.fft.fft(self.u).real": r"are not translated|is not translated",
    "self.y = np.cumsum(self.u)": r"np\.cumsum\(self\.u\) is not translated: of NumPy .*clip",
    "self.y[:] = self.u + np.array([*self.v, 0])": r"an expression Starred is not translated",
    "self.y[:2] = 0": r"only constant places are translated: write one statement for each element",
    "self.s = self.u[t.index % 3]": r"only constant places are translated",
    "self.y = self.u if self.open > 0 else -self.u": r"one of two arrays is not translated: write if and else",
    "self.s = 1 if (self.u > 0).all() else 0": r"self\.u > 0 compares arrays: take one element|is not translated",
    "self.s = self.flags[0]": r"self\.flags is an array of bool, and only those of float are translated",
    "self.s = self.wrench[0]": r"self\.wrench: a wrench, twist, pose or quaternion has its own type in C\+\+: write this method by hand",
    "self.s = 1 if self.side == 'abov' or self.s > 0 else 2": r"'abov' is not one of the choices of self\.side: above, below",
    "self.s = len(self.side)": r"self\.side is a text, and is translated where it is compared",
    "self.s = 0 if self.open is None else 1": r"self\.open may be None, and an input that may be open is not translated: write open\.connected\(\) by hand",
    "self.s = min(self.u)": r"is not translated|one number is needed",
    "self.y = self.u ** self.u": r"is not translated for arrays: take \+ - \* / @",
}


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
        done = subprocess.run([COMPILER, "-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", *include, *words,
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
                                    ("arrays", "Arrays", ("0.01 * e(2)", "0.01 * e(1)")),
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
                self.assertRegex(text, r"\[\d+\] at tick \d+")

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

    def test_a_refused_statement_leaves_the_rest_translated_and_fails_where_it_is_reached(self):
        (self.folder / "my_blocks.py").write_text((HERE / "blocks" / "my_blocks.py").read_text() + PARTLY)
        said = self.make("six", "Partly")
        self.assertRegex(said, r"To be written: update \(my_blocks\.py:\d+\): an expression GeneratorExp is not translated")
        self.assertRegex(said, r"To be written: update \(my_blocks\.py:\d+\): 'abc' is not translated")
        self.assertEqual(said.count("To be written"), 2)
        source = self.folder / "six" / "six.cpp"
        text = source.read_text()
        self.assertRegex(text, r"// TO BE WRITTEN \(my_blocks\.py:\d+: an expression GeneratorExp is not translated\)\. In Python:\n"
                               r" +// self\.seen = sum\(self\.u\n +// +for _ in range\(2\)\)\n +t\.fail\(")
        self.assertIn("y = 3.0 * *x;", text)
        self.assertIn("[[maybe_unused]] double step = t.period() * 2.0;", text)
        self.build("six")
        code, said = self.outcome("six")
        self.assertNotEqual(code, 0, said)
        self.assertIn("update is to be written in C++: see my_blocks.py:", said)
        # written by hand, both places:
        places = re.findall(r't\.fail\("update is to be written[^;]*;', text)
        self.assertEqual(len(places), 2)
        source.write_text(text.replace(places[0], "seen = *u + *u;").replace(places[1], "x = *x + 3.0 * 1e-3;"))
        self.build("six")
        code, said = self.outcome("six")
        self.assertEqual(code, 0, said)
        source.write_text(text.replace(places[0], "seen = *u + *u;").replace(places[1], ""))
        self.build("six")
        self.assertNotEqual(self.outcome("six")[0], 0)

    def test_what_blocks_print_is_counted_and_not_shown(self):
        (self.folder / "my_blocks.py").write_text((HERE / "blocks" / "my_blocks.py").read_text() + LOUD)
        done = subprocess.run([PROGRAM, "new-plugin", "seven", "--from-python", "my_blocks.py:Loud"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("tick", done.stdout)
        self.assertRegex(done.stderr, r"^note: the blocks printed [67]\d\d lines while they were tried\. The first 3:\n  \| loaded\n  \| tick 0\n  \| tick 1\n$")
        self.assertEqual(done.stderr.count("tick"), 2)
        (self.folder / "loud.py").write_text("import hilda\n" + LOUD)
        done = subprocess.run([PROGRAM, "test-plugin", "loud.py"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.startswith("block"), done.stdout)
        self.assertNotIn("tick", done.stdout)
        self.assertRegex(done.stderr, r"note: the blocks printed \d\d+ lines while they were tried\. The first 3:\n  \| loaded\n")
        self.assertEqual(done.stderr.count("note:"), 1)
        (self.folder / "loud.py").write_text("import hilda\n" + LOUD.replace('print("loaded")', "").replace('print("tick", t.index)', "pass"))
        done = subprocess.run([PROGRAM, "test-plugin", "loud.py"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_is_refused_says_what_to_do(self):
        (self.folder / "my_blocks.py").write_text((HERE / "blocks" / "my_blocks.py").read_text() + REFUSED)
        said = " ".join(self.make("five", "Refused").split())
        for phase, why in REASONS.items():
            self.assertRegex(said, rf"To be written: {phase} \(my_blocks\.py:\d+\): {why}")
        text = (self.folder / "five" / "five.cpp").read_text()
        for declared in ('Inputs<Vector> many{*this, "many", "", "1"', 'Outputs<Vector> several{*this, "several", "", "1", "As in Python", as_many_as("count")',
                         "void summarize(const Summary&) const override"):
            self.assertIn(declared, text)

    def test_reasons_of_single_expressions(self):
        """Each in a class with that statement alone."""
        for statement, why in STATEMENTS.items():
            with self.subTest(statement):
                (self.folder / "one.py").write_text(ONE + f"            {statement}\n")
                done = subprocess.run([PROGRAM, "new-plugin", "one", "--from-python", "one.py:One"], cwd=self.folder, capture_output=True, text=True)
                self.assertRegex(" ".join((done.stdout + done.stderr).split()), why)
                shutil.rmtree(self.folder / "one")

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
