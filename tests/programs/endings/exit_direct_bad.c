/* EXPECT verdict=exit exit=1 bound=0 executions=4 distinct=3
 * A thread ends the process with _exit and a status, when it is first. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int count;

static void handler(void)
{
    abort();
}

static void *first(void *unused)
{
    atomic_fetch_add(&count, 1);
    return unused;
}

static void *second(void *unused)
{
    if (atomic_fetch_add(&count, 1) == 0)
        _exit(4);
    _exit(0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    atexit(handler);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
