/* EXPECT verdict=assertion exit=1 bound=1 location=HERE
 * The environment is one for all threads: getenv() looks at it, unsetenv() changes it. */
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
    assert(getenv("MAZUR_TEST")); /* HERE */
    pthread_join(thread, NULL);
    return 0;
}
