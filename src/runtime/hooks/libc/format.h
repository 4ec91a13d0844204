/* What the formatted functions of stdio do with their caller's memory: the strings that
 * printf() reads for %s, the variables that scanf() writes. C11 7.21.6, printf(3p), scanf(3p),
 * and glibc's additions (%m, %C, %S; %ms).
 *
 * libc is not instrumented, so without this Mazur would miss a data race between a thread that
 * changes a message and one that prints it. */
#ifndef MAZUR_RUNTIME_FORMAT_H
#define MAZUR_RUNTIME_FORMAT_H

#include <stdarg.h>
#include <stdint.h>

/* Announces what printing will read (and what %n will write). The list is not consumed. */
void format_prints(const char *format, va_list list, uint64_t pc);
/* The same without the format itself. */
void format_prints_arguments(const char *format, va_list list, uint64_t pc);

/* Announces what scanning has written; `assigned` is what scanf() returned. */
void format_scanned(const char *format, va_list list, int assigned, uint64_t pc);

#endif
