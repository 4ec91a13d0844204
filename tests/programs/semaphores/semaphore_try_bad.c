/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=3 distinct=2
 * sem_getvalue said that nobody has posted yet; the assertion takes trywait's failure for
 * impossible. The waiter first: no preemption. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t posted;

static void *poster(void *unused)
{
    sem_post(&posted);
    return unused;
}

static void *waiter(void *unused)
{
    int failed = sem_trywait(&posted);
    assert(!failed); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    int value = -1;
    sem_init(&posted, 0, 0);
    pthread_create(&a, NULL, poster, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_getvalue(&posted, &value);
    assert(value == 0);
    return 0;
}
