/* EXPECT verdict=passed exit=0 complete=true executions=517 distinct=2
 * Lazy initialisation under a mutex. main checks that nothing is left over from the execution
 * before: globals, statics of functions, errno, the state of rand and of strtok. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int made;

static void *get(void *unused)
{
    static atomic_int initialised;
    pthread_mutex_lock(&mutex);
    if (!atomic_load(&initialised)) {
        atomic_store(&initialised, 1);
        atomic_fetch_add(&made, 1);
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

static int count_calls(void)
{
    static int calls;
    return ++calls;
}

int main(void)
{
    static char text[] = "one two";
    pthread_t a, b;
    assert(count_calls() == 1 && atomic_load(&made) == 0 && errno == 0);
    assert(pthread_mutex_trylock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    int first = rand();
    srand(1); /* what an unseeded rand starts with */
    assert(rand() == first);
    assert(strcmp(strtok(text, " "), "one") == 0);
    errno = ENOMEM;
    pthread_create(&a, NULL, get, NULL);
    pthread_create(&b, NULL, get, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&made) == 1); /* HERE */
    return 0;
}
