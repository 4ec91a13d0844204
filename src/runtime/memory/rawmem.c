/* The private memory functions that rawmem.h redirects to. Most copies are short, so plain
 * loops and `rep` instructions are good enough: no dispatch, no libc. */
#include "runtime/memory/rawmem.h"

/* Anywhere in memory. `volatile` keeps the compiler from making calls of these functions out of
 * their own loops. */
typedef uint64_t rawmem_word __attribute__((aligned(1), may_alias));
typedef uint64_t rawmem_block __attribute__((vector_size(32), aligned(1), may_alias));

void *rawmem_copy(void *to, const void *from, size_t size)
{
    void *start = to;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
    return start;
}

void *rawmem_move(void *to, const void *from, size_t size)
{
    if ((uintptr_t)to - (uintptr_t)from >= size)
        return rawmem_copy(to, from, size);
    for (; size >= sizeof(rawmem_block); size -= sizeof(rawmem_block))
        *(volatile rawmem_block *)((char *)to + size - sizeof(rawmem_block)) =
            *(const volatile rawmem_block *)((const char *)from + size - sizeof(rawmem_block));
    volatile unsigned char *target = to;
    const volatile unsigned char *source = from;
    while (size-- > 0)
        target[size] = source[size];
    return to;
}

void *rawmem_set(void *to, int byte, size_t size)
{
    void *start = to;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(byte) : "memory");
    return start;
}

/* How many bytes are equal for certain, in steps of 32. */
static size_t equal_bytes(const void *a, const void *b, size_t size)
{
    const volatile rawmem_word *left = a, *right = b;
    size_t equal = 0;
    for (; size - equal >= 4 * sizeof(rawmem_word);
         equal += 4 * sizeof(rawmem_word), left += 4, right += 4)
        if ((left[0] ^ right[0]) | (left[1] ^ right[1]) | (left[2] ^ right[2]) |
            (left[3] ^ right[3]))
            break;
    return equal;
}

int rawmem_compare(const void *a, const void *b, size_t size)
{
    size_t equal = size >= 4 * sizeof(rawmem_word) ? equal_bytes(a, b, size) : 0;
    const volatile unsigned char *left = (const unsigned char *)a + equal;
    const volatile unsigned char *right = (const unsigned char *)b + equal;
    size -= equal;
    for (size_t i = 0; i < size; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

size_t rawmem_length(const char *text)
{
    const volatile char *end = text;
    while (*end)
        end++;
    return (size_t)(end - text);
}

int rawmem_compare_strings(const char *a, const char *b)
{
    const volatile unsigned char *left = (const volatile unsigned char *)a;
    const volatile unsigned char *right = (const volatile unsigned char *)b;
    while (*left && *left == *right)
        left++, right++;
    return *left < *right ? -1 : *left > *right;
}

size_t rawmem_wide_length(const wchar_t *text, size_t limit)
{
    size_t length = 0;
    while (length < limit && text[length])
        length++;
    return length;
}
