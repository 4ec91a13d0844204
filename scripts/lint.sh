#!/bin/bash
# What tools say about the sources: TAP, one test per tool.
#
# Usage: lint.sh [--changed] [TOOL...]     tools: layers cycles names citations format tidy cppcheck shell (all of them)
#   --changed   tidy, cppcheck and shell look only at files that differ from BASE (the branch point from
#               main, else the last commit)
# A tool that is missing is skipped with a sentence; where CI is set, that is a failure.
set -u
cd "$(dirname "$0")/.." || exit 70
# shellcheck source=../tests/tap.sh
. tests/tap.sh
changed=
[ "${1:-}" = --changed ] && changed=1 && shift
tools=("$@")
[ $# -gt 0 ] || tools=(layers cycles names citations format tidy cppcheck shell)

# has TOOL PACKAGE
has() {
    command -v "$1" >/dev/null && return
    if [ -n "${CI:-}" ]; then
        fail "$1" "it is not installed (apt-get install $2)"
    else
        skip "$1" "$1 is skipped: it is not installed (apt-get install $2)"
    fi
    return 1
}

base() {
    [ -n "${BASE:-}" ] && echo "$BASE" && return
    git merge-base HEAD main 2>/dev/null | grep -v "^$(git rev-parse HEAD)$" || git rev-parse -q --verify 'HEAD~1'
}

# files PATTERN...: of the repository that exist; in an export without git, those below the folders
files() {
    if ! git rev-parse -q --git-dir >/dev/null 2>&1; then
        find src scripts tests -name "${1##*/}" | sort
    elif [ -n "$changed" ] && [ "${tool:-}" != format ]; then
        { git diff --name-only --diff-filter=d "$(base)" -- "$@" && git ls-files -o --exclude-standard -- "$@"; } | sort -u
    else
        git ls-files -- "$@" | while read -r file; do [ ! -e "$file" ] || echo "$file"; done
    fi
}

# verdict NAME STATUS: the tool's output is in $work
verdict() {
    if [ "$2" = 0 ]; then pass "$1"; else fail "$1" "$(head -n 60 "$work")"; fi
}
work=$(mktemp) || exit 70
trap 'rm -f "$work"' EXIT
jobs=${JOBS:-$(nproc)}

for tool in "${tools[@]}"; do
    case $tool in
    layers)
        perl scripts/check_layers.pl >"$work" 2>&1
        verdict "layers: includes point down" $?
        ;;
    cycles)
        perl scripts/check_layers.pl --cycles build/rt 8 >"$work" 2>&1
        verdict "layers: no more than 8 files of the runtime need each other" $?
        ;;
    names)
        perl scripts/check_names.pl >"$work" 2>&1
        verdict "names: no twins, static functions say verb and noun" $?
        ;;
    citations)
        perl scripts/check_citations.pl >"$work" 2>&1
        verdict "citations: what is cited of the papers exists" $?
        ;;
    format)
        has clang-format clang-format || continue
        files 'src/*.[ch]' | xargs -r -n 40 -P "$jobs" clang-format --dry-run -Werror >"$work" 2>&1
        status=$?
        # the files, once each, not every place
        sed -n 's/^\(src[^:]*\):.*error:.*/\1: clang-format would change it/p' "$work" | sort -u >"$work.short"
        mv "$work.short" "$work"
        verdict "clang-format" $status
        ;;
    tidy)
        has clang-tidy clang-tidy || continue
        # where mpi.h is; without one what includes it is left out
        MPI_HEADERS=$(mpicc -show 2>/dev/null | grep -oE -- '-I[^ ]+' | sed 's/^-I/-isystem/' | paste -sd' ')
        export MPI_HEADERS
        files 'src/*.c' | { [ -n "$MPI_HEADERS" ] && cat || grep -v '^src/mpi/'; } |
            xargs -r -n 12 -P "$jobs" sh -c 'clang-tidy --quiet "$@" -- -std=gnu11 -Isrc -Iinclude $MPI_HEADERS -D_GNU_SOURCE= -DMAZUR_VERSION=\"0\" 2>&1' sh |
            grep -E '(warning|error): ' | sed "s|^$PWD/||" | sort -u >"$work"
        verdict "clang-tidy" $([ ! -s "$work" ]; echo $?)
        ;;
    cppcheck)
        has cppcheck cppcheck || continue
        # `make test` takes a third of the files, by the commit, and those that have changed
        { files 'src/*.c' | awk -v sample="${TEST_SAMPLE:--1}" 'sample < 0 || (NR + sample) % 3 == 0'
          [ -z "${TEST_SAMPLE:-}" ] || changed=1 files 'src/*.c'; } | sort -u >"$work.files"
        if [ -s "$work.files" ]; then
            cppcheck --quiet --std=c11 --enable=performance,portability --inline-suppr -j "$jobs" -Isrc -Iinclude -D__x86_64__ -D__linux__ \
                --suppressions-list=scripts/cppcheck.txt --template='{file}:{line}: {message} [{id}]' \
                --error-exitcode=1 --file-list="$work.files" >"$work" 2>&1
            status=$?
        else
            status=0
        fi
        rm -f "$work.files"
        verdict "cppcheck" $status
        ;;
    shell)
        has shellcheck shellcheck || continue
        files 'scripts/*.sh' 'tests/*.sh' 'bench/*.sh' 'ci/*.sh' .ci/run | xargs -r -n 20 -P "$jobs" shellcheck -S error >"$work" 2>&1
        verdict "shellcheck" $?
        ;;
    *) echo "lint.sh: there is no tool '$tool'" >&2 && exit 70 ;;
    esac
done
done_testing
