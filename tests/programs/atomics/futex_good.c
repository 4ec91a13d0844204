/* EXPECT verdict=passed exit=0 complete=true executions=7726 distinct=46
 * A semaphore on a futex sleeps only while the count is 0. */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int count = 1;
static int shared;

static int try_acquire(void)
{
    int old = atomic_load(&count);
    return old > 0 && atomic_compare_exchange_strong(&count, &old, old - 1);
}

static void acquire(void)
{
    for (;;) {
        if (try_acquire())
            return;
        sched_yield();
        syscall(SYS_futex, &count, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    }
}

static void release(void)
{
    atomic_fetch_add(&count, 1);
    syscall(SYS_futex, &count, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *worker(void *unused)
{
    acquire();
    shared++;
    release();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
