#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes npm available where it is not installed: npm.sh FOLDER leaves FOLDER/bin/npm, Debian's npm with all that it needs,
# unpacked and not installed. Needs node, and apt for the files. Fails, and says why, where that cannot be.
#
# Debian's npm is 353 packages. Installing them takes longer than all else that hilda needs; unpacking them takes seconds,
# leaves the system as it is, and is enough to fetch what the page of a run takes from npm, once.
set -eu
folder=$1
command -v npm >/dev/null && exit
[ ! -x "$folder/bin/npm" ] || exit 0
for program in node apt-get dpkg-deb; do
  command -v "$program" >/dev/null || { echo "npm cannot be had: there is no $program" >&2; exit 1; }
done
mkdir -p "$folder/archives"
folder=$(cd "$folder" && pwd)
log=$folder/apt.log
packages=$(apt-get install -s --no-install-recommends npm 2>"$log" | awk '$1 == "Inst" { print $2 }')
cd "$folder/archives"
# shellcheck disable=SC2086 # a list of names
if [ -z "$packages" ] || ! timeout 120 apt-get download -qq -o Acquire::Retries=0 $packages >>"$log" 2>&1; then
  echo "npm cannot be had: apt does not give it ($log)" >&2
  exit 1
fi
find . -name '*.deb' -exec dpkg-deb -x {} "$folder/unpacked" \;
rm -r "$folder/archives"
mkdir -p "$folder/bin"
cat >"$folder/bin/npm" <<END
#!/bin/sh
NODE_PATH='$folder/unpacked/usr/share/nodejs' exec node '$folder/unpacked/usr/share/nodejs/npm/bin/npm-cli.js' "\$@"
END
chmod +x "$folder/bin/npm"
