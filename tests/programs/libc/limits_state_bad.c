/* EXPECT verdict=assertion exit=1
 * EXPECT verdict=assertion exit=1 -- -DOTHER
 * EXPECT verdict=assertion exit=1 -- -DPRIORITY
 * A change of a limit is seen in the same execution: the second one finds the first. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/time.h>

static atomic_int sum;

static void *add(void *unused)
{
    sum++;
    sum++;
    return unused;
}

static void change_limit(void)
{
#ifdef PRIORITY
    assert(getpriority(PRIO_PROCESS, 0) != 19);
    setpriority(PRIO_PROCESS, 0, 19);
#else
    struct rlimit limit;
    getrlimit(RLIMIT_CPU, &limit);
    assert(limit.rlim_cur != 54321);
    limit.rlim_cur = 54321;
#ifdef OTHER
    prlimit(0, RLIMIT_CPU, &limit, NULL);
#else
    setrlimit(RLIMIT_CPU, &limit);
#endif
#endif
}

int main(void)
{
    pthread_t thread;
    change_limit();
    change_limit();
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    return 0;
}
