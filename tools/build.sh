# SPDX-License-Identifier: BSD-3-Clause
# Sourced by run, test and .ci/run from the project's folder.

# build FOLDER TARGETS... [-- CMAKE_OPTIONS...]: configures where needed and builds; prints only what went wrong, or all
# with HILDA_VERBOSE set.
build() {
  local folder=$1 targets=() log
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    targets+=("$1")
    shift
  done
  [ $# -eq 0 ] || shift
  mkdir -p "$folder"
  log="$folder/build.log"
  if [ ! -f "$folder/build.ninja" ] || [ $# -gt 0 ]; then
    quietly "$log" cmake -S . -B "$folder" -G Ninja "$@" || return
  fi
  quietly "$log" cmake --build "$folder" -j "$(nproc)" --target "${targets[@]}"
}

# quietly LOG COMMAND...: runs it with its output in LOG, which is shown where it fails.
quietly() {
  local log=$1
  shift
  if [ -n "${HILDA_VERBOSE-}" ]; then
    "$@"
    return
  fi
  "$@" >"$log" 2>&1 && return
  grep -E -A12 'error|FAILED|Error' "$log" | head -n 100 >&2 || tail -n 40 "$log" >&2
  echo "failed: $* (all of it in $log)" >&2
  return 1
}
