/* The characters with a special meaning in XML and HTML. */
#ifndef MAZUR_REPORT_MARKUP_H
#define MAZUR_REPORT_MARKUP_H

#include "host/buffer.h"

/* Adds text of a program to XML; characters that XML does not allow become \x1b and the like.
 */
void add_xml(struct buffer *out, const char *text);

/* What stands for a character in XML and HTML text and attributes; NULL: the character itself.
 */
static inline const char *markup_entity(char character)
{
    switch (character) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    default:
        return 0;
    }
}

#endif
