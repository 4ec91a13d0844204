/* EXPECT verdict=passed exit=0 -- --bound 1
 * FUTEX_CMP_REQUEUE: one waiter is woken, the others go on to wait at the second word, where they
 * are woken in turn. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int gate, queue;

static void *waiter(void *unused)
{
    while (atomic_load(&gate) == 0)
        syscall(SYS_futex, &gate, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    atomic_fetch_add(&queue, 1);
    syscall(SYS_futex, &queue, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, waiter, NULL);
    atomic_store(&gate, 1);
    syscall(SYS_futex, &gate, FUTEX_CMP_REQUEUE_PRIVATE, 1, 1, &queue, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
