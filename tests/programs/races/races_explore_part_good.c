/* EXPECT verdict=passed exit=0 complete=true -- --races=explore
 * EXPECT verdict=data-race exit=7
 *
 * The pair's bad half with an assertion that holds: the byte that races is explored, and nothing else
 * fails. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static unsigned char from[4], to[4];

static void *copy(void *unused)
{
    (void)unused;
    memcpy(to, from, sizeof to);
    return NULL;
}

static void *change(void *unused)
{
    (void)unused;
    __atomic_exchange_n(&from[2], 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t copier, changer;
    pthread_create(&copier, NULL, copy, NULL);
    pthread_create(&changer, NULL, change, NULL);
    pthread_join(copier, NULL);
    pthread_join(changer, NULL);
    assert(to[2] <= from[2]);
    return 0;
}
