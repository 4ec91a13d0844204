/* EXPECT verdict=passed exit=0 complete=true
 * Every kind of object with its initialisation, static or not; one on the stack of a function that
 * is called again. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t semaphore;
static pthread_spinlock_t spin;
static pthread_mutex_t zeros;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void meet_alone(void)
{
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_barrier_wait(&barrier);
}

int main(void)
{
    sem_init(&semaphore, 0, 0);
    sem_post(&semaphore);
    sem_wait(&semaphore);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
    pthread_mutex_lock(&zeros);
    pthread_mutex_unlock(&zeros);
    pthread_cond_signal(&condition);
    pthread_rwlock_t *lock = calloc(1, sizeof *lock);
    pthread_rwlock_rdlock(lock);
    pthread_rwlock_unlock(lock);
    free(lock);
    meet_alone();
    meet_alone();
    return 0;
}
