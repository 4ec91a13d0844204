/* EXPECT verdict=assertion exit=1 bound=0
 * The rounds are counted: the thread is never twice in the same state, so none may be left out.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int flag;

static void *writer(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

static void *reader(void *unused)
{
    int rounds = 0;
    while (!atomic_load(&flag) && rounds < 2)
        rounds++;
    assert(rounds < 2);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
