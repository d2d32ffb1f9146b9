# SPDX-License-Identifier: BSD-3-Clause
"""Drives an FMU step by step and prints its outputs and the sum of their bits; with Python's own library alone, for a machine without hilda.

drive.py FMU FOLDER STEPS      unpacks the FMU into the folder
"""

import hashlib
import sys
import time

import importer


def main(file, folder, steps):
    begin = time.perf_counter()
    fmu = importer.Fmu(file, folder)
    one = fmu.instance()
    one.start()
    loaded = time.perf_counter() - begin
    reals = [each for each in fmu.outputs() if each.type in ("Real", "Float64")]
    bits, taken = hashlib.sha256(), 0
    for _ in range(int(steps)):
        bits.update(one.read_all(reals))
        taken += 1
        if not one.step():
            break
    used = time.perf_counter() - begin - loaded
    one.free()
    print(f"FMI {fmu.version}.0, {fmu.kind.get('modelIdentifier')}: loaded in {1e3 * loaded:.0f} ms, {taken} steps in {1e3 * used:.0f} ms, "
          f"bits of {len(reals)} variables {bits.hexdigest()[:16]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
