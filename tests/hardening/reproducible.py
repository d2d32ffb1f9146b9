# SPDX-License-Identifier: BSD-3-Clause
"""Builds are equal byte for byte: reproducible.py SOURCE CMAKE [--all]

A plugin made from the template is built twice, from two copies of its source in folders of different names. With --all
the whole project is: program, plugins and Python module, which takes two builds.
"""
import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile


def run(*command, **options):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(done.stdout[-3000:] + done.stderr[-3000:])


def build(cmake, source, folder, *options, targets=()):
    run(cmake, "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo", *options)
    run(cmake, "--build", folder, "--parallel", "2", *(["--target", *targets] if targets else []))


def digests(folder, patterns):
    files = [file for pattern in patterns for file in sorted(folder.glob(pattern)) if file.is_file()]
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


PLUGIN = """cmake_minimum_required(VERSION 3.25)
project(twice LANGUAGES CXX)
include("{source}/cmake/HildaPlugin.cmake")
hilda_add_plugin(twice twice.cpp)
"""
BLOCK = """#include <hilda/block.h>
#include <cassert>
#undef NDEBUG
#include <cassert>
namespace hilda {
struct Twice : Block {
  Input<double> u{*this, "u", "@u", "In"};
  Output<double> y{*this, "y", "@u", "Out"};
  void output(const Tick& t) override { assert(t.period() > 0); y = 2.0 * *u; } // an assertion holds the file's name
};
HILDA_BLOCK(Twice, "Doubles its input.")
}
"""


def one_plugin(source, cmake, work):
    results = []
    for name in ("a", "another/deeper"):
        place = work / name
        place.mkdir(parents=True)
        (place / "CMakeLists.txt").write_text(PLUGIN.format(source=source))
        (place / "twice.cpp").write_text(BLOCK)
        # One source file for the compiler instead of three: Eigen is read once.
        build(cmake, place, place / f"out-{len(name)}", "-DCMAKE_UNITY_BUILD=ON")
        results.append(digests(place / f"out-{len(name)}", ["lib/hilda/plugins/*.so"]))
    return results


def everything(source, cmake, work):
    results = []
    for name in ("a", "another/deeper"):
        place = work / name
        place.parent.mkdir(parents=True, exist_ok=True)
        run("git", "clone", "--quiet", source, place)
        build(cmake, place, place / "build", "-DHILDA_TESTS=OFF", "-DHILDA_BENCHMARKS=OFF")
        results.append(digests(place / "build", ["bin/hilda", "lib/hilda/plugins/*.so", "python/hilda/*.so"]))
    return results


def main():
    source, cmake, whole = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], "--all" in sys.argv
    work = pathlib.Path(tempfile.mkdtemp(prefix="hilda_twice_"))
    try:
        one, other = (everything if whole else one_plugin)(source, cmake, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    different = sorted(name for name in set(one) | set(other) if one.get(name) != other.get(name))
    for name in different:
        print(f"{name} differs")
    print(f"{len(one)} files, {len(different)} differ")
    return 1 if different or not one else 0


if __name__ == "__main__":
    sys.exit(main())
