/* EXPECT verdict=deadlock exit=2 bound=1
 * A stream's lock is one like any other: two orders. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void *report(void *unused)
{
    flockfile(stderr);
    pthread_mutex_lock(&mutex);
    lines++;
    pthread_mutex_unlock(&mutex);
    funlockfile(stderr);
    return unused;
}

static void *count(void *unused)
{
    pthread_mutex_lock(&mutex);
    flockfile(stderr);
    lines++;
    funlockfile(stderr);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, report, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
