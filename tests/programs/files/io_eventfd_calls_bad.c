/* EXPECT verdict=deadlock exit=2 bound=0 location=HERE
 * Without EFD_SEMAPHORE the first eventfd_read() may take both events: the second waits for
 * ever. */
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
    event = eventfd(0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, adder, NULL);
    for (int i = 0; i < 2; i++)
        assert(eventfd_read(event, &value) == 0); /* HERE */
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
