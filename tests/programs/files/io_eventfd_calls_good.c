/* EXPECT verdict=passed exit=0 complete=true
 * As a semaphore an eventfd gives one event to each eventfd_read(), which waits for it. */
#include <assert.h>
#include <pthread.h>
#include <sys/eventfd.h>

static int event;

static void *adder(void *unused)
{
    assert(eventfd_write(event, 1) == 0);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    eventfd_t value;
    event = eventfd(0, EFD_SEMAPHORE);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, adder, NULL);
    for (int i = 0; i < 2; i++)
        assert(eventfd_read(event, &value) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
