# SPDX-License-Identifier: BSD-3-Clause
"""The tool's own test: in a small program every mutant compiles, does nothing until it is chosen, and then is seen."""

import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from sites import apply_sites, find_sites  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# Each line of main prints what one place decides; the loop's bound is left to its own line.
PROGRAM = """#include <cstdio>
#include <string>
#include <algorithm>
struct Table {
  static constexpr int size = 3;
  int values[4] = {};
};
template <int N> int times(int x) {
  return N * x;
}
void show(double value) { std::printf("%g\\n", value); }
int main(int count, char**) {
  const double a = 2.5 * count, b = 4;
  Table table;
  show(a + b);
  show(a - b * a / b);
  show(a < a);
  show(a <= a);
  show(a > a);
  show(a >= a);
  show(a == b);
  show(a != b);
  show(std::min(a, b));
  show(times<3>(count));
  bool seen = true;
  if (a > b) show(1);
  if (seen && a < b) show(2);
  if (!seen || a > b) show(3);
  double sum = 0;
  sum += a;
  sum *= b;
  sum -= 0.5;
  sum /= 2.0;
  table.values[1] = count;
  show(sum + table.values[1]);
  const std::string text = "a" + std::string("b");
  std::puts(text.c_str());
}
"""


class Sites(unittest.TestCase):
    def setUp(self):
        self.sites = find_sites("program.cpp", PROGRAM)

    def places(self, kind):
        return [PROGRAM.split("\n")[s.line - 1].strip() for s in self.sites if s.kind == kind]

    def test_constants_of_the_compiler_and_texts_are_left_alone(self):
        everywhere = [PROGRAM.split("\n")[s.line - 1] for s in self.sites]
        self.assertFalse([line for line in everywhere if "constexpr" in line or "template" in line])
        self.assertFalse([s for s in self.sites if s.kind == "operator" and '"a"' in PROGRAM.split("\n")[s.line - 1]])
        self.assertFalse([s for s in self.sites if "<3>" in PROGRAM.split("\n")[s.line - 1] and s.kind == "constant"])

    def test_every_kind_is_found(self):
        kinds = {s.kind for s in self.sites}
        self.assertEqual(kinds, {"operator", "assignment", "constant", "truth", "condition", "operand", "statement", "min-max"})
        self.assertEqual(len(self.places("operator")), 16)
        self.assertIn("table.values[1] = count;", self.places("statement"))

    def test_keys_tell_the_mutants_apart_and_outlive_lines_above(self):
        keys = [s.key for s in self.sites]
        self.assertEqual(len(keys), len(set(keys)))
        below = find_sites("program.cpp", "// one line more\n" + PROGRAM)
        self.assertEqual(keys, [s.key for s in below])

    def test_a_chosen_mutant_is_seen_and_no_other(self):
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder) / "program.cpp", pathlib.Path(folder) / "program"
            plain = pathlib.Path(folder) / "plain.cpp"
            plain.write_text(PROGRAM)
            source.write_text(apply_sites(PROGRAM, list(enumerate(self.sites))))
            for text, out in ((plain, pathlib.Path(folder) / "plain"), (source, program)):
                subprocess.run(["c++", "-std=c++20", "-O0", "-I", ROOT, text, "-o", out], check=True)

            def output(which, **environment):
                done = subprocess.run([which, "2.5"], capture_output=True, text=True, env={**os.environ, **environment})
                return done.returncode, done.stdout

            expected = output(pathlib.Path(folder) / "plain")
            self.assertEqual(output(program), expected)
            unseen = [s for i, s in enumerate(self.sites) if output(program, HILDA_MUTANT=str(i)) == expected]
            self.assertEqual(sorted(f"{s.line} {s.kind} {s.change}" for s in unseen), UNSEEN)


class Verdict(unittest.TestCase):
    """What a shard's exit code says."""

    def exit_code(self, killed, alive, all_killed=False):
        loader = importlib.machinery.SourceFileLoader("mutants_run", str(ROOT / "tests/mutants/run"))
        run = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants_run", loader))
        loader.exec_module(run)
        results = [{"key": f"of no list {i}", "verdict": "killed" if i < killed else "survived"} for i in range(killed + alive)]
        return run.judged(results, all_killed)

    def test_enough_must_be_killed(self):
        self.assertEqual(self.exit_code(90, 10), 0)
        self.assertEqual(self.exit_code(51, 49), 0)
        self.assertEqual(self.exit_code(49, 51), 1)
        self.assertEqual(self.exit_code(0, 100), 1)

    def test_nothing_tried_is_a_failure(self):
        self.assertEqual(self.exit_code(0, 0), 1)

    def test_one_alone_says_nothing_unless_all_are_wanted(self):
        self.assertEqual(self.exit_code(0, 1), 0)
        self.assertEqual(self.exit_code(99, 1, all_killed=True), 1)
        self.assertEqual(self.exit_code(99, 0, all_killed=True), 0)


# a is 5 and b is 4: the bounds of these comparisons are not met, and what is behind a false one is not run.
UNSEEN = ["25 truth true -> not", "26 operator > -> >=", "27 constant 2 -> one more", "27 operator < -> <=", "27 statement deleted",
          "28 operator > -> >="]

if __name__ == "__main__":
    unittest.main()
