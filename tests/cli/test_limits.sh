#!/bin/bash
# Scarce resources: under each limit a command works, or says in one sentence which limit it
# reached, with the documented exit code. It never crashes, hangs or reports nondeterminism of
# the program.
. "$(dirname "$0")/lib.sh"
cat >good.c <<'C'
#include <assert.h>
#include <pthread.h>
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p)
{
    pthread_mutex_lock(&m);
    int v = x;
    SPLIT
    x = v + 1;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 2);
    return 0;
}
C
sed 's/SPLIT/pthread_mutex_unlock(\&m); pthread_mutex_lock(\&m);/' good.c >bad.c
sed -i '/SPLIT/d' good.c
cat >busy.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *work(void *p)
{
    for (int i = 0; i < 8; i++)
        x++;
    return p;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
C
cat >writes.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static void *work(void *p)
{
    static char text[65536];
    FILE *file = fopen("grown", "w");
    for (int i = 0; file && i < 64; i++)
        fwrite(text, sizeof text, 1, file);
    if (file)
        fclose(file);
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
C
for source in good bad busy writes; do # compiled before, without a limit
    "$MAZUR" check $source.c --execs 1 --no-trace >/dev/null 2>&1
done
echo 'active proctype P() { assert(true) }' >ok.pml

# limited LIMITS COMMAND...: with the status in `got`
limited() {
    local limits=$1
    shift
    last="ulimit $limits; $*"
    (
        # shellcheck disable=SC2086
        ulimit $limits || exit 99
        exec timeout "$PATIENCE" "$@" >out 2>err </dev/null
    ) 2>/dev/null
    got=$?
    [ "$got" -lt 124 ] || fault "$last: exit $got: $(head -c 300 err)"
    lacks out nondeterminism "crash" "hang:"
}
# works LIMITS: both verdicts are the same as without a limit
works() {
    t "ulimit $1: as without"
    limited "$1" "$MAZUR" check good.c --no-trace
    [ "$got" = 0 ] || fault "$last: exit $got: $(cat err) $(tail -3 out)"
    says out "complete: every interleaving"
    limited "$1" "$MAZUR" check bad.c --no-trace
    [ "$got" = 1 ] || fault "$last: exit $got: $(cat err) $(tail -3 out)"
    says out "assertion \`x == 2' failed" "no execution with fewer preemptions fails"
}
# works_or_says LIMITS TEXT: … or it says the text on one line, with exit code 70
works_or_says() {
    t "ulimit $1: works, or says which limit it is"
    limited "$1" "$MAZUR" check bad.c --no-trace --quiet
    case $got in
    1) says out "assertion \`x == 2' failed" ;;
    70)
        grep -qF -- "$2" out err || fault "$last: lacks '$2': $(cat out err)"
        [ "$(cat out err | grep -c '^mazur: ')" = 1 ] || fault "$last: more than a sentence: $(cat out err)"
        ;;
    *) fault "$last: exit $got: $(cat out err)" ;;
    esac
}
works "-n 256"
works "-n 64"
works "-n 32"
works "-Sn 12"
works "-s 1024"
works "-Ss 64"
works "-s unlimited"
works "-l 0"
works "-c 0"
works_or_says "-n 12" "files may be open (ulimit -n); Mazur needs 32"
works_or_says "-n 20" "files may be open (ulimit -n)"
works_or_says "-s 512" "the stack is limited to 512 kB (ulimit -s)"
works_or_says "-s 128" "the stack is limited to 128 kB (ulimit -s)"
works_or_says "-v 100000" "a limit is set (ulimit -v 100000)"
works_or_says "-v 500000" "a limit is set (ulimit -v 500000)"
works_or_says "-v 2000000" "limit on virtual memory (ulimit -v)"
works_or_says "-v 20000000" "limit on virtual memory (ulimit -v)"
works_or_says "-f 100000" "File too large, a limit is set (ulimit -f 100000)"
works_or_says "-f 8" "File too large, a limit is set (ulimit -f 8)"

t "ulimit -f where a program has to be compiled"
echo 'int main(void) { return 1; }' >fresh.c
limited "-f 1" "$MAZUR" check fresh.c
[ "$got" = 64 ] || fault "$last: exit $got"
says err "fresh.c does not compile; nothing was run, a limit is set (ulimit -f 1)"

t "ulimit -t: the limit is named"
limited "-t 1" "$MAZUR" check busy.c --no-trace --json r.json
[ "$got" = 70 ] || fault "$last: exit $got: $(tail -3 out)"
says out "killed from outside: the program's process was ended by SIG" "because it reached the limit of 1 s on processor time (ulimit -t)" "Searched: "
says r.json '"verdict": "killed"'
limited "-St 1" "$MAZUR" check busy.c --no-trace
[ "$got" = 70 ] || fault "$last: exit $got: $(tail -3 out)"
says out "SIGXCPU, because it reached the limit of 1 s on processor time (ulimit -t)"
limited "-t 100" "$MAZUR" check bad.c --no-trace
[ "$got" = 1 ] || fault "$last: exit $got"

t "ulimit -f: a program that writes beyond it, where Mazur itself can be started"
limited "-Sf 1000" "$MAZUR" check writes.c --no-trace --json r.json
if [ "$(ulimit -Hf)" = unlimited ]; then
    [ "$got" = 70 ] || fault "$last: exit $got: $(tail -3 out) $(cat err)"
    says out "SIGXFSZ, because a file reached the limit of 1024000 bytes (ulimit -f)"
fi

t "models under limits"
for limits in "-n 32" "-s 1024" "-v 2000000" "-f 1000" "-t 100"; do
    limited "$limits" "$MAZUR" model ok.pml
    [ "$got" = 0 ] || fault "$last: exit $got: $(cat err) $(cat out)"
done

t "ulimit -u"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    # another user, so that the limit counts: root's processes are not limited
    mkdir -p others/cache && cp good.c bad.c others && chmod -R a+rwX others && chmod a+x "${TMPDIR:-/tmp}" "$work" . 2>/dev/null
    for count in 1 2 3 4 5; do
        last="ulimit -u $count (another user)"
        (cd others && ulimit -u $count && XDG_CACHE_HOME=$PWD/cache HOME=$PWD TMPDIR=$PWD timeout "$PATIENCE" \
            setpriv --reuid=54321 --regid=54321 --clear-groups "$MAZUR" check bad.c --no-trace --quiet) >out 2>err </dev/null
        got=$?
        [ $got = 1 ] && [ $count = 5 ] || [ $got = 70 ] || fault "$last: exit $got: $(cat out err)"
        [ $got = 1 ] || grep -q "the limit on processes leaves it . (ulimit -u $count)\|refuses to create another \(thread\|process\) (ulimit -u" err out ||
            fault "$last: $(cat out err)"
        lacks out nondeterminism crash
        lacks err "does not compile"
    done
    # threads that only lend their storage leave a place for the process that runs an execution
    last="ulimit -u 12 (another user), --isolate=fork"
    (cd others && ulimit -u 12 && XDG_CACHE_HOME=$PWD/cache HOME=$PWD TMPDIR=$PWD timeout "$PATIENCE" \
        setpriv --reuid=54321 --regid=54321 --clear-groups "$MAZUR" check bad.c --isolate=fork --no-trace --quiet) >out 2>err </dev/null
    got=$?
    [ $got = 1 ] || fault "$last: exit $got: $(cat out err)"
else
    echo "a limit on processes is not tested: root has none, and there is no setpriv"
fi

t "a closed stdout: what was to be written there is missed"
"$MAZUR" check good.c --json - >&- 2>err
got=$? last="check --json - >&-"
[ "$got" = 70 ] || fault "$last ends with $got"
says err "cannot write to stdout: Bad file descriptor"
"$MAZUR" check bad.c --no-trace >&- 2>err
got=$? last="check bad.c >&-"
[ "$got" = 1 ] || fault "$last ends with $got"
says err "cannot write to stdout: Bad file descriptor"
"$MAZUR" check good.c --quiet <&- >out 2>err || fault "check <&-"

t "> /dev/full, for stdout and for each output file"
if [ -w /dev/full ]; then
    "$MAZUR" check good.c >/dev/full 2>err
    got=$? last="check good.c >/dev/full"
    [ $got = 70 ] || fault "$last: exit $got"
    says err "cannot write to stdout: No space left on device"
    "$MAZUR" check bad.c --no-trace >/dev/full 2>err
    got=$? last="check bad.c >/dev/full"
    [ $got = 1 ] || [ $got = 70 ] || fault "$last: exit $got"
    says err "cannot write to stdout: No space left on device"
    "$MAZUR" model ok.pml >/dev/full 2>err
    got=$? last="model ok.pml >/dev/full"
    [ $got = 70 ] || fault "$last: exit $got"
    says err "cannot write to stdout"
    for option in json junit sarif html; do
        expect 70 "$MAZUR" check good.c --$option /dev/full
        says err "cannot write /dev/full: No space left on device"
        "$MAZUR" check good.c --$option - >/dev/full 2>err
        got=$? last="check --$option - >/dev/full"
        [ $got = 70 ] || fault "$last: exit $got"
        says err "cannot write to stdout"
    done
    "$MAZUR" check bad.c --trace-dir . >/dev/null 2>&1
    "$MAZUR" show ./*.mzt >/dev/full 2>err
    got=$? last="show >/dev/full"
    [ $got = 70 ] || fault "$last: exit $got"
    says err "cannot write to stdout"
    "$MAZUR" help >/dev/full 2>err
    [ $? = 70 ] || fault "help >/dev/full"
    rm -f ./*.mzt
else
    echo "a full device is not tested: there is no /dev/full"
fi

if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    t "a full disk"
    mkdir -p full
    cat >inside <<'X'
mount -t tmpfs -o size=64k none full && dd if=/dev/zero of=full/filler bs=1k count=64 2>/dev/null
"$MAZUR" check bad.c --trace-dir full >out 2>err; echo $? >status.trace
"$MAZUR" check good.c --json full/r.json >out2 2>err2; echo $? >status.json
ls -A full >files
XDG_CACHE_HOME=$PWD/full HOME= TMPDIR=$PWD/full "$MAZUR" check good.c >out3 2>err3; echo $? >status.compile
TMPDIR=$PWD/full "$MAZUR" model ok.pml >out4 2>err4; echo $? >status.model
X
    MAZUR=$MAZUR unshare -m bash inside
    last="a full disk"
    [ "$(cat status.trace)" = 1 ] || fault "a trace: exit $(cat status.trace)"
    says err "cannot write the trace file: " "No space left on device"
    [ "$(cat status.json)" = 70 ] || fault "JSON: exit $(cat status.json)"
    says err2 "cannot write full/r.json: No space left on device"
    [ "$(cat files)" = filler ] || fault "half a file: $(cat files)"
    case $(cat status.compile) in 64 | 70) ;; *) fault "compiling: exit $(cat status.compile): $(cat err3)" ;; esac
    case $(cat status.model) in 64 | 70) ;; *) fault "a model: exit $(cat status.model): $(cat out4 err4)" ;; esac
    [ -s err3 ] && [ -s err4 ] || fault "nothing was said"

    t "a full /dev/shm"
    echo 'mount -t tmpfs -o size=4k none /dev/shm && dd if=/dev/zero of=/dev/shm/filler bs=1k count=4 2>/dev/null
"$MAZUR" check bad.c --no-trace >out 2>err; echo $? >status' >inside
    MAZUR=$MAZUR unshare -m bash inside
    [ "$(cat status)" = 1 ] || fault "exit $(cat status): $(cat err)"

    t "no /proc"
    echo 'mount -t tmpfs none /proc
"$MAZUR" check bad.c --no-trace >out 2>err; echo $? >status' >inside
    MAZUR=$MAZUR unshare -m bash inside
    last="no /proc"
    case $(cat status) in
    1) says out "assertion \`x == 2' failed" ;;
    64 | 70) grep -q '/proc' out err || fault "exit $(cat status): $(cat err)" ;;
    *) fault "exit $(cat status): $(cat out err)" ;;
    esac
else
    echo "a full disk, a full /dev/shm and a missing /proc are not tested: no mounts can be made"
fi

end_of_file
