/* EXPECT verdict=passed exit=0 executions=3369 distinct=6 -- --bound 2
 * The last philosopher takes the forks in the other order. */
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t fork_at[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                         PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *argument)
{
    int seat = *(int *)argument;
    int first = seat, second = (seat + 1) % SEATS;
    if (first > second) {
        second = first;
        first = 0;
    }
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
