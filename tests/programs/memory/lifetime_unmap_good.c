/* EXPECT verdict=passed exit=0 complete=true
 * The lock is unmapped after the thread that uses it has been joined. */
#include <pthread.h>
#include <sys/mman.h>

static pthread_rwlock_t *lock;

static void *reads(void *unused)
{
    pthread_rwlock_rdlock(lock);
    pthread_rwlock_unlock(lock);
    return unused;
}

int main(void)
{
    lock = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_rwlock_init(lock, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, reads, NULL);
    pthread_rwlock_rdlock(lock);
    pthread_rwlock_unlock(lock);
    pthread_join(thread, NULL);
    munmap(lock, 4096);
    return 0;
}
