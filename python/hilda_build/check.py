# SPDX-License-Identifier: BSD-3-Clause
"""Is a wheel what its name says? It is unpacked and its binaries are read; nothing of it runs."""

import pathlib
import re
import tempfile
import zipfile

from . import archive, manylinux
from .elf import Elf, is_elf
from .libraries import FOLDER, OWN

NAME = re.compile(r"(?P<name>[^-]+)-(?P<version>[^-]+)-(?P<python>cp\d+)-(?P=python)-(?P<platform>manylinux_2_(?P<glibc>\d+)_(?P<processor>\w+))\.whl")


class Found:
    """What a wheel contains, and what is wrong with it."""

    def __init__(self, file):
        self.faults, self.tag, self.outside, self.libraries = [], "", set(), []
        named = NAME.fullmatch(file.name)
        if named is None:
            self.faults.append(f"{file.name} is not named NAME-VERSION-cpN-cpN-manylinux_2_N_PROCESSOR.whl, so it says that it "
                               "runs on the system alone that it was built on")
        with zipfile.ZipFile(file) as opened, tempfile.TemporaryDirectory(prefix="hilda_check_") as folder:
            self.faults += archive.record_faults(opened)
            opened.extractall(folder)
            root = pathlib.Path(folder)
            self.read_binaries({str(each.relative_to(root)): each for each in sorted(root.rglob("*"))
                                if each.is_file() and is_elf(each)}, named)
            if named is not None:
                self.read_texts(root, named)

    def read_binaries(self, binaries, named):
        processor = named["processor"] if named else "x86_64"
        self.tag, faults = manylinux.judged(binaries, processor)
        self.faults += faults
        if named and int(named["glibc"]) < int(self.tag.split("_")[2]):
            self.faults.append(f"its name says {named['platform']}, and its binaries need {self.tag}")
        for name, file in binaries.items():
            elf = Elf(file)
            self.outside |= manylinux.ALLOWED.intersection(elf.needed)
            if f"/{FOLDER}/" in f"/{name}":
                self.libraries.append(pathlib.PurePosixPath(name).name)
                if not elf.soname.startswith(OWN) or elf.soname != self.libraries[-1]:
                    self.faults.append(f"{name} has the name {elf.soname}, by which a process may have the system's library")
        modules = [name for name in binaries if "/_engine." in name]
        if named and not [each for each in modules if f"cpython-{named['python'][2:]}-{named['processor']}" in each]:
            self.faults.append(f"its name says {named['python']} on {named['processor']}, and its module is {modules or 'missing'}")

    def read_texts(self, root, named):
        info = root / f"{named['name']}-{named['version']}.dist-info"
        tag = f"Tag: {named['python']}-{named['python']}-{named['platform']}"
        for file, line in (("WHEEL", tag), ("METADATA", f"Version: {named['version']}")):
            text = (info / file).read_text() if (info / file).is_file() else ""
            if line not in text.splitlines():
                self.faults.append(f"{info.name}/{file} does not say '{line}', as the wheel's name does")
