# Functions of libc read and write the memory of their caller, in code that is not instrumented:
# each is an access of the caller, a data race where nothing orders it and none under a lock.
cat >memory.c <<'C'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static char text[64] = "12 ab", *line;
static wchar_t wide[16] = L"12";
static int numbers[4] = {4, 3, 2, 1}, channel[2];
static volatile long result;
static volatile double real;
static size_t size;
static void *tree;
static struct timespec when;
static struct timeval when_exactly;
static struct tm date;
static time_t seconds;
static struct stat status;
static struct pollfd polled;
static pthread_t thread;
static FILE *file;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int by_value(const void *a, const void *b)
{
    (void)a, (void)b;
    return 0;
}

static void *nothing(void *unused)
{
    return unused;
}

/* name, what the first thread calls, what the second one does */
#define CALLS(X)                                                                               \
    X(sprintf, sprintf(text, "%d", 5), result = text[0])                                       \
    X(snprintf, snprintf(text, 2, "%d", 5), result = text[0])                                  \
    X(vsnprintf, print_list("%d", 5), result = text[0])                                        \
    X(printf_text, printf("%s", text), text[0]++)                                              \
    X(printf_precision, printf("%5.*s", 2, text), text[1]++)                                   \
    X(printf_numbered, printf("%3$s%1$d%2$f", 1, 2.0, text), text[0]++)                        \
    X(printf_mixed, printf("%d%Lf%g%s", 1, 2.0L, 3.0, text), text[0]++)                        \
    X(printf_wide, printf("%ls", wide), wide[0]++)                                             \
    X(fprintf, fprintf(file, "%s", text), text[0]++)                                           \
    X(asprintf, result = asprintf(&line, "a"), result = line != NULL)                          \
    X(swprintf, swprintf(wide, 9, L"%d", 5), result = wide[0])                                 \
    X(sscanf_text, int n; result = sscanf(text, "%d", &n), text[0]++)                          \
    X(sscanf_int, result = sscanf("5", "%d", numbers), result = numbers[0])                    \
    X(sscanf_second, int n; result = sscanf("5 6", "%d %*[ ]%d", &n, numbers), result = *numbers)    \
    X(sscanf_set, result = sscanf("ab]", "%[]a-z]", text), result = text[0])                   \
    X(sscanf_long, result = sscanf("5", "%ld", (long *)numbers), result = numbers[1])          \
    X(strtol, result = strtol(text, NULL, 10), text[0]++)                                      \
    X(strtol_end, result = strtol("5", &line, 10), result = line != NULL)                      \
    X(strtod, real = strtod(text, NULL), text[0]++)                                            \
    X(atoi, result = atoi(text), text[0]++)                                                    \
    X(wcstol, result = wcstol(wide, NULL, 10), wide[0]++)                                      \
    X(strcasecmp, result = strcasecmp(text, "12 AC"), text[4]++)                               \
    X(strspn, result = strspn(text, "12"), text[2]++)                                          \
    X(strpbrk, result = strpbrk(text, "a") != NULL, text[3]++)                                 \
    X(strsep, line = text; result = strsep(&line, " ") != NULL, result = text[2])              \
    X(strtok_r, char *rest; result = *strtok_r(text, " ", &rest), result = text[2])            \
    X(strtok, result = *strtok(text, " "), result = text[2])                                   \
    X(memmem, result = memmem(text, 5, "z", 1) != NULL, text[4]++)                             \
    X(wcslen, result = wcslen(wide), wide[2]++)                                                \
    X(wmemcpy, wmemcpy(wide, L"34", 2), result = wide[1])                                      \
    X(mbstowcs, result = mbstowcs(wide, "34", 3), result = wide[2])                            \
    X(qsort, qsort(numbers, 4, sizeof *numbers, by_value), result = numbers[3])                \
    X(tsearch, result = tsearch(text, &tree, by_value) != NULL, result = tree != NULL)         \
    X(rand_r, result = rand_r((unsigned *)numbers), result = numbers[0])                       \
    X(fgets, result = fgets(text, 9, file) != NULL, result = text[0])                          \
    X(fread, result = fread(text, 1, 3, file), result = text[2])                               \
    X(getline, result = getline(&line, &size, file), result = size)                            \
    X(fputs, fputs(text, stdout), text[0]++)                                                   \
    X(puts, puts(text), text[0]++)                                                             \
    X(fwrite, fwrite(text, 1, 3, stdout), text[2]++)                                           \
    X(readv, result = readv(channel[0], &(struct iovec){text, 3}, 1), result = text[0])        \
    X(writev, result = writev(channel[1], &(struct iovec){text, 3}, 1), text[0]++)             \
    X(pwrite, result = pwrite(channel[1], text, 3, 0), text[0]++)                              \
    X(stat, stat("/", &status), result = status.st_mode)                                       \
    X(getcwd, result = getcwd(text, 60) != NULL, result = text[0])                             \
    X(poll, poll(&polled, 1, 0), result = polled.revents)                                      \
    X(clock_gettime, clock_gettime(CLOCK_REALTIME, &when), result = when.tv_sec)               \
    X(gettimeofday, gettimeofday(&when_exactly, NULL), result = when_exactly.tv_sec)           \
    X(time, time(&seconds), result = seconds)                                                  \
    X(localtime_r, localtime_r(&(time_t){0}, &date), result = date.tm_year)                    \
    X(strftime, strftime(text, 9, "%Y", &(struct tm){0}), result = text[0])                    \
    X(inet_ntop, inet_ntop(AF_INET, &(struct in_addr){0}, text, 60), result = text[0])         \
    X(pthread_create, pthread_create(&thread, NULL, nothing, NULL); pthread_detach(thread),    \
      result = (long)thread)

__attribute__((unused, format(printf, 1, 2))) static void print_list(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
}

static const char *wanted;
static int locked;

#define FIRST(name, call, other)                                                               \
    if (strcmp(wanted, #name) == 0) {                                                          \
        call;                                                                                  \
    }
#define SECOND(name, call, other)                                                              \
    if (strcmp(wanted, #name) == 0)                                                            \
        other;
#define NAME(name, call, other) fprintf(stderr, #name "\n");

static void *first(void *unused)
{
    if (locked)
        pthread_mutex_lock(&mutex);
    CALLS(FIRST)
    if (locked)
        pthread_mutex_unlock(&mutex);
    return unused;
}

static void *second(void *unused)
{
    if (locked)
        pthread_mutex_lock(&mutex);
    CALLS(SECOND)
    if (locked)
        pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t threads[2];
    if (count < 3) {
        CALLS(NAME)
        return 0;
    }
    wanted = arguments[1];
    locked = arguments[2][0] == 'l';
    file = fopen("input", "r+");
    if (!file || pipe(channel) || write(channel[1], "hello", 5) != 5)
        return 2;
    polled = (struct pollfd){.fd = channel[0], .events = POLLIN};
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
C
echo '12 hello' >input

for flags in -O1 '-O2 -D_FORTIFY_SOURCE=2 -D_FILE_OFFSET_BITS=64'; do
    t "memory that libc works on, $flags"
    # shellcheck disable=SC2086
    expect 0 "$MAZUR" cc $flags -g -o memory memory.c
    ./memory 2>names
    [ "$(wc -l <names)" -ge 50 ] || fault "the program names its calls"
    while read -r call; do
        expect 7 "$MAZUR" run ./memory "$call" free
        expect 0 "$MAZUR" run ./memory "$call" locked
    done <names
done
