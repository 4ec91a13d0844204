/* See say.h. */
#include "host/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/text_layout.h"
#include "host/terminal.h"

void complain(const char *format, ...)
{
    struct buffer text = {0}, line = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(&text, format, arguments);
    va_end(arguments);
    fflush(stdout);
    buffer_text(&line, "mazur: ");
    add_clean(&line, text.data);
    buffer_text(&line, "\n");
    if (isatty(STDERR_FILENO))
        wrap_lines(&line, 0, terminal_columns(stderr), strlen("mazur: "), LONG_WORD_STAYS);
    fputs(line.data, stderr); /* in one write: others may write to stderr, too */
    buffer_release(&text);
    buffer_release(&line);
}
