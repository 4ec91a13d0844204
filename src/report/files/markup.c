/* See markup.h. */
#include "report/files/markup.h"

#include <string.h>

#include "host/terminal.h"

/* Length of a character that XML 1.0 allows (section 2.2: UTF-8, few control characters,
 * neither U+FFFE nor U+FFFF) and that does not control a terminal, or 0. */
static int xml_length(const char *text)
{
    if (*text == '\n' || *text == '\t')
        return 1;
    return strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0
               ? 0
               : shown_length(text);
}

void add_xml(struct buffer *out, const char *text)
{
    for (int length; *text; text += length ? length : 1) {
        const char *entity = markup_entity(*text);
        length = xml_length(text);
        if (entity)
            buffer_text(out, entity);
        else if (length)
            buffer_add(out, text, (size_t)length);
        else
            buffer_printf(out, "\\x%02x", (unsigned char)*text);
    }
}
