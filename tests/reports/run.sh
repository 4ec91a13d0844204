#!/bin/bash
# Reports on C++ programs, as people read them.
#
#   tests/reports/run.sh [NAME…]      the programs of this folder, or those named
#   GOLDEN=write tests/reports/run.sh writes the present reports into expected/, to be reviewed
#
# With g++ at -O1, the default, the report is compared with expected/NAME.txt, except for the number of operations, which
# depends on how far the search got. With other compilers and
# levels the inlining differs, and with it some lines; there a report must have its sentence "In short" and no raw
# address, no symbol with an offset, no line of the C++ library and no very long line.
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=../tap.sh
. "$here/../tap.sh"
MAZUR=${MAZUR:-$root/bin/mazur}
LONGEST=230 # characters of a line
work=$(mktemp -d "${TMPDIR:-/tmp}/mazur-reports.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

standard() { # NAME: the program's first comment names it
    if grep -q 'C++20' "$here/$1.cpp"; then echo c++20; else echo c++17; fi
}

report() { # NAME COMPILER LEVEL
    cp "$here/$1.cpp" .
    "$MAZUR" check --compiler "$2" "-std=$(standard "$1")" "$3" "$1.cpp" --no-trace --time 0 --color never 2>&1 |
        sed -E -e '/visible operations/d' -e 's/ +[0-9]+\.[0-9] s$/ S s/' >report.txt
}

# What no report may have.
faults() {
    grep -nE '0x[0-9a-f]{4,}' report.txt | sed 's/^/raw address: /'
    grep -nE '[a-z_)]\+0x' report.txt | sed 's/^/offset in a symbol: /'
    grep -nE '/usr/(include|lib)' report.txt | sed 's/^/place in a library: /'
    grep -nE '_M_|std::allocator|default_delete|char_traits' report.txt | sed 's/^/name of the library: /'
    awk -v most=$LONGEST 'length($0) > most { print "long line: " FNR ": " $0 }' report.txt
    grep -q '^  In short:$' report.txt || echo 'no "In short"'
}

names=("$@")
[ ${#names[@]} -gt 0 ] || names=($(cd "$here" && basename -s .cpp ./*.cpp))
export LC_ALL=C.UTF-8
for name in "${names[@]}"; do
    for compiler in g++ clang++; do
        command -v $compiler >/dev/null || { untested "$compiler is skipped: it is not installed"; continue; }
        for level in -O0 -O1 -O2; do
            report "$name" $compiler $level
            problem=$(faults)
            if [ $compiler$level = g++-O1 ] && [ "${GOLDEN:-}" = write ]; then
                cp report.txt "$here/expected/$name.txt"
            elif [ $compiler$level = g++-O1 ]; then
                problem+=$(diff "$here/expected/$name.txt" report.txt)
            fi
            [ -z "$problem" ] || problem+=$'\n'$(cat report.txt)
            result "$name with $compiler $level" "$problem"
        done
    done
done
done_testing
