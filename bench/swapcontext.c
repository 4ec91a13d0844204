/* How long a swapcontext round trip takes on this machine, in nanoseconds: the yardstick for
 * the cost of a visible operation. */
#include <stdio.h>
#include <time.h>
#include <ucontext.h>

#define ROUNDS 1000000

static ucontext_t here, there;

static void bounce(void)
{
    for (;;)
        swapcontext(&there, &here);
}

int main(void)
{
    static char stack[65536];
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    makecontext(&there, bounce, 0);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < ROUNDS; i++)
        swapcontext(&here, &there);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    printf("%.0f\n", seconds / ROUNDS * 1e9);
    return 0;
}
