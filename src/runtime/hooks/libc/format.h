/* What the formatted functions of stdio do with the memory of their caller: the strings that
 * printf() reads for %s, the variables that scanf() writes. C11 7.21.6, printf(3p), scanf(3p),
 * and glibc's additions (%m, %C, %S; %ms).
 *
 * libc is not instrumented, so that without this a message that is changed while another thread
 * prints it would be no data race. */
#ifndef MAZUR_RUNTIME_FORMAT_H
#define MAZUR_RUNTIME_FORMAT_H

#include <stdarg.h>
#include <stdint.h>

/* Reports what printing will read (and what %n will write). The list is left as it is. */
void format_prints(const char *format, va_list list, uint64_t pc);
/* The same without the format itself. */
void format_prints_arguments(const char *format, va_list list, uint64_t pc);

/* Reports what scanning has written, `assigned` being what scanf() returned. */
void format_scanned(const char *format, va_list list, int assigned, uint64_t pc);

#endif
