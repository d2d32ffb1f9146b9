# SPDX-License-Identifier: BSD-3-Clause
"""The tag manylinux_2_N of a wheel (PEP 600), from what its binaries need; or what speaks against any such tag.

The list of libraries and the versions of symbols are those that auditwheel holds a wheel against.
"""

import pathlib

from .elf import Elf

# What a system with glibc and Python has, under these names. All else is in the wheel.
ALLOWED = {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libanl.so.1", "libatomic.so.1", "libc.so.6", "libdl.so.2",
           "libexpat.so.1", "libgcc_s.so.1", "libm.so.6", "libmvec.so.1", "libnsl.so.1", "libpthread.so.0", "libresolv.so.2",
           "librt.so.1", "libstdc++.so.6", "libutil.so.1", "libz.so.1"}
# Newest version of a family in a system whose glibc is 2.N: (version, N), oldest first.
FAMILIES = {
    "GLIBCXX": [("3.4.19", 17), ("3.4.22", 24), ("3.4.24", 27), ("3.4.28", 31), ("3.4.29", 34), ("3.4.30", 35), ("3.4.33", 39)],
    "CXXABI": [("1.3.7", 17), ("1.3.10", 24), ("1.3.11", 27), ("1.3.12", 31), ("1.3.13", 34), ("1.3.15", 39)],
    "GCC": [("4.8.0", 17), ("7.0.0", 27), ("12.0.0", 35), ("14.0.0", 39)],
    "LIBATOMIC": [("1.0", 17), ("1.2", 24)],
    "ZLIB": [("1.2.5.2", 17), ("1.2.9", 27), ("1.2.12", 37)],
}
OLDEST = 17  # manylinux2014: the oldest that pip takes for every processor
RELATIVE_RELOCATIONS = 36  # GLIBC_ABI_DT_RELR came with it


def parts(version):
    return [int(each) for each in version.split(".")]


def glibc_of(version):
    """The N of the oldest glibc 2.N whose system has this version of symbols; None: no system promises it."""
    family, _, number = version.rpartition("_")
    if version == "GLIBC_ABI_DT_RELR":
        return RELATIVE_RELOCATIONS
    if not number.replace(".", "").isdigit():
        return None
    if family == "GLIBC":
        return max(OLDEST, parts(number)[1])
    return next((glibc for newest, glibc in FAMILIES.get(family, []) if parts(number) <= parts(newest)), None)


def inside(name, elf, library, names):
    """Is the library in the wheel, where this file looks for it? Names are those in the wheel, `name` is the file's."""
    folder = pathlib.PurePosixPath(name).parent
    for each in elf.search:
        steps = pathlib.PurePosixPath(each.replace("$ORIGIN", str(folder), 1)).parts
        place = []
        for step in steps:
            place = place[:-1] if step == ".." else [*place, step]
        if "/".join([*place, library]) in names:
            return True
    return False


def faults_of(name, elf, processor, names):
    if elf.processor != processor:
        yield f"{name} is for {elf.processor}, and the wheel for {processor}"
    if elf.executable_stack:
        yield f"{name} asks for an executable stack, which systems refuse"
    for each in elf.search:
        if not each.startswith("$ORIGIN"):
            yield f"{name} looks for libraries in {each}, which is outside of the wheel"
    for library in elf.needed:
        if library not in ALLOWED and not inside(name, elf, library, names):
            yield f"{name} needs {library}, which is neither on the list of manylinux nor in the wheel where it looks"
    for library, version in elf.versions:
        if library in ALLOWED and glibc_of(version) is None:
            yield f"{name} needs {version} of {library}, which no release of manylinux promises"


def judged(files, processor):
    """(tag, faults) of {name in the wheel: file}; the tag counts where there is no fault."""
    newest, faults = OLDEST, []
    elves = {name: Elf(file) for name, file in files.items()}
    for name, elf in sorted(elves.items()):
        faults += faults_of(name, elf, processor, set(files))
        newest = max([newest, *(glibc_of(version) or 0 for library, version in elf.versions if library in ALLOWED)])
    return f"manylinux_2_{newest}_{processor}", faults
