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
        # in g alone nothing else can fail; with ignored or explored races, too
        case $options in
        "--no-preempt g" | "--no-preempt f --no-preempt g" | "--preempt-only f" | --cache-states) continue ;;
        esac
        t "replay, simplify, regress with $options"
        through_replay "$setting" "$uses" "$options" "$base"
    done < <(other_values "$setting" "$type" "$initial" $choices)
done <table

end_of_file
