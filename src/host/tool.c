/* See tool.h. The child of vfork() borrows our memory until it runs another program: it makes
 * system calls only, and everything it needs is prepared before. */
#define _GNU_SOURCE
#include "host/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/buffer.h"
#include "host/guardian.h"
#include "host/temporary.h"

#define RUNNING_MOST 16

extern char **environ;

static _Atomic pid_t running[RUNNING_MOST];

void tool_kill_all(void)
{
    for (int i = 0; i < RUNNING_MOST; i++)
        if (running[i] > 0) {
            kill(-running[i], SIGKILL);
            kill(running[i], SIGKILL);
        }
}

static void replace_running(pid_t old, pid_t new)
{
    for (int i = 0; i < RUNNING_MOST; i++)
        if (running[i] == old) {
            running[i] = new;
            return;
        }
}

/* Our environment with another TMPDIR; NULL: unchanged. `variable` is malloc'd. */
static char **environment_of(const struct tool *tool, char **variable)
{
    size_t count = 0, kept = 0;
    if (!tool->temporary)
        return NULL;
    while (environ[count])
        count++;
    char **list = allocate((count + 2) * sizeof *list);
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0)
            list[kept++] = environ[i];
    list[kept] = *variable = format_text("TMPDIR=%s", tool->temporary);
    return list;
}

static bool connect_to(int wanted, int standard, int nothing)
{
    int from = wanted == TOOL_NOTHING ? nothing : wanted;
    if (wanted == TOOL_SAME || from == standard)
        return true;
    return dup2(from, standard) >= 0;
}

/* A tool that reads its input from the terminal must stay in the foreground. */
static bool reads_terminal(const struct tool *tool)
{
    for (char *const *word = tool->arguments; *word; word++)
        if (strcmp(*word, "-") == 0)
            return tool->input == TOOL_SAME && isatty(STDIN_FILENO);
    return false;
}

/* Our handlers must not run in the child, which borrows our memory. */
static void reset_handlers(void)
{
    struct sigaction now, plain = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++)
        if (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaction(number, &plain, NULL);
}

struct departure {
    const struct tool *tool;
    char *const *environment;
    int nothing; /* /dev/null */
    bool own_group;
    bool dies_with_us;
    pid_t parent;
    const sigset_t *signals;
};

/* Only lower: what the user has limited stays so. */
static bool limit_space(size_t bytes)
{
    struct rlimit limit;
    if (!bytes || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur <= bytes)
        return true;
    limit.rlim_cur = bytes;
    return setrlimit(RLIMIT_AS, &limit) == 0;
}

static _Noreturn void exec_tool(const struct departure *departure, volatile int *error)
{
    const struct tool *tool = departure->tool;
    struct rlimit limit = {tool->seconds, tool->seconds};
    if (departure->own_group)
        setpgid(0, 0);
    if (departure->dies_with_us)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == departure->parent &&
        connect_to(tool->input, STDIN_FILENO, departure->nothing) &&
        connect_to(tool->output, STDOUT_FILENO, departure->nothing) &&
        connect_to(tool->errors, STDERR_FILENO, departure->nothing) &&
        (!tool->directory || chdir(tool->directory) == 0) &&
        (!tool->seconds || setrlimit(RLIMIT_CPU, &limit) == 0) && limit_space(tool->bytes)) {
        reset_handlers();
        sigprocmask(SIG_SETMASK, departure->signals, NULL);
        execvpe(tool->arguments[0], tool->arguments, departure->environment);
    }
    *error = errno;
    _exit(127);
}

/* A separate function: vfork() returns twice, and registers may hold anything then. */
static __attribute__((noinline)) pid_t launch_tool(const struct departure *departure,
                                                   volatile int *error)
{
    pid_t child = vfork();
    if (child == 0)
        exec_tool(departure, error);
    if (child < 0)
        *error = errno;
    else if (*error)
        waitpid(child, NULL, 0);
    else
        replace_running(0, child);
    return child;
}

/* Signals are blocked until we have noted the tool, so that they end it with us; the tool
 * itself gets them at once. */
pid_t tool_start(const struct tool *tool)
{
    char *variable = NULL;
    char **environment = environment_of(tool, &variable);
    sigset_t all, before;
    volatile int error = 0;
    temporary_catch_signals();
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    struct departure departure = {
        .tool = tool,
        .environment = environment ? environment : environ,
        .nothing = open("/dev/null", O_RDWR | O_CLOEXEC),
        .own_group = !reads_terminal(tool),
        .dies_with_us =
            gettid() == getpid(), /* otherwise it would die with the thread that starts it */
        .parent = getpid(),
        .signals = &before,
    };
    pid_t child = launch_tool(&departure, &error);
    if (departure.nothing >= 0)
        close(departure.nothing);
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(environment);
    free(variable);
    if (error) {
        errno = error;
        return 0;
    }
    if (departure.own_group)
        guard_group(child);
    return child;
}

static void forget_tool(pid_t child)
{
    replace_running(child, 0);
    unguard_group(child);
}

bool tool_wait(pid_t child, int *status)
{
    pid_t ended;
    while ((ended = waitpid(child, status, 0)) < 0 && errno == EINTR)
        ;
    forget_tool(child);
    return ended == child;
}

bool tool_poll(pid_t child, int *status)
{
    pid_t ended = waitpid(child, status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return false;
    if (ended < 0)
        *status = 127 << 8;
    forget_tool(child);
    return true;
}

void tool_stop(pid_t child)
{
    int status;
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    tool_wait(child, &status);
}

int tool_run(const struct tool *tool)
{
    int status;
    pid_t child = tool_start(tool);
    if (child == 0 || !tool_wait(child, &status))
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
