/* EXPECT verdict=assertion exit=1 bound=0 location=HERE -- --races=explore
 * EXPECT verdict=data-race exit=7
 *
 * One thread copies four bytes, another one changes one of them atomically: what races is that
 * byte. The report's own run sees the access as it is made, four bytes, and must not take it
 * for another racing location. */
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
    assert(to[2] == 1); /* HERE */
    return 0;
}
