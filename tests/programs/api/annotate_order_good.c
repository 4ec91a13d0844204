/* EXPECT verdict=passed exit=0 complete=true
 * The program tells of an order that its relaxed flag does not make: what comes before the release
 * comes before what follows the acquire. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void AnnotateHappensBefore(const char *file, int line, const volatile void *address);
void AnnotateHappensAfter(const char *file, int line, const volatile void *address);

static atomic_int flag;
static int data;

static void *writer(void *unused)
{
    data = 1;
    AnnotateHappensBefore(__FILE__, __LINE__, &flag);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        AnnotateHappensAfter(__FILE__, __LINE__, &flag);
        assert(data == 1);
    }
    pthread_join(thread, NULL);
    return 0;
}
