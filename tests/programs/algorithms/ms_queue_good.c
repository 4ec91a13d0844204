/* EXPECT verdict=passed exit=0 executions=127 distinct=6 -- --bound 2
 * Michael and Scott's queue: the node is linked with compare-exchange, and whoever finds the
 * tail lagging helps it forward. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *_Atomic next;
    int value;
};

static struct node *_Atomic head, *_Atomic tail;

static struct node *new_node(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    return node;
}

static void enqueue(int value)
{
    struct node *node = new_node(value);
    for (;;) {
        struct node *last = atomic_load(&tail), *next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

static int dequeue(void)
{
    struct node *first = atomic_load(&head), *next = atomic_load(&first->next);
    while (next && !atomic_compare_exchange_strong(&head, &first, next))
        next = atomic_load(&first->next);
    return next ? next->value : 0;
}

static void *enqueuer(void *value)
{
    enqueue(*(int *)value);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    struct node *dummy = new_node(0);
    atomic_store(&head, dummy);
    atomic_store(&tail, dummy);
    pthread_create(&a, NULL, enqueuer, &one);
    pthread_create(&b, NULL, enqueuer, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int first = dequeue(), second = dequeue();
    assert(first + second == 3 && dequeue() == 0); /* HERE */
    return 0;
}
