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

#include "promela/trace/print.h"
#include "promela/trace/values.h"
#include "trace/trace_settings.h"

#define QUEUE_MOST    256 /* messages in a channel */
#define OUTPUT_MOST   65536
#define INLINES_SHOWN 16 /* one in the other */

struct sends { /* which event sent each message of a channel */
    uint32_t event[QUEUE_MOST];
    uint32_t count;
};

struct tracer {
    struct verifier *verifier;
    const struct model *model;
    struct follow follow;
    struct trace *trace;
    size_t room, schedule_room;
    int thread[256];          /* of each process number, -1: none */
    struct sends *sends[256]; /* by channel */
    uint32_t last_pid, last_partner;
    uint32_t cycle_event; /* number of events before the cycle */
    uint8_t *cycle_vector;
    const struct shape *cycle_shape;
    bool accepted;       /* a state of the cycle is accepting */
    bool claim_accepted; /* … by the claim, not only by labels in processes */
    bool blocked[256];   /* in some state of the cycle */
    bool moved[256];     /* in the cycle */
    bool in_cycle, fair;
    bool believed; /* what only Spin can know */
    bool repeated; /* the cycle has been gone round twice */
    struct followed done;
    struct buffer output; /* all that was printed */
    uint32_t fault, fault_transition, fault_pid;
};

/* ---- threads ---- */

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
                                    .pending = {.object = "", .second = ""}};
    t->thread[pid] = (int)trace->nthreads++;
}

static void note_processes(struct tracer *t, const struct shape *before,
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

/* ---- messages ---- */

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

/* ---- events ---- */

static const char *transition_words(struct tracer *t, uint32_t id)
{
    const struct transition_info *info = verifier_transition(t->verifier, id);
    if (!info)
        return "?";
    if (info->transition->kind == TRANSITION_END)
        return "-end-";
    if (!info->transition->statement)
        return "goto";
    return arena_text(&t->trace->arena,
                      statement_text((struct model *)t->model, info->transition->statement));
}

static struct source_stack place_of(struct tracer *t, uint32_t id)
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
    struct trace_event *event = &trace->event[trace->nevents++];
    *event =
        (struct trace_event){.tid = t->thread[pid],
                             .from = -1,
                             .reads_from = TRACE_NO_EVENT,
                             .other = -1,
                             .operation = {.kind = OP_STATEMENT, .object = "", .second = ""},
                             .label = "",
                             .statement = transition_words(t, transition),
                             .stack = place_of(t, transition)};
    if (event->stack.count > 0) /* the column says whose statement it is */
        event->stack.place[event->stack.count - 1].function = NULL;
    return event;
}

/* Why control came here from the process that moved last; asked before the step. */
static enum switch_reason why_switched(struct tracer *t, uint32_t pid, uint32_t partner)
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

static bool is_message(const struct tracer *t, const struct print *print)
{
    const struct transition_info *info = verifier_transition(t->verifier, print->transition);
    return info->transition->statement->kind == STATEMENT_RECEIVE;
}

/* The message of a rendezvous is nowhere in the state; it is said where it is no text of the
 * send already. */
static void note_message(struct tracer *t, struct trace_event *send,
                         struct trace_event *receive, const struct print *message)
{
    struct arena *arena = &t->trace->arena;
    const struct shape *shape = t->done.before_shape;
    const char *values =
        message_text(t->model, shape, message->channel, message->value, message->count, arena);
    const char *written = strrchr(send->statement, '!');
    if (!written || strcmp(written + 1, values) != 0)
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
        const struct print *print = &t->done.print[i];
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

static void add_step(struct tracer *t, enum switch_reason reason, int from)
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
    t->trace->failure.preemptions += reason == SWITCH_PREEMPTED;
    uint32_t pids[2] = {d->step.pid, d->step.partner};
    if (has_effect(d->fault))
        note_messages(t, event, index);
    note_processes(t, d->before_shape, d->after_shape, event->tid);
    struct trace_event changes = {0};
    if (has_effect(d->fault))
        values_changed(t->model, d->before, d->before_shape, d->after, d->after_shape, pids,
                       &t->trace->arena, &changes);
    if (d->step.partner != NO_PARTNER)
        add_rendezvous(t, index);
    event = &t->trace->event[t->trace->nevents - 1];
    event->nchanges = changes.nchanges;
    event->change = changes.change;
    t->last_pid = d->step.pid;
    t->last_partner = d->step.partner;
}

/* ---- cycles ---- */

static void start_cycle(struct tracer *t)
{
    const struct follow *f = &t->follow;
    t->in_cycle = true;
    t->cycle_event = (uint32_t)t->trace->nevents;
    t->trace->failure.step = (uint32_t)t->trace->nschedule;
    t->cycle_vector = allocate(f->shape->size + 8);
    memcpy(t->cycle_vector, f->now, f->shape->size);
    t->cycle_shape = f->shape;
}

static void note_cycle_state(struct tracer *t)
{
    t->claim_accepted |= follow_claim_accepts(&t->follow);
    t->accepted |= t->claim_accepted || follow_process_accepts(&t->follow);
    for (uint32_t pid = 0; t->fair && pid < t->follow.shape->processes; pid++)
        t->blocked[pid] |= !follow_could_move(&t->follow, pid);
}

static void note_cycle_step(struct tracer *t)
{
    if (t->done.step.pid < 256)
        t->moved[t->done.step.pid] = true;
    if (t->done.step.partner < 256)
        t->moved[t->done.step.partner] = true;
}

/* Does the path come back to where the cycle began, as the property forbids? */
static bool cycle_holds(struct tracer *t)
{
    const struct follow *f = &t->follow;
    bool closed =
        f->shape == t->cycle_shape && memcmp(f->now, t->cycle_vector, f->shape->size) == 0;
    if (!t->in_cycle || !(closed || t->repeated) || !(t->accepted || t->believed))
        return false;
    for (uint32_t pid = 0; t->fair && pid < f->shape->processes; pid++)
        if (!t->moved[pid] && !t->blocked[pid])
            return false;
    return true;
}

static bool is_cyclic(enum violation violation)
{
    return violation == VIOLATION_ACCEPTANCE || violation == VIOLATION_PROGRESS;
}

/* ---- the end ---- */

static void set_failure(struct tracer *t, enum failure_kind kind, const char *message)
{
    t->trace->failure.kind = kind;
    t->trace->failure.message = message;
}

/* What the failing c_code said. */
static const char *error_text(const struct tracer *t)
{
    for (uint32_t i = 0; i < t->done.prints; i++)
        if (t->done.print[i].text[0] != '\0')
            return t->done.print[i].text;
    return "";
}

static void fail_fault(struct tracer *t)
{
    struct trace *trace = t->trace;
    const char *words = transition_words(t, t->fault_transition);
    const char *said = t->fault == FAULT_C_ERROR ? error_text(t) : "";
    bool assertion = t->fault == FAULT_ASSERT;
    set_failure(t, assertion ? FAILURE_ASSERTION : FAILURE_MODEL,
                said[0] != '\0'
                    ? arena_format(&trace->arena, "uerror: %s, in %s", said, words)
                    : arena_format(&trace->arena, "%s: %s", fault_text(t->fault), words));
    trace->failure.stack = place_of(t, t->fault_transition);
    if (t->fault_pid < 256)
        trace->failure.tid = t->thread[t->fault_pid];
}

/* What a process would do next. */
static void note_waiting(struct tracer *t, uint32_t pid, bool stuck)
{
    const struct follow *f = &t->follow;
    struct trace_thread *thread = &t->trace->thread[t->thread[pid]];
    const struct automaton *a = t->model->proctypes[f->shape->type[pid]]->automaton;
    const struct control_state *state =
        &a->states[control_of(t->verifier, f->now, f->shape, pid)];
    if (state->count == 0 || state->transitions[0].kind == TRANSITION_END)
        return;
    if (stuck && !state->end)
        thread->state = THREAD_BLOCKED;
    const char *words = "";
    for (int i = 0; i < state->count && i < 6; i++)
        words = arena_format(&t->trace->arena, "%s%s%s", words, i > 0 ? " or " : "",
                             transition_words(t, (uint32_t)state->transitions[i].id));
    thread->pending =
        (struct trace_operation){.kind = OP_STATEMENT, .object = words, .second = ""};
    thread->stack = place_of(t, (uint32_t)state->transitions[0].id);
}

static void fail_end(struct tracer *t)
{
    uint32_t stuck = 0;
    for (uint32_t pid = 0; pid < t->follow.shape->processes; pid++) {
        note_waiting(t, pid, true);
        stuck += t->trace->thread[t->thread[pid]].state == THREAD_BLOCKED;
    }
    if (stuck == 0)
        set_failure(t, FAILURE_END_STATE, "invalid end state: the trace assertion is not done");
    else
        set_failure(t, FAILURE_END_STATE,
                    arena_format(&t->trace->arena,
                                 "invalid end state: %u process%s can't go on", stuck,
                                 stuck == 1 ? "" : "es"));
    t->trace->failure.tid = 0;
}

static const char *cycle_words(struct tracer *t, enum violation violation)
{
    const struct proctype *claim = t->model->claim;
    if (violation == VIOLATION_PROGRESS)
        return "non-progress cycle: no progress label is passed any more";
    if (!t->accepted)
        return "acceptance cycle: Spin's claim goes round for ever";
    if (!t->claim_accepted) {
        if (claim)
            t->trace->failure.detail = arena_format(
                &t->trace->arena,
                "Accept labels of processes count beside %s, as they do in Spin.", claim->name);
        return "acceptance cycle: an accept label is passed for ever";
    }
    return arena_format(&t->trace->arena, "acceptance cycle: %s does not hold", claim->name);
}

static const char *claim_words(struct tracer *t)
{
    const struct proctype *claim = t->model->claim;
    if (!follow_claim_ended(&t->follow))
        return "claim violated: Spin's claim comes to its end";
    return arena_format(&t->trace->arena,
                        claim->body ? "claim violated: %s comes to its end"
                                    : "claim violated: %s does not hold, whatever follows",
                        claim->name);
}

static void conclude(struct tracer *t, enum violation violation)
{
    struct trace *trace = t->trace;
    uint32_t transition = 0, fault = t->fault;
    if (fault == 0 && (violation == VIOLATION_ASSERT || violation == VIOLATION_FAULT)) {
        fault = follow_fault(&t->follow, &transition);
        t->fault_transition = transition;
        t->fault = fault;
        t->fault_pid = t->follow.expander.fault_pid;
    }
    if (fault != 0) {
        fail_fault(t);
    } else if (violation == VIOLATION_END && follow_stuck(&t->follow)) {
        fail_end(t);
    } else if (violation == VIOLATION_CLAIM &&
               (t->believed || follow_claim_ended(&t->follow))) {
        set_failure(t, FAILURE_CLAIM, claim_words(t));
    } else if (is_cyclic(violation) && cycle_holds(t)) {
        set_failure(t, violation_kind(violation), cycle_words(t, violation));
        if (t->cycle_event < trace->nevents)
            trace->failure.cycle = t->cycle_event + 1;
        else
            trace->failure.detail = arena_format(
                &trace->arena,
                "Nothing moves any more: the run stays for ever where it is.%s%s",
                trace->failure.detail[0] != '\0' ? " " : "", trace->failure.detail);
    }
    for (uint32_t pid = 0; pid < t->follow.shape->processes; pid++)
        note_waiting(t, pid, false);
    if (trace->failure.tid < 0 && trace->nevents > 0)
        trace->failure.tid = trace->event[trace->nevents - 1].tid;
}

/* The switch from the last step of a cycle to its first: in the next round, so it has no event.
 */
static void note_next_round(struct tracer *t, const struct trail *trail)
{
    struct trace *trace = t->trace;
    const struct trail_step *first = &trail->steps[trail->cycle];
    if (trace->failure.cycle == 0 || first->pid == NO_PARTNER || t->last_pid >= 256 ||
        why_switched(t, first->pid, first->partner) != SWITCH_PREEMPTED)
        return;
    trace->failure.preemptions++;
    trace->failure.detail =
        arena_format(&trace->arena, "%s is preempted before each further round.%s%s",
                     trace->thread[t->thread[t->last_pid]].name,
                     trace->failure.detail[0] ? " " : "", trace->failure.detail);
}

/* ---- the whole ---- */

static bool tracer_init(struct tracer *t, struct verifier *verifier, bool fair)
{
    *t = (struct tracer){.verifier = verifier,
                         .model = verifier->model,
                         .last_pid = NO_PARTNER,
                         .last_partner = NO_PARTNER,
                         .fault_pid = NO_PARTNER,
                         .fair = fair};
    if (!follow_init(&t->follow, verifier))
        return false;
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
    note_processes(t, NULL, t->follow.shape, -1);
    return true;
}

static struct trace *tracer_finish(struct tracer *t)
{
    for (uint32_t i = 0; i < 256; i++)
        free(t->sends[i]);
    free(t->cycle_vector);
    if (t->output.length > 0)
        t->trace->output = arena_text(&t->trace->arena, t->output.data);
    buffer_release(&t->output);
    follow_free(&t->follow);
    model_recipe(t->trace, t->verifier);
    return t->trace;
}

static void say_lost(struct tracer *t, uint32_t step)
{
    set_failure(t, FAILURE_NONDETERMINISM,
                arena_format(&t->trace->arena,
                             "the model can't go this way any more, from step %u on",
                             step + 1));
}

/* The steps from `from` on; false if one can't be taken. */
static bool walk(struct tracer *t, const struct trail *trail, uint32_t from, bool log)
{
    for (uint32_t i = from; i < trail->count && t->fault == 0; i++) {
        const struct trail_step *step = &trail->steps[i];
        if (i == trail->cycle && log)
            start_cycle(t);
        if (t->in_cycle)
            note_cycle_state(t);
        enum switch_reason reason = SWITCH_NONE;
        if (step->pid != NO_PARTNER && log && t->follow.holder == NO_PARTNER)
            reason = why_switched(t, step->pid, step->partner);
        int from_thread = t->last_pid < 256 ? t->thread[t->last_pid] : -1;
        if (!follow_step(&t->follow, *step, &t->done))
            return say_lost(t, i), false;
        if (t->in_cycle)
            note_cycle_step(t);
        if (log)
            add_step(t, reason, from_thread);
    }
    return true;
}

struct trace *model_trace(struct verifier *verifier, const struct trail *trail, bool fair)
{
    struct tracer *t = allocate(sizeof *t);
    struct trace *trace = NULL;
    if (tracer_init(t, verifier, fair)) {
        t->believed = trail->believed;
        bool good = walk(t, trail, 0, true);
        /* variables that nobody reads any more may differ the first time round */
        if (good && is_cyclic(trail->violation) && t->in_cycle && !cycle_holds(t)) {
            memcpy(t->cycle_vector, t->follow.now,
                   t->follow.shape == t->cycle_shape ? t->follow.shape->size : 0);
            good = walk(t, trail, trail->cycle, false);
            /* those that are only written Spin does not look at */
            t->repeated = good && t->believed;
            if (!good && t->believed) { /* a trail whose cycle is none */
                set_failure(t, FAILURE_NONE, "");
                t->in_cycle = false;
                good = true;
            }
        }
        if (good)
            conclude(t, trail->violation);
        if (good)
            note_next_round(t, trail);
        trace = tracer_finish(t);
        trace->recipe.believed = trail->believed;
    }
    free(t);
    return trace;
}

/* ---- replay ---- */

static enum violation kind_violation(enum failure_kind kind)
{
    for (int v = VIOLATION_NONE; v <= VIOLATION_FAULT; v++)
        if (violation_kind((enum violation)v) == kind)
            return (enum violation)v;
    return VIOLATION_NONE;
}

/* The steps of a schedule as a trail, found by running the model once. */
static bool read_schedule(struct verifier *verifier, const struct trace *trace,
                          struct trail *trail)
{
    struct follow f;
    struct followed done;
    size_t at = 0;
    bool claimed = verifier->model->claim, good = follow_init(&f, verifier);
    trail->cycle = UINT32_MAX;
    while (good && at < trace->nschedule) {
        uint32_t pid = NO_PARTNER, choice = 0, claim = NO_PARTNER;
        if (at == trace->failure.step && is_cyclic(trail->violation))
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
    struct trail trail = {.violation = kind_violation(trace->failure.kind),
                          .preemptions = -1,
                          .believed = trace->recipe.believed};
    bool whole = read_schedule(verifier, trace, &trail);
    struct trace *again = model_trace(verifier, &trail, false);
    if (again && !whole) {
        again->failure.kind = FAILURE_NONDETERMINISM;
        again->failure.message =
            arena_format(&again->arena, "the model can't go this way any more, from step %u on",
                         trail.count + 1);
    }
    trail_free(&trail);
    return again;
}

void model_recipe(struct trace *trace, const struct verifier *verifier)
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
