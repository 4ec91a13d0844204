/* printf and its family: which memory of their caller they read and write (format.h), and the
 * streams that they write to (shared_files.c).
 *
 * Each function has four forms: with a va_list or with variable arguments, and each of these as
 * _FORTIFY_SOURCE calls it, with a level and the size of the buffer. All end in glibc's checked
 * form with a va_list; at level 0 it does not check. */
#include <features.h>
#undef __USE_EXTERN_INLINES

#include "runtime/access/caller.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/hooks/libc/format.h"
#include "runtime/hooks/policy/forward.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

/* The variadic form, which calls the one with a va_list. */
#define ONE_BY_ONE(type, name, parameters, call)                                               \
    EXPORT type name parameters;                                                               \
    type name parameters                                                                       \
    {                                                                                          \
        va_list list;                                                                          \
        va_start(list, format);                                                                \
        type result = call;                                                                    \
        va_end(list);                                                                          \
        return result;                                                                         \
    }

#define WITH_LIST(type, name, parameters, call)                                                \
    EXPORT type name parameters;                                                               \
    type name parameters                                                                       \
    {                                                                                          \
        return call;                                                                           \
    }

/* --- Standard output --- */

static int print_to_stdout(int level, const char *format, va_list list, uint64_t pc)
{
    NEXT(int, __vprintf_chk, (int, const char *, va_list));
    if (under_control()) {
        format_prints(format, list, pc);
        stream_use(stream_standard(&stdout, pc), pc);
    }
    return next(level, format, list);
}

WITH_LIST(int, vprintf, (const char *restrict format, va_list list),
          print_to_stdout(0, format, list, CALLER))
WITH_LIST(int, __vprintf_chk, (int level, const char *format, va_list list),
          print_to_stdout(level, format, list, CALLER))
ONE_BY_ONE(int, printf, (const char *restrict format, ...),
           print_to_stdout(0, format, list, CALLER))
ONE_BY_ONE(int, __printf_chk, (int level, const char *format, ...),
           print_to_stdout(level, format, list, CALLER))

/* --- Streams --- */

static int print_to(FILE *file, int level, const char *format, va_list list, uint64_t pc)
{
    NEXT(int, __vfprintf_chk, (FILE *, int, const char *, va_list));
    if (under_control()) {
        format_prints(format, list, pc);
        stream_use(file, pc);
    }
    return next(file, level, format, list);
}

WITH_LIST(int, vfprintf, (FILE *restrict file, const char *restrict format, va_list list),
          print_to(file, 0, format, list, CALLER))
WITH_LIST(int, __vfprintf_chk, (FILE * file, int level, const char *format, va_list list),
          print_to(file, level, format, list, CALLER))
ONE_BY_ONE(int, fprintf, (FILE *restrict file, const char *restrict format, ...),
           print_to(file, 0, format, list, CALLER))
ONE_BY_ONE(int, __fprintf_chk, (FILE * file, int level, const char *format, ...),
           print_to(file, level, format, list, CALLER))

/* --- Memory --- */

/* Prints a first time only for the length, so that the write can be checked before it
 * happens. */
static size_t length_of(const char *format, va_list list)
{
    NEXT(int, vsnprintf, (char *, size_t, const char *, va_list));
    va_list copy;
    va_copy(copy, list);
    int length = next(NULL, 0, format, copy);
    va_end(copy);
    return length < 0 ? 0 : (size_t)length;
}

static int print_into(char *out, size_t size, int level, size_t room, const char *format,
                      va_list list, uint64_t pc)
{
    NEXT(int, __vsnprintf_chk, (char *, size_t, int, size_t, const char *, va_list));
    if (under_control()) {
        format_prints(format, list, pc);
        size_t needed = length_of(format, list) + 1;
        caller_writes(out, needed < size ? needed : size, pc);
    }
    return next(out, size, level, room, format, list);
}

WITH_LIST(int, vsnprintf,
          (char *restrict out, size_t size, const char *restrict format, va_list list),
          print_into(out, size, 0, SIZE_MAX, format, list, CALLER))
WITH_LIST(int, __vsnprintf_chk,
          (char *out, size_t size, int level, size_t room, const char *format, va_list list),
          print_into(out, size, level, room, format, list, CALLER))
ONE_BY_ONE(int, snprintf, (char *restrict out, size_t size, const char *restrict format, ...),
           print_into(out, size, 0, SIZE_MAX, format, list, CALLER))
ONE_BY_ONE(int, __snprintf_chk,
           (char *out, size_t size, int level, size_t room, const char *format, ...),
           print_into(out, size, level, room, format, list, CALLER))

static int print_all(char *out, int level, size_t room, const char *format, va_list list,
                     uint64_t pc)
{
    NEXT(int, __vsprintf_chk, (char *, int, size_t, const char *, va_list));
    if (under_control()) {
        format_prints(format, list, pc);
        size_t needed = length_of(format, list) + 1;
        caller_writes(out, needed < room ? needed : room, pc);
    }
    return next(out, level, room, format, list);
}

WITH_LIST(int, vsprintf, (char *restrict out, const char *restrict format, va_list list),
          print_all(out, 0, SIZE_MAX, format, list, CALLER))
WITH_LIST(int, __vsprintf_chk,
          (char *out, int level, size_t room, const char *format, va_list list),
          print_all(out, level, room, format, list, CALLER))
ONE_BY_ONE(int, sprintf, (char *restrict out, const char *restrict format, ...),
           print_all(out, 0, SIZE_MAX, format, list, CALLER))
ONE_BY_ONE(int, __sprintf_chk, (char *out, int level, size_t room, const char *format, ...),
           print_all(out, level, room, format, list, CALLER))

static int print_new(char **out, int level, const char *format, va_list list, uint64_t pc)
{
    NEXT(int, __vasprintf_chk, (char **, int, const char *, va_list));
    if (under_control()) {
        format_prints(format, list, pc);
        caller_writes(out, sizeof *out, pc);
    }
    return next(out, level, format, list);
}

WITH_LIST(int, vasprintf, (char **restrict out, const char *restrict format, va_list list),
          print_new(out, 0, format, list, CALLER))
WITH_LIST(int, __vasprintf_chk, (char **out, int level, const char *format, va_list list),
          print_new(out, level, format, list, CALLER))
ONE_BY_ONE(int, asprintf, (char **restrict out, const char *restrict format, ...),
           print_new(out, 0, format, list, CALLER))
ONE_BY_ONE(int, __asprintf_chk, (char **out, int level, const char *format, ...),
           print_new(out, level, format, list, CALLER))

/* --- Wide characters: the result says how many were written --- */

#define WIDE_FORMAT 512 /* longest format that is parsed */

/* A wide format has the same conversions as a narrow one. */
static void wide_format_prints(const wchar_t *format, va_list list, uint64_t pc)
{
    char narrow[WIDE_FORMAT];
    size_t length = rawmem_wide_length(format, SIZE_MAX);
    caller_reads(format, (length + 1) * sizeof *format, pc);
    if (length >= WIDE_FORMAT) {
        failure_uncontrolled("wprintf with a format of more than 512 characters");
        return;
    }
    for (size_t i = 0; i <= length; i++)
        narrow[i] = format[i] < 0x80 ? (char)format[i] : '?';
    format_prints_arguments(narrow, list, pc);
}

static int print_wide(wchar_t *out, size_t size, int level, size_t room, const wchar_t *format,
                      va_list list, uint64_t pc)
{
    NEXT(int, __vswprintf_chk, (wchar_t *, size_t, int, size_t, const wchar_t *, va_list));
    if (under_control())
        wide_format_prints(format, list, pc);
    int length = next(out, size, level, room, format, list);
    if (under_control() && length >= 0)
        caller_writes(out, ((size_t)length + 1) * sizeof *out, pc);
    return length;
}

WITH_LIST(int, vswprintf,
          (wchar_t *restrict out, size_t size, const wchar_t *restrict format, va_list list),
          print_wide(out, size, 0, SIZE_MAX, format, list, CALLER))
WITH_LIST(int, __vswprintf_chk,
          (wchar_t * out, size_t size, int level, size_t room, const wchar_t *format,
           va_list list),
          print_wide(out, size, level, room, format, list, CALLER))
ONE_BY_ONE(int, swprintf,
           (wchar_t *restrict out, size_t size, const wchar_t *restrict format, ...),
           print_wide(out, size, 0, SIZE_MAX, format, list, CALLER))
ONE_BY_ONE(int, __swprintf_chk,
           (wchar_t * out, size_t size, int level, size_t room, const wchar_t *format, ...),
           print_wide(out, size, level, room, format, list, CALLER))

static int print_wide_to(FILE *file, int level, const wchar_t *format, va_list list,
                         uint64_t pc)
{
    NEXT(int, __vfwprintf_chk, (FILE *, int, const wchar_t *, va_list));
    if (under_control()) {
        wide_format_prints(format, list, pc);
        stream_use(file, pc);
    }
    return next(file, level, format, list);
}

WITH_LIST(int, vfwprintf, (FILE *restrict file, const wchar_t *restrict format, va_list list),
          print_wide_to(file, 0, format, list, CALLER))
WITH_LIST(int, __vfwprintf_chk, (FILE * file, int level, const wchar_t *format, va_list list),
          print_wide_to(file, level, format, list, CALLER))
ONE_BY_ONE(int, fwprintf, (FILE *restrict file, const wchar_t *restrict format, ...),
           print_wide_to(file, 0, format, list, CALLER))
ONE_BY_ONE(int, __fwprintf_chk, (FILE * file, int level, const wchar_t *format, ...),
           print_wide_to(file, level, format, list, CALLER))

/* --- Descriptors: a pipe or socket between threads is written by descriptor_write() --- */

static int print_to_descriptor(int fd, int level, const char *format, va_list list, uint64_t pc)
{
    NEXT(int, __vdprintf_chk, (int, int, const char *, va_list));
    if (under_control()) {
        format_prints(format, list, pc);
        number_look(fd, pc);
    }
    if (!under_control() || !descriptor_is_inside(fd))
        return next(fd, level, format, list);
    char *text;
    int length = vasprintf(&text, format, list);
    if (length < 0)
        return -1;
    ssize_t result = descriptor_write(fd, text, (size_t)length, pc);
    free(text);
    return (int)result;
}

WITH_LIST(int, vdprintf, (int fd, const char *restrict format, va_list list),
          print_to_descriptor(fd, 0, format, list, CALLER))
WITH_LIST(int, __vdprintf_chk, (int fd, int level, const char *format, va_list list),
          print_to_descriptor(fd, level, format, list, CALLER))
ONE_BY_ONE(int, dprintf, (int fd, const char *restrict format, ...),
           print_to_descriptor(fd, 0, format, list, CALLER))
ONE_BY_ONE(int, __dprintf_chk, (int fd, int level, const char *format, ...),
           print_to_descriptor(fd, level, format, list, CALLER))
