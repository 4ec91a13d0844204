#!/bin/bash
# mazur selftest: strategies against the oracle, as a user sees it
. "$(dirname "$0")/lib.sh"

t "every strategy holds on a few random programs"
expect 0 "$MAZUR" selftest --programs 20
checks=$(grep -c 'holds on 20 programs' out)
[ "$checks" -ge 20 ] || fault "only $checks checks"
says out "optimal" "$checks passed, 0 failed"

t "one strategy by itself"
expect 0 "$MAZUR" selftest --programs 20 --only cbpor
says out "cbpor" "1 passed, 0 failed"

t "programs with what is asked for"
expect 0 "$MAZUR" selftest --programs 20 --only optimal --with any-timeouts,spins
says out "optimal" "1 passed, 0 failed"

t "programs in which cbpor lost traces: steps that fail, exits of threads in leaves, a yield in a section"
for lost in "110785 400 cbpor,_in_leaves" "72492 400 cbpor,_in_leaves --with touches" \
    "2028037 2000 cbpor,_in_leaves --with touches" "209981 400 cbpor"; do
    read -r seed limit row with <<< "$lost"
    # shellcheck disable=SC2086
    expect 0 "$MAZUR" selftest --seed "$seed" --programs 1 --limit "$limit" --only "${row//_/ }" $with
    says out "1 passed, 0 failed"
done

t "in leaves with private blocks; an assumption between two private operations; leaves that were given up without need"
for lost in "31001462 cbpor,_private,_in_leaves" "6001076 cbpor,_private" "6001076 cbpor,_private,_in_leaves" \
    "31046746 cbpor,_in_leaves" "508712 cbpor,_in_leaves" "842745 cbpor,_in_leaves" "6004547 cbpor,_in_leaves"; do
    read -r seed row <<< "$lost"
    expect 0 "$MAZUR" selftest --seed "$seed" --programs 1 --limit 400 --only "${row//_/ }"
    says out "1 passed, 0 failed"
done

t "a program in which optimal lost a trace: the process ends before an unlock that would have failed"
expect 0 "$MAZUR" selftest --seed 921647 --programs 1 --limit 400 --only optimal
says out "1 passed, 0 failed"

t "bad options"
expect 64 "$MAZUR" selftest --with spins,nothing
says err "what is '--with'?"
expect 64 "$MAZUR" selftest --program 20
says err "what is '--program'?"
expect 64 "$MAZUR" selftest --programs many
expect 64 "$MAZUR" selftest --programs 1 --only nothing
says err "there is no such check"

t "what the program printed is shown by replay"
echo '#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static _Atomic int n;
static void *add(void *p) { int seen = n; printf("saw %d\n", seen); n = seen + 1; return p; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n == 2);
}' >prints.c
expect 1 "$MAZUR" check prints.c
grep -q "saw 0" out && fault "the search shows the program's output"
expect 1 "$MAZUR" replay ./*.mzt
says out "saw 0"

end_of_file
