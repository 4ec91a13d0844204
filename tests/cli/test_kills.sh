#!/bin/bash
# Killing a command, with any signal at any moment, leaves no process, no temporary file and no
# half-written report behind. KILLS: the number of attempts.
. "$(dirname "$0")/lib.sh"
kills=${KILLS:-36}
mkdir tmp cached
cat >kill.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x;
static void *work(void *p)
{
    for (int i = 0; i < 6; i++)
        x++;
    return p;
}
int main(int argc, char **argv)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    if (argc > 1) {
        FILE *file = fopen("written", "w");
        if (file)
            fclose(file);
    }
    return x == 19;
}
C
echo 'int second(void) { return 2; }' >second.c
cat >kill.pml <<'P'
int n;
active [3] proctype P() { do :: n++ :: n > 0 -> n-- od }
P
cat >kill_c.pml <<'P'
c_decl { int counter; };
c_track "&counter" "sizeof(int)";
int n;
active [2] proctype P() { do :: c_code { counter = (counter + 1) % 200; } :: n++ od }
P
sed 's/x == 19/x == 18/' kill.c >fails.c
XDG_CACHE_HOME=$PWD/cached "$MAZUR" check fails.c --trace-dir . >/dev/null 2>&1
mv ./*.mzt fails.trace

# processes that carry our mark in their environment
marked() {
    local file process found=''
    for file in $(grep -lsF "KILL_MARK=$1" /proc/[0-9]*/environ); do
        process=${file%/environ}
        grep -qs '^State:.*Z' "$process/status" || found+="${process#/proc/}:$(cat "$process/comm" 2>/dev/null) "
    done
    echo "$found"
}
# how a command is started: each kind is doing something else when it is killed
start() {
    case $1 in
    0) exec env XDG_CACHE_HOME="$PWD/cache-$2" "$MAZUR" check kill.c second.c --json "out-$2/r.json" ;;
    1) exec env XDG_CACHE_HOME="$PWD/cached" "$MAZUR" check kill.c ;;
    2) exec "$MAZUR" cc -O2 kill.c second.c -o "out-$2/program" ;;
    3) exec env XDG_CACHE_HOME="$PWD/cached" "$MAZUR" check kill.c --isolate=fork ;;
    4) exec env XDG_CACHE_HOME="$PWD/cached" "$MAZUR" check kill.c --scratch tmp -- write ;;
    5) exec "$MAZUR" model kill.pml --memory 200M --json "out-$2/r.json" ;;
    6) exec "$MAZUR" model kill_c.pml --memory 200M ;;
    7) exec env XDG_CACHE_HOME="$PWD/cached" "$MAZUR" replay --times 100 fails.trace ;;
    8) exec env XDG_CACHE_HOME="$PWD/cached" "$MAZUR" check fails.c --trace-dir "out-$2" --html "out-$2/r.html" ;;
    esac
}
signals=(KILL KILL KILL TERM INT HUP)
RANDOM=${KILLS_SEED:-1}
t "killed $kills times at random moments"
for ((number = 0; number < kills; number++)); do
    kind=$((number % 9))
    signal=${signals[RANDOM % 6]}
    delay=$(printf '0.%03d' $((RANDOM % 1000)))
    mark="$$-$number"
    mkdir "out-$number"
    last="kill -$signal after $delay s, kind $kind"
    (export KILL_MARK=$mark TMPDIR=$PWD/tmp; start $kind $number) >out 2>err </dev/null &
    process=$!
    sleep "$delay"
    kill -s "$signal" $process 2>/dev/null
    { wait $process; } 2>/dev/null
    for ((tries = 0; tries < 4000; tries++)); do
        left=$(marked "$mark")
        files=$(find tmp -mindepth 1 2>/dev/null)$(find "cache-$number" -name 'new-*' 2>/dev/null)
        [ -n "$left$files" ] || break
        sleep 0.05
    done
    [ -z "$left" ] || fault "$last: these go on: $left"
    [ -z "$files" ] || fault "$last: left behind: $files"
    half=$(find "out-$number" -name '*.??????' ! -name '*.json' ! -name '*.html')
    [ -z "$half" ] || fault "$last: half a file: $half"
    rm -rf "out-$number" "cache-$number" tmp
    mkdir tmp
done

t "what a killed command and its killed guardian left is removed by the next one"
mkdir tmp/mazur-cc-aB3xYz tmp/mazur-cc-123456 tmp/mazur-cc-LiVing
echo x >tmp/mazur-cc-aB3xYz/0.o
touch -d '1 hour ago' tmp/mazur-cc-*
flock tmp/mazur-cc-LiVing sleep 6000 &
holder=$!
until [ -n "$(pgrep -P $holder)" ]; do sleep 0.05; done
sleeper=$(pgrep -P $holder)
expect 0 env TMPDIR="$PWD/tmp" "$MAZUR" cc -c -O0 kill.c -o kill.o
expect 0 env TMPDIR="$PWD/tmp" "$MAZUR" cc kill.c -o kill
kill "$sleeper" "$holder" 2>/dev/null
{ wait $holder; } 2>/dev/null
[ ! -e tmp/mazur-cc-aB3xYz ] || fault "a stale directory stays"
[ -e tmp/mazur-cc-LiVing ] || fault "a directory in use was removed"
[ -e tmp/mazur-cc-123456 ] || fault "a directory that may be a cache was removed"
rm -rf tmp

end_of_file
