/* EXPECT verdict=deadlock exit=2 -- --bound 1
 * The waiters that were requeued to the second word are never woken there. */
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
