/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * EXPECT verdict=passed exit=0 complete=true -- -O2
 * The same under a mutex: two orders, two traces. */
#include <pthread.h>
#include <string.h>

static char buffer[16];

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
    pthread_mutex_lock(&mutex);
    memcpy(buffer, "123456789012345", 16);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *reader(void *unused)
{
    pthread_mutex_lock(&mutex);
    char seen = buffer[9];
    pthread_mutex_unlock(&mutex);
    return seen == '?' ? buffer : unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
