# SPDX-License-Identifier: BSD-3-Clause
"""The package and a user's first lines under `mypy --strict`."""

import os
import pathlib
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


if __name__ == "__main__":
    unittest.main()
