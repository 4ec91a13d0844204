/* Growing text and lists of text for the parent process, and its allocator.
 *
 * Running out of memory ends the process with exit code 70 and a message; every other error is
 * returned to the caller. Invariant: a buffer's data is always terminated by a zero byte, which
 * `length` does not count. */
#ifndef MAZUR_HOST_BUFFER_H
#define MAZUR_HOST_BUFFER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory; never NULL. */
void *allocate(size_t size);
_Noreturn void out_of_memory(void);
/* Makes room for one more item after `count` items; returns the array, which may have moved. */
void *grow_array(void *array, size_t *capacity, size_t count, size_t item_size);
char *copy_text(const char *text);
bool begins_with(const char *text, const char *prefix);
char *copy_bytes(const char *text, size_t length);
char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct buffer {
    char *data;
    size_t length;
    size_t capacity;
};

void buffer_add(struct buffer *buffer, const void *bytes, size_t length);
void buffer_text(struct buffer *buffer, const char *text);
void buffer_printf(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* "12,480": how counts are shown to people. */
void buffer_count(struct buffer *buffer, unsigned long long count);
/* Spaces up to display column `column`, counting from the text at `from`. */
void buffer_pad(struct buffer *buffer, size_t from, size_t column);
/* Bytes of the UTF-8 character at `text`, or 0: not a valid one (by the same rules as jansson).
 */
int utf8_length(const char *text);
/* The character itself; `length` is from utf8_length(). */
unsigned utf8_code(const char *text, int length);
/* Columns of a terminal that a UTF-8 text takes; colour escape sequences take none. */
size_t display_width(const char *text, size_t length);
/* Bytes of the first character or escape sequence, and its columns; `length` is not 0. */
size_t display_step(const char *text, size_t length, size_t *width);
/* The text, owned by the caller; the buffer is empty afterwards. */
char *buffer_take(struct buffer *buffer);
void buffer_release(struct buffer *buffer);

struct text_list {
    char **item; /* item[count] is NULL, so it serves as an argv */
    size_t count;
    size_t capacity;
};

void list_add(struct text_list *list, const char *text);
void list_take(struct text_list *list, char *text); /* takes over malloc'd text */
void list_copy(struct text_list *to, const struct text_list *from);
void list_remove(struct text_list *list, const char *text);
bool list_has(const struct text_list *list, const char *text);
void list_release(struct text_list *list);

/* The candidate nearest to `wrong` by edit distance, or NULL if none is close. */
const char *nearest_text(const char *wrong, const char *const *candidates);

#endif
