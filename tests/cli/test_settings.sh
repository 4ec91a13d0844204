#!/bin/bash
# Every setting that decides executions (src/board/settings.def) through resume, replay,
# simplify and regress. The rows come from the table itself, so a new one is tested without
# being named here. (tests/unit/test_options.c: an option that is no row of the table decides nothing.)
. "$(dirname "$0")/lib.sh"
cat >long.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
__attribute__((noinline)) static void f(void) { x++; x++; x++; }
__attribute__((noinline)) static void g(void) { y = 1; y = 0; }
static void *run(void *p) { f(); g(); f(); return p; }
int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, run, NULL);
    pthread_create(&q, NULL, run, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
END
# fails with one preemption, between the two stores
cat >fails.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
__attribute__((noinline)) static void f(void) { x++; x++; }
__attribute__((noinline)) static void g(void) { y = 1; y = 0; }
static void *a(void *p) { g(); f(); return p; }
static void *b(void *p) { assert(y == 0); f(); return p; }
int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, a, NULL);
    pthread_create(&q, NULL, b, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
END
"$CC" -I"$root/src" -o list_settings "$here/list_settings.c" "$root/src/board/settings.c" || exit 70
./list_settings >table

# other_values NAME TYPE INITIAL CHOICE...: options that give it a value other than the initial
# one, one per line
other_values() {
    local setting=$1 type=$2 initial=$3 value
    shift 3
    case $setting in
    scratch) echo "--scratch ."; return ;;
    strategy) printf '%s\n' "--strategy icb" "--strategy dpor"; return ;;
    step-bound) echo "--step-bound 30"; return ;; # 2 steps are too few for a failure
    esac
    case $type in
    flag) echo "--$setting" ;;
    choice | set) for value; do echo "--$setting $value"; done ;;
    number) echo "--$setting $((initial < 0 ? 2 : initial + 1))" ;;
    lines) printf '%s\n' "--$setting f" "--$setting g" "--$setting f --$setting g" ;;
    esac
}

# with OPTION...: "--strategy NAME" where the option needs one
with() {
    "$MAZUR" check "$@" absent.c 2>&1 | sed -n 's/.*works only with\( --strategy [a-z0-9-]*\).*/\1/p'
}

# shellcheck disable=SC2086 # options are words, everywhere below
stop() {
    expect 0 "$MAZUR" check $1 --execs 3 --no-trace long.c
}

# shellcheck disable=SC2086
resume_refused() {
    expect 64 "$MAZUR" check --resume $1 --execs 3 --no-trace long.c
    says err "had other options"
}

# shellcheck disable=SC2086
through_resume() { # NAME OPTIONS BASE
    stop "$3"
    says out "To resume this search"
    resume_refused "$2 $3"
    says err "$1="
    expect 0 "$MAZUR" check --resume $3 --execs 3 --no-trace long.c
    lacks err "had other options"
    stop "$2 $3"
    grep -q "To resume this search" out || return # compares states
    resume_refused "$3"
    says err "$1="
    expect 0 "$MAZUR" check --resume $2 $3 --execs 3 --no-trace long.c
}

# shellcheck disable=SC2086
through_replay() { # NAME USES OPTIONS BASE
    rm -rf traces
    mkdir traces
    expect 1 "$MAZUR" check $3 $4 --trace-dir traces --json r.json fails.c
    says out "assertion"
    lacks out "nondeterminism"
    case $1 in
    # if preemptions are forbidden in some places, the execution is shown as it was found
    preempt-only | no-preempt) ;;
    *) [ "$(field r.json failures.0.simplest.found.steps)" != null ] || fault "$3: not simplified" ;;
    esac
    expect 1 "$MAZUR" replay traces/*.mzt
    says out "assertion"
    expect 1 "$MAZUR" regress traces
    says out "still failing"
    local key=${1//-/_} value=${3##* } has
    [[ $3 == *" "* ]] || value=true
    [ "$1" = scratch ] && value=true
    has=$(field traces/*.mzt "settings.$key" 2>/dev/null)
    case $2 in
    *replays) [[ $has == *"$value"* ]] || fault "$3: the trace file has $key = '$has'" ;;
    *) [[ -z $has || $has == null || $has == "-" ]] || fault "$3: the trace file has $key = '$has'" ;;
    esac
}

t "the table is there"
[ "$(wc -l <table)" -ge 20 ] || fault "$(cat table)"

declare -A resumed=() replayed=()
while read -r setting type uses initial choices; do
    # shellcheck disable=SC2086
    while read -r options; do
        [ "$setting" != realtime-start ] || continue
        base=$(with $options)
        [ "$setting" = strategy ] || [ -n "$base" ] || base="--time 60"
        t "--resume with other $options"
        if [ "$uses" = nothing ]; then # it decides no execution: a search may go on with another value
            stop "$base"
            # shellcheck disable=SC2086
            expect 0 "$MAZUR" check --resume $options $base --execs 3 --no-trace long.c
            lacks err "had other options"
        else
            through_resume "$setting" "$options" "$base"
        fi
        resumed[$setting]=1
        # in g alone nothing else can fail
        case $options in
        "--no-preempt g" | "--no-preempt f --no-preempt g" | "--preempt-only f") continue ;;
        esac
        t "replay, simplify, regress with $options"
        through_replay "$setting" "$uses" "$options" "$base"
        replayed[$setting]=1
    done < <(other_values "$setting" "$type" "$initial" $choices)
done <table

# A program without threads sees the real date, and an execution repeats itself with the date of its recording.
# (With threads the date is fixed, so a stopped search has no other.)
t "replay and regress with the realtime-start of the recording"
cat >date.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <time.h>
int main(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("date %ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
    fflush(stdout);
    assert(now.tv_sec < 0);
}
END
rm -rf traces
mkdir traces
expect 1 "$MAZUR" check --trace-dir traces date.c
grep -m 1 -o 'date [0-9.]*' out >recorded || fault "$last: no date"
expect 1 "$MAZUR" replay traces/*.mzt
grep -m 1 -o 'date [0-9.]*' out >repeated
same recorded repeated
expect 1 "$MAZUR" regress traces
says out "still failing"
[ "$(tr -d 'date .' <recorded)" = "$(field traces/*.mzt settings.realtime_start)" ] ||
    fault "the trace has $(field traces/*.mzt settings.realtime_start), the program saw $(cat recorded)"
sed 's/"realtime_start": *[0-9]*/"realtime_start": 1234567890000000001/' traces/*.mzt >other.mzt
expect 1 "$MAZUR" replay other.mzt
says out "date 1234567890.000000001"
resumed[realtime-start]=1 replayed[realtime-start]=1

t "every setting of the table went through resume, replay, simplification and regress"
while read -r setting _; do
    [ "${resumed[$setting]:-}${replayed[$setting]:-}" = 11 ] || fault "$setting"
done <table

end_of_file
