# SPDX-License-Identifier: BSD-3-Clause
"""The machine that a page was measured on."""
import pathlib
import platform


def kind_of_machine():
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
