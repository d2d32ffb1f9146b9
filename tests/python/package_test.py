# SPDX-License-Identifier: BSD-3-Clause
"""pip installs the package from the tree and from an installed prefix, without a network, and it works where it lies."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path.cwd()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
PIP = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-index", "--no-deps",
       "--no-warn-script-location", "--disable-pip-version-check", "--root-user-action=ignore"]
USES_IT = """
import hilda, os
assert hilda.__file__.startswith(os.environ["WHERE"]), hilda.__file__
simulation = hilda.Simulation(hilda.library_file("pida.xml"))
run = simulation.run(0.05)
assert len(run) > 10 and "rig.wrench" in run, run.signals
assert hilda.describe("Gain").name == "math/Gain"
print(hilda.__version__)
"""


def have_pip():
    return subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode == 0


class Package(unittest.TestCase):
    def install(self, what, *options):
        target = tempfile.mkdtemp(prefix="hilda_pip_")
        self.addCleanup(subprocess.run, ["rm", "-rf", target])
        done = subprocess.run([*PIP, "--target", target, *options, str(what)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("HILDA", "PYTHON"))}
        used = subprocess.run([sys.executable, "-c", USES_IT], capture_output=True, text=True, cwd="/",
                              env={**environment, "PYTHONPATH": target, "WHERE": target})
        self.assertEqual(used.returncode, 0, used.stderr)
        self.assertRegex(used.stdout, r"^\d+\.\d+\.\d+")

    def test_installs_from_the_tree(self):
        self.install(SOURCE, f"--config-settings=build={BUILD}")

    def test_installs_into_a_fresh_environment(self):
        folder = tempfile.mkdtemp(prefix="hilda_venv_")
        self.addCleanup(subprocess.run, ["rm", "-rf", folder])
        made = subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", folder], capture_output=True,
                              text=True)
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        python = os.path.join(folder, "bin", "python")
        done = subprocess.run([python, *PIP[1:], str(SOURCE), f"--config-settings=build={BUILD}"], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("HILDA", "PYTHON"))}
        used = subprocess.run([python, "-c", USES_IT], capture_output=True, text=True, cwd="/",
                              env={**environment, "WHERE": folder})
        self.assertEqual(used.returncode, 0, used.stderr)

    def test_installs_from_a_prefix(self):
        prefix = tempfile.mkdtemp(prefix="hilda_prefix_")
        self.addCleanup(subprocess.run, ["rm", "-rf", prefix])
        installed = subprocess.run(["cmake", "--install", str(BUILD), "--prefix", prefix], capture_output=True, text=True)
        self.assertEqual(installed.returncode, 0, installed.stderr)
        self.install(pathlib.Path(prefix) / "share" / "hilda" / "python")

    def test_two_wheels_are_equal(self):
        sys.path.insert(0, str(SOURCE / "python"))
        import hilda_build
        wheels = []
        for _ in range(2):
            folder = pathlib.Path(tempfile.mkdtemp(prefix="hilda_wheel_"))
            self.addCleanup(subprocess.run, ["rm", "-rf", str(folder)])
            wheels.append((folder / hilda_build.build_wheel(folder, {"build": str(BUILD)})).read_bytes())
        self.assertEqual(wheels[0], wheels[1])

    def test_says_where_the_module_is_another_pythons(self):
        sys.path.insert(0, str(SOURCE / "python"))
        from hilda_build import contents
        empty = pathlib.Path(tempfile.mkdtemp(prefix="hilda_empty_"))
        self.addCleanup(subprocess.run, ["rm", "-rf", str(empty)])
        (empty / "_engine.cpython-36m-x86_64-linux-gnu.so").touch()
        with self.assertRaisesRegex(SystemExit, r"expected _engine\.\S+, found _engine.cpython-36m-x86_64-linux-gnu.so"):
            contents.module_file(empty)


if __name__ == "__main__":
    if not have_pip() or shutil.which("patchelf") is None:
        print("not run: this Python has no pip (python3-pip, python3-venv), or patchelf is missing")
        sys.exit(77)  # ctest says that it was skipped
    unittest.main()
