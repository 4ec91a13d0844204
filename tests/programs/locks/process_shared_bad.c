/* EXPECT verdict=data-race exit=7
 * The producer leaves the process-shared mutex out. */
#include <pthread.h>
#include <sys/mman.h>

struct shared {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    int items;
};

static struct shared *shared;

static void *producer(void *unused)
{
    shared->items++;
    pthread_cond_signal(&shared->filled);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t mutex_attributes;
    pthread_condattr_t attributes;
    shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&mutex_attributes);
    pthread_mutexattr_setpshared(&mutex_attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->mutex, &mutex_attributes);
    pthread_condattr_init(&attributes);
    pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&shared->filled, &attributes);
    pthread_create(&thread, NULL, producer, NULL);
    pthread_mutex_lock(&shared->mutex);
    while (shared->items == 0)
        pthread_cond_wait(&shared->filled, &shared->mutex);
    pthread_mutex_unlock(&shared->mutex);
    pthread_join(thread, NULL);
    return 0;
}
