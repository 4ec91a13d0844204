/* EXPECT verdict=passed exit=0 complete=true executions=1121 distinct=1
 * Three threads read what main wrote before creating them: reads do not race, one trace. */
#include <pthread.h>

static int shared;

static void *reader(void *unused)
{
    return shared == 1 ? unused : &shared;
}

static void *other(void *unused)
{
    return shared == 1 ? unused : &shared;
}

int main(void)
{
    pthread_t thread[3];
    shared = 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, i == 1 ? other : reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
