/* EXPECT verdict=data-race exit=7 bound=0 location=HERE -- --volatile-atomic
 * EXPECT verdict=data-race exit=7 -- --hang 1s
 * EXPECT verdict=data-race exit=7 -- --volatile=plain --hang 1s
 * Volatile is not release: the data behind the flag races, also where the flag itself is taken
 * for a relaxed atomic. */
#include <pthread.h>

static volatile int flag;
static int data;

static void *setter(void *unused)
{
    data = 5;
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, setter, NULL);
    while (!flag) {
    }
    int got = data; /* HERE */
    pthread_join(thread, NULL);
    return got != 5;
}
