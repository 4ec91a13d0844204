/* Memory that the program has given to libc, and that a later call uses. */
#include <err.h>
#include <error.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *given;

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
#endif
#ifndef GIVE
#define GIVE()
#endif
#ifndef PUT_BACK
#define PUT_BACK()
#endif

static void *call(void *unused)
{
    CALL();
    return unused;
}

static void take(pthread_t thread);

int main(void)
{
    pthread_t thread;
    given = calloc(1, 64);
    GIVE();
    pthread_create(&thread, NULL, call, NULL);
    take(thread);
    return 0;
}
