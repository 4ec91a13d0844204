/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- -DBEFORE
 * printf() waits while another thread holds the lock of the stream, also where main has held it since
 * before there were threads. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void *print(void *unused)
{
    printf("%d\n", 1);
    pthread_mutex_lock(&mutex);
    lines++;
    pthread_mutex_unlock(&mutex);
    puts("done");
    return unused;
}

int main(void)
{
    pthread_t thread;
#ifdef BEFORE
    flockfile(stdout);
    pthread_create(&thread, NULL, print, NULL);
#else
    pthread_create(&thread, NULL, print, NULL);
    flockfile(stdout);
#endif
    pthread_mutex_lock(&mutex);
    lines++;
    pthread_mutex_unlock(&mutex);
    printf("%s\n", "main");
    funlockfile(stdout);
    pthread_join(thread, NULL);
    return 0;
}
