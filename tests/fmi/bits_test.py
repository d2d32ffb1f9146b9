# SPDX-License-Identifier: BSD-3-Clause
"""PIDA as an FMU, stepped at 1 ms by an importer of ours, has every number of `hilda run` bit for bit.

bits_test.py HILDA TREE VERSION
"""

import pathlib
import struct
import sys
import tempfile
import unittest

import hilda_run
import importer

HILDA, TREE, VERSION = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
DIAGRAM = TREE / "diagrams/pida.xml"
SECONDS = 0.9  # the first contact begins at 0.75 s


def bits(numbers):
    return struct.pack(f"{len(numbers)}d", *numbers)


class Bits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.table = hilda_run.run_table(HILDA, DIAGRAM, cls.place.name, SECONDS)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def fmu(self):
        file = pathlib.Path(self.place.name) / "pida.fmu"
        hilda_run.export_fmu(HILDA, DIAGRAM, file, "--fmi", str(VERSION))
        return importer.Fmu(file, pathlib.Path(self.place.name) / "unpacked")

    def columns(self, fmu):
        """The columns of the log that each variable of real numbers has, in the FMU's order of elements."""
        reals = [each for each in fmu.outputs() if each.type in ("Real", "Float64")]
        columns = []
        for each in reals:
            parts = [each.name] if fmu.version == 2 else hilda_run.parts_of(self.table, each.name)
            if len(each.shape) == 2:  # FMI 3.0 counts row by row, the log column by column
                parts = [parts[col * each.shape[0] + row] for row in range(each.shape[0]) for col in range(each.shape[1])]
            columns += parts
        self.assertEqual(len(columns), sum(each.count for each in reals))
        return reals, columns

    def test_all_numbers_of_a_run(self):
        fmu = self.fmu()
        reals, columns = self.columns(fmu)
        self.assertGreater(len(columns), 150)
        with hilda_run.instance_of(fmu) as one:
            for k in range(len(self.table["time"])):
                if k > 0:
                    self.assertTrue(one.step())
                expected = bits([self.table[column][k] for column in columns])
                if one.read_all(reals) != expected:
                    got = struct.unpack(f"{len(columns)}d", one.read_all(reals))
                    different = [(name, a, self.table[name][k]) for name, a in zip(columns, got) if a != self.table[name][k]]
                    self.fail(f"at step {k}: {different[:5]}")

    def test_the_log_is_not_still(self):
        self.assertEqual(len(self.table["time"]), round(SECONDS * 1000))
        self.assertGreater(max(self.table["rig.sensor.measured.force.x"]) - min(self.table["rig.sensor.measured.force.x"]), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
