#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes the Debian packages of BUILD: packages.sh [BUILD] [CPACK_OPTIONS...]. They are in BUILD/packages afterwards, and lintian
# has found no error in them, where it is installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/build.sh
folder=${1:-build}
[ $# -eq 0 ] || shift

for tool in cpack dpkg-shlibdeps fakeroot; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install cmake dpkg-dev fakeroot" >&2; exit 1; }
done
targets=(hilda hilda_plugins hilda_python_package hilda_schema hilda_help hilda_sbom)
if command -v mkdocs >/dev/null; then
  targets+=(hilda_docs)
else
  echo "mkdocs is not installed: hilda-doc has no site" >&2
fi
build "$folder" "${targets[@]}"
rm -rf "$folder/packages" "$folder/_CPack_Packages"
# The files of packages belong to root, and no bit of the one who builds them is in their modes.
umask 022
(cd "$folder" && SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0) \
  quietly packages.log fakeroot cpack --config CPackConfig.cmake "$@")
rm -rf "$folder/_CPack_Packages"
if command -v lintian >/dev/null; then
  # Built for where they are installed, and not for the archive: there is no bug of Debian's to close.
  lintian --fail-on error --suppress-tags initial-upload-closes-no-bugs "$folder"/packages/*.deb
else
  echo "lintian is not installed: the packages are not checked" >&2
fi
ls -l "$folder"/packages/*.deb
