/* EXPECT verdict=passed exit=0 complete=true executions=6 distinct=2
 * EXPECT verdict=passed exit=0 complete=true executions=6 distinct=2 -- -DREADS
 * EXPECT verdict=passed exit=0 complete=true executions=6 distinct=2 -- -DSCANS
 * EXPECT verdict=passed exit=0 complete=true executions=6 distinct=2 -- -DCONVERTS
 * EXPECT verdict=passed exit=0 complete=true executions=6 distinct=2 -- -DSORTS
 * The same under a mutex: two orders, two traces. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char text[32] = "12 words";
static int numbers[3] = {3, 1, 2};
static long seen;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
    pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

static int compare(const void *a, const void *b)
{
    return (a > b) - (a < b);
}

static void *use(void *unused)
{
    lock();
#if defined READS
    char copy[40];
    snprintf(copy, sizeof copy, "%d%%%5.1f %s", 1, 2.0, text);
    seen += copy[9];
#elif defined SCANS
    sscanf("7", "%*c%d", &numbers[1]);
    sscanf("7 8", "%*d %d", &numbers[0]);
#elif defined CONVERTS
    seen += strtol(text, NULL, 10);
#elif defined SORTS
    qsort(numbers, 3, sizeof *numbers, compare);
#else
    sprintf(text, "%d words", 13);
#endif
    unlock();
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, use, NULL);
    lock();
    text[1]++;
    numbers[0]++;
    unlock();
    pthread_join(a, NULL);
    return seen == -1;
}
