/* EXPECT verdict=assertion exit=1 bound=0 location=HERE
 * A data choice before the first operation of the program: all its values are tried. */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stored;

static void *store(void *unused)
{
    atomic_store(&stored, 1);
    return unused;
}

int main(void)
{
    int value = mazur_choose(3);
    pthread_t thread;
    pthread_create(&thread, NULL, store, NULL);
    pthread_join(thread, NULL);
    assert(value != 2); /* HERE */
    return 0;
}
