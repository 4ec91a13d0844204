/* EXPECT verdict=passed exit=0 complete=true
 * A stream's lock and a mutex, taken in the same order by all. */
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
    if (ftrylockfile(stderr) == 0)
        funlockfile(stderr);
    flockfile(stderr);
    flockfile(stderr);
    pthread_mutex_lock(&mutex);
    lines++;
    pthread_mutex_unlock(&mutex);
    funlockfile(stderr);
    funlockfile(stderr);
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
