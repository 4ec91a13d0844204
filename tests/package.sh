#!/bin/bash
# The Debian package on a fresh Debian: a new root folder with nothing but the base system, the package and what it
# recommends. There the tutorial is typed as it is written. Needs root, the network and debootstrap: minutes, so
# it is no part of `make test` (make test-package).
# Usage: package.sh PACKAGE.deb
set -eu
package=$(realpath "$1")
cd "$(dirname "$0")/.."
command -v debootstrap >/dev/null || { echo "package.sh: please install debootstrap" >&2; exit 70; }
root=$(mktemp -d)
trap 'umount "$root/proc" 2>/dev/null || :; rm -rf --one-file-system "$root"' EXIT
. /etc/os-release
echo "# a fresh $VERSION_CODENAME in $root"
debootstrap --variant=minbase "$VERSION_CODENAME" "$root" >"$root.log" 2>&1 || { tail "$root.log"; exit 1; }
cp -a /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" # how this machine reaches its packages
cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }

echo '1..5'
count=0
# verdict NAME COMMAND...
verdict() {
    local name=$1
    shift
    count=$((count + 1))
    if "$@" >"$root.log" 2>&1; then
        echo "ok $count - $name"
    else
        sed 's/^/# /' "$root.log" | tail -n 40
        echo "not ok $count - $name"
        exit 1
    fi
}
cp "$package" "$root/tmp/"
inside apt-get update -q >/dev/null 2>&1 || :
verdict 'the package installs with what it recommends' \
    inside apt-get install -q -y "/tmp/${package##*/}" gdb
verdict 'completions, manual pages and the header are in place' \
    inside sh -c 'cd /usr && test -s share/bash-completion/completions/mazur -a -s share/zsh/site-functions/_mazur \
        -a -s share/fish/vendor_completions.d/mazur.fish -a -s include/mazur.h -a -s lib/mazur/libmazur.so'
mkdir "$root/mazur"
cp -r docs examples tests README.md "$root/mazur/"
rm -rf "$root/mazur/src"
verdict 'the tutorial, as it is written' inside env MAZUR=/usr/bin/mazur perl /mazur/tests/docs/run.pl --transcripts tutorial
verdict 'the README, as it is written' inside env MAZUR=/usr/bin/mazur perl /mazur/tests/docs/run.pl --transcripts README
verdict 'it can be removed' inside sh -c 'apt-get purge -q -y mazur && ! test -e /usr/lib/mazur'
