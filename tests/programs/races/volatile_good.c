/* EXPECT verdict=passed exit=0 complete=true -- --volatile-atomic
 * EXPECT verdict=passed exit=0 complete=true -- --volatile=atomic
 * Old code: a volatile flag that is spun on. With --volatile-atomic its accesses are relaxed
 * atomics, and nothing else is passed along with it. */
#include <pthread.h>

static volatile int flag;

static void *setter(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, setter, NULL);
    while (!flag) {
    }
    pthread_join(thread, NULL);
    return 0;
}
