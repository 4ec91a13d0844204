/* EXPECT verdict=passed exit=0 complete=true
 * It is signalled, then destroyed: the thread is created in between. */
#include <pthread.h>

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *destroys(void *unused)
{
    pthread_cond_destroy(&condition);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_cond_signal(&condition);
    pthread_create(&thread, NULL, destroys, NULL);
    pthread_join(thread, NULL);
    return 0;
}
