/* EXPECT verdict=deadlock exit=2 bound=1
 * printf() takes the lock of its stream, which another thread holds while it waits for the mutex. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void *report(void *unused)
{
    flockfile(stdout);
    pthread_mutex_lock(&mutex);
    lines++;
    pthread_mutex_unlock(&mutex);
    funlockfile(stdout);
    return unused;
}

static void *print(void *unused)
{
    pthread_mutex_lock(&mutex);
    printf("%d\n", ++lines);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, report, NULL);
    pthread_create(&b, NULL, print, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
