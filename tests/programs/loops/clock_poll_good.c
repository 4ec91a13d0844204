/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- -DBOTH
 * EXPECT verdict=passed exit=0 -- -DBOTH --strategy icb --bound 1
 * A loop that makes no operation and waits for the clock alone ends when time has passed, whoever else could
 * run. */
#include <pthread.h>
#include <sys/time.h>
#include <time.h>

static void *wait(void *unused)
{
#ifdef BOTH
    struct timeval start, now;
    gettimeofday(&start, NULL);
    do
        gettimeofday(&now, NULL);
    while (now.tv_sec < start.tv_sec + 1);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    for (time_t end = time(NULL) + 2; time(NULL) < end;) {
    }
    pthread_join(thread, NULL);
}
