#!/bin/bash
# Trace files: replay, show, regress, and files that are not traces.
. "$(dirname "$0")/lib.sh"
cat >lost.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *wake(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t t;
    printf("argument %s\n", argc > 1 ? argv[1] : "none");
    fflush(stdout);
    pthread_create(&t, 0, wake, 0);
    pthread_mutex_lock(&m);
    if (BUG)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
C
sed 's/BUG/1/' lost.c >bug.c
expect 2 "$MAZUR" check bug.c --trace-dir traces -- 'a b'
trace=$(ls traces/*.mzt)

t "replay shows the output and the failure"
expect 2 "$MAZUR" replay "$trace"
says out "argument a b" "deadlock" "lost wake-up"
says err "mazur check bug.c -- 'a b'"

t "replay a hundred times"
expect 2 "$MAZUR" replay --quiet --times 100 "$trace"
says out "100 of 100 replays failed as the trace shows"

t "replay from another directory"
mkdir other
(cd other && "$MAZUR" replay "../$trace" >../out 2>../err)
[ $? = 2 ] || fault "exit code: $(cat err)"
last="replay from another directory"
says out "argument a b"

t "show runs nothing"
mv bug.c away.c
expect 0 "$MAZUR" show "$trace"
says out "deadlock" "lost wake-up" "a signal on c"
cp out short
expect 0 "$MAZUR" show --full "$trace"
expect 0 "$MAZUR" show --json "$trace"
says out '"verdict": "deadlock"' '"trace"'
expect 0 "$MAZUR" show --json=s.json "$trace"
says s.json '"verdict": "deadlock"'
expect 64 "$MAZUR" replay "$trace"
says err "cannot find bug.c of this trace in"
mv away.c bug.c

t "regress: still failing"
expect 1 "$MAZUR" regress traces
says out "still failing" "0 passed, 1 failed"

expect 1 "$MAZUR" regress --quiet traces
[ "$(wc -l <out)" = 1 ] || fault "more than the verdict: $(cat out)"
t "regress: fixed"
sed 's/BUG/0/' lost.c >bug.c
"$MAZUR" regress traces >out 2>err
status=$?
last="regress after a fix"
grep -qE "^(fixed|diverged)" out || fault "$(cat out err)"
case $status in 0 | 5) ;; *) fault "exit $status" ;; esac
sed 's/BUG/1/' lost.c >bug.c

t "regress of an empty directory and of a foreign file"
mkdir empty
expect 0 "$MAZUR" regress empty
says out "0 passed, 0 failed"
echo '{}' >foreign.mzt
expect 64 "$MAZUR" regress foreign.mzt "$trace"
says out "unreadable" "still failing"

t "files that are no trace files"
for content in '' 'hello' '{}' '[]' '{"format": "mazur-trace"}' '{"format": "mazur-trace", "version": 99}' \
    '{"format": "mazur-trace", "version": 2}' 'null' '"text"'; do
    printf '%s' "$content" >bad.mzt
    for command in show replay; do
        expect 64 "$MAZUR" $command bad.mzt
        grep -qE "trace file|damaged" err || fault "$last '$content': $(cat err)"
    done
done
head -c 1000 "$trace" >bad.mzt
expect 64 "$MAZUR" show bad.mzt
head -c 100000 /dev/urandom >bad.mzt
expect 64 "$MAZUR" show bad.mzt
printf '{"format": "mazur-trace", "version": 2, "x": "\0"}' >bad.mzt
expect 64 "$MAZUR" show bad.mzt

t "damaged numbers and types"
damage() {
    sed "$1" "$trace" >bad.mzt
    cmp -s "$trace" bad.mzt && fault "damage '$1' changes nothing"
    expect 64 "$MAZUR" show bad.mzt
    says err "damaged"
    expect 64 "$MAZUR" replay bad.mzt
}
damage 's/"thread": 1/"thread": 99/'
damage 's/"thread": 1/"thread": -7/'
damage 's/"thread": 1/"thread": "x"/'
damage 's/"operation": "lock"/"operation": "dance"/'
damage 's/"kind": "deadlock"/"kind": "party"/'
damage 's/"kind": "check"/"kind": "rm"/'
damage 's/"parent": 0/"parent": 5/'
damage 's/"depth": 20000/"depth": 99999999999/'
damage 's/"schedule": \[/"schedule": [99999,/'
damage 's/"places": \[/"places": {}, "old": [/'
damage 's/"directory": "[^"]*"/"directory": 5/'

t "a trace of a program with strange names"
mkdir 'a dir'
cp bug.c $'a dir/it\'s; $(touch hacked).c'
expect 2 "$MAZUR" check $'a dir/it\'s; $(touch hacked).c' --trace-dir odd -- $'\xff\xfe' $'\e[31m'
expect 2 "$MAZUR" replay odd/*.mzt
[ ! -e hacked ] || fault "a file name was executed"
! grep -q $'\e' err || fault "an escape sequence reached the terminal"

t "control characters of the program do not reach the terminal"
cat >label.c <<'C'
#include <mazur.h>
#include <pthread.h>
#include <stdlib.h>
static int x;
static void *work(void *p) { pthread_setname_np(pthread_self(), "\033[2J"); x = 1; return p; }
int main(void)
{
    pthread_t t;
    mazur_name(&x, sizeof x, "na\033]0;me");
    pthread_create(&t, 0, work, 0);
    x = 2;
    pthread_join(t, 0);
}
C
expect 7 "$MAZUR" check label.c -D_GNU_SOURCE --no-trace
says out 'na\x1b]0;me'
! grep -q $'\e' out || fault "an escape sequence reached the terminal"

t "colours only where asked for"
expect 2 "$MAZUR" check bug.c --no-trace
! grep -q $'\e' out || fault "colours in a pipe"
expect 2 "$MAZUR" check bug.c --no-trace --color always
grep -q $'\e\[' out || fault "no colours although asked for"

t "the terminal: a live line, colours, NO_COLOR"
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then # if terminals are available
    script -qec "$MAZUR check bug.c --no-trace" /dev/null >out 2>err </dev/null
    grep -q $'\e\[1;31m' out || fault "no colours on a terminal"
    NO_COLOR=1 script -qec "$MAZUR check bug.c --no-trace" /dev/null >out 2>err </dev/null
    ! grep -q $'\e\[1;31m' out || fault "colours although NO_COLOR is set"
fi

end_of_file
