# SPDX-License-Identifier: BSD-3-Clause
"""The rules of words find what they are there for: each is given a tree with one fault.

    tests/words/rules_test.py
"""
import pathlib
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parents[2] / "docs/results")]

from comments import comment_faults, comments, write as lower_bounds
from glossary import COLUMNS, PAGE, glossary_faults
from links import OPENING, link_faults, opening_faults, path_faults
from openings import END, FOLDERS, INDEX, MARK, faults as result_faults, write as write_openings
from phrases import phrase_faults, phrases, uses
from reading import reading_ease, reading_faults
from strings import string_faults, write as lower_string_bounds

HEAD = "| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|\n"


class Rule(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.tree = pathlib.Path(self.place.name)
        self.write("README.md", "A page.\n")

    def write(self, name, text):
        (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
        (self.tree / name).write_text(text)


class Glossary(Rule):
    def faults(self, *rows, head=HEAD):
        self.write(PAGE, "# Glossary\n\n" + head + "".join(row + "\n" for row in rows))
        return glossary_faults(self.tree)

    def test_a_name_that_the_sources_have_passes(self):
        self.write("engine/a.h", "class Wire {};\n")
        self.write("tools/a.cpp", 'auto a = "--wire,-w"; auto b = "wire";\n')
        self.assertEqual(self.faults("| wire | m | - | `Wire` | - | `wire` | `--wire` | cable |"), [])

    def test_a_name_that_no_source_has_is_found(self):
        self.write("engine/a.h", "class Wired {};\n")
        for column in COLUMNS[2:7]:
            cells = ["wire", "m", *("`Wire`" if c == column else "-" for c in COLUMNS[2:7]), "-"]
            self.assertIn(f"{column} name 'Wire' of 'wire'", self.faults("| " + " | ".join(cells) + " |")[0])

    def test_a_banned_word_is_found_in_a_page_and_in_a_text_of_the_program(self):
        row = "| wire | m | - | - | - | - | - | cable |"
        self.write("docs/a.md", "One.\nTwo Cables here.\n")
        self.write("engine/a.cpp", '#include "cable.h"\nint cable = 1;\nauto a = "no cable";\nauto b = "cabled";\n')
        self.assertEqual([fault.split(": '")[0] for fault in self.faults(row)], ["docs/a.md:2", "engine/a.cpp:3"])

    def test_a_table_that_is_not_one_is_refused(self):
        row = "| wire | m | - | - | - | - | - | cable |"
        self.assertIn("the columns are", self.faults(row, head=HEAD.replace("XML", "xml"))[0])
        self.assertIn("3 cells", self.faults("| a | b | c |")[0])
        self.assertIn("is banned and a term", self.faults(row, row.replace("wire", "cable"))[0])
        self.assertIn("an empty word", self.faults(row.replace("cable", "cable, "))[0])
        self.assertIn("write `a name` or -", self.faults(row.replace("m | -", "m | Wire"))[0])
        self.assertIn("no table", self.faults(head="")[0])


class Phrases(Rule):
    def faults(self, page, allowed="", left="", known="anew\tagain\nstand(s)?(?!-)\tis\n"):
        self.write("docs/a.md", page)
        for name, text in (("phrases", known), ("phrases_allowed", allowed), ("phrases_left", left)):
            self.write(f"lists/{name}.txt", text)
        return phrase_faults(self.tree, self.tree / "lists")

    def test_a_phrase_is_found_with_its_line_and_its_replacement(self):
        self.assertEqual(self.faults("One.\nIt Stands anew, a stand-in, renewed.\n"),
                         ["docs/a.md:2: 'Stands'; write: is", "docs/a.md:2: 'anew'; write: again"])

    def test_quotes_of_programs_are_skipped_and_their_lines_count(self):
        self.assertEqual(self.faults("```\nanew\n```\n- a\n  ```sh\n  anew\n  ```\nanew\n"), ["docs/a.md:8: 'anew'; write: again"])

    def test_pages_of_all_kinds_are_checked_and_those_of_history_are_not(self):
        checked = ["docs/decisions/0001-a.md", "engine/b/README.md", "python/README.md", "CHANGELOG.md", "docs/results/measurements/a.md"]
        for name in (*checked, "docs/results/history/b.md", "docs/results/measurements/words.md"):
            self.write(name, "It is anew.\n")
        self.assertEqual(self.faults("One.\n"), [f"{name}:1: 'anew'; write: again" for name in checked])

    def test_a_line_is_allowed_by_its_words_and_no_entry_is_left_over(self):
        self.assertEqual(self.faults("`anew` is a field\n", allowed="docs/a.md\t`anew` is\ta field\n"), [])
        self.assertEqual(self.faults("`renew` is a field\n", allowed="docs/a.md\t`renew` is\ta field\n"),
                         ["phrases_allowed.txt:1: no phrase of docs/a.md needs '`renew` is'"])

    def test_a_page_that_is_still_to_be_done_may_not_get_worse(self):
        self.assertEqual(self.faults("anew\nanew\n", left="docs/a.md\t2\n"), [])
        self.assertEqual(self.faults("anew\nanew\nanew\n", left="docs/a.md\t2\n")[-1], "docs/a.md: 3 phrases; phrases_left.txt allows 2")

    def test_a_list_that_cannot_be_read_is_refused(self):
        for known, said in (("anew\n", "expected 2 fields"), ("(anew\tagain\n", "not a regular expression")):
            with self.assertRaisesRegex(ValueError, said):
                self.faults("", known=known)

    def test_each_phrase_of_the_list_is_found_over_a_line_break(self):
        for text in ("anew", "is\ntold", "stands in", "stood", "hangs\non", "to\nbe had", "one's own", "is not had", "looked\n  on", "shall",
                     "nobody", "whoever", "it is no error", "in\nplace of", "goes on", "of its\nown", "beside", "held against", "in so far",
                     "up to and with", "it\ntells", "is said", "it wants", "all\nthe same", "as ever", "to and fro", "One.\nWhat is left is a sum."):
            self.assertEqual(len(list(uses(f"It {text}\n", phrases()))), 1, text)
        for text in ("stand-in", "stands for a unit", "there is no file", "is no longer", "What is a diagram?", "it says what is wrong"):
            self.assertEqual(list(uses(f"Well: {text}\n", phrases())), [], text)


class Reading(Rule):
    EASY, HARD = "The cat sat on the mat. " * 20, "Interdependent organisational considerations necessitate systematic interpretation. " * 20

    def test_a_hard_page_is_found_and_an_easy_one_passes(self):
        self.write("README.md", self.EASY)
        self.write("docs/a.md", self.HARD)
        self.assertEqual([fault.split(":")[0] for fault in reading_faults(self.tree)], ["docs/a.md"])

    def test_quotes_tables_and_short_pages_do_not_count(self):
        self.assertIsNone(reading_ease("A short page.\n"))
        self.assertEqual(reading_ease(self.EASY), reading_ease(f"# {self.HARD}\n```\n{self.HARD}\n```\n| {self.HARD} |\n\n{self.EASY}"))


class Results(Rule):
    def faults(self, page="# A\n\n7 s and 1.5e-3\n", answer="It takes 7 s."):
        self.write("docs/results/openings.txt", f"measurements/a\tHow long?\t{answer}\ta.py\n")
        self.write("docs/results/measurements/a.md", page)
        self.write(INDEX, MARK + END)
        write_openings(self.tree)
        return result_faults(self.tree)

    def test_an_opening_is_written_once(self):
        self.assertEqual(self.faults(), [])
        page = (self.tree / "docs/results/measurements/a.md").read_text()
        self.assertEqual(page, "# A\n\n- **Question:** How long?\n- **Answer:** It takes 7 s.\n- **Rerun:** `a.py`\n\n7 s and 1.5e-3\n")
        self.assertEqual(self.faults(page), [])

    def test_a_number_that_the_page_lost_is_found(self):
        self.assertEqual(self.faults(answer="1.5e-3, `8` and 70."),
                         ["docs/results/measurements/a.md: the answer in openings.txt says 70, which the page does not contain"])

    def test_a_page_and_an_index_that_a_script_wrote_again_are_found(self):
        self.faults()
        self.write("docs/results/measurements/a.md", "# A\n7 s\n")
        self.write("docs/results/measurements/b.md", "# B\n")
        self.write(INDEX, MARK + END)
        found = result_faults(self.tree)
        self.assertEqual([fault.split(": ")[0] for fault in found], ["docs/results/measurements/a.md", "docs/results/measurements/b.md", INDEX])

    def test_each_folder_has_its_table_and_a_page_is_in_one_of_them(self):
        self.faults()
        self.write("docs/results/openings.txt", "validation/v\tIs it?\tYes.\tv.py\nmeasurements/a\tHow long?\tIt takes 7 s.\ta.py\n")
        self.write("docs/results/validation/v.md", "# V\n")
        write_openings(self.tree)
        head = "| question | answer |\n|---|---|\n"
        self.assertEqual((self.tree / INDEX).read_text(), MARK + f"### {FOLDERS['validation']}\n{head}| Is it? | [v](results/validation/v.md) |\n\n"
                         f"### {FOLDERS['measurements']}\n{head}| How long? | [a](results/measurements/a.md) |\n" + END)
        self.write("docs/results/c.md", "# C\n")
        self.assertEqual(result_faults(self.tree), ["docs/results/c.md: move it into a folder of validation, measurements"])
        self.write("docs/results/openings.txt", "c\tHow long?\tIt takes 7 s.\ta.py\n")
        with self.assertRaisesRegex(ValueError, "openings.txt:1: 'c' is in no folder of validation, measurements"):
            result_faults(self.tree)


class Comments(Rule):
    def faults(self, text, left="", name="engine/a/b.cpp"):
        self.write(name, text)
        for name, lines in (("phrases", "anew\tagain\n"), ("comments_left", "# Head\n" + left)):
            self.write(f"lists/{name}.txt", lines)
        return comment_faults(self.tree, self.tree / "lists")

    def test_a_phrase_in_a_comment_is_found_and_one_in_code_is_not(self):
        text = 'int anew; // "anew"\nauto a = "// anew";\n/* one\n * anew */\nauto b = R"(// anew)"; /// `anew`\n\'"\'; // anew\n'
        self.assertEqual(self.faults(text), [f"engine/a/b.cpp:{n}: 'anew'; write: again" for n in (1, 4, 6)] +
                         ["engine/a: 3 phrases in comments; comments_left.txt allows 0"])
        self.assertEqual(comments(text).count("\n"), text.count("\n"))

    def test_a_phrase_over_two_lines_of_a_comment_is_found(self):
        self.assertEqual(" ".join(comments("/// what goes\n/// on\n").split()), "what goes on")

    def test_phrases_in_comments_of_other_languages_are_found_and_those_in_code_are_not(self):
        python = '"""One\nanew."""\nanew = "anew # anew"\n\ndef f():\n    """It is anew."""  # "anew"\n    return """anew"""\n'
        shell = '#!/anew\n# anew\nx="${anew#anew}" # anew\n'
        script = "const a = `anew // anew`, b = '// anew'; // anew\n/* it is\n * anew */\n"
        for name, text, lines in (("docs/a.py", python, (2, 6, 6)), (".ci/run", shell, (2, 3)), ("cmake/a.cmake", shell, (2, 3)),
                                  ("tools/a.ts", script, (1, 3)), ("tools/a.mjs", script, (1, 3))):
            self.assertEqual(self.faults(text, name=name)[:-1], [f"{name}:{n}: 'anew'; write: again" for n in lines])
            self.write(name, "")

    def test_the_bound_of_a_folder_falls_and_never_rises(self):
        self.assertEqual(self.faults("// anew\n", "engine/a\t2\n"), [])
        lower_bounds(self.tree, self.tree / "lists")
        self.assertEqual((self.tree / "lists/comments_left.txt").read_text(), "# Head\nengine/a\t1\n")
        self.assertEqual(self.faults("// anew anew\n", "engine/a\t1\n")[-1], "engine/a: 2 phrases in comments; comments_left.txt allows 1")
        lower_bounds(self.tree, self.tree / "lists")
        self.assertEqual((self.tree / "lists/comments_left.txt").read_text(), "# Head\nengine/a\t1\n")


class Strings(Rule):
    def faults(self, text, name="engine/a/b.cpp", allowed="", left=""):
        self.write(name, text)
        for file, lines in (("phrases", "anew\tagain\ngo on\tcontinue\n"), ("strings_allowed", allowed), ("strings_left", "# Head\n" + left)):
            self.write(f"lists/{file}.txt", lines)
        return string_faults(self.tree, self.tree / "lists")

    def test_a_phrase_in_a_literal_is_found_and_one_in_code_or_a_comment_is_not(self):
        text = 'int anew; // "anew"\n#include "anew.h"\nauto a = "// anew";\nauto b = R"(one\nanew)"; /* anew */\n\'"\'; f("anew");\n'
        self.assertEqual(self.faults(text), [f"engine/a/b.cpp:{n}: 'anew'; write: again" for n in (3, 5, 6)])

    def test_a_phrase_over_two_literals_and_over_a_line_break_is_found(self):
        self.assertEqual(self.faults('f("to go "\n  "on");\ng("go\\non");\ng("go", "on");\n'),
                         [f"engine/a/b.cpp:{n}: 'go on'; write: continue" for n in (1, 3)])

    def test_a_line_is_allowed_by_its_words_and_no_entry_is_left_over(self):
        self.assertEqual(self.faults('f("anew");\n', allowed='engine/a/b.cpp\tf("anew")\ta field\n'), [])
        self.assertEqual(self.faults('f("new");\n', allowed='engine/a/b.cpp\tf("new")\ta field\n'),
                         ["strings_allowed.txt:1: no phrase of engine/a/b.cpp needs 'f(\"new\")'"])

    def test_golden_files_and_what_diagrams_show_are_checked(self):
        self.assertEqual(self.faults("one\nanew\n", "tests/errors/cases/a.txt"), ["tests/errors/cases/a.txt:2: 'anew'; write: again"])
        self.write("tests/errors/cases/a.txt", "")
        text = '<diagram doc="it is\nanew">\n  <!-- anew -->\n  <block name="anew" doc=\'a "anew"\'/>\n</diagram>\n'
        self.assertEqual(self.faults(text, "examples/a/loop.xml"), [f"examples/a/loop.xml:{n}: 'anew'; write: again" for n in (2, 3, 4)])

    def test_texts_of_scripts_are_checked_and_their_names_code_and_comments_are_not(self):
        script = ("const anew = 'anew', a = x / 2; // it is 'anew it'\n/* `be anew` */ say('be anew', /'[/']/, \"it's new\");\n"
                  "say(`${f(`is ${anew} anew`, {a: 'so anew'})} to\ngo on`);\nconst b = \"they go \\n on\";\n")
        self.assertEqual(self.faults(script, "tools/a.ts"), [f"tools/a.ts:{n}: '{words}'; write: {instead}" for n, words, instead in
                                                             ((2, "anew", "again"), (3, "anew", "again"), (3, "anew", "again"),
                                                              (4, "go on", "continue"), (5, "go on", "continue"))])
        self.write("tools/a.ts", "")
        self.assertEqual(self.faults(script, "tests/a.mjs"), [])

    def test_texts_of_python_are_checked_and_docstrings_are_not(self):
        text = ('"""It is anew."""\n\ndef anew():\n    """It is anew."""\n    say("anew", f"is {anew} it", "to go "  # anew\n        "on")\n'
                '    raise Error("""it\nis anew""")\n')
        self.assertEqual(self.faults(text, "python/a.py"), ["python/a.py:5: 'go on'; write: continue", "python/a.py:8: 'anew'; write: again"])

    def test_what_a_page_of_html_shows_is_checked(self):
        text = '<html>\n<script>"be anew"</script>\n<p class="anew" title="be anew">go\non</p><!-- anew -->\n</html>\n'
        self.assertEqual(self.faults(text, "tools/a.html"), ["tools/a.html:4: 'anew'; write: again", "tools/a.html:3: 'go on'; write: continue",
                                                             "tools/a.html:3: 'anew'; write: again"])

    def test_the_bound_of_tests_falls_and_never_rises(self):
        name = "tests/a/b.cpp"
        self.assertEqual(self.faults('f("anew");\n', name, left="tests/a\t2\n"), [])
        lower_string_bounds(self.tree, self.tree / "lists")
        self.assertEqual((self.tree / "lists/strings_left.txt").read_text(), "# Head\ntests/a\t1\n")
        self.assertEqual(self.faults('f("anew anew");\n', name, left="tests/a\t1\n")[-1],
                         "tests/a: 2 phrases in texts; strings_left.txt allows 1")


class Links(Rule):
    def faults(self, **files):
        self.write("docs/README.md", "[first](../README.md) [a](a.md)\n")
        self.write("docs/a.md", files.get("a", "# A page\n"))
        return link_faults(self.tree)

    def test_links_to_pages_files_and_headings_pass(self):
        self.write("code.xml", "")
        self.assertEqual(self.faults(a="# A page, b\n[x](#a-page-b) [y](../code.xml) ![z](https://a.b/c.png) `[q](no.md)`\n```\n[n](no.md)\n```\n"), [])

    def test_a_dead_link_is_found(self):
        self.assertEqual(self.faults(a="# A\n\n[x](b.md)\n"), ["docs/a.md:3: b.md is not in the tree"])

    def test_a_dead_heading_is_found(self):
        self.assertIn("docs/README.md has no heading 'b'", self.faults(a="[x](README.md#b)\n")[0])
        self.assertIn("no heading 'c'", self.faults(a="# B\n[x](#c)\n")[0])

    def test_a_heading_that_has_two_anchors_is_found(self):
        self.assertIn("otherwise", self.faults(a="# B & c\n[x](#b--c)\n")[0])

    def test_an_orphan_is_found(self):
        self.write("docs/results/b.md", "")
        self.assertEqual(self.faults(), ["docs/results/b.md: no link leads there from docs/README.md"])

    def test_a_decision_is_listed_by_the_decisions(self):
        self.write("docs/decisions/0001-b.md", "# B\n")
        for listed, faults in (("[b](0001-b.md)\n", []), ("None.\n", ["docs/README.md: does not list docs/decisions/0001-b.md"])):
            self.write("docs/decisions/README.md", listed)
            self.assertEqual(self.faults(a="[b](decisions/0001-b.md) [all](decisions/README.md)\n"),
                             [*faults, "docs/README.md: does not list docs/decisions/README.md"])

    def test_paths_that_pages_about_the_inside_name_are_checked(self):
        self.write("engine/b/detail/c/d.cpp", "")
        self.write("docs/architecture.md", "`engine/b` `engine/NAME` `math/Gain` `engine/a`\n")
        self.write("engine/b/README.md", "`detail/c/d.cpp` `detail/c/d` `engine/b/detail/`\n`detail/e.h` `engine/b/d.cpp`\n")
        self.assertEqual(path_faults(self.tree), ["docs/architecture.md:1: engine/a is not in the tree",
                                                  "engine/b/README.md:2: detail/e.h is not in the tree",
                                                  "engine/b/README.md:2: engine/b/d.cpp is not in the tree"])

    def test_links_of_a_module_are_checked(self):
        self.write("engine/b/README.md", "[x](c.md)\n")
        self.assertEqual(self.faults(a="[b](../engine/b/README.md)\n"), ["engine/b/README.md:1: c.md is not in the tree"])

    def test_a_page_of_history_needs_a_link_of_its_index_alone(self):
        self.write("docs/results/history/README.md", "[c](c.md)\n")
        self.write("docs/results/history/c.md", "[x](d.md)\n")
        found = self.faults(a="[h](results/history/README.md)\n")
        self.assertEqual(found, ["docs/results/history/c.md:1: d.md is not in the tree",
                                 "docs/README.md: does not list docs/results/history/README.md"])

    def test_a_page_that_the_index_does_not_list_is_found(self):
        self.write("docs/b.md", "")
        self.assertEqual(self.faults(a="[b](b.md)\n"), ["docs/README.md: does not list docs/b.md"])

    def test_a_page_begins_with_what_it_is_for(self):
        self.faults(a=f"<!-- by a script -->\n# A\n\n{OPENING}read.\n")
        self.assertEqual(opening_faults(self.tree), [])
        self.faults(a=f"# A\n\nA page. {OPENING}read.\n")
        self.assertEqual(len(opening_faults(self.tree)), 1)


if __name__ == "__main__":
    unittest.main()
