/* See buffer.h. */
#include "host/buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/must.h"
#include "host/exit_codes.h"

_Noreturn void out_of_memory(void)
{
    fputs("mazur: out of memory (is there a limit, ulimit -v?)\n", stderr);
    exit(EXIT_INTERNAL);
}

void *allocate(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    if (!memory)
        out_of_memory();
    return memory;
}

void *grow_array(void *array, size_t *capacity, size_t count, size_t item_size)
{
    if (count < *capacity)
        return array;
    size_t wanted = *capacity ? *capacity * 2 : 8;
    void *grown = reallocarray(array, wanted, item_size);
    if (!grown)
        out_of_memory();
    *capacity = wanted;
    return grown;
}

char *copy_bytes(const char *text, size_t length)
{
    char *copy = allocate(length + 1);
    memcpy(copy, text, length);
    return copy;
}

bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

char *copy_text(const char *text)
{
    return copy_bytes(text, strlen(text));
}

char *format_text(const char *format, ...)
{
    struct buffer buffer = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(&buffer, format, arguments);
    va_end(arguments);
    return buffer_take(&buffer);
}

static void buffer_reserve(struct buffer *buffer, size_t more)
{
    if (buffer->length + more + 1 <= buffer->capacity)
        return;
    size_t wanted = buffer->capacity ? buffer->capacity : 64;
    while (wanted < buffer->length + more + 1)
        wanted *= 2;
    char *grown = realloc(buffer->data, wanted);
    if (!grown)
        out_of_memory();
    buffer->data = grown;
    buffer->capacity = wanted;
}

void buffer_add(struct buffer *buffer, const void *bytes, size_t length)
{
    buffer_reserve(buffer, length);
    if (length)
        memcpy(buffer->data + buffer->length, bytes, length);
    buffer->length += length;
    buffer->data[buffer->length] = 0;
}

void buffer_text(struct buffer *buffer, const char *text)
{
    buffer_add(buffer, text, strlen(text));
}

void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0)
        length = 0;
    buffer_reserve(buffer, (size_t)length);
    vsnprintf(buffer->data + buffer->length, (size_t)length + 1, format, again);
    buffer->length += (size_t)length;
    va_end(again);
}

void buffer_printf(struct buffer *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(buffer, format, arguments);
    va_end(arguments);
}

void buffer_count(struct buffer *buffer, unsigned long long count)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%llu", count);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            buffer_text(buffer, ",");
        buffer_add(buffer, digits + i, 1);
    }
}

int utf8_length(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    int length = byte[0] < 0x80                      ? 1
                 : byte[0] >= 0xc2 && byte[0] < 0xe0 ? 2
                 : byte[0] >= 0xe0 && byte[0] < 0xf0 ? 3
                 : byte[0] >= 0xf0 && byte[0] < 0xf5 ? 4
                                                     : 0;
    for (int i = 1; i < length; i++)
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
    if ((byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xed && byte[1] > 0x9f) ||
        (byte[0] == 0xf0 && byte[1] < 0x90) || (byte[0] == 0xf4 && byte[1] > 0x8f))
        return 0;
    return length;
}

unsigned utf8_code(const char *text, int length)
{
    static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    must(length >= 1 && length <= 4);
    unsigned code = (unsigned char)text[0] & first_bits[length];
    for (int i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

struct code_range {
    unsigned first, last;
};

static bool is_within(const struct code_range *range, size_t count, unsigned code)
{
    for (size_t i = 0; i < count && code >= range[i].first; i++)
        if (code <= range[i].last)
            return true;
    return false;
}

/* Columns of one character: marks that combine with the one before take none, East Asian wide
 * characters and pictographs two. wcwidth() would depend on the user's locale. */
static size_t code_width(unsigned code)
{
    static const struct code_range none[] = {
        {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},  {0x64b, 0x65f},
        {0x200b, 0x200d}, {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
    static const struct code_range two[] = {
        {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},
        {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
        {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
        {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
    };
    if (is_within(none, sizeof none / sizeof *none, code))
        return 0;
    return is_within(two, sizeof two / sizeof *two, code) ? 2 : 1;
}

size_t display_step(const char *text, size_t length, size_t *width)
{
    *width = 0;
    if (*text == '\033') {
        const char *end = memchr(text, 'm', length);
        return end ? (size_t)(end - text) + 1 : length;
    }
    int bytes = (unsigned char)*text < 0x80 ? 1 : utf8_length(text);
    *width = bytes ? code_width(utf8_code(text, bytes)) : 1;
    return bytes ? (size_t)bytes : 1;
}

size_t display_width(const char *text, size_t length)
{
    size_t whole = 0, width;
    for (size_t i = 0; i < length; whole += width)
        i += display_step(text + i, length - i, &width);
    return whole;
}

void buffer_pad(struct buffer *buffer, size_t from, size_t column)
{
    size_t width =
        from < buffer->length ? display_width(buffer->data + from, buffer->length - from) : 0;
    for (; width < column; width++)
        buffer_text(buffer, " ");
}

char *buffer_take(struct buffer *buffer)
{
    char *text = buffer->data ? buffer->data : copy_text("");
    *buffer = (struct buffer){0};
    return text;
}

void buffer_release(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){0};
}

void list_take(struct text_list *list, char *text)
{
    list->item = grow_array(list->item, &list->capacity, list->count + 1, sizeof *list->item);
    list->item[list->count++] = text;
    list->item[list->count] = NULL;
}

void list_add(struct text_list *list, const char *text)
{
    list_take(list, copy_text(text));
}

void list_copy(struct text_list *to, const struct text_list *from)
{
    for (size_t i = 0; i < from->count; i++)
        list_add(to, from->item[i]);
}

void list_remove(struct text_list *list, const char *text)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->item[i], text) == 0)
            free(list->item[i]);
        else
            list->item[kept++] = list->item[i];
    if (kept < list->count)
        list->item[kept] = NULL;
    list->count = kept;
}

bool list_has(const struct text_list *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->item[i], text) == 0)
            return true;
    return false;
}

void list_release(struct text_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->item[i]);
    free(list->item);
    *list = (struct text_list){0};
}

#define WORD_MAX 63

/* Edit distance, in which swapping two neighbouring letters is one edit. */
static int edit_distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    if (m > WORD_MAX || n > WORD_MAX)
        return INT32_MAX;
    int cost[WORD_MAX + 1][WORD_MAX + 1];
    for (size_t i = 0; i <= m; i++)
        for (size_t j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = (int)(i + j);
                continue;
            }
            int best = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (cost[i - 1][j] + 1 < best)
                best = cost[i - 1][j] + 1;
            if (cost[i][j - 1] + 1 < best)
                best = cost[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                cost[i - 2][j - 2] + 1 < best)
                best = cost[i - 2][j - 2] + 1;
            cost[i][j] = best;
        }
    return cost[m][n];
}

const char *nearest_text(const char *wrong, const char *const *candidates)
{
    const char *best = NULL;
    int best_distance = 1 + (int)(strlen(wrong) + 1) / 2;
    for (; *candidates; candidates++) {
        int distance = edit_distance(wrong, *candidates);
        /* people also type "keep" for "keep-going" */
        if (begins_with(*candidates, wrong) && strlen(wrong) > 1)
            distance = 1;
        if (distance < best_distance) {
            best_distance = distance;
            best = *candidates;
        }
    }
    return best;
}
