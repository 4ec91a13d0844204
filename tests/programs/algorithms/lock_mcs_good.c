/* EXPECT verdict=passed exit=0 complete=true executions=13625 distinct=6
 * MCS lock: each waiter spins on its own node; the tail is only cleared if it is still ours. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
    atomic_int waiting;
};

static struct node *_Atomic tail;
static int shared;

static void lock(struct node *mine)
{
    atomic_store(&mine->next, NULL);
    atomic_store(&mine->waiting, 1);
    struct node *before = atomic_exchange(&tail, mine);
    if (before) {
        atomic_store(&before->next, mine);
        while (atomic_load(&mine->waiting)) {
        }
    }
}

static void unlock(struct node *mine)
{
    struct node *after = atomic_load(&mine->next);
    if (!after) {
        struct node *expected = mine;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return;
        while (!(after = atomic_load(&mine->next))) {
        }
    }
    atomic_store(&after->waiting, 0);
}

static void *worker(void *node)
{
    lock(node);
    shared++;
    unlock(node);
    return NULL;
}

int main(void)
{
    static struct node node[2];
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &node[0]);
    pthread_create(&b, NULL, worker, &node[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
