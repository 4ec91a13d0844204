/* EXPECT verdict=memory-error exit=11 bound=0 location=HERE
 * memset over a block from realloc that is one byte shorter than the caller thinks, when the
 * shrinking thread is first. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *block;
static size_t size = 8;

static void *shrink(void *unused)
{
    pthread_mutex_lock(&mutex);
    size = 7;
    block = realloc(block, size);
    assert(block[0] == 'a' || block[0] == 'b');
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *fill(void *unused)
{
    pthread_mutex_lock(&mutex);
    memset(block, 'b', 8); /* HERE */
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    block = calloc(1, size);
    assert(block[7] == 0);
    block[0] = 'a';
    pthread_create(&a, NULL, shrink, NULL);
    pthread_create(&b, NULL, fill, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(block);
    return 0;
}
