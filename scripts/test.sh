#!/bin/bash
# `make test`: all parts, each on its own line, ending in one 'N passed, N failed'.
# Parts can be named: scripts/test.sh unit programs
set -u
cd "$(dirname "$0")/.." || exit 70
passed=0 failed=0
TMPDIR=$(mktemp -d) || exit 70
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

# Nothing that Mazur made for itself is there any more. A command whose test did not wait for it
# may still be tidying up.
clean() {
    local tries=100
    while compgen -G "$TMPDIR/mazur-*" >/dev/null && [ $tries -gt 0 ]; do
        sleep 0.1
        tries=$((tries - 1))
    done
    ! compgen -G "$TMPDIR/mazur-*" || { echo "FAIL: left behind in TMPDIR" && rm -rf "$TMPDIR"/mazur-* && false; }
}

# part NAME COMMAND...: runs it, shows its output when it fails
part() {
    local name=$1 start=$SECONDS log
    shift
    if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $name "* ]]; then
        return
    fi
    log=$(mktemp)
    printf '%-28s' "$name"
    if { "$@" && clean; } >"$log" 2>&1; then
        passed=$((passed + 1))
        printf 'ok      %4d s  %s\n' $((SECONDS - start)) "$(grep -E '^[0-9]+ passed, ' "$log" | tail -n 1)"
        # what could not be tested here, and why
        grep -E '^[^"]* (is|are) (skipped|not (validated|tested|run))|: skipped: ' "$log" | grep -v '^ok ' | sed 's/^/    /'
    else
        failed=$((failed + 1))
        printf 'FAILED  %4d s\n' $((SECONDS - start))
        grep -A8 -E '^(not ok|FAIL|\[  FAILED)|error:' "$log" | head -n 60 | sed 's/^/    /'
        tail -n 15 "$log" | sed 's/^/    /'
    fi
    rm -f "$log"
}
wanted=("$@")

jobs=$(nproc)
part unit make --no-print-directory -j"$jobs" unit
part unit-sanitized make --no-print-directory -j"$jobs" unit B=build/sanitized \
    UNIT_SKIP='test_heap test_race test_hooks_string' \
    CFLAGS='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined'
part build-clang make --no-print-directory -j"$jobs" all B=build/clang BIN=build/clang/bin \
    LIB=build/clang/lib CC=clang
part runner tests/programs/selftest.sh
part programs tests/programs/run.sh
# what libraries and instructions access does not depend on the strategy, nor what libc does on the compiler
part programs-every-interleaving env STRATEGY=icb REPLAYS=1 SKIP='libc_|machine_|std_' tests/programs/run.sh
part programs-strategies tests/programs/strategies.sh livelock_ wait_ dekker peterson races_explore
part programs-clang env CC=clang REPLAYS=1 SKIP=libc_ tests/programs/run.sh
part known-trace-counts bash bench/known_counts.sh --fast
part random-programs tests/fuzz/quick.sh
part real tests/real/run.sh --quick
part cli tests/cli/run.sh
part scribbling-child tests/cli/scribbles.sh 30
part models tests/models/run.sh
part mutated-models tests/fuzz/models.sh
part mutants tests/models/mutants.sh
part docs perl tests/docs/run.pl
part formats tests/formats/run.sh
part browser tests/browser/run.sh

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
