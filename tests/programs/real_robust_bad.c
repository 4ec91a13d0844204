/* EXPECT verdict=invalid-test exit=6 says=robust_mutexes
 * Robust mutexes are refused, not treated as ordinary ones. */
#include <pthread.h>

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    return 0;
}
