/* Apache Portable Runtime: threads, a mutex and a condition variable.
 * SEED: the producer does not take the mutex. */
#include <apr_general.h>
#include <apr_thread_cond.h>
#include <apr_thread_mutex.h>
#include <apr_thread_proc.h>
#include <assert.h>

static apr_thread_mutex_t *mutex;
static apr_thread_cond_t *filled;
static int items;

static void *APR_THREAD_FUNC produce(apr_thread_t *thread, void *unused)
{
    (void)unused;
#ifndef SEED
    apr_thread_mutex_lock(mutex);
#endif
    items++;
    apr_thread_cond_signal(filled);
#ifndef SEED
    apr_thread_mutex_unlock(mutex);
#endif
    apr_thread_exit(thread, APR_SUCCESS);
    return NULL;
}

int main(void)
{
    apr_pool_t *pool;
    apr_thread_t *thread[2];
    apr_status_t status;
    apr_initialize();
    apr_pool_create(&pool, NULL);
    apr_thread_mutex_create(&mutex, APR_THREAD_MUTEX_DEFAULT, pool);
    apr_thread_cond_create(&filled, pool);
    for (int i = 0; i < 2; i++)
        assert(apr_thread_create(&thread[i], NULL, produce, NULL, pool) == APR_SUCCESS);
    apr_thread_mutex_lock(mutex);
    while (items < 2)
        apr_thread_cond_wait(filled, mutex);
    apr_thread_mutex_unlock(mutex);
    for (int i = 0; i < 2; i++)
        apr_thread_join(&status, thread[i]);
    apr_terminate();
    return 0;
}
