/* EXPECT verdict=deadlock exit=2 bound=2 executions=72 distinct=13
 * A semaphore on a futex waits for the count that it saw before its attempt, as libstdc++ 12
 * did (GCC bug 104928). It sees 1 and is preempted; the other takes the 1 and is preempted; the
 * attempt fails, and while it yields the other gives back and wakes nobody. The count is 1
 * again, as it was seen: it sleeps for ever. */
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
        int seen = atomic_load(&count);
        if (try_acquire())
            return;
        sched_yield();
        syscall(SYS_futex, &count, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
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
