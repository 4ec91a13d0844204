/* Concurrency Kit's lock-free stack: two threads push, main pops what is there and the rest
 * after joining them. Its atomics are inline assembly, which instrumentation can't see:
 * --visible does. SEED: push as for a single producer. */
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stdlib.h>

static ck_stack_t stack = CK_STACK_INITIALIZER;
static struct ck_stack_entry entry[2];

static void *pusher(void *argument)
{
#ifndef SEED
    ck_stack_push_upmc(&stack, argument);
#else
    ck_stack_push_spnc(&stack, argument);
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, pusher, &entry[i]);
    int count = ck_stack_pop_upmc(&stack) != NULL;
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    while (ck_stack_pop_upmc(&stack) != NULL)
        count++;
    assert(count == 2);
    return 0;
}
