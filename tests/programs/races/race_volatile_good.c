/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1
 * A volatile that only one thread uses at a time is no race. */
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
    flag = 2;
    pthread_create(&a, NULL, setter, NULL);
    pthread_join(a, NULL);
    int seen = flag;
    return seen == 3;
}
