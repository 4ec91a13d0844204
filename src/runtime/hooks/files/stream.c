/* Streams of stdio: each call is a use of its stream (shared_files.c: an operation when threads
 * share it), and reads or writes its caller's memory. printf and scanf have their own files
 * (print.c, scan.c). */
#include <features.h>
#undef __USE_EXTERN_INLINES /* getline() and getchar() are functions here */

#include "runtime/access/caller.h"
#include "runtime/arch/compiler.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/memory/snapshot.h"

#include <dirent.h>
#include <stdio.h>
#include <wchar.h>

#undef getc /* may be macros */
#undef putc
#undef getchar
#undef putchar
#undef getc_unlocked
#undef putc_unlocked
#undef fread_unlocked
#undef fwrite_unlocked
#undef feof
#undef ferror
#undef clearerr

#define STREAM(type, name, parameters, arguments)                                              \
    FORWARD(type, name, parameters, arguments, stream_use(file, CALLER))

/* The first wide character fixes the stream's encoding to the locale's. */
#define STREAM_WIDE(type, name, parameters, arguments, use)                                    \
    FORWARD(type, name, parameters, arguments, shared_look_state(SHARED_LOCALE, CALLER);       \
            use(file, CALLER))

/* --- Reading --- */

/* libc reads the next part of the file into the stream's buffer. The kernel must be able to
 * write there, even if the buffer is from before main. */
static void prepare_buffer(const FILE *stream)
{
    snapshot_touch(stream->_IO_buf_base, (size_t)(stream->_IO_buf_end - stream->_IO_buf_base));
    if (stream->_IO_read_ptr >= stream->_IO_read_end)
        files_note_stream(stream->_fileno);
}

void stream_read(FILE *file, uint64_t pc)
{
    stream_use(file, pc);
    prepare_buffer(file);
}

/* Functions that do not take the stream's lock. In optimised programs some of them are macros,
 * and they access the stream as the macros do; they race if their callers do not lock it
 * (flockfile(3p)). All of them use the word with the flags (end of file, error, what the buffer
 * holds).
 */
void stream_look_unlocked(FILE *file, uint64_t pc)
{
    stream_use_unlocked(file, pc);
    caller_reads(&file->_flags, sizeof file->_flags, pc);
}

void stream_change_unlocked(FILE *file, uint64_t pc)
{
    stream_use_unlocked(file, pc);
    caller_writes(&file->_flags, sizeof file->_flags, pc);
}

void stream_read_unlocked(FILE *file, uint64_t pc)
{
    stream_change_unlocked(file, pc);
    prepare_buffer(file);
    caller_writes(&file->_IO_read_ptr, sizeof file->_IO_read_ptr, pc);
}

void stream_write_unlocked(FILE *file, uint64_t pc)
{
    stream_change_unlocked(file, pc);
    caller_writes(&file->_IO_write_ptr, sizeof file->_IO_write_ptr, pc);
}

#define STREAM_READ(type, name, parameters, arguments)                                         \
    EXPORT type name parameters;                                                               \
    FORWARD(type, name, parameters, arguments, stream_read(file, CALLER))

STREAM_READ(int, fgetc, (FILE * file), (file))
STREAM_READ(int, getc, (FILE * file), (file))
FORWARD(int, fgetc_unlocked, (FILE * file), (file), stream_read_unlocked(file, CALLER))
FORWARD(int, getc_unlocked, (FILE * file), (file), stream_read_unlocked(file, CALLER))
STREAM(int, ungetc, (int character, FILE *file), (character, file))
STREAM_READ(int, getw, (FILE * file), (file))
FORWARD(int, feof, (FILE * file), (file), stream_look(file, CALLER))
FORWARD(int, ferror, (FILE * file), (file), stream_look(file, CALLER))
STREAM(void, clearerr, (FILE * file), (file))
STREAM_WIDE(wint_t, ungetwc, (wint_t character, FILE *file), (character, file), stream_use)
STREAM_WIDE(wint_t, fgetwc, (FILE * file), (file), stream_read)
STREAM_WIDE(wint_t, getwc, (FILE * file), (file), stream_read)
FORWARD(int, getchar, (void), (), stream_read(stream_standard(&stdin, CALLER), CALLER))
/* What getc_unlocked() is in optimised programs, when the buffer is empty. */
EXPORT int __uflow(FILE *file);
FORWARD(int, __uflow, (FILE * file), (file), stream_read_unlocked(file, CALLER))

static void line_read(char *line, uint64_t pc)
{
    if (line)
        caller_writes(line, rawmem_length(line) + 1, pc);
}

#define READS_LINE(use, name, parameters, arguments)                                           \
    EXPORT char *name parameters;                                                              \
    FORWARD_RESULT(char *, name, parameters, arguments, use(file, CALLER),                     \
                   line_read(result, CALLER))

READS_LINE(stream_read, fgets, (char *restrict out, int size, FILE *restrict file),
           (out, size, file))
READS_LINE(stream_read_unlocked, fgets_unlocked,
           (char *restrict out, int size, FILE *restrict file), (out, size, file))
READS_LINE(stream_read, __fgets_chk, (char *out, size_t room, int size, FILE *file),
           (out, room, size, file))
READS_LINE(stream_read_unlocked, __fgets_unlocked_chk,
           (char *out, size_t room, int size, FILE *file), (out, room, size, file))

FORWARD_RESULT(wchar_t *, fgetws, (wchar_t *restrict out, int size, FILE *restrict file),
               (out, size, file), shared_look_state(SHARED_LOCALE, CALLER);
               stream_read(file, CALLER),
               if (result)
                   caller_writes(out, (rawmem_wide_length(out, SIZE_MAX) + 1) * sizeof *out,
                                 CALLER))

/* getline(3p): the line and its size are the caller's; the block may be reallocated. */
static void begin_line(char **line, size_t *size, FILE *file, uint64_t pc)
{
    caller_writes(line, sizeof *line, pc);
    caller_writes(size, sizeof *size, pc);
    stream_read(file, pc);
}

FORWARD_RESULT(ssize_t, getline,
               (char **restrict line, size_t *restrict size, FILE *restrict file),
               (line, size, file), begin_line(line, size, file, CALLER),
               if (result >= 0) caller_writes(*line, (size_t)result + 1, CALLER))
/* The name of getline() in optimised programs. */
EXPORT ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *file);
FORWARD_RESULT(ssize_t, __getdelim,
               (char **restrict line, size_t *restrict size, int delimiter,
                FILE *restrict file),
               (line, size, delimiter, file), begin_line(line, size, file, CALLER),
               if (result >= 0) caller_writes(*line, (size_t)result + 1, CALLER))
FORWARD_RESULT(ssize_t, getdelim,
               (char **restrict line, size_t *restrict size, int delimiter,
                FILE *restrict file),
               (line, size, delimiter, file), begin_line(line, size, file, CALLER),
               if (result >= 0) caller_writes(*line, (size_t)result + 1, CALLER))

/* The kernel reads long pieces into the caller's memory directly (kernel.c). */
static void touch_items(void *out, size_t size, size_t count)
{
    size_t total;
    if (!__builtin_mul_overflow(size, count, &total))
        snapshot_touch(out, total);
}

#define READS_ITEMS(use, name, parameters, arguments)                                          \
    EXPORT size_t name parameters;                                                             \
    FORWARD_RESULT(size_t, name, parameters, arguments, touch_items(out, size, count);         \
                   use(file, CALLER), caller_writes(out, result * size, CALLER))

READS_ITEMS(stream_read, fread,
            (void *restrict out, size_t size, size_t count, FILE *restrict file),
            (out, size, count, file))
READS_ITEMS(stream_read_unlocked, fread_unlocked,
            (void *restrict out, size_t size, size_t count, FILE *restrict file),
            (out, size, count, file))
READS_ITEMS(stream_read, __fread_chk,
            (void *out, size_t room, size_t size, size_t count, FILE *file),
            (out, room, size, count, file))
READS_ITEMS(stream_read_unlocked, __fread_unlocked_chk,
            (void *out, size_t room, size_t size, size_t count, FILE *file),
            (out, room, size, count, file))

/* --- Writing --- */

STREAM(int, putw, (int value, FILE *file), (value, file))
STREAM(int, fputc, (int character, FILE *file), (character, file))
STREAM(int, putc, (int character, FILE *file), (character, file))
FORWARD(int, fputc_unlocked, (int character, FILE *file), (character, file),
        stream_write_unlocked(file, CALLER))
FORWARD(int, putc_unlocked, (int character, FILE *file), (character, file),
        stream_write_unlocked(file, CALLER))
STREAM_WIDE(wint_t, fputwc, (wchar_t character, FILE *file), (character, file), stream_use)
STREAM_WIDE(wint_t, putwc, (wchar_t character, FILE *file), (character, file), stream_use)

#define WRITES(type, name, parameters, arguments, from, size)                                  \
    FORWARD(type, name, parameters, arguments, caller_reads(from, size, CALLER);               \
            stream_use(file, CALLER))

WRITES(int, fputs, (const char *restrict text, FILE *restrict file), (text, file), text,
       rawmem_length(text) + 1)
FORWARD(int, fputs_unlocked, (const char *restrict text, FILE *restrict file), (text, file),
        stream_write_unlocked(file, CALLER);
        caller_reads(text, rawmem_length(text) + 1, CALLER))
FORWARD(int, fputws, (const wchar_t *restrict text, FILE *restrict file), (text, file),
        shared_look_state(SHARED_LOCALE, CALLER);
        caller_reads(text, (rawmem_wide_length(text, SIZE_MAX) + 1) * sizeof *text, CALLER);
        stream_use(file, CALLER))
WRITES(size_t, fwrite,
       (const void *restrict from, size_t size, size_t count, FILE *restrict file),
       (from, size, count, file), from, size *count)
FORWARD(size_t, fwrite_unlocked,
        (const void *restrict from, size_t size, size_t count, FILE *restrict file),
        (from, size, count, file), stream_write_unlocked(file, CALLER);
        caller_reads(from, size *count, CALLER))
FORWARD(int, puts, (const char *text), (text),
        caller_reads(text, rawmem_length(text) + 1, CALLER);
        stream_use(stream_standard(&stdout, CALLER), CALLER))

/* --- Positions and directories --- */

#define STREAM_MOVE(type, name, parameters, arguments)                                         \
    FORWARD(type, name, parameters, arguments, memstream_flush(file, CALLER);                  \
            stream_use(file, CALLER))
STREAM_MOVE(int, fseek, (FILE * file, long offset, int whence), (file, offset, whence))
STREAM_MOVE(int, fseeko, (FILE * file, off_t offset, int whence), (file, offset, whence))
STREAM_MOVE(int, fseeko64, (FILE * file, off64_t offset, int whence), (file, offset, whence))
STREAM(long, ftell, (FILE * file), (file))
STREAM(off_t, ftello, (FILE * file), (file))
STREAM(off64_t, ftello64, (FILE * file), (file))
FORWARD(int, fgetpos, (FILE *restrict file, fpos_t *restrict out), (file, out),
        caller_writes(out, sizeof *out, CALLER);
        stream_use(file, CALLER))
FORWARD(int, fgetpos64, (FILE *restrict file, fpos64_t *restrict out), (file, out),
        caller_writes(out, sizeof *out, CALLER);
        stream_use(file, CALLER))
FORWARD(int, fsetpos, (FILE * file, const fpos_t *position), (file, position),
        caller_reads(position, sizeof *position, CALLER);
        memstream_flush(file, CALLER); stream_use(file, CALLER))
FORWARD(int, fsetpos64, (FILE * file, const fpos64_t *position), (file, position),
        caller_reads(position, sizeof *position, CALLER);
        memstream_flush(file, CALLER); stream_use(file, CALLER))
STREAM_MOVE(void, rewind, (FILE * file), (file))
/* readdir(3p): the entry "may be overwritten by another call" on the same directory. */
#define READS_ENTRY(type, name)                                                                \
    FORWARD_RESULT(type *, name, (DIR * file), (file), directory_use(file, CALLER),            \
                   if (result) caller_writes(result, result->d_reclen, CALLER))
READS_ENTRY(struct dirent, readdir)
READS_ENTRY(struct dirent64, readdir64)
#define DIRECTORY(type, name, parameters, arguments)                                           \
    FORWARD(type, name, parameters, arguments, directory_use(file, CALLER))
DIRECTORY(void, rewinddir, (DIR * file), (file))
DIRECTORY(long, telldir, (DIR * file), (file))
DIRECTORY(void, seekdir, (DIR * file, long to), (file, to))
