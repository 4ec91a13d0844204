/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * gmtime() returns libc's own memory: another thread's call changes it while it is read. */
#include <pthread.h>
#include <time.h>

static int years[2];

static void *work(void *argument)
{
    int *year = argument;
    time_t when = year - years;
    *year = gmtime(&when)->tm_year;
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
