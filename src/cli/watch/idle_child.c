/* See idle_child.h.
 *
 * No verdict may depend on the speed of the machine or on its load: a thread hangs when it has
 * used a certain amount of processor time without a step, however long that takes by the wall
 * clock. A process that sleeps in a system call uses no processor time. Mazur asks it where it
 * is only when the kernel has shown it asleep every time for BLOCKED_SECONDS. Waiting for a
 * processor does not count as sleep: the kernel tells the two apart. */
#define _GNU_SOURCE
#include "cli/watch/idle_child.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BLOCKED_SECONDS 10.0
#define SUSPECT_SECONDS 0.15 /* of processor time, then twice as much, and so on */

static double seconds_of(const struct timespec *time)
{
    return (double)time->tv_sec + (double)time->tv_nsec * 1e-9;
}

/* Negative: the process is gone. */
static double processor_time(pid_t process)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return -1;
    return seconds_of(&time);
}

static size_t read_proc(pid_t process, const char *what, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, what);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, size - 1);
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = 0;
    return length > 0 ? (size_t)length : 0;
}

/* Does the kernel say that it waits in a system call? */
static bool is_asleep(pid_t process)
{
    char text[512];
    read_proc(process, "stat", text, sizeof text);
    const char *name_end = strrchr(text, ')');
    return name_end && name_end[1] == ' ' && name_end[2] == 'S';
}

void idle_forget(struct idle_child *idle)
{
    *idle = (struct idle_child){0};
}

enum idle_verdict idle_look(struct idle_child *idle, pid_t process, double limit)
{
    struct timespec wall;
    double used = processor_time(process);
    clock_gettime(CLOCK_MONOTONIC, &wall);
    double now = seconds_of(&wall);
    if (!idle->watched || used < idle->before) { /* or it is another process */
        *idle = (struct idle_child){true, used, used, now, 0};
        return IDLE_WORKS;
    }
    if (used > idle->before || !is_asleep(process))
        idle->quiet_since = now;
    idle->before = used;
    if (used - idle->used >= limit)
        return IDLE_LOOPS;
    double next = idle->suspected > 0 ? 2 * idle->suspected : SUSPECT_SECONDS;
    if (used - idle->used >= next) {
        idle->suspected = used - idle->used;
        return IDLE_SUSPECT;
    }
    return now - idle->quiet_since >= BLOCKED_SECONDS ? IDLE_BLOCKS : IDLE_WORKS;
}

double idle_used(const struct idle_child *idle, pid_t process)
{
    double used = processor_time(process);
    return idle->watched && used > idle->used ? used - idle->used : 0;
}

/* --- What it is blocked in --- */

static const struct {
    long number;
    const char *name;
} calls[] = {
    {SYS_read, "read"},
    {SYS_write, "write"},
    {SYS_readv, "readv"},
    {SYS_writev, "writev"},
    {SYS_open, "open"},
    {SYS_openat, "openat"},
    {SYS_flock, "flock"},
    {SYS_fcntl, "fcntl"},
    {SYS_wait4, "wait4"},
    {SYS_waitid, "waitid"},
    {SYS_futex, "futex"},
    {SYS_nanosleep, "nanosleep"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
    {SYS_pause, "pause"},
    {SYS_rt_sigsuspend, "sigsuspend"},
    {SYS_rt_sigtimedwait, "sigtimedwait"},
    {SYS_poll, "poll"},
    {SYS_ppoll, "ppoll"},
    {SYS_select, "select"},
    {SYS_pselect6, "pselect"},
    {SYS_epoll_wait, "epoll_wait"},
    {SYS_epoll_pwait, "epoll_pwait"},
    {SYS_accept, "accept"},
    {SYS_accept4, "accept4"},
    {SYS_connect, "connect"},
    {SYS_recvfrom, "recvfrom"},
    {SYS_recvmsg, "recvmsg"},
    {SYS_sendto, "sendto"},
    {SYS_sendmsg, "sendmsg"},
    {SYS_msgrcv, "msgrcv"},
    {SYS_msgsnd, "msgsnd"},
    {SYS_semop, "semop"},
    {SYS_semtimedop, "semtimedop"},
    {SYS_mq_timedreceive, "mq_timedreceive"},
    {SYS_mq_timedsend, "mq_timedsend"},
    {SYS_io_getevents, "io_getevents"},
};

bool idle_blocked_in(pid_t process, char *text, size_t size)
{
    char line[256];
    long number;
    if (!is_asleep(process) || read_proc(process, "syscall", line, sizeof line) == 0 ||
        sscanf(line, "%ld", &number) != 1 || number < 0)
        return false;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == number) {
            snprintf(text, size, "%s", calls[i].name);
            return true;
        }
    snprintf(text, size, "system call %ld", number);
    return true;
}
