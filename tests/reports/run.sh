#!/bin/bash
# Reports on C++ programs, as people read them.
#
#   tests/reports/run.sh [NAME…]      the programs of this folder, or those named
#   GOLDEN=write tests/reports/run.sh writes the present reports into expected/, to be reviewed
#   COMPILERS=g++ LEVELS=-O1 tests/reports/run.sh only some of the cells
#   TEST_SAMPLE=N tests/reports/run.sh   two cells of each program: g++ -O1, and one other, by turns: every compiler
#                                     and level has some programs, and other ones for other N (make test: by the commit)
#
# With g++ at -O1, the default, the report is compared with expected/NAME.txt, if there is one, except for the number of
# operations, which depends on how far the search got. (On a slow machine the search for the simplest form of a long
# execution ends early: such programs have no file there.) With other compilers and
# levels the inlining differs, and with it some lines; there a report must have its sentence "In short" and no raw
# address, no symbol with an offset, no line of the C++ library and no very long line. "// SAYS text" in a program:
# its reports contain the text, with any compiler, however the lines are broken.
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=../tap.sh
. "$here/../tap.sh"
MAZUR=${MAZUR:-$root/bin/mazur}
LONGEST=100 # characters of a line, except for those of the verdict, which stay whole outside a terminal
work=$(mktemp -d "${TMPDIR:-/tmp}/mazur-reports.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

standard() { # NAME: the program's first comment names it
    if grep -q 'C++20' "$here/$1.cpp"; then echo c++20; else echo c++17; fi
}

report() { # NAME COMPILER LEVEL
    cp "$here/$1.cpp" .
    "$MAZUR" check --compiler "$2" "-std=$(standard "$1")" "$3" "$1.cpp" --no-trace --time 0 --color never 2>&1 |
        sed -E -e '/visible operations/d' -e '/^mazur: (looking for the simplest form|running the failing execution)/d' -e 's/ +[0-9]+\.[0-9] s$/ S s/' >report.txt
}

# What no report may have, and what is missing.
faults() {
    grep -nE '0x[0-9a-f]{4,}' report.txt | sed 's/^/raw address: /'
    grep -nE '[a-z_)]\+0x' report.txt | sed 's/^/offset in a symbol: /'
    grep -nE '[A-Za-z_]\+[0-9]' report.txt | sed 's/^/offset in a variable: /'
    grep -nE '/usr/(include|lib)' report.txt | sed 's/^/place in a library: /'
    grep -nE '_M_|std::allocator|default_delete|char_traits' report.txt | sed 's/^/name of the library: /'
    grep -v '^mazur: ' report.txt | grep -nE ".{$((LONGEST + 1))}" | sed 's/^/long line: /'
    grep -nE 'this->' report.txt | sed 's/^/pointer that is no name: /'
    grep -nE '[a-z]:0([ ,)]|$)' report.txt | sed 's/^/line 0: /'
    grep -q '^  In short:$' report.txt || echo 'no "In short"'
    words=$(tr -s ' \n' ' ' <report.txt)
    sed -n 's|^// SAYS ||p' "$name.cpp" | while IFS= read -r said; do
        [[ $words == *"$said"* ]] || echo "does not say: $said"
    done
}

all=($(cd "$here" && basename -s .cpp ./*.cpp))
names=("$@")
[ ${#names[@]} -gt 0 ] || names=("${all[@]}")

levels() { # NAME COMPILER
    local number cells=(g++-O0 clang++-O0 g++-O2 clang++-O1 clang++-O2) other
    [ -n "${TEST_SAMPLE:-}" ] || { echo "${LEVELS:--O0 -O1 -O2}" && return; }
    for number in "${!all[@]}"; do
        [ "${all[number]}" != "$1" ] || break
    done
    other=${cells[$(((number + TEST_SAMPLE) % 5))]}
    [ "$2" != g++ ] || echo -O1
    [[ $other != "$2"-* ]] || echo "-${other##*-}"
}

export LC_ALL=C.UTF-8
for name in "${names[@]}"; do
    for compiler in ${COMPILERS:-g++ clang++}; do
        command -v $compiler >/dev/null || { untested "$compiler is skipped: it is not installed"; continue; }
        for level in $(levels "$name" $compiler); do
            report "$name" $compiler $level
            problem=$(faults)
            if [ $compiler$level = g++-O1 ] && [ "${GOLDEN:-}" = write ] && [ -f "$here/expected/$name.txt" ]; then
                cp report.txt "$here/expected/$name.txt"
            elif [ $compiler$level = g++-O1 ] && [ -f "$here/expected/$name.txt" ]; then
                problem+=$(diff "$here/expected/$name.txt" report.txt)
            fi
            [ -z "$problem" ] || problem+=$'\n'$(cat report.txt)
            result "$name with $compiler $level" "$problem"
        done
    done
done
done_testing
