# SPDX-License-Identifier: BSD-3-Clause
"""Puts the libraries that no system promises into the wheel's tree, under names of hilda's own.

libfmt.so.9 becomes hldfmt.so.9, as in an FMU: a process that has loaded the system's library of that name keeps both apart.
"""

import os
import pathlib
import re
import shutil
import subprocess

from . import bill
from .elf import Elf, is_elf, strings_of
from .manylinux import ALLOWED

OWN = "hld"  # as long as "lib": names are replaced where they lie
FOLDER = "lib/hilda/needed"
PAGE = "65536" if os.uname().machine == "aarch64" else "4096"  # the largest that the processor's systems have
HELP = ("hilda: {} is not found, and the wheel needs it to contain its libraries; apt-get install {}. "
        "--config-settings=libraries=system makes a wheel that needs the libraries of this system")


def own_name(library):
    if not library.startswith("lib"):
        raise SystemExit(f"hilda: the library {library} cannot be renamed: its name does not begin with lib")
    return OWN + library.removeprefix("lib")


def located(file):
    """{library: path} of all that the dynamic linker takes for this file."""
    said = subprocess.run(["ldd", file], capture_output=True, text=True).stdout
    missing = re.findall(r"(\S+) => not found", said)
    if [each for each in missing if not each.startswith("libhilda.so")]:
        raise SystemExit(f"hilda: {file.name} needs {', '.join(missing)}, which this system does not have; "
                         "install what it was built with")
    return {name: pathlib.Path(path) for name, path in re.findall(r"(\S+) => (/\S+)", said)}


def owner(library):
    """The Debian package of a library, and the text of its licence."""
    for path in dict.fromkeys([str(library), os.path.realpath(library), str(library).removeprefix("/usr")]):
        said = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True).stdout if shutil.which("dpkg") else ""
        package = said.partition(":")[0].partition(",")[0]
        text = pathlib.Path("/usr/share/doc", package, "copyright")
        if package and text.is_file():
            return package, text
    raise SystemExit(f"hilda: no licence is found for {library}, and a wheel that contains a library must contain its licence "
                     "(Debian has it in /usr/share/doc/PACKAGE/copyright); --config-settings=libraries=system makes a wheel "
                     "without it")


def needed_libraries(binaries):
    """{library: path} of what must come along, with what that needs in turn."""
    found, own = {}, {each.name for each in binaries}
    for binary in binaries:
        places = located(binary)
        waiting = [each for each in Elf(binary).needed]
        while waiting:
            name = waiting.pop()
            if name in ALLOWED or name in own or name in found:
                continue
            found[name] = places[name]
            waiting += Elf(places[name]).needed
    return found


def renamed_inside(file, names):
    """Names of libraries in a binary, replaced where they lie: the new ones have the length of the old ones. patchelf 0.14
    does that only one at a time, and adds a page for each."""
    data = bytearray(file.read_bytes())
    start, size = strings_of(file)
    for name, other in names.items():
        old, new = f"\0{name}\0".encode(), f"\0{other}\0".encode()
        at = data.find(old, start, start + size)
        if at >= 0:
            data[at:at + len(new)] = new
    file.write_bytes(data)


def look_in(file, folders):
    """Where it looks for its libraries. An RPATH, and no RUNPATH: an FMU that contains a plugin has the libraries in another
    folder, which the FMU's own library names for both."""
    done = subprocess.run(["patchelf", "--page-size", PAGE, "--force-rpath", "--set-rpath", ":".join(folders), file],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"hilda: patchelf cannot change {file.name}: {done.stderr.strip()}")


def put_inside(tree):
    """TREE is the package's folder. Afterwards its binaries need nothing of the system that is not on manylinux's list."""
    for program, package in (("patchelf", "patchelf"), ("ldd", "libc-bin")):
        if shutil.which(program) is None:
            raise SystemExit(HELP.format(program, package))
    binaries = sorted(each for each in tree.rglob("*") if each.is_file() and is_elf(each))
    found = needed_libraries(binaries)
    renamed = {name: own_name(name) for name in found}
    packages = {}
    folder = tree / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, path in sorted(found.items()):
        copy = folder / renamed[name]
        shutil.copyfile(path, copy)
        renamed_inside(copy, renamed)
        look_in(copy, ["$ORIGIN"])
        package, text = owner(path)
        packages.setdefault(package, []).append(f"{FOLDER}/{renamed[name]}")
        shutil.copyfile(text, tree / "share/doc/hilda" / f"{package}-copyright.txt")
    for binary in binaries:
        renamed_inside(binary, renamed)
        if needs_own(binary):
            look_in(binary, folders_for(binary.parent, tree))
    bill.contained(tree / "share/hilda/sbom.spdx.json", packages)


def needs_own(binary):
    return any(each not in ALLOWED for each in Elf(binary).needed)


def folders_for(place, tree):
    """libhilda.so, and the libraries that came along; in an FMU all of it is in one folder."""
    return ["$ORIGIN", *("$ORIGIN/" + os.path.relpath(tree / folder, place) for folder in ("lib/hilda", FOLDER))]
