/* EXPECT verdict=passed exit=0 complete=true
 * A thread walks along a list whose last node points to itself for a while: it reads again and
 * again with the same instruction, but only there the same location. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
};

static struct node last = {&last};
static struct node first = {&last};

static void *walk(void *unused)
{
    struct node *node = &first;
    do
        node = atomic_load(&node->next);
    while (node);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, walk, NULL);
    atomic_store(&last.next, NULL);
    pthread_join(thread, NULL);
    return 0;
}
