#!/bin/bash
# check and run: verdicts, exit codes, output files.
. "$(dirname "$0")/lib.sh"
cat >counter.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static struct { int unused; atomic_int value[2]; } counter;
static void *add(void *unused)
{
    int seen = atomic_load_explicit(&counter.value[1], memory_order_acquire);
    atomic_store(&counter.value[1], seen + 1);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t thread[2];
    printf("printed %s\n", argc > 1 ? argv[1] : "");
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], 0, add, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], 0);
    assert(counter.value[1] == 2); /* FAILS */
    return 0;
}
C
sed 's/atomic_store(&counter.value\[1\], seen + 1)/atomic_fetch_add(\&counter.value[1], 1 + 0 * seen)/' \
    counter.c >good.c
line=$(grep -n FAILS counter.c | cut -d: -f1)

t "a failing search"
expect 1 "$MAZUR" check counter.c --json r.json
says out "assertion" "counter.c:$line" "1 preemption" "no execution with fewer preemptions fails" \
    "mazur replay" "is preempted before store counter.value[1]" "load counter.value[1] = 0 (acquire)" \
    "store counter.value[1]: 0 → 1" "all executions with ≤ 0 preemptions"
lacks out "printed" "passed"
says r.json '"verdict": "assertion"' "\"location\": \"counter.c:$line\"" '"preemptions": 1' \
    '"complete": false' '"pruned_by_bound"' '"strategy"' '"seconds"' '"executions_per_second"' \
    '"uncontrolled"' '"steps"' '"distinct"' '"trace"' '"trace_file"' '"bound": 1'
[ "$(ls ./*.mzt | wc -l)" = 1 ] || fault "trace files: $(ls ./*.mzt)"
[ "$(wc -l <out)" -le 45 ] || fault "the report has $(wc -l <out) lines"

t "the same search again: the same counts, the same trace file"
cp out first.out
expect 1 "$MAZUR" check counter.c
grep -v '^bound' out >a
grep -v '^bound' first.out >b
same a b
[ "$(ls ./*.mzt | wc -l)" = 1 ] || fault "trace files: $(ls ./*.mzt)"

t "a pass says what was proven"
expect 0 "$MAZUR" check good.c --json r.json
says out "complete: every interleaving" "· SC"
says r.json '"verdict": "passed"' '"complete": true' '"location": null' '"failures": []' \
    '"traces_within_bound"'
expect 0 "$MAZUR" check good.c --bound 0 --json r.json
says out "passed: all executions with ≤ 0 preemptions ("
says r.json '"verdict": "passed"' '"complete": false' '"bound": 0'

t "a cut search is never called passed"
expect 0 "$MAZUR" check good.c --execs 2 --json r.json
says out "nothing found"
lacks out "passed"
says r.json '"verdict": "nothing-found"' '"ended": "executions"'
expect 8 "$MAZUR" check good.c --execs 2 --require-complete --json r.json
says r.json '"verdict": "incomplete"'
expect 0 "$MAZUR" check good.c --require-complete
expect 0 "$MAZUR" check good.c --strategy random --execs 20 --json r.json
says r.json '"verdict": "nothing-found"'

t "--quiet, --json -, --junit, --no-trace, --trace-dir"
expect 1 "$MAZUR" check counter.c --quiet --no-trace
[ "$(wc -l <out)" -le 2 ] || fault "quiet prints $(wc -l <out) lines"
expect 1 "$MAZUR" check counter.c --json -
head -c 1 out | grep -q '{' || fault "stdout is not JSON"
says err "is preempted before"
expect 1 "$MAZUR" check counter.c --trace-dir kept --junit j.xml
[ "$(ls kept | wc -l)" = 1 ] || fault "kept: $(ls kept)"
says j.xml '<failure type="assertion"' '<testsuite name="mazur" tests="1" failures="1"'
expect 0 "$MAZUR" check good.c --junit -
says out '<testsuite' 'failures="0"'

t "a file that cannot be written"
expect 64 "$MAZUR" check counter.c --no-trace --json /no/such/directory/r.json
says err "cannot write /no/such/directory/r.json"
[ ! -s out ] || fault "a search was started: $(head -1 out)"
if [ -e /dev/full ]; then
    expect 1 "$MAZUR" check counter.c --no-trace --json /dev/full
    says err "No space left"
fi
expect 64 "$MAZUR" check counter.c --trace-dir /proc/none
says err "cannot write the trace file in /proc/none"
mkdir -p a_directory
expect 64 "$MAZUR" run --sarif a_directory true
says err "cannot write a_directory: Is a directory"
expect 64 "$MAZUR" model none.pml --junit /no/such/directory/j.xml
says err "cannot write /no/such/directory/j.xml"
expect 0 "$MAZUR" check good.c --json tried.json --trace-dir tried
[ -s tried.json ] && [ ! -e tried ] || fault "left behind: $(ls -d tried*)"

t "compiler flags and program arguments"
cat >flags.c <<'C'
#include "deep.h"
#include <math.h>
#include <string.h>
int main(int argc, char **argv)
{
    return argc == 3 && !strcmp(argv[1], "-I") && !strcmp(argv[2], "--bound") && DEEP == VALUE &&
                   sqrt(argc + 1.0) == 2 ? 0 : 3;
}
C
mkdir include
echo '#define DEEP 5' >include/deep.h
expect 0 "$MAZUR" check flags.c -I include -D VALUE=5 -Wall -O2 -std=gnu11 -lm -- -I --bound
echo '#define DEEP 6' >include/deep.h
expect 1 "$MAZUR" check flags.c -I include -D VALUE=5 -lm -- -I --bound
says out "exit status 3"

t "a changed header counts although the source is the same"
cat >header.c <<'C'
#include "deep.h"
int main(void) { return DEEP; }
C
echo '#define DEEP 0' >include/deep.h
expect 0 "$MAZUR" check header.c -Iinclude
echo '#define DEEP 9' >include/deep.h
expect 1 "$MAZUR" check header.c -Iinclude

t "several sources, C and C++ together"
echo 'extern "C" int part(void); int main() { return part(); }' >main.cpp
echo 'int part(void) { int class = 0; return class; }' >part.c
expect 0 "$MAZUR" check main.cpp part.c

t "what check can't do is refused"
for words in "-o x" "-c" "-S" "-E" "-static"; do
    # shellcheck disable=SC2086 # words
    expect 64 "$MAZUR" check good.c $words
done

t "a program that does not compile"
echo 'int main(' >broken.c
expect 64 "$MAZUR" check broken.c
says err "broken.c:1" "does not compile"
[ -z "$(ls "$XDG_CACHE_HOME"/mazur/new-* 2>/dev/null)" ] || fault "left in the cache"

t "the cache falls back to TMPDIR and stays private"
mkdir tmp
env -u XDG_CACHE_HOME HOME=/no/such/home TMPDIR="$PWD/tmp" "$MAZUR" check good.c >out 2>err </dev/null ||
    fault "without a home: $(cat err)"
[ "$(stat -c %a tmp/mazur-*)" = 700 ] || fault "mode $(stat -c %a tmp/mazur-*)"
chmod 777 tmp/mazur-*
env -u XDG_CACHE_HOME HOME=/no/such/home TMPDIR="$PWD/tmp" "$MAZUR" check good.c >out 2>err </dev/null
last="check with a cache that others can write to"
says err "no directory for compiled programs"

t "the cache forgets what nobody used for a month"
mkdir -p "$XDG_CACHE_HOME/mazur/old" "$XDG_CACHE_HOME/mazur/young"
touch "$XDG_CACHE_HOME/mazur/old/program"
touch -d '40 days ago' "$XDG_CACHE_HOME/mazur/old"
expect 0 "$MAZUR" check good.c -DFRESH
[ ! -e "$XDG_CACHE_HOME/mazur/old" ] || fault "the old entry is still there"
[ -e "$XDG_CACHE_HOME/mazur/young" ] || fault "the young entry is gone"

t "--keep-going reports every failure"
cat >two.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *set(void *unused) { x = 1; return unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    if (x)
        assert(!"first");
    pthread_join(t, 0);
    assert(!"second");
}
C
expect 1 "$MAZUR" check two.c --keep-going --json r.json
says out 'first' 'second'
[ "$(grep -c '"trace_file"' r.json)" -ge 2 ] || fault "failures: $(grep -c trace_file r.json)"

t "a crash that takes the process down is reported, and the search goes on"
cat >kill.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>
#include <sys/syscall.h>
static atomic_int x;
static void *set(void *unused) { x = 1; return unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    long process = syscall(SYS_getpid), result;
    if (x) /* past every hook */
        __asm__ volatile("syscall"
                         : "=a"(result)
                         : "0"(SYS_kill), "D"(process), "S"(SIGKILL)
                         : "rcx", "r11", "memory");
    pthread_join(t, 0);
}
C
expect 1 "$MAZUR" check kill.c --json r.json
says r.json '"verdict": "crash"'
says out "terminated by signal 9"
expect 1 "$MAZUR" check kill.c --keep-going

t "a spin loop whose state lies in a library without instrumentation is not taken for idle"
cat >patience.c <<'END'
int patient(void);
int patient(void)
{
    static int calls;
    return ++calls < 4;
}
END
cat >hidden.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int patient(void);
static atomic_int flag;
static void *spin(void *p)
{
    while (!atomic_load(&flag) && patient()) {
    }
    assert(atomic_load(&flag));
    return p;
}
static void *set(void *p) { atomic_store(&flag, 1); return p; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, spin, NULL);
    pthread_create(&b, NULL, set, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
END
${CC:-cc} -shared -fPIC -o libpatience.so patience.c
"$MAZUR" cc -g hidden.c ./libpatience.so -o hidden
for isolate in snapshot fork; do
    expect 1 "$MAZUR" run --isolate=$isolate --json r.json ./hidden
    says r.json '"verdict": "assertion"'
    says r.json '"bound": 0'
done

cat >unseen.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int own[2], cell[2], both;
static int next;
__attribute__((noinline, no_sanitize("thread"))) static int ticket(void) { return next++ & 1; }
static void *work(void *mine)
{
    atomic_fetch_add((atomic_int *)mine, 1);
    atomic_fetch_add(&cell[ticket()], 1);
    atomic_fetch_add(&both, 1);
    return NULL;
}
int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], 0, work, &own[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], 0);
    return 0;
}
C
t "dependences that nobody sees are noticed and said"
expect 0 "$MAZUR" check unseen.c --json r.json
says r.json '"complete": false'
says out "something that Mazur does not observe"

cat >guarded.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int steps, published;
static int message, sum, result[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *at)
{
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(&steps, 1);
    if (UNGUARDED && at == &result[0]) {
        message = 1;
        atomic_store(&published, 1);
    } else if (UNGUARDED && atomic_load(&published)) {
        message++;
    }
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
    *(int *)at = 1;
    return NULL;
}
int main(void)
{
    pthread_t thread[2];
    int joined = 0;
    for (int i = 0; i < 2; i++) {
        result[i] = 0;
        pthread_create(&thread[i], 0, work, &result[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i], 0);
        joined += result[i];
    }
    return sum - joined;
}
C
t "a stateful search is complete where no race can depend on the way to a state"
expect 0 "$MAZUR" check -DUNGUARDED=0 guarded.c --strategy sdpor --json r.json
says r.json '"complete": true'
lacks out "race detector"

t "and says so where one might"
expect 0 "$MAZUR" check -DUNGUARDED=1 guarded.c --strategy sdpor --json r.json
says r.json '"complete": false'
says out "without the race detector's clocks"

t "the fair bound without reduction: as many traces as with it, and never complete"
for strategy in bpor bpor-plain icb dfs; do
    expect 0 "$MAZUR" check --strategy "$strategy" --fair 1 --bound none --depth 1000 --no-trace "$root/bench/programs/polite.c" -DFIXED
    says out "within the fair bound 1"
    says out "17 distinct"
done
expect 64 "$MAZUR" check --strategy icb --fair 1 --cache-states --no-trace "$root/bench/programs/polite.c"
says err "--cache-states can't be used with --fair"
expect 64 "$MAZUR" check --strategy dpor --without sleep,nothing absent.c
says err "'sleep,nothing' is not sleep|transitive|source|release|deferred"

end_of_file
