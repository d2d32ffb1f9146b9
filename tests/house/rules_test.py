# SPDX-License-Identifier: BSD-3-Clause
"""The rules of the house find what they are there for: each is given a tree with one fault.

rules_test.py TREE
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

RULES = pathlib.Path(sys.argv[1]) / "tests/house"
GRANTED = "Permission is here" "by granted"
HASH = "sha512-" + 86 * "A" + "=="


def lock(**more):
    package = {"version": "1.0.0", "integrity": HASH, **more}
    return json.dumps({"packages": {"": {}, "node_modules/a": {k: v for k, v in package.items() if v}}})


class Rules(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.tree = pathlib.Path(self.place.name)

    def tearDown(self):
        self.place.cleanup()

    def said(self, rule, files):
        """What the rule says of a tree of these files alone, but that it is small."""
        for name, text in files.items():
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            (self.tree / name).write_text(text)
        ended = subprocess.run([sys.executable, RULES / rule, self.tree], capture_output=True, text=True, timeout=60)
        self.assertEqual((ended.returncode, ended.stderr), (1, ""))
        return [line for line in ended.stdout.replace(f"{self.tree}/", "").splitlines() if "not the tree" not in line]


class ModuleIncludes(Rules):
    """cmake/check_module.cmake, by which the build refuses an include."""
    FILES = {"engine/low/low.h": "", "engine/low/detail/inside.h": "", "engine/modules.h": "", "engine/beside/beside.h": ""}

    def check(self, *includes):
        """The message about a file of engine/high, which uses engine/low."""
        text = "".join(f'#include "{each}"\n' for each in includes) + "#include <engine/others.h>\n"
        for name, content in {**self.FILES, "engine/high/high.h": "", "engine/high/detail/high.cpp": text}.items():
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            (self.tree / name).write_text(content)
        ended = subprocess.run(["cmake", f"-DROOT={self.tree}", "-DFOLDER=engine/high", "-DUSES=engine/low,engine/lowest", "-DDECLARED=a.cmake",
                                "-P", RULES.parents[1] / "cmake/check_module.cmake"], capture_output=True, text=True, timeout=60)
        self.assertEqual(ended.returncode != 0, ended.stderr != "")
        return " ".join(ended.stderr.split())

    def test_its_own_files_and_public_headers_of_what_it_uses_are_allowed(self):
        self.assertEqual(self.check("engine/high/high.h", "engine/high/detail/x.h", "engine/low/low.h", "engine/modules.h"), "")

    def test_a_module_that_is_not_declared_is_refused_with_the_place_of_the_declaration(self):
        self.assertIn("engine/high/detail/high.cpp includes engine/beside/beside.h: engine/high does not use engine/beside (a.cmake)",
                      self.check("engine/low/low.h", "engine/beside/beside.h"))
        self.assertIn("engine/high does not use python", self.check("python/module.h"))

    def test_the_inside_of_another_module_is_refused(self):
        self.assertIn("includes engine/low/detail/inside.h, which belongs to engine/low alone", self.check("engine/low/detail/inside.h"))


class FindingTests(Rules):
    CODE = {"tests/a/a_test.cpp": "TEST(Log, EndsHere) {}\n", "tests/a/CMakeLists.txt": "add_test(NAME a.${part})\nrun(files 1)\n",
            "tests/a/b.py": "def test_it():\n"}

    def findings(self, *rows):
        return self.said("finding_tests.py", {**self.CODE, "tests/findings1.md": "\n".join(["| finding | what | tests |", "|---|---|---|", *rows])})

    def test_a_test_that_is_not_there_is_found(self):
        gone = ("Log.EndsThere", "a.plugins", "b.files", "tests/a/b.py:test_that", "tests/a/c.py:test_it")
        for name in gone:
            self.assertEqual(self.findings(f"| A1 | what | `Log.EndsHere`, `{name}` |"), [f"tests/findings1.md:3: there is no test {name}"])

    def test_a_finding_has_a_test_or_a_reason_and_one_row(self):
        self.assertEqual(len(self.findings("| A1 | what | `Log.EndsHere` |", "| A2 | what | none |")), 1)
        self.assertEqual(len(self.findings("| A1 | what | `Log.EndsHere` |", "| A1 | what | `a.files` |")), 1)
        self.assertEqual(len(self.findings("| A1 | what | `Log.EndsHere` |", "| first | what | `a.files` |")), 1)


class TestNames(Rules):
    def names(self, test):
        return self.said("test_names.py", {"tests/a/a_test.cpp": f"{test} {{}}\n"})

    def test_words_with_capitals_are_right(self):
        for test in ("TEST(Log, EndsWhereTheDiskIsFull)", "TEST_F(Log2, Is3)", "TEST_P(A, B)", "  TEST(a, b)"):
            self.assertEqual(self.names(test), [], test)

    def test_any_other_style_is_found_in_suite_and_name(self):
        for wrong in ("ends_here", "Ends_Here", "EndsHere_", "endsHere", "_Ends", "2Ends"):
            self.assertEqual(len(self.names(f"TEST({wrong}, Right)")), 1, wrong)
            self.assertEqual(len(self.names(f"TYPED_TEST(Right, {wrong})")), 1, wrong)
        self.assertEqual(len(self.names("TEST_P(\n    one_two, three_four)")), 2)

    def test_a_page_quotes_tests_that_exist(self):
        code = {"tests/a/a_test.cpp": "TEST(Log, EndsHere) {}\n"}
        self.assertEqual(self.said("test_names.py", {**code, "docs/a.md": "`Log.EndsHere`, Other.Name, Log.txt\n"}), [])
        self.assertEqual(self.said("test_names.py", {**code, "docs/a.md": "Log.EndsThere\n"}),
                         ["docs/a.md: there is no test Log.EndsThere"])
        self.assertEqual(self.said("test_names.py", {**code, "docs/a.md": "", "README.md": "Log.ends_here\n"}),
                         ["README.md: there is no test Log.ends_here"])

    def test_a_tree_without_tests_is_none(self):
        self.assertEqual(self.said("test_names.py", {}), [])


class ForeignCode(Rules):
    def faults(self, name, text):
        return [line for line in self.said("foreign_code.py", {name: text}) if line.startswith(name + ":")]

    def test_ones_own_is_right(self):
        self.assertEqual(self.faults("a.js", "let a = 1;\n" + "a" * 1200 + "\n"), [])
        self.assertEqual(self.faults("b/package-lock.json", lock()), [])
        self.assertEqual(self.faults("c.cpp", "// the copyright of a page is not ours to give\n"), [])

    def test_what_a_machine_made_small_is_found(self):
        self.assertIn("minified", self.faults("a.js", "a" * 1201)[0])
        self.assertIn("minified", self.faults("b.min.css", "")[0])

    def test_a_licence_is_found(self):
        # written apart here, since this file is in a tree that is looked through
        for words in ("Copy" "right (c) 2020 Somebody", "COPY" "RIGHT 2020 somebody", GRANTED, "@" "license MIT"):
            self.assertIn("words of a licence", self.faults("a.h", f"/* {words} */")[0], words)
        self.assertIn("words of a licence", self.faults("LICENSE-MIT", GRANTED)[0])

    def test_an_installed_package_is_found(self):
        self.assertIn("an installed package", self.faults("node_modules/a/index.js", "let a;")[0])

    def test_a_lock_file_fixes_every_package_and_names_no_host(self):
        file = "package-lock.json"
        self.assertEqual(self.faults(file, lock(integrity=None)), [f"{file}: node_modules/a has no integrity hash"])
        self.assertEqual(self.faults(file, lock(integrity="sha1-AAAA")), [f"{file}: node_modules/a has no integrity hash"])
        self.assertEqual(self.faults(file, lock(resolved="https://example.org/a.tgz")),
                         [f"{file}: node_modules/a names the host it came from"])
        self.assertEqual(self.faults(file, lock(from_="the registry")), [f"{file}: names a registry"])

    def test_a_package_has_a_lock_file_and_one_version(self):
        for kind in ("dependencies", "devDependencies", "optionalDependencies"):
            files = {"package-lock.json": lock(), "package.json": json.dumps({kind: {"a": "1.2.3"}})}
            self.assertEqual(self.said("foreign_code.py", files), [])
            files["package.json"] = json.dumps({kind: {"a": "^1.2.3"}})
            self.assertEqual(self.said("foreign_code.py", files), ["package.json: a ^1.2.3 is not one version"])
        self.assertEqual(self.faults("b/package.json", "{}"), ["b/package.json: there is no package-lock.json beside it"])


class LocalNames(Rules):
    SCOPE = "namespace {{\n{}\n}} // namespace\n"

    def clashes(self, one, other, folder="blocks/sources"):
        shutil.rmtree(self.tree / "blocks", ignore_errors=True)
        files = {"blocks/sources/a.cpp": self.SCOPE.format(one), f"{folder}/b.cpp": self.SCOPE.format(other)}
        return [line.partition(": ")[2].partition(" is defined")[0] for line in self.said("local_names.py", files)]

    def test_one_name_in_two_sources_of_a_folder_is_found(self):
        for one, name in (('constexpr const char* doc = R"(one; {two)";', "doc"), ("double at[3] = {1, 2};", "at"), ("int n{1};", "n"),
                          ("class Reader final : public Base {\n  int f() { return 1; }\n};", "Reader"), ("enum class Kind : char { a, b };", "Kind"),
                          ("template <typename T> struct [[nodiscard]] Held { T t; };", "Held"),
                          ("bool is_one(const std::string& text, int n = 3) {\n  return n == '{';\n}", "is_one(const std::string &, int)")):
            self.assertEqual(self.clashes(one, one), [name], one)
            self.assertEqual(self.clashes(one, one, "blocks/sinks"), [], one)

    def test_a_type_and_a_constant_of_one_name_are_found(self):
        self.assertEqual(self.clashes("struct Reader {};", "constexpr int Reader = 1;"), ["Reader"])

    def test_overloads_and_equal_aliases_may_share_a_name(self):
        self.assertEqual(self.clashes("int f(int a) { return a; }", "int f(double a) { return 1; }"), [])
        self.assertEqual(self.clashes("int n = 1;", "class A { int n = 1; };"), [])
        self.assertEqual(self.clashes("int f(int);\nclass A;", "int f(int a);\nclass A;"), [])
        self.assertEqual(self.clashes("namespace fs = std::filesystem;", "namespace fs = std::filesystem;"), [])
        self.assertEqual(self.clashes("using Code = a::Code;", "using Code = b::Code;"), ["Code"])
        self.assertEqual(self.clashes("namespace one {\nint n = 1;\n}", "namespace two {\nint n = 1;\n}"), [])

    def test_what_is_not_understood_is_said(self):
        self.assertIn("cannot be read", self.said("local_names.py", {"blocks/a/a.cpp": "namespace {\n"})[0])


unittest.main(argv=sys.argv[:1])
