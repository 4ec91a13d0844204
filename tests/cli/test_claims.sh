#!/bin/bash
# What a result claims, and what weakens the claim: the reasons that a program or an option can
# cause (test_reasons.sh and test_own_limits.sh raise all of them).
# shellcheck shell=bash disable=SC2154
. "$(dirname "$0")/lib.sh"

# reason ID: the last JSON result names it
reason() {
    field r.json reasons | grep -qF "\"$1\"" || grep -qF "\"id\": \"$1\"" r.json || fault "$last: no reason $1"
}
no_reason() {
    ! grep -qF "\"id\": \"$1\"" r.json || fault "$last: reason $1"
}
complete() {
    [ "$(field r.json complete)" = "$1" ] || fault "$last: complete is $(field r.json complete), expected $1"
}
bound_done() {
    [ "$(field r.json bound_done)" = "$1" ] || fault "$last: bound_done is $(field r.json bound_done), expected $1"
}
check() {
    expect "$1" "$MAZUR" check --no-trace --json r.json "${@:2}"
}

t "a program without any reason"
cat >two.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *u) { atomic_fetch_add(&x, 1); return u; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
C
check 0 two.c
complete true
[ "$(field r.json 'reasons.#')" = 0 ] || fault "reasons: $(field r.json 'reasons.#')"

t "why the search ended is a reason"
check 0 two.c --execs 1
complete false
reason executions
says out "The search is not finished: the limit on executions was reached"
expect 8 "$MAZUR" check --no-trace --require-complete --execs 1 two.c

t "uncontrolled calls and changed files weaken: a bound stays"
cat >calls.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *w(void *u)
{
    FILE *f = fopen("written", "w");
    if (f)
        fclose(f);
    return u;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, w, 0);
    pthread_join(a, 0);
    return system("true");
}
C
check 0 calls.c --bound 1
complete false
bound_done 0
reason uncontrolled-call
reason files-changed
says out "passed: all executions with ≤ 0 preemptions" "1 uncontrolled call: system" "changes files (written)"

t "the step limit forbids; what was finished before a wait was learned stays proven"
cat >wait.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a, rounds, go;
static void *t1(void *u)
{
    atomic_store(&a, 1);
    atomic_store(&a, 2);
    atomic_store(&go, 1);
    return u;
}
static void *t2(void *u)
{
    if (atomic_load(&a) == 1 && atomic_load(&a) == 2)
        while (!atomic_load(&go))
            atomic_fetch_add(&rounds, 1);
    return u;
}
int main(void)
{
    pthread_t x, y;
    pthread_create(&x, 0, t1, 0);
    pthread_create(&y, 0, t2, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    return 0;
}
C
check 0 wait.c --depth 2000
complete false
bound_done 2
reason step-limit
reason waits-learned
says out "bound 2" "nothing found: all executions with ≤ 2 preemptions"
lacks out "bound 3"

t "races that were ignored"
cat >race.c <<'C'
#include <pthread.h>
int x;
static void *w(void *u) { x++; return u; }
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, w, 0);
    x++;
    pthread_join(a, 0);
    return 0;
}
C
check 0 race.c --races ignore
complete false
reason races-ignored

t "preemptions in some places only"
check 0 two.c --no-preempt add
complete false
reason places
says out "never in add"
[ -z "$(field r.json traces_within_bound 2>/dev/null | tr -d '[] null')" ] || fault "traces were counted"

t "states that were known: neither races nor livelocks are proven absent, nor traces counted"
cat >cached_race.c <<'C'
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int s, flag;
int data;
static sem_t done;
static void *t1(void *u)
{
    data = 1;
    atomic_fetch_add(&s, 1);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    sem_wait(&done);
    return u;
}
int main(void)
{
    pthread_t a;
    sem_init(&done, 0, 0);
    pthread_create(&a, 0, t1, 0);
    atomic_fetch_add(&s, 1);
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        data = 1;
    sem_post(&done);
    pthread_join(a, 0);
    return data - 1;
}
C
check 0 cached_race.c --strategy icb --bound 1 --cache-states
lacks out "passed" "≤ 1"
reason known-states
reason states-without-clocks
check 7 cached_race.c --strategy icb --bound 1
cat >cached_livelock.c <<'C'
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int turn, stop;
static void *a(void *u)
{
    while (!atomic_load(&stop)) {
        atomic_fetch_xor(&turn, 1);
        sched_yield();
    }
    return u;
}
int main(void)
{
    pthread_t x, y;
    pthread_create(&x, 0, a, 0);
    pthread_create(&y, 0, a, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    return 0;
}
C
check 0 cached_livelock.c --strategy icb --bound 1 --cache-states
lacks out "passed" "all executions"
reason known-state-cycle
check 0 two.c --strategy icb --bound 2 --cache-states --count-traces
says out "were not counted"
[ "$(field r.json distinct_exact)" = false ] || fault "distinct is exact"

t "locks protect what is compared: a bound stays, complete does not"
cat >locked.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
static void *w(void *u)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return u;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, w, 0);
    pthread_create(&b, 0, w, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
C
check 0 locked.c --strategy icb --bound 1 --cache-states
says out "passed: all states of executions with ≤ 1 preemption"
bound_done 1
complete false

t "the fair bound stands in every message"
cat >fair.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int x;
static void *a(void *u) { sched_yield(); sched_yield(); atomic_store(&x, 1); return u; }
static void *b(void *u) { assert(atomic_load(&x) == 0); return u; }
int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, a, 0);
    pthread_create(&q, 0, b, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    return 0;
}
C
check 0 fair.c --strategy bpor --fair 1 --bound 1 --junit j.xml
field r.json message >message
says message "within the fair bound 1"
says out "within the fair bound 1"
says j.xml "within the fair bound 1"
complete false
reason fair-bound

t "what rests on the user's word says so: --symmetric"
sed -i 's/&q, 0, b, 0/\&q, 0, a, 0/' fair.c
check 0 fair.c --symmetric
complete true
reason symmetric
check 0 fair.c
no_reason symmetric

t "handlers: exact where POSIX says where they run, else not complete"
cat >own.c <<'C'
#include <pthread.h>
#include <signal.h>
static volatile sig_atomic_t n;
static void h(int s) { (void)s; n++; }
static void *w(void *x) { return x; }
int main(void)
{
    sigset_t set;
    pthread_t a;
    signal(SIGUSR1, h);
    pthread_create(&a, 0, w, 0);
    pthread_kill(pthread_self(), SIGUSR1);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    raise(SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &set, 0);
    pthread_join(a, 0);
    return n != 2;
}
C
check 0 own.c
complete true
no_reason handler-places
cat >sent.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <semaphore.h>
static sem_t s;
static volatile sig_atomic_t n;
static void h(int number) { (void)number; n++; }
static void *w(void *x)
{
    while (sem_wait(&s))
        ;
    return x;
}
int main(void)
{
    pthread_t a;
    signal(SIGUSR1, h);
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, w, 0);
    pthread_kill(a, SIGUSR1);
    sem_post(&s);
    pthread_join(a, 0);
    return 0;
}
C
check 0 sent.c
complete false
reason handler-places
lacks out "complete: "

t "a remark leaves the claim as it is"
cat >timed.c <<'C'
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *w(void *x)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec++;
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &at);
    pthread_mutex_unlock(&m);
    return x;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, w, 0);
    pthread_join(a, 0);
    return 0;
}
C
check 0 timed.c
complete true
reason idle-timeouts

t "no execution with fewer preemptions fails: not while the list has one"
cat >fewer.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *a(void *u) { int t = atomic_load(&x); atomic_store(&x, t + 1); return u; }
static void *b(void *u) { assert(atomic_load(&y) == 0); return u; }
int main(void)
{
    pthread_t p, q, r;
    pthread_create(&p, 0, a, 0);
    pthread_create(&q, 0, a, 0);
    pthread_create(&r, 0, b, 0);
    atomic_store(&y, 1);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(atomic_load(&x) == 2);
    pthread_join(r, 0);
    return 0;
}
C
check 1 fewer.c --keep-going
[ "$(field r.json fewest_failing)" = 0 ] || fault "fewest_failing: $(field r.json fewest_failing)"
says out "no execution with fewer preemptions fails in this way"
grep -qE "no execution with fewer preemptions fails$" out && fault "claimed for every failure"

t "every execution fails: only where it is so"
cat >every.c <<'C'
#include <pthread.h>
int data;
void *t1(void *a) { return a; }
void *t2(void *a) { data = 1; return a; }
int main(void)
{
    pthread_t p, q;
    pthread_create(&q, 0, t2, 0);
    pthread_create(&p, 0, t1, 0);
    pthread_join(p, 0);
    int r = data;
    (void)r;
    return 0;
}
C
check 7 every.c -O0
lacks out "whatever the schedule"
echo 'int main(void) { return 3; }' >always.c
check 1 always.c
says out "every execution fails, whatever the schedule"

t "regions and mappings of memory are all put back, as many as the kernel allows"
cat >many.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#ifdef REGIONS
/* every second page is read-only, so that each is a mapping of its own */
__attribute__((constructor)) static void before(void)
{
    char *p = mmap(0, 4096l * 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (long i = 0; i < 10000; i += 2)
        mprotect(p + 4096 * i, 4096, PROT_READ);
}
#endif
static void *w(void *x)
{
#ifdef MAPPINGS
    for (int i = 0; i < 4200; i++)
        mmap(0, 4096, i % 2 ? PROT_READ : PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
    return x;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, w, 0);
    pthread_join(a, 0);
    return 0;
}
C
check 0 many.c
complete true
for one in REGIONS MAPPINGS; do
    check 0 many.c "-D$one" --bound 0
    complete true
done

t "a race in a step that did not race before is no sign of something unseen"
cat >late_race.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready;
static volatile int data;
static void *writer(void *unused) { data = 1; atomic_store(&ready, 1); return unused; }
static void *reader(void *unused) { atomic_load(&ready); (void)data; return unused; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
C
for way in "" --keep-going; do
    # shellcheck disable=SC2086 # no word, or one
    check 7 late_race.c --no-trace $way
    lacks r.json "unseen-dependence" "prefix-lost"
done

t "the table in the documentation is that of the code"
"$root/scripts/claims_table.pl" >table || fault "claims_table.pl"
grep -v '^$' table >wanted
sed -n '/begin of the table/,/end of the table/p' "$root/docs/claims.md" | grep -v -e '^$' -e '^<!--' >shown
last="docs/claims.md (scripts/claims_table.pl docs/claims.md rewrites it)"
same wanted shown

end_of_file
