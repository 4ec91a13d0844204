/* EXPECT verdict=passed exit=0 complete=true -- --visible acquire --visible release
 * EXPECT verdict=passed exit=0 complete=false -- --strategy icb --hang 1s
 * EXPECT verdict=passed exit=0 complete=false -- --bound 0
 * A spin lock in assembly. With --visible its instructions are operations; without, a thread that
 * meets the taken lock is stopped and goes on when nothing else can run, and nothing is called complete. */
#include <pthread.h>

static int word;
static int counter;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void acquire(int *lock)
{
    __asm__ volatile("1: xorl %%eax, %%eax\n\t"
                     "lock; cmpxchgl %1, %0\n\t"
                     "jnz 1b"
                     : "+m"(*lock)
                     : "r"(1)
                     : "memory", "cc", "rax");
}

__attribute__((noinline)) static void release(int *lock)
{
    __asm__ volatile("movl $0, %0" : "=m"(*lock) : : "memory");
}

static void *worker(void *unused)
{
    acquire(&word);
    pthread_mutex_lock(&inner);
    counter++;
    pthread_mutex_unlock(&inner);
#ifndef KEEPS_IT
    release(&word);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return counter - 2;
}
