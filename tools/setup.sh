#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the Debian packages that are missing: setup.sh run|test|ci. Asks nothing, and does nothing where all are
# there. docs/dependencies.md gives the reason for each.
set -eu

run_packages=(g++ cmake ninja-build ccache git libeigen3-dev libboost-dev libtinyxml2-dev libudunits2-dev
  libmuparser-dev libcli11-dev libfmt-dev nlohmann-json3-dev zlib1g-dev libdeflate-dev liblz4-dev libsqlite3-dev libnlopt-dev musl-dev libedit-dev
  librsvg2-bin fonts-dejavu-core python3-dev pybind11-dev python3-numpy nodejs)
test_packages=(libgtest-dev libgmock-dev libbenchmark-dev libmatio-dev libsundials-dev python3 python3-pip python3-venv patchelf clang npm
  chromium libxml2-utils qemu-user python3-distributed python3-websockets)
ci_packages=(clang-format clang-tidy libc++-14-dev libc++abi-14-dev mypy slurmctld slurmd slurm-client munge iproute2 dpkg-dev fakeroot lintian
  debootstrap mkdocs)

case "${1-}" in
  run) packages=("${run_packages[@]}") ;;
  test) packages=("${run_packages[@]}" "${test_packages[@]}") ;;
  ci) packages=("${run_packages[@]}" "${test_packages[@]}" "${ci_packages[@]}") ;;
  *) echo "usage: tools/setup.sh run|test|ci" >&2; exit 64 ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  # A user who has installed them by other means is not held up: the configuration names what is missing.
  echo "This system has no apt. hilda needs what Debian 12 calls:" >&2
  printf '  %s\n' "${packages[@]}" >&2
  if command -v cmake >/dev/null && command -v ninja >/dev/null; then
    echo "Going on with what is installed." >&2
    exit 0
  fi
  exit 1
fi

# A package counts as installed when it is, or when another one provides its program (npm comes with some nodejs).
installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ] && return
  case "$1" in
    g++ | git | clang | nodejs | npm | python3 | ccache | cmake | clang-format | clang-tidy)
      command -v "${1/nodejs/node}" >/dev/null ;;
    *) return 1 ;;
  esac
}

missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Packages are missing, and there is no sudo. As root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "Installing: ${missing[*]}" >&2
install_missing() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}" >"$log" 2>&1
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! install_missing; then
  # The package lists may be old or absent.
  "${as_root[@]}" apt-get update -qq || true
  if ! install_missing; then
    if [ "${missing[*]}" = nodejs ]; then
      echo "Going on without nodejs: the page of hilda report will have still plots." >&2
      exit 0
    fi
    tail -n 20 "$log" >&2
    echo "Could not install: ${missing[*]}" >&2
    exit 1
  fi
fi
