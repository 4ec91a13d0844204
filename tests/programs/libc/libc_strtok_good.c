/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1
 * strtok_r() has the caller's. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char first[] = "a b", second[] = "c d";

static void *work(void *argument)
{
    char *text = argument;
    char *position;
    strtok_r(text, " ", &position);
    assert(strtok_r(NULL, " ", &position) == text + 2);
    return NULL;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, work, first);
    work(second);
    pthread_join(other, NULL);
    return 0;
}
