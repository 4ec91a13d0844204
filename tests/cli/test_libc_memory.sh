#!/bin/bash
# libc functions read and write their caller's memory in code that is not instrumented: each
# counts as an access of the caller, a data race if nothing orders it and none under a lock.
. "$(dirname "$0")/lib.sh"
cat >memory.c <<'C'
#define _GNU_SOURCE
#include <argz.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <fenv.h>
#include <glob.h>
#include <iconv.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>

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
static double doubles[2];
static fenv_t environment;
static regex_t pattern, compiled;
static regmatch_t match[1];
static iconv_t converter;
static struct random_data sequence;
static char sequence_memory[64];
static struct drand48_data sequence_48;
static struct hsearch_data hash;
static struct links {
    struct links *next, *before;
} links[2];
static pthread_attr_t attributes;
static sigset_t signals;
static struct sigaction action;
static socklen_t length;
static struct rlimit limits;
static struct utsname names;
static struct tms passed;
static struct statvfs system_status;
static glob_t found_paths;
static wordexp_t words;
static char option_text[] = "x";
static char *option_arguments[] = {option_text, (char *)"-a", NULL};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_mutexattr_t mutex_attributes;
static pthread_condattr_t cond_attributes;
static pthread_rwlockattr_t rwlock_attributes;
static pthread_barrierattr_t barrier_attributes;
static pthread_key_t key;
static stack_t stack;
static timer_t timer, other_timer;
static struct itimerspec timer_value;
static struct itimerval interval;
static struct sigevent silent = {.sigev_notify = SIGEV_NONE};
static sem_t semaphore;
static struct epoll_event event = {.events = EPOLLIN};
static int watcher, sockets[2];
static fd_set set;
static struct iovec part = {text, 1};
static struct msghdr message;
static void *walked, *pages;
static char output_buffer[64], *list;
static size_t list_size;
static struct links third;
static cpu_set_t processors;
static fpos_t position;
static off_t offset;

static int by_value(const void *a, const void *b)
{
    (void)a, (void)b;
    return 0;
}

__attribute__((unused)) static int different(const void *a, const void *b)
{
    (void)a, (void)b;
    return 1;
}

static void visit(const void *node, VISIT order, int depth)
{
    (void)node, (void)order, (void)depth;
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
    X(modf, real = modf(3.25, &doubles[0]), real = doubles[0]) \
    X(frexp, real = frexp(8.5, numbers), result = numbers[0]) \
    X(remquo, real = remquo(7, 2, numbers), result = numbers[0]) \
    X(sincos, sincos(1, &doubles[0], &doubles[1]), real = doubles[1]) \
    X(lgamma_r, real = lgamma_r(0.5, numbers), result = numbers[0]) \
    X(lgamma, real = lgamma(0.5), result = signgam) \
    X(nan, real = nan(text), text[0]++) \
    X(fegetenv, fegetenv(&environment), result = *(char *)&environment) \
    X(regcomp, result = regcomp(&pattern, "a", 0), result = pattern.re_nsub) \
    X(regexec, result = regexec(&compiled, text, 1, match, 0), result = match[0].rm_so) \
    X(regexec_text, result = regexec(&compiled, text, 0, NULL, 0), text[0]++) \
    X(iconv, char *from = (char *)"a"; char *to = text; size_t left = 1; size_t room = 9; result = iconv(converter, &from, &left, &to, &room), result = text[0]) \
    X(random_r, result = random_r(&sequence, numbers), result = numbers[0]) \
    X(srandom_r, result = srandom_r(3, &sequence), result = *(char *)&sequence) \
    X(drand48_r, result = drand48_r(&sequence_48, &doubles[0]), real = doubles[0]) \
    X(hsearch_r, ENTRY *found; result = hsearch_r(((ENTRY){.key = text}), ENTER, &found, &hash), result = *(char *)&hash) \
    X(lsearch, size_t n = 1; lsearch(&(int){9}, numbers, &n, sizeof *numbers, different), result = numbers[1]) \
    X(lfind, lfind(&(int){9}, numbers, &size, sizeof *numbers, different), size = 0) \
    X(insque, insque(&links[0], &links[1]), result = links[1].next != NULL) \
    X(getopt, result = getopt(2, option_arguments, "a"), result = optind) \
    X(initstate, result = initstate(1, text, 64) != NULL, result = text[0]) \
    X(pthread_getname_np, result = pthread_getname_np(pthread_self(), text, 60), result = text[0]) \
    X(pthread_attr_init, pthread_attr_init(&attributes), result = *(char *)&attributes) \
    X(sigaddset, sigaddset(&signals, 1), result = *(char *)&signals) \
    X(sigprocmask_old, sigprocmask(SIG_BLOCK, NULL, &signals), result = *(char *)&signals) \
    X(sigaction_old, sigaction(SIGUSR1, NULL, &action), result = action.sa_flags) \
    X(getsockname_length, getsockname(0, (struct sockaddr *)numbers, &length), result = length) \
    X(getrlimit, getrlimit(RLIMIT_NOFILE, &limits), result = limits.rlim_cur) \
    X(uname, uname(&names), result = names.sysname[0]) \
    X(times, times(&passed), result = passed.tms_utime) \
    X(getresuid, getresuid((unsigned *)numbers, (unsigned *)numbers + 1, (unsigned *)numbers + 2), result = numbers[2]) \
    X(statvfs, statvfs("/", &system_status), result = system_status.f_bsize) \
    X(glob, glob("/", 0, NULL, &found_paths), result = found_paths.gl_pathc) \
    X(wordexp, wordexp("a", &words, 0), result = words.we_wordc) \
    X(scandir, result = scandir("/nowhere", (struct dirent ***)&line, NULL, NULL), result = line != NULL) \
    X(getpwnam_r, struct passwd *user; result = getpwnam_r("root", &(struct passwd){0}, text, 64, &user), result = text[0]) \
    X(getenv_name, result = getenv(text) != NULL, text[0]++) \
    X(setenv_environ, setenv("A", "b", 1), result = environ != NULL) \
    X(wcsncat, wcsncat(wide, L"3", 1), result = wide[2]) \
    X(wcstok, wchar_t *rest; result = wcstok(wide, L"2", &rest) != NULL, result = wide[1]) \
    X(mbrtowc, mbstate_t state = {0}; result = mbrtowc(wide, "a", 1, &state), result = wide[0]) \
    X(mbsrtowcs, const char *from = "ab"; mbstate_t state = {0}; result = mbsrtowcs(wide, &from, 3, &state), result = wide[1]) \
    X(strfromd, result = strfromd(text, 9, "%g", 1.5), result = text[0]) \
    X(open_memstream, FILE *stream = open_memstream(&line, &size); fputs("a", stream); fclose(stream), result = size) \
    X(fmemopen, FILE *stream = fmemopen(text, 9, "w"); fputs("a", stream); fclose(stream), result = text[0]) \
    X(setvbuf, setvbuf(file, text, _IOFBF, 64); fputc('a', file), result = text[0]) \
    X(gethostname, gethostname(text, 60), result = text[0]) \
    X(swab, swab("abcd", text, 4), result = text[0]) \
    X(argz_count, result = argz_count(text, 6), text[0]++) \
    X(mbsrtowcs_source, const char *from = text; mbstate_t state = {0}; wchar_t out[9]; result = mbsrtowcs(out, &from, 9, &state), text[1]++) \
    X(wcsrtombs_source, const wchar_t *from = wide; mbstate_t state = {0}; char out[9]; result = wcsrtombs(out, &from, 9, &state), wide[1]++) \
    X(hsearch_key, result = hsearch(((ENTRY){.key = text}), FIND) != NULL, text[0]++) \
    X(hsearch_r_key, ENTRY *found; result = hsearch_r(((ENTRY){.key = text}), FIND, &found, &hash), text[0]++) \
    X(getsubopt, char *value; line = text; result = getsubopt(&line, option_arguments, &value), text[1]++) \
    X(mincore, result = mincore(pages, 3 * 4096, (unsigned char *)text), result = text[2]) \
    X(twalk, twalk(walked, visit), tsearch(&numbers[1], &walked, different)) \
    X(setvbuf_puts, puts("a"), result = output_buffer[0]) \
    X(setvbuf_printf, printf("a"), result = output_buffer[0]) \
    X(setvbuf_putchar, putchar('a'), result = output_buffer[0]) \
    X(insque_third, insque(&links[0], &links[1]), result = third.before != NULL) \
    X(argz_add_text, argz_add(&list, &list_size, "b"), result = list[0]) \
    X(argz_create, argz_create(option_arguments, &line, &size), option_text[0]++) \
    X(setaffinity_set, pthread_attr_setaffinity_np(&attributes, sizeof processors, &processors), *(char *)&processors = 1) \
    X(strptime_format, result = strptime("5", text, &date) != NULL, text[0]++) \
    X(swprintf_text, wchar_t out[9]; swprintf(out, 9, L"%s", text), text[0]++) \
    X(swprintf_format, wchar_t out[9]; result = swprintf(out, 9, wide), wide[0]++) \
    X(sscanf_format, int n; result = sscanf("5", text, &n), text[0]++) \
    X(fsetpos, fsetpos(file, &position), *(char *)&position = 0) \
    X(open, result = open(text, O_RDONLY), text[0]++) \
    X(opendir, result = opendir(text) != NULL, text[0]++) \
    X(rename_from, result = rename(text, "/nowhere/file"), text[0]++) \
    X(chdir, result = chdir(text), text[0]++) \
    X(mkstemp, result = mkstemp(text), result = text[0]) \
    X(sendfile, result = sendfile(-1, -1, &offset, 1), result = offset) \
    X(setprotocol, pthread_mutexattr_setprotocol(&mutex_attributes, PTHREAD_PRIO_NONE), result = *(char *)&mutex_attributes) \
    X(cpu_count, result = CPU_COUNT(&processors), *(char *)&processors = 1) \
    X(key_create, pthread_key_create(&key, NULL), result = (long)key) \
    X(setcancelstate, pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, numbers), result = numbers[0]) \
    X(setcanceltype, pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, numbers), result = numbers[0]) \
    X(getattr_np, pthread_attr_t mine; pthread_getattr_np(pthread_self(), &attributes); mine = attributes; (void)mine, result = *(char *)&attributes) \
    X(create_attributes, pthread_t other; pthread_create(&other, &attributes, nothing, NULL); pthread_detach(other), *(char *)&attributes = 0) \
    X(mutex_attributes, pthread_mutex_t other; pthread_mutex_init(&other, &mutex_attributes), *(char *)&mutex_attributes = 0) \
    X(cond_attributes, pthread_cond_t other; pthread_cond_init(&other, &cond_attributes), *(char *)&cond_attributes = 0) \
    X(rwlock_attributes, pthread_rwlock_t other; pthread_rwlock_init(&other, &rwlock_attributes), *(char *)&rwlock_attributes = 0) \
    X(barrier_attributes, pthread_barrier_t other; pthread_barrier_init(&other, &barrier_attributes, 1), *(char *)&barrier_attributes = 0) \
    X(setpshared, pthread_mutexattr_setpshared(&mutex_attributes, 0), result = *(char *)&mutex_attributes) \
    X(sigaltstack, sigaltstack(NULL, &stack), result = stack.ss_flags) \
    X(sigtimedwait, sigset_t none; sigemptyset(&none); sigtimedwait(&none, NULL, &when), when.tv_sec = 0) \
    X(sigtimedwait_set, sigtimedwait(&signals, NULL, &(struct timespec){0}), *(char *)&signals = 0) \
    X(timer_gettime, timer_gettime(timer, &timer_value), result = timer_value.it_value.tv_sec) \
    X(timer_settime, timer_settime(timer, 0, &timer_value, NULL), timer_value.it_value.tv_sec = 0) \
    X(timer_settime_old, timer_settime(timer, 0, &(struct itimerspec){0}, &timer_value), result = timer_value.it_value.tv_sec) \
    X(timer_create, timer_create(CLOCK_MONOTONIC, &silent, &other_timer), result = other_timer != 0) \
    X(getitimer, getitimer(ITIMER_REAL, &interval), result = interval.it_value.tv_sec) \
    X(setitimer, setitimer(ITIMER_REAL, &interval, NULL), interval.it_value.tv_sec = 0) \
    X(nanosleep, nanosleep(&when, NULL), when.tv_nsec = 3) \
    X(clock_nanosleep, clock_nanosleep(CLOCK_MONOTONIC, 0, &when, NULL), when.tv_nsec = 3) \
    X(cond_timedwait, pthread_mutex_lock(&inner); pthread_cond_timedwait(&condition, &inner, &when); pthread_mutex_unlock(&inner), when.tv_nsec = 3) \
    X(mutex_timedlock, pthread_mutex_timedlock(&inner, &when); pthread_mutex_unlock(&inner), when.tv_nsec = 3) \
    X(sem_timedwait, sem_timedwait(&semaphore, &when), when.tv_nsec = 3) \
    X(sem_open, sem_open(text, O_CREAT, 0600, 1), text[1] = 'x') \
    X(epoll_ctl, epoll_ctl(watcher, EPOLL_CTL_ADD, channel[0], &event), event.events = 3) \
    X(poll_set, poll(&polled, 1, 0), polled.events = POLLOUT) \
    X(select_set, select(8, &set, NULL, NULL, &(struct timeval){0}), *(char *)&set = 0) \
    X(ioctl, ioctl(channel[0], FIONREAD, numbers), result = numbers[0]) \
    X(ioctl_in, ioctl(channel[0], FIONBIO, numbers), numbers[0] = 0) \
    X(recvmsg_header, recvmsg(sockets[0], &message, MSG_DONTWAIT), result = message.msg_flags) \
    X(recvmsg_parts, recvmsg(sockets[0], &(struct msghdr){.msg_iov = &part, .msg_iovlen = 1}, MSG_DONTWAIT), part.iov_len = 1) \
    X(sendmsg_parts, sendmsg(sockets[0], &(struct msghdr){.msg_iov = &part, .msg_iovlen = 1}, 0), part.iov_len = 1) \
    X(writev_parts, result = writev(channel[1], &part, 1), part.iov_len = 1) \
    X(setsockopt, setsockopt(sockets[0], SOL_SOCKET, SO_KEEPALIVE, numbers, 4), numbers[0] = 0) \
    X(getsockopt, length = 4; getsockopt(sockets[0], SOL_SOCKET, SO_KEEPALIVE, numbers, &(socklen_t){4}), result = numbers[0]) \
    X(bind, bind(sockets[0], (struct sockaddr *)numbers, 8), numbers[1] = 0) \
    X(open_path, result = access(text, F_OK), text[0]++) \
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
    regcomp(&compiled, "a", 0);
    converter = iconv_open("UTF-8", "ASCII");
    initstate_r(1, sequence_memory, sizeof sequence_memory, &sequence);
    hcreate_r(8, &hash);
    pthread_attr_init(&attributes);
    hcreate(8);
    fgetpos(file, &position);
    pages = mmap(NULL, 3 * 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    tsearch(&numbers[0], &walked, by_value);
    links[1].next = &third;
    argz_create(option_arguments, &list, &list_size);
    setvbuf(stdout, output_buffer, _IOFBF, sizeof output_buffer);
    timer_create(CLOCK_MONOTONIC, &silent, &timer);
    sem_init(&semaphore, 0, 1);
    watcher = epoll_create1(0);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
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

number=0
for flags in -O1 '-O2 -D_FORTIFY_SOURCE=2 -D_FILE_OFFSET_BITS=64'; do
    is_sampled $((number += 1)) 2 || continue
    t "memory that libc works on, $flags"
    # shellcheck disable=SC2086
    expect 0 "$MAZUR" cc $flags -g -o memory memory.c -lm
    ./memory 2>names
    [ "$(wc -l <names)" -ge 100 ] || fault "the program names its calls"
    while read -r call; do
        expect 7 "$MAZUR" run --simplify 0 --no-trace ./memory "$call" free
        expect 0 "$MAZUR" run ./memory "$call" locked
    done <names
done

end_of_file
