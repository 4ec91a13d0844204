/* A work-stealing deque that runs a job twice.
 *
 *     mazur check examples/deque.c          finds it
 *     mazur check examples/deque_fixed.c --bound 3
 *
 * The owner pushes and pops at the bottom and needs no lock for that; thieves steal at the top,
 * one at a time. The two ends only meet over the last job. pop() looks at the top before it
 * claims the bottom, so a thief can come in between. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define JOBS    2
#define NOTHING (-1)

static pthread_mutex_t thieves = PTHREAD_MUTEX_INITIALIZER;
static atomic_int top, bottom; /* jobs are in [top, bottom) */
static int job[JOBS];
static atomic_int runs[JOBS];

static void push(int number)
{
    int end = atomic_load(&bottom);
    job[end] = number;
    atomic_store(&bottom, end + 1);
}

static int pop(void)
{
    int last = atomic_load(&bottom) - 1;
    if (last < atomic_load(&top)) /* too early to look */
        return NOTHING;
    atomic_store(&bottom, last);
    return job[last];
}

static int steal(void)
{
    int number = NOTHING;
    pthread_mutex_lock(&thieves);
    int first = atomic_load(&top);
    atomic_store(&top, first + 1); /* claim, then look */
    if (first < atomic_load(&bottom))
        number = job[first];
    else
        atomic_store(&top, first);
    pthread_mutex_unlock(&thieves);
    return number;
}

static void run(int number)
{
    if (number == NOTHING)
        return;
    int before = atomic_fetch_add(&runs[number], 1);
    assert(before == 0 && "every job runs once");
}

static void *owner(void *unused)
{
    run(pop());
    run(pop());
    return unused;
}

static void *thief(void *unused)
{
    run(steal());
    return unused;
}

int main(void)
{
    pthread_t first, second;
    for (int i = 0; i < JOBS; i++)
        push(i);
    pthread_create(&first, NULL, owner, NULL);
    pthread_create(&second, NULL, thief, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    for (int i = 0; i < JOBS; i++)
        assert(atomic_load(&runs[i]) == 1);
    return 0;
}
