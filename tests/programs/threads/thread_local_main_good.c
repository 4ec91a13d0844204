/* EXPECT verdict=passed exit=0 complete=true distinct=2
 * Thread-local variables of main begin every execution as they began the first. */
#include <assert.h>
#include <pthread.h>

static _Thread_local int used;
static _Thread_local char *name;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void use(void)
{
    assert(used == 0 && name == NULL);
    used = 1;
    name = "used";
    pthread_mutex_lock(&mutex);
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
