/* EXPECT verdict=passed exit=0 uncontrolled=fork
 * pthread_atfork: the handlers lock around the fork, so the child finds the mutex usable. The
 * child itself is not part of the search. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void take(void)
{
    pthread_mutex_lock(&lock);
}

static void give(void)
{
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused)
{
    take();
    shared++;
    give();
    return unused;
}

int main(void)
{
    pthread_t thread;
    int status;
    pthread_atfork(take, give, give);
    pthread_create(&thread, NULL, worker, NULL);
    pid_t child = fork();
    if (child == 0) {
        take();
        _exit(shared > 1);
    }
    assert(waitpid(child, &status, 0) == child && status == 0);
    pthread_join(thread, NULL);
    return 0;
}
