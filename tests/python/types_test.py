# SPDX-License-Identifier: BSD-3-Clause
"""The package and a user's first lines under `mypy --strict`."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import hilda

USER = '''
import hilda
import numpy as np

simulation = hilda.Simulation(hilda.library_file("dac.xml"), settings={"response_delay": "12 ms"})
run = simulation.run(0.1)
force = run["rig.wrench.force.x"].max()
with hilda.Simulation("cart.xml", mode="sim") as cart:
    cart.step(10)
    cart.input("push").write(np.zeros(3))
names: list[str] = run.keys()
model = hilda.linearize("loop.xml", "motor.y", ["joint.y"], time=1.0)
damped: bool = bool((model.poles.real < 0).all())
env = hilda.Env("cart.xml", actions=["push"], observations=["position.y"], reward=lambda seen, action: float(-seen[0]))
seen, reward, terminated, truncated, info = env.step([0.3])

@hilda.block(doc="First-order filter")
class Filter(hilda.Block):
    u = hilda.Input("@u")
    y = hilda.Output("@u")
    x = hilda.State("@u", continuous=True)

    def output(self, t: hilda.Tick) -> None:
        self.y = self.x

    def derivatives(self, t: hilda.Tick) -> None:
        self.x_dot = (self.u - self.x) / (100 * t.period)

hilda.Simulation("loop.xml", blocks=[Filter])

from hilda import testing

bench = testing.Bench(Filter, period=2e-3, shapes={"u": (1,)})
bench["u"] = 1.0
bench.step(20)
ok: bool = all(finding.verdict != "failed" for finding in testing.check_all(Filter))
'''


class Types(unittest.TestCase):
    def test_strict(self):
        mypy = shutil.which("mypy")
        if mypy is None:
            sys.exit(77)
        package = str(pathlib.Path(hilda.__file__).resolve().parent.parent)
        with tempfile.TemporaryDirectory() as folder:
            user, wrong = pathlib.Path(folder) / "user.py", pathlib.Path(folder) / "wrong.py"
            user.write_text(USER)
            wrong.write_text(USER + "\nwrong: int = run.keys()\n")
            done = subprocess.run([mypy, "--strict", "--python-version", "3.11", "--cache-dir", folder, "--no-error-summary",
                                   str(user), str(wrong)], capture_output=True, text=True, check=False, cwd=folder,
                                  env={**os.environ, "MYPYPATH": package})
            said = done.stdout.splitlines()
            self.assertEqual(len(said), 1, done.stdout + done.stderr)
            self.assertRegex(said[0], r'^wrong\.py:.*variable has type "int"')

    def test_the_stub_says_what_the_module_has(self):
        """stubtest, without what pybind11's classes are for it: their metaclass, and constructors that cannot be called."""
        if shutil.which("mypy") is None:
            sys.exit(77)
        package = str(pathlib.Path(hilda.__file__).resolve().parent.parent)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "--concise", "hilda._engine"], capture_output=True, text=True, cwd=folder,
                                  env={**os.environ, "MYPYPATH": package})
        of_pybind = re.compile(r'is inconsistent, (metaclass differs|stub does not have \*args argument "args"|stub argument "self" differs from runtime argument)')
        said = [line for line in (done.stdout + done.stderr).splitlines() if not of_pybind.search(line) and "Found" not in line]
        self.assertEqual(said, [])
        self.assertIn("metaclass differs", done.stdout)  # it has looked


if __name__ == "__main__":
    unittest.main()
