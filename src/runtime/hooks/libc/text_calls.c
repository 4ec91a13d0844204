/* libc functions that work on their caller's memory and have no other effect: the rarer string
 * functions, wide characters, sorting, times and addresses. libc is not instrumented, so each
 * hook announces what the function reads and writes, and then calls libc's function unchanged.
 *
 * A write is announced before the call if its size is known by then (so a bad pointer is
 * reported before it does harm), otherwise afterwards. */
#include <features.h>
#undef __USE_EXTERN_INLINES

#include "runtime/access/caller.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/libc/libc_table.h"
#include "runtime/hooks/policy/forward.h"

#include <arpa/inet.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static void writes_text(char *text, uint64_t pc)
{
    if (text)
        caller_writes(text, rawmem_length(text) + 1, pc);
}

/* For functions that have read up to and including `last`, or to the end. */
static void reads_up_to(const char *text, const char *last, uint64_t pc)
{
    caller_reads(text, last ? (size_t)(last - text) + 1 : rawmem_length(text) + 1, pc);
}

/* --- Strings --- */

static char fold_case(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static void reads_until_different(const char *a, const char *b, size_t limit, uint64_t pc)
{
    size_t i = 0;
    while (i < limit && a[i] && fold_case(a[i]) == fold_case(b[i]))
        i++;
    caller_reads(a, i < limit ? i + 1 : limit, pc);
    caller_reads(b, i < limit ? i + 1 : limit, pc);
}

#define READS_BOTH(type, name)                                                                 \
    FORWARD(type, name, (const char *a, const char *b), (a, b), caller_reads_text(a, CALLER);  \
            caller_reads_text(b, CALLER))

FORWARD(int, strcasecmp, (const char *a, const char *b), (a, b),
        shared_look_state(SHARED_LOCALE, CALLER);
        reads_until_different(a, b, SIZE_MAX, CALLER))
FORWARD(int, strncasecmp, (const char *a, const char *b, size_t limit), (a, b, limit),
        shared_look_state(SHARED_LOCALE, CALLER);
        reads_until_different(a, b, limit, CALLER))
FORWARD(int, strcoll, (const char *a, const char *b), (a, b),
        shared_look_state(SHARED_LOCALE, CALLER);
        caller_reads_text(a, CALLER); caller_reads_text(b, CALLER))
READS_BOTH(int, strverscmp)
FORWARD(char *, strcasestr, (const char *a, const char *b), (a, b),
        shared_look_state(SHARED_LOCALE, CALLER);
        caller_reads_text(a, CALLER); caller_reads_text(b, CALLER))
FORWARD(char *, index, (const char *text, int wanted), (text, wanted),
        caller_reads_text(text, CALLER))
FORWARD(char *, rindex, (const char *text, int wanted), (text, wanted),
        caller_reads_text(text, CALLER))
FORWARD_RESULT(void *, rawmemchr, (const void *text, int wanted), (text, wanted), ,
               reads_up_to(text, result, CALLER))
FORWARD_RESULT(size_t, strspn, (const char *text, const char *set), (text, set),
               caller_reads_text(set, CALLER), reads_up_to(text, text + result, CALLER))
FORWARD_RESULT(size_t, strcspn, (const char *text, const char *set), (text, set),
               caller_reads_text(set, CALLER), reads_up_to(text, text + result, CALLER))
FORWARD_RESULT(char *, strpbrk, (const char *text, const char *set), (text, set),
               caller_reads_text(set, CALLER), reads_up_to(text, result, CALLER))
FORWARD_RESULT(size_t, strxfrm, (char *restrict out, const char *restrict text, size_t size),
               (out, text, size), shared_look_state(SHARED_LOCALE, CALLER);
               caller_reads_text(text, CALLER),
               if (result < size) caller_writes(out, result + 1, CALLER))
FORWARD(void *, memmem,
        (const void *text, size_t length, const void *wanted, size_t wanted_length),
        (text, length, wanted, wanted_length), caller_reads(text, length, CALLER);
        caller_reads(wanted, wanted_length, CALLER))
FORWARD(
    void, swab, (const void *restrict from, void *restrict to, ssize_t size), (from, to, size),
    if (size > 1) {
        caller_reads(from, (size_t)size & ~(size_t)1, CALLER);
        caller_writes(to, (size_t)size & ~(size_t)1, CALLER);
    })
FORWARD(void *, memfrob, (void *text, size_t size), (text, size),
        caller_writes(text, size, CALLER))

/* strtok and its relatives read one word and the separator behind it, which they overwrite. */
static void word_taken(char *start, char *rest, uint64_t pc)
{
    caller_reads(start, rest ? (size_t)(rest - start) : rawmem_length(start) + 1, pc);
    if (rest && rest > start)
        caller_writes(rest - 1, 1, pc);
}

EXPORT char *strsep(char **restrict text, const char *restrict set)
{
    NEXT(char *, strsep, (char **, const char *));
    if (!under_control())
        return next(text, set);
    caller_reads_text(set, CALLER);
    caller_reads(text, sizeof *text, CALLER);
    char *word = next(text, set);
    if (!word)
        return NULL;
    caller_writes(text, sizeof *text, CALLER);
    word_taken(word, *text, CALLER);
    return word;
}

typedef char *tokenizer(char *, const char *, char **);

static char *take_token(tokenizer *next, char *text, const char *set, char **rest, uint64_t pc)
{
    if (!under_control())
        return next(text, set, rest);
    caller_reads_text(set, pc);
    if (!text)
        caller_reads(rest, sizeof *rest, pc);
    char *start = text ? text : *rest;
    char *word = next(text, set, rest);
    caller_writes(rest, sizeof *rest, pc);
    if (word)
        word_taken(start, *rest > word + rawmem_length(word) ? *rest : NULL, pc);
    else if (start)
        reads_up_to(start, *rest, pc);
    return word;
}

EXPORT char *strtok_r(char *restrict text, const char *restrict set, char **restrict rest)
{
    NEXT(char *, strtok_r, (char *, const char *, char **));
    return take_token(next, text, set, rest, CALLER);
}

/* The name of strtok_r() in optimised programs. */
EXPORT char *__strtok_r(char *restrict text, const char *restrict set, char **restrict rest);
char *__strtok_r(char *restrict text, const char *restrict set, char **restrict rest)
{
    NEXT(char *, __strtok_r, (char *, const char *, char **));
    return take_token(next, text, set, rest, CALLER);
}

/* libc stores where strtok() continues, and all threads share it. Only libc knows whether it
 * overwrote a separator at the end of the word or the text ended there. */
static void token_taken(char *word, uint64_t pc)
{
    size_t length = rawmem_length(word);
    caller_reads(word, length, pc);
    caller_writes(word + length, 1, pc);
}

FORWARD_RESULT(char *, strtok, (char *restrict text, const char *restrict set), (text, set),
               shared_use(SHARED_STRTOK, CALLER);
               caller_reads_text(set, CALLER), if (result) token_taken(result, CALLER))

/* --- Wide characters --- */

static void reads_wide(const wchar_t *text, size_t limit, uint64_t pc)
{
    size_t length = rawmem_wide_length(text, limit);
    caller_reads(text, (length < limit ? length + 1 : limit) * sizeof *text, pc);
}

static void writes_wide(wchar_t *out, size_t count, uint64_t pc)
{
    caller_writes(out, count * sizeof *out, pc);
}

FORWARD(size_t, wcslen, (const wchar_t *text), (text), reads_wide(text, SIZE_MAX, CALLER))
FORWARD(size_t, wcsnlen, (const wchar_t *text, size_t limit), (text, limit),
        reads_wide(text, limit, CALLER))
FORWARD(wchar_t *, wcscpy, (wchar_t *restrict to, const wchar_t *restrict from), (to, from),
        reads_wide(from, SIZE_MAX, CALLER);
        writes_wide(to, rawmem_wide_length(from, SIZE_MAX) + 1, CALLER))
FORWARD(wchar_t *, wcsncpy, (wchar_t *restrict to, const wchar_t *restrict from, size_t count),
        (to, from, count), reads_wide(from, count, CALLER);
        writes_wide(to, count, CALLER))
FORWARD(wchar_t *, wcscat, (wchar_t *restrict to, const wchar_t *restrict from), (to, from),
        reads_wide(to, SIZE_MAX, CALLER);
        reads_wide(from, SIZE_MAX, CALLER);
        writes_wide(to + rawmem_wide_length(to, SIZE_MAX),
                    rawmem_wide_length(from, SIZE_MAX) + 1, CALLER))
FORWARD(int, wcscmp, (const wchar_t *a, const wchar_t *b), (a, b),
        reads_wide(a, SIZE_MAX, CALLER);
        reads_wide(b, SIZE_MAX, CALLER))
FORWARD(wchar_t *, wcsdup, (const wchar_t *text), (text), reads_wide(text, SIZE_MAX, CALLER))
FORWARD(wchar_t *, wmemcpy, (wchar_t *restrict to, const wchar_t *restrict from, size_t count),
        (to, from, count), caller_reads(from, count * sizeof *from, CALLER);
        writes_wide(to, count, CALLER))
FORWARD(wchar_t *, wmemmove, (wchar_t * to, const wchar_t *from, size_t count),
        (to, from, count), caller_reads(from, count * sizeof *from, CALLER);
        writes_wide(to, count, CALLER))
FORWARD(wchar_t *, wmemset, (wchar_t * to, wchar_t value, size_t count), (to, value, count),
        writes_wide(to, count, CALLER))
FORWARD(int, wmemcmp, (const wchar_t *a, const wchar_t *b, size_t count), (a, b, count),
        caller_reads(a, count * sizeof *a, CALLER);
        caller_reads(b, count * sizeof *b, CALLER))
FORWARD_RESULT(size_t, mbstowcs,
               (wchar_t *restrict out, const char *restrict text, size_t count),
               (out, text, count), shared_look_state(SHARED_LOCALE, CALLER);
               caller_reads_text(text, CALLER),
               if (out && result != SIZE_MAX)
                   writes_wide(out, result < count ? result + 1 : count, CALLER))
FORWARD_RESULT(size_t, wcstombs,
               (char *restrict out, const wchar_t *restrict text, size_t size),
               (out, text, size), shared_look_state(SHARED_LOCALE, CALLER);
               reads_wide(text, SIZE_MAX, CALLER),
               if (out && result != SIZE_MAX)
                   caller_writes(out, result < size ? result + 1 : size, CALLER))

/* What they become with _FORTIFY_SOURCE: libc compares with the buffer's size in characters. */
#define FORTIFIED(name, parameters, arguments, work)                                           \
    EXPORT wchar_t *name parameters;                                                           \
    FORWARD(wchar_t *, name, parameters, arguments, work)

FORTIFIED(__wcscpy_chk, (wchar_t * to, const wchar_t *from, size_t room), (to, from, room),
          reads_wide(from, SIZE_MAX, CALLER);
          writes_wide(to, rawmem_wide_length(from, SIZE_MAX) + 1, CALLER))
FORTIFIED(__wcsncpy_chk, (wchar_t * to, const wchar_t *from, size_t count, size_t room),
          (to, from, count, room), reads_wide(from, count, CALLER);
          writes_wide(to, count, CALLER))
FORTIFIED(__wmemcpy_chk, (wchar_t * to, const wchar_t *from, size_t count, size_t room),
          (to, from, count, room), caller_reads(from, count * sizeof *from, CALLER);
          writes_wide(to, count, CALLER))
FORTIFIED(__wmemmove_chk, (wchar_t * to, const wchar_t *from, size_t count, size_t room),
          (to, from, count, room), caller_reads(from, count * sizeof *from, CALLER);
          writes_wide(to, count, CALLER))
FORTIFIED(__wmemset_chk, (wchar_t * to, wchar_t value, size_t count, size_t room),
          (to, value, count, room), writes_wide(to, count, CALLER))

/* --- Sorting and searching: the program's own function compares elements --- */

static void note_sorting(void *base, size_t count, size_t size, uint64_t pc)
{
    size_t total;
    if (count > 1 && !__builtin_mul_overflow(count, size, &total)) {
        caller_reads(base, total, pc);
        caller_writes(base, total, pc);
    }
}

FORWARD(void, qsort, (void *base, size_t count, size_t size, __compar_fn_t compare),
        (base, count, size, compare), note_sorting(base, count, size, CALLER))
FORWARD(void, qsort_r,
        (void *base, size_t count, size_t size, __compar_d_fn_t compare, void *context),
        (base, count, size, compare, context), note_sorting(base, count, size, CALLER))

/* A change anywhere in a tree counts as a change of the root pointer and of the first node,
 * which is what twalk() gets. */
static void changes_tree(void **root, uint64_t pc)
{
    if (!root)
        return;
    caller_writes(root, sizeof *root, pc);
    if (*root)
        caller_writes(*root, sizeof(void *), pc);
}

FORWARD(void *, tsearch, (const void *key, void **root, __compar_fn_t compare),
        (key, root, compare), changes_tree(root, CALLER))
FORWARD(void *, tdelete,
        (const void *restrict key, void **restrict root, __compar_fn_t compare),
        (key, root, compare), changes_tree(root, CALLER))
FORWARD(void *, tfind, (const void *key, void *const *root, __compar_fn_t compare),
        (key, root, compare), caller_reads(root, sizeof *root, CALLER))

/* --- Random numbers from the caller's state --- */

FORWARD(int, rand_r, (unsigned *state), (state), caller_writes(state, sizeof *state, CALLER))
#define STATE_OF_48_BITS (3 * sizeof(unsigned short))
FORWARD(double, erand48, (unsigned short state[3]), (state),
        shared_look_state(SHARED_FACTOR_48, CALLER);
        caller_writes(state, STATE_OF_48_BITS, CALLER))
FORWARD(long, nrand48, (unsigned short state[3]), (state),
        shared_look_state(SHARED_FACTOR_48, CALLER);
        caller_writes(state, STATE_OF_48_BITS, CALLER))
FORWARD(long, jrand48, (unsigned short state[3]), (state),
        shared_look_state(SHARED_FACTOR_48, CALLER);
        caller_writes(state, STATE_OF_48_BITS, CALLER))

/* --- Times --- */

#define TIME_TEXT    26 /* ctime(3p): "Sun Sep 16 01:03:52 1973\n\0" */
#define ALL(pointer) pointer, sizeof *(pointer), CALLER

FORWARD(struct tm *, localtime_r, (const time_t *restrict when, struct tm *restrict out),
        (when, out), zone_look(CALLER);
        caller_reads(ALL(when)); caller_writes(ALL(out)))
FORWARD(struct tm *, gmtime_r, (const time_t *restrict when, struct tm *restrict out),
        (when, out), caller_reads(ALL(when));
        caller_writes(ALL(out)))
FORWARD(time_t, mktime, (struct tm * when), (when), zone_set(CALLER); caller_writes(ALL(when)))
FORWARD(time_t, timegm, (struct tm * when), (when), caller_writes(ALL(when)))
FORWARD(char *, ctime_r, (const time_t *restrict when, char *restrict out), (when, out),
        zone_look(CALLER);
        caller_reads(ALL(when)); caller_writes(out, TIME_TEXT, CALLER))
FORWARD(char *, asctime_r, (const struct tm *restrict when, char *restrict out), (when, out),
        caller_reads(ALL(when));
        caller_writes(out, TIME_TEXT, CALLER))
FORWARD_RESULT(size_t, strftime,
               (char *restrict out, size_t size, const char *restrict format,
                const struct tm *restrict when),
               (out, size, format, when), shared_look_state(SHARED_LOCALE, CALLER);
               zone_set(CALLER); caller_reads_text(format, CALLER);
               caller_reads(ALL(when)), if (result > 0) caller_writes(out, result + 1, CALLER))
FORWARD_RESULT(char *, strptime,
               (const char *restrict text, const char *restrict format,
                struct tm *restrict out),
               (text, format, out), shared_look_state(SHARED_LOCALE, CALLER);
               caller_reads_text(format, CALLER);
               caller_writes(ALL(out)), reads_up_to(text, result, CALLER))

/* Results in libc's own memory: writing them is an access like any other. */
#define RETURNS(type, name, parameters, arguments, zone, state, size)                          \
    FORWARD_RESULT(type, name, parameters, arguments, zone; caller_reads(ALL(when));           \
                   shared_use(state, CALLER), if (result) caller_writes(result, size, CALLER))

RETURNS(struct tm *, localtime, (const time_t *when), (when), zone_set(CALLER), SHARED_TIME,
        sizeof(struct tm))
RETURNS(struct tm *, gmtime, (const time_t *when), (when), , SHARED_TIME, sizeof(struct tm))
RETURNS(char *, ctime, (const time_t *when), (when), zone_set(CALLER), SHARED_TIME_TEXT,
        TIME_TEXT)
RETURNS(char *, asctime, (const struct tm *when), (when), , SHARED_TIME_TEXT, TIME_TEXT)

/* --- Addresses and messages --- */

static size_t address_size(int family)
{
    return family == AF_INET6 ? sizeof(struct in6_addr) : sizeof(struct in_addr);
}

FORWARD_RESULT(const char *, inet_ntop,
               (int family, const void *restrict from, char *restrict out, socklen_t size),
               (family, from, out, size), caller_reads(from, address_size(family), CALLER),
               if (result) writes_text(out, CALLER))
FORWARD_RESULT(int, inet_pton, (int family, const char *restrict text, void *restrict out),
               (family, text, out), caller_reads_text(text, CALLER),
               if (result == 1) caller_writes(out, address_size(family), CALLER))
FORWARD_RESULT(int, inet_aton, (const char *text, struct in_addr *out), (text, out),
               caller_reads_text(text, CALLER), if (result) caller_writes(ALL(out)))
FORWARD(in_addr_t, inet_addr, (const char *text), (text), caller_reads_text(text, CALLER))
/* The message may be in libc's memory, and the buffer unused. */
FORWARD_RESULT(char *, strerror_r, (int error, char *out, size_t size), (error, out, size),
               shared_look_state(SHARED_LOCALE, CALLER),
               if (result == out) writes_text(out, CALLER))
EXPORT int __xpg_strerror_r(int error, char *out, size_t size);
FORWARD_RESULT(int, __xpg_strerror_r, (int error, char *out, size_t size), (error, out, size),
               (void)0, if (size > 0) writes_text(out, CALLER))
FORWARD_RESULT(int, gethostname, (char *out, size_t size), (out, size), (void)0,
               if (result == 0) writes_text(out, CALLER))
FORWARD_RESULT(char *, realpath, (const char *restrict path, char *restrict out), (path, out),
               shared_look_state(SHARED_DIRECTORY, CALLER);
               caller_reads_text(path, CALLER), if (result) writes_text(out, CALLER))
