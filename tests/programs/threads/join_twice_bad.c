/* EXPECT verdict=misuse exit=12 bound=0 says=joined_before
 * EXPECT verdict=misuse exit=12 says=joined_before -- --strategy dpor
 * EXPECT verdict=misuse exit=12 bound=0 says=detached -- -DDETACH
 * EXPECT verdict=misuse exit=12 says=detached -- -DDETACH --strategy dpor
 * EXPECT verdict=misuse exit=12 says=of_a_thread_that_was_joined -- -DCANCEL
 * EXPECT verdict=misuse exit=12 says=of_a_thread_that_was_joined -- -DKILL --strategy dpor
 * Two threads wait for the same one: whoever comes second uses an ID whose lifetime is over. */
#include <pthread.h>
#include <signal.h>

static pthread_t short_lived;

static void *end(void *unused)
{
#ifdef DETACH
    pthread_detach(pthread_self());
#endif
    return unused;
}

static void *use(void *unused)
{
#if defined CANCEL
    pthread_cancel(short_lived);
#elif defined KILL
    pthread_kill(short_lived, 0);
#elif !defined DETACH
    pthread_join(short_lived, NULL);
#endif
    return unused;
}

int main(void)
{
    pthread_t user;
    pthread_create(&short_lived, NULL, end, NULL);
    pthread_create(&user, NULL, use, NULL);
#ifdef IN_ORDER
    pthread_join(user, NULL);
#endif
    pthread_join(short_lived, NULL);
#ifndef IN_ORDER
    pthread_join(user, NULL);
#endif
}
