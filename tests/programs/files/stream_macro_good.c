/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- -O2
 * EXPECT verdict=passed exit=0 complete=true -- -O0
 * EXPECT verdict=passed exit=0 complete=true -- -O0 -DSTREAM
 * EXPECT verdict=passed exit=0 complete=true -- -O2 -DSTREAM
 * putc_unlocked(), a macro that looks into the stream, under a mutex or
 * the lock of the stream. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *print(void *argument)
{
#ifdef STREAM
    flockfile(stdout);
#else
    pthread_mutex_lock(&mutex);
#endif
    putchar_unlocked('a');
#ifdef STREAM
    funlockfile(stdout);
#else
    pthread_mutex_unlock(&mutex);
#endif
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, print, NULL);
    print(NULL);
    pthread_join(thread, NULL);
    return 0;
}
