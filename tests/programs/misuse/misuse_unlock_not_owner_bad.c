/* EXPECT verdict=misuse exit=12 bound=1 location=HERE executions=6 distinct=3
 * A thread unlocks a mutex that another one holds: one preemption inside the critical section.
 * (Not held by anyone it is refused as well; the trylock makes sure that it is held.) */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *owner(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *stranger(void *unused)
{
    pthread_mutex_trylock(&mutex);
    pthread_mutex_unlock(&mutex); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, stranger, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
