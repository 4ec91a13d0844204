/* See process_limits.h. */
#define _GNU_SOURCE
#include "host/process_limits.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/say.h"

#define FILES_NEEDED 32  /* descriptors: three pipes, two segments, files read */
#define FILES_WANTED 256 /* if allowed */
#define STACK_NEEDED ((rlim_t)1024 << 10) /* of the command, and of main under the runtime */
#define STACK_WANTED ((rlim_t)8192 << 10) /* Linux's default */

#define COMPILER_PROCESSES 3 /* at a time: gcc, collect2, ld */

/* As they were when the command started. */
static struct rlimit files_given, stack_given, size_given;

/* A write beyond the limit on file sizes must fail (EFBIG), not kill us. Children do not
 * inherit a handler, unlike SIG_IGN. */
static void on_large_file(int number)
{
    (void)number;
}

/* Raises the soft limit to `wanted`, or as far as the hard limit allows; returns the new
 * one. */
static rlim_t raise_limit(int resource, const struct rlimit *given, rlim_t wanted)
{
    struct rlimit raised = *given;
    if (given->rlim_cur == RLIM_INFINITY || given->rlim_cur >= wanted)
        return given->rlim_cur;
    raised.rlim_cur = given->rlim_max < wanted ? given->rlim_max : wanted;
    return setrlimit(resource, &raised) == 0 ? raised.rlim_cur : given->rlim_cur;
}

bool limits_open(void)
{
    struct sigaction action = {.sa_handler = on_large_file, .sa_flags = SA_RESTART};
    sigaction(SIGXFSZ, &action, NULL);
    if (getrlimit(RLIMIT_NOFILE, &files_given) != 0 ||
        getrlimit(RLIMIT_STACK, &stack_given) != 0 || getrlimit(RLIMIT_FSIZE, &size_given) != 0)
        return true; /* then we can't change them either */
    rlim_t stack = raise_limit(RLIMIT_STACK, &stack_given, STACK_WANTED);
    if (stack < STACK_NEEDED) {
        complain("the stack is limited to %llu kB (ulimit -s); Mazur needs %llu",
                 (unsigned long long)stack >> 10, (unsigned long long)STACK_NEEDED >> 10);
        return false;
    }
    rlim_t files = raise_limit(RLIMIT_NOFILE, &files_given, FILES_WANTED);
    if (files < FILES_NEEDED) {
        complain("only %llu files may be open (ulimit -n); Mazur needs %d",
                 (unsigned long long)files, FILES_NEEDED);
        return false;
    }
    return true;
}

void limits_for_program(void)
{
    struct rlimit addresses;
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    if (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY &&
        setrlimit(RLIMIT_AS, &none) != 0) {
        addresses.rlim_cur = addresses.rlim_max;
        setrlimit(RLIMIT_AS, &addresses);
    }
    setrlimit(RLIMIT_NOFILE, &files_given);
    if (stack_given.rlim_cur >= STACK_NEEDED)
        setrlimit(RLIMIT_STACK, &stack_given);
}

bool limits_lack(int error)
{
    return error == EFBIG || error == ENOMEM || error == EMFILE || error == ENFILE ||
           error == EAGAIN || error == ENOSPC || error == EDQUOT;
}

static const struct cause {
    int error;
    int resource;
    char letter;
    rlim_t unit;
} causes[] = {{EFBIG, RLIMIT_FSIZE, 'f', 1024}, {ENOMEM, RLIMIT_AS, 'v', 1024},
              {ENOMEM, RLIMIT_DATA, 'd', 1024}, {0, RLIMIT_CPU, 't', 1},
              {EMFILE, RLIMIT_NOFILE, 'n', 1},  {EAGAIN, RLIMIT_NPROC, 'u', 1}};
#define CAUSES (sizeof causes / sizeof *causes)

/* ", a limit is set (ulimit -f 8)", or "" if none is set. */
static const char *describe_limit(const struct cause *cause)
{
    static char hint[64];
    struct rlimit limit;
    if (getrlimit(cause->resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return "";
    snprintf(hint, sizeof hint, ", a limit is set (ulimit -%c %llu)", cause->letter,
             (unsigned long long)(limit.rlim_cur / cause->unit));
    return hint;
}

const char *limits_hint(int error)
{
    for (size_t i = 0; i < CAUSES; i++)
        if (causes[i].error == error && *describe_limit(&causes[i]))
            return describe_limit(&causes[i]);
    return "";
}

const char *limits_of_compilers(void)
{
    for (size_t i = 0; i < CAUSES && causes[i].resource != RLIMIT_NOFILE; i++)
        if (*describe_limit(&causes[i]))
            return describe_limit(&causes[i]);
    return "";
}

/* How many more processes can run at a time, up to `most`? The limit counts all processes of
 * the user, and only the kernel knows how many there are. */
static int count_processes_left(int most)
{
    pid_t child[COMPILER_PROCESSES];
    int ends[2];
    int left = 0;
    if (pipe(ends) != 0)
        return most;
    while (left < most && (child[left] = fork()) >= 0) {
        if (child[left] == 0) {
            close(ends[1]);
            _exit(read(ends[0], &(char){0}, 1) != 0); /* until all have been made */
        }
        left++;
    }
    close(ends[0]);
    close(ends[1]);
    for (int i = 0; i < left; i++)
        while (waitpid(child[i], NULL, 0) < 0 && errno == EINTR)
            continue;
    return left;
}

bool limits_starve_compilers(const char *what)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return false;
    int left = count_processes_left(COMPILER_PROCESSES);
    if (left == COMPILER_PROCESSES)
        return false;
    complain("%s was not compiled: a compiler needs %d processes at a time, and the limit on "
             "processes leaves it %d (ulimit -u %llu)",
             what, COMPILER_PROCESSES, left, (unsigned long long)limit.rlim_cur);
    return true;
}

void limits_lift_file_size(void)
{
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    if (size_given.rlim_cur != RLIM_INFINITY && setrlimit(RLIMIT_FSIZE, &none) != 0)
        raise_limit(RLIMIT_FSIZE, &size_given, RLIM_INFINITY);
}

void limits_restore_file_size(void)
{
    if (size_given.rlim_cur != RLIM_INFINITY)
        setrlimit(RLIMIT_FSIZE, &size_given);
}
