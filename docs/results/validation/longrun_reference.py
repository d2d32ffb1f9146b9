# SPDX-License-Identifier: BSD-3-Clause
"""Seeds of the equations on one axis, by longrun_reference.cpp."""
import hashlib
import json
import subprocess

from runs import project


class Reference:
    """Speeds after contact 1000, of as many seeds. Its equations are tests/diagrams/one_axis.cpp, which tests hold against the diagrams."""

    def __init__(self, method, delay, seeds, ledger):
        self.words = [method, str(delay), str(seeds), "1000", "on" if ledger else "off"]
        text = b"".join((project / file).read_bytes() for file in
                        ("tests/diagrams/one_axis.cpp", "tests/diagrams/one_axis.h", "docs/results/validation/longrun_reference.cpp"))
        self.kind, self.key = "reference", json.dumps(["reference", hashlib.sha256(text).hexdigest()[:12], *self.words])

    def run(self, folder):
        program = folder / "longrun_reference"
        subprocess.run(["g++", "-std=c++20", "-O2", f"-I{project}", "-o", str(program), str(project / "docs/results/validation/longrun_reference.cpp"),
                        str(project / "tests" / "diagrams" / "one_axis.cpp")], check=True)
        lines = subprocess.run([str(program), *self.words], capture_output=True, text=True, check=True).stdout.split()
        return [float(line) for line in lines]
