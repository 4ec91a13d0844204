/* EXPECT verdict=assertion exit=1 location=HERE
 * The time zone is set by tzset() for all threads: localtime_r() only looks at it. */
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
    setenv("TZ", "UTC", 1);
    tzset();
    setenv("TZ", "EST5", 1);
    pthread_create(&thread, NULL, setter, NULL);
    localtime_r(&noon, &local);
    pthread_join(thread, NULL);
    assert(local.tm_hour == 12); /* HERE */
    return 0;
}
