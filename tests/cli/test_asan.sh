#!/bin/bash
# Programs built with AddressSanitizer under `mazur run`: its errors are failures with their
# interleaving, and Mazur's heap tells ASan what is allocated.
. "$(dirname "$0")/lib.sh"
cat >stale.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *shared;
static size_t length = 4;
static void *replace(void *unused)
{
    pthread_mutex_lock(&m);
    free(shared);
    shared = malloc(12);
    length = 12;
    pthread_mutex_unlock(&m);
    return unused;
}
static void *use(void *unused)
{
    char local[8];
    pthread_mutex_lock(&m);
    char *text = shared;
    size_t size = length;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
#ifdef STACK
    memset(local, 1, size);
    text[0] = local[0];
#elif defined STALE
    text[0] = (char)size;
#else
    shared[0] = (char)(text != NULL);
    shared = realloc(shared, 2 * length);
    memset(shared, (int)size, 2 * length);
    memset(local, 0, sizeof local);
#endif
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t thread[2];
    shared = malloc(4);
    pthread_create(&thread[0], NULL, replace, NULL);
    pthread_create(&thread[1], NULL, use, NULL);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    free(shared);
    return 0;
}
C

# built FLAGS... : false where the compiler has no ASan
built() { "$@" -g -pthread -fsanitize=address -o program stale.c 2>build.log; }

if built gcc; then
    t "ASan: no false alarm"
    expect 0 "$MAZUR" run --json r.json ./program
    says out "AddressSanitizer checks accesses" "complete"
    says r.json '"verdict": "passed"'

    t "ASan: a stale pointer, with the block's history and the lock that is held"
    built gcc -DSTALE
    expect 11 "$MAZUR" run --trace-dir stale ./program
    says out "1 preemption; no execution with fewer preemptions fails" "use after free: heap block of main():" \
        "write of 1 byte at heap block of main():41 by T2, holding m" "freed by T1" "stale.c:10 replace"
    expect 11 "$MAZUR" replay stale/*.mzt
    says out "use after free"

    t "ASan: what only ASan knows, in a call that Mazur does by hand"
    built gcc -DSTACK
    expect 11 "$MAZUR" run --no-trace ./program
    says out "stack-buffer-overflow" "write of 12 bytes" "stale.c:25 use"
fi

if built clang; then
    t "ASan: a runtime that is linked in is refused"
    expect 6 "$MAZUR" run ./program
    says err "-shared-libasan"
fi

end_of_file
