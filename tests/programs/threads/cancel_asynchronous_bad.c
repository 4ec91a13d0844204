/* EXPECT verdict=invalid-test exit=6 says=asynchronous_cancellation
 * Asynchronous cancellation can strike anywhere; Mazur refuses to cancel a thread that has asked
 * for it. */
#include <pthread.h>

static void *worker(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;) {
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
