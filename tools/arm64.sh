#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds hilda for arm64 on a Debian 12 of another processor, and runs it there by qemu-aarch64.
#
#   arm64.sh root [FOLDER]            unpacks Debian's arm64 packages and musl's source into it (build-arm64/root)
#   arm64.sh build [TARGETS...]       builds build-arm64 against them: program, plugins, Python module
#   arm64.sh packages                 makes the Debian packages for arm64: build-arm64/packages
#   arm64.sh hilda ARGUMENTS...       runs the program by qemu-aarch64
#
# It needs, of Debian: g++-aarch64-linux-gnu, qemu-user, apt. Nothing is installed on this system: the packages lie in the
# folder alone. HILDA_DEBIAN is the mirror (http://deb.debian.org/debian).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/build.sh
export HILDA_ARM64_ROOT=${HILDA_ARM64_ROOT:-$PWD/build-arm64/root}

# As tools/setup.sh run, with those that are the same for all processors; then what the tests need.
packages=(libc6-dev libstdc++-12-dev libgcc-12-dev libeigen3-dev libboost-dev libtinyxml2-dev libudunits2-dev libmuparser-dev
  libcli11-dev libfmt-dev nlohmann-json3-dev zlib1g-dev libdeflate-dev liblz4-dev libsqlite3-dev libnlopt-dev musl-dev
  libedit-dev python3-dev pybind11-dev libgtest-dev libgmock-dev)
# Without what they depend on, of which nothing is used: CVODE is linked statically, matio is opened when a MAT file is read.
packages_alone=(libsundials-dev libmatio-dev libmatio11)

missing() {
  for program in aarch64-linux-gnu-g++ qemu-aarch64 apt-get dpkg-deb; do
    command -v "$program" >/dev/null || { echo "$program is missing: apt-get install g++-aarch64-linux-gnu qemu-user" >&2; return 0; }
  done
  return 1
}

# apt with separate lists, states and packages, in FOLDER.
apt_in() {
  local folder=$1 release
  shift
  release=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
  mkdir -p "$folder"/{lists/partial,archives/partial}
  : >>"$folder/status"
  local from="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${HILDA_DEBIAN:-http://deb.debian.org/debian}"
  printf '%s\n' "deb $from $release main" "deb $from $release-updates main" "deb-src $from $release main" >"$folder/sources.list"
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$folder" -o Dir::State::lists="$folder/lists" \
    -o Dir::State::status="$folder/status" -o Dir::Cache="$folder" -o Dir::Cache::archives="$folder/archives" \
    -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Debug::NoLocking=1 \
    -o APT::Sandbox::User="$(id -un)" "$@"
}

# ROOT FOLDER PACKAGE: enters into ROOT's data of dpkg what it would know had it installed the package, for dpkg-shlibdeps and
# `dpkg -S`: its files by their paths in FOLDER, where ROOT will lie.
enter() {
  local info="$1/var/lib/dpkg/info" folder=$2 control name
  control=$(mktemp -d)
  dpkg-deb -e "$3" "$control"
  name=$(sed -n 's/^Package: //p' "$control/control")
  { sed '/^$/d' "$control/control"; printf 'Status: install ok installed\n\n'; } >>"$1/var/lib/dpkg/status"
  ! grep -q '^Multi-Arch: same' "$control/control" || name+=:arm64
  dpkg-deb --fsys-tarfile "$3" | tar -t | sed "s|^\.|$folder|; s|/$||" >"$info/$name.list"
  for each in symbols shlibs; do
    [ ! -f "$control/$each" ] || cp "$control/$each" "$info/$name.$each"
  done
  rm -rf "$control"
}

# Links from the root of the other system stay in the folder.
mend_links() {
  find "$1" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    ln -sfnr "$1$(readlink "$link")" "$link"
  done
}

root() {
  local folder=$1 work new
  [ ! -e "$folder/complete" ] || { echo "$folder is complete" >&2; return; }
  mkdir -p "$folder.packages"
  folder=$(realpath "$folder") work=$(realpath "$folder.packages") new="$folder.new"
  rm -rf "$new"
  mkdir -p "$new/var/lib/dpkg/info"
  apt_in "$work" update
  apt_in "$work" install --download-only -y --no-install-recommends "${packages[@]}"
  (cd "$work/archives" && apt_in "$work" download "${packages_alone[@]}" && cd .. && apt_in "$work" source --download-only musl)
  echo 1 >"$new/var/lib/dpkg/info/format"
  for package in "$work"/archives/*.deb; do
    dpkg-deb -x "$package" "$new"
    enter "$new" "$folder" "$package"
  done
  mend_links "$new"
  mkdir -p "$new/musl"
  tar -xzf "$work"/musl_*.orig.tar.gz -C "$new/musl" --strip-components=1
  touch "$new/complete"
  rm -rf "$folder" "$work"
  mv "$new" "$folder"
}

built() {
  [ -e "$HILDA_ARM64_ROOT/complete" ] || root "$HILDA_ARM64_ROOT"
  local options=()
  [ -f build-arm64/build.ninja ] || options=(-DHILDA_TESTS=OFF -DHILDA_BY_FOLDER=ON -DHILDA_BENCHMARKS=OFF)
  build build-arm64 "$@" -- --toolchain cmake/aarch64-linux-gnu.cmake "${options[@]}"
}

emulated() { qemu-aarch64 -L "$HILDA_ARM64_ROOT" "$@"; }

! missing || exit 1
case "${1-}" in
  root) root "${2:-$HILDA_ARM64_ROOT}" ;;
  build) shift; built "${@:-hilda}" ;;
  packages)
    shift
    built hilda
    DPKG_ADMINDIR="$HILDA_ARM64_ROOT/var/lib/dpkg" DEB_HOST_ARCH=arm64 tools/packages.sh build-arm64 "$@" ;;
  hilda) shift; emulated build-arm64/bin/hilda "$@" ;;
  *) sed -n '3,11s/^# \?//p' "$0" >&2; exit 64 ;;
esac
