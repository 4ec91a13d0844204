#!/bin/bash
# Tests of the command as a user sees it: exit codes, messages, files. Each tests/cli/test_*.sh
# is a separate suite that uses the helpers of lib.sh; this script runs several of them at a
# time.
#
# Usage: run.sh [FILTER...]      files whose name contains a FILTER
# Environment: MAZUR (bin/mazur), CC (cc), JOBS (the number of processors)
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 wanted=()
for path in "$here"/test_*.sh; do
    file=$(basename "$path" .sh)
    file=${file#test_}
    [ $# -gt 0 ] || wanted+=("$file")
    for filter; do
        case $file in *"$filter"*) wanted+=("$file") && break ;; esac
    done
done
[ ${#wanted[@]} -gt 0 ] || { echo "run.sh: no test file has a name with: $*" >&2; exit 70; }
printf '%s\n' "${wanted[@]}" | xargs -P "${JOBS:-$(nproc)}" -I{} \
    sh -c '"$0/test_$1.sh" >"$2/$1.log" 2>&1' "$here" {} "$work"
for file in "${wanted[@]}"; do
    grep -v -xE '[0-9]+ passed, [0-9]+ failed|1\.\.[0-9]+' "$work/$file.log"
    counts=$(tail -n 1 "$work/$file.log")
    case $counts in
    *' passed, '*' failed')
        passed=$((passed + ${counts%% *}))
        counts=${counts#*, }
        failed=$((failed + ${counts%% *}))
        ;;
    *) failed=$((failed + 1)) && echo "not ok $file: it did not come to its end" ;;
    esac
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
