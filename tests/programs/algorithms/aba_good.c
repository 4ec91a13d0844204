/* EXPECT verdict=passed exit=0 executions=166 distinct=5 -- --bound 2
 * The top carries a tag that counts changes: the compare-exchange notices. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define EMPTY 255u

static atomic_uint next[3];
static _Atomic uint64_t top; /* node in the low byte, tag above */
static atomic_uint owned[3];

static uint64_t changed(uint64_t old, unsigned node)
{
    return ((old >> 8) + 1) << 8 | node;
}

static unsigned pop(void)
{
    uint64_t old = atomic_load(&top);
    for (;;) {
        unsigned node = old & 255;
        if (node == EMPTY)
            return EMPTY;
        if (atomic_compare_exchange_strong(&top, &old, changed(old, atomic_load(&next[node]))))
            return node;
    }
}

static void push(unsigned node)
{
    uint64_t old = atomic_load(&top);
    do
        atomic_store(&next[node], old & 255);
    while (!atomic_compare_exchange_strong(&top, &old, changed(old, node)));
}

static void *popper(void *unused)
{
    unsigned node = pop();
    if (node != EMPTY)
        atomic_store(&owned[node], 1);
    return unused;
}

static void *juggler(void *unused)
{
    unsigned first = pop(), second = pop();
    if (second != EMPTY)
        atomic_store(&owned[second], 1);
    if (first != EMPTY)
        push(first);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    atomic_store(&next[0], 1);
    atomic_store(&next[1], 2);
    atomic_store(&next[2], EMPTY);
    pthread_create(&a, NULL, popper, NULL);
    pthread_create(&b, NULL, juggler, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (unsigned node; (node = pop()) != EMPTY;)
        assert(!atomic_load(&owned[node])); /* HERE */
    return 0;
}
