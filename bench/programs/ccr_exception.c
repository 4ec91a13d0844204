/* Paper 002, section 6, "Exception" and "CCR": a dispatcher runs tasks on two threads; a task that throws posts its exception to the
 * port of its causality, and the last task to end completes the causality, which must have seen every exception. The paper does not
 * print its program; this has its shape: two assertions.
 *
 * -DBUG=1: the causality is completed by a count that is read again after it was changed, so that it may be completed twice.
 * -DBUG=2: a task ends before it has posted its exception. None: correct. */
#include <assert.h>
#include <pthread.h>

#ifndef BUG
#define BUG 0
#endif
#define TASKS   3
#define THREADS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_task, running = TASKS, posted, completed;

static void post_exception(void)
{
    pthread_mutex_lock(&lock);
    posted++;
    assert(!completed); /* nobody would look at it any more */
    pthread_mutex_unlock(&lock);
}

static void complete(void)
{
    pthread_mutex_lock(&lock);
    assert(!completed);
    completed = 1;
    pthread_mutex_unlock(&lock);
}

static void end_task(void)
{
    pthread_mutex_lock(&lock);
    int left = --running;
    pthread_mutex_unlock(&lock);
#if BUG == 1
    pthread_mutex_lock(&lock);
    left = running;
    pthread_mutex_unlock(&lock);
#endif
    if (left == 0)
        complete();
}

static void run_task(int number)
{
#if BUG == 2
    end_task();
#endif
    if (number % 2 == 0)
        post_exception();
#if BUG != 2
    end_task();
#endif
}

static void *dispatch(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        int number = next_task++;
        pthread_mutex_unlock(&lock);
        if (number >= TASKS)
            return unused;
        run_task(number);
    }
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, dispatch, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(completed && posted == 2);
    return 0;
}
