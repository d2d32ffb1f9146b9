# SPDX-License-Identifier: BSD-3-Clause
"""What a wheel has of an installed prefix. The package's folder is its own prefix: hilda/bin, hilda/lib, hilda/share."""

import pathlib
import shutil
import sys
import sysconfig

PACKAGE = "lib/python3/dist-packages/hilda"
# Patterns of files that keep their place. The whole list: a prefix such as /usr has files of others.
PROGRAM = ["bin/hilda", "lib/hilda/libhilda.so.*", "lib/hilda/libhilda_math.a*", "lib/hilda/plugins/*.so",
           "lib/hilda/languages/*", "lib/hilda/fmu/*.so",
           "lib/cmake/hilda/*", "include/hilda/**/*", "share/hilda/diagrams/**/*", "share/hilda/template/**/*",
           "share/hilda/*.rng", "share/hilda/*.xsd", "share/hilda/*.json", "share/doc/hilda/*-copyright.txt",
           "share/doc/hilda/page-licences.txt", "share/doc/hilda/THIRD_PARTY.md"]
# Without these a wheel is not a whole hilda: (pattern, how it comes about).
EXPECTED = [("bin/hilda", "the target hilda"), ("lib/hilda/libhilda.so.*", "the target hilda"),
            ("lib/hilda/plugins/*.so", "the target hilda_plugins"), ("share/hilda/diagrams/pida.xml", "an installation"),
            ("share/hilda/diagram.xsd", "the target hilda_schema")]


def module_file(package):
    """The module for this very Python; another one's would not be found by `import`."""
    module = package / ("_engine" + sysconfig.get_config_var("EXT_SUFFIX"))
    if module.is_file():
        return module
    others = ", ".join(sorted(each.name for each in package.glob("_engine*.so"))) or "none"
    raise SystemExit(f"hilda: no module for {sys.executable} (Python {sysconfig.get_python_version()}): "
                     f"expected {module.name}, found {others}. Install from hilda's sources with this Python, or "
                     "build them with -DHILDA_PYTHON=" + sys.executable)


def files(prefix):
    """(place in the package's folder, file)"""
    package = prefix / PACKAGE
    yield module_file(package).name, module_file(package)
    for file in sorted(package.iterdir()):
        if file.suffix in (".py", ".pyi", ".typed"):
            yield file.name, file
    for pattern in PROGRAM:
        for file in sorted(prefix.glob(pattern)):
            if file.is_file() and not file.is_symlink():  # a wheel has no links
                yield str(file.relative_to(prefix)), file


def copied(prefix, tree):
    """Copies them into TREE, which patchelf may change."""
    for pattern, made in EXPECTED:
        if not any(prefix.glob(pattern)):
            raise SystemExit(f"hilda: {prefix / pattern} is missing, and the wheel needs it; {made} makes it")
    for place, file in files(prefix):
        copy = tree / place
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    licence = next((each for name in ("LICENSE", "copyright") if (each := prefix / "share/doc/hilda" / name).is_file()), None)
    if licence is None:
        raise SystemExit(f"hilda: {prefix}/share/doc/hilda has neither LICENSE nor copyright; a wheel must contain the licence")
    (tree / "share/doc/hilda").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(licence, tree / "share/doc/hilda/LICENSE")


def listed(tree):
    return {str(pathlib.Path("hilda") / file.relative_to(tree)): file for file in sorted(tree.rglob("*")) if file.is_file()}
