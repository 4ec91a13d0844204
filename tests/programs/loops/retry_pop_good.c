/* EXPECT verdict=passed exit=0 complete=true distinct=9
 * EXPECT verdict=passed exit=0 complete=true distinct=9 -- --strategy optimal --bound none
 * EXPECT verdict=passed exit=0 complete=true distinct=22 -- --idle-rounds=explore
 * A stack with a count against reuse. A failed attempt to pop reads two locations and changes
 * nothing: its thread might as well have begun later. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_ulong top = 1, next[3] = {0, 2, 0};

/* The new top: the node, with a count against reuse. */
static unsigned long make_top(unsigned long old, unsigned long node)
{
    return ((old >> 8) + 1) << 8 | node;
}

static void push(unsigned long node)
{
    unsigned long old;
    do {
        old = atomic_load(&top);
        atomic_store(&next[node], old & 255);
    } while (!atomic_compare_exchange_strong(&top, &old, make_top(old, node)));
}

static unsigned long pop(void)
{
    unsigned long old, after;
    do {
        old = atomic_load(&top);
        if ((old & 255) == 0)
            return 0;
        after = atomic_load(&next[old & 255]);
    } while (!atomic_compare_exchange_strong(&top, &old, make_top(old, after)));
    return old & 255;
}

static void *take_one(void *unused)
{
    pop();
    return unused;
}

static void *take_two(void *unused)
{
    unsigned long first = pop();
    if (pop() != 0)
        push(first);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, take_one, NULL);
    pthread_create(&b, NULL, take_two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert((atomic_load(&top) & 255) != 2);
    return 0;
}
