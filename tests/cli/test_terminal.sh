#!/bin/bash
# What a terminal of any width shows: no line is wider, prose is wrapped, names are cut in the middle, the live
# line only goes forward. COLUMNS sets the width; `script` and stty make a real terminal.
. "$(dirname "$0")/lib.sh"
command -v script >/dev/null || { echo "1..0 # SKIP there is no script(1)"; exit 0; }

# no line of file $1 takes more than $2 columns: colours take none, East Asian characters two
fits() {
    python3 - "$1" "$2" >wide <<'P' || fault "wider than $2: $(head -3 wide)"
import re, sys, unicodedata
width = lambda c: 0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in 'WF' else 1
bad = 0
for line in open(sys.argv[1], encoding='utf-8', newline='\n'):
    line = re.sub('\x1b\\[[0-9;]*[mK]', '', line).replace('\r', '').rstrip('\n')
    if sum(map(width, line)) > int(sys.argv[2]):
        bad = 1
        print(line)
sys.exit(bad)
P
}

cat >bank.cpp <<'C'
#include <mutex>
#include <string>
#include <thread>
#include <vector>
#include <map>
struct Ledger {
    std::map<std::string, std::vector<std::pair<std::string, int>>> entries;
    int a_total_with_a_name_that_is_longer_than_most_names_are_in_programs = 0;
};
static Ledger ledger;
template <typename Entries> void record_in_the_ledger(Entries &entries)
{
    ledger.a_total_with_a_name_that_is_longer_than_most_names_are_in_programs += (int)entries.size() + 1;
}
int main()
{
    std::thread first([] { record_in_the_ledger(ledger.entries); });
    std::thread second([] { record_in_the_ledger(ledger.entries); });
    first.join();
    second.join();
}
C
cp "$root"/examples/{queue,buffer}.c "$root"/tests/programs/api/linear_counter_bad.c .

t "no line is wider than the terminal"
for width in 40 60 80 100 132 160; do
    for program in "bank.cpp 7" "queue.c 1" "buffer.c 1" "linear_counter_bad.c 9"; do
        # shellcheck disable=SC2086
        set -- $program
        COLUMNS=$width expect "$2" "$MAZUR" check "$1" --no-trace -I"$root/include"
        fits out "$width"
    done
done

t "80 columns: without the repeated file; narrower ones: no line with nothing but a number"
COLUMNS=80 expect 9 "$MAZUR" check linear_counter_bad.c --no-trace -I"$root/include"
sed -n '/main  *T1/,/✗/p' out >table
grep -q '  linear_counter_bad.c:[0-9]*$' table || fault "no place with its file: $(cat table)"
says table "  :14 adder"
lacks table "linear_counter_bad.c:14"
COLUMNS=46 expect 9 "$MAZUR" check linear_counter_bad.c --no-trace -I"$root/include"
! grep -q '^ *:[0-9]*$' out || fault "a line with nothing but a number: $(cat out)"
COLUMNS=160 expect 9 "$MAZUR" check linear_counter_bad.c --no-trace -I"$root/include"
says out "linear_counter_bad.c:14 adder"
COLUMNS=160 expect 1 "$MAZUR" check queue.c --no-trace
[ "$(grep -o 'main  *T1 producer' out | wc -c)" -gt 36 ] || fault "the columns are not wider: $(grep T1 out | head -2)"

t "names are cut in the middle, and not with --full"
COLUMNS=80 expect 7 "$MAZUR" check bank.cpp --trace-dir kept
says out "…"
COLUMNS=80 expect 0 "$MAZUR" show --full kept/*.mzt
sed -i 's/<…>//g' out # template arguments, which are left out everywhere
lacks out "…"
fits out 80

t "colours change no line"
for width in 60 100; do
    COLUMNS=$width expect 1 "$MAZUR" check queue.c --no-trace --color never
    grep -v ' 0\.[0-9] s$' out >plain
    COLUMNS=$width expect 1 "$MAZUR" check queue.c --no-trace --color always
    sed -E 's/\x1b\[[0-9;]*m//g' out | grep -v ' 0\.[0-9] s$' | diff - plain >difference || fault "$width: $(head -4 difference)"
done

t "a pipe gets 100 columns, and its verdict in one line"
expect 9 "$MAZUR" check linear_counter_bad.c --no-trace -I"$root/include"
grep -v '^mazur: ' out >rest
fits rest 100
[ "$(grep -c '^mazur: .*not linearizable' out)" = 1 ] || fault "$(grep ^mazur out)"
COLUMNS=nonsense expect 1 "$MAZUR" check queue.c --no-trace
says out "queue.c:25 enqueue"

t "wide and combining characters count as the terminal shows them"
sed -i 's/both items are in the queue/両方の項目がキューにある/' queue.c
COLUMNS=60 expect 1 "$MAZUR" check queue.c --no-trace
says out '両方'
fits out 60
cp "$root/examples/queue.c" .

t "a real terminal: its own width, colours"
for width in 50 80 120; do
    script -qec "stty cols $width; $MAZUR check queue.c --no-trace" /dev/null >out 2>err </dev/null
    says out "is preempted before"
    fits out "$width"
done

cat >long.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z;
static void *work(void *arg)
{
    for (int i = 0; i < 6; i++) { x++; y++; z++; }
    return arg;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
C
t "the live line never goes back, fits, and has no estimate before that has settled"
script -qec "stty cols 60; $MAZUR check long.c --no-trace --time 6" /dev/null >out 2>err </dev/null
tr '\r' '\n' <out | sed -E 's/\x1b\[[0-9;]*[mK]//g' | grep 'exec/s' >live
[ "$(wc -l <live)" -ge 5 ] || fault "few live lines: $(wc -l <live)"
fits live 59
python3 - <<'P' || fault "it went back: $(cat live | head -40)"
import re, sys
count, bound, share = 0, -1, -1
for line in open('live'):
    found = re.match(r'(?:bound (\d+) +)?([\d,]+)', line.strip())
    now, here = int(found[2].replace(',', '')), int(found[1] or bound)
    percent = re.search(r'(\d+) %', line)
    if here > bound: share = -1
    if now < count or here < bound or (percent and int(percent[1]) < share): sys.exit(1)
    count, bound, share = now, here, int(percent[1]) if percent else share
P
head -3 live | grep -q '%' && fault "an estimate at once: $(head -3 live)"

t "two searches that report now and then: no estimate at once, and an eta that is shown does not grow"
script -qec "stty cols 100; $MAZUR check long.c --no-trace --jobs 2 --time 10" /dev/null >out 2>err </dev/null
tr '\r' '\n' <out | sed -E 's/\x1b\[[0-9;]*[mK]//g' | grep 'exec/s' >live
[ "$(wc -l <live)" -ge 5 ] || fault "few live lines: $(wc -l <live)"
head -10 live | grep -q '%' && fault "an estimate at once: $(head -10 live)"
python3 - <<'P' || fault "it grew: $(cat live)"
import re, sys
last = None # of the line before; an estimate that is withdrawn settles anew
for line in open('live'):
    bound, eta = re.match(r'bound (\d+)', line.strip()), re.search(r'eta ([\d.]+) s', line)
    now = (bound[1], float(eta[1])) if bound and eta else None
    if now and last and now[0] == last[0] and now[1] > last[1]: sys.exit(1)
    last = now
P

cat >many.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static int count, ready;
static atomic_int hits;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    count++;
    return arg;
}
static void *two(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    ready = 1;
    return arg;
}
static void *three(void *arg)
{
    count++;
    return ready ? arg : 0;
}
int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, one, 0);
    pthread_create(&t[1], 0, two, 0);
    pthread_create(&t[2], 0, three, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
C
t "--keep-going begins with a table and says each failure once"
COLUMNS=90 expect 7 "$MAZUR" check many.c --keep-going --trace-dir many --json r.json
fits out 90
failures=$(sed -nE 's/^mazur: many: ([0-9]+) failures$/\1/p' out)
[ "${failures:-0}" -ge 3 ] || fault "failures: $failures"
sed -n '/ failures$/,/^$/p' out >table
says table "data race on count" "many.c:12 and :26" "0 preemptions" "deadlock: 3 threads wait for ever" "1 preemption " \
    "An execution ends at its first data race. --races explore looks for what"
[ "$(grep -c 'data race on count' table)" = 1 ] || fault "twice: $(cat table)"
[ "$(grep -c 'many/.*mzt' table)" = "$failures" ] || fault "traces: $(cat table)"
[ "$(ls many | wc -l)" = "$failures" ] || fault "$(ls many)"
[ "$(grep -c '^  Searched: ' out)" = 1 ] || fault "Searched: $(grep -c '^  Searched' out) times"
says out "1 of $failures" "$failures of $failures"
COLUMNS=80 expect 2 "$MAZUR" check many.c --keep-going --no-trace --races explore --execs 2000 --time 0
lacks out "An execution ends at its first data race"
end_of_file
