/* EXPECT verdict=passed exit=0 complete=true -- -DLONGJMP
 * EXPECT verdict=passed exit=0 complete=true -- -DLONGJMP -O2
 * EXPECT verdict=passed exit=0 -- -DSIGNAL -O0
 * EXPECT verdict=passed exit=0 -- -DCONTEXT
 * EXPECT verdict=passed exit=0 -- -DCONTEXT -O2
 * EXPECT verdict=passed exit=0 -- -DFIBER
 * A thread uses a local variable of main() or of a function that waits for it, while functions are left
 * by longjmp(), or while their thread runs on a stack that is itself a local variable of main(). */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <ucontext.h>

static sem_t go;

static void *work(void *argument)
{
    atomic_fetch_add((atomic_int *)argument, 1);
    sem_wait(&go);
    atomic_fetch_add((atomic_int *)argument, 1);
    return NULL;
}

#if defined LONGJMP || defined SIGNAL
static sigjmp_buf back;

__attribute__((noinline)) static void leave(int number)
{
    volatile int left[8];
    left[1] = number;
    siglongjmp(back, left[1]);
}

/* What it writes lies where leave() had its frame. */
__attribute__((noinline)) static int write_below(int value)
{
    volatile char bytes[6000];
    for (int i = 0; i < 6000; i++)
        bytes[i] = (char)value;
    return bytes[value];
}

__attribute__((noinline)) static int come_back(void)
{
    volatile int tries = 0;
    if (sigsetjmp(back, 1) == 0) {
        tries = tries + 1;
#ifdef SIGNAL
        raise(SIGUSR1);
#else
        leave(1);
#endif
    }
    return tries + write_below(3);
}

__attribute__((noinline)) static void run(void)
{
    atomic_int count = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, work, &count);
    come_back();
    sem_post(&go);
    pthread_join(thread, NULL);
}

int main(void)
{
    sem_init(&go, 0, 0);
#ifdef SIGNAL
    signal(SIGUSR1, leave);
#endif
    run();
    return 0;
}
#else
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_destroy_fiber(void *fiber);

static ucontext_t outer, inner;
static void *outer_fiber, *inner_fiber;
static atomic_int steps;

static void switch_to_inner(void)
{
#ifdef FIBER
    __tsan_switch_to_fiber(inner_fiber, 0);
#endif
    swapcontext(&outer, &inner);
}

static void switch_to_outer(void)
{
#ifdef FIBER
    __tsan_switch_to_fiber(outer_fiber, 0);
#endif
    swapcontext(&inner, &outer);
}

__attribute__((noinline)) static void step(volatile int *count)
{
    *count = *count + 1;
    atomic_fetch_add(&steps, 1);
    sem_post(&go);
}

static void run_inner(void)
{
    volatile int count = 0;
    step(&count);
    switch_to_outer();
    step(&count);
    switch_to_outer();
}

__attribute__((noinline)) static int run(void)
{
    atomic_int count = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, work, &count);
    switch_to_inner();
    int seen = atomic_load(&count);
    switch_to_inner();
    pthread_join(thread, NULL);
    return seen;
}

int main(void)
{
    char stack[65536];
    sem_init(&go, 0, 0);
#ifdef FIBER
    outer_fiber = __tsan_get_current_fiber();
    inner_fiber = __tsan_create_fiber(0);
#endif
    getcontext(&inner);
    inner.uc_stack.ss_sp = stack;
    inner.uc_stack.ss_size = sizeof stack;
    inner.uc_link = &outer;
    makecontext(&inner, run_inner, 0);
    run();
#ifdef FIBER
    __tsan_destroy_fiber(inner_fiber);
#endif
    return 0;
}
#endif
