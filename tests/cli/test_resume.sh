#!/bin/bash
# --resume: a stopped search continues where it was, with the same result as without the stop.
# It has its own cache, since other tests leave stopped searches behind, too.
. "$(dirname "$0")/lib.sh"
shared_cache=$XDG_CACHE_HOME
export XDG_CACHE_HOME=$PWD/cache
mkdir -p cache
cat >four.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    for (int i = 0; i < 2; i++) {
        x++;
        pthread_mutex_lock(&m);
        y = x + 1;
        pthread_mutex_unlock(&m);
    }
    return unused;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
C
counts() {
    field "$1" strategy executions distinct steps pruned bound_done complete bounds ended
}
state() { echo "$XDG_CACHE_HOME"/mazur/search-*/state; }

# in_parts STRATEGY OPTIONS...: 120, 1, 200 and then up to 1200 executions, against 1200 at once
in_parts() {
    local what=$1 n
    shift
    t "$what: the parts come to the whole"
    expect 0 "$MAZUR" check four.c --time 0 --quiet "$@" --execs 1500 --json whole.json
    expect 0 "$MAZUR" check four.c --time 0 "$@" --execs 120 --json part.json
    says out "To resume this search: mazur check --resume"
    for n in 1 200 1179; do
        expect 0 "$MAZUR" check --resume four.c --time 0 "$@" --execs $n --json part.json
        says out "resuming after"
        grep -q "To resume" out || break
    done
    [ "$(field whole.json executions)" -gt 0 ] || fault "no counts"
    [ "$(counts whole.json)" = "$(counts part.json)" ] || fault "$(counts whole.json) but in parts $(counts part.json)"
}
in_parts dfs --strategy dfs
in_parts icb --strategy icb --bound 2
in_parts delay --strategy delay --delay 2
in_parts random --strategy random --seed 7
in_parts pct --strategy pct
in_parts dpor --strategy dpor
in_parts bpor --strategy bpor --bound 2
in_parts cbpor --strategy cbpor --bound 2
in_parts cbpor-1 --strategy cbpor-1 --bound 2
in_parts optimal --strategy optimal
in_parts auto --bound 2
in_parts "forked executions" --bound 1 --isolate=fork

t "a finished search leaves nothing behind"
expect 0 "$MAZUR" check four.c --bound 1
[ ! -e "$(state)" ] || fault "$(state) is there"
expect 64 "$MAZUR" check --resume four.c --bound 1
says err "no stopped search of four to resume"

t "Ctrl-C: what is known, and the command that goes on"
"$MAZUR" check four.c --strategy dfs --time 0 >out 2>err &
pid=$!
last="check, interrupted"
wait_until $pid grep -q "visible operations" out
kill -INT $pid
wait $pid
[ $? = 0 ] || fault "exit $?"
says out "interrupted" "To resume this search: mazur check --resume --strategy dfs --time 0 four.c"
done_before=$(grep -o '([0-9,]* execution' out | tr -dc 0-9)
expect 0 "$MAZUR" check --resume four.c --strategy dfs --time 0 --execs 10 --json more.json
[ "$(field more.json executions)" = $((done_before + 10)) ] ||
    fault "not 10 more than $done_before"

t "only with the same program, options and arguments"
expect 0 "$MAZUR" check four.c --strategy dfs --time 0 --execs 50
expect 64 "$MAZUR" check --resume four.c --strategy icb --time 0 --execs 50
says err "that search had other options: strategy=dfs"
expect 64 "$MAZUR" check --resume four.c --strategy dfs --time 0 --execs 50 -- argument
says err "no stopped search"
cp four.c four.before
sed -i 's/i < 2/i < 4/' four.c
expect 64 "$MAZUR" check --resume four.c --strategy dfs --time 0 --execs 50
says err "the program has changed since"
cp four.before four.c
expect 0 "$MAZUR" check --resume four.c --strategy dfs --time 0 --execs 50

t "only with the same libraries: those that it had, and where the loader looks for them"
echo 'int step(void) { return 1; }' >step.c
sed 's/x++/x += step()/; 1i int step(void);' four.c >five.c
"$MAZUR" cc -shared -fPIC step.c -o libstep.so && "$MAZUR" cc five.c -o five -L. -lstep "-Wl,-rpath,$PWD" || fault "not built"
expect 0 "$MAZUR" run --strategy dfs --time 0 --execs 50 ./five
cp libstep.so libstep.before
sed -i 's/1/2/' step.c
"$MAZUR" cc -shared -fPIC step.c -o libstep.so || fault "not built"
expect 64 "$MAZUR" run --resume --strategy dfs --time 0 --execs 50 ./five
says err "a library of the program has changed since then"
cp libstep.before libstep.so
expect 64 env LD_LIBRARY_PATH="$PWD/cache" "$MAZUR" run --resume --strategy dfs --time 0 --execs 50 ./five
says err "LD_LIBRARY_PATH"
expect 0 "$MAZUR" run --resume --strategy dfs --time 0 --execs 50 ./five
rm -r cache/mazur/search-*

t "a damaged file is refused, whatever is damaged"
expect 0 "$MAZUR" check four.c --strategy dfs --time 0 --execs 50
cp "$(state)" good.state
size=$(stat -c %s good.state)
# flip OFFSET: changes one byte of the file
flip() {
    local byte
    byte=$(od -An -tu1 -j"$1" -N1 good.state)
    cp good.state "bad.at-$1"
    printf "\\x$(printf %02x $((byte ^ 0x41)))" | dd of="bad.at-$1" bs=1 seek="$1" conv=notrunc status=none
}
# magic, version, program, runtime, digest, sizes, extents, text, table, data, end
for at in 0 8 16 32 48 72 80 89 97 388 $((size / 2)) $((size - 1)); do
    flip $at
done
head -c $((size / 3)) good.state >bad.short
head -c 40 good.state >bad.header
: >bad.empty
(cat good.state && echo x) >bad.long
for case in bad.*; do
    cmp -s "$case" good.state && fault "$case is not damaged"
    cat "$case" >"$(state)"
    expect 64 "$MAZUR" check --resume four.c --strategy dfs --time 0 --execs 50
done
[ "$(ls bad.* | wc -l)" = 16 ] || fault "cases: $(ls bad.*)"
cat good.state >"$(state)"
expect 0 "$MAZUR" check --resume four.c --strategy dfs --time 0 --execs 50

t "a file that others can write to is not ours"
chmod 666 "$(state)"
expect 64 "$MAZUR" check --resume four.c --strategy dfs --time 0 --execs 50
says err "not in a private file of yours"
place=$(state)
mv "$place" elsewhere && chmod 600 elsewhere && ln -s "$PWD/elsewhere" "$place"
expect 64 "$MAZUR" check --resume four.c --strategy dfs --time 0 --execs 50

t "searches that can't be resumed say so"
expect 0 "$MAZUR" check four.c --strategy sdpor --time 0 --execs 1
says out "This search can't be resumed: it compares states with those that this process has seen"
lacks out "--resume"

t "failures that were found before are reported at the end, with --keep-going"
expect 1 "$MAZUR" check "$root/tests/programs/atomics/counter_atomic_bad.c" --strategy dfs --keep-going --time 0 --execs 200 --no-trace
expect 1 "$MAZUR" check --resume "$root/tests/programs/atomics/counter_atomic_bad.c" --strategy dfs --keep-going --time 0 --execs 1 --no-trace
says out "assertion"
export XDG_CACHE_HOME=$shared_cache

end_of_file
