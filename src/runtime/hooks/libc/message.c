/* Messages that may end the program: err(3), warn(3), error(3), assert_perror(3).
 *
 * libc's versions call libc's internal exit() and abort(), past the hooks: the exit status
 * would be lost, or the process killed. So those that end the program print as libc does and
 * then call the hooks. Printing announces reads of the printed texts; the program does not read
 * the output back. */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/hooks/policy/forward.h"

/* "program: text: what errno says" */
static void print_message(const char *format, va_list list, int error)
{
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format)
        vfprintf(stderr, format, list);
    if (error >= 0)
        fprintf(stderr, "%s%s", format ? ": " : "", strerror(error));
    fputc('\n', stderr);
}

#define NO_ERROR (-1)

EXPORT void vwarn(const char *format, va_list list)
{
    int saved = errno;
    print_message(format, list, saved);
    errno = saved;
}

EXPORT void vwarnx(const char *format, va_list list)
{
    print_message(format, list, NO_ERROR);
}

EXPORT void verr(int status, const char *format, va_list list)
{
    print_message(format, list, errno);
    exit(status);
}

EXPORT void verrx(int status, const char *format, va_list list)
{
    print_message(format, list, NO_ERROR);
    exit(status);
}

#define WITH_ARGUMENTS(call)                                                                   \
    va_list list;                                                                              \
    va_start(list, format);                                                                    \
    call;                                                                                      \
    va_end(list)

EXPORT void warn(const char *format, ...)
{
    WITH_ARGUMENTS(vwarn(format, list));
}

EXPORT void warnx(const char *format, ...)
{
    WITH_ARGUMENTS(vwarnx(format, list));
}

EXPORT void err(int status, const char *format, ...)
{
    WITH_ARGUMENTS(verr(status, format, list));
    __builtin_unreachable();
}

EXPORT void errx(int status, const char *format, ...)
{
    WITH_ARGUMENTS(verrx(status, format, list));
    __builtin_unreachable();
}

static void print_error(int status, int number, const char *file, unsigned line,
                        const char *format, va_list list)
{
    fflush(stdout);
    if (error_print_progname)
        error_print_progname();
    else
        fprintf(stderr, "%s:%s", program_invocation_name, file ? "" : " ");
    if (file)
        fprintf(stderr, "%s:%u: ", file, line);
    vfprintf(stderr, format, list);
    if (number != 0)
        fprintf(stderr, ": %s", strerror(number));
    fputc('\n', stderr);
    error_message_count++;
    if (status != 0)
        exit(status);
}

EXPORT void error(int status, int number, const char *format, ...)
{
    WITH_ARGUMENTS(print_error(status, number, NULL, 0, format, list));
}

/* error(3): with error_one_per_line, one message per source line. */
EXPORT void error_at_line(int status, int number, const char *file, unsigned line,
                          const char *format, ...)
{
    static const char *last_file;
    static unsigned last_line;
    if (error_one_per_line && last_line == line && file == last_file)
        return;
    last_file = file;
    last_line = line;
    WITH_ARGUMENTS(print_error(status, number, file, line, format, list));
}

EXPORT void __assert_perror_fail(int number, const char *file, unsigned line,
                                 const char *function);
void __assert_perror_fail(int number, const char *file, unsigned line, const char *function)
{
    if (under_control())
        failure_raise(FAILURE_ASSERTION,
                      &(struct failure_details){.pc = CALLER, .line = (int)line},
                      "unexpected error: %s", strerror(number));
    NEXT(void, __assert_perror_fail, (int, const char *, unsigned, const char *));
    next(number, file, line, function);
    __builtin_unreachable();
}

EXPORT void __assert(const char *expression, const char *file, int line);
void __assert(const char *expression, const char *file, int line)
{
    if (under_control())
        failure_raise(FAILURE_ASSERTION, &(struct failure_details){.pc = CALLER, .line = line},
                      "assertion `%s' failed", expression);
    NEXT(void, __assert, (const char *, const char *, int));
    next(expression, file, line);
    __builtin_unreachable();
}
