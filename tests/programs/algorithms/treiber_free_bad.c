/* EXPECT verdict=memory-error exit=11 bound=1 says=use_after_free executions=6 distinct=3
 * Two threads pop, and free what they popped. A thread that is preempted after reading the next
 * pointer lets the other free that node: read and free are unordered, so in another order of
 * the same events the node is read after the free. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *_Atomic top;

static void *popper(void *result)
{
    struct node *node = atomic_load(&top);
    while (node) {
        struct node *next = node->next;
        if (atomic_compare_exchange_strong(&top, &node, next))
            break;
    }
    free(node);
    return result;
}

int main(void)
{
    pthread_t a, b;
    struct node *popped[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = atomic_load(&top);
        atomic_store(&top, node);
    }
    pthread_create(&a, NULL, popper, &popped[0]);
    pthread_create(&b, NULL, popper, &popped[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(popped[0]);
    free(popped[1]);
    return 0;
}
