# SPDX-License-Identifier: BSD-3-Clause
"""python_run.py SECONDS FOLDER DIAGRAMS...: runs diagrams in Python and writes their logs, FOLDER/NAME.mcap."""

import pathlib
import sys

import hilda

seconds, folder = float(sys.argv[1]), pathlib.Path(sys.argv[2])
for diagram in map(pathlib.Path, sys.argv[3:]):
    hilda.Simulation(diagram, mode="sim").run(seconds, log=folder / (diagram.stem + ".mcap"))
