/* Opening and closing files, and other calls on a file by its name or stream. All copies of the
 * descriptor that open() returned share the file's position. Functions that need no code here
 * have only a row in files.def. */
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "runtime/access/caller.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/hooks/files/scratch.h"
#include "runtime/hooks/policy/forward.h"

/* Forgets what the number referred to, before it can be given out again. */
static void forget_number(FILE *file)
{
    int fd = file->_fileno;
    if (fd >= 0)
        descriptor_set(fd, DESCRIPTOR_OUTSIDE, 0);
}

FORWARD(int, fclose, (FILE * file), (file), files_take_number(CALLER);
        memstream_close(file, CALLER); stream_hold(file, true, CALLER); forget_number(file))

static bool begins_with(const char *path, const char *prefix)
{
    size_t i = 0;
    while (prefix[i] && path[i] == prefix[i])
        i++;
    return prefix[i] == 0;
}

static bool is_device(const char *path)
{
    return begins_with(path, "/dev/");
}

/* proc(5): most of its files describe what changes all the time. */
static void note_source(const char *path)
{
    static const char *const lasting[] = {"/proc/cpuinfo",      "/proc/filesystems",
                                          "/proc/self/cmdline", "/proc/self/exe",
                                          "/proc/sys/",         "/proc/version"};
    if (!path || !under_control() || !begins_with(path, "/proc/"))
        return;
    for (size_t i = 0; i < sizeof lasting / sizeof *lasting; i++)
        if (begins_with(path, lasting[i]))
            return;
    raise_reason(REASON_OUTSIDE, "files in /proc");
}

/* fopen(3p): every mode but "r" without "+" may change the file. */
static const char *path_if_written(const char *path, const char *mode)
{
    bool writes = mode[0] != 'r';
    for (size_t i = 0; mode[i] && mode[i] != ','; i++)
        writes = writes || mode[i] == '+';
    return writes && path && !is_device(path) ? path : NULL;
}

static void begin_stream(const char *path, const char *mode, uint64_t pc)
{
    caller_reads_text(path, pc);
    caller_reads_text(mode, pc);
    files_take_number(pc);
    scratch_note_writing(path_if_written(path, mode));
    note_source(path);
}

/* For calls that return the descriptor itself. */
#define OPENS(name, parameters, arguments, path)                                               \
    FORWARD_RESULT(int, name, parameters, arguments, caller_reads_text(path, CALLER);          \
                   files_take_number(CALLER); scratch_note_writing(path), note_opened(result))
/* mkstemp(3p): the letters at the end of the pattern are replaced. */
#define OPENS_PATTERN(name, parameters, arguments)                                             \
    FORWARD_RESULT(int, name, parameters, arguments,                                           \
                   caller_writes(pattern, rawmem_length(pattern) + 1, CALLER);                 \
                   files_take_number(CALLER);                                                  \
                   scratch_note_writing(pattern), note_opened(result))

static void note_opened(int fd)
{
    if (fd >= 0)
        descriptor_set(fd, DESCRIPTOR_OUTSIDE, descriptor_new_channel());
}

FORWARD(FILE *, fopen, (const char *restrict path, const char *restrict mode), (path, mode),
        begin_stream(path, mode, CALLER))
FORWARD(FILE *, fopen64, (const char *restrict path, const char *restrict mode), (path, mode),
        begin_stream(path, mode, CALLER))
FORWARD_RESULT(FILE *, freopen,
               (const char *restrict path, const char *restrict mode, FILE *restrict file),
               (path, mode, file), begin_stream(path, mode, CALLER);
               stream_hold(file, true, CALLER), if (result) note_opened(result->_fileno))
FORWARD_RESULT(FILE *, freopen64,
               (const char *restrict path, const char *restrict mode, FILE *restrict file),
               (path, mode, file), begin_stream(path, mode, CALLER);
               stream_hold(file, true, CALLER), if (result) note_opened(result->_fileno))
OPENS(creat, (const char *path, mode_t mode), (path, mode), path)
OPENS(creat64, (const char *path, mode_t mode), (path, mode), path)
OPENS_PATTERN(mkstemp, (char *pattern), (pattern))
OPENS_PATTERN(mkstemp64, (char *pattern), (pattern))
OPENS_PATTERN(mkstemps, (char *pattern, int suffix), (pattern, suffix))
OPENS_PATTERN(mkstemps64, (char *pattern, int suffix), (pattern, suffix))
OPENS_PATTERN(mkostemp, (char *pattern, int flags), (pattern, flags))
OPENS_PATTERN(mkostemp64, (char *pattern, int flags), (pattern, flags))
FORWARD_RESULT(int, memfd_create, (const char *name, unsigned flags), (name, flags),
               caller_reads_text(name, CALLER);
               files_take_number(CALLER), note_opened(result))
FORWARD(char *, mkdtemp, (char *pattern), (pattern), files_changed();
        caller_writes(pattern, rawmem_length(pattern) + 1, CALLER);
        shared_look_path(pattern, CALLER); scratch_note_writing(pattern))

FORWARD(int, fchmod, (int fd, mode_t mode), (fd, mode), descriptor_use_file(fd, CALLER);
        if (descriptor_is_inside(fd)) shared_change_state(SHARED_FLAGS, CALLER))
static void hold_flushed(FILE *file, uint64_t pc)
{
    if (file)
        stream_hold(file, true, pc);
    else
        streams_hold_all(pc);
}

FORWARD(int, fflush, (FILE * file), (file), files_changed(); scratch_look(CALLER);
        memstream_use(file, CALLER); memstream_flush(file, CALLER); hold_flushed(file, CALLER))
FORWARD(int, access, (const char *path, int mode), (path, mode), files_changed();
        shared_look_path(path, CALLER))
FORWARD(int, faccessat, (int directory, const char *path, int mode, int flags),
        (directory, path, mode, flags), files_changed();
        number_look(directory, CALLER); shared_look_path(path, CALLER))

static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

/* All copies of this descriptor share the file's position. */
static int open_at(int directory, const char *path, int flags, mode_t mode, uint64_t pc)
{
    if (under_control()) {
        caller_reads_text(path, pc);
        shared_use(SHARED_FILES, pc);
        note_source(path);
    }
    long fd = raw_syscall4(SYS_openat, directory, (long)path, flags, mode);
    if (under_control() && fd >= 0) {
        bool random = same_text(path, "/dev/urandom") || same_text(path, "/dev/random");
        if (random)
            descriptor_set((int)fd, DESCRIPTOR_RANDOM, 0);
        else
            descriptor_set((int)fd, DESCRIPTOR_OUTSIDE, descriptor_new_channel());
        if ((flags & O_ACCMODE) != O_RDONLY && descriptor_is_regular((int)fd))
            scratch_note_writing(path);
    }
    return (int)descriptor_result(fd);
}

#define OPEN_MODE                                                                              \
    mode_t mode = 0;                                                                           \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                       \
        va_list list;                                                                          \
        va_start(list, flags);                                                                 \
        mode = va_arg(list, mode_t);                                                           \
        va_end(list);                                                                          \
    }

EXPORT int open(const char *path, int flags, ...)
{
    OPEN_MODE
    return open_at(AT_FDCWD, path, flags, mode, CALLER);
}

EXPORT int open64(const char *path, int flags, ...)
{
    OPEN_MODE
    return open_at(AT_FDCWD, path, flags, mode, CALLER);
}

EXPORT int openat(int directory, const char *path, int flags, ...)
{
    OPEN_MODE
    return open_at(directory, path, flags, mode, CALLER);
}

EXPORT int openat64(int directory, const char *path, int flags, ...)
{
    OPEN_MODE
    return open_at(directory, path, flags, mode, CALLER);
}

/* What open() without a mode becomes with _FORTIFY_SOURCE. */
EXPORT int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0, CALLER);
}

EXPORT int __open64_2(const char *path, int flags);
int __open64_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0, CALLER);
}

EXPORT int __openat_2(int directory, const char *path, int flags);
int __openat_2(int directory, const char *path, int flags)
{
    return open_at(directory, path, flags, 0, CALLER);
}

EXPORT int __openat64_2(int directory, const char *path, int flags);
int __openat64_2(int directory, const char *path, int flags)
{
    return open_at(directory, path, flags, 0, CALLER);
}
