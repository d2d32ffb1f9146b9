# SPDX-License-Identifier: BSD-3-Clause
"""Nothing outlives the scripts of tests/attacks and tests/wire, not even where they are killed: lifetime_test.py BUILD."""
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
BUILD = Path(sys.argv.pop()).resolve()


def processes():
    """{pid: (parent, when it began)} of all that are not zombies."""
    found = {}
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split() if entry.name.isdigit() else None
        except OSError:
            continue
        if fields and fields[0] not in "ZX":
            found[int(entry.name)] = (int(fields[1]), fields[19])
    return found


def below(root):
    """All processes that `root` started, and theirs: {(pid, when it began): its command}."""
    all_of_them, found = processes(), {}
    for pid, (_, began) in all_of_them.items():
        at = pid
        while at in all_of_them and at != root:
            at = all_of_them[at][0]
        if at == root and pid != root:
            try:
                found[pid, began] = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                pass
    return found


class Lifetime(unittest.TestCase):
    def ends_all(self, command, number, until):
        """Kills the script once `until` holds for the commands below it; all of them must end."""
        with tempfile.TemporaryDirectory() as folder:
            script = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                      env={**os.environ, "HILDA_BUILD": str(BUILD), "TMPDIR": folder})
            end, started = time.monotonic() + 60, {}
            while time.monotonic() < end and not until(" ".join(started.values())):
                self.assertIsNone(script.poll(), "it ended by itself")
                time.sleep(0.05)
                started = below(script.pid)
            self.assertTrue(until(" ".join(started.values())), started)
            script.send_signal(number)
            script.wait()
            end = time.monotonic() + 20
            while (left := [text for (pid, began), text in started.items()
                            if processes().get(pid, (0, ""))[1] == began]) and time.monotonic() < end:
                time.sleep(0.05)
            self.assertEqual(left, [])

    def test_a_killed_attack_leaves_no_run_behind(self):
        diagram = '<diagram format="1" name="d" period="1 ms"><block name="s" type="sources/Sine" amplitude="1" frequency="2 Hz"/>' \
                  '<block name="end" type="sinks/Terminator"/><connect from="s.y" to="end.u"/></diagram>'
        attack = (f"import sys; sys.path.insert(0, {str(TESTS / 'attacks')!r}); import bench, pathlib\n"
                  f"pathlib.Path('d.xml').write_text({diagram!r})\n"
                  f"bench.Bench({str(BUILD)!r}, {str(TESTS.parent)!r}).run(['run', 'd.xml', '--no-log', '--for', '1e9s'], '.')")
        self.ends_all([sys.executable, "-c", attack], signal.SIGKILL,
                      lambda commands: "bin/hilda run" in commands)  # before exec it still is called as the script is

    def test_a_killed_part_of_the_attacks_leaves_nothing_behind(self):
        self.ends_all([sys.executable, TESTS / "attacks/table.py", "--build", BUILD, "--part", "chaos"], signal.SIGKILL,
                      lambda commands: "bin/hilda" in commands)

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not installed")
    def test_a_killed_fault_table_leaves_no_witness_and_no_run_behind(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            self.ends_all([sys.executable, TESTS / "wire/run_faults.py", "--diagrams", "cart", "--only", "^none$"], number,
                          lambda commands: "wire_witness" in commands and "bin/hilda" in commands)

    @unittest.skipUnless(importlib.util.find_spec("numpy") and shutil.which("stress-ng"), "needs numpy and stress-ng")
    def test_a_killed_fault_table_leaves_no_load_behind(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            self.ends_all([sys.executable, TESTS / "wire/run_faults.py", "--diagrams", "cart", "--only", "^none$", "--load", "1"],
                          number, lambda commands: commands.count("stress-ng") >= 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
