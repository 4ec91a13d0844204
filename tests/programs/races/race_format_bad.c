/* EXPECT verdict=data-race exit=7 bound=0
 * EXPECT verdict=data-race exit=7 bound=0 -- -DREADS
 * EXPECT verdict=data-race exit=7 bound=0 -- -DSCANS
 * EXPECT verdict=data-race exit=7 bound=0 -- -DCONVERTS
 * EXPECT verdict=data-race exit=7 bound=0 -- -DSORTS
 * EXPECT verdict=data-race exit=7 bound=0 -- -O2 -D_FORTIFY_SOURCE=2
 * Two threads share a text that libc writes or reads for them: sprintf() its buffer, %s, what
 * sscanf() assigns, the digits of strtol(), what qsort() sorts. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char text[32] = "12 words";
static int numbers[3] = {3, 1, 2};
static long seen;

static void lock(void) {}
static void unlock(void) {}

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
