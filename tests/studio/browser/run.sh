#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs what the tests take from npm, once, and runs them: run.sh SOURCES HILDA FOLDER [SCRIPT]. Ends with 77 where npm's
# packages or a browser are not available. SCRIPT is run instead of the tests: pictures.mjs draws those of docs/studio.md,
# editing_test.mjs are tests of the editor; `types` holds the page's types against each other, without a browser.
set -eu
sources=$(realpath "$1") hilda=$(realpath "$2") folder=$(realpath -m "$3") script=${4:-}
here=$sources/tests/studio/browser
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$browser" ] || [ "$script" = types ] || { echo "no browser: skipped"; exit 77; }
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo "neither node nor npm: skipped"
  exit 77
fi
mkdir -p "$folder/pictures"
if ! cmp -s "$here/package-lock.json" "$folder/installed.json"; then
  cp "$here"/package*.json "$folder/"
  (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 --loglevel=error) ||
    { echo "npm cannot install what $here/package.json names: skipped"; exit 77; }
  cp "$here/package-lock.json" "$folder/installed.json"
fi
cp "$here"/*.mjs "$here/tsconfig.json" "$folder/"
rm -rf "$folder/page" && cp -r "$sources/tools/studio/page" "$folder/page"
cd "$folder"
[ "$script" != types ] || exec node node_modules/typescript/bin/tsc -p tsconfig.json
export HILDA=$hilda SOURCES=$sources BROWSER=$browser
if [[ "$script" == *_test.mjs ]]; then
  timeout "${HILDA_BROWSER_SECONDS:-580}" node --test --test-concurrency=1 "$script"
elif [ -n "$script" ]; then
  node "$script"
else
  timeout 550 node --test --test-concurrency=1 studio_test.mjs
fi
