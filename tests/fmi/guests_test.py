# SPDX-License-Identifier: BSD-3-Clause
"""What a plugin in an FMU changes of the importer's process while it steps is restored, and the FMU's logger reports it.

guests_test.py HILDA TREE PLUGINS VERSION
"""

import os
import pathlib
import re
import signal
import sys
import tempfile
import unittest

import hilda_run
import importer

HILDA, PLUGINS, VERSION = sys.argv[1], sys.argv[3], int(sys.argv[4])
DIAGRAM = """<diagram format="1" name="guests" period="1 ms">
  <block name="guest" type="taking/Takes" what="{what}" in="{phase}" at="3"/>
</diagram>
"""
OVERRUN = """<diagram format="1" name="guests" period="1 ms">
  <block name="source" type="sources/Constant" value="1"/>
  <block name="guest" type="taking/Overruns" bytes="8"/>
  <connect from="source.y" to="guest.u"/>
</diagram>
"""


class Guests(unittest.TestCase):
    def instance(self, text):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        folder = pathlib.Path(place.name)
        (folder / "guests.xml").write_text(text)
        hilda_run.export_fmu(HILDA, folder / "guests.xml", folder / "guests.fmu", "--fmi", str(VERSION), "--plugins", PLUGINS)
        one = importer.Fmu(folder / "guests.fmu", folder / "unpacked").instance()
        return one.start()

    def said_of(self, what, phase="output"):
        one = self.instance(DIAGRAM.format(what=what, phase=phase))
        for _ in range(6):
            one.step()
        return [text for status, text in one.log if "belongs to the whole process" in text and status == 1]

    def test_the_working_folder(self):
        before = os.getcwd()
        said = self.said_of("folder")
        self.assertEqual(os.getcwd(), before)
        self.assertEqual(len(said), 1, said)
        self.assertIn("DoStep: a plugin changed what belongs to the whole process while the loop ran: the working folder: ", said[0])

    def test_signal_handlers(self):
        said = self.said_of("ignore")
        ignored = int(re.search(r"SigIgn:\s*(\w+)", pathlib.Path("/proc/self/status").read_text())[1], 16)
        self.assertEqual(ignored >> (signal.SIGTERM - 1) & 1, 0)
        self.assertEqual(len(said), 1, said)
        self.assertIn("SIGTERM: ", said[0])

    def test_configure_when_it_is_loaded(self):
        said = self.said_of("folder", "configure")
        self.assertIn("guest (taking/Takes): configure changes what belongs to the whole process: ", said[0])

    def test_nothing_is_said_of_nothing(self):
        self.assertEqual(self.said_of(""), [])

    def test_a_block_that_writes_beyond_its_memory(self):
        one = self.instance(OVERRUN)
        with self.assertRaises(importer.Refused) as refused:
            for _ in range(6):
                one.step()
        self.assertIn("guest: taking/Overruns: it writes behind the end of its memory", str(refused.exception))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
