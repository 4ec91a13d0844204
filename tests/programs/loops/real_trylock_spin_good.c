/* EXPECT verdict=passed exit=0 complete=true executions=477 distinct=5
 * One thread spins with trylock while another one waits in lock: the trylock that succeeds keeps
 * the other one out. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void use(void)
{
    assert(++inside == 1);
    inside--;
    pthread_mutex_unlock(&mutex);
}

static void *spinner(void *unused)
{
    while (pthread_mutex_trylock(&mutex) != 0) {
    }
    use();
    return unused;
}

static void *locker(void *unused)
{
    pthread_mutex_lock(&mutex);
    use();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutex_lock(&mutex);
    pthread_create(&a, NULL, spinner, NULL);
    pthread_create(&b, NULL, locker, NULL);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
