/* See test_output.h.
 *
 *     gt.cpp:12: Failure                      GoogleTest: up to an empty line or the next [ … ]
 *     Expected equality of these values:
 *       counter.load()
 *
 *     ca.cpp:13: FAILED:                      Catch2: up to an empty line or a line of dashes,
 *       REQUIRE( counter.load() == 2 ) with the expansion after the first one
 *     with expansion:
 *       1 == 2
 *
 * The text comes from the program under test: it is only displayed. */
#include "trace/test_output.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MAX 300

static const char *const marks[] = {": Failure\n", ": FAILED:\n"};

/* The first line "FILE:LINE" + mark; `after` is what follows it. */
static const char *find_mark(const char *output, const char **after)
{
    const char *found = NULL;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *at = strstr(output, marks[i]);
        if (at && (!found || at < found)) {
            found = at;
            *after = at + strlen(marks[i]);
        }
    }
    return found;
}

static bool read_place(struct trace *trace, const char *output, const char *mark)
{
    const char *start = mark;
    while (start > output && start[-1] != '\n')
        start--;
    const char *colon = mark;
    while (colon > start && isdigit((unsigned char)colon[-1]))
        colon--;
    if (colon == mark || colon - 1 <= start || colon[-1] != ':')
        return false;
    struct source_place *place = arena_alloc(&trace->arena, sizeof *place);
    *place = (struct source_place){
        .file = arena_bytes(&trace->arena, start, (size_t)(colon - 1 - start)),
        .line = atoi(colon)};
    trace->failure.stack = (struct source_stack){1, place};
    return true;
}

static bool is_end(const char *line, size_t length)
{
    return length == 0 || line[0] == '[' || strspn(line, "-=.") >= 10;
}

/* The lines of the assertion as one, blanks joined. */
static const char *read_message(struct trace *trace, const char *text)
{
    struct buffer out = {0};
    while (*text && out.length < MESSAGE_MAX) {
        size_t length = strcspn(text, "\n");
        if (is_end(text, length))
            break;
        const char *word = text + strspn(text, " ");
        if (out.length)
            buffer_text(&out, out.data[out.length - 1] == ':' ? " " : "; ");
        buffer_add(&out, word, length - (size_t)(word - text));
        text += length + (text[length] == '\n');
    }
    const char *message = arena_bytes(&trace->arena, out.data ? out.data : "", out.length);
    buffer_release(&out);
    return message;
}

void test_output_explain(struct trace *trace)
{
    const char *after = NULL;
    const char *output = trace->output ? trace->output : "";
    const char *mark = trace->failure.kind == FAILURE_EXIT ? find_mark(output, &after) : NULL;
    if (!mark || !read_place(trace, output, mark))
        return;
    const char *message = read_message(trace, after);
    if (*message)
        trace->failure.message = message;
}
