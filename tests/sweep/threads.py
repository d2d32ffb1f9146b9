#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Studies on four threads under ThreadSanitizer: threads.py HILDA, of a build with HILDA_SANITIZE=thread.

Every shipped diagram, the contact methods under noise, searches, and a sweep that was cut off and continues. Each must end
well, without a finding, and with the rows of one thread; and a block that races must be found. .ci/run threads does it; it
is not a test of every day.
"""
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

from study_case import StudyCase, diagrams, hilda, rows, run

OPTIONS = {**os.environ, "TSAN_OPTIONS": "halt_on_error=0 exitcode=66 second_deadlock_stack=1 history_size=4"}
THREADS = 4
RACY = Path(hilda).parent.parent / "tests/sweep/racy.so"
SHIPPED = sorted(file.stem for file in diagrams.glob("*.xml"))


class Threads(StudyCase):
    def sweep(self, *words, **named):
        done = run("sweep", *words, cwd=self.folder, env=OPTIONS, **named)
        self.assertNotIn("ThreadSanitizer", done.stderr)
        return done

    def same_on_one_and_four(self, text):
        (self.folder / "s.xml").write_text(text)
        self.sweep("s.xml", "-j", THREADS, "-o", "four.sqlite")
        self.sweep("s.xml", "-j", 1, "-o", "one.sqlite")
        made = rows(self.folder / "four.sqlite")
        self.assertEqual(made, rows(self.folder / "one.sqlite"))
        return made

    def test_the_sanitizer_is_there(self):
        symbols = subprocess.run(["nm", hilda], capture_output=True, text=True, check=True).stdout
        self.assertIn("__tsan_", symbols)

    def test_a_race_is_found(self):
        (self.folder / "racy.xml").write_text("""<diagram format="1" name="racy" period="1 ms">
          <parameter name="duration" value="1 s"/><parameter name="again" value="1"/><block name="counter" type="racy/Counter"/>
          <block name="record" type="sinks/Record" key="record"/><connect from="counter.y" to="record.u"/></diagram>""")
        (self.folder / "s.xml").write_text("""<study format="1" diagram="racy.xml">
          <draw path="again" repeat="32"/><figure name="most" from="record.max"/></study>""")
        for threads, found in ((THREADS, True), (1, False)):
            done = run("sweep", "s.xml", "-j", threads, "-o", f"{threads}.sqlite", "--plugins", RACY.parent, cwd=self.folder,
                       env=OPTIONS, expect=None)
            self.assertEqual("ThreadSanitizer: data race" in done.stderr, found, done.stderr[-2000:])
            self.assertEqual("Counter" in done.stderr, found)
            self.assertEqual(done.returncode, 66 if found else 0, done.stderr[-2000:])

    def test_every_diagram(self):
        made = self.same_on_one_and_four(f"""<study format="1" mode="sim">
          <axis diagram="{' '.join(SHIPPED)}" folder="{diagrams}"/>
          <axis path="duration" values="0.05 0.1 0.2 s"/><figure name="ticks" from="steps"/></study>""")
        self.assertEqual(len(made), 3 * len(SHIPPED))
        self.assertEqual({row[4] for row in made}, {"duration"})

    def test_contacts_under_noise(self):
        self.same_on_one_and_four(f"""<study format="1" mode="sim">
          <set path="contacts" value="1"/><set path="force_noise" value="0.1 N"/>
          <axis diagram="pida tdpa" folder="{diagrams}"/><axis path="response_delay" values="8 20 ms"/>
          <axis path="stiffness" factors="0.5 1"/><draw path="seed" repeat="3"/>
          <figure name="had" from="count(contacts[].time)"/><figure name="cov" from="contacts[-1].cov"/></study>""")

    def test_many_short_runs(self):
        self.same_on_one_and_four((self.folder / self.study(count=60)).read_text())

    def test_searches(self):
        (self.folder / "e.xml").write_text("""<study format="1" diagram="plant.xml">
          <axis path="start" values="1 1.5 2 2.5 m"/><axis path="gain" from="1" to="9" count="81"/>
          <figure name="mean" from="record.mean"/><figure name="low" expression="mean &lt; 0.5"/></study>""")
        self.sweep("edge", "e.xml", "--along", "gain", "--figure", "low", "-j", THREADS, "-o", "e.sqlite")
        (self.folder / "o.xml").write_text("""<study format="1" diagram="plant.xml">
          <set path="noise" value="0.001"/><draw path="seed" repeat="4"/>
          <axis path="gain" from="1" to="9" count="2"/><figure name="mean" from="record.mean"/></study>""")
        self.sweep("optimise", "o.xml", "--minimise", "mean", "--evaluations", 20, "-j", THREADS, "-o", "o.sqlite")

    def test_what_is_interrupted_goes_on(self):
        study = self.study(count=200)
        for how in (signal.SIGINT, signal.SIGKILL):
            going = subprocess.Popen([hilda, "sweep", study, "-j", str(THREADS), "-o", "cut.sqlite"], cwd=self.folder,
                                     env=OPTIONS, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(2)
            going.send_signal(how)
            self.assertNotIn("ThreadSanitizer", going.communicate(timeout=100)[1])
            self.assertIn(going.returncode, (0, 130, -signal.SIGKILL))
        self.sweep(study, "-j", THREADS, "-o", "cut.sqlite")
        self.assertEqual(len(rows(self.folder / "cut.sqlite")), 2400)

    def test_timeout(self):
        (self.folder / "s.xml").write_text("""<study format="1" diagram="plant.xml" timeout="0.3 s">
          <axis path="duration" values="0.5 1e7 0.5 1e7 0.5 0.5 s" name="long"/>
          <figure name="mean" from="record.mean"/></study>""")
        self.sweep("s.xml", "-j", THREADS, "-o", "s.sqlite")


if __name__ == "__main__":
    unittest.main(verbosity=2)
