#!/bin/bash
# Mutants: each patch in this folder puts one plausible fault into a copy of the tree, and the
# test that it names must fail there. A mutant that passes its test shows a gap in the tests.
#
# Usage: run.sh [--quick | --share K/N] [NAME…]    mutants whose path contains a NAME; --quick: the first of
#     each test; --share 2/3: the second third of the tests, so that three runs can share the work, in `make test`,
#     whose other parts run the unit tests, programs and models without a fault
#        run.sh --applies                          does every patch still fit its file? Runs nothing
# Environment: JOBS (the number of processors), CC, TEST_SAMPLE (with --share: two mutants in three; `make test` has
# the number from the commit)
#
# The head of a patch, up to its first line that is not a comment:
#     # What is wrong, in a sentence.
#     # test: build/unit/test_por          a command for the shell, run in the copy; it must fail
#     # build: build/unit/test_por         what to make before it; default: the words of the command
#                                          that begin with bin/, lib/ or build/
#     # says: a regular expression         optional: what the failing test prints (grep -E)
#     # objects: src/explore               optional: the folders whose objects are made again where a
#                                          header is changed; default: all that include it
#     # control                            optional: no fault; the test must pass with the patch
#
# A copy consists of hard links to the sources and objects of the tree, so a mutant costs only
# its own objects and one link. Tools that write in place would change the tree through a hard
# link: so files that make rebuilds are first removed from the copy, and patch writes a new
# file. The new file gets the time of the old one, so that make rebuilds only what was removed.
# It does so without debug information, which would take half of the time.
set -u
cd "$(dirname "$0")/../.." || exit 70
root=$PWD
jobs=${JOBS:-$(nproc)}
seconds=600 # for one test: twenty times what the slowest needs on an idle machine

field() { # PATCH KEY: the value of a line of the head
    sed -n '/^[^#]/q; s/^# '"$2"': *//p' "$1"
}

is_control() { sed '/^[^#]/q' "$1" | grep -qx '# control'; }

targets() { # PATCH
    local build
    build=$(field "$1" build)
    [ -n "$build" ] || build=$(field "$1" test | grep -oE '(^| )(bin|lib|build)/[^ ;|&]+')
    echo $build
}

# A failure ends a unit test at once, so its files are left behind.
run_test() { # FOLDER COMMAND
    (unset TEST_SAMPLE && cd "$1" && TMPDIR=$(mktemp -d "$work/tmp-XXXXXX") CMOCKA_TEST_ABORT=1 timeout "$seconds" bash -c "$2") 2>&1 </dev/null
}

# Prints nothing if the test passes without a fault, as it should.
check_test() { # COMMAND
    local out
    out=$(run_test "$root" "$1") && return
    echo "not ok without a fault: $1"
    tail -n 6 <<<"$out" | sed 's/^/    /'
}

copy_tree() { # FOLDER
    mkdir -p "$1/build" &&
        cp -al Makefile src include tests scripts examples "$1" &&
        cp -al build/cli build/page.c "$1/build" &&
        { [ ! -d build/rt ] || cp -al build/rt "$1/build"; }
}

changed_files() { # PATCH
    sed -n 's|^+++ b/\([^\t]*\).*|\1|p' "$1"
}

# The objects that were made from a file that the patch changes.
remove_stale() { # FOLDER PATCH
    local file object folders
    folders=$(field "$2" objects)
    for file in $(changed_files "$2"); do
        grep -rlwF --include='*.d' "$file" "$1/build" | while read -r object; do
            object=${object%.d}
            for folder in ${folders:-/}; do
                [[ $object == *$folder* ]] && rm -f "$object.o" "$object.d"
            done
        done
    done
}

apply_patch() { # FOLDER PATCH
    local file
    (cd "$1" && patch -p1 -s --fuzz=0 --no-backup-if-mismatch <"$root/$2") || return 1
    for file in $(changed_files "$2"); do
        touch -r "$root/$file" "$1/$file"
    done
}

# Prints the lines of one mutant, and nothing else.
check_mutant() { # PATCH
    local patch=$1 name test says out status problem='' found copy
    name=${patch#tests/mutants/} name=${name%.patch}
    test=$(field "$patch" test) says=$(field "$patch" says)
    [ -n "$test" ] || { echo "not ok $name: the patch names no test" && return; }
    copy=$(mktemp -d "$work/XXXXXX") && copy_tree "$copy" || { echo "not ok $name: no copy" && return; }
    remove_stale "$copy" "$patch"
    if ! out=$(apply_patch "$copy" "$patch" 2>&1); then
        problem='the patch does not apply'
    elif ! out=$(make -C "$copy" -s DEPENDENCIES= CFLAGS=-O1 LDFLAGS=-Wl,-S $(targets "$patch") 2>&1); then
        problem='it does not build'
    else
        out=$(run_test "$copy" "$test")
        status=$?
        if [ $status = 124 ] || [ $status = 126 ] || [ $status = 127 ]; then
            problem="status $status of: $test"
        elif is_control "$patch"; then
            [ $status = 0 ] || problem="status $status, and it should pass: $test"
        elif [ $status = 0 ]; then
            problem="nothing noticed it: $test"
        elif [ -n "$says" ] && ! grep -qE -- "$says" <<<"$out"; then
            problem="it failed without saying \"$says\": $test"
        fi
    fi
    if [ -z "$problem" ]; then
        found=$(sed -n 's/^\[ RUN *\] //p; s/ *FAILS after.*//p' <<<"$out" | tail -n 1) # who noticed
        is_control "$patch" && found='nothing is wrong'
        echo "ok $name${found:+ ($found)}"
    else
        printf 'not ok %s: %s\n' "$name" "$problem"
        tail -n 6 <<<"$out" | sed 's/^/    /'
    fi
    rm -rf "$copy"
}

if [[ ${1:-} == check_* ]]; then # the script itself, for one line of a list
    work=$2
    "$1" "$3"
    exit 0
fi
check_all() { # FUNCTION, a list as standard input
    xargs -d '\n' -P "$jobs" -I {} bash tests/mutants/run.sh "$1" "$work" {} | tee -a "$work/lines"
}

if [ "${1:-}" = --applies ]; then
    failed=0
    for patch in tests/mutants/*/*.patch; do
        patch -p1 -s --fuzz=0 --dry-run <"$patch" >/dev/null && continue
        echo "not ok the patch does not apply: $patch"
        failed=1
    done
    exit $failed
fi

quick= share=1/1 sample= elsewhere='^$'
[ "${1:-}" = --quick ] && quick=1 && shift
[ "${1:-}" = --share ] && share=$2 sample=${TEST_SAMPLE:-} && elsewhere='(^| )(build/unit|tests/(models|programs|cli))/' && shift 2
patches=() number=0
for patch in tests/mutants/*/*.patch; do
    wanted=$#
    for name in "$@"; do
        [[ $patch == *"$name"* ]] && wanted=0
    done
    [ "$wanted" = 0 ] || continue
    [ -n "$quick" ] && is_control "$patch" && continue
    number=$((number + 1))
    [ -n "$sample" ] && [ $(((sample + number) % 3)) = 0 ] && continue
    patches+=("$patch")
done
[ ${#patches[@]} -gt 0 ] || [ $number = 0 ] || { echo "the sample has none of these" && exit; }
[ ${#patches[@]} -gt 0 ] || { echo "no mutant is called so: $*" >&2 && exit 2; }
if [ -n "$quick" ]; then
    declare -A known=()
    first=()
    for patch in "${patches[@]}"; do
        test=$(field "$patch" test)
        [ -n "${known[$test]:-}" ] || first+=("$patch")
        known[$test]=1
    done
    patches=("${first[@]}")
fi
mapfile -t tests < <(for patch in "${patches[@]}"; do field "$patch" test; done | sort -u)
declare -A ours=()
for i in "${!tests[@]}"; do
    ((i % ${share#*/} == ${share%/*} - 1)) && ours[${tests[i]}]=1
done
for i in "${!patches[@]}"; do
    [ -n "${ours[$(field "${patches[i]}" test)]:-}" ] || unset "patches[$i]"
done
patches=("${patches[@]}")

work=$(mktemp -d "$root/.mutants-XXXXXX") || exit 70
trap 'rm -rf "$work"' EXIT

# Without a fault, everything must build and every test must pass.
make -s -j"$jobs" all $(for patch in "${patches[@]}"; do targets "$patch"; done | tr ' ' '\n' | sort -u) >/dev/null || exit 70
printf '%s\n' "${!ours[@]}" | grep -vE "$elsewhere" | check_all check_test
printf '%s\n' "${patches[@]}" | check_all check_mutant
failed=$(grep -c '^not ok ' "$work/lines")
echo "$(grep -c '^ok ' "$work/lines") passed, $failed failed"
[ "$failed" -eq 0 ]
