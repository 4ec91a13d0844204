/* EXPECT verdict=data-race exit=7
 * EXPECT verdict=data-race exit=7 -- -O0
 * EXPECT verdict=data-race exit=7 -- -O2
 * EXPECT verdict=data-race exit=7 -- -O2 -DEXCHANGE
 * EXPECT verdict=data-race exit=7 -- -O2 -DCOMPARE
 * A local variable whose address others get by an atomic operation, and that its owner goes on to write. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
    int value[4];
};

static struct node *_Atomic head;

static void *take(void *unused)
{
    struct node *node = atomic_load(&head);
    if (node)
        node->value[2] = 5;
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct node node = {NULL, {1, 2, 3, 4}}, *expected = NULL;
    (void)expected;
    pthread_create(&thread, NULL, take, NULL);
#if defined EXCHANGE
    atomic_exchange(&head, &node);
#elif defined COMPARE
    atomic_compare_exchange_strong(&head, &expected, &node);
#else
    atomic_store(&head, &node);
#endif
#ifndef GOOD
    node.value[2] = 7;
#endif
    pthread_join(thread, NULL);
    return node.value[2] == 77;
}
