#!/bin/bash
# Compares small random programs with an independent interpreter (small_fuzz.c): outcomes, kinds
# of failures, least numbers of preemptions, claims; with every strategy, and a driver from each
# compiler.
#
# Usage: small.sh [PROGRAMS [FIRST-SEED]]     environment: STRATEGIES, COMPILERS (gcc clang, as far as they are
# there), ROUNDS (strategies that each program is run with, 1), FILES (programs that are compiled as C files of
# their own, 0), MAZUR
# small.sh CODE: one program, as C, and what the interpreter says of it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
MAZUR=${MAZUR:-$here/../../bin/mazur}
STRATEGIES=${STRATEGIES:-auto dfs icb idb delay dpor dpor-plain bpor bpor-plain cbpor cbpor-1 optimal sdpor}
scratch=$(mktemp -d) || exit 70
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 70
${CC:-cc} -O2 -o fuzz "$here"/small_{fuzz,generate,interpreter,print,steps}.c -ljansson || exit 70
case ${1:-} in *[!0-9]*) exec ./fuzz "$MAZUR" "$1" print ;; esac

${CC:-cc} -shared -fPIC -o liboutcome.so "$here/outcome_call.c" || exit 70
drivers=() found=()
for compiler in ${COMPILERS:-gcc clang}; do
    command -v "$compiler" >/dev/null || continue
    found+=("$compiler")
    "$MAZUR" cc --compiler "$compiler" -O1 -g "$here/small_driver.c" -o "driver-$compiler" \
        -L. -loutcome "-Wl,-rpath,$scratch" || exit 70
    "$MAZUR" cc --compiler "$compiler" -DSILENT -O1 -g "$here/small_driver.c" -o "driver-$compiler-silent" || exit 70
    drivers+=("./driver-$compiler")
done
export ROUNDS=${ROUNDS:-1} FILES=${FILES:-0} COMPILERS="${found[*]}"
./fuzz "$MAZUR" "${1:-1000}" "${2:-1}" "$STRATEGIES" "${drivers[@]}"
