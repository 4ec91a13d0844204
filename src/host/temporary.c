/* See temporary.h. The handler uses system calls only: it may interrupt anything.
 *
 * Invariant: while a directory exists, its path is in a slot (except for the instant between
 * making it and noting it) and its lock is held. */
#define _GNU_SOURCE
#include "host/temporary.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host/buffer.h"
#include "host/guardian.h"
#include "host/tool.h"

#define SLOTS         16    /* a model has one per check that is being prepared */
#define TRIES         100   /* attempts to empty a directory that a dying compiler writes to */
#define SUFFIX        6     /* characters of a name that are chosen at random */
#define STALE_SECONDS 60    /* a directory may be without a lock for an instant */
#define SWEPT_MOST    10000 /* most names that are read from a crowded directory */

static struct {
    char *_Atomic path;
    int lock;
} made[SLOTS];
static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGSEGV,
                             SIGBUS, SIGFPE,  SIGILL, SIGABRT};

/* remove_tree() for a signal handler; only files, no subdirectories: compilers make no others.
 */
static bool remove_now(const char *path)
{
    char entries[4096];
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (directory < 0)
        return true;
    for (long got; (got = syscall(SYS_getdents64, directory, entries, sizeof entries)) > 0;)
        for (long at = 0; at < got;) {
            const struct dirent64 *entry = (const struct dirent64 *)(entries + at);
            unlinkat(directory, entry->d_name, 0);
            at += entry->d_reclen;
        }
    close(directory);
    return rmdir(path) == 0;
}

static void end_by_signal(int number)
{
    tool_kill_all();
    for (int i = 0; i < SLOTS; i++) {
        const char *path = made[i].path;
        struct timespec pause = {.tv_nsec = 2000000};
        for (int tries = 0; path && tries < TRIES && !remove_now(path); tries++)
            nanosleep(&pause, NULL);
    }
    raise(number); /* the handler is gone (SA_RESETHAND): ends with this signal */
}

/* Does not change signals that are already handled or ignored. */
void temporary_catch_signals(void)
{
    static bool done;
    struct sigaction action = {.sa_handler = end_by_signal,
                               .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
    for (size_t i = 0; !done && i < sizeof deadly / sizeof *deadly; i++) {
        struct sigaction now;
        if (sigaction(deadly[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(deadly[i], &action, NULL);
    }
    done = true;
}

const char *temporary_parent(void)
{
    const char *parent = getenv("TMPDIR");
    return parent && *parent ? parent : "/tmp";
}

/* Is it one of our directories whose lock nobody holds any more? The cache "mazur-1000" is
 * not. */
static bool is_stale(int parent, const char *name, const char *prefix)
{
    struct stat status;
    const char *suffix = name + strlen(prefix);
    bool digits = true;
    if (!begins_with(name, prefix) || strlen(suffix) != SUFFIX)
        return false;
    for (const char *at = suffix; *at; at++)
        digits = digits && isdigit((unsigned char)*at);
    if (digits || fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISDIR(status.st_mode) || status.st_uid != geteuid() ||
        time(NULL) - status.st_mtime < STALE_SECONDS)
        return false;
    int directory =
        openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool stale = directory >= 0 && flock(directory, LOCK_EX | LOCK_NB) == 0;
    if (directory >= 0)
        close(directory);
    return stale;
}

/* Remove what a killed command and its killed guardian left here. */
static void sweep_stale(const char *parent, const char *prefix)
{
    DIR *directory = opendir(parent);
    struct dirent *entry;
    for (int seen = 0; directory && seen < SWEPT_MOST && (entry = readdir(directory)); seen++)
        if (is_stale(dirfd(directory), entry->d_name, prefix)) {
            char *path = format_text("%s/%s", parent, entry->d_name);
            remove_tree(path);
            free(path);
        }
    if (directory)
        closedir(directory);
}

static void note_directory(const char *path)
{
    for (int i = 0; i < SLOTS; i++)
        if (!made[i].path) {
            made[i].lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (made[i].lock >= 0)
                flock(made[i].lock, LOCK_EX | LOCK_NB);
            made[i].path = copy_text(path);
            break;
        }
}

/* Replaces the last six characters with letters that nobody can guess. (The cache's name has
 * digits.) */
static void choose_name(char *path)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    unsigned char random[SUFFIX];
    char *suffix = path + strlen(path) - SUFFIX;
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        memset(random, (int)getpid(), sizeof random);
    for (int i = 0; i < SUFFIX; i++)
        suffix[i] = letters[random[i] % (sizeof letters - 1)];
}

/* The guardian learns of the directory before it exists, so that a kill at any instant leaves
 * nothing behind. False with errno set. */
static bool make_guarded(char *path)
{
    for (int tries = 0; tries < TRIES; tries++) {
        choose_name(path);
        if (access(path, F_OK) == 0)
            continue;
        guard_directory(path);
        if (mkdir(path, 0700) == 0)
            return true;
        int error = errno;
        unguard_directory(path);
        errno = error;
        if (error != EEXIST)
            return false;
    }
    return false;
}

char *temporary_make(const char *parent, const char *prefix)
{
    char *whole = realpath(
        parent,
        NULL); /* absolute: the guardian runs in another directory, and we may change ours */
    if (!whole)
        return NULL;
    temporary_catch_signals();
    sweep_stale(whole, prefix);
    char *path = format_text("%s/%sXXXXXX", whole, prefix);
    free(whole);
    if (make_guarded(path)) {
        note_directory(path);
        return path;
    }
    int error = errno;
    free(path);
    errno = error;
    return NULL;
}

void temporary_remove(const char *path)
{
    remove_tree(path);
    for (int i = 0; i < SLOTS; i++) {
        char *known = made[i].path;
        if (known && strcmp(known, path) == 0) {
            made[i].path = NULL;
            if (made[i].lock >= 0)
                close(made[i].lock);
            free(known);
        }
    }
    unguard_directory(path);
}
