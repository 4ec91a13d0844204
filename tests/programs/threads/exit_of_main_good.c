/* EXPECT verdict=passed exit=0 complete=true distinct=66 -- --strategy auto
 * main ends with pthread_exit while three threads run: as many traces as when main joins them.
 * One of them makes a fourth thread, and joins main, which POSIX allows; the last joins the second. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cell;
static pthread_t main_thread, thread[3];

static void *idle(void *unused)
{
    return unused;
}

static void *work(void *number)
{
    int expected = 0;
    atomic_compare_exchange_strong(&cell, &expected, 1);
    atomic_store(&cell, (int)(long)number + 3);
    pthread_t child;
    if (number == NULL) {
        pthread_create(&child, NULL, idle, NULL);
        pthread_join(main_thread, NULL);
    } else if ((long)number == 2) {
        pthread_join(thread[1], NULL);
    }
    return NULL;
}

int main(void)
{
    main_thread = pthread_self();
    for (long i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, work, (void *)i);
    pthread_exit(NULL);
}
