/* EXPECT verdict=assertion exit=1 bound=0 location=HERE
 * Main takes each wake-up for one event, but an eventfd adds them up. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event;

static void *adder(void *unused)
{
    uint64_t one = 1;
    assert(write(event, &one, sizeof one) == sizeof one);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    uint64_t value;
    event = eventfd(0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, adder, NULL);
    assert(read(event, &value, sizeof value) == sizeof value);
    assert(value == 1); /* HERE */
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
