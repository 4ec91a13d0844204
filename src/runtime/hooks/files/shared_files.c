/* Files and streams that several threads use.
 *
 * As long as only one thread uses a file or stream, reading and writing it is not an operation:
 * programs do it byte by byte. When a second thread uses it, the search learns that and starts
 * over. Printing is not an operation either, since the program does not read the output
 * back. */
#include <stdio.h>

#include "runtime/access/caller.h"
#include "runtime/access/objects.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/hooks/files/scratch.h"
#include "runtime/memory/heap.h"

void shared_files_begin(void)
{
    rt.shares_files = lessons_have(&rt.board->lessons, LESSON_FILES);
}

/* A path is the caller's text; a relative one depends on the working directory. */
void shared_look_path(const char *path, uint64_t pc)
{
    if (path)
        caller_reads(path, rawmem_length(path) + 1, pc);
    if (path && path[0] != '/')
        shared_look_state(SHARED_DIRECTORY, pc);
    scratch_look(pc);
}

void shared_use_file(uint64_t object, int flags, uint64_t pc)
{
    struct op op = op_make(OP_SHARED, flags, NULL, pc);
    if (rt.used == 1)
        return;
    if (scratch_is_on())
        object = OBJECT_SHARED(SHARED_FILES);
    if (!rt.shares_files && shared_has_another_user(object))
        shared_learn(LESSON_FILES, 0);
    if (!rt.shares_files && !(flags & OP_GLOBAL))
        return;
    op.object[op.nobjects++] = object;
    schedule_visible(&op);
}

/* libc's own streams, even if the program has assigned to `stdout`. */
extern FILE _IO_2_1_stdout_, _IO_2_1_stderr_;

/* The program does not read back its standard output and error, unless it has redirected them
 * to one of its files. */
static bool is_output(const void *file)
{
    return (file == &_IO_2_1_stdout_ || file == &_IO_2_1_stderr_) &&
           descriptor_of(((const FILE *)file)->_fileno)->channel == 0;
}

/* `member`: a part of the stream for which no other access is announced. */
static void use_between_threads(const void *file, const int *member, uint64_t pc)
{
    files_changed(); /* the file position is restored after the execution */
    shared_use_file((uint64_t)(uintptr_t)file, OP_READS | OP_WRITES, pc);
    if (heap_contains((uint64_t)(uintptr_t)file)) /* fclose() frees it */
        object_use(member, sizeof *member, pc);
}

void directory_use(const void *directory, uint64_t pc)
{
    use_between_threads(directory, directory, pc);
}

void stream_use_unlocked(FILE *file, uint64_t pc)
{
    memstream_use(file, pc);
    if (!is_output(file))
        use_between_threads(file, &file->_fileno, pc);
}

void stream_use(FILE *file, uint64_t pc)
{
    stream_use_unlocked(file, pc);
    stream_hold(file, true, pc);
}

FILE *stream_standard(FILE **variable, uint64_t pc)
{
    caller_reads(variable, sizeof *variable, pc);
    return *variable;
}

void stream_look(FILE *file, uint64_t pc)
{
    stream_use_unlocked(file, pc);
    stream_hold(file, false, pc);
}
