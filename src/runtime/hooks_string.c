/* The memory and string functions of C11 7.24 and POSIX as accesses of their caller.
 *
 * Each is done by hand (no dlsym: these are called before anything is ready) and reports what
 * it reads and writes, before it writes. What a function reads is what the standard lets it
 * read: memchr and the string functions stop at the byte that decides, memcmp has all of both.
 *
 * The heap check applies to every caller. The race check needs to see the caller's atomics, or
 * it would miss its happens-before edges and cry wolf: it applies to modules with
 * instrumented code and to the C++ library, which is called from there (std::string's functions
 * are compiled into it).
 *
 * Mazur itself does not come here: rawmem.h leads its own calls elsewhere. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/asan.h"
#include "runtime/heap.h"
#include "runtime/rawmem.h"
#include "runtime/runtime.h"

/* gcc would recognise the loops below as calls to the functions that they implement. */
#ifndef __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

typedef unsigned char byte;

/* ---- whose accesses count ---- */

#define COUNTED_MAX 64

/* Module ranges, made at the first call under control and when an instrumented module has been
 * loaded since; never restored. */
static struct {
    uint32_t instrumented; /* modules that it was made of */
    uint32_t count;
    struct address_range last; /* where the previous caller was found */
    struct address_range range[COUNTED_MAX];
} counted;

static bool path_contains(const char *path, const char *wanted)
{
    for (; *path; path++) {
        size_t i = 0;
        while (wanted[i] && path[i] == wanted[i])
            i++;
        if (!wanted[i])
            return true;
    }
    return false;
}

static void count_range(struct address_range range)
{
    for (uint32_t i = 0; i < counted.count; i++)
        if (counted.range[i].start == range.start)
            return;
    if (counted.count < COUNTED_MAX)
        counted.range[counted.count++] = range;
}

static void make_counted(void)
{
    counted.instrumented = rt.ninstrumented;
    for (uint32_t i = 0; i < rt.ninstrumented; i++)
        count_range(rt.instrumented[i]);
    for (uint32_t m = 0; m < rt.board->nmodules; m++) {
        const struct board_module *module = &rt.board->module[m];
        if (path_contains(module->path, "libstdc++") || path_contains(module->path, "libc++"))
            count_range((struct address_range){module->start, module->end});
    }
}

static bool caller_counts(uint64_t pc)
{
    if (LIKELY(pc - counted.last.start < counted.last.end - counted.last.start))
        return true;
    if (counted.instrumented != rt.ninstrumented)
        make_counted();
    for (uint32_t i = 0; i < counted.count; i++)
        if (pc >= counted.range[i].start && pc < counted.range[i].end) {
            counted.last = counted.range[i];
            return true;
        }
    return false;
}

void caller_reads(const void *from, size_t size, uint64_t pc)
{
    if (!rt.on || size == 0)
        return;
    if (UNLIKELY(rt.asan))
        asan_access(from, size, false);
    if (caller_counts(pc))
        access_read((uint64_t)(uintptr_t)from, size, pc);
    else
        access_check((uint64_t)(uintptr_t)from, size, false, pc);
}

void caller_writes(void *to, size_t size, uint64_t pc)
{
    if (!rt.on || size == 0)
        return;
    if (UNLIKELY(rt.asan))
        asan_access(to, size, true);
    if (caller_counts(pc))
        access_write((uint64_t)(uintptr_t)to, size, pc);
    else
        access_check((uint64_t)(uintptr_t)to, size, true, pc);
}

/* ---- the functions themselves, without accesses ---- */

/* Index of the first byte equal to `wanted`, or `limit`. */
static size_t find_byte(const byte *text, byte wanted, size_t limit)
{
    size_t i = 0;
    while (i < limit && text[i] != wanted)
        i++;
    return i;
}

/* Eight bytes at a time, aligned, so that no page is entered before its turn. */
static size_t length_of(const char *text)
{
    typedef uint64_t __attribute__((may_alias)) word;
    const char *end = text;
    while ((uintptr_t)end % sizeof(word)) {
        if (!*end)
            return (size_t)(end - text);
        end++;
    }
    const word *words = (const word *)end;
    while (!((*words - UINT64_C(0x0101010101010101)) & ~*words & UINT64_C(0x8080808080808080)))
        words++;
    end = (const char *)words;
    while (*end)
        end++;
    return (size_t)(end - text);
}

/* Compares like strncmp; *used: how many bytes of each decided. */
static int compare(const char *a, const char *b, size_t limit, size_t *used)
{
    for (size_t i = 0; i < limit; i++) {
        int left = (byte)a[i], right = (byte)b[i];
        if (left != right || left == 0) {
            *used = i + 1;
            return left - right;
        }
    }
    *used = limit;
    return 0;
}

static int compare_counted(const char *a, const char *b, size_t limit, uint64_t pc)
{
    size_t used;
    int result = compare(a, b, limit, &used);
    caller_reads(a, used, pc);
    caller_reads(b, used, pc);
    return result;
}

/* ---- memory ---- */

static void *copy(void *to, const void *from, size_t size, uint64_t pc)
{
    caller_reads(from, size, pc);
    caller_writes(to, size, pc);
    return rawmem_move(to, from, size);
}

static void *set(void *to, int value, size_t size, uint64_t pc)
{
    caller_writes(to, size, pc);
    return rawmem_set(to, value, size);
}

static int compare_memory(const void *a, const void *b, size_t size, uint64_t pc)
{
    caller_reads(a, size, pc);
    caller_reads(b, size, pc);
    return rawmem_compare(a, b, size);
}

EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    return copy(to, from, size, CALLER);
}

EXPORT void *memmove(void *to, const void *from, size_t size)
{
    return copy(to, from, size, CALLER);
}

EXPORT void *mempcpy(void *restrict to, const void *restrict from, size_t size)
{
    return (char *)copy(to, from, size, CALLER) + size;
}

EXPORT void bcopy(const void *from, void *to, size_t size)
{
    copy(to, from, size, CALLER);
}

EXPORT void *memset(void *to, int value, size_t size)
{
    return set(to, value, size, CALLER);
}

EXPORT void bzero(void *to, size_t size)
{
    set(to, 0, size, CALLER);
}

EXPORT void explicit_bzero(void *to, size_t size)
{
    set(to, 0, size, CALLER);
}

EXPORT int memcmp(const void *a, const void *b, size_t size)
{
    return compare_memory(a, b, size, CALLER);
}

/* What clang makes of a memcmp that is only compared with 0. */
EXPORT int bcmp(const void *a, const void *b, size_t size)
{
    return compare_memory(a, b, size, CALLER);
}

EXPORT void *memchr(const void *text, int wanted, size_t size)
{
    size_t i = find_byte(text, (byte)wanted, size);
    caller_reads(text, i < size ? i + 1 : size, CALLER);
    return i < size ? (char *)(uintptr_t)text + i : NULL;
}

EXPORT void *memrchr(const void *text, int wanted, size_t size)
{
    caller_reads(text, size, CALLER);
    while (size-- > 0)
        if (((const byte *)text)[size] == (byte)wanted)
            return (char *)(uintptr_t)text + size;
    return NULL;
}

EXPORT void *memccpy(void *restrict to, const void *restrict from, int last, size_t size)
{
    size_t i = find_byte(from, (byte)last, size);
    copy(to, from, i < size ? i + 1 : size, CALLER);
    return i < size ? (char *)to + i + 1 : NULL;
}

/* ---- strings ---- */

EXPORT size_t strlen(const char *text)
{
    size_t length = length_of(text);
    caller_reads(text, length + 1, CALLER);
    return length;
}

EXPORT size_t strnlen(const char *text, size_t limit)
{
    size_t length = find_byte((const byte *)text, 0, limit);
    caller_reads(text, length < limit ? length + 1 : limit, CALLER);
    return length;
}

EXPORT char *strcpy(char *restrict to, const char *restrict from)
{
    return copy(to, from, length_of(from) + 1, CALLER);
}

EXPORT char *stpcpy(char *restrict to, const char *restrict from)
{
    size_t length = length_of(from);
    copy(to, from, length + 1, CALLER);
    return to + length;
}

/* strncpy and stpncpy: up to `size` bytes, the rest of them zero; the length copied. */
static size_t copy_padded(char *to, const char *from, size_t size, uint64_t pc)
{
    size_t length = find_byte((const byte *)from, 0, size);
    caller_reads(from, length < size ? length + 1 : size, pc);
    caller_writes(to, size, pc);
    rawmem_move(to, from, length);
    rawmem_set(to + length, 0, size - length);
    return length;
}

EXPORT char *strncpy(char *restrict to, const char *restrict from, size_t size)
{
    copy_padded(to, from, size, CALLER);
    return to;
}

EXPORT char *stpncpy(char *restrict to, const char *restrict from, size_t size)
{
    return to + copy_padded(to, from, size, CALLER);
}

static char *append(char *to, const char *from, size_t limit, uint64_t pc)
{
    size_t old = length_of(to), added = find_byte((const byte *)from, 0, limit);
    caller_reads(to, old + 1, pc);
    caller_reads(from, added < limit ? added + 1 : limit, pc);
    caller_writes(to + old, added + 1, pc);
    rawmem_move(to + old, from, added);
    to[old + added] = 0;
    return to;
}

EXPORT char *strcat(char *restrict to, const char *restrict from)
{
    return append(to, from, SIZE_MAX, CALLER);
}

EXPORT char *strncat(char *restrict to, const char *restrict from, size_t limit)
{
    return append(to, from, limit, CALLER);
}

EXPORT int strcmp(const char *a, const char *b)
{
    return compare_counted(a, b, SIZE_MAX, CALLER);
}

EXPORT int strncmp(const char *a, const char *b, size_t limit)
{
    return compare_counted(a, b, limit, CALLER);
}

static char *find(const char *text, int wanted, bool end_if_absent, uint64_t pc)
{
    size_t i = 0;
    while (text[i] != (char)wanted && text[i])
        i++;
    caller_reads(text, i + 1, pc);
    bool found = text[i] == (char)wanted;
    return found || end_if_absent ? (char *)(uintptr_t)text + i : NULL;
}

EXPORT char *strchr(const char *text, int wanted)
{
    return find(text, wanted, false, CALLER);
}

EXPORT char *strchrnul(const char *text, int wanted)
{
    return find(text, wanted, true, CALLER);
}

EXPORT char *strrchr(const char *text, int wanted)
{
    size_t length = length_of(text);
    caller_reads(text, length + 1, CALLER);
    for (size_t i = length + 1; i-- > 0;)
        if (text[i] == (char)wanted)
            return (char *)(uintptr_t)text + i;
    return NULL;
}

EXPORT char *strstr(const char *text, const char *wanted)
{
    size_t length = length_of(text), part = length_of(wanted);
    caller_reads(text, length + 1, CALLER);
    caller_reads(wanted, part + 1, CALLER);
    for (size_t i = 0; i + part <= length; i++)
        if (rawmem_compare(text + i, wanted, part) == 0)
            return (char *)(uintptr_t)text + i;
    return NULL;
}

static char *duplicate(const char *text, size_t limit, uint64_t pc)
{
    size_t length = find_byte((const byte *)text, 0, limit);
    caller_reads(text, length < limit ? length + 1 : limit, pc);
    /* Under control the block's site is the caller's, not this hook's. */
    char *block = rt.on ? heap_alloc(rt.current, length + 1, 0, false, pc) : malloc(length + 1);
    if (block == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    caller_writes(block, length + 1, pc);
    rawmem_move(block, text, length);
    block[length] = 0;
    return block;
}

EXPORT char *strdup(const char *text)
{
    return duplicate(text, SIZE_MAX, CALLER);
}

EXPORT char *strndup(const char *text, size_t limit)
{
    return duplicate(text, limit, CALLER);
}

/* ---- clang's names for what it would otherwise expand ---- */

EXPORT void *__tsan_memcpy(void *to, const void *from, size_t size);
EXPORT void *__tsan_memmove(void *to, const void *from, size_t size);
EXPORT void *__tsan_memset(void *to, int value, size_t size);

void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    return copy(to, from, size, CALLER);
}

void *__tsan_memmove(void *to, const void *from, size_t size)
{
    return copy(to, from, size, CALLER);
}

void *__tsan_memset(void *to, int value, size_t size)
{
    return set(to, value, size, CALLER);
}

/* ---- _FORTIFY_SOURCE: the same with the size of the target, where the compiler knows it ----
 */

#define FORTIFIED(type, name, limits, call, needed)                                            \
    EXPORT type name limits;                                                                   \
    type name limits                                                                           \
    {                                                                                          \
        if (UNLIKELY((needed) > room))                                                         \
            __chk_fail();                                                                      \
        return call;                                                                           \
    }

void __chk_fail(void) __attribute__((noreturn));

FORTIFIED(void *, __memcpy_chk, (void *to, const void *from, size_t size, size_t room),
          copy(to, from, size, CALLER), size)
FORTIFIED(void *, __memmove_chk, (void *to, const void *from, size_t size, size_t room),
          copy(to, from, size, CALLER), size)
FORTIFIED(void *, __mempcpy_chk, (void *to, const void *from, size_t size, size_t room),
          (char *)copy(to, from, size, CALLER) + size, size)
FORTIFIED(void *, __memset_chk, (void *to, int value, size_t size, size_t room),
          set(to, value, size, CALLER), size)
FORTIFIED(char *, __strcpy_chk, (char *to, const char *from, size_t room),
          copy(to, from, length_of(from) + 1, CALLER), length_of(from) + 1)
FORTIFIED(char *, __stpcpy_chk, (char *to, const char *from, size_t room),
          (char *)copy(to, from, length_of(from) + 1, CALLER) + length_of(from),
          length_of(from) + 1)
FORTIFIED(char *, __strncpy_chk, (char *to, const char *from, size_t size, size_t room),
          (copy_padded(to, from, size, CALLER), to), size)
FORTIFIED(char *, __stpncpy_chk, (char *to, const char *from, size_t size, size_t room),
          to + copy_padded(to, from, size, CALLER), size)
FORTIFIED(char *, __strcat_chk, (char *to, const char *from, size_t room),
          append(to, from, SIZE_MAX, CALLER), length_of(to) + length_of(from) + 1)
FORTIFIED(char *, __strncat_chk, (char *to, const char *from, size_t limit, size_t room),
          append(to, from, limit, CALLER),
          length_of(to) + find_byte((const byte *)from, 0, limit) + 1)
