#!/bin/bash
# mazur debug: scripted gdb sessions. tests/programs/debug.sh covers all failing programs there.
. "$(dirname "$0")/lib.sh"

cat >queue.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
static atomic_int tail;
static atomic_int slot[4];
static _Thread_local int mine;
static int look(void) { return atomic_load(&tail) + atomic_load(&slot[3]); }
static void enqueue(int item)
{
    int at = atomic_load(&tail);
    mine = item * 10;
    atomic_store(&slot[at], item);
    atomic_store(&tail, at + 1);
}
static void *producer(void *item)
{
    enqueue((int)(intptr_t)item);
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t first, second;
    printf("arguments:");
    for (int i = 1; i < argc; i++)
        printf(" <%s>", argv[i]);
    printf(" input: %d\n", getchar());
    pthread_create(&first, NULL, producer, (void *)1);
    pthread_create(&second, NULL, producer, (void *)2);
    pthread_setname_np(second, "second");
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(&tail) == 2);
    return argc > 9 ? look() : 0;
}
C
mkdir 'a b'
expect 1 "$MAZUR" check -O0 -D_GNU_SOURCE queue.c --trace-dir 'a b' -- "it's" 'a "b" $c' ''
trace=$(ls 'a b'/*.mzt)

t "without gdb it says what to install"
expect 64 "$MAZUR" debug --gdb no-such-gdb "$trace"
says err "no-such-gdb is not installed" "apt install gdb"
printf '#!/bin/sh\necho "Python scripting is not supported in this copy of GDB."\n' >minimal
chmod +x minimal
expect 64 "$MAZUR" debug --gdb ./minimal "$trace"
says err "has no Python" "gdb-minimal"

t "usage"
expect 64 "$MAZUR" debug
says err "one trace file"
expect 64 "$MAZUR" debug queue.c
says err "queue.c: "
expect 64 "$MAZUR" debug --launch
says err "only mazur debug starts this"
expect 0 "$MAZUR" debug --help
says out "next-switch" "--batch"

t "a model is no program"
printf 'byte a;\nactive proctype P() { a = 1; assert(a == 0) }\n' >bad.pml
expect 1 "$MAZUR" model bad.pml --trace-dir model
lacks out "mazur debug"
expect 64 "$MAZUR" debug model/*.mzt
says err "the trace of a model"

# session FILE [STATUS]: the gdb commands on stdin, on the trace FILE; gdb's exit status
session() {
    cat >commands.gdb
    expect "${2:-0}" "$MAZUR" debug "$1" -- -nx -batch -x commands.gdb
}

# order TEXT...: lines with the texts occur in this order in `out`
order() {
    local text at=0 next
    for text; do
        next=$(tail -n "+$((at + 1))" out | grep -nF -- "$text" | head -n 1 | cut -d: -f1)
        if [ -z "$next" ]; then
            fault "$last: no '$text' after line $at: $(tail -n "+$((at + 1))" out | head -c 1500)"
            return
        fi
        at=$((at + next))
    done
}

# a container may forbid ptrace
if ! gdb -nx -batch -ex run --args true 2>&1 </dev/null | grep -q 'exited normally'; then
    finish
    untested "debug: skipped: there is no gdb that can run programs here"
    end_of_file
    exit
fi

t "it stops in main, at the preemption, at the failure"
session "$trace" <<'G'
info threads
continue
bt
mazur where
continue
bt
continue
G
order "15 events, 1 preemption, then: assertion \`atomic_load(&tail) == 2' failed, at queue.c:34" \
    'main (argc=4' '"main"' '"T1 producer"' '"T2 second"' \
    '> T1 is preempted before store tail; T2 second runs' 'at event 6 T2 second: starts' \
    '#0  before producer () at ' '5 of 15 events done, T2 second runs' 'last:  #5 T1: store slot[0]: 0 → 1' \
    'next:  #6 T2 second: starts' 'then:  at event 11 T2 second has ended; T1 runs' \
    "FAILURE: assertion \`atomic_load(&tail) == 2' failed" '__assert_fail' 'in main (argc=4' \
    'the execution is over'
lacks out 'another failure' 'has left the trace'

t "the program gets its own words and no input of the debugger's"
says out "arguments: <it's> <a \"b\" \$c> <> input: -1"

t "switches forwards and back"
session "$trace" <<'G'
next-switch
next-switch
next-switch
prev-switch
prev-switch
prev-switch 1
mazur goto 9
mazur stop-at 4
mazur stop-on nothing
mazur goto 3
continue
mazur events 3 4
prev-switch 7
G
cp out switches
order 'main blocks: join T1; T1 runs' 'at event 3' 'at event 6' 'at event 11' \
    'at event 6' 'at event 3' 'there is no earlier switch; back to the beginning' 'main (argc' \
    'at event 9' 'stops at #4 T1: load tail = 0   queue.c:12 enqueue (when it is run again)' \
    'at event 3' 'at event 4' '=> #4' \
    'there is no earlier switch; back to the beginning'

t "each thread has its own stack, locals and thread-local variables"
session "$trace" 1 <<'G'
mazur goto 8
mazur threads
thread apply all -ascending bt
mazur thread T1
print at
print mine
mazur thread T2
print $_thread
print item
print mine
python gdb.execute("mazur thread T7")
G
order 'at event 8' '1    main' 'T1 producer' 'T2 second' 'in main (' 'enqueue (item=1)' \
    '$1 = 0' '$2 = 10' 'enqueue (item=2)' '$3 = 3' '$4 = 2' '$5 = 20'
says err "there is no thread 'T7'"

t "a watchpoint names the thread that writes"
session "$trace" <<'G'
mazur stop-on nothing
watch tail
continue
continue
G
order 'atchpoint 1: tail' 'Old value = 0' 'New value = 1' 'enqueue (' 'FAILURE'

t "breakpoints, finish and next in the program"
session "$trace" <<'G'
mazur stop-on nothing
break enqueue
continue
next
next
info breakpoints
finish
G
order 'hit Breakpoint 1, enqueue (item=1)' 'breakpoint already hit' 'enqueue (item=2)'

t "step and next go by the program's lines"
session "$trace" 1 <<'G'
continue
next
step
next
next-switch
next
next
next
next
next
G
order 'at event 6 T2 second: starts' $'19\t    enqueue' 'enqueue (item=2)' 'at event 11 T1: store tail' $'16\t}' $'20\t    return' \
    'T1 has finished its function'
says err 'T1 has finished its function; use continue or next-switch'

# gdb 13 can't write the registers back on processors with AMX: "Couldn't write extended state status".
gdb_can_call() {
    ${CC:-cc} -g -O0 -D_GNU_SOURCE -o calls queue.c -pthread &&
        gdb -nx -q -batch -ex 'break main' -ex run -ex 'print look()' ./calls 2>&1 </dev/null | grep -q '^\$1 = 0'
}
if gdb_can_call; then
    t "a function called by the user is no part of the execution"
    expect 1 "$MAZUR" debug --batch "$trace" -- -ex 'break enqueue' -ex 'mazur stop-on nothing' \
        -ex 'continue' -ex 'print look()' -ex 'print look()' -ex 'delete' -ex 'continue' -ex 'continue'
    order '$1 = 0' '$2 = 0' 'the same 15 events and the same failure as in the trace'
else
    finish
    skip "a function called by the user" "debug: calling functions is skipped: gdb can't call any on this processor"
fi

t "batch: the failure's exit code, and all events compared"
expect 1 "$MAZUR" debug --batch "$trace"
order 'FAILURE: assertion' 'Thread 1 ' 'main (argc=4' \
    'the same 15 events and the same failure as in the trace'

t "another program: diverged, said so"
cp queue.c kept.c
sed -i 's/pthread_create(&second.*/second = first;/; s/pthread_join(second, NULL)/(void)0/' queue.c
expect 5 "$MAZUR" debug --batch "$trace"
says out "the execution has diverged" "the trace continues with" "not the failure of the trace"
cp kept.c queue.c

t "a repaired program: no failure this time"
sed -i 's/assert(.*/(void)0;/' queue.c
expect 0 "$MAZUR" debug --batch "$trace"
says out "ended without the failure of the trace" "not the failure of the trace"
cp kept.c queue.c

t "a thread that the trace does not have"
sed -i 's/pthread_join(first, NULL);/{ pthread_t x[9]; for (int i = 0; i < 9; i++) pthread_create(x + i, 0, producer, 0); }/' queue.c
expect 5 "$MAZUR" debug --batch "$trace"
says out "has diverged" "the program starts a thread that the trace does not have"
cp kept.c queue.c

t "a deadlock: every thread stands in its blocked call"
cat >abba.c <<'C'
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *forwards(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
static void *backwards(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, NULL, forwards, NULL);
    pthread_create(&t, NULL, backwards, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
C
expect 2 "$MAZUR" check -O0 abba.c --trace-dir deadlock
expect 2 "$MAZUR" debug --batch deadlock/*.mzt
order 'FAILURE: deadlock: 3 threads wait for ever' 'T1 forwards          waits' \
    'T2 backwards         waits' 'forwards (unused=0x0) at abba.c:7' \
    'backwards (unused=0x0) at abba.c:15' 'the same 6 events and the same failure'

t "a program that was not rebuilt, without debug information"
$CC -pthread -s -o plain abba.c
expect 2 "$MAZUR" run --trace-dir plain-traces ./plain
expect 2 "$MAZUR" debug --batch plain-traces/*.mzt
order 'FAILURE: deadlock: 3 threads wait for ever' 'the same 6 events and the same failure'
session "$(echo plain-traces/*.mzt)" <<'G'
info threads
next-switch
continue
G
order 'T1' 'main blocks: join T1; T1 runs' 'is preempted before lock' 

t "a program of mazur cc"
"$MAZUR" cc -g -o built abba.c || fault "mazur cc"
expect 2 "$MAZUR" run --trace-dir built-traces ./built
expect 2 "$MAZUR" debug --batch built-traces/*.mzt
order 'forwards (unused=0x0) at abba.c:7' 'the same 6 events and the same failure'

t "next from the start of a std::thread goes to the function that it runs; the failure has its own line"
cp "$root/examples/singleton.cpp" .
expect 7 "$MAZUR" check singleton.cpp --trace-dir singleton
session "$(echo singleton/*.mzt)" <<'G'
mazur goto 3
next
continue
G
order 'at event 3 T1: starts in serve' 'get_settings()->port' \
    'FAILURE: data race on instance->port, at singleton.cpp:39 serve'

t "a crash and a hang stop where they happen"
cat >crash.cpp <<'C'
#include <atomic>
#include <thread>
static std::atomic<int *> pointer;
static thread_local int local;
int main()
{
    int value = 1;
    pointer = &value;
    std::thread clearer([] { local = 5; pointer = nullptr; });
    std::thread reader([] {
        local = 7;
        if (pointer.load())
            local = *pointer.load();
    });
    clearer.join();
    reader.join();
}
C
expect 1 "$MAZUR" check -O0 crash.cpp --trace-dir crash
expect 1 "$MAZUR" debug --batch crash/*.mzt
order 'received signal SIGSEGV' 'crash.cpp:13' 'FAILURE: SIGSEGV in T2' 'the trace says: null pointer' \
    'events and the same failure'
session "$(echo crash/*.mzt)" <<'G'
continue
continue
print local
G
order 'SIGSEGV' ' = 7'
cat >hang.c <<'C'
#include <pthread.h>
static volatile int go_on = 1;
static void *loop(void *unused)
{
    while (go_on)
        ;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, loop, NULL);
    pthread_join(t, NULL);
    return 0;
}
C
expect 4 "$MAZUR" check -O0 hang.c --races ignore --trace-dir hang
expect 4 "$MAZUR" debug --batch hang/*.mzt
# how often a loop is stopped before it counts as a hang depends on processor time
order 'received signal SIGURG' 'FAILURE: no visible operation for a long time in T1' \
    'the same failure as in the trace'

t "a program that leaves by itself, and one that crashes before main"
cat >leave.c <<'C'
#include <pthread.h>
static void *leave(void *unused)
{
    __asm__ volatile("syscall" : : "a"(231), "D"(3)); /* exit_group(3) */
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, leave, NULL);
    pthread_join(t, NULL);
    return 0;
}
C
expect 1 "$MAZUR" check leave.c --trace-dir leave
expect 1 "$MAZUR" debug --batch leave/*.mzt
order 'FAILURE: exit status 3' 'the same 3 events and the same failure'
sed 's/^int main/__attribute__((constructor)) static void crash(void) { static int *volatile nowhere; *nowhere = 1; }\n&/' leave.c >early.c
expect 1 "$MAZUR" check early.c --trace-dir early
expect 1 "$MAZUR" debug --batch early/*.mzt
order 'FAILURE: SIGSEGV in main, after event 0' 'the same failure as in the trace'

t "installed, and with a runtime without symbols"
mkdir -p there/bin there/lib there/share/mazur/gdb
cp "$MAZUR" there/bin/mazur
cp "$(dirname "$MAZUR")/../lib/libmazur.so" there/lib/
cp "$root"/src/gdb/*.py there/share/mazur/gdb/
strip there/lib/libmazur.so
real_mazur=$MAZUR
MAZUR=$PWD/there/bin/mazur
session "$trace" <<'G'
continue
next-switch
bt
next
G
order 'at event 6' 'at event 11' 'enqueue (item=1)' $'16\t}'
expect 2 "$MAZUR" debug --batch deadlock/*.mzt
order 'forwards (unused=0x0) at abba.c:7' 'the same 6 events and the same failure'
rm -r there/share/mazur/gdb
expect 70 "$MAZUR" debug --batch "$trace"
says err "cannot find the scripts for gdb in ../share/mazur/gdb"
MAZUR=$real_mazur

t "text of the program does not reach the terminal raw"
sed 's/"second"/"\\033[31mx"/' kept.c >queue.c
expect 1 "$MAZUR" check -O0 -D_GNU_SOURCE queue.c --trace-dir raw
session "$(echo raw/*.mzt)" <<'G'
info threads
next-switch
mazur threads
G
lacks out $'\033['
says out 'T2 \x1b[31mx'
cp kept.c queue.c

t "programs of every kind of failure"
last="tests/programs/debug.sh"
"$here/../programs/debug.sh" counter_atomic_bad abort_bad exit_status_bad exception_bad \
    livelock_spin_bad races_explore_bad double_free_bad misuse_relock_bad cond_if_bad \
    barrier_bad rwlock_bad semaphore detach_bad key_destructor_bad signal_bad real_fork_bad \
    heap_overflow_bad leak_bad cancel_bad >out 2>&1 || fault "$(cat out)"

end_of_file
