/* EXPECT verdict=passed exit=0 complete=true
 * main ends with pthread_exit: the process exits after its last thread has ended, and the exit
 * handler comes after all that the threads did. */
#include <pthread.h>
#include <stdlib.h>

static int value, other;

static void look(void)
{
    if (value != 1 || other != 1)
        _Exit(3);
}

static void *worker(void *place)
{
    *(int *)place = 1;
    return place;
}

int main(void)
{
    pthread_t thread;
    atexit(look);
    pthread_create(&thread, NULL, worker, &value);
    pthread_create(&thread, NULL, worker, &other);
    pthread_detach(thread);
    pthread_exit(NULL);
}
