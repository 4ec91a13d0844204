/* Two threads that use a stream, by CALL and OTHER, which is CALL as well unless it is said; under a mutex with
 * LOCKED. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <wchar.h>

#ifndef OTHER
#define OTHER CALL
#endif

static FILE *file;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#endif
}

static void unlock(void)
{
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#endif
}

static void *use(void *argument)
{
    char text[20];
    wchar_t wide[20];
    volatile long seen = 0;
    (void)text, (void)wide, (void)seen;
    lock();
    CALL;
    unlock();
    return argument;
}

static void use_otherwise(void)
{
    char text[20];
    wchar_t wide[20];
    volatile long seen = 0;
    (void)text, (void)wide, (void)seen;
    lock();
    OTHER;
    unlock();
}

int main(void)
{
    pthread_t thread;
    file = fopen("/dev/null", "r");
    (void)mutex;
    pthread_create(&thread, NULL, use, NULL);
    use_otherwise();
    pthread_join(thread, NULL);
    return 0;
}
