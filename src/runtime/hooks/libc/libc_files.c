/* Effects of functions in hooks.def on streams and files. */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/uio.h>

#include "runtime/access/caller.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/hooks/files/scratch.h"
#include "runtime/hooks/libc/libc_table.h"
#include "runtime/memory/snapshot.h"

#define POINTER_AT(number) ((void *)argument[(number)-1])
#define TEXT_AT(number)    ((char *)argument[(number)-1])
#define NUMBER_AT(number)  (argument[(number)-1])

/* --- Streams: the number in a name is the argument --- */

#define USES_STREAM(name, use, at)                                                             \
    void libc_##name(const uint64_t *argument, uint64_t pc)                                    \
    {                                                                                          \
        use(POINTER_AT(at), pc);                                                               \
    }
#define USES_STANDARD_STREAM(name, use, file)                                                  \
    void libc_##name(const uint64_t *argument, uint64_t pc)                                    \
    {                                                                                          \
        (void)argument;                                                                        \
        use(stream_standard(&file, pc), pc);                                                   \
    }

USES_STREAM(reads_stream_1, stream_read, 1)
USES_STREAM(reads_stream_4, stream_read, 4)
USES_STREAM(uses_stream_1, stream_use, 1)
USES_STREAM(uses_stream_2, stream_use, 2)
USES_STREAM(looks_at_stream_1, stream_look, 1)
USES_STREAM(uses_directory_1, directory_use, 1)
USES_STREAM(looks_at_stream_unlocked_1, stream_look_unlocked, 1)
USES_STREAM(changes_stream_unlocked_1, stream_change_unlocked, 1)
USES_STREAM(reads_stream_unlocked_1, stream_read_unlocked, 1)
USES_STREAM(reads_stream_unlocked_3, stream_read_unlocked, 3)
USES_STREAM(reads_stream_unlocked_4, stream_read_unlocked, 4)
USES_STREAM(writes_stream_unlocked_1, stream_write_unlocked, 1)
USES_STREAM(writes_stream_unlocked_2, stream_write_unlocked, 2)
USES_STANDARD_STREAM(reads_standard_input, stream_read, stdin)
USES_STANDARD_STREAM(reads_standard_input_unlocked, stream_read_unlocked, stdin)
USES_STANDARD_STREAM(uses_standard_output, stream_use, stdout)
USES_STANDARD_STREAM(writes_output_unlocked, stream_write_unlocked, stdout)
USES_STANDARD_STREAM(uses_standard_error, stream_use, stderr)

/* fflush_unlocked(3): without a stream it flushes all streams, each under its lock. */
void libc_flushes_stream_unlocked_1(const uint64_t *argument, uint64_t pc)
{
    if (POINTER_AT(1))
        stream_write_unlocked(POINTER_AT(1), pc);
    else
        streams_hold_all(pc);
}

/* alphasort(3): pointers to pointers to entries. */
void libc_compares_entries(const uint64_t *argument, uint64_t pc)
{
    for (int i = 1; i <= 2; i++) {
        const struct dirent *const *entry = POINTER_AT(i);
        caller_reads(entry, sizeof *entry, pc);
        caller_reads((*entry)->d_name, rawmem_length((*entry)->d_name) + 1, pc);
    }
}

/* readdir_r(3p): the caller provides the entry. */
void libc_reads_directory(const uint64_t *argument, uint64_t pc)
{
    directory_use(POINTER_AT(1), pc);
    caller_writes(POINTER_AT(2), offsetof(struct dirent, d_name) + 1, pc);
}

/* --- Paths --- */

/* mktemp(3p) and similar replace the letters of the pattern. */
void libc_fills_pattern(const uint64_t *argument, uint64_t pc)
{
    caller_writes(TEXT_AT(1), rawmem_length(TEXT_AT(1)) + 1, pc);
}

/* nftw(3p), FTW_CHDIR: other threads would see the working directory change. */
void libc_walks_files(const uint64_t *argument, uint64_t pc)
{
    if (NUMBER_AT(4) & FTW_CHDIR)
        shared_change_state(SHARED_DIRECTORY, pc);
}

/* getwd(3): the caller's buffer has PATH_MAX bytes. */
void libc_names_directory(const uint64_t *argument, uint64_t pc)
{
    snapshot_touch(POINTER_AT(1), 4096);
    caller_writes(POINTER_AT(1), 1, pc);
}

/* utimensat(3p); without a path it is what futimens() calls. */
void libc_times_file(const uint64_t *argument, uint64_t pc)
{
    const char *path = TEXT_AT(2);
    if (!path) {
        descriptor_use_file((int)NUMBER_AT(1), pc);
        if (!scratch_is_on())
            failure_uncontrolled("utimensat");
        return;
    }
    if (path[0] != '/' && (int)NUMBER_AT(1) == AT_FDCWD)
        shared_look_state(SHARED_DIRECTORY, pc);
    files_changed();
    scratch_look(pc);
    scratch_note_writing(path);
}

/* shm_open(3p): an object that outlives the process. */
void libc_opens_shared_memory(const uint64_t *argument, uint64_t pc)
{
    (void)pc;
    if (NUMBER_AT(2) & O_CREAT)
        failure_uncontrolled("shm_open");
}

/* --- Descriptors --- */

/* The first of two paths: looking up both files is one operation, which the second path
 * makes. */
static void read_from_path(const char *path, uint64_t pc)
{
    caller_reads_text(path, pc);
    if (path && path[0] != '/')
        shared_look_state(SHARED_DIRECTORY, pc);
}

void libc_reads_from_1(const uint64_t *argument, uint64_t pc)
{
    read_from_path(POINTER_AT(1), pc);
}

void libc_reads_from_2(const uint64_t *argument, uint64_t pc)
{
    read_from_path(POINTER_AT(2), pc);
}

void libc_looks_at_file(const uint64_t *argument, uint64_t pc)
{
    descriptor_look_at_file((int)NUMBER_AT(1), pc);
}

void libc_uses_file(const uint64_t *argument, uint64_t pc)
{
    descriptor_use_file((int)NUMBER_AT(1), pc);
}

void libc_reads_parts(const uint64_t *argument, uint64_t pc)
{
    descriptor_parts_written(POINTER_AT(2), NUMBER_AT(3), pc);
}

void libc_fills_parts(const uint64_t *argument, uint64_t pc)
{
    const struct iovec *part = POINTER_AT(2);
    size_t count = NUMBER_AT(3);
    descriptor_look_at_file((int)NUMBER_AT(1), pc);
    caller_reads(part, count * sizeof *part, pc);
    descriptor_touch_parts(part, count);
    for (size_t i = 0; i < count; i++)
        caller_writes(part[i].iov_base, part[i].iov_len, pc);
}

/* Mazur does not check which of them are pipes between threads. */
void libc_closes_range(const uint64_t *argument, uint64_t pc)
{
    (void)argument;
    shared_change(pc);
    if (rt.used > 1)
        failure_uncontrolled("close_range");
}
