#!/bin/bash
# --jobs: a search in several processes says what one process says, whatever the timing and whoever is killed.
. "$(dirname "$0")/lib.sh"
"$MAZUR" cc "$root/bench/programs/traces.c" -DSWAP -DN=5 -o swap5 || exit 70
"$MAZUR" cc "$root/bench/programs/traces.c" -DVARIABLES=3 -DN=4 -o add4 || exit 70
"$MAZUR" cc "$root/bench/programs/traces.c" -DSWAP -DN=4 -o swap4 || exit 70
"$MAZUR" cc -O1 -g "$root/tests/fuzz/random_program.c" -o random_program || exit 70

# same_rows WANTED: of the last search
same_rows() {
    local got
    got=$(rows r.json)
    [ "$got" = "$1" ] || fault "$last: $got instead of $1"
}

t "the known numbers of traces, with 1, 2, 3, 4 and 8 jobs"
for jobs in 1 2 3 4 8; do
    if is_sampled $((jobs / 2)) 2; then
        expect 0 "$MAZUR" run --strategy cbpor --jobs $jobs --time 0 --json r.json ./swap5
        same_rows "0 120, 1 1320, 2 6720, 3 18720, 4 30000, 5 32880, true 32880 passed"
        [ $jobs = 1 ] || says out "$jobs jobs"
    else
        expect 0 "$MAZUR" run --strategy cbpor --jobs $jobs --time 0 --json r.json ./add4
        same_rows "0 24, 1 312, 2 1704, 3 5160, 4 9792, 5 12960, 6 13824, true 13824 passed"
    fi
    expect 0 "$MAZUR" run --strategy cbpor --jobs $jobs --time 0 --bound 2 --json r.json ./swap4
    same_rows "0 24, 1 168, 2 576, false 576 passed"
done

t "random programs: the same verdict and the same traces at each bound"
for seed in 3 5 8 13 21 34 55 89; do
    is_sampled $seed 2 || continue
    timeout "$PATIENCE" "$MAZUR" run --quiet --strategy cbpor --time 0 --bound 3 --jobs 1 --no-trace \
        --json one.json ./random_program $seed 4 basic >out1 2>&1
    code=$? wanted=$(rows one.json)
    for jobs in 2 3 8; do
        expect $code "$MAZUR" run --quiet --strategy cbpor --time 0 --bound 3 --jobs $jobs --no-trace \
            --json r.json ./random_program $seed 4 basic
        if [ $code = 0 ]; then
            same_rows "$wanted"
        elif [ "$(field r.json bound_done)" != "$(field one.json bound_done)" ]; then
            fault "$last: fails at another bound"
        fi
    done
done

t "the other strategies that can be shared out: the same traces, and the same executions"
"$MAZUR" cc "$root/bench/increments.c" -DTHREADS=3 -DROUNDS=2 -DPRIVATE=0 -o increments || exit 70
for search in "dfs --bound 4:0 6, 1 24, 2 60, 3 90, 4 90, false 90 passed" "icb --bound 5:0 6, 1 24, 2 60, 3 90, 4 90, 5 90, false 90 passed" \
    "delay --delay 9:0 1, 1 5, 2 15, 3 30, 4 49, 5 66, 6 79, 7 86, 8 89, 9 90, false 90 nothing-found"; do
    for jobs in 1 2 3; do
        # shellcheck disable=SC2086 # words
        expect 0 "$MAZUR" run --strategy ${search%%:*} --jobs $jobs --time 0 --json r.json ./increments
        [ $jobs = 1 ] && wanted="$(field r.json executions)" || says out "$jobs jobs"
        same_rows "${search#*:}"
        [ "$(field r.json executions)" = "$wanted" ] || fault "$last: $(field r.json executions) executions instead of $wanted"
    done
done
for strategy in dpor optimal; do
    for jobs in 2 3; do
        expect 0 "$MAZUR" run --strategy $strategy --jobs $jobs --time 0 --json r.json ./swap5
        says out "$jobs jobs"
        same_rows "true 32880 passed"
        [ "$(field r.json executions)" = 32880 ] || fault "$last: executions $(field r.json executions)"
    done
done

t "children that are killed cost work, nothing else"
kills=0
for round in 1 2; do
    timeout "$PATIENCE" "$MAZUR" run --strategy cbpor --jobs 3 --time 0 --json r.json ./swap5 >out 2>err &
    search=$! last="swap5, killed"
    for _ in 1 2 3 4 5 6; do
        sleep "0.$((RANDOM % 5 + 1))"
        mazur=$(pgrep -P $search -f 'mazur run' || echo $search)
        victim=$(pgrep -P "$mazur" -x swap5 | shuf -n 1)
        if [ -n "$victim" ]; then kill -9 "$victim" && kills=$((kills + 1)); fi
    done
    wait $search || fault "round $round: exit $?"
    same_rows "0 120, 1 1320, 2 6720, 3 18720, 4 30000, 5 32880, true 32880 passed"
done
[ $kills -gt 0 ] || fault "no child was killed"


cat >late.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *run(void *argument)
{
    long me = (long)argument;
    for (int i = 0; i < 4; i++) {
        atomic_fetch_add(&x, 1);
        atomic_store(&y, (int)(me * 10 + i));
    }
    if (me == 1 && atomic_load(&x) == 6 && atomic_load(&y) == 21)
        assert(!"late");
    return NULL;
}
int main(void)
{
    pthread_t thread[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, run, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
}
C
"$MAZUR" cc late.c -o late || exit 70

# told FILE: what a report says about the failure itself
told() {
    sed -n '/assertion/,/Searched/p' "$1" | grep -v 'Searched:\|execution [0-9]\|found with\|of those with\|events$'
}

t "the same failure is shown, at the same bound, and it replays"
expect 1 "$MAZUR" run --strategy cbpor --jobs 1 --no-trace ./late
told out >one
for jobs in 2 4 8; do
    expect 1 "$MAZUR" run --strategy cbpor --jobs $jobs --no-trace ./late
    told out >several
    cmp -s one several || fault "$last: another report: $(diff one several | head -5)"
    says out "2 preemptions; no execution with fewer preemptions fails"
done
expect 1 "$MAZUR" run --strategy cbpor --jobs 3 --trace-dir traces ./late
expect 1 "$MAZUR" replay traces/*.mzt
[ -s one ] || fault "there is no failure to compare"

t "--keep-going: failures of every process are reported, also where the search is finished"
for jobs in 2 4; do
    expect 1 "$MAZUR" run --strategy cbpor --jobs $jobs --no-trace --keep-going --bound 2 --json r.json ./late
    [ "$(field r.json bound_done distinct)" = "2 2081" ] || fault "$last: $(field r.json bound_done distinct)"
done

t "time that is up: what was finished counts"
"$MAZUR" cc "$root/bench/increments.c" -DTHREADS=3 -DROUNDS=8 -o add3 || exit 70
for seconds in 2 8 30; do # until both have had work, which takes longer on a loaded machine
    expect 0 "$MAZUR" run --strategy cbpor --jobs 2 --time $seconds --json r.json ./add3
    says r.json '"complete": false'
    says out "time ran out" "To resume this search: mazur run --resume"
    ! "$MAZUR" run --resume --strategy cbpor --jobs 2 --execs 10 ./add3 >out 2>err || continue
    break
done
expect 64 "$MAZUR" run --resume --strategy cbpor --jobs 2 --execs 10 ./add3
says err "it ran in several processes"

t "a search that was stopped goes on with its leaves, with any number of jobs, also after Ctrl-C"
for jobs in "2 3" "3 1" "1 2"; do
    timeout "$PATIENCE" "$MAZUR" run --strategy cbpor --jobs "${jobs% *}" --time 0 ./swap5 >out 2>err &
    search=$!
    until grep -q "bound 1 " out || ! kill -0 $search 2>/dev/null; do sleep 0.05; done
    kill -INT "$(pgrep -P $search -f 'mazur run' || echo $search)"
    wait $search
    says out "interrupted" "To resume this search"
    expect 0 "$MAZUR" run --resume --strategy cbpor --jobs "${jobs#* }" --time 0 --json r.json ./swap5
    says out "resuming after"
    same_rows "0 120, 1 1320, 2 6720, 3 18720, 4 30000, 5 32880, true 32880 passed"
done
expect 64 "$MAZUR" run --resume --strategy cbpor --jobs 2 --time 0 ./swap5
says err "there is no stopped search"

t "without --jobs: all cores that are free, and the first line says how many"
expect 0 "$MAZUR" run --strategy cbpor --time 0 --json r.json ./swap5
same_rows "0 120, 1 1320, 2 6720, 3 18720, 4 30000, 5 32880, true 32880 passed"
expect 0 env MAZUR_JOBS=2 "$MAZUR" run --strategy cbpor --time 0 ./swap5
head -n 1 out >first
says first "2 jobs"

cat >leaves.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, first;
static void *run(void *argument)
{
    int before = atomic_fetch_add(&first, 1);
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(&x, 1);
    if (before == 0 && (long)argument == 3)
        __asm__ volatile("syscall" ::"a"(231), "D"(3) : "rcx", "r11", "memory"); /* exit_group(3) */
    return NULL;
}
int main(void)
{
    pthread_t thread[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, run, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
}
C
t "private operations: such a search is shared out like others, and every trace is in one part"
"$MAZUR" cc "$root/bench/increments.c" -DTHREADS=3 -DROUNDS=4 -DPRIVATE=100 -o private100 || exit 70
expect 0 "$MAZUR" run --strategy cbpor --jobs 2 --bound 2 --time 0 --json r.json ./private100
same_rows "0 6, 1 60, 2 402, false 402 passed"
says out "2 jobs"
expect 0 "$MAZUR" run --strategy cbpor --jobs 3 --bound 3 --time 0 --json r.json ./private100
same_rows "0 6, 1 60, 2 402, 3 1752, false 1752 passed"

t "what a process died of is not forgotten when the search goes on in one, and no bound is made up"
"$MAZUR" cc leaves.c -o leaves || exit 70
expect 1 "$MAZUR" run --strategy cbpor --jobs 3 --time 10 --keep-going --no-trace --json r.json ./leaves
says out "exit status 3"
[ "$(field r.json 'failures.#')" = 1 ] || fault "$last: $(field r.json 'failures.#') failures"

cat >leak.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int turn;
static int place[7];
static void *run(void *number)
{
    place[(long)number] = atomic_fetch_add(&turn, 1);
    for (int i = 0; i < 1; i++)
        atomic_fetch_add(&turn, 0);
    return NULL;
}
int main(void)
{
    pthread_t thread[7];
    for (long i = 0; i < 7; i++)
        pthread_create(&thread[i], NULL, run, (void *)i);
    for (int i = 0; i < 7; i++)
        pthread_join(thread[i], NULL);
    int reversed = 1;
    for (int i = 1; i < 7; i++)
        reversed &= place[i] < place[i - 1];
    char *volatile kept = reversed ? malloc(77) : NULL;
    kept = NULL;
    (void)kept;
    return 0;
}
C
t "every process has the settings of the search, also those that do not guide it"
"$MAZUR" cc leak.c -o leak || exit 70
for jobs in 1 3; do
    expect 11 "$MAZUR" run --strategy cbpor --bound 0 --leaks --jobs $jobs --time 0 --no-trace ./leak
    says out "leak: 77 bytes in one block were not freed"
done

t "one process where several can't search, with a reason in the first line"
expect 0 "$MAZUR" run --jobs 2 --execs 10 ./swap4
says out "1 job (--execs counts the executions of one process)"
expect 0 "$MAZUR" run --jobs 2 --strategy sdpor ./swap4
says out "1 job (searches of its strategy are not divided)"
cat >pairs.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int counter[5];
static void *run(void *argument)
{
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(&counter[(long)argument / 2], 1);
    return argument;
}
int main(void)
{
    pthread_t thread[2 * PAIRS];
#ifdef CALLS
    if (system("true") != 0)
        return 1;
#endif
    for (long i = 0; i < 2 * PAIRS; i++)
        pthread_create(&thread[i], NULL, run, (void *)i);
    for (int i = 0; i < 2 * PAIRS; i++)
        pthread_join(thread[i], NULL);
}
C
"$MAZUR" cc -DPAIRS=5 pairs.c -o pairs || exit 70 # millions of prefixes: bpor searches it
expect 0 "$MAZUR" run --jobs 2 --bound 0 --time 3 ./pairs
says out "1 job (a strategy whose searches are not divided has taken over)"
"$MAZUR" cc -DPAIRS=2 -DCALLS pairs.c -o calls || exit 70
expect 0 "$MAZUR" run --jobs 2 --bound 3 --time 2 ./calls
says out "1 job (the program changes something that processes share)"

t "a process for each execution, and races that are explored"
expect 0 "$MAZUR" run --strategy cbpor --jobs 3 --isolate=fork --time 0 --bound 1 --json r.json ./swap5
same_rows "0 120, 1 1320, false 1320 passed"
expect 1 "$MAZUR" check --strategy cbpor --jobs 3 --races=explore --no-trace "$root/tests/programs/races/races_explore_bad.c"
expect 0 "$MAZUR" check --strategy cbpor --jobs 3 --races=explore "$root/tests/programs/races/races_explore_good.c"

end_of_file
