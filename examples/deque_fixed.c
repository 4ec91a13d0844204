/* The work-stealing deque of deque.c, right.
 *
 *     mazur check examples/deque_fixed.c --bound 3
 *
 * Both sides claim first and look then, so at least one of them notices when they meet over the
 * last job; the owner then decides it under the thieves' lock. */
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
    atomic_store(&bottom, last); /* claim, then look */
    if (last >= atomic_load(&top))
        return job[last];
    atomic_store(&bottom, last + 1);

    int number = NOTHING;
    pthread_mutex_lock(&thieves); /* no thief is halfway through */
    if (last >= atomic_load(&top)) {
        atomic_store(&bottom, last);
        number = job[last];
    }
    pthread_mutex_unlock(&thieves);
    return number;
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
