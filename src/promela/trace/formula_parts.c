/* The truth of a formula's parts along a trace: of what it says of one state, between its
 * temporal operators. Whether the formula holds follows from these and the order of the steps,
 * so a reader who sees where a part comes to hold, or holds no more, can check the verdict by
 * hand. */
#include <string.h>

#include "promela/trace/tracer.h"

#define SENTENCE_MOST 600 /* bytes about the first state */

static const char *part_text(struct tracer *t, int number)
{
    struct arena *arena = &t->trace->arena;
    const struct expression *part = t->model->claim->parts[number];
    const char *text = expression_text((struct model *)t->model, part);
    bool enclosed = part->kind == EXPRESSION_BINARY || part->kind == EXPRESSION_CONDITION;
    return enclosed ? arena_format(arena, "%.*s", (int)strlen(text) - 2, text + 1)
                    : arena_text(arena, text);
}

/* A variable, whose values say it. */
static bool is_named(const struct trace_event *event, size_t changes, const char *part)
{
    for (size_t i = 0; i < changes; i++)
        if (strcmp(event->change[i].name, part) == 0)
            return true;
    return false;
}

void tracer_note_parts(struct tracer *t, struct trace_event *event)
{
    uint64_t before = t->parts_before, now = t->parts;
    int count = t->model->claim ? t->model->claim->part_count : 0;
    if (before == now || count == 0)
        return;
    struct trace_change *change =
        arena_alloc(&t->trace->arena, (event->nchanges + (size_t)count) * sizeof *change);
    if (event->nchanges > 0)
        memcpy(change, event->change, event->nchanges * sizeof *change);
    event->change = change;
    size_t values = event->nchanges;
    for (int i = 0; i < count; i++) {
        if (!((before ^ now) >> i & 1) || is_named(event, values, part_text(t, i)))
            continue;
        change[event->nchanges++] =
            (struct trace_change){part_text(t, i), before >> i & 1 ? "true" : "false",
                                  now >> i & 1 ? "true" : "false"};
    }
}

const char *tracer_first_parts(struct tracer *t)
{
    const struct proctype *claim = t->model->claim;
    struct buffer text = {0};
    if (!claim || claim->part_count == 0)
        return "";
    for (int i = 0; i < claim->part_count && text.length < SENTENCE_MOST; i++)
        buffer_printf(&text, "%s%s is %s", i > 0 ? ", " : "In the first state ",
                      part_text(t, i), t->parts_first >> i & 1 ? "true" : "false");
    buffer_text(&text, text.length < SENTENCE_MOST ? "." : ", …");
    const char *sentence = arena_text(&t->trace->arena, text.data);
    buffer_release(&text);
    return sentence;
}
