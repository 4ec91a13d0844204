/* EXPECT verdict=memory-error exit=11 says=use_after_return -- -DLENGTH
 * EXPECT verdict=memory-error exit=11 says=use_after_return -- -DLENGTH -O2
 * EXPECT verdict=passed exit=0 complete=false -- -DLONGJMP
 * A function returns while a thread may use its array of variable length, which lies below what the
 * function had on entry. Where longjmp() left another
 * function before, the frames are not known, and nothing is called complete. */
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static void *work(void *argument)
{
    atomic_fetch_add((atomic_int *)argument, 1);
    return NULL;
}

__attribute__((noinline)) static void start(pthread_t *thread, int length)
{
    atomic_int counts[length];
    for (int i = 0; i < length; i++)
        atomic_init(&counts[i], 0);
    pthread_create(thread, NULL, work, counts);
}

#ifdef LONGJMP
static jmp_buf back;

__attribute__((noinline)) static void leave(volatile int *tries)
{
    *tries = *tries + 1;
    longjmp(back, 1);
}
#endif

int main(void)
{
    pthread_t thread;
#ifdef LONGJMP
    volatile int tries = 0;
    if (setjmp(back) == 0)
        leave(&tries);
#endif
    start(&thread, 4);
    pthread_join(thread, NULL);
    return 0;
}
