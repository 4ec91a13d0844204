#!/bin/sh
# Installs what Mazur's build and tests need and the machine lacks (Debian packages). Does
# nothing, and needs no network, where everything is there. What some tests are skipped without (gdb,
# a browser, build systems, Spin, validators, linters) is in .ci/run.
# With the argument "packaging": what `make deb` needs in addition.
missing=
need() { # need PACKAGE TEST...: the package is missing when the test fails
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
has_header() { printf '#include <%s>\n' "$1" | cc -E -x c - >/dev/null 2>&1; }

need gcc gcc --version
need g++ g++ --version
need clang clang --version
need libclang-rt-14-dev sh -c 'ls /usr/lib/llvm-*/lib/clang/*/include/sanitizer 2>/dev/null | grep -q .'
need tcc tcc -v
need libdw-dev has_header elfutils/libdwfl.h
need libelf-dev has_header libelf.h
need libxxhash-dev has_header xxhash.h
need libzydis-dev has_header Zydis/Zydis.h
need libjansson-dev has_header jansson.h
need perl prove --version # prove, which runs the tests; perl-base alone lacks it
need libcmocka-dev sh -c 'printf "#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <cmocka.h>\n" | cc -E -x c - >/dev/null'

if [ "${1:-}" = packaging ]; then
    need debhelper sh -c 'command -v dh'
    need dpkg-dev sh -c 'command -v dpkg-buildpackage'
    need libopenmpi-dev sh -c 'command -v mpicc.openmpi'
    need fakeroot sh -c 'command -v fakeroot'
fi

[ -z "$missing" ] && exit 0
echo "setup: installing$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: this is not a Debian system; please install:$missing" >&2
    exit 1
fi
sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -q && $sudo apt-get install -q -y --no-install-recommends $missing || {
    echo "setup: could not install$missing" >&2
    exit 1
}
