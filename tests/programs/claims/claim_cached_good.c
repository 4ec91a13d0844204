/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=false -- --strategy icb --bound 1 --cache-states
 * What the threads share is under a lock, so every way to a state shows the same: the bound is claimed, but
 * states were compared by hashes, so nothing is called complete. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int data;

static void *writer(void *unused)
{
    pthread_mutex_lock(&lock);
    data++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&other, NULL, writer, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return data - 2;
}
