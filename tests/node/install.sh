#!/bin/bash
# Installs the packages of package-lock.json into build/node, once, and prints where they are.
# If they are not available, it says why on stderr and fails.
#
# Usage: install.sh            Environment: BUILD (build)
set -u
here=$(cd "$(dirname "$0")" && pwd)
place=$(realpath -m "${BUILD:-$here/../../build}")/node
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "there is no node or npm (apt-get install nodejs npm)" >&2
    exit 1
fi
if ! cmp -s "$here/package-lock.json" "$place/installed"; then
    mkdir -p "$place" && cp "$here/package.json" "$here/package-lock.json" "$place" || exit 1
    npm ci --silent --no-audit --no-fund --ignore-scripts --prefix "$place" >/dev/null 2>&1 || {
        echo "npm can't install what they need" >&2
        exit 1
    }
    cp "$here/package-lock.json" "$place/installed"
fi
echo "$place/node_modules"
