/* EXPECT verdict=misuse exit=12 says=barrier_that_is_not_initialised
 * A constructor initialises the barrier, another one destroys it. */
#include <pthread.h>

static pthread_barrier_t barrier;

__attribute__((constructor(101))) static void initialise(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
}

__attribute__((constructor(102))) static void end(void)
{
    pthread_barrier_destroy(&barrier);
}

static void *wait(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    wait(NULL);
    pthread_join(thread, NULL);
}
