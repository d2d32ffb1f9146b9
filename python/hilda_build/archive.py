# SPDX-License-Identifier: BSD-3-Clause
"""Writes a wheel: a zip file with a list of its files and their hashes. Equal contents give equal bytes."""

import base64
import hashlib
import zipfile

EPOCH = (1980, 1, 1, 0, 0, 0)


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


class Wheel:
    def __init__(self, file, info, level=9):
        self.zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self.level = level
        self.info = info
        self.record = []

    def add(self, name, data, executable=False):
        entry = zipfile.ZipInfo(name, EPOCH)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        self.zip.writestr(entry, data, compresslevel=self.level)
        self.record.append(f"{name},sha256={digest(data)},{len(data)}")

    def close(self):
        listed = f"{self.info}/RECORD"
        self.record.append(f"{listed},,")
        self.zip.writestr(zipfile.ZipInfo(listed, EPOCH), "\n".join(self.record) + "\n")
        self.zip.close()


def record_faults(opened):
    """Files of an open wheel that its RECORD does not name as they are."""
    names = opened.namelist()
    record = next((name for name in names if name.endswith(".dist-info/RECORD")), None)
    if record is None:
        return ["the wheel has no RECORD"]
    rows = dict(line.rsplit(",", 2)[:2] for line in opened.read(record).decode().splitlines())
    faults = [f"{name} is in RECORD and not in the wheel" for name in rows if name not in names]
    for name in names:
        if name not in rows:
            faults.append(f"{name} is in the wheel and not in RECORD")
        elif name != record and rows[name] != "sha256=" + digest(opened.read(name)):
            faults.append(f"{name} has another hash than RECORD says")
    return faults
