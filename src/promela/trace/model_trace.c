/* From a path through a model to a trace: events with statements, values and message arrows,
 * switches with their reasons, and the failure at the end, found again.
 *
 * A process is a thread of the trace. Process numbers are used again when a process has ended,
 * so a thread stands for one life of one process. The schedule of the trace is, step by step:
 * the process, the number of the step among those of that process there, and with a claim the
 * number of the claim's move; a choice without a process is a step of the claim alone. Where a
 * cycle begins is failure.step, a position in the schedule. */
#include "promela/trace/model_trace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "promela/trace/tracer.h"

/* --- the whole --- */

/* Notes in the trace how the model is called and made. */
static void note_recipe(struct trace *trace, const struct verifier *verifier)
{
    const struct model_options *o = verifier->options;
    struct arena *arena = &trace->arena;
    char *here = getcwd(NULL, 0), *full = realpath(o->file, NULL);
    trace->program = arena_text(arena, o->file);
    trace->recipe = (struct recipe){
        .model = true,
        .program = arena_text(arena, full ? full : o->file),
        .property = verifier->property ? arena_text(arena, verifier->property) : NULL,
        .directory = arena_text(arena, here ? here : "/"),
        .narguments = (size_t)o->define_count,
        .argument = arena_alloc(arena, (size_t)o->define_count * sizeof(char *) + 8)};
    for (int i = 0; i < o->define_count; i++)
        trace->recipe.argument[i] = arena_text(arena, o->defines[i]);
    free(here);
    free(full);
}

bool tracer_init(struct tracer *t, struct verifier *verifier, bool fair)
{
    *t = (struct tracer){.verifier = verifier,
                         .model = verifier->model,
                         .last_pid = NO_PARTNER,
                         .last_partner = NO_PARTNER,
                         .fault_pid = NO_PARTNER,
                         .fair = fair};
    if (!follow_init(&t->follow, verifier))
        return false;
    t->parts_first = t->parts = follow_parts(&t->follow);
    t->trace = trace_new();
    t->trace->thread = arena_alloc(&t->trace->arena, THREADS_MAX * sizeof *t->trace->thread);
    t->trace->failure = (struct trace_failure){.tid = -1,
                                               .bound = BOUND_NONE,
                                               .block_owner = -1,
                                               .freed_by = -1,
                                               .message = "",
                                               .detail = ""};
    t->trace->inflection = TRACE_NO_EVENT;
    t->trace->output = "";
    trace_settings_capture(t->trace, &(struct board_config){.search.depth = 20000});
    t->trace->coverage = (struct coverage){.strategy = "model", .fair = -1};
    tracer_note_processes(t, NULL, t->follow.shape, -1);
    note_recipe(t->trace, verifier);
    return true;
}

struct trace *tracer_finish(struct tracer *t)
{
    for (uint32_t i = 0; i < 256; i++)
        free(t->sends[i]);
    free(t->cycle_vector);
    if (t->output.length > 0)
        t->trace->output = arena_text(&t->trace->arena, t->output.data);
    buffer_release(&t->output);
    follow_free(&t->follow);
    return t->trace;
}

static void say_lost(struct tracer *t, uint32_t step)
{
    tracer_set_failure(t, FAILURE_NONDETERMINISM,
                       arena_format(&t->trace->arena,
                                    "the model can no longer take this path, from step %u on",
                                    step + 1));
}

bool tracer_take_step(struct tracer *t, const struct trail_step *step, bool log)
{
    enum switch_reason reason = SWITCH_NONE;
    if (t->in_cycle)
        tracer_note_cycle_state(t);
    if (step->pid != NO_PARTNER && log && t->follow.holder == NO_PARTNER)
        reason = tracer_why_switched(t, step->pid, step->partner);
    int from_thread = t->last_pid < 256 ? t->thread[t->last_pid] : -1;
    struct source_stack place;
    const char *waits =
        reason == SWITCH_BLOCKED ? tracer_next_words(t, t->last_pid, &place) : NULL;
    if (!follow_step(&t->follow, *step, &t->done))
        return false;
    t->parts_before = t->parts;
    t->parts = follow_parts(&t->follow);
    if (t->in_cycle)
        tracer_note_cycle_step(t);
    if (log)
        tracer_add_step(t, reason, from_thread, waits);
    return true;
}

/* The steps from `from` on; false if one can't be taken. */
static bool walk_trail(struct tracer *t, const struct trail *trail, uint32_t from, bool log)
{
    for (uint32_t i = from; i < trail->count && t->fault == 0; i++) {
        if (i == trail->cycle && log)
            tracer_start_cycle(t);
        if (!tracer_take_step(t, &trail->steps[i], log))
            return say_lost(t, i), false;
    }
    return true;
}

struct trace *model_trace(struct verifier *verifier, const struct trail *trail, bool fair)
{
    struct tracer *t = allocate(sizeof *t);
    struct trace *trace = NULL;
    if (tracer_init(t, verifier, fair)) {
        t->believed = trail->believed;
        bool good = walk_trail(t, trail, 0, true);
        /* variables that nobody reads any more may differ the first time round */
        if (good && violation_is_cyclic(trail->violation) && t->in_cycle &&
            !tracer_cycle_holds(t)) {
            memcpy(t->cycle_vector, t->follow.now,
                   t->follow.shape == t->cycle_shape ? t->follow.shape->size : 0);
            good = walk_trail(t, trail, trail->cycle, false);
            t->second_round = true;
            /* those that are only written Spin does not look at */
            t->repeated = good && t->believed;
            if (!good && t->believed) { /* the trail's cycle does not close */
                tracer_set_failure(t, FAILURE_NONE, "");
                t->in_cycle = false;
                good = true;
            }
        }
        if (good)
            tracer_conclude(t, trail->violation);
        if (good)
            tracer_note_next_round(t, trail);
        trace = tracer_finish(t);
        trace->recipe.believed = trail->believed;
    }
    free(t);
    return trace;
}

/* --- replay --- */

static enum violation kind_violation(enum failure_kind kind)
{
    for (int v = VIOLATION_NONE; v <= VIOLATION_FAULT; v++)
        if (violation_kind((enum violation)v) == kind)
            return (enum violation)v;
    return VIOLATION_NONE;
}

bool model_schedule(struct verifier *verifier, const struct trace *trace, struct trail *trail)
{
    struct follow f;
    struct followed done;
    size_t at = 0;
    bool claimed = verifier->model->claim, good = follow_init(&f, verifier);
    *trail = (struct trail){.violation = kind_violation(trace->failure.kind),
                            .preemptions = -1,
                            .believed = trace->recipe.believed,
                            .cycle = UINT32_MAX};
    while (good && at < trace->nschedule) {
        uint32_t pid = NO_PARTNER, choice = 0, claim = NO_PARTNER;
        if (at == trace->failure.step && violation_is_cyclic(trail->violation))
            trail->cycle = trail->count;
        if (!(trace->schedule[at] & BOARD_CHOICE)) {
            pid = trace->schedule[at++];
            good = at < trace->nschedule && (trace->schedule[at] & BOARD_CHOICE);
            choice = good ? trace->schedule[at++] & ~BOARD_CHOICE : 0;
        }
        if (good && claimed) {
            good = at < trace->nschedule && (trace->schedule[at] & BOARD_CHOICE);
            claim = good ? (trace->schedule[at++] & ~BOARD_CHOICE) - 1 : 0;
        }
        good = good && (pid != NO_PARTNER || claimed) &&
               follow_choice(&f, pid, choice, claim, &done);
        if (good)
            trail_add(trail, done.step);
    }
    if (f.now)
        follow_free(&f);
    return good;
}

struct trace *model_trace_again(struct verifier *verifier, const struct trace *trace)
{
    struct trail trail;
    bool whole = model_schedule(verifier, trace, &trail);
    struct trace *again = model_trace(verifier, &trail, false);
    if (again && !whole) {
        again->failure.kind = FAILURE_NONDETERMINISM;
        again->failure.message = arena_format(
            &again->arena, "the model can no longer take this path, from step %u on",
            trail.count + 1);
    }
    trail_free(&trail);
    return again;
}
