/* EXPECT verdict=memory-error exit=11
 * A read-write lock in memory that another thread unmaps. */
#include <pthread.h>
#include <sys/mman.h>

static pthread_rwlock_t *lock;

static void *unmaps(void *unused)
{
    munmap(lock, 4096);
    return unused;
}

int main(void)
{
    lock = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_rwlock_init(lock, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, unmaps, NULL);
    pthread_rwlock_rdlock(lock);
    pthread_rwlock_unlock(lock);
    pthread_join(thread, NULL);
    return 0;
}
