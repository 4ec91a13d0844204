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
 * -DPAPER is closer to what paper 000 counts: the main thread is the victim, so that there are
 * two threads, and any two accesses of head or tail are dependent, reads too.
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
#ifdef PAPER
#define read_end(end)         atomic_fetch_add(&(end), 0)
#define write_end(end, value) (void)atomic_exchange(&(end), value)
#else
#define read_end(end)         atomic_load(&(end))
#define write_end(end, value) atomic_store(&(end), value)
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
    int end = read_end(tail);
    assert(end - read_end(head) < CAPACITY - 1);
    buffer[end % CAPACITY] = job;
    write_end(tail, end + 1);
}

static int pop(void)
{
    int last = read_end(tail) - 1;
    if (BUG == 1) {
        if (read_end(head) > last)
            return EMPTY;
        write_end(tail, last);
        return buffer[last % CAPACITY];
    }
    write_end(tail, last);
    if (read_end(head) <= last)
        return buffer[last % CAPACITY];
    write_end(tail, last + 1);
    if (BUG == 3)
        return EMPTY;
    int job = EMPTY;
    pthread_mutex_lock(&mutex);
    write_end(tail, last);
    if (read_end(head) <= last)
        job = buffer[last % CAPACITY];
    else
        write_end(tail, last + 1);
    pthread_mutex_unlock(&mutex);
    return job;
}

static int steal(void)
{
    int job = EMPTY;
    if (BUG != 2)
        pthread_mutex_lock(&mutex);
    int first = read_end(head);
    write_end(head, first + 1);
    if (first + 1 <= read_end(tail))
        job = buffer[first % CAPACITY];
    else
        write_end(head, first);
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
    pthread_t b;
#ifdef FULL
    push_all();
#endif
#ifdef PAPER
    pthread_create(&b, NULL, thief, NULL);
    victim(NULL);
#else
    pthread_t a;
    pthread_create(&a, NULL, victim, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
#endif
    pthread_join(b, NULL);
    for (int i = 0; i < SIZE; i++)
        assert(popped[i] + stolen[i] == 1 && "every job is taken once");
    return 0;
}
