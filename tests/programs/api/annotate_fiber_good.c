/* EXPECT verdict=passed exit=0 complete=true
 * A coroutine that one thread begins and another one ends: it carries what it knows with it. */
#include <assert.h>
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t home[2], coroutine;
static void *fiber_at_home[2], *fiber;
static int at, steps;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void body(void)
{
    int local = 0;
    for (;;) {
        steps = ++local;
        __tsan_switch_to_fiber(fiber_at_home[at], 0);
        swapcontext(&coroutine, &home[at]);
    }
}

static void step(int who)
{
    at = who;
    fiber_at_home[who] = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber, 0);
    swapcontext(&home[who], &coroutine);
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    step(1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    char *stack = malloc(65536);
    fiber = __tsan_create_fiber(0);
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = 65536;
    makecontext(&coroutine, body, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    step(0);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(steps == 2);
    __tsan_destroy_fiber(fiber);
    free(stack);
    return 0;
}
