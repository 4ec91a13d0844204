/* The characters that mean something in XML and HTML. */
#ifndef MAZUR_REPORT_MARKUP_H
#define MAZUR_REPORT_MARKUP_H

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
