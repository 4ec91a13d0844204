/* Memory that the program has given to libc, and that a later call uses. */
#include <err.h>
#include <error.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <threads.h>

static char *given;
static volatile char unused;

static int return_at_once(void *nothing)
{
    (void)nothing;
    return 0;
}

#ifdef RANDOM
#define GIVE()     initstate(1, given, 64)
#define CALL()     random()
#define TAKE()     free(given)
#elif defined BUFFER
#define GIVE()     setvbuf(stdout, given, _IOFBF, 64)
#define CALL()     puts("text")
#define TAKE()     free(given)
#define PUT_BACK() setvbuf(stdout, NULL, _IONBF, 0)
#elif defined WARNING
#define CALL()     warnx("%s", given)
#define TAKE()     (given[0] = 'x')
#elif defined ERROR
#define CALL()     error(0, 0, "%s", given)
#define TAKE()     (given[0] = 'x')
#elif defined SOURCE
#define CALL()     error_at_line(0, 0, given, 1, "text")
#define TAKE()     (given[0] = 'x')
#elif defined PRINTED
#define CALL()     dprintf(1, "%s", given)
#define TAKE()     (given[0] = 'x')
#elif defined BLOCK
#define CALL()     posix_memalign((void **)(void *)given, 16, 16)
#define TAKE()     (given[0] = 'x')
#elif defined THREAD
#define CALL()     thrd_create((thrd_t *)(void *)given, return_at_once, NULL)
#define TAKE()     (given[0] = 'x')
#elif defined SET
#define CALL()     select(1, (fd_set *)(void *)given, NULL, NULL, &(struct timeval){0, 0})
#define TAKE()     (unused = given[0])
#elif defined TEXT
#define CALL()     fmemopen(given, 64, "w")
#define TAKE()     (unused = given[0])
#endif
#ifndef GIVE
#define GIVE()
#endif
#ifndef PUT_BACK
#define PUT_BACK()
#endif

static void *call(void *nothing)
{
    (void)return_at_once;
    CALL();
    return nothing;
}

static void take(pthread_t thread);

int main(void)
{
    pthread_t thread;
    given = calloc(1, sizeof(fd_set));
    GIVE();
    pthread_create(&thread, NULL, call, NULL);
    take(thread);
    return 0;
}
