/* EXPECT verdict=assertion exit=1 bound=0 location=HERE
 * Without _Thread_local whoever comes second finds the variables used. */
#include <assert.h>
#include <pthread.h>

static int used;
static char *name;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void use(void)
{
    pthread_mutex_lock(&mutex);
    assert(used == 0 && name == NULL); /* HERE */
    used = 1;
    name = "used";
    pthread_mutex_unlock(&mutex);
}

static void *worker(void *unused)
{
    use();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    use();
    pthread_join(thread, NULL);
    return 0;
}
