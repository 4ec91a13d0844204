/* EXPECT verdict=misuse exit=12 says=semaphore_that_is_not_initialised
 * EXPECT verdict=misuse exit=12 says=spin_lock_that_is_not_initialised -- -DSPIN
 * EXPECT verdict=misuse exit=12 says=mutex_that_is_not_initialised -- -DMUTEX
 * EXPECT verdict=misuse exit=12 says=condition_variable_that_is_not_initialised -- -DCONDITION
 * EXPECT verdict=misuse exit=12 says=read-write_lock_that_is_not_initialised -- -DRWLOCK
 * EXPECT verdict=misuse exit=12 says=barrier_that_is_not_initialised -- -DBARRIER
 * Objects that nobody has initialised. Zeros are a valid mutex, condition variable and read-write
 * lock on Linux; what malloc() returns is none. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t semaphore;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;

int main(void)
{
#if defined SPIN
    pthread_spin_lock(&spin);
#elif defined MUTEX
    pthread_mutex_lock(malloc(sizeof(pthread_mutex_t)));
#elif defined CONDITION
    pthread_cond_signal(malloc(sizeof(pthread_cond_t)));
#elif defined RWLOCK
    pthread_rwlock_rdlock(malloc(sizeof(pthread_rwlock_t)));
#elif defined BARRIER
    pthread_barrier_wait(&barrier);
#else
    sem_post(&semaphore);
#endif
    (void)spin, (void)semaphore, (void)barrier;
    return 0;
}
