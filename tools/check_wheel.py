#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks wheels of hilda: tools/check_wheel.py FILE.whl...

A wheel passes if its binaries need nothing of a system but the libraries and versions of symbols that its tag manylinux_2_N
promises, if what it contains besides has names of hilda's own, and if its list of files and hashes is right.
"""

import pathlib
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

from hilda_build.check import Found


def main():
    files = [pathlib.Path(each) for each in sys.argv[1:]]
    if not files or any(each.suffix != ".whl" for each in files):
        raise SystemExit(__doc__)
    failed = False
    for file in files:
        if not zipfile.is_zipfile(file):
            raise SystemExit(f"error: {file} is not a wheel: it is missing, or no zip file")
        found = Found(file)
        for fault in found.faults:
            print(f"error: {file.name}: {fault}", file=sys.stderr)
        failed = failed or bool(found.faults)
        if not found.faults:
            print(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB, needs {found.tag}; of the system {' '.join(sorted(found.outside))}; "
                  f"contains {' '.join(sorted(found.libraries))}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
