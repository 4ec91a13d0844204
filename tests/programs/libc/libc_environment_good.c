/* EXPECT verdict=passed exit=0 complete=true
 * The environment is looked at when the other thread has ended. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *remover(void *unused)
{
    unsetenv("MAZUR_TEST");
    return unused;
}

int main(void)
{
    pthread_t thread;
    setenv("MAZUR_TEST", "value", 1);
    pthread_create(&thread, NULL, remover, NULL);
    pthread_join(thread, NULL);
    assert(getenv("MAZUR_TEST") == NULL);
    return 0;
}
