# SPDX-License-Identifier: BSD-3-Clause
"""Each FMU of refused_fmus.py has a diagnostic, which foreign/refused.txt holds. HILDA_UPDATE_GOLDEN=1 writes it.

refused_fmus_test.py HILDA TREE COMPILER
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import foreign_fmu
import refused_fmus

HILDA, TREE, COMPILER = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
GOLDEN = pathlib.Path(__file__).resolve().parent / "foreign/refused.txt"


class Refused(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.place = pathlib.Path(cls.temporary.name)
        cls.unpacked = cls.place / "tmp"
        cls.unpacked.mkdir()
        cls.sound = {version: foreign_fmu.files(version, COMPILER, cls.place) for version in (2, 3)}
        cls.said = []
        for version in (2, 3):
            foreign_fmu.write(cls.place / "plant.fmu", cls.sound[version])
            assert cls.hilda("import-fmu", "plant.fmu", "-o", f"plant{version}.xml")[0] == 0
            (cls.place / f"loop{version}.xml").write_text(f"""<diagram format="1" name="loop" period="100 ms">
  <parameter name="fault" value="0"/>
  <block name="push" type="sources/Constant" value="1 mm"/><block name="three" type="sources/Constant" value="1 2 3"/>
  <subsystem name="plant" src="plant{version}.xml" fault="${{fault}}"/>
  <connect from="push.y" to="plant.in.u"/>
  {'<connect from="three.y" to="plant.v"/>' if version == 3 else ''}
</diagram>
""")

    @classmethod
    def hilda(cls, *words):
        done = subprocess.run([HILDA, *words], cwd=cls.place, capture_output=True, text=True, timeout=60, errors="replace",
                              env=os.environ | {"TMPDIR": str(cls.unpacked)})
        return done.returncode, done.stdout + done.stderr

    def fmu(self, made):
        (self.place / "plant.fmu").write_bytes(made if isinstance(made, bytes) else refused_fmus.packed(made))

    def note(self, name, code, text, kept):
        """One line a case: how hilda ended, and the lines that matter."""
        lines = [line.strip() for line in text.splitlines() if re.search(kept, line)]
        words = " | ".join(lines).replace(str(self.place), "PLACE")
        words = re.sub(r"grows from \d+", "grows from N", re.sub(r"/\S*/fmi\.so", "fmi.so", words))
        self.said.append(f"{name}: {code}: {words}")
        self.assertNotEqual(code, 0, f"{name}: {text}")
        self.assertTrue(words, f"{name}: {text}")

    def test_1_what_import_refuses(self):
        for name, make in refused_fmus.IMPORT.items():
            with self.subTest(name):
                self.fmu(make(self.sound[3]))
                code, text = self.hilda("import-fmu", "plant.fmu", "-o", "refused.xml")
                self.assertFalse((self.place / "refused.xml").exists())
                self.note(name, code, text, "error|help")

    def test_2_what_a_run_refuses(self):
        for name, (version, make) in refused_fmus.RUN.items():
            with self.subTest(name):
                self.fmu(make(self.sound[version]))
                code, text = self.hilda("run", f"loop{version}.xml", "--for", "1s")
                self.note("run " + name, code, text, r"error\[")

    def test_3_what_ends_a_run(self):
        for version in (2, 3):
            self.fmu(self.sound[version])
            for fault in refused_fmus.FAULTS:
                with self.subTest(fault, version=version):
                    code, text = self.hilda("run", f"loop{version}.xml", "--for", "1s", "--set", f"fault={foreign_fmu.FAULTS.index(fault)}")
                    if fault == "step_terminates":
                        self.assertEqual(code, 0, text)
                        self.assertIn("it ends the simulation", text)
                    else:
                        self.assertIn("plant", text)
                        self.note(f"run {fault}, FMI {version}", code, text, "FMU|error|crash|exit|SIG|block")

    def test_4_nothing_is_left_and_all_is_as_it_was(self):
        self.assertGreaterEqual(len(refused_fmus.IMPORT) + len(refused_fmus.RUN) + 2 * len(refused_fmus.FAULTS), 60)
        self.fmu(self.sound[3])
        self.assertEqual(self.hilda("run", "loop3.xml", "--for", "1s")[0], 0)  # takes what processes that crashed have left
        self.assertEqual([each.name for each in self.unpacked.iterdir()], [])
        text = "\n".join(self.said) + "\n"
        if os.environ.get("HILDA_UPDATE_GOLDEN") == "1":
            GOLDEN.write_text(text)
        self.assertEqual(text.splitlines(), GOLDEN.read_text().splitlines())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
