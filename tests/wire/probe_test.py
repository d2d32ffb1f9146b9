# SPDX-License-Identifier: BSD-3-Clause
"""hilda doctor --probe-delay against the witness: it finds what Delay counts, and the capture shows that nothing moves
and that one telegram alone is left without an answer."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import bench
import capture
import socket


def probe(late):
    """What doctor prints and exits with, and the capture's entries, of a robot whose Delay counts so."""
    with tempfile.TemporaryDirectory(prefix="hilda_wire_") as folder:
        folder = Path(folder)
        place = {"port": bench.free_port(socket.SOCK_DGRAM, "127.0.0.1"), "sensor_address": "127.0.0.2",
                 "sensor_port": bench.free_port(socket.SOCK_DGRAM, "127.0.0.2"),
                 "sensor_http_port": bench.free_port(socket.SOCK_STREAM, "127.0.0.2")}
        script = {"timeout": 2000, "cycle": 4, "limit": 20, "late": late, **place}
        (folder / "script.txt").write_text("".join(f"{name} {value}\n" for name, value in script.items()))
        rig = bench.rig_file(4, "absolute")
        command = [bench.BUILD / "bin/hilda", "doctor", "--rig", rig, "--probe-delay",
                   "--overlay", bench.ROOT / "diagrams/rigs/kuka_ati_loopback.xml",
                   "--set", f"rig.robot_port={place['port']}", "--set", f"rig.sensor_port={place['sensor_port']}",
                   "--set", f"rig.sensor_http_port={place['sensor_http_port']}", "--set", "rig.ethernet=ethernet.xml"]
        subprocess.run([bench.BUILD / "tests/wire/wire_witness", folder / "script.txt", folder / "capture",
                        folder / "out", folder / "err", "--", *command], check=True, capture_output=True)
        return (folder / "out").read_text() + (folder / "err").read_text(), capture.read(folder / "capture")


def unanswered(entries):
    """Telegrams without their own answer, between the first that has one and the last; and whether any answer
    asked for a motion."""
    telegrams = [capture.ipoc(each.bytes) for each in entries if each.kind == "R"]
    answers = {capture.ipoc(each.bytes) for each in entries if each.kind == "A"}
    moved = any(any(capture.correction(each.bytes) or []) for each in entries if each.kind == "A")
    with_answer = [i for i, ipoc in enumerate(telegrams) if ipoc in answers]
    return sum(telegrams[i] not in answers for i in range(with_answer[0], with_answer[-1])), moved


class Probe(unittest.TestCase):
    def check(self, late, words):
        for attempt in range(6):  # a machine that is held up loses cycles itself
            said, entries = probe(late)
            lost, moved = unanswered(entries)
            self.assertFalse(moved)
            if words in said and lost == 1:
                return
        self.fail(f"{lost} telegrams without an answer, and it says:\n{said}")

    def test_one_that_counts_all(self):
        self.check("total", "every answer that was late")

    def test_one_that_counts_those_in_a_row(self):
        self.check("row", "it fell to 0 with the next one")


if __name__ == "__main__":
    unittest.main()
