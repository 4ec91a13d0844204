/* EXPECT verdict=passed exit=0 complete=true
 * The time zone is the same before and after tzset(). */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static void *setter(void *unused)
{
    tzset();
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct tm local;
    time_t noon = 12 * 3600;
    setenv("TZ", "EST5", 1);
    tzset();
    pthread_create(&thread, NULL, setter, NULL);
    localtime_r(&noon, &local);
    pthread_join(thread, NULL);
    assert(local.tm_hour == 7);
    return 0;
}
