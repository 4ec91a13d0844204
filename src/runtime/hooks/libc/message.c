/* Messages that may end the program: err(3), warn(3), error(3), assert_perror(3).
 *
 * libc's versions call libc's internal exit() and abort(), past the hooks: the exit status
 * would be lost, or the process killed. So those that end the program print as libc does and
 * then call the hooks. What they read of the program's memory is announced for their caller: to
 * the hooks of stdio, the caller is this file. */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/access/caller.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/libc/format.h"
#include "runtime/hooks/libc/process_state.h"
#include "runtime/hooks/policy/forward.h"

/* What the message reads of the program's memory. */
static void announce_message(char *const *program, const char *format, va_list list,
                             uint64_t pc)
{
    if (!under_control())
        return;
    caller_reads(program, sizeof *program, pc);
    caller_reads_text(*program, pc);
    if (format)
        format_prints(format, list, pc);
}

/* "program: text: what errno says" */
static void print_message(const char *format, va_list list, int error, uint64_t pc)
{
    announce_message(&program_invocation_short_name, format, list, pc);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format)
        vfprintf(stderr, format, list);
    if (error >= 0)
        fprintf(stderr, "%s%s", format ? ": " : "", strerror(error));
    fputc('\n', stderr);
}

#define NO_ERROR (-1)

static void print_warning(const char *format, va_list list, uint64_t pc)
{
    int saved = errno;
    print_message(format, list, saved, pc);
    errno = saved;
}

EXPORT void vwarn(const char *format, va_list list)
{
    print_warning(format, list, CALLER);
}

EXPORT void vwarnx(const char *format, va_list list)
{
    print_message(format, list, NO_ERROR, CALLER);
}

EXPORT void verr(int status, const char *format, va_list list)
{
    print_message(format, list, errno, CALLER);
    exit(status);
}

EXPORT void verrx(int status, const char *format, va_list list)
{
    print_message(format, list, NO_ERROR, CALLER);
    exit(status);
}

#define WITH_ARGUMENTS(call)                                                                   \
    va_list list;                                                                              \
    va_start(list, format);                                                                    \
    call;                                                                                      \
    va_end(list)

EXPORT void warn(const char *format, ...)
{
    WITH_ARGUMENTS(print_warning(format, list, CALLER));
}

EXPORT void warnx(const char *format, ...)
{
    WITH_ARGUMENTS(print_message(format, list, NO_ERROR, CALLER));
}

EXPORT void err(int status, const char *format, ...)
{
    WITH_ARGUMENTS(print_message(format, list, errno, CALLER));
    exit(status);
}

EXPORT void errx(int status, const char *format, ...)
{
    WITH_ARGUMENTS(print_message(format, list, NO_ERROR, CALLER));
    exit(status);
}

/* --- error(3) --- */

struct error_message {
    int status;
    int number;
    const char *file;
    unsigned line;
};

static void announce_error(const struct error_message *message, const char *format,
                           va_list list, uint64_t pc)
{
    announce_message(&program_invocation_name, format, list, pc);
    if (!under_control())
        return;
    caller_reads(&error_print_progname, sizeof error_print_progname, pc);
    caller_reads_text(message->file, pc);
    caller_writes_guarded(&error_message_count, sizeof error_message_count,
                          pc); /* stderr's lock */
}

static void print_error(const struct error_message *message, const char *format, va_list list,
                        uint64_t pc)
{
    announce_error(message, format, list, pc);
    fflush(stdout);
    if (error_print_progname)
        error_print_progname();
    else
        fprintf(stderr, "%s:%s", program_invocation_name, message->file ? "" : " ");
    if (message->file)
        fprintf(stderr, "%s:%u: ", message->file, message->line);
    vfprintf(stderr, format, list);
    if (message->number != 0)
        fprintf(stderr, ": %s", strerror(message->number));
    fputc('\n', stderr);
    error_message_count++;
    if (message->status != 0)
        exit(message->status);
}

EXPORT void error(int status, int number, const char *format, ...)
{
    const struct error_message message = {.status = status, .number = number};
    WITH_ARGUMENTS(print_error(&message, format, list, CALLER));
}

/* Where error_at_line() printed a message last. */
static struct {
    const char *file;
    unsigned line;
} last;
EXECUTION_STATE(last);

void messages_begin(void)
{
    last.file = NULL;
    last.line = 0;
}

/* error(3): with error_one_per_line, one message per source line. */
static bool was_last(const char *file, unsigned line, uint64_t pc)
{
    if (under_control())
        caller_reads(&error_one_per_line, sizeof error_one_per_line, pc);
    if (!error_one_per_line)
        return false;
    if (under_control())
        shared_use(SHARED_PROCESS, pc);
    bool same = line == last.line &&
                (file == last.file || (file && last.file && strcmp(file, last.file) == 0));
    last.file = file;
    last.line = line;
    return same;
}

EXPORT void error_at_line(int status, int number, const char *file, unsigned line,
                          const char *format, ...)
{
    if (was_last(file, line, CALLER))
        return;
    const struct error_message message = {status, number, file, line};
    WITH_ARGUMENTS(print_error(&message, format, list, CALLER));
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
