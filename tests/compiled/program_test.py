# SPDX-License-Identifier: BSD-3-Clause
"""What a compiled program can do: its commands, its values, its logs; and that equal inputs give equal bytes.

program_test.py HILDA TREE
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.request

import program

HILDA, TREE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
TABLE = """<diagram format="1" name="played" period="1 ms">
  <parameter name="gain" value="2"/>
  <block name="force" type="sources/SignalFile" file="table.csv"/>
  <block name="scaled" type="math/Gain" gain="${gain}"/>
  <connect from="force.y" to="scaled.u"/>
</diagram>
"""


STEP = """<diagram format="1" name="step" period="1 ms">
  <parameter name="gain" value="2"/>
  <block name="one" type="sources/Constant" value="1"/>
  <block name="scaled" type="math/Gain" gain="${gain}"/>
  <connect from="one.y" to="scaled.u"/>
</diagram>
"""


class Compiled(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        cls.pida = program.compile_diagram(HILDA, "diagrams/pida.xml", cls.folder / "pida", "--set", "response_delay=16ms", cwd=TREE)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def test_equal_inputs_give_equal_bytes(self):
        again = program.compile_diagram(HILDA, "diagrams/pida.xml", self.folder / "again", "--set", "response_delay=16ms", cwd=TREE)
        self.assertEqual(self.pida.read_bytes(), again.read_bytes())

    def test_what_names_all_that_is_in_it(self):
        said = program.run(self.pida, "--what", cwd="/")
        for words in ("compiled by hilda", "diagrams/pida.xml", "response_delay=16ms", "musl", "glibc 2."):
            self.assertIn(words, said)
        plugins = dict(line.split()[1:3] for line in said.splitlines() if re.match(r"plugin +\S+ [0-9a-f]{16}$", line))
        self.assertIn("contact", plugins)
        self.assertNotIn("arm", plugins, "a plugin that the diagram does not need")
        log = self.folder / "named.mcap"
        program.run(self.pida, "--for", "10 ms", "--quiet", "--log", log)
        self.assertEqual(program.plugins_of(HILDA, log), plugins)

    def test_its_log_replays_in_hilda_and_back(self):
        ours, theirs = self.folder / "ours.mcap", self.folder / "theirs.mcap"
        program.run(self.pida, "run", "--for", "0.3 s", "--quiet", "--log", ours, cwd="/")
        said = program.run(HILDA, "run", "--mode", "replay", ours, "--no-log", cwd="/")
        self.assertIn("every bit is as recorded", said)
        self.assertNotIn("is not the one of the log", said)
        program.run(HILDA, "run", "diagrams/pida.xml", "--for", "0.3 s", "--quiet", "--log", theirs, cwd=TREE)
        self.assertIn("every bit is as recorded", program.run(self.pida, "replay", theirs, cwd="/"))
        what_if = program.run(self.pida, "replay", ours, "--set", "damping=1 N s/mm", "--log", self.folder / "if.mcap", cwd="/")
        self.assertIn("signals that both have differ", what_if)

    def test_given_values_count_after_those_of_the_compilation(self):
        summary = self.folder / "summary.json"
        for given, expected in ([], 0.016), (["--set", "response_delay=4ms"], 0.004):
            program.run(self.pida, "--for", "10 ms", "--no-log", "--summary", summary, *given)
            self.assertEqual(json.loads(summary.read_text())["parameters"]["response_delay"], expected)

    def test_a_table_is_in_the_program(self):
        source = self.folder / "source"
        source.mkdir()
        (source / "played.xml").write_text(TABLE)
        (source / "table.csv").write_text("time [s],force [N]\n0,1\n0.01,3\n")
        compiled = program.compile_diagram(HILDA, "played.xml", self.folder / "played", cwd=source)
        run = ["--for", "20 ms", "--quiet", "--log"]
        program.run(HILDA, "run", "played.xml", *run, self.folder / "t1.mcap", cwd=source)
        (source / "table.csv").unlink()
        (source / "played.xml").unlink()
        program.run(compiled, *run, self.folder / "t2.mcap", cwd=self.folder)
        program.assert_same_log(self, HILDA, self.folder / "t1.mcap", self.folder / "t2.mcap")

    def test_values_are_set_while_it_runs(self):
        (self.folder / "step.xml").write_text(STEP)
        compiled = program.compile_diagram(HILDA, "step.xml", self.folder / "step", cwd=self.folder)
        said = program.run(compiled, "--console", "--no-log", input="run 5 ms\nget scaled.y\nset gain 8\nrun 2 ms\nget scaled.y\n")
        self.assertRegex(said, r"(?s)scaled.y = 2\b.*scaled.y = 8\b")

    def test_it_serves_the_page(self):
        served = subprocess.Popen([self.pida, "--serve", "0", "--realtime", "--no-log", "--for", "60 s"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, env={**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": ""})
        try:
            link = next(line.split()[1] for line in served.stdout if line.startswith("page "))
            with urllib.request.urlopen(link.split("#")[0], timeout=20) as page:
                self.assertIn("<title>", page.read().decode())
        finally:
            served.send_signal(signal.SIGINT)
            served.communicate(timeout=60)
        self.assertEqual(served.returncode, 130)

    def test_a_cell_says_what_hilda_says(self):
        chosen = ["--mode", "hardware", "--rig", "diagrams/rigs/kuka_ati.xml", "--overlay", "diagrams/rigs/kuka_ati_loopback.xml"]
        cell = program.compile_diagram(HILDA, "diagrams/pida.xml", self.folder / "cell", *chosen, cwd=TREE)
        words = ["--for", "50 ms", "--no-log"]
        given = [HILDA, "run", "diagrams/pida.xml", *chosen, *words]
        theirs = subprocess.run(given, capture_output=True, text=True, timeout=60, cwd=TREE)
        ours = subprocess.run([cell, *words], capture_output=True, text=True, timeout=60, cwd="/")
        self.assertEqual((ours.returncode, ours.stdout), (theirs.returncode, theirs.stdout))
        self.assertEqual(ours.stderr, theirs.stderr)
        self.assertIn("rig.sensor (ati_netft/NetFt)", ours.stderr)

    def test_the_doctor_looks_at_the_machine(self):
        ended = subprocess.run([self.pida, "doctor"], capture_output=True, text=True, timeout=60)
        self.assertIn(ended.returncode, (0, 1), ended.stderr)
        self.assertIn("kernel", ended.stdout)

    def test_hilda_around_it_does_not_count(self):
        bad = {**os.environ, "HILDA_PLUGIN_PATH": "/nowhere", "HILDA_LIBRARY_PATH": "/nowhere"}
        program.run(self.pida, "--for", "10 ms", "--no-log", env=bad)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
