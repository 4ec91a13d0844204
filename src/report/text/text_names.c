/* Heap objects are introduced once: "Node#1.readers (new at push():53)", then "Node#1.next".
 * The label in front is unique (debuginfo/heap_names.c). Names are untrusted text: what does
 * not look like this stays as it is. */
#include <stdlib.h>
#include <string.h>

#include "report/text/text_private.h"

static const char origin_words[] = " (new at ";

/* The length of " (new at push():53)"; 0: it does not end. */
static size_t origin_length(const char *origin)
{
    int open = 0;
    for (size_t i = 0; origin[i] && origin[i] != '\n'; i++) {
        open += (origin[i] == '(') - (origin[i] == ')');
        if (origin[i] == ')' && open == 0)
            return i + 1;
    }
    return 0;
}

/* Where the name that ends at `end` begins: after the last space outside its brackets. */
static const char *name_start(const char *text, const char *end)
{
    int open = 0;
    for (; end > text && (open > 0 || end[-1] != ' ') && end[-1] != '\n'; end--) {
        open += strchr(">])", end[-1]) != NULL;
        open -= strchr("<[(", end[-1]) != NULL;
    }
    while (*end == '&' || *end == '*' || *end == '(')
        end++;
    return end;
}

/* The length of "Node#1" of the name "Node#1.readers"; 0: it has no label. */
static size_t label_length(const char *name, const char *end)
{
    const char *number = memchr(name, '#', (size_t)(end - name));
    size_t digits = number ? strspn(number + 1, "0123456789") : 0;
    return digits ? (size_t)(number + 1 - name) + digits : 0;
}

char *introduce_objects(struct report *report, const char *text)
{
    struct buffer out = {0};
    const char *from = text;
    for (const char *at; (at = strstr(from, origin_words)); from = at) {
        size_t origin = origin_length(at);
        const char *name = name_start(text, at);
        size_t label = label_length(name, at);
        buffer_add(&out, from, (size_t)(at - from));
        if (!origin) {
            origin = strlen(origin_words);
            buffer_add(&out, at, origin);
        } else if (!label || !report->introduced) {
            buffer_add(&out, at, origin);
        } else {
            char *key = format_text("%.*s%.*s", (int)label, name, (int)origin, at);
            if (list_has(report->introduced, key)) {
                free(key);
            } else {
                buffer_add(&out, at, origin);
                list_take(report->introduced, key);
            }
        }
        at += origin;
    }
    buffer_text(&out, from);
    return buffer_take(&out);
}
