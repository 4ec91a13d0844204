/* See say.h. */
#include "cli/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/buffer.h"

void complain(const char *format, ...)
{
    struct buffer text = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_text(&text, "mazur: ");
    buffer_vprintf(&text, format, arguments);
    va_end(arguments);
    buffer_text(&text, "\n");
    fflush(stdout);
    fputs(text.data, stderr);
    buffer_release(&text);
}
