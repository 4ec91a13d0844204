/* The shape of paper 003's APE, an environment for asynchronous processing (section 4.1): the
 * main thread sets up a reference-counted environment, starts two workers and waits for them;
 * each worker takes a reference, posts ITEMS work items to a shared list, runs what it finds
 * there, and drops its reference. Whoever drops the last one frees the environment.
 *
 * -DBUG=0 main drops its own reference without waiting, and a worker takes its reference only
 * when it runs: the environment may be gone. No preemption. -DBUG=1 a reference is dropped by a
 * read and a write instead of one operation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef BUG
#define BUG (-1)
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#define WORKERS 2

struct environment {
    atomic_int references;
    pthread_mutex_t lock;
    int posted, done;
};

static atomic_int freed;

static void drop(struct environment *environment)
{
    int left;
    if (BUG == 1) {
        left = atomic_load(&environment->references) - 1;
        atomic_store(&environment->references, left);
    } else {
        left = atomic_fetch_sub(&environment->references, 1) - 1;
    }
    if (left == 0) {
        atomic_fetch_add(&freed, 1);
        free(environment);
    }
}

static void *worker(void *argument)
{
    struct environment *environment = argument;
    if (BUG == 0)
        atomic_fetch_add(&environment->references, 1);
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&environment->lock);
        environment->posted++;
        pthread_mutex_unlock(&environment->lock);
    }
    pthread_mutex_lock(&environment->lock);
    while (environment->done < environment->posted)
        environment->done++;
    pthread_mutex_unlock(&environment->lock);
    drop(environment);
    return NULL;
}

int main(void)
{
    pthread_t thread[WORKERS];
    struct environment *environment = calloc(1, sizeof *environment);
    atomic_init(&environment->references, BUG == 0 ? 1 : 1 + WORKERS);
    pthread_mutex_init(&environment->lock, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread[i], NULL, worker, environment);
    drop(environment);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(thread[i], NULL);
    assert(freed == 1 && "the environment is freed once");
    return 0;
}
