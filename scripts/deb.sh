#!/bin/bash
# Debian packages from a source archive: deb.sh ARCHIVE FOLDER. The packages and what dpkg says of the
# build are in FOLDER afterwards.
set -eu
archive=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
rm -rf "$folder"/*
tar -xzf "$archive" -C "$folder"
cd "$folder"/mazur-*/
# Only what `dpkg-checkbuilddeps` misses can fail here; the log has the rest.
dpkg-buildpackage --build=binary --no-sign --jobs="$(nproc)" >"$folder/build.log" 2>&1 || {
    tail -n 20 "$folder/build.log" >&2
    echo "deb: the build failed; the whole log is ${folder#"$OLDPWD"/}/build.log" >&2
    exit 1
}
cd "$folder"
rm -rf mazur-*/
printf 'deb: built'
printf ' %s' *.deb
printf ' in %s\n' "${folder#"$OLDPWD"/}"
