# SPDX-License-Identifier: BSD-3-Clause
"""What a plugin changes of the process while the loop runs: put back, a warning; what Python changes stays."""
import os
import pathlib
import signal
import tempfile
import time
import unittest
import warnings

import hilda

TAKING = pathlib.Path.cwd() / "tests" / "guests" / "plugins"
DIAGRAM = """<diagram format="1" name="guests" period="1 ms">
  <parameter name="duration" value="20 ms"/>
  <block name="guest" type="taking/Takes" what="{what}" in="{phase}" at="{at}"/>
</diagram>
"""
CHANGED = "guests.xml:1: warning[block-process]: a plugin changed what belongs to the whole process while the loop ran: "


@unittest.skipUnless((TAKING / "taking.so").exists(), "the plugin of tests/guests is not built")
class Guests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hilda_guests_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.addCleanup(os.chdir, os.getcwd())
        self.addCleanup(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))
        self.addCleanup(os.umask, os.umask(0o022))

    def simulation(self, what, phase="output", at=3, **named):
        file = self.folder / "guests.xml"
        file.write_text(DIAGRAM.format(what=what, phase=phase, at=at))
        return hilda.Simulation(file, plugins=[TAKING], **named)

    def heard(self, action):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            action()
        self.assertTrue(all(each.category is RuntimeWarning for each in caught))
        return [str(each.message) for each in caught]

    def test_ctrl_c_is_python_s_again(self):
        for phase in ("output", "update"):
            simulation = self.simulation("ignore", phase)
            heard = self.heard(simulation.run)
            self.assertEqual(len(heard), 1)
            self.assertIn(CHANGED, heard[0])
            self.assertIn("-> SIG_IGN", heard[0])
            self.assertIn("; it is as before again", heard[0])
            self.assertIn("hilda check --audit names the block", heard[0])
            with self.assertRaises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(1)
            self.assertEqual([each.code for each in simulation.warnings], ["block-process"])
            self.assertEqual(self.heard(lambda: (simulation.reset(), simulation.run())), [])

    def test_folder_and_umask_are_as_before(self):
        here = os.getcwd()
        self.assertIn("the working folder: " + here + " -> /;", self.heard(self.simulation("folder").run)[0])
        self.assertEqual(os.getcwd(), here)
        self.assertIn("the umask: 0022 -> 0000", self.heard(self.simulation("umask").run)[0])
        self.assertEqual(os.umask(0o022), 0o022)

    def test_what_python_changes_between_two_steps_stays(self):
        simulation = self.simulation("")

        def steps():
            simulation.step()
            os.chdir(self.folder)
            os.umask(0o027)
            signal.signal(signal.SIGTERM, lambda *_: None)
            for _ in range(50):
                simulation.step()

        self.assertEqual(self.heard(steps), [])
        self.assertEqual(os.getcwd(), str(self.folder))
        self.assertEqual(os.umask(0o022), 0o027)

    def test_a_change_in_a_single_step_is_found(self):
        simulation = self.simulation("folder", at=20)
        heard = self.heard(lambda: [simulation.step() for _ in range(30)])
        self.assertEqual(len(heard), 1)
        self.assertIn("the working folder: ", heard[0])

    def test_going_back_is_watched(self):
        again = self.simulation("folder")
        self.assertEqual(len(self.heard(lambda: (again.step(10), again.back(8), again.step()))), 1)
        self.assertNotEqual(os.getcwd(), "/")

    def test_it_is_an_error_where_warnings_are(self):
        simulation = self.simulation("ignore")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaisesRegex(RuntimeWarning, "block-process"):
                simulation.run()


if __name__ == "__main__":
    unittest.main()
