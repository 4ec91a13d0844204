/* What to say about a replay that can't follow its schedule because the program has changed. */
#include <stdlib.h>

#include "report/text/text.h"
#include "report/text/text_private.h"

/* The first event of a different thread or kind; if there is none, the one after the last.
 * Objects are not compared, since a variable may have been renamed. */
static uint32_t first_other(const struct trace *trace, const struct trace *again)
{
    uint32_t i = 0;
    while (i < trace->nevents && i < again->nevents &&
           trace->event[i].tid == again->event[i].tid &&
           trace->event[i].operation.kind == again->event[i].operation.kind)
        i++;
    return i;
}

static void add_label(struct buffer *out, const struct trace *trace, int tid)
{
    char *label = thread_label(trace, tid);
    add_clean(out, label);
    free(label);
}

static void add_event(struct buffer *out, const struct trace *trace, uint32_t index)
{
    add_label(out, trace, trace->event[index].tid);
    buffer_text(out, ": ");
    add_event_phrase(out, trace, index);
}

/* What the thread that should have continued does instead. */
static void add_next_step(struct buffer *out, const struct trace *again, int tid)
{
    if ((size_t)tid >= again->nthreads) {
        buffer_printf(out, "no thread T%d", tid);
        return;
    }
    const struct trace_thread *thread = &again->thread[tid];
    add_label(out, again, tid);
    if (thread->state == THREAD_FINISHED) {
        buffer_text(out, " has ended");
    } else if (thread->pending.kind != OP_NONE) {
        buffer_text(out, thread->state == THREAD_BLOCKED ? " waits: " : ": ");
        add_pending_phrase(out, again, tid);
    } else {
        buffer_text(out, " can't go on");
    }
}

char *diverged_sentence(const struct trace *trace, const struct trace *again,
                        const char *changed)
{
    struct buffer text = {0};
    uint32_t other = first_other(trace, again);
    if (changed)
        add_clean(&text, changed);
    buffer_text(&text, changed ? " has changed; " : "this is another build of the program; ");
    if (other >= trace->nevents) {
        buffer_text(&text, "the program continues after the last event of the trace");
        return buffer_take(&text);
    }
    buffer_printf(&text, "event %u expected ", other + 1);
    add_event(&text, trace, other);
    buffer_text(&text, ", got ");
    if (other < again->nevents)
        add_event(&text, again, other);
    else
        add_next_step(&text, again, trace->event[other].tid);
    return buffer_take(&text);
}
