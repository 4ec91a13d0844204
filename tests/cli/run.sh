#!/bin/bash
# Tests of the command as a user meets it: exit codes, messages, files. Each tests/cli/test_*.sh
# is run in a fresh directory with the helpers below; a failed expectation names its command.
#
# Usage: run.sh [FILTER...]      files whose name contains a FILTER; each is run by a shell of its own,
#        run.sh --one FILE       as here, and JOBS of them at a time
# Environment: MAZUR (bin/mazur), CC (cc), JOBS (the number of processors)
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
MAZUR=$(realpath "${MAZUR:-$root/bin/mazur}")
CC=${CC:-cc}
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
# nothing of the user's own set-up may leak in
unset "${!MAZUR_@}" NO_COLOR GITHUB_STEP_SUMMARY
export XDG_CACHE_HOME=$work/cache HOME=$work/home
mkdir -p "$XDG_CACHE_HOME" "$HOME"
"$CC" -o "$work/jsonget" "$root/tests/programs/jsonget.c" -ljansson || exit 70
passed=0 failed=0 name='' problem=''

finish() {
    [ -n "$name" ] || return
    if [ -z "$problem" ]; then
        passed=$((passed + 1))
        echo "ok $name"
    else
        failed=$((failed + 1))
        echo "not ok $name"
        sed 's/^/#   /' <<<"$problem"
    fi
    name='' problem=''
}

# begin a test
t() {
    finish
    name="$file: $1"
}

fault() {
    problem+="$1"$'\n'
}

# expect STATUS COMMAND...: run it; stdout, stderr are in files `out`, `err`
expect() {
    local wanted=$1 got
    shift
    last="$*"
    timeout 300 "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$wanted" ] || fault "$last: exit $got, expected $wanted: $(head -c 400 err) $(tail -c 300 out)"
}

# field FILE PATH...: values of a JSON file on one line (see programs/jsonget.c)
field() {
    "$work/jsonget" "$@" | paste -sd' '
}

# says FILE TEXT...: every text is in the file; lacks: none is
says() {
    local where=$1 text
    shift
    for text; do
        grep -qF -- "$text" "$where" || fault "$last: $where lacks '$text': $(head -c 600 "$where")"
    done
}

lacks() {
    local where=$1 text
    shift
    for text; do
        ! grep -qF -- "$text" "$where" || fault "$last: $where has '$text'"
    done
}

# same FILE FILE
same() {
    cmp -s "$1" "$2" || fault "$last: $1 and $2 differ: $(diff "$1" "$2" | head -5)"
}

if [ "${1:-}" = --one ]; then
    file=$2
    mkdir "$work/$file"
    cd "$work/$file" || exit 70
    # shellcheck source=/dev/null
    . "$here/test_$file.sh"
    finish
    cd "$work" || exit 70
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
    exit
fi

wanted=()
for path in "$here"/test_*.sh; do
    file=$(basename "$path" .sh)
    file=${file#test_}
    [ $# -gt 0 ] || wanted+=("$file")
    for filter; do
        case $file in *"$filter"*) wanted+=("$file") && break ;; esac
    done
done
printf '%s\n' "${wanted[@]}" | MAZUR=$MAZUR CC=$CC xargs -P "${JOBS:-$(nproc)}" -I{} \
    sh -c '"$0" --one "$1" >"$2/$1.log" 2>&1' "$here/run.sh" {} "$work"
for file in "${wanted[@]}"; do
    grep -v -x '[0-9]* passed, [0-9]* failed' "$work/$file.log"
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
