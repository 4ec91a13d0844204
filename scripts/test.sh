#!/bin/bash
# The tests that a change must pass (`make test`), those without samples (`make test-all`), what one runs before
# a commit (`make check`), or under small limits (`make test-limits`). A part is a set of jobs; each job is a file build/t/PART/JOB.t, and `prove` runs
# them beside each other on all processors. Ends with one line 'N passed, N failed', which counts parts.
#
# Usage: test.sh [--all | --check | --limits] [PART...]
# A job's whole output is in build/t/PART/JOB.log. Again, what failed last time:
#     prove -j2 --statefile=build/t/state --state=failed,save
# What repeats the same programs with another compiler, strategy or library takes a sample in `make test`, another
# one for each commit (CONTRIBUTING.md); --all: everything.
# Environment: JOBS (the number of processors), CC (for the builds), SEED (which sample; default: by the commit)
set -u
if [ "${1:-}" = --job ]; then # RESULT COMMAND...: one job, for prove
    result=$2 log=${2%.result}.log start=$SECONDS
    shift 2
    TMPDIR=$(mktemp -d) || exit 70
    export TMPDIR
    scripts/run_job.pl "$@" >"$log" 2>&1 </dev/null
    status=$?
    # Mazur leaves nothing behind. A command that a test did not wait for may still be tidying up.
    for ((tries = 100; tries > 0; tries--)); do
        compgen -G "$TMPDIR/mazur-*" >/dev/null || break
        sleep 0.1
    done
    if compgen -G "$TMPDIR/mazur-*" >>"$log"; then
        echo "not ok - left behind in TMPDIR" >>"$log"
        status=1
    fi
    rm -rf "$TMPDIR"
    if grep -qE '^1\.\.[0-9]' "$log"; then
        cat "$log"
    elif [ "$status" = 0 ]; then
        printf '1..1\nok 1\n'
    else
        printf '1..1\nnot ok 1\n'
    fi
    # Its processor time, which other work on the machine hardly changes; the second line of `times` is that of
    # the commands that were run.
    times >"$result"
    work=$(awk 'END { gsub(/s/, ""); split($1, user, "m"); split($2, sys, "m"); printf "%.0f", (user[1] + sys[1]) * 60 + user[2] + sys[2] }' "$result")
    echo "$status $work" >"$result"
    # while prove runs, where it is: descriptor 8 is test.sh's own output
    if { true >&8; } 2>/dev/null; then
        name=${result#build/t/} word=ok
        [ "$status" = 0 ] || word=FAILED
        printf '%4d of %d  %-44s %-6s %4d s\n' "$(find build/t -name '*.result' | wc -l)" "$TEST_JOBS" "${name%.result}" $word $((SECONDS - start)) >&8
    fi
    exit "$status"
fi

cd "$(dirname "$0")/.." || exit 70
root=$PWD
command -v prove >/dev/null || { echo "test.sh: no prove: please install perl (not perl-base alone)" >&2; exit 70; }
table=full one_in=5
case ${1:-} in
--check | --limits) table=${1#--} && shift ;;
--all) one_in=1 && shift ;;
esac
seed=${SEED:-$((16#$(git rev-parse --short=7 HEAD 2>/dev/null || echo 0)))}
wanted=("$@")
processors=${JOBS:-$(nproc)}
export JOBS=1 # each job keeps one processor busy
[ "$one_in" = 1 ] || export TEST_SAMPLE=$seed
compiler=${CC:-}
unset MAKEFLAGS MFLAGS MAKELEVEL
unset CC # for the builds here; what tests compile is compiled by cc, unless they say otherwise
parts=() jobs=()
mkdir -p build/t
exec 9>build/t/lock
flock -n 9 || { echo "test.sh: another run is using build/t" >&2; exit 70; }
rm -rf build/t/*/

is_wanted() { [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]]; }

# job PART NAME COMMAND...
job() {
    local part=$1 path=build/t/$1/$2
    shift 2
    is_wanted "$part" || return 0
    [[ " ${parts[*]} " == *" $part "* ]] || parts+=("$part")
    mkdir -p "${path%/*}"
    {
        echo '#!/bin/bash'
        echo "cd ${root@Q} && exec scripts/test.sh --job ${path@Q}.result ${*@Q}"
    } >"$path.t"
    chmod +x "$path.t"
    jobs+=("$path.t")
}

# family_jobs PART FAMILIES SKIP COMMAND...: one for each of the FAMILIES (a pattern) that has cases which SKIP leaves
family_jobs() {
    local part=$1 families=$2 skip=$3 family
    shift 3
    for family in $(printf '%s\n' tests/programs/*/*_{good,bad}.* | grep -E "/($families)/" | grep -vE "/($skip)" |
        cut -d/ -f3 | sort | uniq -c | sort -rn | awk '{print $2}'); do
        job "$part" "$family" env SKIP="$skip" "$@" tests/programs/run.sh "$family/"
    done
}

# unit_jobs PART FOLDER SKIPPED...: one for each test that was built there
unit_jobs() {
    local part=$1 folder=$2 test
    shift 2
    for test in tests/unit/test_*.c; do
        test=$(basename "$test" .c)
        [[ " $* " == *" $test "* ]] || job "$part" "$test" env CMOCKA_MESSAGE_OUTPUT=TAP "$folder/unit/$test"
    done
}

# build WHAT MAKE-ARGUMENTS...: before the jobs, with all processors
build() {
    local what=$1 start=$SECONDS
    shift
    if make --no-print-directory -j"$processors" ${compiler:+CC="$compiler"} "$@" >build/t/build.log 2>&1 9>&-; then
        printf '%-40s built in %d s\n' "$what" $((SECONDS - start))
    else
        printf '%-40s does not build\n' "$what"
        grep -A8 -E 'error:|Error ' build/t/build.log | head -n 40
        echo "0 passed, 1 failed"
        exit 1
    fi
}

units() { printf "%s\n" tests/unit/test_*.c | sed "s|tests/unit/\(.*\)\.c|$1/unit/\1|"; }

# one pair of each family
samples() {
    cat <<'END'
algorithms peterson
api api_assert
atomics counter_atomic
barriers barrier_serial
claims claim_every
conditions lost_wakeup
cxx std_lock
endings exit_status
files io_pipe
libc libc_strtok
locks deadlock_abba
loops spin_yield
machine machine_bit
memory use_after_free
misuse misuse_relock
races counter_plain
search preemptions_1
semaphores semaphore_try
signals signal_raise
threads detach
time nanosleep
END
}

sanitized='-O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined'
sanitized_skip='test_heap test_race test_hooks_string' # fixed addresses, which the sanitizer needs

full() {
    local strategy document file part family name instrumented
    build 'command, runtime, unit tests' all build/jsonget $(units build)
    if is_wanted unit-sanitized || is_wanted scribbling-child || is_wanted mutated-models; then
        build 'the same with sanitizers' B=build/sanitized BIN=build/sanitized/bin LIB=build/sanitized/lib \
            CFLAGS="$sanitized" build/sanitized/bin/mazur build/sanitized/fuzz_models \
            $(for test in $(units build/sanitized); do [[ " $sanitized_skip " == *" ${test##*/} "* ]] || echo "$test"; done)
    fi
    if is_wanted build-clang; then
        build 'the same with clang' all B=build/clang BIN=build/clang/bin LIB=build/clang/lib CC=clang CFLAGS=-O1
        job build-clang selftest build/clang/bin/mazur selftest --programs 50 --limit 400
    fi
    # long ones first, so that none is left over at the end; what is longest is shared out
    for part in tidy cppcheck; do
        job lint $part scripts/lint.sh $part
    done
    for part in 1 2 3 4; do
        job mutants explore-$part tests/mutants/run.sh --share $part/4 tests/mutants/explore/
        job mutants promela-$part tests/mutants/run.sh --share $part/4 tests/mutants/promela/
    done
    for part in tests/mutants/*/; do
        part=$(basename "$part")
        [[ $part =~ ^(explore|promela)$ ]] || job mutants "$part" tests/mutants/run.sh --share 1/1 "tests/mutants/$part/"
    done
    for part in $(tests/fuzz/quick.sh --list); do
        job random-programs "$part" tests/fuzz/quick.sh "$part"
    done
    for part in verdicts examples random claims trails features formulas refusals sentences; do
        job models "$part" tests/models/run.sh --part "$part"
    done
    job real quick tests/real/run.sh --quick
    job mutated-models all tests/fuzz/models.sh
    job mutated-models bounds tests/fuzz/bounds.sh 10
    job mutated-models bounds-ltl env VALUES=ltl tests/fuzz/bounds.sh 10
    if [ "$one_in" = 1 ]; then
        job scribbling-child all tests/cli/scribbles.sh 30
    else
        job scribbling-child all tests/cli/scribbles.sh 5 $((seed % 100 * 5 + 1))
    fi
    family_jobs programs '.*' : env REPLAYS=$((one_in == 1 ? 2 : 1))
    # a trace is replayed in the same way whichever strategy found it; nor does what libraries and instructions
    # access depend on the strategy
    family_jobs programs-every-interleaving '.*' 'libc_|machine_|std_' STRATEGY=icb REPLAYS=0 ONE_IN=$one_in SEED=$((seed + 1))
    # The compiler decides which accesses are announced and what stays in registers: of these families, one pair in
    # five. The others are about functions that the runtime replaces: of them, a pair each is enough.
    instrumented='algorithms|atomics|cxx|libc|loops|machine|memory|races'
    family_jobs programs-clang "$instrumented" libc_ CC=clang REPLAYS=1 ONE_IN=$one_in SEED=$seed
    while read -r family name; do
        [[ $family =~ ^($instrumented)$ ]] ||
            job programs-clang "$family" env CC=clang REPLAYS=1 tests/programs/run.sh "$family/${name}_"
    done < <(samples)
    for strategy in bpor cbpor-1 dpor optimal sdpor; do
        part=: # sdpor compares every state of an execution, and those of livelock_ring are thousands of steps long
        [ $strategy != sdpor ] || part=livelock_ring
        job programs-strategies $strategy env STRATEGY=$strategy REPLAYS=0 SKIP=$part ONE_IN=$one_in SEED=$((seed + 2)) tests/programs/run.sh \
            livelock_ wait_ dekker peterson races_explore
    done
    unit_jobs unit-sanitized build/sanitized $sanitized_skip
    unit_jobs unit build
    for file in tests/cli/test_*.sh; do
        part=$(basename "$file" .sh)
        job cli "${part#test_}" "$file"
    done
    job lint others scripts/lint.sh layers cycles names citations format shell
    job browser all tests/browser/run.sh
    job formats all tests/formats/run.sh
    for file in tests/reports/*.cpp; do
        part=$(basename "$file" .cpp)
        job reports "$part" tests/reports/run.sh "$part"
    done
    job runner all tests/programs/selftest.sh
    job known-trace-counts all bash bench/known_counts.sh --fast
    job limits all tests/limits.sh
    for document in README.md CONTRIBUTING.md examples/README.md docs/*.md; do
        job docs "${document//\//-}" tests/docs/run.pl "$document"
    done
}

# Under a minute: every unit test, one pair of programs from each family, a few command lines, the linters on
# what changed, two faults that tests must notice.
check() {
    local family name
    build 'command, runtime, unit tests' all build/jsonget $(units build)
    job mutants applies tests/mutants/run.sh --applies
    job mutants sample tests/mutants/run.sh cbpor_ignores_yields copy_of_a_clock_forgets
    unit_jobs unit build
    while read -r family name; do
        job programs "$family" env REPLAYS=1 tests/programs/run.sh "$family/${name}_"
    done < <(samples)
    for name in usage stdin scratch completion; do
        job cli $name tests/cli/test_$name.sh
    done
    job lint all scripts/lint.sh --changed
}

limits() {
    build 'command and runtime' all build/jsonget
    job limits all tests/limits.sh
}

started=$SECONDS
case $table in
full) echo "About 15 minutes on two idle processors; sample $seed; output of each job: build/t/PART/JOB.log" ;;
check) echo "Under a minute on two idle processors; output of each job: build/t/PART/JOB.log" ;;
esac
$table
for part in "${wanted[@]}"; do
    [[ " ${parts[*]} " == *" $part "* ]] || { echo "test.sh: there is no part '$part'" >&2; exit 70; }
done
export TEST_JOBS=${#jobs[@]}
prove -j "$processors" -QQ --statefile=build/t/state --state=save "${jobs[@]}" 8>&1 9>&- >build/t/prove.log 2>&1
echo
passed=0 failed=0
for part in "${parts[@]}"; do
    bad=() work=0 cases=0
    for job in build/t/"$part"/*.t; do
        log=${job%.t}.log status=lost seconds=0
        [ -e "$log" ] || echo "not ok - it did not run" >"$log"
        [ ! -e "${job%.t}.result" ] || read -r status seconds <"${job%.t}.result"
        [ "$status" = 0 ] || bad+=("$job")
        work=$((work + seconds))
        cases=$((cases + $(grep -cE '^ok ' "$log")))
    done
    if [ ${#bad[@]} -eq 0 ]; then
        passed=$((passed + 1))
        printf '%-28s ok      %5d s of processor time  %s\n' "$part" "$work" "$([ $cases = 0 ] || echo "$cases tests")"
    else
        failed=$((failed + 1))
        printf '%-28s FAILED  %5d s of processor time\n' "$part" "$work"
    fi
    # what could not be tested here, and why
    cat build/t/"$part"/*.log | grep -E '(is|are) (skipped|not (validated|tested|run))|: skipped: ' | grep -v '^ok ' | sed 's/^#* */    /' | sort -u
    for job in "${bad[@]}"; do
        echo "    $job:"
        { grep -A8 -E '^(not ok|FAIL|\[  FAILED)|error:' "${job%.t}.log" || tail -n 15 "${job%.t}.log"; } | head -n 60 | sed 's/^/        /'
    done
done
printf '%d:%02d minutes\n' $(((SECONDS - started) / 60)) $(((SECONDS - started) % 60))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
