#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes the wheel and the source distribution of what is built in BUILD: wheel.sh [BUILD [PYTHON]]. They are in BUILD/wheel
# afterwards, and tools/check_wheel.py has found no fault in the wheel. The module is for PYTHON, which BUILD is made for.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/build.sh
folder=${1:-build} python=${2:-/usr/bin/python3}

for tool in patchelf readelf dpkg; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install patchelf binutils dpkg" >&2; exit 1; }
done
build "$folder" hilda hilda_plugins hilda_python_package hilda_schema hilda_sbom
[ ! -s "$folder/page/lacking.txt" ] || { echo "the wheel's studio has no page:" >&2; cat "$folder/page/lacking.txt" >&2; }
rm -rf "$folder/wheel"
mkdir -p "$folder/wheel"
PYTHONPATH=python "$python" - "$(realpath "$folder")" <<'PYTHON'
import pathlib
import sys

import hilda_build

build = pathlib.Path(sys.argv[1])
hilda_build.build_wheel(build / "wheel", {"build": str(build)})
hilda_build.build_sdist(build / "wheel")
PYTHON
tools/check_wheel.py "$folder"/wheel/*.whl
ls -l "$folder"/wheel
