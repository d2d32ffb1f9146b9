# SPDX-License-Identifier: BSD-3-Clause
"""What `hilda export-fmu` writes: a package that is complete, the same each time, and none where a diagram cannot travel.

package_test.py HILDA TREE
"""

import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import hilda_run
import importer

HILDA, TREE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
FILE = """<diagram format="1" name="file" period="1 ms">
  <block name="played" type="sources/SignalFile" file="table.csv"/>
</diagram>
"""
DEVICE = """<diagram format="1" name="device" period="1 ms">
  <block name="wire" type="udp/UdpSource" port="4711" size="1"/>
</diagram>
"""


def dynamic(file):
    """What the dynamic section of a library says, by readelf."""
    said = subprocess.run(["readelf", "-dW", file], capture_output=True, text=True, timeout=60, check=True).stdout
    return set(re.findall(r"NEEDED.*\[(.*)\]", said)), re.findall(r"\((RPATH|RUNPATH)\).*\[(.*)\]", said)


class Package(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)

    def tearDown(self):
        self.place.cleanup()

    def refused(self, diagram, code, words, *more):
        out = self.folder / "none.fmu"
        ended = subprocess.run([HILDA, "export-fmu", diagram, "-o", out, *more], capture_output=True, text=True, timeout=60)
        self.assertEqual(ended.returncode, code, ended.stderr)
        self.assertIn(words, ended.stderr)
        self.assertFalse(out.exists())

    def test_libraries_need_nothing_but_each_other_and_the_host(self):
        said = hilda_run.export_fmu(HILDA, TREE / "tests/fmi/servo.xml", self.folder / "x.fmu")
        hilda_run.export_fmu(HILDA, TREE / "tests/fmi/servo.xml", self.folder / "again.fmu")
        sums = {hashlib.sha256((self.folder / name).read_bytes()).hexdigest() for name in ("x.fmu", "again.fmu")}
        self.assertEqual(len(sums), 1, "the same diagram gives other bytes")
        fmu = importer.Fmu(self.folder / "x.fmu", self.folder / "x")
        libraries = {file.name: file for file in fmu.library.parent.rglob("*") if file.is_file()}
        self.assertIn("hldmuparser.so.2", libraries)
        host = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
        needed = {each: dynamic(file)[0] for each, file in libraries.items()}
        self.assertEqual({name for names in needed.values() for name in names} - libraries.keys() - host, set())
        self.assertEqual(dynamic(fmu.library)[1], [("RPATH", "$ORIGIN")])
        texts = b"".join(file.read_bytes() for file in libraries.values())
        glibc, libstdcxx = (max(int(found) for found in re.findall(rb"\0" + name + rb"\.(\d+)", texts))
                            for name in (rb"GLIBC_2", rb"GLIBCXX_3\.4"))
        self.assertIn(f"needs glibc 2.{glibc} and libstdc++ 3.4.{libstdcxx} (GLIBCXX) of the host", said)

    def test_two_fmus_in_one_process(self):
        """They share the libraries that both need, and have their own plugins and diagrams."""
        fmus = []
        for version in ("2", "3"):
            hilda_run.export_fmu(HILDA, TREE / "tests/fmi/servo.xml", self.folder / f"{version}.fmu", "--fmi", version)
            fmus.append(importer.Fmu(self.folder / f"{version}.fmu", self.folder / version))
        ones = [fmu.instance(name=str(number)).start() for number in range(5) for fmu in fmus]
        for each in ones:
            each.step(0.05)
        places = {each.get("place") for each in ones}
        self.assertEqual(len(places), 1)
        self.assertNotEqual(places, {0.1})
        for each in ones:
            each.free()

    def test_every_function_of_the_standards_and_no_other_symbol(self):
        built = HILDA.parent.parent / "lib/hilda/fmu/libhilda_fmu.so"
        said = subprocess.run(["nm", "-D", "--defined-only", built], capture_output=True, text=True, timeout=60, check=True).stdout
        expected = (pathlib.Path(__file__).parent / "functions.txt").read_text().split()
        self.assertEqual(sorted(line.split()[2] for line in said.splitlines()), sorted(expected))

    def test_what_cannot_travel(self):
        (self.folder / "table.csv").write_text("time [s],y\n0,1\n1,2\n")
        (self.folder / "file.xml").write_text(FILE)
        self.refused(self.folder / "file.xml", 2, "file.xml:2: error[fmu-file]")
        (self.folder / "device.xml").write_text(DEVICE)
        self.refused(self.folder / "device.xml", 2, "device.xml:2: error[fmu-device]")
        (self.folder / "broken.xml").write_text(FILE + "<")
        self.refused(self.folder / "broken.xml", 2, "broken.xml")
        self.refused(TREE / "diagrams/pida.xml", 64, "--fmi", "--fmi", "1")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
