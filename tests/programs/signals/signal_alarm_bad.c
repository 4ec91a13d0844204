/* EXPECT verdict=misuse exit=12
 * The handler of an alarm takes a lock that the interrupted thread may hold. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void on_alarm(int number)
{
    (void)number;
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    signal(SIGALRM, on_alarm);
    alarm(1);
    pthread_mutex_lock(&lock);
    pause();
    pthread_mutex_unlock(&lock);
    return 0;
}
