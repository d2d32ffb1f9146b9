#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs hilda from BUILD as a reader of the lessons would, with the engine and the Python package: prefix.sh BUILD
# PREFIX. Does nothing while nothing has changed.
set -euo pipefail
build=$1 prefix=$2

mkdir -p "$(dirname "$prefix")"
exec 9>"$prefix.lock"
flock 9
parts=("$build/bin/hilda" "$build/lib/libhilda_engine.a" "$build/lib/hilda/plugins" "$build/CMakeCache.txt")
for part in "$build"/python/hilda "$build"/cmake_install.cmake; do [ ! -e "$part" ] || parts+=("$part"); done
source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
for folder in diagrams plugins engine cmake; do parts+=("$source/$folder"); done
if [ -f "$prefix/.whole" ] && [ -z "$(find "${parts[@]}" -newer "$prefix/.whole" -type f -print -quit)" ]; then exit 0; fi
rm -rf "$prefix"
cmake --install "$build" --prefix "$prefix" --strip >"$prefix.log"
cmake --install "$build" --prefix "$prefix" --component engine >>"$prefix.log"
# A file that is linked again at this moment may be copied in part.
"$prefix/bin/hilda" --version | grep -q hilda
touch "$prefix/.whole"
