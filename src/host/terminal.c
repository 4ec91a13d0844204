/* See terminal.h. */
#include "host/terminal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define PAINT_END "\033[0m"

static const char *const paint_codes[] = {
    [PAINT_NONE] = "",         [PAINT_FAILURE] = "\033[1;31m", [PAINT_PREEMPTION] = "\033[33m",
    [PAINT_QUIET] = "\033[2m", [PAINT_STRONG] = "\033[1m",
};

/* Control characters of ASCII and of Latin 1, line and paragraph separators, and the characters
 * that control the direction of text (Unicode's Bidi_Control). */
static bool is_obeyed(unsigned code)
{
    static const unsigned ranges[][2] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},
                                         {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

int shown_length(const char *text)
{
    int length = utf8_length(text);
    return length && !is_obeyed(utf8_code(text, length)) ? length : 0;
}

/* Copies the character at `text`, or spells out one byte; returns the number of bytes read. The
 * remaining bytes of a long character are spelt out in turn: none of them is a character. */
static int add_one(struct buffer *out, const char *text)
{
    int length = shown_length(text);
    if (length)
        buffer_add(out, text, (size_t)length);
    else
        buffer_printf(out, "\\x%02x", (unsigned char)*text);
    return length ? length : 1;
}

void add_clean(struct buffer *out, const char *text)
{
    while (*text)
        text += add_one(out, text);
}

static bool is_shown(const char *word)
{
    for (int length; *word; word += length)
        if (!(length = shown_length(word)))
            return false;
    return true;
}

/* bash's $'…' spells characters out as well. */
static void add_quoted_unseen(struct buffer *out, const char *word)
{
    buffer_text(out, "$'");
    while (*word) {
        if (*word == '\'' || *word == '\\')
            buffer_text(out, "\\");
        word += add_one(out, word);
    }
    buffer_text(out, "'");
}

void add_quoted(struct buffer *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./=:,+@%";
    if (*word && word[strspn(word, plain)] == 0) {
        buffer_text(out, word);
    } else if (!is_shown(word)) {
        add_quoted_unseen(out, word);
    } else {
        buffer_text(out, "'");
        for (; *word; word++)
            if (*word == '\'')
                buffer_text(out, "'\\''");
            else
                buffer_add(out, word, 1);
        buffer_text(out, "'");
    }
}

char *list_command(const struct text_list *list)
{
    struct buffer out = {0};
    for (size_t i = 0; i < list->count; i++) {
        buffer_text(&out, i ? " " : "");
        add_quoted(&out, list->item[i]);
    }
    return buffer_take(&out);
}

/* The first error of standard output: a later flush may find nothing left to write. */
static int output_error;

int terminal_error(void)
{
    return output_error;
}

static void write_out(FILE *out, const struct buffer *text)
{
    if (text->length)
        fwrite(text->data, 1, text->length, out);
    if (fflush(out) != 0 && out == stdout && !output_error)
        output_error = errno;
}

void write_line(FILE *out, const char *format, ...)
{
    struct buffer raw = {0}, line = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(&raw, format, arguments);
    va_end(arguments);
    add_clean(&line, raw.data);
    buffer_text(&line, "\n");
    write_out(out, &line);
    buffer_release(&raw);
    buffer_release(&line);
}

/* Length of the colour code at `text`, or 0: not one of ours. */
static size_t paint_length(const char *text)
{
    if (begins_with(text, PAINT_END))
        return strlen(PAINT_END);
    for (size_t i = PAINT_NONE + 1; i < sizeof paint_codes / sizeof *paint_codes; i++)
        if (begins_with(text, paint_codes[i]))
            return strlen(paint_codes[i]);
    return 0;
}

void write_report(FILE *out, const struct buffer *report)
{
    struct buffer clean = {0};
    for (size_t i = 0, passed; i < report->length; i += passed) {
        const char *at = report->data + i;
        passed = *at == '\n' || *at == '\t' ? 1 : *at == '\033' ? paint_length(at) : 0;
        if (passed)
            buffer_add(&clean, at, passed);
        else
            passed = (size_t)add_one(&clean, at);
    }
    write_out(out, &clean);
    buffer_release(&clean);
}

char *json_for_terminal(char *json)
{
    struct buffer out = {0};
    for (const char *at = json; at && *at;) {
        int length = utf8_length(at);
        if (length && *at != '\n' && !shown_length(at))
            buffer_printf(&out, "\\u%04x", utf8_code(at, length));
        else
            buffer_add(&out, at, length ? (size_t)length : 1);
        at += length ? length : 1;
    }
    free(json);
    return buffer_take(&out);
}

void add_paint(struct buffer *out, enum paint paint, const char *text)
{
    buffer_text(out, paint_codes[paint]);
    buffer_text(out, text);
    buffer_text(out, paint == PAINT_NONE ? "" : PAINT_END);
}
