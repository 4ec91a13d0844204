/* See guardian.h. */
#define _GNU_SOURCE
#include "host/guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT        64    /* most groups, and most directories, at a time */
#define DESCRIPTORS 16    /* that nftw may hold open */
#define TRIES       200   /* attempts to empty a directory that a dying process writes to */
#define PAUSE       10000 /* microseconds between them */

enum what { GROUP, GROUP_GONE, DIRECTORY, DIRECTORY_GONE };

struct message {
    enum what what;
    pid_t group;
    char path[PATH_MAX];
};

static struct {
    bool tried;
    int wire;
    pid_t process;
} guardian;

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    remove(path);
    return 0;
}

/* A directory without permissions must be opened up before it can be walked. */
static int open_up(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)place;
    if (type == FTW_D || type == FTW_DNR)
        chmod(path, S_IRWXU);
    return 0;
}

void remove_tree(const char *path)
{
    nftw(path, open_up, DESCRIPTORS, FTW_PHYS);
    nftw(path, remove_one, DESCRIPTORS, FTW_PHYS | FTW_DEPTH);
}

/* --- In the guardian --- */

struct charge {
    pid_t group[KEPT];
    char *path[KEPT];
};

static void take_charge(struct charge *charge, const struct message *message)
{
    for (int i = 0; i < KEPT; i++)
        switch (message->what) {
        case GROUP:
            if (charge->group[i] == 0) {
                charge->group[i] = message->group;
                return;
            }
            break;
        case GROUP_GONE:
            if (charge->group[i] == message->group)
                charge->group[i] = 0;
            break;
        case DIRECTORY:
            if (!charge->path[i]) {
                charge->path[i] = strdup(message->path);
                return;
            }
            break;
        case DIRECTORY_GONE:
            if (charge->path[i] && strcmp(charge->path[i], message->path) == 0) {
                free(charge->path[i]);
                charge->path[i] = NULL;
            }
            break;
        }
}

static void tidy_up(const struct charge *charge)
{
    for (int i = 0; i < KEPT; i++)
        if (charge->group[i] > 1)
            kill(-charge->group[i], SIGKILL);
    for (int i = 0; i < KEPT; i++)
        for (int tries = 0; charge->path[i] && tries < TRIES; tries++) {
            remove_tree(charge->path[i]);
            if (access(charge->path[i], F_OK) != 0)
                break;
            usleep(PAUSE);
        }
}

static void close_all_but(int wire)
{
    if (syscall(SYS_close_range, 0, wire - 1, 0) == 0 &&
        syscall(SYS_close_range, wire + 1, ~0u, 0) == 0)
        return;
    for (int i = 0; i < 1024; i++)
        if (i != wire)
            close(i);
}

static _Noreturn void stand_guard(int wire)
{
    static struct message message;
    static struct charge charge;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    setsid();
    prctl(PR_SET_NAME, "mazur-guard");
    close_all_but(wire);
    if (chdir("/") != 0)
        _exit(1);
    for (ssize_t got;;) {
        got = recv(wire, &message, sizeof message, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < (ssize_t)offsetof(struct message, path))
            break;
        take_charge(&charge, &message);
    }
    tidy_up(&charge);
    _exit(0);
}

/* --- In the command --- */

/* At a normal exit nothing is left to do, and the guardian must not stay behind. */
static void dismiss_guardian(void)
{
    close(guardian.wire);
    while (waitpid(guardian.process, NULL, 0) < 0 && errno == EINTR)
        ;
}

static bool have_guardian(void)
{
    int ends[2];
    if (guardian.tried)
        return guardian.process > 0;
    guardian.tried = true;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fflush(NULL);
    guardian.process = fork();
    if (guardian.process == 0) {
        close(ends[0]);
        stand_guard(ends[1]);
    }
    close(ends[1]);
    guardian.wire = ends[0];
    if (guardian.process < 0)
        close(ends[0]);
    else
        atexit(dismiss_guardian);
    return guardian.process > 0;
}

static void tell_guardian(enum what what, pid_t group, const char *path)
{
    struct message message = {.what = what, .group = group};
    if (!have_guardian())
        return;
    size_t length = (size_t)snprintf(message.path, sizeof message.path, "%s", path);
    if (length < sizeof message.path)
        send(guardian.wire, &message, offsetof(struct message, path) + length + 1,
             MSG_NOSIGNAL);
}

void guard_group(pid_t group)
{
    tell_guardian(GROUP, group, "");
}

void unguard_group(pid_t group)
{
    tell_guardian(GROUP_GONE, group, "");
}

void guard_directory(const char *path)
{
    tell_guardian(DIRECTORY, 0, path);
}

void unguard_directory(const char *path)
{
    tell_guardian(DIRECTORY_GONE, 0, path);
}
