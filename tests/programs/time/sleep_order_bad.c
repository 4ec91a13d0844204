/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=3 distinct=2
 * Sleeping long enough is taken for synchronisation. A sleep promises nothing but a yield: the
 * reader may be first, without a preemption. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int written;

static void *writer(void *unused)
{
    usleep(1000);
    atomic_store(&written, 1);
    return unused;
}

static void *reader(void *unused)
{
    usleep(100 * 1000);
    assert(atomic_load(&written) == 1); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t writer_thread, reader_thread;
    pthread_create(&writer_thread, NULL, writer, NULL);
    pthread_create(&reader_thread, NULL, reader, NULL);
    pthread_join(writer_thread, NULL);
    pthread_join(reader_thread, NULL);
    return 0;
}
