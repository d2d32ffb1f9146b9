# SPDX-License-Identifier: BSD-3-Clause
"""What a binary needs of others, as readelf prints it."""

import os
import re
import shutil
import subprocess

MAGIC = b"\x7fELF"
PROCESSORS = {"Advanced Micro Devices X86-64": "x86_64", "AArch64": "aarch64"}


def is_elf(file):
    with file.open("rb") as opened:
        return opened.read(len(MAGIC)) == MAGIC


class Elf:
    def __init__(self, file):
        text = printed(file)
        machine = re.search(r"^\s*Machine:\s*(.+?)\s*$", text, re.M)
        self.processor = PROCESSORS.get(machine[1], machine[1]) if machine else "unknown"
        self.needed = re.findall(r"\(NEEDED\)\s+Shared library: \[(.+?)\]", text)
        self.soname = (re.findall(r"\(SONAME\)\s+Library soname: \[(.+?)\]", text) or [""])[0]
        self.search = [each for path in re.findall(r"\((?:RPATH|RUNPATH)\)\s+Library r\w*path: \[(.*?)\]", text)
                       for each in path.split(":") if each]
        self.versions = list(versions(text))
        self.executable_stack = re.search(r"GNU_STACK\s.*\sRWE\s", text) is not None


def versions(text):
    """(library, version) of each symbol version that the file requires from others."""
    wanted = re.search(r"^Version needs section.*?(?=^Version|\Z)", text, re.M | re.S)
    library = ""
    for file, version in re.findall(r"File: (\S+)|Name: (\S+)", wanted[0] if wanted else ""):
        library = file or library
        if version:
            yield library, version


def strings_of(file):
    """(offset, size) of the names that the dynamic linker reads."""
    found = re.search(r"\s\.dynstr\s+STRTAB\s+[0-9a-f]+\s+([0-9a-f]+)\s+([0-9a-f]+)", printed(file, "-S"))
    if found is None:
        raise SystemExit(f"hilda: {file} has no section .dynstr, so its libraries cannot be renamed")
    return int(found[1], 16), int(found[2], 16)


def printed(file, *options):
    if shutil.which("readelf") is None:
        raise SystemExit("hilda: readelf is not found; apt-get install binutils")
    done = subprocess.run(["readelf", *(options or ("-h", "-d", "-l", "-V")), "-W", file], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    if done.returncode != 0:
        raise SystemExit(f"hilda: readelf cannot read {file}: {done.stderr.strip()}")
    return done.stdout
