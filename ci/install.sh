#!/bin/sh
# Builds Mazur from the sources beside this file and installs it below PREFIX, unless it is there already.
# Usage: install.sh PREFIX
set -eu
prefix=$1
cd "$(dirname "$0")/.."
[ -x "$prefix/bin/mazur" ] || {
    make setup
    make -j"$(nproc)" all
    make install PREFIX="$prefix"
}
# the libraries that mazur itself needs, where it came out of a cache
"$prefix/bin/mazur" --version || { make setup && "$prefix/bin/mazur" --version; }
