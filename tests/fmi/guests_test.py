# SPDX-License-Identifier: BSD-3-Clause
"""What a plugin changes of the importer's process while the FMU steps is put back, logged and returned as a warning.

guests_test.py HILDA PLUGINS VERSION      PLUGINS has taking.so
"""

import ctypes
import os
import pathlib
import signal
import sys
import tempfile
import unittest

import hilda_run
import importer
from importer import OK, WARNING

HILDA, PLUGINS, VERSION = sys.argv[1], sys.argv[2], int(sys.argv[3])
DIAGRAM = """<diagram format="1" name="guests" period="1 ms">
  <block name="guest" type="taking/Takes" what="{what}" in="{phase}" at="3"/>
  <output name="shown"/>
  <connect from="guest.y" to="shown"/>
</diagram>
"""
IN_LOOP = r"/guests\.xml:1: warning\[block-process\]: a plugin changed what belongs to the whole process while the loop ran: "


def rounding():
    return ctypes.CDLL("libm.so.6").fegetround()


class Guests(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = os.getcwd()

    def tearDown(self):
        os.chdir(self.folder)
        self.place.cleanup()

    def instance(self, what, phase="output"):
        place = pathlib.Path(self.place.name) / f"{what}_{phase}"
        place.mkdir()
        diagram = place / "guests.xml"
        diagram.write_text(DIAGRAM.format(what=what, phase=phase))
        hilda_run.export_fmu(HILDA, diagram, place / "guests.fmu", "--fmi", str(VERSION), "--plugins", PLUGINS)
        one = importer.Fmu(place / "guests.fmu", place / "unpacked").instance()
        one.fine = (OK, WARNING)
        return one.start()

    def warnings(self, one):
        return [text for status, text in one.log if status == WARNING]

    def test_what_a_step_changes_is_put_back_and_named(self):
        for what, phase, said in [("ignore", "output", "SIGINT: "), ("folder", "update", "the working folder: "),
                                  ("held", "output", ", which hilda holds open: open -> closed"), ("timer", "update", "ITIMER_REAL: off -> ")]:
            one = self.instance(what, phase)
            for _ in range(8):
                self.assertTrue(one.step())
            found = self.warnings(one)
            self.assertEqual(len(found), 1, (what, phase, one.log))
            self.assertRegex(found[0], f"^fmi{VERSION}DoStep: .*{IN_LOOP}")
            self.assertIn(said, found[0])
            self.assertIn("; it is as before again", found[0])
            self.assertIn("the plugins of this FMU are: taking.so", found[0])
            one.free()
        self.assertEqual(os.getcwd(), self.folder)
        self.assertEqual(signal.getitimer(signal.ITIMER_REAL), (0, 0))
        with self.assertRaises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)

    def test_the_step_that_changes_something_returns_a_warning(self):
        one = self.instance("ignore")
        one.fine = (OK,)
        for _ in range(3):
            one.step()
        with self.assertRaisesRegex(importer.Refused, "SIGINT"):
            one.step()
        one.time += one.fmu.step
        self.assertTrue(one.step(), "it goes on")

    def test_what_an_output_changes_is_put_back_when_it_is_read(self):
        one = self.instance("folder")
        for _ in range(3):
            one.step()
        shown = next(each for each in one.fmu.variables.values() if each.causality == "output")
        with self.assertRaisesRegex(importer.Refused, f"fmi{VERSION}Get[A-Za-z0-9]+: .*{IN_LOOP}"):
            one.read_all([shown])
        self.assertEqual(os.getcwd(), self.folder)

    def test_another_rounding_mode_ends_the_run_and_is_put_back(self):
        before = rounding()
        one = self.instance("rounding")
        with self.assertRaisesRegex(importer.Refused, r"guest.*floating-point mode"):
            for _ in range(8):
                one.step()
        self.assertEqual(rounding(), before)

    def test_who_changes_nothing_is_not_spoken_of(self):
        one = self.instance("nothing")
        for _ in range(200):
            one.step()
        self.assertEqual(self.warnings(one), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
