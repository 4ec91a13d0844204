/* EXPECT verdict=nothing-found exit=0 complete=false
 * EXPECT verdict=nothing-found exit=0 complete=false -- --strategy icb
 * EXPECT verdict=nothing-found exit=0 complete=false -- -O2 -DCOPY
 * EXPECT verdict=nothing-found exit=0 complete=false -- -DMAIN
 * EXPECT verdict=nothing-found exit=0 complete=false -- -DHOST
 * EXPECT verdict=memory-error exit=11 says=thread-local_variable -- -DJOINED
 * EXPECT verdict=memory-error exit=11 says=thread-local_variable -- -DENDS
 * A thread reads errno of another one, which strtol() may be writing: libc does not announce that. */
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#ifdef HOST
#define CELL h_errno
#else
#define CELL errno
#endif

static int *cell;
int seen;
static sem_t ready, done;

static void publish(void)
{
    cell = &CELL;
    sem_post(&ready);
    strtol("999999999999999999999", NULL, 10);
#ifndef ENDS
    sem_wait(&done);
#endif
}

static int look(void)
{
    sem_wait(&ready);
#ifdef COPY
    memcpy(&seen, cell, sizeof seen);
#else
    seen = *cell;
#endif
    sem_post(&done);
    return seen == 77;
}

static void *work(void *argument)
{
#ifdef MAIN
    return look() ? NULL : argument;
#else
    publish();
    return argument;
#endif
}

int main(void)
{
    pthread_t thread;
    int wrong = 0;
    sem_init(&ready, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
#ifdef MAIN
    publish();
#elif defined JOINED
    sem_post(&done);
    pthread_join(thread, NULL);
    wrong = look();
    return wrong;
#else
    wrong = look();
#endif
    pthread_join(thread, NULL);
    return wrong;
}
