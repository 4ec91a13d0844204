/* See temporary.h. The handler uses system calls only: it may interrupt anything.
 *
 * Invariant: while a directory exists its path is in a slot, whole (but for the instant between
 * making it and noting it). */
#define _GNU_SOURCE
#include "cli/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/files.h"
#include "report/buffer.h"

#define SLOTS 16 /* a model has one per check that is being prepared */

static char *_Atomic made[SLOTS];
static _Atomic pid_t writer;
static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/* remove_directory() for a signal handler: files only, as everything made here has. */
static void remove_now(const char *path)
{
    char entries[4096];
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (directory < 0)
        return;
    for (long got; (got = syscall(SYS_getdents64, directory, entries, sizeof entries)) > 0;)
        for (long at = 0; at < got;) {
            const struct dirent64 *entry = (const struct dirent64 *)(entries + at);
            unlinkat(directory, entry->d_name, 0);
            at += entry->d_reclen;
        }
    close(directory);
    rmdir(path);
}

static void end(int number)
{
    if (writer > 0)
        kill(writer, SIGTERM);
    for (int i = 0; i < SLOTS; i++) {
        const char *path = made[i];
        if (path)
            remove_now(path);
    }
    raise(number); /* the handler is gone (SA_RESETHAND): ends with this signal */
}

/* What somebody else handles ends in good order, and is ignored where that was asked for. */
static void catch_signals(void)
{
    static bool done;
    struct sigaction action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
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

bool temporary_make(char *path)
{
    catch_signals();
    if (!mkdtemp(path))
        return false;
    for (int i = 0; i < SLOTS; i++)
        if (!made[i]) {
            made[i] = copy_text(path);
            break;
        }
    return true;
}

void temporary_remove(const char *path)
{
    remove_directory(path);
    for (int i = 0; i < SLOTS; i++) {
        char *known = made[i];
        if (known && strcmp(known, path) == 0) {
            made[i] = NULL;
            free(known);
        }
    }
}

void temporary_writer(pid_t process)
{
    writer = process;
}
