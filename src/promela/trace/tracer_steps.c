/* The steps of a model as events of a trace: threads, statements, values, message arrows,
 * switches with their reasons. */
#include <stdlib.h>
#include <string.h>

#include "promela/trace/model_print.h"
#include "promela/trace/tracer.h"
#include "promela/trace/values.h"

#define OUTPUT_MOST   65536
#define INLINES_SHOWN 16 /* one in the other */

/* --- threads --- */

static void add_thread_slot(struct tracer *t, uint32_t pid, const struct shape *shape,
                            int parent)
{
    struct trace *trace = t->trace;
    if (trace->nthreads == THREADS_MAX) {
        t->thread[pid] = (int)trace->nthreads - 1;
        return;
    }
    const struct proctype *p = t->model->proctypes[shape->type[pid]];
    struct trace_thread *thread = &trace->thread[trace->nthreads];
    *thread = (struct trace_thread){.name = arena_format(&trace->arena, "%s(%u)", p->name, pid),
                                    .function = "",
                                    .parent = trace->nthreads > 0 && parent < 0 ? 0 : parent,
                                    .number = (unsigned)trace->nthreads,
                                    .state = THREAD_RUNNABLE,
                                    .waits_for = -1,
                                    .pending = {.object = "", .second = "", .call = ""}};
    t->thread[pid] = (int)trace->nthreads++;
}

void tracer_note_processes(struct tracer *t, const struct shape *before,
                           const struct shape *after, int parent)
{
    uint32_t old = before ? before->processes : 0;
    for (uint32_t pid = after->processes; pid < old; pid++) {
        t->trace->thread[t->thread[pid]].state = THREAD_FINISHED;
        t->thread[pid] = -1;
    }
    for (uint32_t pid = old; pid < after->processes; pid++)
        add_thread_slot(t, pid, after, parent);
}

/* --- messages --- */

static void note_sent(struct tracer *t, uint32_t channel, uint32_t slot, uint32_t event)
{
    if (!t->sends[channel])
        t->sends[channel] = allocate(sizeof *t->sends[channel]);
    struct sends *s = t->sends[channel];
    if (s->count >= QUEUE_MOST || slot > s->count)
        return;
    memmove(&s->event[slot + 1], &s->event[slot], (s->count - slot) * sizeof *s->event);
    s->event[slot] = event;
    s->count++;
}

static uint32_t note_received(struct tracer *t, uint32_t channel, uint32_t slot)
{
    struct sends *s = t->sends[channel];
    if (!s || slot >= s->count)
        return TRACE_NO_EVENT;
    uint32_t event = s->event[slot];
    memmove(&s->event[slot], &s->event[slot + 1], (s->count - slot - 1) * sizeof *s->event);
    s->count--;
    return event;
}

/* Which channel became longer or shorter; events are linked to what they received. */
static void note_messages(struct tracer *t, struct trace_event *event, uint32_t index)
{
    const struct followed *d = &t->done;
    for (uint32_t c = 0; c < d->before_shape->channels && c < d->after_shape->channels; c++) {
        uint32_t old = channel_length(d->before, d->before_shape, c);
        uint32_t now = channel_length(d->after, d->after_shape, c);
        if (old == now)
            continue;
        uint32_t slot = channel_difference(t->model, d->before, d->before_shape, d->after,
                                           d->after_shape, c);
        event->operation.object = channel_name(t->model, c, &t->trace->arena);
        if (now == old + 1) {
            event->operation.kind = OP_SEND;
            note_sent(t, c, slot, index);
        } else if (now + 1 == old) {
            event->operation.kind = OP_RECEIVE;
            event->reads_from = note_received(t, c, slot);
        } else if (t->sends[c]) {
            t->sends[c]->count = 0; /* a d_step did several: unknown */
        }
    }
}

/* --- events --- */

#define STATEMENT_SHOWN 400 /* bytes; macros can make a statement of a hundred thousand */

const char *tracer_words(struct tracer *t, uint32_t id)
{
    const struct transition_info *info = verifier_transition(t->verifier, id);
    if (!info)
        return "?";
    if (info->transition->kind == TRANSITION_END)
        return "-end-";
    if (!info->transition->statement)
        return "goto";
    const char *words = statement_text((struct model *)t->model, info->transition->statement);
    size_t length = strlen(words);
    if (length <= STATEMENT_SHOWN)
        return arena_text(&t->trace->arena, words);
    length = STATEMENT_SHOWN;
    while ((words[length] & 0xc0) == 0x80) /* no half characters */
        length--;
    return arena_format(&t->trace->arena, "%.*s…", (int)length, words);
}

struct source_stack tracer_place(struct tracer *t, uint32_t id)
{
    const struct transition_info *info = verifier_transition(t->verifier, id);
    struct source_stack stack = {0};
    if (!info)
        return stack;
    struct arena *arena = &t->trace->arena;
    struct place place = place_in_body(info->transition->place);
    const struct inlined *in;
    stack.place = arena_alloc(arena, INLINES_SHOWN * sizeof *stack.place);
    do {
        in = stack.count + 1 < INLINES_SHOWN ? place.inlined : NULL;
        stack.place[stack.count++] = (struct source_place){
            .function = arena_text(arena, in ? in->name : info->proctype->name),
            .file = place.file ? arena_text(arena, place.file) : NULL,
            .line = place.line,
            .inlined = in};
        if (in)
            place = place_in_body(in->place);
    } while (in);
    return stack;
}

/* Once for each statement: a path may have a million steps. The column says whose it is. */
static const struct shown_statement *shown_statement(struct tracer *t, uint32_t id)
{
    uint32_t count = t->verifier->transition_count;
    if (!t->shown)
        t->shown = arena_alloc(&t->trace->arena, (count + 1) * sizeof *t->shown);
    struct shown_statement *shown = &t->shown[id < count ? id : count];
    if (!shown->words) {
        shown->words = tracer_words(t, id);
        shown->stack = tracer_place(t, id);
        if (shown->stack.count > 0)
            shown->stack.place[shown->stack.count - 1].function = NULL;
    }
    return shown;
}

static struct trace_event *add_event(struct tracer *t, uint32_t pid, uint32_t transition)
{
    struct trace *trace = t->trace;
    if (trace->nevents == t->room) {
        t->room = t->room == 0 ? 256 : 2 * t->room;
        struct trace_event *larger = arena_alloc(&trace->arena, t->room * sizeof *larger);
        if (trace->nevents > 0)
            memcpy(larger, trace->event, trace->nevents * sizeof *larger);
        trace->event = larger;
    }
    const struct shown_statement *shown = shown_statement(t, transition);
    struct trace_event *event = &trace->event[trace->nevents++];
    *event = (struct trace_event){
        .tid = t->thread[pid],
        .from = -1,
        .reads_from = TRACE_NO_EVENT,
        .other = -1,
        .operation = {.kind = OP_STATEMENT, .object = "", .second = "", .call = ""},
        .label = "",
        .statement = shown->words,
        .stack = shown->stack};
    return event;
}

/* Why control came here from the process that moved last; asked before the step. */
enum switch_reason tracer_why_switched(struct tracer *t, uint32_t pid, uint32_t partner)
{
    uint32_t last = t->last_pid, other = t->last_partner;
    if (last == NO_PARTNER || last == pid || last == partner ||
        (other != NO_PARTNER && (other == pid || other == partner)))
        return SWITCH_NONE;
    if (last >= t->follow.shape->processes)
        return SWITCH_FINISHED;
    bool could = follow_could_move(&t->follow, last) ||
                 (other != NO_PARTNER && follow_could_move(&t->follow, other));
    return could ? SWITCH_PREEMPTED : SWITCH_BLOCKED;
}

static void add_choice(struct tracer *t, uint32_t choice)
{
    struct trace *trace = t->trace;
    if (trace->nschedule == t->schedule_room) {
        t->schedule_room = t->schedule_room == 0 ? 1024 : 2 * t->schedule_room;
        uint32_t *larger = arena_alloc(&trace->arena, t->schedule_room * sizeof *larger);
        if (trace->nschedule > 0)
            memcpy(larger, trace->schedule, trace->nschedule * sizeof *larger);
        trace->schedule = larger;
    }
    trace->schedule[trace->nschedule++] = choice;
}

static void add_schedule(struct tracer *t)
{
    if (!t->done.stutters) {
        add_choice(t, t->done.step.pid);
        add_choice(t, BOARD_CHOICE | t->done.choice);
    }
    if (t->model->claim)
        add_choice(t, BOARD_CHOICE |
                          (t->done.claim_choice == NO_PARTNER ? 0 : t->done.claim_choice + 1));
}

static bool is_message(const struct tracer *t, const struct model_print *print)
{
    const struct transition_info *info = verifier_transition(t->verifier, print->transition);
    return info->transition->statement->kind == STATEMENT_RECEIVE;
}

/* Does the text of a send have these values? `c ! req(1)` has "req,1". */
static bool has_values(const char *send, const char *values)
{
    const char *at = strrchr(send, '!');
    if (!at)
        return false;
    for (at++; *at != '\0'; at++) {
        if (*at == ' ' || *at == ')')
            continue;
        if ((*at == '(' ? ',' : *at) != *values++)
            return false;
    }
    return *values == '\0';
}

/* The message of a rendezvous is nowhere in the state; it is said where it is no text of the
 * send already. */
static void note_message(struct tracer *t, struct trace_event *send,
                         struct trace_event *receive, const struct model_print *message)
{
    struct arena *arena = &t->trace->arena;
    const struct shape *shape = t->done.before_shape;
    const char *values =
        message_text(t->model, shape, message->channel, message->value, message->count, arena);
    if (!has_values(send->statement, values))
        send->operation.second = values;
    send->operation.object = receive->operation.object =
        channel_name(t->model, message->channel, arena);
}

/* A rendezvous is two events: the message goes from one to the other. */
static void add_rendezvous(struct tracer *t, uint32_t sent)
{
    const struct trail_step *step = &t->done.step;
    struct trace_event *event = add_event(t, step->partner, step->receive);
    struct trace_event *send = &t->trace->event[sent];
    for (uint32_t i = 0; i < t->done.prints; i++)
        if (is_message(t, &t->done.print[i]))
            note_message(t, send, event, &t->done.print[i]);
    event->operation.kind = OP_RECEIVE;
    event->reads_from = sent;
    send->operation.kind = OP_SEND;
    send->other = t->thread[step->partner];
    event->other = t->thread[step->pid];
}

/* What the step printed stands beside it, and with the rest as the output of the model. */
static void note_prints(struct tracer *t, struct trace_event *event)
{
    struct buffer text = {0};
    for (uint32_t i = 0; i < t->done.prints; i++) {
        const struct model_print *print = &t->done.print[i];
        if (print->text[0] != '\0' || is_message(t, print))
            continue;
        const struct transition_info *info =
            verifier_transition(t->verifier, print->transition);
        print_text(&text, t->model, &t->trace->arena, info->transition->statement, print);
    }
    if (text.length == 0)
        return;
    if (t->output.length + text.length <= OUTPUT_MOST)
        buffer_add(&t->output, text.data, text.length);
    event->label = print_line(&t->trace->arena, text.data);
    buffer_release(&text);
}

/* A statement whose expressions could not be computed has no effect to show. */
static bool has_effect(uint32_t fault)
{
    switch (fault) {
    case FAULT_INDEX:
    case FAULT_DIVISION:
    case FAULT_NO_CHANNEL:
    case FAULT_FIELDS:
    case FAULT_REMOTE:
    case FAULT_PROCESSES:
    case FAULT_C_GUARD:
        return false;
    default:
        return true;
    }
}

void tracer_add_step(struct tracer *t, enum switch_reason reason, int from, const char *waits)
{
    const struct followed *d = &t->done;
    add_schedule(t);
    if (d->fault != 0) {
        t->fault = d->fault;
        t->fault_transition = d->fault_transition;
        t->fault_pid = d->step.pid;
    }
    if (d->stutters)
        return;
    uint32_t index = (uint32_t)t->trace->nevents;
    struct trace_event *event = add_event(t, d->step.pid, d->step.transition);
    note_prints(t, event);
    event->reason = reason;
    event->from = reason != SWITCH_NONE ? from : -1;
    event->blocked_on = waits;
    t->trace->failure.preemptions += reason == SWITCH_PREEMPTED;
    uint32_t pids[2] = {d->step.pid, d->step.partner};
    if (has_effect(d->fault))
        note_messages(t, event, index);
    tracer_note_processes(t, d->before_shape, d->after_shape, event->tid);
    if (d->after_shape->processes > d->before_shape->processes)
        event->other = t->thread[d->before_shape->processes]; /* it starts that one */
    struct trace_event changes = {0};
    if (has_effect(d->fault))
        values_changed(t->model, d->before, d->before_shape, d->after, d->after_shape, pids,
                       &t->trace->arena, &changes);
    tracer_note_parts(t, &changes);
    if (d->step.partner != NO_PARTNER)
        add_rendezvous(t, index);
    event = &t->trace->event[t->trace->nevents - 1];
    event->nchanges = changes.nchanges;
    event->change = changes.change;
    t->last_pid = d->step.pid;
    t->last_partner = d->step.partner;
}
