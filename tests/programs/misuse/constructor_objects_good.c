/* EXPECT verdict=passed exit=0 complete=true -- -DBARRIER
 * EXPECT verdict=passed exit=0 complete=true -- -DSEMAPHORE
 * EXPECT verdict=passed exit=0 complete=true -- -DSPIN
 * EXPECT verdict=passed exit=0 complete=true -- -DREAD_WRITE
 * EXPECT verdict=passed exit=0 complete=true -- -DRECURSIVE
 * Objects that a constructor initialises, before main and outside of the search. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_spinlock_t spin;
static pthread_rwlock_t read_write;
static pthread_mutex_t recursive;
static int data;

__attribute__((constructor)) static void initialise(void)
{
    pthread_mutexattr_t attributes;
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 0);
    pthread_spin_init(&spin, 0);
    pthread_rwlock_init(&read_write, NULL);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
}

static void *use(void *first)
{
#if defined BARRIER
    if (first)
        data = 1;
    pthread_barrier_wait(&barrier);
    assert(data == 1);
#elif defined SEMAPHORE
    if (first) {
        data = 1;
        sem_post(&semaphore);
    } else {
        sem_wait(&semaphore);
        assert(data == 1);
    }
#elif defined SPIN
    pthread_spin_lock(&spin);
    data++;
    pthread_spin_unlock(&spin);
#elif defined READ_WRITE
    first ? pthread_rwlock_wrlock(&read_write) : pthread_rwlock_rdlock(&read_write);
    first ? data++ : assert(data < 2);
    pthread_rwlock_unlock(&read_write);
#else
    pthread_mutex_lock(&recursive);
    assert(pthread_mutex_lock(&recursive) == 0);
    data++;
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, &data);
    use(NULL);
    pthread_join(thread, NULL);
}
