/* The memory and string functions of C11 7.24 and POSIX as accesses of their caller.
 *
 * Each is implemented here (no dlsym: these are called before anything is ready) and announces
 * what it reads and writes before it writes. A function reads what the standard lets it read:
 * memchr and the string functions stop at the deciding byte, memcmp reads all of both blocks.
 *
 * access/caller.c decides whose accesses count for races.
 *
 * Mazur does not use these functions itself: rawmem.h redirects its calls. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/access/access.h"
#include "runtime/access/caller.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/rawmem.h"

/* gcc would recognise the loops below as calls to the functions that they implement. */
#ifndef __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

typedef unsigned char byte;

/* --- --races=explore --- */

/* A function is picked and reads; it is picked again and writes what it has read. Before it is
 * picked, what it will read must not depend on racing bytes. */

#define PAGE 4096
#define KEPT 2048 /* bytes that are kept between reading and writing */

/* A text, whatever its racing bytes hold: it ends at a zero byte that does not race. */
static void add_text(struct op *op, const char *text, size_t limit)
{
    size_t i = 0;
    bool ended = false; /* as it is now */
    while (i < limit) {
        bool racing = access_is_racing((uint64_t)(uintptr_t)text + i);
        if (!text[i] && !racing)
            break;
        ended |= !text[i++];
        if (ended && (uintptr_t)(text + i) % PAGE == 0) { /* there may be no memory */
            op->flags |= OP_READS | OP_GLOBAL;
            break;
        }
    }
    caller_add_memory(op, text, i < limit ? i + 1 : limit, false);
}

static void pick_texts(const char *a, size_t a_limit, const char *b, size_t b_limit,
                       uint64_t pc)
{
    if (LIKELY(!caller_explores(pc)))
        return;
    struct op op = access_operation(0, pc);
    add_text(&op, a, a_limit);
    if (b)
        add_text(&op, b, b_limit);
    access_point(&op);
}

static void pick_memory(const void *a, const void *b, size_t size, uint64_t pc)
{
    if (LIKELY(!caller_explores(pc)))
        return;
    struct op op = access_operation(size, pc);
    caller_add_memory(&op, a, size, false);
    if (b)
        caller_add_memory(&op, b, size, false);
    access_point(&op);
}

/* The first `length` of `size` bytes are copied, the others are zero. */
static void write_racing(char *to, const char *from, size_t length, size_t size, uint64_t pc)
{
    char kept[KEPT];
    struct op op = access_operation(size, pc);
    caller_add_memory(&op, to, size, true);
    if (length <= KEPT)
        from = rawmem_copy(kept, from, length);
    else
        caller_add_memory(&op, from, length, false);
    access_point(&op);
    caller_writes_now(to, size, pc);
    rawmem_move(to, from, length);
    rawmem_set(to + length, 0, size - length);
}

static void write_text(char *to, const char *from, size_t length, size_t size, uint64_t pc)
{
    if (caller_explores(pc)) {
        write_racing(to, from, length, size, pc);
        return;
    }
    caller_writes_now(to, size, pc);
    rawmem_move(to, from, length);
    rawmem_set(to + length, 0, size - length);
}

/* --- The functions themselves, without accesses --- */

/* Index of the first byte equal to `wanted`, or `limit`. */
static size_t find_byte(const byte *text, byte wanted, size_t limit)
{
    size_t i = 0;
    while (i < limit && text[i] != wanted)
        i++;
    return i;
}

/* Eight bytes at a time, aligned, so that it reads no page too early. */
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

/* Compares like strncmp; *used: how many bytes of each were compared. */
static int compare_texts(const char *a, const char *b, size_t limit, size_t *used)
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
    pick_texts(a, limit, b, limit, pc);
    int result = compare_texts(a, b, limit, &used);
    caller_reads_now(a, used, pc);
    caller_reads_now(b, used, pc);
    return result;
}

/* --- Memory --- */

static void *copy_picked(void *to, const void *from, size_t size, uint64_t pc)
{
    caller_reads_now(from, size, pc);
    if (caller_explores(pc)) {
        write_racing(to, from, size, size, pc);
        return to;
    }
    caller_writes_now(to, size, pc);
    return rawmem_move(to, from, size);
}

static void *copy_memory(void *to, const void *from, size_t size, uint64_t pc)
{
    pick_memory(from, NULL, size, pc);
    return copy_picked(to, from, size, pc);
}

static void *copy_text(char *to, const char *from, uint64_t pc)
{
    pick_texts(from, SIZE_MAX, NULL, 0, pc);
    return copy_picked(to, from, length_of(from) + 1, pc);
}

static void *set_memory(void *to, int value, size_t size, uint64_t pc)
{
    if (caller_explores(pc)) {
        struct op op = access_operation(size, pc);
        caller_add_memory(&op, to, size, true);
        access_point(&op);
    }
    caller_writes_now(to, size, pc);
    return rawmem_set(to, value, size);
}

static int compare_memory(const void *a, const void *b, size_t size, uint64_t pc)
{
    pick_memory(a, b, size, pc);
    caller_reads_now(a, size, pc);
    caller_reads_now(b, size, pc);
    return rawmem_compare(a, b, size);
}

EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    return copy_memory(to, from, size, CALLER);
}

EXPORT void *memmove(void *to, const void *from, size_t size)
{
    return copy_memory(to, from, size, CALLER);
}

EXPORT void *mempcpy(void *restrict to, const void *restrict from, size_t size)
{
    return (char *)copy_memory(to, from, size, CALLER) + size;
}

EXPORT void bcopy(const void *from, void *to, size_t size)
{
    copy_memory(to, from, size, CALLER);
}

EXPORT void *memset(void *to, int value, size_t size)
{
    return set_memory(to, value, size, CALLER);
}

EXPORT void bzero(void *to, size_t size)
{
    set_memory(to, 0, size, CALLER);
}

EXPORT void explicit_bzero(void *to, size_t size)
{
    set_memory(to, 0, size, CALLER);
}

EXPORT int memcmp(const void *a, const void *b, size_t size)
{
    return compare_memory(a, b, size, CALLER);
}

/* clang calls this for a memcmp whose result is only compared with 0. */
EXPORT int bcmp(const void *a, const void *b, size_t size)
{
    return compare_memory(a, b, size, CALLER);
}

EXPORT void *memchr(const void *text, int wanted, size_t size)
{
    pick_memory(text, NULL, size, CALLER);
    size_t i = find_byte(text, (byte)wanted, size);
    caller_reads_now(text, i < size ? i + 1 : size, CALLER);
    return i < size ? (char *)(uintptr_t)text + i : NULL;
}

EXPORT void *memrchr(const void *text, int wanted, size_t size)
{
    pick_memory(text, NULL, size, CALLER);
    caller_reads_now(text, size, CALLER);
    while (size-- > 0)
        if (((const byte *)text)[size] == (byte)wanted)
            return (char *)(uintptr_t)text + size;
    return NULL;
}

EXPORT void *memccpy(void *restrict to, const void *restrict from, int last, size_t size)
{
    pick_memory(from, NULL, size, CALLER);
    size_t i = find_byte(from, (byte)last, size);
    copy_picked(to, from, i < size ? i + 1 : size, CALLER);
    return i < size ? (char *)to + i + 1 : NULL;
}

/* --- Strings --- */

EXPORT size_t strlen(const char *text)
{
    pick_texts(text, SIZE_MAX, NULL, 0, CALLER);
    size_t length = length_of(text);
    caller_reads_now(text, length + 1, CALLER);
    return length;
}

EXPORT size_t strnlen(const char *text, size_t limit)
{
    pick_texts(text, limit, NULL, 0, CALLER);
    size_t length = find_byte((const byte *)text, 0, limit);
    caller_reads_now(text, length < limit ? length + 1 : limit, CALLER);
    return length;
}

EXPORT char *strcpy(char *restrict to, const char *restrict from)
{
    return copy_text(to, from, CALLER);
}

EXPORT char *stpcpy(char *restrict to, const char *restrict from)
{
    copy_text(to, from, CALLER);
    return to + length_of(to);
}

/* strncpy and stpncpy: writes `size` bytes, filled up with zeros; returns the length copied. */
static size_t copy_padded(char *to, const char *from, size_t size, uint64_t pc)
{
    pick_texts(from, size, NULL, 0, pc);
    size_t length = find_byte((const byte *)from, 0, size);
    caller_reads_now(from, length < size ? length + 1 : size, pc);
    write_text(to, from, length, size, pc);
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

static char *append_text(char *to, const char *from, size_t limit, uint64_t pc)
{
    pick_texts(to, SIZE_MAX, from, limit, pc);
    size_t old = length_of(to), added = find_byte((const byte *)from, 0, limit);
    caller_reads_now(to, old + 1, pc);
    caller_reads_now(from, added < limit ? added + 1 : limit, pc);
    write_text(to + old, from, added, added + 1, pc);
    return to;
}

EXPORT char *strcat(char *restrict to, const char *restrict from)
{
    return append_text(to, from, SIZE_MAX, CALLER);
}

EXPORT char *strncat(char *restrict to, const char *restrict from, size_t limit)
{
    return append_text(to, from, limit, CALLER);
}

EXPORT int strcmp(const char *a, const char *b)
{
    return compare_counted(a, b, SIZE_MAX, CALLER);
}

EXPORT int strncmp(const char *a, const char *b, size_t limit)
{
    return compare_counted(a, b, limit, CALLER);
}

static char *find_text(const char *text, int wanted, bool end_if_absent, uint64_t pc)
{
    size_t i = 0;
    pick_texts(text, SIZE_MAX, NULL, 0, pc);
    while (text[i] != (char)wanted && text[i])
        i++;
    caller_reads_now(text, i + 1, pc);
    bool found = text[i] == (char)wanted;
    return found || end_if_absent ? (char *)(uintptr_t)text + i : NULL;
}

EXPORT char *strchr(const char *text, int wanted)
{
    return find_text(text, wanted, false, CALLER);
}

EXPORT char *strchrnul(const char *text, int wanted)
{
    return find_text(text, wanted, true, CALLER);
}

EXPORT char *strrchr(const char *text, int wanted)
{
    pick_texts(text, SIZE_MAX, NULL, 0, CALLER);
    size_t length = length_of(text);
    caller_reads_now(text, length + 1, CALLER);
    for (size_t i = length + 1; i-- > 0;)
        if (text[i] == (char)wanted)
            return (char *)(uintptr_t)text + i;
    return NULL;
}

EXPORT char *strstr(const char *text, const char *wanted)
{
    pick_texts(text, SIZE_MAX, wanted, SIZE_MAX, CALLER);
    size_t length = length_of(text), part = length_of(wanted);
    caller_reads_now(text, length + 1, CALLER);
    caller_reads_now(wanted, part + 1, CALLER);
    for (size_t i = 0; i + part <= length; i++)
        if (rawmem_compare(text + i, wanted, part) == 0)
            return (char *)(uintptr_t)text + i;
    return NULL;
}

static char *duplicate_text(const char *text, size_t limit, uint64_t pc)
{
    pick_texts(text, limit, NULL, 0, pc);
    size_t length = find_byte((const byte *)text, 0, limit);
    caller_reads_now(text, length < limit ? length + 1 : limit, pc);
    /* Under control the block's site is the caller's, not this hook's. */
    char *block =
        under_control() ? heap_alloc(rt.current, length + 1, 0, false, pc) : malloc(length + 1);
    if (!block) {
        errno = ENOMEM;
        return NULL;
    }
    write_text(block, text, length, length + 1, pc);
    return block;
}

EXPORT char *strdup(const char *text)
{
    return duplicate_text(text, SIZE_MAX, CALLER);
}

EXPORT char *strndup(const char *text, size_t limit)
{
    return duplicate_text(text, limit, CALLER);
}

/* --- Clang's names for copies that it would otherwise expand --- */

EXPORT void *__tsan_memcpy(void *to, const void *from, size_t size);
EXPORT void *__tsan_memmove(void *to, const void *from, size_t size);
EXPORT void *__tsan_memset(void *to, int value, size_t size);

void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    return copy_memory(to, from, size, CALLER);
}

void *__tsan_memmove(void *to, const void *from, size_t size)
{
    return copy_memory(to, from, size, CALLER);
}

void *__tsan_memset(void *to, int value, size_t size)
{
    return set_memory(to, value, size, CALLER);
}

/* --- _FORTIFY_SOURCE: the same with the size of the target, if the compiler knows it --- */

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
          copy_memory(to, from, size, CALLER), size)
FORTIFIED(void *, __memmove_chk, (void *to, const void *from, size_t size, size_t room),
          copy_memory(to, from, size, CALLER), size)
FORTIFIED(void *, __mempcpy_chk, (void *to, const void *from, size_t size, size_t room),
          (char *)copy_memory(to, from, size, CALLER) + size, size)
FORTIFIED(void *, __memset_chk, (void *to, int value, size_t size, size_t room),
          set_memory(to, value, size, CALLER), size)
FORTIFIED(char *, __strcpy_chk, (char *to, const char *from, size_t room),
          copy_text(to, from, CALLER), length_of(from) + 1)
FORTIFIED(char *, __stpcpy_chk, (char *to, const char *from, size_t room),
          (copy_text(to, from, CALLER), to + length_of(to)), length_of(from) + 1)
FORTIFIED(char *, __strncpy_chk, (char *to, const char *from, size_t size, size_t room),
          (copy_padded(to, from, size, CALLER), to), size)
FORTIFIED(char *, __stpncpy_chk, (char *to, const char *from, size_t size, size_t room),
          to + copy_padded(to, from, size, CALLER), size)
FORTIFIED(char *, __strcat_chk, (char *to, const char *from, size_t room),
          append_text(to, from, SIZE_MAX, CALLER), length_of(to) + length_of(from) + 1)
FORTIFIED(char *, __strncat_chk, (char *to, const char *from, size_t limit, size_t room),
          append_text(to, from, limit, CALLER),
          length_of(to) + find_byte((const byte *)from, 0, limit) + 1)
