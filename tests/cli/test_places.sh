#!/bin/bash
# --preempt-only and --no-preempt: by function, variable and file; what the result claims.
. "$(dirname "$0")/lib.sh"
cat >places.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct { int unused; atomic_int slot[2]; } q;
static atomic_int log_count;
static void write_log(void)
{
    int n = atomic_load(&log_count);
    atomic_store(&log_count, n + 1);
}
#include "push.h"
static void *worker(void *unused)
{
    write_log();
    push();
    return unused;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(q.slot[1] == 2);
    return 0;
}
C
cat >push.h <<'C'
static void push(void)
{
    int h = atomic_load(&q.slot[1]);
    atomic_store(&q.slot[1], h + 1);
}
C

t "preemptions where they are allowed find the bug"
for place in push 'q.slot[1]' q push.h places.c worker; do
    for level in -O0 -O2; do
        [ "$place" != places.c ] || continue
        expect 1 "$MAZUR" check places.c $level --preempt-only "$place" --no-trace
        says out "q.slot[1] == 2" "1 preemption" "only in $place"
        lacks out "no execution with fewer preemptions fails"
    done
done
expect 1 "$MAZUR" check places.c --no-preempt write_log --no-preempt main --no-trace
says out "never in write_log, main"

t "preemptions that are kept from there do not"
for place in push 'q.slot[1]' q push.h worker; do
    for strategy in auto bpor cbpor dfs icb optimal; do
        expect 0 "$MAZUR" check places.c --no-preempt "$place" --strategy $strategy --json r.json
        says out "passed: all executions with preemptions, never in $place"
        says r.json '"complete": false' '"restricted": '
    done
done
expect 0 "$MAZUR" check places.c --preempt-only write_log --bound 1
says out "all executions with ≤ 1 preemption, only in write_log"
expect 8 "$MAZUR" check places.c --preempt-only log_count --require-complete

t "a restriction that makes no difference is none"
expect 1 "$MAZUR" check places.c --no-preempt q.unused --json r.json
lacks out "never in"

t "a compiler other than the first"
if command -v clang >clang.path; then
    expect 1 "$MAZUR" check places.c --compiler clang --preempt-only 'q.slot[1]' --no-trace
    expect 0 "$MAZUR" check places.c --compiler clang --no-preempt push
fi

t "what the program does not have"
expect 64 "$MAZUR" check places.c --no-preempt pusch
says err "--no-preempt pusch: the program has no function, variable or file of that name"
expect 64 "$MAZUR" check places.c --preempt-only push,write_log
says err "give the option once for each name"
expect 64 "$MAZUR" check places.c --preempt-only 'q.slot[2]'

t "a trace found so is replayed"
rm -f ./*.mzt
expect 1 "$MAZUR" check places.c --preempt-only push
expect 1 "$MAZUR" replay ./*.mzt
says out "only in push"

# The compiled program is in a cache: a second command must not remove the first one's file.
t "the same program, compiled and searched three times at once"
cp "$root/tests/programs/api/preempt_places_bad.c" again.c
for round in 1 2 3 4 5; do
    echo "int round_$round;" >>again.c
    for i in 1 2 3; do
        { "$MAZUR" check --no-trace --quiet --preempt-only add again.c >"again.$i" 2>&1; echo $? >"code.$i"; } &
    done
    wait
    for i in 1 2 3; do
        [ "$(cat "code.$i")" = 1 ] || fault "search $i of round $round: $(cat "again.$i")"
    done
done

end_of_file
