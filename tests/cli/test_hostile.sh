#!/bin/bash
# Programs that misbehave: each ends in a clear message and the right exit code.
. "$(dirname "$0")/lib.sh"
threads='#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void *work(void *);
int main(void)
{
    pthread_t t;
    BEFORE
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
'
# program NAME BEFORE WORK
program() {
    { sed "s|BEFORE|$2|" <<<"$threads"; echo "static void *work(void *p) { $3 return p; }"; } >"$1.c"
}

t "a crash before main"
echo '__attribute__((constructor)) static void begin(void) { __builtin_trap(); } int main(void) { return 0; }' >early.c
expect 1 "$MAZUR" check early.c --json r.json
says out "before main"
says r.json '"verdict": "crash"' '"complete": false' '"bound_done": null'

t "an exit before main"
echo '#include <unistd.h>
__attribute__((constructor)) static void begin(void) { _exit(3); } int main(void) { return 0; }' >leave.c
expect 1 "$MAZUR" check leave.c
says out "before main"

t "a loop before main"
echo '__attribute__((constructor)) static void begin(void) { for (;;); } int main(void) { return 0; }' >stuck.c
expect 4 "$MAZUR" check stuck.c --hang 300ms
says out "main was not reached"

t "a program that never ends"
program forever "" "for (volatile int i = 0;; i++);"
expect 4 "$MAZUR" check forever.c --hang 300ms --json r.json
says out "hang" "forever.c"
says r.json '"verdict": "hang"'
echo 'int main(void) { for (volatile int i = 0;; i++); }' >alone.c
expect 4 "$MAZUR" check alone.c --hang 300ms
$CC alone.c -o alone
expect 4 "$MAZUR" run --time 500ms ./alone

t "a program that blocks where Mazur does not control it"
program blocks "" "struct timespec t = {100, 0}; syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &t, 0);"
sed -i '1i #include <sys/syscall.h>\n#include <time.h>' blocks.c
expect 4 "$MAZUR" check blocks.c --hang 300ms

t "a gigabyte of output"
program prints 'static char text[1 << 20]; memset(text, 120, sizeof text);' \
    'static char text[1 << 20]; memset(text, 120, sizeof text); for (int i = 0; i < 1024; i++) if (write(1, text, sizeof text) < 0) abort();'
expect 0 "$MAZUR" check prints.c --time 20
[ "$(wc -c <out)" -lt 4000 ] || fault "output was shown: $(wc -c <out)"

t "closed descriptors"
program closes "close(0); close(1); close(2);" 'printf("x"); fflush(stdout);'
expect 0 "$MAZUR" check closes.c
says out "complete"
"$MAZUR" check closes.c >closed.out 2>&- <&-
[ $? = 0 ] || fault "with our own descriptors closed"
program all "for (int i = 0; i < 4096; i++) close(i);" ""
expect 0 "$MAZUR" check all.c

t "300 threads, and too many"
echo '#include <pthread.h>
static void *work(void *p) { return p; }
int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&t[i], 0, work, 0)) return 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}' >many.c
expect 0 "$MAZUR" check many.c -DTHREADS=300 --execs 3
expect 6 "$MAZUR" check many.c -DTHREADS=600 --execs 3
says out "threads"

t "children that stay behind do not hold Mazur up"
stays=stays$$ # its process has that name, too
program $stays "if (fork() == 0) { sleep(6000); _exit(0); }" ""
expect 0 "$MAZUR" check $stays.c --time 2
left=$(pgrep -x $stays) || fault "$last: it waited for the child"
# shellcheck disable=SC2086
[ -z "$left" ] || kill $left

t "interrupting prints what is known"
echo '#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *work(void *p) { for (int i = 0; i < 8; i++) x++; return p; }
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}' >long.c
"$MAZUR" check long.c >out 2>err &
child=$!
wait_until $child grep -q "^bound 0 " out
kill -INT $child
wait $child
last="check long.c, interrupted"
says out "interrupted" "all executions with ≤" "nothing found"

t "the time limit"
start=$(processor_time)
expect 0 "$MAZUR" check long.c --time 500ms --json r.json
took=$(($(processor_time) - start))
[ $took -lt 10 ] || fault "took $took s"
says out "time ran out"
says r.json '"ended": "time"' '"verdict": "nothing-found"'

t "a runtime that writes garbage to the board"
mkdir -p fake/bin fake/lib
cp "$MAZUR" fake/bin/mazur
$CC -shared -fPIC -I"$root/src" "$here/fake_child.c" -o fake/lib/libmazur.so
echo 'int main(void) { return 0; }' >ok.c
$CC ok.c -o ok
for garbage in counts strings indices numbers all; do
    FAKE=$garbage timeout "$PATIENCE" fake/bin/mazur run --json r.json ./ok >out 2>err
    status=$?
    last="garbage: $garbage"
    case $status in
    0 | 1 | 5 | 7 | 70) ;;
    *) fault "garbage '$garbage': exit $status: $(head -c 300 err)" ;;
    esac
    "$MAZUR" show ./*.mzt >/dev/null 2>&1
    [ $? -lt 128 ] || fault "show of a garbage trace crashed"
    rm -f ./*.mzt
done

t "no runtime"
rm fake/lib/libmazur.so
fake/bin/mazur run ./ok >out 2>err
[ $? = 64 ] || fault "exit code"
last="run without libmazur.so"
says err "libmazur.so"

t "the time bounds the whole run: search, simplification, recording"
cat >twelve.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define N 12
static atomic_int x, order[N], next;
static void *work(void *p)
{
    for (int i = 0; i < 30; i++)
        x++;
    order[next++] = (int)(long)p;
    return p;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    switch (order[0]) {
    case 1: assert(0 && "one");
    case 2: assert(0 && "two");
    case 3: assert(0 && "three");
    case 4: assert(0 && "four");
    case 5: assert(0 && "five");
    case 6: assert(0 && "six");
    case 7: abort();
    }
    return 0;
}
C
"$MAZUR" check twelve.c --execs 1 >/dev/null 2>&1 # compiling does not count
start=$(processor_time)
expect 1 "$MAZUR" check twelve.c --strategy random --keep-going --simplify 1000000 --time 6 --json r.json
took=$(($(processor_time) - start))
# on a slow machine, making the report of each failure may take some more seconds
[ $took -lt 25 ] || fault "took $took s"
says r.json '"verdict": "assertion"'
lacks out "nondeterminism"

t "a child that is killed from outside: said so, at any stage"
# killed SIGNAL TEXT OPTIONS...: kills the program's process, once there is one
killed() {
    local number=$1 text=$2 process child='' status
    shift 2
    "$MAZUR" check long.c --no-trace --json r.json "$@" >out 2>err </dev/null &
    process=$!
    while kill -0 $process 2>/dev/null; do
        for child in $(pgrep -P $process); do
            [ "$(cat "/proc/$child/comm" 2>/dev/null)" = long ] && break 2
        done
        sleep 0.05
    done
    sleep 0.3
    kill -s "$number" "$child"
    wait $process
    status=$?
    last="check long.c $* (kill -$number)"
    [ $status = 70 ] || fault "$last: exit $status: $(cat out err)"
    says out "killed from outside: the program's process was ended by SIG$number, $text" "s of processor time and up to" "MB of memory"
    says r.json '"verdict": "killed"' '"complete": false'
    lacks out nondeterminism crash
}
killed KILL "sent from outside (kill -9, a container's limit)"
killed TERM "sent from outside"
killed HUP "sent from outside"
killed INT "sent from outside"
killed KILL "sent from outside" --isolate=fork
killed KILL "sent from outside" --keep-going
killed KILL "sent from outside" --strategy random

end_of_file
