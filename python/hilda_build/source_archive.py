# SPDX-License-Identifier: BSD-3-Clause
"""The source distribution: the files of the repository, and the revision that they are of.

A build reads revision.txt where there is no repository, so that a wheel from this archive has the bytes of one from the
repository (cmake/write_version.cmake, tools/third_party.py).
"""

import gzip
import io
import os
import subprocess
import tarfile

REVISION = "revision.txt"
NOT_SOURCES = {"build", "out", "__pycache__", "node_modules", ".cache", ".git"}


def git(root, *words):
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def revision(root):
    """'REVISION SECONDS', the second the time of the commit."""
    if (root / REVISION).is_file():
        return (root / REVISION).read_text()
    described = git(root, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*").strip() or "unknown"
    return f"{described} {git(root, 'log', '-1', '--format=%ct').strip() or 0}\n"


def files(root):
    """The repository's; of an unpacked archive all but what a build has made."""
    if (root / REVISION).is_file() or not (names := git(root, "ls-files", "-z")):
        found = []
        for place, folders, here in os.walk(root):
            folders[:] = [each for each in folders if each not in NOT_SOURCES and not each.startswith("build-")]
            found += [os.path.relpath(os.path.join(place, name), root) for name in here]
        return sorted(set(found) - {REVISION, "PKG-INFO"})
    return sorted(name for name in names.split("\0") if name and os.path.lexists(root / name))


def write(root, file, folder, metadata):
    """All of it in FOLDER; equal sources give equal bytes."""
    with open(file, "wb") as opened, gzip.GzipFile("", "wb", 9, opened, mtime=0) as packed, \
         tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, text in (("PKG-INFO", metadata), (REVISION, revision(root))):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mode = len(text.encode()), 0o644
            archive.addfile(entry, io.BytesIO(text.encode()))
        for name in files(root):
            entry = archive.gettarinfo(root / name, f"{folder}/{name}")
            entry.uid = entry.gid = entry.mtime = 0
            entry.uname = entry.gname = ""
            entry.mode = 0o755 if entry.mode & 0o100 else 0o644
            with open(root / name, "rb") as source:
                archive.addfile(entry, source if entry.isreg() else None)
