# SPDX-License-Identifier: BSD-3-Clause
"""Why the compiled half of the package cannot be loaded, in words, and what to do."""

from __future__ import annotations

import importlib
import platform
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
AGAIN = "install hilda again: pip install --force-reinstall with the same wheel"
THIS = f"Python {sys.version_info.major}.{sys.version_info.minor} on {platform.machine()}"


def made_for(module: Path) -> str:
    """'Python 3.12 on aarch64' of _engine.cpython-312-aarch64-linux-gnu.so."""
    found = re.match(r"_engine\.cpython-(\d)(\d+)-([^-]+)-", module.name)
    return f"Python {found[1]}.{found[2]} on {found[3]}" if found else module.name


def reason(failed: ImportError) -> tuple[str, str]:
    """The error, and what to do."""
    text = str(failed)
    missing = re.match(r"(\S+): cannot open shared object file", text)
    version = re.search(r"version [`'](\w+?)_([\d.]+)' not found", text)
    modules = sorted(HERE.glob("_engine*.so"))
    if failed.name == "numpy":
        return "hilda needs NumPy, and this Python has none", "pip install numpy, or on Debian: apt-get install python3-numpy"
    if failed.name == f"{__package__}._engine" or "cannot import name '_engine'" in text:
        if not modules:
            return f"{HERE} has no module _engine, which is the compiled half of hilda", AGAIN
        tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
        return (f"this hilda is for {', '.join(map(made_for, modules))}, and this is {THIS}",
                f"install the wheel for this one, hilda-*-{tag}-{tag}-*_{platform.machine()}.whl, or build it from the sources")
    if missing:
        return f"the library {missing[1]} is missing, which belongs to hilda in {HERE}", AGAIN
    if version:
        library = {"GLIBC": "GNU C library (glibc)", "GLIBCXX": "C++ library (libstdc++)"}.get(version[1], version[1])
        return (f"hilda needs the {library} {version[1]}_{version[2]} or newer, and this system has an older one",
                "use a newer system, or build hilda from its sources on this one")
    return text, AGAIN


def needed(name: str, what: str) -> Any:
    """An optional package, for a method: "plot()"."""
    try:
        return importlib.import_module(name)
    except ImportError as failed:
        package = name.split(".")[0]
        debian = "" if package in ("control", "gymnasium") else f", or on Debian: apt-get install python3-{package}"
        raise ImportError(f"{what} needs {package}: {failed}\nhelp: pip install {package}{debian}", name=failed.name) from failed


def explained(failed: ImportError) -> ImportError:
    what, help_text = reason(failed)
    return ImportError(f"{what}\nhelp: {help_text}", name=failed.name, path=failed.path)
