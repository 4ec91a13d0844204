/* EXPECT verdict=passed exit=0 complete=true executions=1315 distinct=4
 * call_once runs the function once; each thread sets its own thread-specific value, and its
 * destructor runs at thrd_exit. */
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t slot;
static int value;
static atomic_int destroyed;

static void destructor(void *unused)
{
    (void)unused;
    atomic_fetch_add(&destroyed, 1);
}

static void setup(void)
{
    value++;
}

static int worker(void *unused)
{
    (void)unused;
    call_once(&once, setup);
    tss_set(slot, &value);
    assert(tss_get(slot) == &value); /* HERE */
    thrd_exit(7);
}

int main(void)
{
    thrd_t a, b;
    int result;
    tss_create(&slot, destructor);
    thrd_create(&a, worker, NULL);
    thrd_create(&b, worker, NULL);
    assert(thrd_join(a, &result) == thrd_success && result == 7);
    assert(thrd_join(b, &result) == thrd_success && result == 7);
    assert(value == 1 && atomic_load(&destroyed) == 2);
    tss_delete(slot);
    return 0;
}
