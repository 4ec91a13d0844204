/* What fails at the end of a model's trace: found again there, and put into words. */
#include <string.h>

#include "promela/trace/tracer.h"
#include "promela/trace/unread_values.h"

#define FORMULA_SHOWN 200
#define WAITS_SHOWN   2000 /* bytes of the options that a process waits for */

/* --- cycles --- */

void tracer_start_cycle(struct tracer *t)
{
    const struct follow *f = &t->follow;
    t->in_cycle = true;
    t->cycle_event = (uint32_t)t->trace->nevents;
    t->trace->failure.step = (uint32_t)t->trace->nschedule;
    t->cycle_vector = allocate(f->shape->size + 8);
    memcpy(t->cycle_vector, f->now, f->shape->size);
    t->cycle_shape = f->shape;
}

void tracer_note_cycle_state(struct tracer *t)
{
    t->claim_accepted |= follow_claim_accepts(&t->follow);
    t->accepted |= t->claim_accepted || follow_process_accepts(&t->follow);
    for (uint32_t pid = 0; t->fair && pid < t->follow.shape->processes; pid++)
        t->blocked[pid] |= !follow_could_move(&t->follow, pid);
}

void tracer_note_cycle_step(struct tracer *t)
{
    if (t->done.step.pid < 256)
        t->moved[t->done.step.pid] = true;
    if (t->done.step.partner < 256)
        t->moved[t->done.step.partner] = true;
}

static bool is_closed(const struct tracer *t)
{
    const struct follow *f = &t->follow;
    if (f->shape != t->cycle_shape)
        return false;
    if (!t->second_round)
        return memcmp(f->now, t->cycle_vector, f->shape->size) == 0;
    return states_read_alike(t->verifier, f->shape, f->now, t->cycle_vector);
}

/* Does the path come back to where the cycle began, as the property forbids? */
bool tracer_cycle_holds(struct tracer *t)
{
    const struct follow *f = &t->follow;
    if (!t->in_cycle || !(is_closed(t) || t->repeated) || !(t->accepted || t->believed))
        return false;
    for (uint32_t pid = 0; t->fair && pid < f->shape->processes; pid++)
        if (!t->moved[pid] && !t->blocked[pid])
            return false;
    return true;
}

bool violation_is_cyclic(enum violation violation)
{
    return violation == VIOLATION_ACCEPTANCE || violation == VIOLATION_PROGRESS;
}

/* --- the end --- */

void tracer_set_failure(struct tracer *t, enum failure_kind kind, const char *message)
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
    const char *words = tracer_words(t, t->fault_transition);
    const char *said = t->fault == FAULT_C_ERROR ? error_text(t) : "";
    bool assertion = t->fault == FAULT_ASSERT;
    tracer_set_failure(
        t, assertion ? FAILURE_ASSERTION : FAILURE_MODEL,
        said[0] != '\0' ? arena_format(&trace->arena, "uerror: %s, in %s", said, words)
                        : arena_format(&trace->arena, "%s: %s", fault_text(t->fault), words));
    trace->failure.stack = tracer_place(t, t->fault_transition);
    if (t->fault_pid < 256)
        trace->failure.tid = t->thread[t->fault_pid];
}

static const struct control_state *state_of(const struct tracer *t, uint32_t pid)
{
    const struct follow *f = &t->follow;
    const struct automaton *a = t->model->proctypes[f->shape->type[pid]]->automaton;
    return &a->states[control_of(t->verifier, f->now, f->shape, pid)];
}

const char *tracer_next_words(struct tracer *t, uint32_t pid, struct source_stack *place)
{
    const struct control_state *state = state_of(t, pid);
    struct buffer words = {0};
    if (state->count == 0 || state->transitions[0].kind == TRANSITION_END)
        return NULL;
    for (int i = 0; i < state->count && words.length < WAITS_SHOWN; i++)
        buffer_printf(&words, "%s%s", i > 0 ? " or " : "",
                      tracer_words(t, (uint32_t)state->transitions[i].id));
    const char *copy = arena_text(&t->trace->arena, words.data);
    buffer_release(&words);
    *place = tracer_place(t, (uint32_t)state->transitions[0].id);
    return copy;
}

/* What a process would do next. */
static void note_waiting(struct tracer *t, uint32_t pid, bool stuck)
{
    struct trace_thread *thread = &t->trace->thread[t->thread[pid]];
    const char *words = tracer_next_words(t, pid, &thread->stack);
    if (!words)
        return;
    if (stuck && !state_of(t, pid)->end)
        thread->state = THREAD_BLOCKED;
    thread->pending = (struct trace_operation){
        .kind = OP_STATEMENT, .object = words, .second = "", .call = ""};
}

static void fail_end(struct tracer *t)
{
    uint32_t stuck = 0;
    for (uint32_t pid = 0; pid < t->follow.shape->processes; pid++) {
        note_waiting(t, pid, true);
        stuck += t->trace->thread[t->thread[pid]].state == THREAD_BLOCKED;
    }
    if (stuck == 0)
        tracer_set_failure(t, FAILURE_END_STATE,
                           "invalid end state: the trace assertion is not done");
    else
        tracer_set_failure(t, FAILURE_END_STATE,
                           arena_format(&t->trace->arena,
                                        "invalid end state: %u process%s can't go on", stuck,
                                        stuck == 1 ? "" : "es"));
    t->trace->failure.tid = 0;
}

/* "live does not hold: [] <> p"; a claim that was written by hand has no such text. */
static const char *formula_words(struct tracer *t, const char *after)
{
    const char *name = t->model->claim->name, *text = NULL;
    for (const struct formula *f = t->model->formulas; f && !t->model->claim->body; f = f->next)
        if (strcmp(f->name, name) == 0)
            text = f->text;
    if (!text)
        return arena_format(&t->trace->arena, "%s does not hold%s", name, after);
    bool whole = strlen(text) <= FORMULA_SHOWN;
    return arena_format(&t->trace->arena, "%s does not hold%s: %.*s%s", name, after,
                        whole ? (int)strlen(text) : FORMULA_SHOWN, text, whole ? "" : "…");
}

static const char *cycle_words(struct tracer *t, enum violation violation)
{
    const struct proctype *claim = t->model->claim;
    if (violation == VIOLATION_PROGRESS)
        return "non-progress cycle: no progress label is passed again";
    if (!t->accepted)
        return "acceptance cycle: Spin's claim repeats for ever";
    if (!t->claim_accepted) {
        if (claim)
            t->trace->failure.detail = arena_format(
                &t->trace->arena,
                "Accept labels in processes count in addition to %s, as in Spin.", claim->name);
        return "acceptance cycle: an accept label is passed for ever";
    }
    return arena_format(&t->trace->arena, "acceptance cycle: %s", formula_words(t, ""));
}

static const char *claim_words(struct tracer *t)
{
    const struct proctype *claim = t->model->claim;
    if (!follow_claim_ended(&t->follow))
        return "claim violated: Spin's claim comes to its end";
    if (claim->body)
        return arena_format(&t->trace->arena, "claim violated: %s comes to its end",
                            claim->name);
    return arena_format(&t->trace->arena, "claim violated: %s",
                        formula_words(t, ", whatever follows"));
}

/* One more sentence, in front of those that are there. */
static void add_detail(struct tracer *t, const char *sentence)
{
    struct trace_failure *failure = &t->trace->failure;
    if (sentence[0] != '\0')
        failure->detail = arena_format(&t->trace->arena, "%s%s%s", sentence,
                                       failure->detail[0] != '\0' ? " " : "", failure->detail);
}

void tracer_conclude(struct tracer *t, enum violation violation)
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
        tracer_set_failure(t, FAILURE_CLAIM, claim_words(t));
    } else if (violation_is_cyclic(violation) && tracer_cycle_holds(t)) {
        tracer_set_failure(t, violation_kind(violation), cycle_words(t, violation));
        if (t->cycle_event < trace->nevents)
            trace->failure.cycle = t->cycle_event + 1;
        else
            add_detail(t, "No process moves any more: the run stays in this state for ever.");
    }
    if (t->model->claim && trace->failure.kind != FAILURE_NONE)
        add_detail(t, tracer_first_parts(t));
    for (uint32_t pid = 0; pid < t->follow.shape->processes; pid++)
        note_waiting(t, pid, false);
    if (trace->failure.tid < 0 && trace->nevents > 0)
        trace->failure.tid = trace->event[trace->nevents - 1].tid;
}

/* The switch from the last step of a cycle to its first: in the next round, so it has no event.
 */
void tracer_note_next_round(struct tracer *t, const struct trail *trail)
{
    struct trace *trace = t->trace;
    const struct trail_step *first = &trail->steps[trail->cycle];
    if (trace->failure.cycle == 0 || first->pid == NO_PARTNER || t->last_pid >= 256 ||
        tracer_why_switched(t, first->pid, first->partner) != SWITCH_PREEMPTED)
        return;
    trace->failure.preemptions++;
    add_detail(t, arena_format(&trace->arena, "%s is preempted before each further round.",
                               trace->thread[t->thread[t->last_pid]].name));
}
