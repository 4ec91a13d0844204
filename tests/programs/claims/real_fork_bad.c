/* EXPECT verdict=deadlock exit=2 bound=1 uncontrolled=fork location=HERE
 * The handler before the fork takes a mutex that is held while the other thread waits for one
 * that main holds. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;

static void take(void)
{
    pthread_mutex_lock(&second); /* HERE */
}

static void give(void)
{
    pthread_mutex_unlock(&second);
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_atfork(take, give, give);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&first);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    pthread_mutex_unlock(&first);
    pthread_join(thread, NULL);
    return 0;
}
