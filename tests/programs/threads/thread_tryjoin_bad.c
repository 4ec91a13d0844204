/* EXPECT verdict=assertion exit=1 location=HERE
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy optimal
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy dpor
 * The thread may have ended before it is asked for, with no operation in between. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *work(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int result = pthread_tryjoin_np(thread, NULL);
    assert(result == EBUSY); /* HERE */
    return 0;
}
