# SPDX-License-Identifier: BSD-3-Clause
"""What `hilda compile` and compiled programs say of mistakes, word by word: mistakes.txt.

mistakes_test.py HILDA TREE [--write]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import program

HILDA, TREE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
GOLDEN = pathlib.Path(__file__).with_name("mistakes.txt")
PYTHON = """<diagram format="1" name="p" period="1 ms">
  <block name="two" type="python/Twice"/>
  <block name="one" type="sources/Constant" value="1"/>
  <connect from="one.y" to="two.u"/>
</diagram>
"""
CLASS = """import hilda


@hilda.block(doc="Twice its input")
class Twice(hilda.Block):
    u = hilda.Input("1", doc="Number")
    y = hilda.Output("1", doc="Twice the number")

    def output(self, t):
        self.y = 2 * self.u
"""
PLAYED = '<overlay format="1">\n  <play path="gain" file="played.mcap" signal="step.y"/>\n</overlay>\n'
SMALL = """<diagram format="1" name="small" period="1 ms">
  <parameter name="gain" value="2"/>
  <block name="step" type="sources/Constant" value="1"/>
  <block name="scaled" type="math/Gain" gain="${gain}"/>
  <connect from="step.y" to="scaled.u"/>
</diagram>
"""


class Mistakes:
    """Each gives a name and what was printed, with the code that the program ended with."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "small.xml").write_text(SMALL)
        self.compiled = program.compile_diagram(HILDA, "small.xml", folder / "small", cwd=folder)

    def said(self, *words, **more):
        ended = subprocess.run([str(each) for each in words], capture_output=True, text=True, timeout=60, cwd=self.folder, **more)
        text = re.sub(r"memfd:\S+|/proc/self/fd/\d+", "MEMORY", ended.stdout + ended.stderr)
        return f"{text.replace(str(self.folder) + '/', '').replace(str(HILDA.parent.parent), 'PREFIX').rstrip()}\nexit code {ended.returncode}\n"

    def compile(self, *words, **more):
        return self.said(HILDA, "compile", *words, **more)

    def program(self, *words, **more):
        return self.said("./small", *words, **more)

    def changed(self, change):
        """What the program says whose bytes were changed."""
        content = bytearray(self.compiled.read_bytes())
        other = self.folder / "other"
        other.write_bytes(change(content))
        other.chmod(0o755)
        return self.said("./other", "--for", "1 ms", "--no-log")

    # of the compilation
    def no_diagram(self):
        return self.compile("-o", "x")

    def diagram_that_is_not_there(self):
        return self.compile("nothing.xml", "-o", "x")

    def diagram_with_an_error(self):
        (self.folder / "bad.xml").write_text(SMALL.replace('to="scaled.u"', 'to="scaled.v"'))
        return self.compile("bad.xml", "-o", "x")

    def mode_that_the_diagram_does_not_have(self):
        return self.compile("small.xml", "--mode", "hardware", "-o", "x")

    def setting_that_the_diagram_does_not_have(self):
        return self.compile("small.xml", "--set", "gian=3", "-o", "x")

    def output_over_the_diagram(self):
        return self.compile("small.xml", "-o", "small.xml")

    def output_in_a_folder_that_is_not_there(self):
        return self.compile("small.xml", "-o", "nowhere/x")

    def two_files_of_one_path(self):
        inner = '<diagram format="1" name="inner">\n  <block name="f" type="sources/SignalFile" file="t.csv"/>\n</diagram>\n'
        for place in ("a", "b"):
            (self.folder / place).mkdir()
            (self.folder / place / "inner.xml").write_text(inner)
            (self.folder / place / "t.csv").write_text("time [s],force [N]\n0,1\n1,2\n")
        (self.folder / "two.xml").write_text('<diagram format="1" name="two" period="1 ms">\n  <subsystem name="a" src="a/inner.xml"/>\n'
                                             '  <subsystem name="b" src="b/inner.xml"/>\n</diagram>\n')
        return self.compile("two.xml", "-o", "x")

    def block_in_python(self):
        (self.folder / "twice.py").write_text(CLASS)
        (self.folder / "python.xml").write_text(PYTHON)
        return self.compile("python.xml", "-o", "x")

    def overlay_that_plays_a_recording(self):
        program.run(HILDA, "run", "small.xml", "--for", "3 ms", "--quiet", "--log", "played.mcap", cwd=self.folder)
        (self.folder / "played.xml").write_text(PLAYED)
        return self.compile("small.xml", "--overlay", "played.xml", "-o", "x")

    def hilda_without_the_engine_for_programs(self):
        """As in a wheel."""
        prefix = self.folder / "prefix"
        (prefix / "bin").mkdir(parents=True)
        (prefix / "lib/hilda").mkdir(parents=True)
        shutil.copy(HILDA, prefix / "bin")
        for file in (HILDA.parent.parent / "lib/hilda").iterdir():
            if file.name != "program":
                (prefix / "lib/hilda" / file.name).symlink_to(file)
        return self.said(prefix / "bin/hilda", "compile", "small.xml", "-o", "x")

    def program_compiles_no_other(self):
        return self.program("compile", "small.xml")

    # of the program
    def other_diagram(self):
        return self.program("other.xml")

    def other_diagram_after_run(self):
        return self.program("run", "other.xml")

    def log_without_replay(self):
        return self.program("log.mcap")

    def replay_without_log(self):
        return self.program("replay")

    def replay_of_no_log(self):
        return self.program("replay", "small.xml")

    def other_mode(self):
        return self.program("--mode", "hardware")

    def other_rig(self):
        return self.program("run", "--rig=rig.xml")

    def more_plugins(self):
        return self.program("--plugins", ".")

    def watch(self):
        return self.program("--watch")

    def command_of_hilda(self):
        return self.program("sweep")

    def unknown_option(self):
        return self.program("--fro", "1 s")

    def unknown_parameter(self):
        return self.program("--set", "gian=3", "--no-log")

    def log_over_the_program(self):
        return self.program("--for", "1 ms", "--log", "small")

    def probe_without_cell(self):
        return self.program("doctor", "--probe-delay")

    def cut(self):
        return self.changed(lambda content: content[:-100])

    def half(self):
        return self.changed(lambda content: content[:len(content) // 2])

    def changed_list(self):
        return self.changed(lambda content: content[:-3] + b"x\n\n")

    def changed_diagram(self):
        return self.changed(lambda content: content.replace(b'name="scaled" type', b'name="scalde" type'))

    def too_little_memory(self):
        return self.program("--for", "1 ms", preexec_fn=lambda: __import__("resource").setrlimit(7, (6, 6)))  # RLIMIT_NOFILE


def all_mistakes():
    with tempfile.TemporaryDirectory() as place:
        mistakes = Mistakes(pathlib.Path(place))
        names = [name for name, member in vars(Mistakes).items() if callable(member) and not name.startswith("_")]
        names = [name for name in names if name not in ("said", "compile", "program", "changed")]
        return "\n".join(f"== {name.replace('_', ' ')}\n{getattr(mistakes, name)()}" for name in names)


class Golden(unittest.TestCase):
    maxDiff = None

    def test_words(self):
        said = all_mistakes()
        self.assertGreaterEqual(said.count("== "), 20)
        self.assertEqual(GOLDEN.read_text(), said)


if __name__ == "__main__":
    if "--write" in sys.argv:
        GOLDEN.write_text(all_mistakes())
    else:
        unittest.main(argv=sys.argv[:1])
