#!/bin/bash
# Standard input is read again in every execution, as far as possible.
. "$(dirname "$0")/lib.sh"

echo '#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x;
static char line[100];
static int lines;
BEGIN static void first(void)
{
    lines = fgets(line, sizeof line, stdin) != NULL;
}
static void *work(void *unused)
{
    atomic_fetch_add(&x, 1);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (!lines)
        first();
    while (fgets(line, sizeof line, stdin))
        lines++;
    assert(lines == 3000); /* more than a buffer holds */
    return 0;
}' >reader.c
seq 1 3000 >numbers

t "a file is read from its beginning in every execution"
expect 0 sh -c '"$0" check --require-complete -DBEGIN= reader.c <numbers' "$MAZUR"
says out "2 traces"

t "also by a program whose constructor has begun to read it"
expect 0 sh -c '"$0" check --require-complete "-DBEGIN=__attribute__((constructor))" reader.c <numbers' "$MAZUR"
says out "2 traces"

t "what comes through a pipe is gone after the first execution, and listed"
expect 0 sh -c 'cat numbers | "$0" check --execs 1 -DBEGIN= reader.c' "$MAZUR"
says out "stdio on a pipe or socket"

end_of_file
