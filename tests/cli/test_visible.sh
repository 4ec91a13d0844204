#!/bin/bash
# --visible: assembly and code without instrumentation; what Mazur says without the option.
. "$(dirname "$0")/lib.sh"
cp "$root"/tests/programs/machine/asm_*.c .

t "a hang in an assembly lock names its line and the option, and no address"
expect 4 "$MAZUR" check asm_spinlock_kept_bad.c --strategy icb --hang 1s
line=$(grep -n '__asm__' asm_spinlock_good.c | head -1 | cut -d: -f1)
says out "hang" "asm_spinlock_good.c:$line acquire" "--visible FUNCTION" \
    "--visible acquire makes the accesses of acquire visible"
lacks out "0x"

t "atomics in assembly that nobody sees are owned up to"
expect 0 "$MAZUR" check asm_spinlock_good.c --bound 0 --json r.json
says out "atomic instructions in assembly were not seen, in acquire"
says r.json '"complete": false'
expect 0 "$MAZUR" check asm_spinlock_good.c --visible acquire --visible release --json r.json
lacks out "assembly"
says r.json '"complete": true'

t "a failure with traps is replayed, with the same operations"
rm -f ./*.mzt
expect 7 "$MAZUR" check asm_spinlock_bad.c --visible try_lock --visible release
says out "update word: 0 → 1"
expect 7 "$MAZUR" replay ./*.mzt
says out "update word: 0 → 1"
expect 7 "$MAZUR" check asm_spinlock_bad.c --visible try_lock --visible release --isolate=fork --no-trace

t "a program that was not rebuilt"
$CC -O1 -g -pthread -o plain asm_instructions_bad.c
expect 1 "$MAZUR" run --visible add ./plain
says out "count == 10"
$CC -O1 -pthread -o stripped asm_instructions_bad.c
expect 1 "$MAZUR" run --visible add ./stripped

t "a spin loop of a program that was not rebuilt is a wait"
$CC -O1 -g -pthread -o lock asm_spinlock_good.c
expect 0 "$MAZUR" run --visible acquire --visible release --strategy optimal --bound none ./lock
says out "passed: every interleaving"

t "unless it has a state of its own that nobody sees"
cat >patience.c <<'C'
#include <assert.h>
#include <pthread.h>
#ifndef ROUNDS
#define ROUNDS 1000000000
#endif
static volatile int word;
static int calls;
__attribute__((noinline)) static int look(void)
{
    return word;
}
__attribute__((noinline)) static void set(void)
{
    word = 1;
}
__attribute__((noinline)) static int patient(void)
{
    return ROUNDS > 100 || ++calls < ROUNDS;
}
static void *waiter(void *unused)
{
    while (!look() && patient()) {
    }
    assert(look());
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    set();
    pthread_join(thread, 0);
    return 0;
}
C
$CC -O1 -g -pthread -o patient patience.c
expect 0 "$MAZUR" run --visible look --visible set ./patient
$CC -O1 -g -DROUNDS=4 -pthread -o impatient patience.c
expect 1 "$MAZUR" run --visible look --visible set ./impatient
says out "assertion \`look()' failed"

t "what the program does not have"
expect 64 "$MAZUR" run --visible nothing ./plain
says err "--visible nothing: the program has no function, library or file of that name"

t "OpenMP, when its library is made visible"
cat >openmp.c <<'C'
#include <assert.h>
int main(void)
{
    int count = 0;
#pragma omp parallel num_threads(2)
    {
#ifndef BAD
#pragma omp critical
#endif
        count++;
    }
    assert(count == 2);
    return 0;
}
C
if $CC -fopenmp -o openmp openmp.c 2>openmp.log && ldd openmp | grep -q libgomp; then
    export OMP_WAIT_POLICY=passive
    expect 0 "$MAZUR" check openmp.c --compiler "$CC" -fopenmp --visible libgomp.so.1 --bound 0 --time 0
    says out "passed: all executions with ≤ 0 preemptions"
    expect 7 "$MAZUR" check openmp.c --compiler "$CC" -fopenmp --visible libgomp.so.1 -DBAD --no-trace --time 0
    says out "data race"
    unset OMP_WAIT_POLICY
fi

end_of_file
