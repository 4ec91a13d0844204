/* EXPECT verdict=data-race exit=7 location=HERE -- --visible try_lock --visible release
 * A spin lock in assembly whose users go on after a few tries: nobody holds the lock then. The
 * lock's own instructions are operations, so that it orders what it should and no more. */
#include <pthread.h>

#define TRIES 2

static int word;
static int counter;

__attribute__((noinline)) static int try_lock(int *lock)
{
    int old = 1;
    __asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(*lock) : : "memory");
    return old == 0;
}

__attribute__((noinline)) static void release(int *lock)
{
    __asm__ volatile("movl $0, %0" : "=m"(*lock) : : "memory");
}

static void *worker(void *unused)
{
    for (int i = 0; i < TRIES && !try_lock(&word); i++) {
    }
    counter++; /* HERE */
    release(&word);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
