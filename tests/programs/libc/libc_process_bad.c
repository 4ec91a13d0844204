/* EXPECT verdict=assertion exit=1 bound=0 -- -DATEXIT
 * EXPECT verdict=assertion exit=1 bound=0 -- -DDIRECTORY
 * EXPECT verdict=assertion exit=1 bound=0 -- -DMASK
 * EXPECT verdict=assertion exit=1 bound=0 -- -DLOCALE
 * EXPECT verdict=assertion exit=1 bound=0 -- -DHANDLER
 * EXPECT verdict=assertion exit=1 bound=0 -- -DENVIRONMENT
 * EXPECT verdict=assertion exit=1 bound=0 -- -DBREAK
 * EXPECT verdict=assertion exit=1 bound=0 -- -DHASH
 * EXPECT verdict=assertion exit=1 bound=0 -- -DSTREAM
 * EXPECT verdict=assertion exit=1 bound=0 -- -DPUSHED_BACK
 * EXPECT verdict=assertion exit=1 bound=0 -- -DMEMORY_FILE
 * EXPECT verdict=assertion exit=1 bound=0 -- -DWAITING
 * EXPECT verdict=assertion exit=1 bound=0 -- -DWIDE
 * State that libc or the kernel keeps for the whole process: the result depends on which of two
 * threads comes first. The good twin waits for the first one. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#ifndef IN_ORDER
#define IN_ORDER false
#endif

__attribute__((unused)) static int seen;

#if defined ATEXIT
static void first_handler(void)
{
    seen = 1;
}

static void second_handler(void)
{
    assert(seen == 0);
}
#define FIRST  atexit(first_handler);
#define SECOND atexit(second_handler);
#define BEFORE
#define AFTER
#elif defined DIRECTORY
#define FIRST  assert(chdir("/proc") == 0);
#define SECOND assert(chdir("/") == 0);
#define BEFORE                                                                                 \
    char where[64];                                                                            \
    assert(getcwd(where, sizeof where) && strcmp(where, "/proc") != 0);
#define AFTER assert(getcwd(where, sizeof where) && strcmp(where, "/") == 0);
#elif defined MASK
#define FIRST  umask(1);
#define SECOND seen = (int)umask(2);
#define BEFORE umask(0);
#define AFTER  assert(seen == 1);
#elif defined LOCALE
#define FIRST  setlocale(LC_ALL, "C.UTF-8");
#define SECOND setlocale(LC_ALL, "C");
#define BEFORE
#define AFTER assert(strcmp(setlocale(LC_ALL, NULL), "C") == 0);
#elif defined HANDLER
static void first_handler(int number)
{
    seen = number;
}

static void second_handler(int number)
{
    seen = -number;
}
#define FIRST  signal(SIGUSR1, first_handler);
#define SECOND signal(SIGUSR1, second_handler);
#define BEFORE
#define AFTER                                                                                  \
    raise(SIGUSR1);                                                                            \
    assert(seen == -SIGUSR1);
#elif defined ENVIRONMENT
#define FIRST  setenv("WHO", "a", 1);
#define SECOND setenv("WHO", "b", 1);
#define BEFORE
#define AFTER assert(strcmp(getenv("WHO"), "b") == 0);
#elif defined BREAK
static char *low, *high;
#define FIRST  low = sbrk(16);
#define SECOND high = sbrk(16);
#define BEFORE
#define AFTER assert(low < high);
#elif defined HASH
static char key[] = "key", mine[] = "a", other[] = "b";
#define FIRST  hsearch((ENTRY){key, mine}, ENTER);
#define SECOND hsearch((ENTRY){key, other}, ENTER);
#define BEFORE hcreate(8);
#define AFTER  assert(hsearch((ENTRY){key, NULL}, FIND)->data == mine);
#elif defined STREAM
static FILE *stream;
static char *text;
static size_t size;
#define FIRST  fprintf(stream, "a");
#define SECOND fputs("b", stream);
#define BEFORE stream = open_memstream(&text, &size);
#define AFTER                                                                                  \
    fclose(stream);                                                                            \
    assert(strcmp(text, "ab") == 0);                                                           \
    free(text);
#elif defined PUSHED_BACK
static FILE *stream;
static char text[] = "c";
#define FIRST  ungetc('a', stream);
#define SECOND ungetc('b', stream);
#define BEFORE stream = fmemopen(text, 1, "r");
#define AFTER                                                                                  \
    assert(getc(stream) == 'b');                                                               \
    fclose(stream);
#elif defined MEMORY_FILE
static int file;
#define FIRST  assert(pwrite(file, "a", 1, 0) == 1);
#define SECOND assert(pwrite(file, "b", 1, 0) == 1);
#define BEFORE                                                                                 \
    char byte;                                                                                 \
    file = memfd_create("file", 0);
#define AFTER                                                                                  \
    assert(pread(file, &byte, 1, 0) == 1 && byte == 'b');                                      \
    close(file);
#elif defined WIDE
static FILE *stream;
static wchar_t *text;
static size_t size;
#define FIRST  fputwc(L'a', stream);
#define SECOND fputws(L"b", stream);
#define BEFORE stream = open_wmemstream(&text, &size);
#define AFTER                                                                                  \
    fclose(stream);                                                                            \
    assert(text[0] == L'a');                                                                   \
    free(text);
#elif defined WAITING
static int ends[2];
#define FIRST  fcntl(ends[0], F_SETFL, O_NONBLOCK);
#define SECOND fcntl(ends[0], F_SETFL, 0);
#define BEFORE assert(pipe(ends) == 0);
#define AFTER  assert(!(fcntl(ends[0], F_GETFL) & O_NONBLOCK));
#endif

static void *first(void *unused)
{
    FIRST
    return unused;
}

static void *second(void *unused)
{
    SECOND
    return unused;
}

int main(void)
{
    pthread_t a, b;
    BEFORE
    pthread_create(&a, NULL, first, NULL);
    if (IN_ORDER)
        pthread_join(a, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(b, NULL);
    if (!IN_ORDER)
        pthread_join(a, NULL);
    AFTER
    return 0;
}
