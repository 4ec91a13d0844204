/* EXPECT verdict=misuse exit=12 says=signal_of_a_condition_variable_that_was_destroyed
 * EXPECT verdict=misuse exit=12 -- --strategy dpor
 * A condition variable is destroyed while another thread may signal it. */
#include <pthread.h>

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *destroys(void *unused)
{
    pthread_cond_destroy(&condition);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, destroys, NULL);
    pthread_cond_signal(&condition);
    pthread_join(thread, NULL);
    return 0;
}
