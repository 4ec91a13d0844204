/* EXPECT verdict=assertion exit=1 bound=0 -- -DSTATUS_FLAGS
 * EXPECT verdict=assertion exit=1 bound=0 -- -DSTATUS_IOCTL
 * EXPECT verdict=assertion exit=1 bound=0 -- -DCLOSE_ON_EXEC
 * EXPECT verdict=assertion exit=1 bound=0 -- -DPIPE_SIZE
 * EXPECT verdict=assertion exit=1 bound=0 -- -DSOCKET_OPTION
 * EXPECT verdict=assertion exit=1 bound=0 -- -DFILE_SIZE
 * EXPECT verdict=assertion exit=1 bound=0 -- -DTERMINAL
 * EXPECT verdict=assertion exit=1 bound=0 -- -DTERMINAL_ATTRIBUTES
 * EXPECT verdict=assertion exit=1 bound=0 -- -DFILE_SYSTEM
 * EXPECT verdict=assertion exit=1 bound=0 -- -DDISPOSITION
 * EXPECT verdict=assertion exit=1 bound=0 -- -DRESET_HANDLER
 * EXPECT verdict=assertion exit=1 bound=0 -- -DPENDING
 * EXPECT verdict=assertion exit=1 bound=0 -- -DDUMPABLE
 * EXPECT verdict=assertion exit=1 bound=0 -- -DNAME
 * EXPECT verdict=assertion exit=1 bound=0 -- -DINTERVAL
 * EXPECT verdict=assertion exit=1 bound=0 -- -DTIMER
 * EXPECT verdict=assertion exit=1 bound=0 -- -DSEMAPHORE
 * EXPECT verdict=assertion exit=1 bound=0 -- -DCHARACTER_SIZE
 * EXPECT verdict=assertion exit=1 bound=0 -- -DCHARACTER_CLASS
 * EXPECT verdict=assertion exit=1 bound=0 -- -DCONVERSION
 * EXPECT verdict=assertion exit=1 bound=0 -- -DCHARACTER_WIDTH
 * EXPECT verdict=assertion exit=1 bound=0 -- -DPRINTED_CHARACTER
 * EXPECT verdict=assertion exit=1 bound=0 -- -DSIGN -lm
 * EXPECT verdict=assertion exit=1 bound=0 -- -DOUTPUT
 * EXPECT verdict=assertion exit=1 bound=0 -- -DOUTPUT_CHARACTER
 * EXPECT verdict=assertion exit=1 bound=0 -- -DREDIRECTED
 * EXPECT verdict=assertion exit=1 bound=0 -- -DDIRECTION
 * What one thread asks libc or the kernel, and another changes for the whole process: the
 * answer depends on which of them comes first. The good twin asks first. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#ifndef IN_ORDER
#define IN_ORDER false
#endif

__attribute__((unused)) static int ends[2];
static pthread_t main_thread;

#if defined STATUS_FLAGS
#define BEFORE assert(pipe(ends) == 0);
#define ASK    fcntl(ends[0], F_GETFL) & O_NONBLOCK
#define CHANGE fcntl(ends[0], F_SETFL, O_NONBLOCK);
#elif defined STATUS_IOCTL
#define BEFORE assert(pipe(ends) == 0);
#define ASK    fcntl(ends[0], F_GETFL) & O_NONBLOCK
#define CHANGE assert(ioctl(ends[0], FIONBIO, &(int){1}) == 0);
#elif defined CLOSE_ON_EXEC
#define BEFORE assert(pipe(ends) == 0);
#define ASK    fcntl(ends[0], F_GETFD)
#define CHANGE fcntl(ends[0], F_SETFD, FD_CLOEXEC);
#elif defined PIPE_SIZE
#define BEFORE assert(pipe(ends) == 0);
#define ASK    fcntl(ends[1], F_GETPIPE_SZ) == 4096
#define CHANGE fcntl(ends[0], F_SETPIPE_SZ, 4096);
#elif defined SOCKET_OPTION
static int option(void)
{
    int value = 0;
    assert(getsockopt(ends[0], SOL_SOCKET, SO_KEEPALIVE, &value, &(socklen_t){sizeof value}) ==
           0);
    return value;
}
#define BEFORE assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
#define ASK    option()
#define CHANGE setsockopt(ends[0], SOL_SOCKET, SO_KEEPALIVE, &(int){1}, sizeof(int));
#elif defined FILE_SIZE
static int size(void)
{
    struct stat status;
    assert(fstat(ends[0], &status) == 0);
    return (int)status.st_size;
}
#define BEFORE ends[0] = memfd_create("file", 0);
#define ASK    size()
#define CHANGE assert(ftruncate(ends[0], 100) == 0);
#elif defined TERMINAL
#define BEFORE assert(pipe(ends) == 0);
#define ASK    !isatty(ends[0]) && errno == EBADF
#define CHANGE close(ends[0]);
#elif defined TERMINAL_ATTRIBUTES
#define BEFORE assert(pipe(ends) == 0);
#define ASK    tcgetattr(ends[0], &(struct termios){0}) != 0 && errno == EBADF
#define CHANGE close(ends[0]);
#elif defined FILE_SYSTEM
#define BEFORE assert(pipe(ends) == 0);
#define ASK    fstatvfs(ends[0], &(struct statvfs){0}) != 0
#define CHANGE close(ends[0]);
#elif defined DISPOSITION
static int is_ignored(void)
{
    struct sigaction action;
    assert(sigaction(SIGUSR1, NULL, &action) == 0);
    return action.sa_handler == SIG_IGN;
}
#define BEFORE
#define ASK    is_ignored()
#define CHANGE signal(SIGUSR1, SIG_IGN);
#elif defined RESET_HANDLER
static void handler(int number)
{
    (void)number;
}

static int is_default(void)
{
    struct sigaction action;
    assert(sigaction(SIGUSR1, NULL, &action) == 0);
    return action.sa_handler == SIG_DFL;
}
#define BEFORE                                                                                 \
    struct sigaction once = {.sa_handler = handler, .sa_flags = SA_RESETHAND};                 \
    sigaction(SIGUSR1, &once, NULL);
#define ASK    is_default()
#define CHANGE raise(SIGUSR1);
#elif defined PENDING
static int is_pending(void)
{
    sigset_t set;
    assert(sigpending(&set) == 0);
    return sigismember(&set, SIGUSR1);
}
#define BEFORE                                                                                 \
    sigset_t set;                                                                              \
    sigemptyset(&set);                                                                         \
    sigaddset(&set, SIGUSR1);                                                                  \
    pthread_sigmask(SIG_BLOCK, &set, NULL);
#define ASK    is_pending()
#define CHANGE kill(getpid(), SIGUSR1);
#elif defined DUMPABLE
#define BEFORE assert(prctl(PR_GET_DUMPABLE) == 1);
#define ASK    !prctl(PR_GET_DUMPABLE)
#define CHANGE prctl(PR_SET_DUMPABLE, 0);
#elif defined NAME
static int is_renamed(void)
{
    char name[16];
    assert(pthread_getname_np(main_thread, name, sizeof name) == 0);
    return strcmp(name, "other") == 0;
}
#define BEFORE pthread_setname_np(main_thread, "first");
#define ASK    is_renamed()
#define CHANGE pthread_setname_np(main_thread, "other");
#elif defined INTERVAL
static int is_armed(void)
{
    struct itimerval value;
    assert(getitimer(ITIMER_REAL, &value) == 0);
    return value.it_value.tv_sec != 0;
}
#define BEFORE signal(SIGALRM, SIG_IGN);
#define ASK    is_armed()
#define CHANGE setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {100, 0}}, NULL);
#elif defined TIMER
static timer_t timer;
#define BEFORE                                                                                 \
    assert(timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_NONE},       \
                        &timer) == 0);
#define ASK    timer_gettime(timer, &(struct itimerspec){0}) != 0
#define CHANGE timer_delete(timer);
#elif defined SEMAPHORE
#define BEFORE assert(sem_open("/semaphore", O_CREAT, 0600, 1) != SEM_FAILED);
#define ASK    sem_open("/semaphore", 0) == SEM_FAILED
#define CHANGE sem_unlink("/semaphore");
#elif defined CHARACTER_SIZE
#define BEFORE
#define ASK    MB_CUR_MAX != 1
#define CHANGE setlocale(LC_ALL, "C.UTF-8");
#elif defined CHARACTER_CLASS
#define BEFORE
#define ASK    iswalpha(0xe9) != 0
#define CHANGE setlocale(LC_ALL, "C.UTF-8");
#elif defined CONVERSION
#define BEFORE
#define ASK    mbrtowc(&(wchar_t){0}, "\xc3\xa9", 2, &(mbstate_t){0}) == 2
#define CHANGE setlocale(LC_ALL, "C.UTF-8");
#elif defined CHARACTER_WIDTH
#define BEFORE
#define ASK    wcwidth(0x4e00) == 2
#define CHANGE setlocale(LC_ALL, "C.UTF-8");
#elif defined PRINTED_CHARACTER
#define BEFORE
#define ASK    snprintf(NULL, 0, "%lc", 0xe9) == 2
#define CHANGE setlocale(LC_ALL, "C.UTF-8");
#elif defined SIGN
static volatile double negative = -0.5, positive = 2.5, results[2];
#define BEFORE
#define ASK    ((void)(results[0] = lgamma(negative)), 0)
#define CHANGE results[1] = lgamma(positive);
#define AFTER  assert(signgam == 1);
#elif defined OUTPUT || defined OUTPUT_CHARACTER
static FILE *standard, *memory;
static char *text;
static size_t length;
#define BEFORE                                                                                 \
    standard = stdout;                                                                         \
    stdout = memory = open_memstream(&text, &length);
#ifdef OUTPUT
#define ASK    (puts("a"), 0)
#define CHANGE printf("b");
#else
#define ASK    (putchar('a'), putchar('\n'), 0)
#define CHANGE putchar('b');
#endif
#define AFTER                                                                                  \
    stdout = standard;                                                                         \
    fclose(memory);                                                                            \
    assert(strcmp(text, "a\nb") == 0);                                                         \
    free(text);
#elif defined REDIRECTED
static int kept;
#define BEFORE                                                                                 \
    kept = dup(1);                                                                             \
    ends[0] = memfd_create("file", 0);                                                         \
    assert(dup2(ends[0], 1) == 1);                                                             \
    setvbuf(stdout, NULL, _IONBF, 0);
#define ASK    (puts("a"), 0)
#define CHANGE printf("b");
#define AFTER                                                                                  \
    char byte;                                                                                 \
    dup2(kept, 1);                                                                             \
    assert(pread(ends[0], &byte, 1, 0) == 1 && byte == 'a');
#elif defined DIRECTION
static FILE *stream;
static char text[8];
#define BEFORE stream = fmemopen(text, sizeof text, "w+");
#define ASK    __fwriting(stream) != 0
#define CHANGE fputc('a', stream);
#endif

#ifndef AFTER
#define AFTER
#endif

static void *ask(void *answer)
{
    *(int *)answer = ASK;
    return NULL;
}

static void *change(void *unused)
{
    CHANGE
    return unused;
}

int main(void)
{
    pthread_t a, b;
    int answer = 0;
    main_thread = pthread_self();
    BEFORE
    pthread_create(&a, NULL, ask, &answer);
    if (IN_ORDER)
        pthread_join(a, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_join(b, NULL);
    if (!IN_ORDER)
        pthread_join(a, NULL);
    assert(answer == 0);
    AFTER
    return 0;
}
