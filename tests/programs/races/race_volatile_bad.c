/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * volatile is no synchronisation. */
#include <pthread.h>

static volatile int flag;

static void *setter(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, setter, NULL);
    int seen = flag;
    pthread_join(a, NULL);
    return seen == 3;
}
