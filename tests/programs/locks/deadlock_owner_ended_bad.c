/* EXPECT verdict=deadlock exit=2
 * EXPECT verdict=deadlock exit=2 -- --strategy dpor
 * EXPECT verdict=deadlock exit=2 -- -DSPIN
 * A thread ends without unlocking; another one waits for the lock for ever, and the process only
 * ends because main does. */
#include <pthread.h>

#ifdef SPIN
static pthread_spinlock_t lock;
#define BEGIN pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE)
#define LOCK  pthread_spin_lock(&lock)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define BEGIN
#define LOCK pthread_mutex_lock(&lock)
#endif

static void *worker(void *unused)
{
    LOCK;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    BEGIN;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    return 0;
}
