/* Work-stealing queue in a bounded circular buffer, Cilk's THE protocol (the subject of paper
 * 000, Table 1, and paper 003, Table 2). The victim pushes SIZE jobs and then pops as often;
 * the thief steals STEALS times. Every job must be taken exactly once. With -DFULL the jobs are
 * there from the start.
 *
 * Both sides claim before they look: the victim lowers the tail and then reads the head, the
 * thief raises the head and then reads the tail. If the two meet at the last job the lock
 * decides. One slot stays free, since a thief that has raised the head may not have read its
 * job yet.
 *
 * -DBUG=1 the victim looks at the head before it claims the tail: the thief takes the job too.
 * -DBUG=2 the thief works without the lock: it gives a claim back while the victim, holding
 *         the lock, believes in it, and nobody takes the job.
 * -DBUG=3 the victim that meets a thief gives up instead of asking for the lock: the same end.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif
#ifndef SIZE
#define SIZE 3
#endif
#ifndef STEALS
#define STEALS 2
#endif
#define CAPACITY (SIZE + 1)
#define EMPTY    (-1)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int head, tail;
static int buffer[CAPACITY];
/* who took what: only read after both threads have been joined */
static int popped[SIZE], stolen[SIZE];

static void push(int job)
{
    int end = atomic_load(&tail);
    assert(end - atomic_load(&head) < CAPACITY - 1);
    buffer[end % CAPACITY] = job;
    atomic_store(&tail, end + 1);
}

static int pop(void)
{
    int last = atomic_load(&tail) - 1;
    if (BUG == 1) {
        if (atomic_load(&head) > last)
            return EMPTY;
        atomic_store(&tail, last);
        return buffer[last % CAPACITY];
    }
    atomic_store(&tail, last);
    if (atomic_load(&head) <= last)
        return buffer[last % CAPACITY];
    atomic_store(&tail, last + 1);
    if (BUG == 3)
        return EMPTY;
    int job = EMPTY;
    pthread_mutex_lock(&mutex);
    atomic_store(&tail, last);
    if (atomic_load(&head) <= last)
        job = buffer[last % CAPACITY];
    else
        atomic_store(&tail, last + 1);
    pthread_mutex_unlock(&mutex);
    return job;
}

static int steal(void)
{
    int job = EMPTY;
    if (BUG != 2)
        pthread_mutex_lock(&mutex);
    int first = atomic_load(&head);
    atomic_store(&head, first + 1);
    if (first + 1 <= atomic_load(&tail))
        job = buffer[first % CAPACITY];
    else
        atomic_store(&head, first);
    if (BUG != 2)
        pthread_mutex_unlock(&mutex);
    return job;
}

static void push_all(void)
{
    for (int i = 0; i < SIZE; i++)
        push(i);
}

static void *victim(void *unused)
{
#ifndef FULL
    push_all();
#endif
    for (int i = 0; i < SIZE; i++) {
        int job = pop();
        if (job != EMPTY)
            popped[job]++;
    }
    return unused;
}

static void *thief(void *unused)
{
    for (int i = 0; i < STEALS; i++) {
        int job = steal();
        if (job != EMPTY)
            stolen[job]++;
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
#ifdef FULL
    push_all();
#endif
    pthread_create(&a, NULL, victim, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int i = 0; i < SIZE; i++)
        assert(popped[i] + stolen[i] == 1 && "every job is taken once");
    return 0;
}
