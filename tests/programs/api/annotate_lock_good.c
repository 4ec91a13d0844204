/* EXPECT verdict=passed exit=0 complete=true
 * A lock of the program's own, announced as one: its relaxed atomics order nothing, the
 * announcement does. */
#include <assert.h>
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int lock;
static int count;

static void *worker(void *unused)
{
    __tsan_mutex_pre_lock(&lock, 0);
    while (atomic_exchange_explicit(&lock, 1, memory_order_relaxed))
        sched_yield();
    __tsan_mutex_post_lock(&lock, 0, 0);
    count++;
    __tsan_mutex_pre_unlock(&lock, 0);
    atomic_store_explicit(&lock, 0, memory_order_relaxed);
    __tsan_mutex_post_unlock(&lock, 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    __tsan_mutex_create(&lock, 0);
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    __tsan_mutex_destroy(&lock, 0);
    assert(count == 2);
    return 0;
}
