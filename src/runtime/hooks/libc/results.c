/* Functions that return their result in libc's own memory, which all threads share
 * (getpwnam(3p): "may point to a static area which is overwritten by a subsequent call"). POSIX
 * does not require them to be thread-safe: so writing the result is a plain access of the
 * caller. localtime() and similar are in text_calls.c. */
#include <grp.h>
#include <locale.h>
#include <netdb.h>
#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime/access/caller.h"
#include "runtime/arch/compiler.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/policy/forward.h"

#define RETURNS(type, name, parameters, arguments, before, size)                               \
    FORWARD_RESULT(type, name, parameters, arguments, before;                                  \
                   shared_use_among_threads(SHARED_RESULTS, CALLER),                           \
                   if (result) caller_writes(result, size, CALLER))

#define RETURNS_TEXT(name, parameters, arguments, before)                                      \
    RETURNS(char *, name, parameters, arguments, before, rawmem_length(result) + 1)

#define GOES_ON shared_use_among_threads(SHARED_DATABASES, CALLER)

RETURNS(struct passwd *, getpwnam, (const char *name), (name), caller_reads_text(name, CALLER),
        sizeof *result)
RETURNS(struct passwd *, getpwuid, (uid_t user), (user), , sizeof *result)
RETURNS(struct passwd *, getpwent, (void), (), GOES_ON, sizeof *result)
RETURNS(struct group *, getgrnam, (const char *name), (name), caller_reads_text(name, CALLER),
        sizeof *result)
RETURNS(struct group *, getgrgid, (gid_t group), (group), , sizeof *result)
RETURNS(struct group *, getgrent, (void), (), GOES_ON, sizeof *result)
RETURNS(struct servent *, getservbyname, (const char *name, const char *protocol),
        (name, protocol), caller_reads_text(name, CALLER), sizeof *result)
RETURNS(struct servent *, getservbyport, (int port, const char *protocol), (port, protocol), ,
        sizeof *result)
RETURNS(struct servent *, getservent, (void), (), GOES_ON, sizeof *result)
RETURNS(struct protoent *, getprotobyname, (const char *name), (name),
        caller_reads_text(name, CALLER), sizeof *result)
RETURNS(struct protoent *, getprotobynumber, (int number), (number), , sizeof *result)
RETURNS(struct protoent *, getprotoent, (void), (), GOES_ON, sizeof *result)
RETURNS(struct lconv *, localeconv, (void), (), shared_look_state(SHARED_LOCALE, CALLER),
        sizeof *result)
RETURNS_TEXT(ttyname, (int fd), (fd), number_look(fd, CALLER))
RETURNS_TEXT(ptsname, (int fd), (fd), number_look(fd, CALLER))
RETURNS_TEXT(getlogin, (void), (), )
RETURNS_TEXT(l64a, (long value), (value), )

/* The digits are in libc's memory; the point and the sign are in the caller's. */
static void writes_place(int *point, int *sign, uint64_t pc)
{
    caller_writes(point, sizeof *point, pc);
    caller_writes(sign, sizeof *sign, pc);
}

RETURNS_TEXT(ecvt, (double value, int digits, int *point, int *sign),
             (value, digits, point, sign), writes_place(point, sign, CALLER))
RETURNS_TEXT(fcvt, (double value, int digits, int *point, int *sign),
             (value, digits, point, sign), writes_place(point, sign, CALLER))
RETURNS_TEXT(qecvt, (long double value, int digits, int *point, int *sign),
             (value, digits, point, sign), writes_place(point, sign, CALLER))
RETURNS_TEXT(qfcvt, (long double value, int digits, int *point, int *sign),
             (value, digits, point, sign), writes_place(point, sign, CALLER))

/* If the caller gave a buffer, the result is there. */
RETURNS_TEXT(tmpnam, (char out[L_tmpnam]), (out), )
RETURNS_TEXT(ctermid, (char *out), (out), )
