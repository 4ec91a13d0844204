/* See model_print.h. */
#include "promela/trace/model_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "promela/trace/values.h"

#define WIDTH_MOST 80
#define LINE_MOST  200

/* `%-05d` and the like: flags and width as far as they are sensible, then the conversion. */
static const char *convert_value(struct buffer *out, const struct model *model,
                                 struct arena *arena, const char *at,
                                 const struct expression *argument, int value)
{
    char format[16] = "%";
    size_t length = 1;
    while (*at != '\0' && strchr("-0+ ", *at)) {
        if (length < 4)
            format[length++] = *at;
        at++;
    }
    long width = strtol(at, (char **)&at, 10);
    if (width > 0)
        length += (size_t)snprintf(format + length, sizeof format - length, "%ld",
                                   width < WIDTH_MOST ? width : WIDTH_MOST);
    char kind = *at;
    snprintf(format + length, sizeof format - length, "%c",
             strchr("diuxXoc", kind) && kind != '\0' ? kind : 'd');
    if (kind == 'e')
        buffer_text(out, mtype_text(model, arena, argument, value));
    else if (kind == 'c' && value == 0)
        buffer_text(out, "\\0");
    else
        buffer_printf(out, format, value);
    return *at != '\0' ? at + 1 : at;
}

static const char *add_escaped(struct buffer *out, const char *at)
{
    const char letter[2] = {*at == 'n'   ? '\n'
                            : *at == 't' ? '\t'
                            : *at == 'r' ? '\r'
                                         : *at,
                            '\0'};
    buffer_text(out, letter);
    return *at != '\0' ? at + 1 : at;
}

void print_text(struct buffer *out, const struct model *model, struct arena *arena,
                const struct statement *s, const struct model_print *print)
{
    const struct expression *argument = s->list;
    uint32_t next = 0;
    for (const char *at = s->text; *at != '\0';) {
        size_t plain = strcspn(at, "\\%");
        buffer_add(out, at, plain);
        at += plain;
        if (*at == '\\') {
            at = add_escaped(out, at + 1);
        } else if (at[0] == '%' && at[1] == '%') {
            buffer_text(out, "%");
            at += 2;
        } else if (*at == '%' && next < print->count) {
            at = convert_value(out, model, arena, at + 1, argument, print->value[next++]);
            argument = argument ? argument->next : NULL;
        } else if (*at == '%') { /* no value for it */
            buffer_text(out, "%");
            at++;
        }
    }
}

const char *print_line(struct arena *arena, const char *text)
{
    struct buffer line = {0};
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    buffer_text(&line, "\"");
    for (size_t i = 0; i < length && i < LINE_MOST; i++)
        if (text[i] == '\n' || text[i] == '\t')
            buffer_text(&line, text[i] == '\n' ? "\\n" : "\\t");
        else
            buffer_add(&line, text + i, 1);
    buffer_text(&line, length > LINE_MOST ? "…\"" : "\"");
    const char *copy = arena_text(arena, line.data);
    buffer_release(&line);
    return copy;
}
