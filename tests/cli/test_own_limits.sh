#!/bin/bash
# Limits of Mazur's own (src/explore/claim/limits.def): a program that reaches one is told so, by its sentence, and nothing
# is claimed from then on; one that stays below is complete.
. "$(dirname "$0")/lib.sh"

# program NAME BEFORE-MAIN BODY-OF-THREAD [DECLARATIONS]: COUNT of something
program() {
    set -- "$@" ""
    cat >"$1.c" <<C
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
$4
__attribute__((constructor)) static void before(void) { $2 }
static void *work(void *unused)
{
    $3
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
C
}

declare -A reached=()

# reaches LIMIT COMMAND...: its sentence, and no claim
reaches() {
    local limit=$1 sentence
    shift
    reached[$limit]=1
    sentence=$(perl -0ne "print \$1 if /^LIMIT\\($limit,.*?\"(.*?)\"\\)/ms" "$root/src/explore/claim/limits.def")
    rm -f r.json
    expect 0 "$1" "$2" --bound 0 --json r.json "${@:3}"
    says out "$sentence"
    says r.json '"id": "limit"' '"severity": "forbids"' '"complete": false' "$sentence"
    lacks out "passed" "complete: "
}
stays_below() {
    rm -f r.json
    expect 0 "$1" "$2" --json r.json "${@:3}"
    lacks r.json '"id": "limit"'
    says r.json '"verdict": "passed"'
}

# shellcheck disable=SC2016 # C, not the shell's
t LISTENERS
program listens '' 'for (int i = 0; i < COUNT; i++) {
        struct sockaddr_un name = {.sun_family = AF_UNIX};
        int s = socket(AF_UNIX, SOCK_STREAM, 0), length = sprintf(name.sun_path + 1, "mazur-test-%d-%d", (int)getpid(), i);
        bind(s, (struct sockaddr *)&name, (socklen_t)(sizeof name.sun_family + 1 + (size_t)length));
        listen(s, 1);
    }'
reaches LISTENERS "$MAZUR" check -DCOUNT=40 listens.c
stays_below "$MAZUR" check -DCOUNT=30 listens.c

t VERSIONS
program pipes '' 'for (int i = 0; i < COUNT; i++) { int ends[2]; if (pipe(ends) == 0) { close(ends[0]); close(ends[1]); } }'
reaches VERSIONS "$MAZUR" check -DCOUNT=1100 pipes.c
stays_below "$MAZUR" check -DCOUNT=400 pipes.c

t EARLY_CHANNELS
program early 'for (int i = 0; i < COUNT; i++) { int ends[2]; if (pipe(ends)) _exit(1); }' ''
reaches EARLY_CHANNELS "$MAZUR" check -DCOUNT=40 early.c
stays_below "$MAZUR" check -DCOUNT=30 early.c

t CHANGED_MEMORY
program changes '' 'size_t size = (size_t)COUNT << 20; char *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory[0] = 1; mprotect(memory, size, PROT_READ);'
reaches CHANGED_MEMORY "$MAZUR" check -DCOUNT=20 changes.c
stays_below "$MAZUR" check -DCOUNT=8 changes.c

t SITES
{
    echo '#include <pthread.h>
struct pair { long first, second; } pairs[100];
__attribute__((noinline, noclone)) struct pair make(long n) { return (struct pair){n, n}; }'
    for ((i = 0; i < 335; i++)); do
        printf 'void put%d(void) {' $i
        for ((j = 0; j < 100; j++)); do printf " pairs[%d] = make(%d);" $j $j; done
        echo ' }'
    done
    echo 'static void *work(void *unused) { put0(); return unused; }
int main(void) { pthread_t thread; pthread_create(&thread, 0, work, 0); pthread_join(thread, 0); return 0; }'
} >sites.c
reaches SITES "$MAZUR" check --compiler gcc -O1 -g0 sites.c

t OLD_RULES
# Units of C and of C++20 by turns, each with debug information of its own: two assembly files, again and again.
echo 'int NAME(int n); int NAME(int n) { return n; }' >unit.c
echo 'extern "C" int NAME(int n) { return n; }' >unit.cpp
"$CC" -g -S -o c.s unit.c && g++ -std=c++20 -g -S -o cpp.s unit.cpp || exit 70
for ((i = 0; i < 1100; i++)); do
    sed "s/NAME/c$i/g; s/\.L/.Lc${i}_/g" c.s
    sed "s/NAME/cpp$i/g; s/\.L/.Lp${i}_/g" cpp.s
done | grep -v -e '^\s*\.cfi' -e '^\s*\.loc' -e '^\s*\.file [0-9]' -e note.GNU-stack >units.s
program calls '' 'int c1(int n); c1(0);'
expect 0 "$MAZUR" cc -g -c -o calls.o calls.c
expect 0 "$CC" -c -o units.o units.s
expect 0 "$MAZUR" cc -o calls calls.o units.o
reaches OLD_RULES "$MAZUR" run ./calls

t TIMERS
program timers '' 'struct sigevent event = {.sigev_notify = SIGEV_NONE}; timer_t timer;
    for (int i = 0; i < COUNT; i++) timer_create(CLOCK_MONOTONIC, &event, &timer);' '#include <signal.h>
#include <time.h>'
reaches TIMERS "$MAZUR" check -DCOUNT=40 timers.c
stays_below "$MAZUR" check -DCOUNT=30 timers.c

t FORK_HANDLERS
program forks '' 'for (int i = 0; i < COUNT; i++) pthread_atfork(nothing, nothing, nothing);' 'static void nothing(void) { }'
reaches FORK_HANDLERS "$MAZUR" check -DCOUNT=80 forks.c
stays_below "$MAZUR" check -DCOUNT=60 forks.c

t NAMED_SEMAPHORES
program named '' 'for (int i = 0; i < COUNT; i++) {
        char name[32];
        snprintf(name, sizeof name, "/mazur-test-%d", i);
        sem_open(name, O_CREAT, 0600, 1);
    }' '#include <fcntl.h>
#include <semaphore.h>'
reaches NAMED_SEMAPHORES "$MAZUR" check -DCOUNT=40 named.c
stays_below "$MAZUR" check -DCOUNT=30 named.c

t POLLED
program polls '' 'int ends[2]; struct pollfd set[COUNT];
    if (pipe(ends) || write(ends[1], "x", 1) != 1) return 0;
    for (int i = 0; i < COUNT; i++) set[i] = (struct pollfd){.fd = ends[0], .events = POLLIN};
    poll(set, COUNT, 0);' '#include <poll.h>'
reaches POLLED "$MAZUR" check -DCOUNT=300 polls.c
stays_below "$MAZUR" check -DCOUNT=200 polls.c
if [ "$(ulimit -Hn)" = unlimited ] || [ "$(ulimit -Hn)" -ge 1200 ]; then
    program selects '' 'int ends[2]; fd_set set;
    if (pipe(ends) || write(ends[1], "x", 1) != 1) return 0;
    FD_ZERO(&set);
    for (int i = 0; i < COUNT; i++) FD_SET(dup2(ends[0], 400 + i), &set);
    select(800, &set, 0, 0, 0);' '#include <sys/select.h>'
    reaches POLLED "$MAZUR" check -DCOUNT=300 selects.c
    stays_below "$MAZUR" check -DCOUNT=200 selects.c

    t DESCRIPTORS
    program numbers '' 'dup2(open("/dev/null", O_RDONLY), COUNT);' '#include <fcntl.h>'
    reaches DESCRIPTORS "$MAZUR" check -DCOUNT=1100 numbers.c
    stays_below "$MAZUR" check -DCOUNT=700 numbers.c
else
    echo "a descriptor above 1023 is not tested: the limit on descriptors is $(ulimit -Hn)"
    reached[DESCRIPTORS]=1
fi

t MODULES
echo 'int from_module(int x) { return x + 1; }' >module.c
"$CC" -shared -fPIC -o module.so module.c
for ((i = 0; i < 300; i++)); do cp module.so "module$i.so"; done
program modules 'for (int i = 0; i < COUNT; i++) { char name[32]; snprintf(name, sizeof name, "./module%d.so", i); dlopen(name, RTLD_NOW); }' '' \
    '#include <dlfcn.h>'
reaches MODULES "$MAZUR" check -DCOUNT=300 modules.c
stays_below "$MAZUR" check -DCOUNT=200 modules.c

t "every limit of the table was reached here, and the claim fell"
while read -r limit reason; do
    case $reason in
    LIMIT) [ -n "${reached[$limit]:-}" ] || fault "no test reaches $limit" ;;
    *) # a reason of its own, of which it is the only cause; test_reasons.sh raises every reason
        grep -q "^raises $(sed -n "s/^REASON($reason, \"\([a-z-]*\)\".*/\1/p" "$root/src/explore/claim/claim_reasons.def") " \
            "$here/test_reasons.sh" || fault "no test reaches $limit" ;;
    esac
done < <(perl -0777 -ne 'print "$1 $2\n" while /^LIMIT\((\w+),\s*[^,]*,\s*REASON_(\w+)/mg' "$root/src/explore/claim/limits.def")

end_of_file
