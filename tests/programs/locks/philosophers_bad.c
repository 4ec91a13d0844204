/* EXPECT verdict=deadlock exit=2 bound=1 executions=42 distinct=7
 * Three philosophers, each takes the left fork first. One is preempted after taking it; its
 * left neighbour takes a fork and blocks on that one, the third takes a fork and blocks, and
 * then the first does: a cycle after one preemption. */
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t fork_at[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                         PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *argument)
{
    int seat = *(int *)argument;
    int first = seat, second = (seat + 1) % SEATS;
    pthread_mutex_lock(&fork_at[first]);
    pthread_mutex_lock(&fork_at[second]);
    pthread_mutex_unlock(&fork_at[second]);
    pthread_mutex_unlock(&fork_at[first]);
    return NULL;
}

int main(void)
{
    pthread_t thread[SEATS];
    int number[SEATS] = {0, 1, 2};
    for (int i = 0; i < SEATS; i++)
        pthread_create(&thread[i], NULL, dine, &number[i]);
    for (int i = 0; i < SEATS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
