/* See witness.h. */
#define _GNU_SOURCE
#include "cli/watch/witness.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* /proc/vmstat counts the processes that the kernel has killed for memory, those of control
 * groups included. */
static int64_t count_oom_kills(void)
{
    FILE *file = fopen("/proc/vmstat", "re");
    char line[128];
    int64_t count = -1;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "oom_kill ", 9) == 0)
            count = strtoll(line + 9, NULL, 10);
    if (file)
        fclose(file);
    return count;
}

struct witness witness_open(void)
{
    return (struct witness){.oom_kills = count_oom_kills()};
}

/* The limit in its unit, or RLIM_INFINITY. At the hard limit the kernel sends SIGKILL, at the
 * soft limit a signal that can be caught. */
static rlim_t soft_limit(int resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

static rlim_t hard_limit(int resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 ? limit.rlim_max : RLIM_INFINITY;
}

static double seconds_used(const struct rusage *used)
{
    return (double)used->ru_utime.tv_sec + (double)used->ru_utime.tv_usec * 1e-6 +
           (double)used->ru_stime.tv_sec + (double)used->ru_stime.tv_usec * 1e-6;
}

/* The likely cause of a SIGKILL. */
static enum culprit explain_kill(const struct witness *witness, const struct rusage *used,
                                 char *cause, size_t size)
{
    rlim_t limit = hard_limit(RLIMIT_CPU);
    int64_t kills = count_oom_kills();
    /* the kernel enforces the limit by clock ticks, which on a busy machine are ahead of what
     * it measures */
    if (limit != RLIM_INFINITY && seconds_used(used) > (double)limit * 0.8) {
        snprintf(cause, size,
                 "because it reached the limit of %llu s on processor time (ulimit -t)",
                 (unsigned long long)limit);
        return CULPRIT_LIMIT;
    }
    if (witness->oom_kills >= 0 && kills > witness->oom_kills) {
        snprintf(cause, size, "probably by the kernel, which was out of memory");
        return CULPRIT_LIMIT;
    }
    snprintf(cause, size, "sent from outside (kill -9, a container's limit)");
    return CULPRIT_SENDER;
}

static enum culprit explain_signal(const struct witness *witness, int signal,
                                   const struct rusage *used, char *cause, size_t size)
{
    rlim_t limit;
    switch (signal) {
    case SIGKILL:
        return explain_kill(witness, used, cause, size);
    case SIGTERM:
    case SIGINT:
    case SIGHUP:
    case SIGQUIT:
        snprintf(cause, size, "sent from outside");
        return CULPRIT_SENDER;
    case SIGXCPU:
        limit = soft_limit(RLIMIT_CPU);
        snprintf(cause, size,
                 "because it reached the limit of %llu s on processor time (ulimit -t)",
                 (unsigned long long)limit);
        return limit != RLIM_INFINITY ? CULPRIT_LIMIT : CULPRIT_PROGRAM;
    case SIGXFSZ:
        limit = soft_limit(RLIMIT_FSIZE);
        snprintf(cause, size, "because a file reached the limit of %llu bytes (ulimit -f)",
                 (unsigned long long)limit);
        return limit != RLIM_INFINITY ? CULPRIT_LIMIT : CULPRIT_PROGRAM;
    default:
        return CULPRIT_PROGRAM;
    }
}

enum culprit witness_judge(const struct witness *witness, int signal, const struct rusage *used,
                           char *why)
{
    char cause[WITNESS_TEXT / 2];
    const char *name = sigabbrev_np(signal);
    enum culprit culprit = explain_signal(witness, signal, used, cause, sizeof cause);
    if (culprit == CULPRIT_PROGRAM)
        return culprit;
    snprintf(why, WITNESS_TEXT,
             "the program's process was ended by SIG%s, %s; it had used %.1f s of processor "
             "time and up to %.0f MB of memory",
             name ? name : "?", cause, seconds_used(used), (double)used->ru_maxrss / 1024);
    return culprit;
}
