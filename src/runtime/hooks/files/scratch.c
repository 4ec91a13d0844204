/* Files that the program writes. Restoring the initial state does not undo writes to files, so
 * they are noted in the result; with --scratch they are undone.
 *
 *     DIR/mazur-XXXXXX          made and removed by the command
 *     DIR/mazur-XXXXXX/run      the program's working directory: made for each execution
 *                               in the process forked for it; the driver empties it afterwards
 *
 * The name is the same in every execution, so a program that reads it stays deterministic. Only
 * writes under that directory are undone; a file elsewhere is noted as without --scratch.
 *
 * Invariant: nothing outside the command's own directory is ever removed (links are not
 * followed). System calls only, no libc. */
#include "runtime/hooks/files/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/memory/memory.h"

#define DEPTH_MAX  64 /* nested directories that are removed */
#define NAME_SHOWN 100

struct entry { /* of getdents64(2) */
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[];
};

static bool begins_with(const char *text, const char *prefix)
{
    while (*prefix && *text == *prefix) {
        text++;
        prefix++;
    }
    return *prefix == 0;
}

static bool is_dots(const char *name)
{
    return name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0));
}

static long open_directory(int parent, const char *name)
{
    return raw_syscall4(SYS_openat, parent, (long)name,
                        O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
}

static void empty_directory(int directory, int depth);

static void remove_entry(int directory, const char *name, int depth)
{
    if (raw_syscall3(SYS_unlinkat, directory, (long)name, 0) != -EISDIR)
        return;
    raw_syscall4(SYS_fchmodat, directory, (long)name, S_IRWXU, 0);
    long inner = open_directory(directory, name);
    if (inner >= 0) {
        empty_directory((int)inner, depth + 1);
        raw_syscall1(SYS_close, inner);
    }
    raw_syscall3(SYS_unlinkat, directory, (long)name, AT_REMOVEDIR);
}

/* Reading restarts after each batch, since removing entries changes the directory; a batch that
 * removes nothing ends the loop. */
static void empty_directory(int directory, int depth)
{
    char bytes[2048] __attribute__((aligned(8)));
    if (depth > DEPTH_MAX)
        return;
    for (uint64_t last = 0;;) {
        raw_syscall3(SYS_lseek, directory, 0, SEEK_SET);
        long got = raw_syscall3(SYS_getdents64, directory, (long)bytes, sizeof bytes);
        uint64_t first = 0;
        for (long at = 0; at < got;) {
            const struct entry *entry = (const struct entry *)(bytes + at);
            at += entry->length;
            if (is_dots(entry->name))
                continue;
            first = first ? first : entry->inode;
            remove_entry(directory, entry->name, depth);
        }
        if (first == 0 || first == last)
            return;
        last = first;
    }
}

static const char *scratch_directory(void)
{
    return rt.board->config.scratch;
}

void scratch_enter(void)
{
    if (scratch_directory()[0] == 0)
        return;
    raw_syscall2(SYS_mkdir, (long)scratch_directory(), S_IRWXU);
    if (raw_syscall1(SYS_chdir, (long)scratch_directory()) != 0)
        rt_starved("the scratch directory can't be entered");
}

void scratch_clear(void)
{
    if (scratch_directory()[0] == 0)
        return;
    long top = open_directory(AT_FDCWD, scratch_directory());
    if (top < 0)
        return;
    empty_directory((int)top, 0);
    raw_syscall1(SYS_close, top);
    raw_syscall3(SYS_unlinkat, AT_FDCWD, (long)scratch_directory(), AT_REMOVEDIR);
}

bool scratch_is_on(void)
{
    return scratch_directory()[0] != 0;
}

void scratch_look(uint64_t pc)
{
    if (scratch_is_on())
        shared_use(SHARED_FILES, pc);
}

/* Is the file inside the scratch directory, and so undone with it? A path with ".." may lead
 * anywhere. */
static bool is_undone(const char *path)
{
    char here[BOARD_PATH];
    if (!scratch_is_on())
        return false;
    for (const char *at = path; *at; at++)
        if (begins_with(at, "../") || (begins_with(at, "..") && at[2] == 0))
            return false;
    if (path[0] == '/')
        return begins_with(path, scratch_directory());
    return raw_syscall2(SYS_getcwd, (long)here, sizeof here) > 0 &&
           begins_with(here, scratch_directory());
}

/* One sentence for all files, with the name of the first. Mazur does not know whether the
 * program reads what another execution wrote, so the search can no longer be complete. */
void scratch_note_writing(const char *path)
{
    char text[CLAIM_DETAIL];
    uint32_t n = 0;
    if (!path || is_undone(path) || claim_has(&rt.board->claim, REASON_FILES_CHANGED))
        return;
    for (; path[n] && n < NAME_SHOWN; n++)
        text[n] = path[n] >= ' ' ? path[n] : '?';
    text[n] = 0;
    raise_reason(REASON_FILES_CHANGED, text);
}
