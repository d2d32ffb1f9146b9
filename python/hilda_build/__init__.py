# SPDX-License-Identifier: BSD-3-Clause
"""Makes the wheel and the source distribution of the package hilda, for pip: from the sources, or from an installed hilda.

A backend of our own (PEP 517): a wheel is a zip file with three texts in it, and all the rest is CMake's work. From an
installed prefix nothing is compiled: what lies there is packed, for the Python that it was built for.

--config-settings=build=FOLDER takes a build folder that is there already. --config-settings=libraries=system leaves the
libraries out that the wheel else contains, and the wheel says by its tag that it is for this system alone.
"""

import pathlib
import re
import sys
import sysconfig
import tempfile

from . import archive, contents, libraries, manylinux, source_archive
from .elf import is_elf
from .source import Prefix, source

NAME = "hilda"
OLDEST = (3, 9)
SETTINGS = {"build", "libraries"}


def check_python():
    if sys.version_info < OLDEST:
        raise SystemExit("hilda: Python %d.%d or newer is needed" % OLDEST)


def check_settings(settings):
    for name, value in settings.items():
        if name not in SETTINGS:
            raise SystemExit(f"hilda: no setting is called {name}; there are {', '.join(sorted(SETTINGS))}")
        if name == "libraries" and value not in ("inside", "system"):
            raise SystemExit(f"hilda: libraries={value}: it is inside or system")


def metadata(version):
    return (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\n"
            "Summary: Block diagrams in closed loop with robots and force sensors\n"
            "License: BSD-3-Clause\nRequires-Python: >=3.9\nRequires-Dist: numpy<2\n")


def python_tag():
    return f"cp{sys.version_info.major}{sys.version_info.minor}"


def platform_tag(tree, inside):
    """What the wheel's binaries can run on; with the system's libraries, this system."""
    here = re.sub("[-.]", "_", sysconfig.get_platform())
    if not inside:
        return here
    binaries = {name: file for name, file in contents.listed(tree).items() if is_elf(file)}
    tag, faults = manylinux.judged(binaries, here.partition("_")[2])
    if faults:
        raise SystemExit("hilda: this wheel would run on this system alone:\n  " + "\n  ".join(faults))
    return tag


def launcher():
    """The command's text; pip puts its Python into the first line."""
    text = (pathlib.Path(__file__).parent / "launcher.py").read_text()
    return "#!python\n" + text.partition("\n")[2]


def write_wheel(folder, tree, version, platform):
    tag = f"{python_tag()}-{python_tag()}-{platform}"
    info = f"{NAME}-{version}.dist-info"
    name = f"{NAME}-{version}-{tag}.whl"
    wheel = archive.Wheel(pathlib.Path(folder) / name, info)
    for inside, file in contents.listed(tree).items():
        wheel.add(inside, file.read_bytes(), is_elf(file))
    wheel.add(f"{NAME}-{version}.data/scripts/{NAME}", launcher().encode(), executable=True)
    wheel.add(f"{info}/METADATA", metadata(version).encode())
    wheel.add(f"{info}/WHEEL",
              f"Wheel-Version: 1.0\nGenerator: hilda_build\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    wheel.close()
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = config_settings or {}
    check_python()
    check_settings(settings)
    made = source(settings)
    made.make()
    with tempfile.TemporaryDirectory(prefix="hilda_wheel_") as work:
        tree = pathlib.Path(work, "package")
        tree.mkdir()
        contents.copied(made.installed(pathlib.Path(work, "prefix")), tree)
        inside = settings.get("libraries", "inside") == "inside"
        if inside:
            libraries.put_inside(tree)
        return write_wheel(wheel_directory, tree, made.version(), platform_tag(tree, inside))


def build_sdist(sdist_directory, config_settings=None):
    made = source(config_settings or {})
    if isinstance(made, Prefix):
        raise SystemExit("hilda: a source distribution is made in hilda's source tree, and not from an installed hilda")
    folder = f"{NAME}-{made.version()}"
    source_archive.write(made.root, pathlib.Path(sdist_directory) / f"{folder}.tar.gz", folder, metadata(made.version()))
    return f"{folder}.tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []
