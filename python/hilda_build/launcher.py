#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The command `hilda` of a wheel: it starts the program that lies in the package. Nothing of the package is imported, which
would take longer than the program's own start."""

import os
import sys

CODE = 3  # as the program: it could not run
REPAIR = "pip install --force-reinstall with the wheel again"


def why(program, failed):
    """What a start that failed means, and what to do."""
    if failed.errno == 8:  # ENOEXEC
        return (f"{program} is for another processor than this one ({os.uname().machine})",
                f"install the wheel whose name ends with {os.uname().machine}.whl")
    if failed.errno == 2 and os.path.exists(program):  # its loader is missing
        return (f"{program} needs the GNU C library, and this system has none",
                "use a system with glibc 2.36 or newer; Alpine and other systems with musl have none")
    if failed.errno == 13:
        return f"{program} may not be executed", "look whether its folder is mounted noexec, and at its permissions"
    return f"{program} cannot be started: {failed.strerror}", REPAIR


def main():
    programs = [os.path.join(folder, "hilda", "bin", "hilda") for folder in sys.path]
    program = next((each for each in programs if os.path.isfile(each)), None)
    if program is None:
        what, help_text = f"the package hilda is not found by {sys.executable}", REPAIR
    else:
        try:
            os.execv(program, sys.argv)
        except OSError as failed:
            what, help_text = why(program, failed)
    sys.stderr.write(f"error: {what}\nhelp: {help_text}\n")
    return CODE


if __name__ == "__main__":
    sys.exit(main())
