/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1
 * gmtime_r() fills in the caller's. */
#include <pthread.h>
#include <time.h>

static int years[2];

static void *work(void *argument)
{
    int *year = argument;
    time_t when = year - years;
    struct tm time;
    *year = gmtime_r(&when, &time)->tm_year;
    return NULL;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, work, &years[1]);
    work(&years[0]);
    pthread_join(other, NULL);
    return 0;
}
