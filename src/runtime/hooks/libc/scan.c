/* scanf and its family, and the functions that convert text to numbers: which memory of their
 * caller they read and write, and the streams that they read from.
 *
 * scanf has a name for each dialect of C, __isoc99_ and __isoc23_ (with binary numbers); each
 * hook calls the function of its own dialect. Functions that only GNU C89 calls, which has a
 * different %a, are not hooked. */
#include <features.h>
#undef __USE_EXTERN_INLINES

#include "runtime/access/caller.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/hooks/libc/format.h"
#include "runtime/hooks/policy/forward.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

typedef int stream_scanner(FILE *, const char *, va_list);
typedef int text_scanner(const char *, const char *, va_list);

/* --- scanf --- */

static void begin_scan(const char *format, uint64_t pc)
{
    shared_look_state(SHARED_LOCALE, pc);
    caller_reads(format, rawmem_length(format) + 1, pc);
}

static int scan_stream(stream_scanner *next, FILE *file, const char *format, va_list list,
                       uint64_t pc)
{
    if (!under_control())
        return next(file, format, list);
    va_list again;
    va_copy(again, list);
    begin_scan(format, pc);
    stream_read(file, pc);
    int assigned = next(file, format, list);
    format_scanned(format, again, assigned, pc);
    va_end(again);
    return assigned;
}

static int scan_text(text_scanner *next, const char *text, const char *format, va_list list,
                     uint64_t pc)
{
    if (!under_control())
        return next(text, format, list);
    va_list again;
    va_copy(again, list);
    begin_scan(format, pc);
    caller_reads(text, rawmem_length(text) + 1, pc);
    int assigned = next(text, format, list);
    format_scanned(format, again, assigned, pc);
    va_end(again);
    return assigned;
}

#define EXPORTED(name, parameters)                                                             \
    EXPORT int name parameters;                                                                \
    int name parameters

#define ONE_BY_ONE(call)                                                                       \
    va_list list;                                                                              \
    va_start(list, format);                                                                    \
    int result = call;                                                                         \
    va_end(list);                                                                              \
    return result

#define SCANNERS(prefix)                                                                       \
    static stream_scanner *prefix##stream_scanner(void)                                        \
    {                                                                                          \
        NEXT(int, prefix##vfscanf, (FILE *, const char *, va_list));                           \
        return next;                                                                           \
    }                                                                                          \
    static text_scanner *prefix##text_scanner(void)                                            \
    {                                                                                          \
        NEXT(int, prefix##vsscanf, (const char *, const char *, va_list));                     \
        return next;                                                                           \
    }                                                                                          \
    EXPORTED(prefix##vfscanf,                                                                  \
             (FILE *restrict file, const char *restrict format, va_list list))                 \
    {                                                                                          \
        return scan_stream(prefix##stream_scanner(), file, format, list, CALLER);              \
    }                                                                                          \
    EXPORTED(prefix##vscanf, (const char *restrict format, va_list list))                      \
    {                                                                                          \
        return scan_stream(prefix##stream_scanner(), stdin, format, list, CALLER);             \
    }                                                                                          \
    EXPORTED(prefix##vsscanf,                                                                  \
             (const char *restrict text, const char *restrict format, va_list list))           \
    {                                                                                          \
        return scan_text(prefix##text_scanner(), text, format, list, CALLER);                  \
    }                                                                                          \
    EXPORTED(prefix##fscanf, (FILE *restrict file, const char *restrict format, ...))          \
    {                                                                                          \
        ONE_BY_ONE(scan_stream(prefix##stream_scanner(), file, format, list, CALLER));         \
    }                                                                                          \
    EXPORTED(prefix##scanf, (const char *restrict format, ...))                                \
    {                                                                                          \
        ONE_BY_ONE(scan_stream(prefix##stream_scanner(), stdin, format, list, CALLER));        \
    }                                                                                          \
    EXPORTED(prefix##sscanf, (const char *restrict text, const char *restrict format, ...))    \
    {                                                                                          \
        ONE_BY_ONE(scan_text(prefix##text_scanner(), text, format, list, CALLER));             \
    }

SCANNERS(__isoc99_)
SCANNERS(__isoc23_)

/* --- Numbers --- */

/* Up to the character that ended the number. */
#define NUMBER_READS(unit)                                                                     \
    caller_reads(text, ((size_t)(stop - text) + 1) * sizeof(unit), CALLER);                    \
    if (end)                                                                                   \
    caller_writes(end, sizeof *end, CALLER), *end = stop

#define INTEGER(type, unit, name)                                                              \
    EXPORT type name(const unit *restrict text, unit **restrict end, int base);                \
    type name(const unit *restrict text, unit **restrict end, int base)                        \
    {                                                                                          \
        NEXT(type, name, (const unit *, unit **, int));                                        \
        unit *stop;                                                                            \
        if (!under_control())                                                                  \
            return next(text, end, base);                                                      \
        type result = next(text, &stop, base);                                                 \
        NUMBER_READS(unit);                                                                    \
        return result;                                                                         \
    }

#define REAL(type, unit, name)                                                                 \
    EXPORT type name(const unit *restrict text, unit **restrict end)                           \
    {                                                                                          \
        NEXT(type, name, (const unit *, unit **));                                             \
        unit *stop;                                                                            \
        if (!under_control())                                                                  \
            return next(text, end);                                                            \
        shared_look_state(SHARED_LOCALE, CALLER); /* the decimal point */                      \
        type result = next(text, &stop);                                                       \
        NUMBER_READS(unit);                                                                    \
        return result;                                                                         \
    }

INTEGER(long, char, strtol)
INTEGER(unsigned long, char, strtoul)
INTEGER(long long, char, strtoll)
INTEGER(unsigned long long, char, strtoull)
INTEGER(intmax_t, char, strtoimax)
INTEGER(uintmax_t, char, strtoumax)
INTEGER(long, char, __isoc23_strtol)
INTEGER(unsigned long, char, __isoc23_strtoul)
INTEGER(long long, char, __isoc23_strtoll)
INTEGER(unsigned long long, char, __isoc23_strtoull)
INTEGER(intmax_t, char, __isoc23_strtoimax)
INTEGER(uintmax_t, char, __isoc23_strtoumax)
INTEGER(long, wchar_t, wcstol)
INTEGER(unsigned long, wchar_t, wcstoul)
INTEGER(long long, wchar_t, wcstoll)
INTEGER(unsigned long long, wchar_t, wcstoull)
REAL(double, char, strtod)
REAL(float, char, strtof)
REAL(long double, char, strtold)
REAL(double, wchar_t, wcstod)

/* The same without an end pointer. */
static void reads_integer(const char *text, uint64_t pc)
{
    NEXT(long, strtol, (const char *, char **, int));
    char *stop;
    next(text, &stop, 10);
    caller_reads(text, (size_t)(stop - text) + 1, pc);
}

static void reads_real(const char *text, uint64_t pc)
{
    NEXT(double, strtod, (const char *, char **));
    char *stop;
    shared_look_state(SHARED_LOCALE, pc);
    next(text, &stop);
    caller_reads(text, (size_t)(stop - text) + 1, pc);
}

FORWARD(int, atoi, (const char *text), (text), reads_integer(text, CALLER))
FORWARD(long, atol, (const char *text), (text), reads_integer(text, CALLER))
FORWARD(long long, atoll, (const char *text), (text), reads_integer(text, CALLER))
FORWARD(double, atof, (const char *text), (text), reads_real(text, CALLER))
