/* EXPECT verdict=passed exit=0 complete=true executions=301 distinct=4
 * Popped nodes are kept until both threads are gone. */
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
        struct node *next = node->next; /* HERE */
        if (atomic_compare_exchange_strong(&top, &node, next))
            break;
    }
    *(struct node **)result = node;
    return NULL;
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
