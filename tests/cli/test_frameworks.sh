#!/bin/bash
# Test frameworks: the failed assertion's message comes from the program's output.
. "$(dirname "$0")/lib.sh"
cat >framework.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int count;
static void *add(void *unused)
{
    int seen = atomic_load(&count);
    atomic_store(&count, seen + 1);
    return unused;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    puts("[ RUN      ] Counter.Both");
    if (count == 2)
        return 0;
#if FRAMEWORK == 1
    puts("dir/pool_test.cpp:12: Failure\nExpected equality of these values:\n  count\n"
         "    Which is: 1\n  2\nboth count\n[  FAILED  ] Counter.Both (0 ms)");
#elif FRAMEWORK == 2
    puts("-----------\npool_test.cpp:13: FAILED:\n  REQUIRE( count == 2 )\nwith expansion:\n"
         "  1 == 2\n\n===========");
#endif
    return 1;
}
C

t "GoogleTest"
expect 1 "$MAZUR" check framework.c -DFRAMEWORK=1 --json r.json --no-trace
says out "Expected equality of these values: count; Which is: 1; 2; both count, at dir/pool_test.cpp:12"
says r.json '"location": "dir/pool_test.cpp:12"' '"verdict": "exit"'

t "the same in a replay, with the program's output"
expect 1 "$MAZUR" check framework.c -DFRAMEWORK=1
expect 1 "$MAZUR" replay ./*.mzt
says out "[ RUN      ] Counter.Both" \
    "Expected equality of these values: count; Which is: 1; 2; both count, at dir/pool_test.cpp:12"
lacks out "exit status 1"
rm -f ./*.mzt

t "Catch2"
expect 1 "$MAZUR" check framework.c -DFRAMEWORK=2 --json r.json --no-trace
says out "REQUIRE( count == 2 ); with expansion: 1 == 2, at pool_test.cpp:13"

t "any other program"
expect 1 "$MAZUR" check framework.c -DFRAMEWORK=0 --no-trace
says out "exit status 1"

end_of_file
