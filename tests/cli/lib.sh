# shellcheck shell=bash
# The environment of a test of the command: a fresh directory and the helpers below. Each test_*.sh
# sources this file and ends with done_testing; a failed expectation names its command.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=../tap.sh
. "$here/../tap.sh"
MAZUR=$(realpath -e "${MAZUR:-$root/bin/mazur}") || { echo "$0: no command: run make first" >&2; exit 70; }
CC=${CC:-cc}
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
# none of the user's own settings may leak in
unset "${!MAZUR_@}" NO_COLOR COLUMNS GITHUB_STEP_SUMMARY
# shellcheck source=../patience.sh
. "$here/../patience.sh"
# shellcheck source=../jsonget.sh
. "$here/../jsonget.sh"
export XDG_CACHE_HOME=$work/cache HOME=$work/home
file=$(basename "$0" .sh) file=${file#test_}
mkdir -p "$XDG_CACHE_HOME" "$HOME" "$work/$file"
make_jsonget "$work" || exit 70
cd "$work/$file" || exit 70
name='' problem=''

finish() {
    [ -n "$name" ] || return
    result "$name" "$problem"
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
    timeout "$PATIENCE" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$wanted" ] || fault "$last: exit $got, expected $wanted: $(head -c 400 err) $(tail -c 300 out)"
}

# The processor time of the commands so far, in whole seconds: unlike the clock, it does not depend on the load.
processor_time() {
    sed 's/.*) //' "/proc/$$/stat" | awk -v ticks="$(getconf CLK_TCK)" '{ print int(($14 + $15) / ticks) }'
}

# wait_until PROCESS COMMAND...: until it succeeds; false where the process ends before
wait_until() {
    local process=$1
    shift
    until "$@"; do
        kill -0 "$process" 2>/dev/null || return 1
        sleep 0.1
    done
}

# field FILE PATH...: values of a JSON file on one line (see programs/jsonget.c)
field() {
    "$work/jsonget" "$@" | paste -sd' '
}

# rows FILE: bound and traces of each bound in a result, then complete, traces and verdict
rows() {
    local i count line=''
    count=$(field "$1" 'bounds.#')
    for ((i = 0; i < count; i++)); do
        line+="$(field "$1" "bounds.$i.bound" "bounds.$i.distinct"), "
    done
    echo "$line$(field "$1" complete distinct verdict)"
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

# The last test ends with its file, which exits with the status of done_testing.
end_of_file() {
    finish
    cd "$work" || exit 70
    done_testing
}
