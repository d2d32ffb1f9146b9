# SPDX-License-Identifier: BSD-3-Clause
"""Folders with plugins while a process runs: new ones are found, those that cannot be loaded again are reported."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

import hilda

HERE = pathlib.Path(__file__).resolve().parent
ABI = HERE.parents[1] / "plugins" / "abi"
COMPILER = shutil.which("cc") or shutil.which("gcc")


class Plugins(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hilda_plugins_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        #: Each test has its own name: a loaded plugin stays.
        self.name = "stranger_" + self.id().rsplit(".", 1)[1][5:40]

    def build(self, factor, where="p", file="it.so"):
        place = self.folder / where
        place.mkdir(exist_ok=True)
        subprocess.run([COMPILER, "-shared", "-fPIC", f"-I{ABI}", f'-DSTRANGER="{self.name}"', f"-DFACTOR={factor}.0",
                        str(HERE / "stranger.c"), "-o", str(self.folder / "new.so")], check=True)
        os.replace(self.folder / "new.so", place / file)
        return place

    def diagram(self, type="Scale"):
        file = self.folder / "it.xml"
        file.write_text(f'<diagram format="1" name="it" period="1 ms"><block name="f" type="{self.name}/{type}"/></diagram>')
        return file

    def result(self, *plugins, **named):
        simulation = hilda.Simulation(self.diagram(), plugins=plugins, **named)
        simulation.step()
        value = simulation["f.y"]
        if named.get("isolate"):
            simulation.close()
        return value

    def test_a_folder_that_was_empty_is_looked_at_again(self):
        place = self.folder / "p"
        place.mkdir()
        with self.assertRaisesRegex(hilda.DiagramError, "unknown-type"):
            self.result(place)
        self.build(2)
        self.assertEqual(self.result(place), 2)
        self.assertIn(f"{self.name}/Scale", hilda.blocks(plugins=[place]))

    def test_a_later_build_is_told_and_a_process_of_its_own_has_it(self):
        place = self.build(2)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(self.result(place), 2)
            self.build(2)  # with the same bytes
            self.assertEqual(self.result(place), 2)
        self.build(3)
        with self.assertWarnsRegex(UserWarning, "plugin-changed.*(?s:.)*isolate=True"):
            simulation = hilda.Simulation(self.diagram(), plugins=[place])
        self.assertEqual([each.code for each in simulation.warnings], ["plugin-changed"])
        simulation.step()
        self.assertEqual(simulation["f.y"], 2)
        self.assertEqual(self.result(place, isolate=True), 3)
        with self.assertWarnsRegex(UserWarning, "plugin-changed"):
            hilda.describe(f"{self.name}/Scale", plugins=[place])

    def test_two_folders_with_one_name_are_an_error(self):
        one, other = self.build(2, "z1"), self.build(3, "z2")
        self.assertEqual(self.result(one), 2)
        for plugins in ([other], [one, other]):
            with self.assertRaises(hilda.DiagramError) as raised:
                self.result(*plugins)
            found = raised.exception.diagnostics[0]
            self.assertEqual(found.code, "plugin-name-taken")
            self.assertIn(str(one), found.what)
            self.assertIn("isolate=True", found.help)
        self.assertEqual(self.result(one), 2)
        self.assertEqual(self.result(other, isolate=True), 3)

    def test_a_broken_file_that_is_mended_is_loaded(self):
        place = self.folder / "p"
        place.mkdir()
        (place / "it.so").write_text("no library")
        with self.assertRaisesRegex(hilda.DiagramError, "plugin-load"):
            self.result(place)
        self.build(2)
        self.assertEqual(self.result(place), 2)

    def test_a_plugin_that_is_missing_is_the_one_error(self):
        with self.assertRaises(hilda.DiagramError) as raised:
            hilda.Simulation(self.diagram(), settings={"f.gain": 2})
        self.assertEqual([each.code for each in raised.exception.diagnostics], ["unknown-type"])

    def test_what_a_block_warns_of_at_a_live_setting_is_heard(self):
        place = self.build(2)
        simulation = hilda.Simulation(self.diagram(), plugins=[place])
        simulation.step()
        for _ in range(3):
            simulation.set("f.gain", 3, live=True)
        self.assertIn("brings no luck", str(simulation.warnings[0]))
        self.assertEqual(len(simulation.warnings), 1)
        simulation.step()
        self.assertEqual((simulation.tick, simulation["f.y"]), (2, 6))

    def test_a_bound_is_told_without_a_unit_where_it_has_none(self):
        place = self.build(2)
        with self.assertRaisesRegex(hilda.DiagramError, r"at most 5\b(?! 1)"):
            hilda.Simulation(self.diagram(), plugins=[place], settings={"f.gain": 6})


if __name__ == "__main__":
    if COMPILER is None:
        print("not run: there is no C compiler")
        sys.exit(77)
    unittest.main()
