#!/bin/bash
# A child overwrites random parts of the board, even while the parent reads it. The parent,
# built with the address and undefined-behaviour sanitizers, must end with a documented exit
# code.
# Usage: scribbles.sh [RUNS [FIRST]]     runs (30), seed of the first one (1)
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../patience.sh
. "$here/../patience.sh"
root=$(cd "$here/../.." && pwd)
runs=${1:-30} first=${2:-1}
build=${BUILD:-$root/build/sanitized} # with the objects of the sanitized unit tests
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
make -C "$root" --no-print-directory -s -j"$(nproc)" "$build/bin/mazur" B="$build" BIN="$build/bin" LIB="$build/lib" \
    CFLAGS='-O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined' >"$work/build" 2>&1 ||
    { tail -n 20 "$work/build"; exit 70; }
mkdir -p "$build/lib"
"${CC:-cc}" -shared -fPIC -I"$root/src" "$here/fake_child.c" -o "$build/lib/libmazur.so" || exit 70
echo 'int main(void) { return 0; }' >"$work/ok.c"
"${CC:-cc}" "$work/ok.c" -o "$work/ok" || exit 70
cd "$work" || exit 70
export XDG_CACHE_HOME=$work/cache HOME=$work ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
passed=0 failed=0
for ((seed = first; seed < first + runs; seed++)); do
    options=("--time" "1")
    [ $((seed % 3)) = 0 ] && options+=("--keep-going")
    [ $((seed % 5)) = 0 ] && options+=("--no-preempt" "main")
    FAKE=random FAKE_SEED=$seed timeout "$PATIENCE" "$build/bin/mazur" run --json r.json "${options[@]}" ./ok >out 2>err
    status=$?
    case $status in
    [0-9] | 11 | 12 | 64 | 70) bad='' ;;
    *) bad="exit $status" ;;
    esac
    grep -qE 'runtime error|AddressSanitizer' err && bad="$bad $(grep -m1 -E 'runtime error|AddressSanitizer' err)"
    if [ -n "$bad" ]; then
        failed=$((failed + 1))
        echo "not ok seed $seed: $bad"
        grep -E '^ +#[0-4]|runtime error' err | head -n 8 | sed 's/^/#   /'
    else
        passed=$((passed + 1))
    fi
    rm -f ./*.mzt
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
