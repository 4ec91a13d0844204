/* See text_layout.h. */
#include "host/text_layout.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_MIN 40 /* a report needs that many */
#define COLUMNS_MAX 500
#define WORD_LEAST  18 /* a word this short is not cut */
#define ROOM_LEAST  20 /* columns of a line that is continued */
#define ELLIPSIS    "…"

static size_t clamp_columns(long columns)
{
    return columns < COLUMNS_MIN   ? COLUMNS_MIN
           : columns > COLUMNS_MAX ? COLUMNS_MAX
                                   : (size_t)columns;
}

size_t terminal_columns(FILE *out)
{
    const char *given = getenv("COLUMNS");
    struct winsize size;
    char *end;
    long columns = given ? strtol(given, &end, 10) : 0;
    if (columns > 0 && *end == 0)
        return clamp_columns(columns);
    if (!isatty(fileno(out)))
        return 0;
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return clamp_columns(size.ws_col);
    return 80;
}

/* Bytes of `text` that take at most `width` columns. */
static size_t bytes_within(const char *text, size_t length, size_t width)
{
    size_t at = 0, step;
    while (at < length) {
        size_t next = at + display_step(text + at, length - at, &step);
        if (step > width)
            break;
        width -= step;
        at = next;
    }
    return at;
}

/* The first byte from which on `text` takes at most `width` columns. */
static size_t tail_within(const char *text, size_t length, size_t width)
{
    size_t whole = display_width(text, length), at = 0, step;
    while (at < length && whole > width) {
        at += display_step(text + at, length - at, &step);
        whole -= step;
    }
    return at;
}

static bool has_index(const char *text, size_t length)
{
    return memchr(text, '[', length) || memchr(text, ']', length);
}

/* The columns before the ellipsis. An index is kept where possible, since it may be all that
 * distinguishes two names. */
static size_t choose_head(const char *word, size_t length, size_t width)
{
    size_t head = (width - 1) * 2 / 5;
    for (size_t step = 0; step < width; step++)
        for (int side = 0; side < 2; side++) {
            size_t at = side ? head - step : head + step;
            if (at >= width)
                continue;
            size_t first = bytes_within(word, length, at);
            size_t last = tail_within(word, length, width - 1 - at);
            if (last >= first && !has_index(word + first, last - first))
                return at;
        }
    return head;
}

/* The word in `width` columns, its middle replaced by an ellipsis. The end of a name says more
 * than its beginning: the namespaces come first. */
static void add_cut(struct buffer *out, const char *word, size_t length, size_t width)
{
    size_t head = choose_head(word, length, width);
    size_t first = bytes_within(word, length, head);
    size_t last = tail_within(word, length, width - 1 - head);
    buffer_add(out, word, first);
    buffer_text(out, ELLIPSIS);
    buffer_add(out, word + last, length - last);
}

void cut_text(struct buffer *text, size_t width)
{
    struct buffer shorter = {0};
    if (display_width(text->data ? text->data : "", text->length) <= width)
        return;
    add_cut(&shorter, text->data, text->length, width);
    buffer_release(text);
    *text = shorter;
}

static size_t word_length(const char *text, size_t length)
{
    const char *end = memchr(text, ' ', length);
    return end ? (size_t)(end - text) : length;
}

/* The same, but a line does not end with the dot between two remarks. */
static size_t piece_length(const char *text, size_t length)
{
    size_t dot = begins_with(text, "· ") ? strlen("· ") : 0;
    return dot < length ? dot + word_length(text + dot, length - dot) : length;
}

struct word {
    size_t at, length, width;
};

static struct word widest_word(const char *text, size_t length)
{
    struct word best = {0};
    for (size_t at = 0; at < length; at++) {
        size_t bytes = word_length(text + at, length - at);
        size_t width = display_width(text + at, bytes);
        if (width > best.width)
            best = (struct word){at, bytes, width};
        at += bytes;
    }
    return best;
}

size_t fit_line(struct buffer *line, size_t width)
{
    size_t used = display_width(line->data, line->length);
    while (used > width) {
        struct word word = widest_word(line->data, line->length);
        size_t excess = used - width;
        size_t room = word.width > excess + WORD_LEAST ? word.width - excess : WORD_LEAST;
        if (word.width <= WORD_LEAST)
            break;
        struct buffer shorter = {0};
        buffer_add(&shorter, line->data, word.at);
        add_cut(&shorter, line->data + word.at, word.length, room);
        buffer_add(&shorter, line->data + word.at + word.length,
                   line->length - word.at - word.length);
        buffer_release(line);
        *line = shorter;
        used = display_width(line->data, line->length);
    }
    return used;
}

/* A line that is being broken. */
struct wrapping {
    struct buffer *out;
    size_t width; /* of a line */
    size_t hang;  /* indentation of what continues it */
    size_t used;  /* columns of the line so far */
    enum long_word long_word;
};

static void continue_line(struct wrapping *wrapping)
{
    struct buffer *out = wrapping->out;
    while (out->length && out->data[out->length - 1] == ' ')
        out->data[--out->length] = 0;
    buffer_text(out, "\n");
    buffer_pad(out, out->length, wrapping->hang);
    wrapping->used = wrapping->hang;
}

static void add_word(struct wrapping *wrapping, const char *word, size_t length)
{
    struct buffer *out = wrapping->out;
    size_t wide = display_width(word, length);
    if (wrapping->used + wide > wrapping->width && wrapping->used > wrapping->hang)
        continue_line(wrapping);
    size_t room = wrapping->width - wrapping->used;
    if (wide > room && wrapping->long_word == LONG_WORD_CUT) {
        add_cut(out, word, length, room);
        wide = room;
    } else {
        while (wide > room && wrapping->long_word == LONG_WORD_BROKEN) {
            size_t first = bytes_within(word, length, room);
            buffer_add(out, word, first);
            continue_line(wrapping);
            word += first;
            length -= first;
            wide = display_width(word, length);
            room = wrapping->width - wrapping->used;
        }
        buffer_add(out, word, length);
    }
    wrapping->used += wide;
}

static void wrap_line(struct wrapping *wrapping, const char *line, size_t length)
{
    size_t lead = 0, step;
    while (lead < length && (line[lead] == ' ' || line[lead] == '\033'))
        lead += display_step(line + lead, length - lead, &step);
    wrapping->used = display_width(line, lead);
    if (!wrapping->hang)
        wrapping->hang = wrapping->used + 2;
    if (wrapping->hang + ROOM_LEAST > wrapping->width)
        wrapping->hang = 2;
    buffer_add(wrapping->out, line, lead);
    for (size_t at = lead; at < length;) {
        size_t bytes = piece_length(line + at, length - at);
        add_word(wrapping, line + at, bytes);
        at += bytes;
        size_t spaces = at < length ? strspn(line + at, " ") : 0;
        if (wrapping->used + spaces < wrapping->width) {
            buffer_add(wrapping->out, line + at, spaces);
            wrapping->used += spaces;
        } else if (at + spaces < length) {
            continue_line(wrapping);
        }
        at += spaces;
    }
}

void wrap_lines(struct buffer *out, size_t from, size_t width, size_t hang,
                enum long_word long_word)
{
    size_t length = out->length - from;
    char *text = copy_bytes(out->data + from, length);
    if (from < out->length)
        out->data[out->length = from] = 0;
    for (size_t at = 0; at < length;) {
        size_t line = strcspn(text + at, "\n");
        if (display_width(text + at, line) <= width)
            buffer_add(out, text + at, line);
        else
            wrap_line(&(struct wrapping){out, width, hang, 0, long_word}, text + at, line);
        at += line;
        if (at < length)
            buffer_text(out, "\n");
        at++;
    }
    free(text);
}
