/* The block that belongs to the kind of failure: who waits for whom, which two accesses race,
 * what happened to the memory. */
#include <stdlib.h>
#include <string.h>

#include "base/must.h"
#include "report/text/gist.h"
#include "report/text/text_private.h"

#define THREADS_SHOWN 12

/* --- Threads that wait --- */

/* " (shared)" if the thread has locked it so. */
static const char *mode_of_lock(const struct trace *trace, int tid, const char *lock)
{
    for (size_t i = trace->nevents; i-- > 0;) {
        const struct trace_operation *operation = &trace->event[i].operation;
        if (trace->event[i].tid == tid && !(operation->flags & OP_FAILED) &&
            *lock_mode(operation->kind) && strcmp(operation->object, lock) == 0)
            return lock_mode(operation->kind);
    }
    return "";
}

static void add_locks_held(struct report *report, int tid)
{
    const struct trace_thread *thread = &report->trace->thread[tid];
    struct buffer *out = report->out;
    for (size_t i = 0; i < thread->nlocks; i++) {
        buffer_text(out, "        holds ");
        add_clean(out, thread->lock[i].name);
        buffer_text(out, mode_of_lock(report->trace, tid, thread->lock[i].name));
        if (thread->lock[i].taken.file || thread->lock[i].taken.function) {
            buffer_text(out, ", taken at ");
            add_place(out, &thread->lock[i].taken);
        }
        buffer_text(out, "\n");
    }
}

static bool is_stuck(const struct trace_thread *thread)
{
    return thread->state == THREAD_BLOCKED || thread->state == THREAD_SPINNING;
}

static void add_stuck_thread(struct report *report, int tid)
{
    const struct trace *trace = report->trace;
    const struct trace_thread *thread = &trace->thread[tid];
    struct buffer *out = report->out;
    buffer_text(out, "    ");
    add_thread(out, trace, tid);
    buffer_text(out, thread->state == THREAD_SPINNING ? " spins: " : " waits for: ");
    add_pending_phrase(out, trace, tid);
    add_holder(out, trace, tid);
    const struct source_place *place = stack_user_place(&thread->stack);
    if (place) {
        buffer_text(out, ", at ");
        add_place_in_words(out, place);
    }
    buffer_text(out, "\n");
    add_locks_held(report, tid);
}

/* Follow waits_for from `tid`; true when it comes back, with the cycle's length. */
static bool on_cycle(const struct trace *trace, int tid, size_t *length)
{
    int at = tid;
    for (size_t steps = 1; steps <= trace->nthreads; steps++) {
        at = is_stuck(&trace->thread[at]) ? trace->thread[at].waits_for : -1;
        if (at < 0)
            return false;
        if (at == tid) {
            *length = steps;
            return true;
        }
    }
    return false;
}

static void add_cycle(struct report *report)
{
    const struct trace *trace = report->trace;
    size_t length;
    for (size_t i = 0; i < trace->nthreads; i++) {
        if (!on_cycle(trace, (int)i, &length))
            continue;
        buffer_text(report->out, "    cycle: ");
        int at = (int)i;
        for (size_t step = 0; step <= length; step++) {
            if (step)
                buffer_text(report->out, " → ");
            add_thread(report->out, trace, at);
            at = trace->thread[at].waits_for;
        }
        buffer_text(report->out, "\n");
        return;
    }
}

static void add_lost_wakeup(struct report *report, int tid)
{
    const struct trace *trace = report->trace;
    uint32_t lost = find_lost_wakeup(trace, tid);
    if (lost == TRACE_NO_EVENT)
        return;
    const struct trace_event *event = &trace->event[lost];
    buffer_printf(report->out, "    lost wake-up: the %s #%u of ",
                  op_kind_name(event->operation.kind), lost + 1);
    add_thread(report->out, trace, event->tid);
    buffer_text(report->out, " found nobody waiting, at ");
    add_place(report->out, stack_user_place(&event->stack));
    buffer_text(report->out, "\n");
}

static void add_waiting_block(struct report *report)
{
    const struct trace *trace = report->trace;
    size_t shown = 0, left = 0;
    buffer_text(report->out, "\n");
    add_painted(report, PAINT_STRONG, "  Who waits for what:\n");
    for (size_t i = 0; i < trace->nthreads; i++) {
        if (!is_stuck(&trace->thread[i]))
            continue;
        if (shown == THREADS_SHOWN && !report->style.full) {
            left++;
            continue;
        }
        shown++;
        add_stuck_thread(report, (int)i);
        add_lost_wakeup(report, (int)i);
    }
    if (left)
        buffer_printf(report->out, "    ⋮ %zu more threads wait\n", left);
    add_cycle(report);
}

/* --- Races and memory --- */

/* "4 bytes before the block of p", "just behind the block": a place outside of an object. */
static bool is_beside(const char *object)
{
    return (*object >= '0' && *object <= '9' && object[1] != 'x') ||
           begins_with(object, "just ");
}

static void add_access(struct report *report, const struct trace_access *access,
                       const char *opening)
{
    struct buffer *out = report->out;
    buffer_printf(out, "    %s%s%s", opening, access->atomic ? "atomic " : "",
                  access->is_free ? "free"
                  : access->write ? "write"
                                  : "read");
    if (access->size && !access->is_free)
        buffer_printf(out, " of %u byte%s", access->size, access->size == 1 ? "" : "s");
    buffer_text(out, is_beside(access->object) ? " " : access->is_free ? " of " : " at ");
    add_clean(out, *access->object ? access->object : "?");
    buffer_text(out, " by ");
    add_thread(out, report->trace, access->tid);
    /* an atomic access needs no lock */
    buffer_text(out, access->nlocks ? ", holding " : access->atomic ? "" : ", holding no lock");
    for (size_t i = 0; i < access->nlocks; i++) {
        buffer_text(out, i ? ", " : "");
        add_clean(out, access->lock[i]);
    }
    buffer_text(out, "\n");
    add_stack(report, &access->stack, "        ");
}

/* `both`: the title where there are two. */
static void add_accesses(struct report *report, const char *both)
{
    const struct trace_failure *failure = &report->trace->failure;
    bool alone = failure->naccesses == 1;
    if (!failure->naccesses)
        return;
    buffer_text(report->out, "\n");
    add_painted(report, PAINT_STRONG,
                !alone                       ? both
                : failure->access[0].is_free ? "  The free:\n"
                                             : "  The access:\n");
    for (size_t i = 0; i < failure->naccesses; i++)
        add_access(report, &failure->access[i], alone ? "" : i == 0 ? "first:  " : "second: ");
}

static void add_block_life(struct report *report)
{
    const struct trace_failure *failure = &report->trace->failure;
    struct buffer *out = report->out;
    if (!failure->has_block)
        return;
    buffer_printf(out, "    heap block of %llu byte%s, allocated by ",
                  (unsigned long long)failure->block_size, failure->block_size == 1 ? "" : "s");
    add_thread(out, report->trace, failure->block_owner);
    buffer_text(out, "\n");
    add_stack(report, &failure->allocated, "        ");
    if (failure->freed_by < 0)
        return;
    buffer_text(out, "    freed by ");
    add_thread(out, report->trace, failure->freed_by);
    buffer_text(out, "\n");
    add_stack(report, &failure->freed, "        ");
}

/* --- A block for each kind --- */

static void add_stack_block(struct report *report)
{
    const struct trace_failure *failure = &report->trace->failure;
    if (report->trace->recipe.model || /* inlines: the verdict names them */
        (failure->stack.count < 2 && !report->style.full))
        return;
    buffer_text(report->out, "\n");
    add_painted(report, PAINT_STRONG, "  Call stack:\n");
    add_stack(report, &failure->stack, "    ");
}

static void add_paragraph(struct report *report, const char *text)
{
    if (!*text)
        return;
    buffer_text(report->out, "\n  ");
    add_clean(report->out, text);
    buffer_text(report->out, "\n");
}

static void add_hang_block(struct report *report)
{
    add_stack_block(report);
    add_paragraph(report, hang_advice(&report->trace->failure));
}

static void add_race_block(struct report *report)
{
    add_accesses(report, "  Two accesses that nothing orders:\n");
    add_block_life(report);
}

static void add_store_buffer_block(struct report *report)
{
    add_accesses(report, "  When the second runs, the first may still be in its CPU's store "
                         "buffer:\n");
    buffer_text(
        report->out,
        "\n  Mazur explores interleavings, which do not show what happens then. Stores with "
        "memory_order_seq_cst, or a fence (seq_cst) between a "
        "thread's store and its next load, prevent it.\n");
}

static void add_memory_block(struct report *report)
{
    const struct trace_failure *failure = &report->trace->failure;
    add_accesses(report, "  Two accesses that nothing orders:\n");
    if (!failure->naccesses) {
        add_stack_block(report);
        add_painted(report, PAINT_STRONG, failure->has_block ? "\n  The block:\n" : "");
    }
    add_block_life(report);
}

static void add_history_block(struct report *report)
{
    if (report->trace->failure.history)
        add_history(report);
}

void add_failure_block(struct report *report)
{
    static void (*const blocks[FAILURE_KINDS])(struct report *) = {
        [FAILURE_NONE] = add_stack_block,
#define FAILURE(kind, name, title, code, traits, block) [FAILURE_##kind] = add_##block##_block,
#include "board/failures.def"
#undef FAILURE
    };
    const struct trace_failure *failure = &report->trace->failure;
    must((unsigned)failure->kind < FAILURE_KINDS);
    blocks[failure->kind](report);
    add_paragraph(report, failure->detail);
}
