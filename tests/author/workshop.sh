#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Does what an author does, from an installed hilda on: workshop.sh SOURCE BUILD FOLDER [CLANG++]
#
# FOLDER/prefix holds what cmake --install makes of BUILD, moved after it was installed. Plugins that `hilda new-plugin`
# starts there are built by several compilers with several flags; from_gcc and in_c run their tests too. Nothing is done
# again while nothing has changed, so that several tests may ask for it.
set -euo pipefail
source=$1 build=$2 folder=$3 clang=${4-}

mkdir -p "$(dirname "$folder")"
exec 9>"$folder.lock"
flock 9
if [ -f "$folder/done" ] && [ -z "$(find "$build/bin/hilda" "$build/lib/hilda/plugins" "$source/plugins" "$source/cmake" \
  "$source/tests/author/workshop.sh" -newer "$folder/done" -type f -print -quit)" ]; then
  exit 0
fi
rm -rf "$folder"
mkdir -p "$folder"
cmake --install "$build" --prefix "$folder/installed" >"$folder/install.log"
mv "$folder/installed" "$folder/prefix"
cd "$folder"
unset HILDA_PLUGIN_PATH HILDA_LIBRARY_PATH
if command -v ccache >/dev/null; then export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi

# make_plugin NAME LANGUAGE TARGET OPTIONS...
make_plugin() {
  local name=$1 language=$2 target=$3
  shift 3
  prefix/bin/hilda new-plugin "$name" --language "$language" >"$name.log"
  { # a chain: behind a condition set -e does not hold
    cmake -S "$name" -B "$name/build" -G Ninja "-Dhilda_DIR=$folder/prefix/lib/cmake/hilda" "$@" &&
      cmake --build "$name/build" --target "$target" -j 1 &&
      { [ "$target" != all ] || ctest --test-dir "$name/build" --output-on-failure; }
  } >>"$name.log" 2>&1 || { cat "$name.log"; return 1; }
}

# One source file for the compiler instead of two: Eigen is read once.
whole=-DCMAKE_UNITY_BUILD=ON
debug=(-DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS=-O0 "$whole")
native=(-DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS=-O3 -march=native" "$whole")

first() {
  make_plugin from_gcc c++ all -DCMAKE_BUILD_TYPE=Debug
  make_plugin gcc_native c++ gcc_native "${native[@]}"
  if [ -n "$clang" ]; then make_plugin clang_debug c++ clang_debug "${debug[@]}" "-DCMAKE_CXX_COMPILER=$clang"; fi
}
second() {
  make_plugin in_c c all
  make_plugin gcc_debug c++ gcc_debug "${debug[@]}"
  # compiling a block with it is an error of the header; linking with it changes the processor's mode at load
  make_plugin fast_math c++ fast_math -DCMAKE_MODULE_LINKER_FLAGS=-ffast-math "$whole"
  if [ -n "$clang" ]; then make_plugin clang_native c++ clang_native "${native[@]}" "-DCMAKE_CXX_COMPILER=$clang"; fi
}
# In a condition set -e would not hold; waiting for each gives its exit code.
(first) & one=$!
(second) & two=$!
failed=0
wait "$one" || failed=1
wait "$two" || failed=1
[ "$failed" -eq 0 ] || exit 1
touch done
