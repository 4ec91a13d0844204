/* EXPECT verdict=passed exit=0 complete=true executions=35 distinct=1
 * The reader sleeps, and waits for the writer all the same. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int written;
static pthread_t writer_thread;

static void *writer(void *unused)
{
    usleep(1000);
    atomic_store(&written, 1);
    return unused;
}

static void *reader(void *unused)
{
    usleep(100 * 1000);
    pthread_join(writer_thread, NULL);
    assert(atomic_load(&written) == 1); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t reader_thread;
    pthread_create(&writer_thread, NULL, writer, NULL);
    pthread_create(&reader_thread, NULL, reader, NULL);
    pthread_join(reader_thread, NULL);
    return 0;
}
