/* EXPECT verdict=assertion exit=1 bound=0
 * Four threads use a barrier for two. Which round a thread arrives at is not its own doing: the
 * assertion fails only if the first and the last meet in the second round, and the last is the one
 * that opens it, after both others have counted. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int left;

static void *work(void *number)
{
    if (number)
        atomic_load(&left);
    int before = number ? 0 : atomic_load(&left);
    int serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    int after = atomic_fetch_add(&left, 1);
    if (!number)
        assert(!(before == 1 && after == 2 && !serial));
    return NULL;
}

int main(void)
{
    pthread_t thread[4];
    pthread_barrier_init(&barrier, NULL, 2);
    for (long i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
