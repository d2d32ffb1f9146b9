#!/usr/bin/env bash
# Builds the plugins in sources/ against the headers as they are now, into a folder of a release: freeze.sh NAME
#
# Run once for each release, before it is published, on the oldest system that it shall run on. What is in such a folder
# is never built again: tests/abi/frozen_test.cpp loads it for ever after.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
name=${1:?usage: freeze.sh NAME, such as 0.1.0}
[ ! -e "$name" ] || { echo "$name is frozen already" >&2; exit 1; }
plugins=../../../plugins
flags=(-O2 -fPIC -shared -fvisibility=hidden -ffp-contract=off -Wl,--no-undefined -s "-I$plugins/abi")
mkdir "$name"
cc -std=c11 "${flags[@]}" sources/frozen_c.c -lm -o "$name/frozen_c.so"
cc -std=c11 "${flags[@]}" sources/frozen_attach.c -o "$name/frozen_attach.so" # since 1.1
echo '{ global: hilda_plugin_entry; local: *; };' >"$name/exports"
c++ -std=c++20 "${flags[@]}" -fvisibility-inlines-hidden -fno-gnu-unique -DEIGEN_UNALIGNED_VECTORIZE=0 -I"$plugins/sdk" \
  -isystem /usr/include/eigen3 '-DHILDA_PLUGIN_NAME="frozen_cpp"' -Wl,--version-script="$name/exports" \
  sources/frozen_cpp.cpp "$plugins/sdk/entry.cpp" -o "$name/frozen_cpp.so"
rm "$name/exports"
ls -l "$name"
