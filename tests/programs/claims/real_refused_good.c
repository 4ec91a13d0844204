/* EXPECT verdict=passed exit=0 uncontrolled=fork
 * The same in a forked process: that one may become another program, the search stays. */
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static void *worker(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    char *arguments[] = {"true", NULL};
    int status = 1;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    pid_t child = fork();
    if (child == 0) {
        execv("/bin/true", arguments);
        _exit(1);
    }
    waitpid(child, &status, 0);
    return status;
}
