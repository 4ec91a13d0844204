/* EXPECT verdict=memory-error exit=11 -- -DSTREAM
 * EXPECT verdict=memory-error exit=11 -- -DNUMBER
 * EXPECT verdict=memory-error exit=11 -- -DDIRECTORY
 * EXPECT verdict=memory-error exit=11 -- -DLOCALE
 * A stream, a directory, a locale is memory of libc's, which ends when it is closed: another
 * thread may still use it. */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifndef IN_ORDER
#define IN_ORDER false
#endif

__attribute__((unused)) static char text[16];
static volatile int result;

#if defined STREAM || defined NUMBER
static FILE *opened;
#define OPEN  opened = fmemopen(text, sizeof text, "w")
#define CLOSE fclose(opened)
#ifdef STREAM
#define USE fputc('a', opened)
#else
#define USE fileno(opened)
#endif
#elif defined DIRECTORY
static DIR *opened;
#define OPEN  opened = opendir("/")
#define CLOSE closedir(opened)
#define USE   dirfd(opened)
#else
static locale_t opened;
#define OPEN  opened = newlocale(LC_ALL_MASK, "C.UTF-8", NULL)
#define CLOSE freelocale(opened)
#define USE   strcoll_l("a", "b", opened)
#endif

static void *user(void *unused)
{
    result = USE;
    return unused;
}

int main(void)
{
    pthread_t thread;
    OPEN;
    assert(opened);
    pthread_create(&thread, NULL, user, NULL);
    if (IN_ORDER)
        pthread_join(thread, NULL);
    CLOSE;
    if (!IN_ORDER)
        pthread_join(thread, NULL);
    return 0;
}
