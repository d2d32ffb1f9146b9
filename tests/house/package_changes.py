#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""house.package_changes CMAKE SOURCES: an optional library that is installed or removed after the first configuration is
noticed by the next build (cmake/PackageChanges.cmake), and a build after neither does not configure again."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(toy NONE)
set(hilda_package_records "{prefix}/status")
include("{sources}/cmake/PackageChanges.cmake")
find_library(toy_LIBRARY toy NO_DEFAULT_PATH PATHS "{prefix}")
file(WRITE "{prefix}/found" "${{toy_LIBRARY}}")
"""


def main(cmake, sources):
    with tempfile.TemporaryDirectory() as folder:
        prefix = pathlib.Path(folder)
        (prefix / "CMakeLists.txt").write_text(PROJECT.format(prefix=prefix, sources=sources))
        status, library, found = prefix / "status", prefix / "libtoy.so", prefix / "found"
        library_of_none = "toy_LIBRARY-NOTFOUND"

        def installed(change):
            change()
            configured = (prefix / "build" / "build.ninja").stat().st_mtime
            while time.time() <= configured + 0.01:  # a file system's times have steps
                time.sleep(0.01)
            status.write_text("changed")

        def build():
            found.unlink(missing_ok=True)
            subprocess.run([cmake, "--build", prefix / "build"], check=True, capture_output=True)
            return found.read_text() if found.exists() else None

        def expect(what, is_now, wanted):
            if is_now != wanted:
                sys.exit(f"{what}: {is_now!r}, expected {wanted!r}")

        status.write_text("0")
        os.utime(status, (1, 1))
        subprocess.run([cmake, "-S", prefix, "-B", prefix / "build", "-G", "Ninja"], check=True, capture_output=True)
        expect("at first", found.read_text(), library_of_none)
        expect("nothing happened", build(), None)
        installed(lambda: library.write_text(""))
        expect("installed", build(), str(library))
        installed(library.unlink)
        expect("removed", build(), library_of_none)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
