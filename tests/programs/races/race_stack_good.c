/* EXPECT verdict=passed exit=0 complete=true executions=19 distinct=1
 * Each thread has its own element of an array on main's stack; main adds up after joining. */
#include <pthread.h>

static void *add(void *sum)
{
    ++*(int *)sum; /* HERE */
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int sum[2] = {0, 0};
    pthread_create(&a, NULL, add, &sum[0]);
    pthread_create(&b, NULL, add, &sum[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return sum[0] + sum[1] != 2;
}
