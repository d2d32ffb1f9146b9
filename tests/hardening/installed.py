# SPDX-License-Identifier: BSD-3-Clause
"""What is installed is small and one whole: installed.py CMAKE BUILD. No file holds debug information, all together are below
30.5 MB, and a program that was copied without its library says so.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

MOST = 30_500_000  # bytes; 30.2 MB in 0.2.0 (libhilda.so 9.4, libhilda_program.so 6.6: the engine that hilda compile puts into programs, plugins 5.3, libhilda_fmu.so 3.0, documentation 2.6, diagrams and schemas 1.2, Python's module 0.8, headers, man pages, completions, SBOM)


def sections(file):
    return subprocess.run(["readelf", "--wide", "-S", file], capture_output=True, text=True).stdout


def main():
    cmake, build = sys.argv[1:3]
    with tempfile.TemporaryDirectory(prefix="hilda_installed_") as prefix:
        subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        files = [file for file in pathlib.Path(prefix).rglob("*") if file.is_file() and not file.is_symlink()]
        code = [file for file in files if ".so" in file.suffixes or file == pathlib.Path(prefix, "bin/hilda")]
        heavy = [file for file in code if ".debug_info" in sections(file)]
        size = sum(file.stat().st_size for file in files)
        version = subprocess.run([pathlib.Path(prefix, "bin/hilda"), "--version"], capture_output=True, text=True)
        alone = pathlib.Path(prefix, "copied/alone/hilda")
        alone.parent.mkdir(parents=True)
        shutil.copy(pathlib.Path(prefix, "bin/hilda"), alone)
        halved = subprocess.run([alone, "--version"], capture_output=True, text=True)
    for file in heavy:
        print(f"{file} holds debug information")
    print(f"{len(files)} files, {len(code)} of them code, {size / 1e6:.1f} MB")
    if halved.returncode != 3 or "libhilda.so" not in halved.stderr or "as a whole" not in halved.stderr:
        print(f"the program without its library ends with {halved.returncode}: {halved.stderr}")
        return 1
    return 1 if heavy or size > MOST or len(code) < 10 or version.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
