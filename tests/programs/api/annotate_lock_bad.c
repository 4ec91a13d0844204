/* EXPECT verdict=data-race exit=7
 * A lock of the program's own, announced as one, that lets two threads in. */
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <stdatomic.h>

static atomic_int lock;
static int count;

static void *worker(void *unused)
{
    __tsan_mutex_pre_lock(&lock, 0);
    atomic_exchange_explicit(&lock, 1, memory_order_relaxed);
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
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    return 0;
}
