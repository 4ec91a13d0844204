#!/bin/bash
# Limits of Mazur's own (src/explore/claim/limits.def): a program that reaches one is told so, by its sentence, and nothing
# is claimed from then on; one that stays below is complete.
. "$(dirname "$0")/lib.sh"

# program NAME BEFORE-MAIN BODY-OF-THREAD: COUNT of something
program() {
    cat >"$1.c" <<C
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
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

# reaches LIMIT COMMAND...: its sentence, and no claim
reaches() {
    local limit=$1 sentence
    shift
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

t "every limit of the table has a test"
while read -r limit; do
    case $limit in
    MODULES) expected="$root/tests/limits.sh" ;;
    FAILURES | BOUND_ROWS) continue ;; # reasons of their own: many-failures, many-bounds
    *) expected="$here/test_own_limits.sh $here/test_claims.sh" ;;
    esac
    # shellcheck disable=SC2086
    grep -qE "^reaches $limit |\b$limit:limit|LIMIT_AT_$limit" $expected || fault "no test reaches $limit"
done < <(sed -n 's/^LIMIT(\([A-Z_]*\),.*/\1/p' "$root/src/explore/claim/limits.def")

end_of_file
