/* EXPECT verdict=passed exit=0 complete=true -- -O0
 * The thread that writes is joined before main reads. */
#include <pthread.h>

int data;

static void *nothing(void *unused)
{
    return unused;
}

static void *writer(void *unused)
{
    data = 1;
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&other, NULL, nothing, NULL);
    pthread_join(other, NULL);
    pthread_join(one, NULL);
    int seen = data;
    (void)seen;
    return 0;
}
