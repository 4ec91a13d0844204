/* See same_failure.h.
 *
 * The search tells failures apart by thread and call stack. So it finds a race twice, once from
 * either side, and a deadlock of two workers twice, with the workers exchanged. Here two
 * failures are the same if they have the same kind, message and places, in any order. The
 * places of a race are its two accesses; those of waiting threads are where each of them waits.
 */
#include "trace/same_failure.h"

#include <stdlib.h>
#include <string.h>

#include "host/buffer.h"
#include "trace/verdict.h"

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_place_key(struct text_list *places, const struct source_place *place,
                          const char *what)
{
    list_take(places, format_text("%s:%d %s %s", place && place->file ? place->file : "",
                                  place ? place->line : 0,
                                  place && place->function ? place->function : "", what));
}

/* What the failure is about; malloc'd. */
static char *failure_key(const struct trace *trace)
{
    const struct trace_failure *failure = &trace->failure;
    struct text_list places = {0};
    struct buffer key = {0};
    for (size_t i = 0; i < failure->naccesses; i++)
        add_place_key(&places, stack_user_place(&failure->access[i].stack), "");
    for (size_t i = 0; failure_has(failure->kind, FAILURE_WAITS) && i < trace->nthreads; i++)
        if (trace->thread[i].state == THREAD_BLOCKED)
            add_place_key(&places, stack_user_place(&trace->thread[i].stack),
                          trace->thread[i].pending.object);
    if (!places.count)
        add_place_key(&places, trace_location(trace), "");
    qsort(places.item, places.count, sizeof *places.item, compare_texts);
    buffer_printf(&key, "%d %s", (int)failure->kind, failure->message);
    for (size_t i = 0; i < places.count; i++)
        buffer_printf(&key, "\n%s", places.item[i]);
    list_release(&places);
    return buffer_take(&key);
}

static bool is_simpler(const struct trace *a, const struct trace *b)
{
    if (a->failure.preemptions != b->failure.preemptions)
        return (unsigned)a->failure.preemptions < (unsigned)b->failure.preemptions;
    return a->nevents < b->nevents;
}

static void drop_trace(struct trace **traces, char **keys, size_t index)
{
    trace_free(traces[index]);
    free(keys[index]);
    traces[index] = NULL;
    keys[index] = NULL;
}

void merge_failures(struct trace **traces, size_t count)
{
    char **keys = allocate(count * sizeof *keys);
    for (size_t i = 0; i < count; i++) {
        keys[i] = traces[i] ? failure_key(traces[i]) : NULL;
        for (size_t j = 0; j < i && keys[i]; j++) {
            if (!keys[j] || strcmp(keys[i], keys[j]) != 0)
                continue;
            drop_trace(traces, keys, is_simpler(traces[i], traces[j]) ? j : i);
        }
    }
    for (size_t i = 0; i < count; i++)
        free(keys[i]);
    free(keys);
}
