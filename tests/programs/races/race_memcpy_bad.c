/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * EXPECT verdict=data-race exit=7 bound=0 -- -O2
 * memcpy writes the whole buffer, the other thread reads the middle of it. */
#include <pthread.h>
#include <string.h>

static char buffer[16];

static void *writer(void *unused)
{
    memcpy(buffer, "123456789012345", 16);
    return unused;
}

static void *reader(void *unused)
{
    char seen = buffer[9];
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
