/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1
 * The thread is joined by the exit handler before it tears the table down. */
#include <pthread.h>
#include <stdlib.h>

static int table = 1;
static pthread_t thread;

static void tear_down(void)
{
    pthread_join(thread, NULL);
    table = 0;
}

static void *user(void *unused)
{
    return table == 7 ? &table : unused;
}

int main(void)
{
    atexit(tear_down);
    pthread_create(&thread, NULL, user, NULL);
    return 0;
}
