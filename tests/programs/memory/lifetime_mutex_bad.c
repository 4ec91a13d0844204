/* EXPECT verdict=memory-error exit=11 location=HERE
 * EXPECT verdict=memory-error exit=11 -- --strategy dpor
 * EXPECT verdict=memory-error exit=11 -- --strategy dfs --bound none
 * A mutex is freed while another thread may still lock it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;

static void *frees(void *unused)
{
    free(mutex); /* HERE */
    return unused;
}

int main(void)
{
    mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, frees, NULL);
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    pthread_join(thread, NULL);
    return 0;
}
