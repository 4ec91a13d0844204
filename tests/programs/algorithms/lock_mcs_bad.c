/* EXPECT verdict=livelock exit=3 bound=1 executions=10 distinct=4
 * The lock is given back with a store where nobody was seen behind: preempted between looking
 * and storing, a newcomer has queued up and spins for ever. */
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
        atomic_store(&tail, NULL);
        return;
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
