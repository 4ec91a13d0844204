/* One thread assigns to a variable that libc shares with the program, another one calls a function
 * that uses it. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *own_list[] = {(char[]){"OWN=1"}, NULL};
static char *given;
static int seen;

#ifdef LIST
#define ASSIGN()  (environ = own_list)
#define CALL()    getenv("OWN")
#elif defined ENTRY
#define PREPARE() (environ = own_list)
#define ASSIGN()  (own_list[0] = "OTHER=2")
#define CALL()    getenv("OWN")
#elif defined NAME
#define PREPARE() putenv(given = strdup("GIVEN=1"))
#define ASSIGN()  (given[0] = 'X')
#define CALL()    unsetenv("OWN")
#elif defined VALUE
#define PREPARE() putenv(given = strdup("GIVEN=1"))
#define ASSIGN()  (given[6] = '2')
#define CALL()    setenv("OWN", "1", 1)
#elif defined ZONE
#define ASSIGN()  (environ = own_list)
#define CALL()    tzset()
#elif defined OUTPUT
#define ASSIGN()  (stdout = stderr)
#define CALL()    puts("text")
#elif defined FORMATTED
#define ASSIGN()  (stdout = stderr)
#define CALL()    printf("%d\n", 1)
#elif defined ERRORS
#define ASSIGN()  (stderr = stdout)
#define CALL()    perror("text")
#elif defined INPUT
#define ASSIGN()  (stdin = stderr)
#define CALL()    getchar()
#elif defined COUNT
#define ASSIGN()  (seen = (int)error_message_count)
#define CALL()    error(0, 0, "text")
#elif defined PROGRAM
#define ASSIGN()  (program_invocation_short_name = "other")
#define CALL()    warnx("text")
#endif
#ifndef PREPARE
#define PREPARE()
#endif

static void *assign(void *unused);
static void call(void);

int main(void)
{
    pthread_t thread;
    PREPARE();
    pthread_create(&thread, NULL, assign, NULL);
    call();
    pthread_join(thread, NULL);
    return seen > 1;
}
