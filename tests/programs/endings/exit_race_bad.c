/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * main returns, an exit handler tears the table down, and a detached thread still uses it. The
 * thread reads before main exits: nothing orders that read and the write of the handler. */
#include <pthread.h>
#include <stdlib.h>

static int table = 1;
static pthread_t thread;

static void tear_down(void)
{
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
    pthread_detach(thread);
    return 0;
}
