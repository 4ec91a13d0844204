#!/bin/bash
# Reasons to claim less, raised by programs that give one: each is in the JSON output by its id, and "complete"
# falls unless it is only a remark. (tests/unit/test_claim.c does the same for the table as a whole, and other
# tests for the reasons that are not here.)
. "$(dirname "$0")/lib.sh"

# raises ID STATUS SEVERITY COMMAND...: in a search that writes r.json
raises() {
    local id=$1 status=$2 severity=$3
    shift 3
    t "$id"
    rm -f r.json
    expect "$status" "$1" "$2" --json r.json "${@:3}"
    says r.json "\"id\": \"$id\""
    [ "$severity" = remark ] || says r.json '"complete": false'
}

# program NAME DECLARATIONS BODY-OF-THREAD BODY-OF-MAIN
program() {
    cat >"$1.c" <<C
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int shared;
atomic_int flag;
$2
static void *work(void *unused)
{
    $3
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    $4
    pthread_join(thread, 0);
    return 0;
}
C
}

program twice '' 'flag++;' 'char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char *again = mremap(page, 0, 4096, MREMAP_MAYMOVE); page[0] = again[0];'
raises mapped-twice 0 forbids "$MAZUR" check twice.c

program signalled 'static void handle(int number) { (void)number; }' 'flag++;' 'signal(SIGUSR1, handle); pthread_kill(thread, SIGUSR1);'
raises no-reduction 0 remark "$MAZUR" check signalled.c

program excluded 'void AnnotateIgnoreReadsBegin(const char *, int); void AnnotateIgnoreReadsEnd(const char *, int);' \
    'shared = 1;' 'AnnotateIgnoreReadsBegin(__FILE__, __LINE__); volatile int seen = shared; (void)seen; AnnotateIgnoreReadsEnd(__FILE__, __LINE__);'
raises races-excluded 0 weakens "$MAZUR" check excluded.c

program benign 'void AnnotateBenignRaceSized(const char *, int, const volatile void *, long, const char *);' \
    'shared = 1;' 'AnnotateBenignRaceSized(__FILE__, __LINE__, &shared, sizeof shared, "known"); shared = 2;'
raises races-benign 0 weakens "$MAZUR" check benign.c

program orders 'void AnnotateIgnoreSyncBegin(const char *, int); void AnnotateIgnoreSyncEnd(const char *, int);' \
    'flag++;' 'AnnotateIgnoreSyncBegin(__FILE__, __LINE__); flag++; AnnotateIgnoreSyncEnd(__FILE__, __LINE__);'
raises orders-kept 0 weakens "$MAZUR" check orders.c

program plain '' 'flag++;' 'flag++;'
$CC -g -o plain plain.c -pthread
raises not-instrumented 0 remark "$MAZUR" run ./plain

echo 'extern int shared; void add(void); void add(void) { shared++; }' >other.c
$CC -g -c -o other.o other.c
program calls 'void add(void);' 'flag++;' 'add();'
raises code-not-instrumented 0 weakens "$MAZUR" check calls.c other.o

program clock '' 'flag++;' 'shared = (int)__builtin_ia32_rdtsc() & 0;'
raises outside-values 0 weakens "$MAZUR" check clock.c

program errno_of 'static int *_Atomic place;' 'place = &errno; while (!flag) { }' 'while (!place) { } volatile int seen = *place; (void)seen; flag = 1;'
raises libc-storage 0 forbids "$MAZUR" check errno_of.c

program many '' 'flag = 1; flag = 0;' "$(for i in $(seq 40); do echo "assert(flag != 1 || $i == 0);"; done)"
raises many-failures 1 forbids "$MAZUR" check --keep-going --strategy icb --execs 2000 many.c
raises stopped-at-failure 1 forbids "$MAZUR" check many.c

end_of_file
