/* See follow.h. */
#include "promela/trace/follow.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "promela/code/layout.h"

#define DEFERRED_MOST 256

static size_t padded_size(const struct follow *f, const struct shape *shape)
{
    return ((shape->size + 7) & ~7u) + (size_t)f->verifier->model->c_tail;
}

/* Every step is made, and prints, before one of them is chosen: the vector tells which. */
static void note_print(struct step *step, uint32_t transition, const int *values,
                       uint32_t count)
{
    struct follow *f = (struct follow *)((char *)step - offsetof(struct follow, expander));
    if (f->prints == PRINTS_ALL)
        return;
    struct model_print *print = &f->print[f->prints++];
    print->vector = step->next;
    print->transition = transition;
    print->channel = step->channel;
    print->text[0] = '\0';
    if (step->text)
        snprintf(print->text, sizeof print->text, "%s", step->text);
    step->text = NULL;
    print->count = count < PRINT_VALUES ? count : PRINT_VALUES;
    if (print->count > 0)
        memcpy(print->value, values, print->count * sizeof *values);
}

bool follow_init(struct follow *f, struct verifier *verifier)
{
    size_t room = 2 * VECTOR_LIMIT + 64;
    memset(f, 0, sizeof *f);
    f->verifier = verifier;
    f->now = calloc(1, room);
    f->next = calloc(1, room);
    f->holder = NO_PARTNER;
    if (!f->now || !f->next || !expander_init(&f->expander, verifier)) {
        free(f->now);
        free(f->next);
        return false;
    }
    f->expander.step.print = note_print;
    f->shape = expander_start(&f->expander);
    memcpy(f->now, f->expander.step.next, padded_size(f, f->shape));
    return true;
}

void follow_free(struct follow *f)
{
    free(f->now);
    free(f->next);
    expander_free(&f->expander);
}

/* Only the holder's while it can move. */
uint32_t follow_expand_here(struct follow *f)
{
    struct expander *x = &f->expander;
    x->step.next = x->arena;
    x->step.list = x->list_base;
    f->prints = 0;
    if (f->holder != NO_PARTNER) {
        uint32_t count = expander_one(x, f->now, f->shape, f->holder);
        if (count > 0)
            return count;
    }
    return expander_all(x, f->now, f->shape);
}

/* --- the claim --- */

static uint32_t claim_state(const struct follow *f)
{
    uint16_t state = 0;
    memcpy(&state, f->now + f->verifier->model->claim_offset, 2);
    return state;
}

static const struct control_state *control_at(const struct follow *f, uint32_t pid)
{
    const struct verifier *v = f->verifier;
    const struct automaton *a = v->model->proctypes[f->shape->type[pid]]->automaton;
    return &a->states[control_of(v, f->now, f->shape, pid)];
}

/* What a claim may ask about the state. */
static struct step *claim_looks(struct follow *f)
{
    struct step *step = &f->expander.step;
    step->now = f->now;
    step->shape = f->shape;
    step->claim_count = 0;
    step->fault = 0;
    step->progress = 0;
    for (uint32_t pid = 0; pid < f->shape->processes; pid++)
        step->progress |= control_at(f, pid)->progress;
    return step;
}

uint32_t follow_claim_moves(struct follow *f, uint32_t state)
{
    struct step *step = claim_looks(f);
    f->verifier->code.claim(step, state);
    return step->claim_count;
}

uint64_t follow_parts(struct follow *f)
{
    if (!f->verifier->code.parts)
        return 0;
    uint32_t fault = f->expander.step.fault, transition = f->expander.step.fault_transition;
    struct step *step = claim_looks(f);
    uint64_t parts = f->verifier->code.parts(step);
    step->fault = fault; /* what can't be computed does not hold */
    step->fault_transition = transition;
    return parts;
}

static uint32_t claim_moves(struct follow *f)
{
    return follow_claim_moves(f, claim_state(f));
}

/* Take the claim's move into the successor; the state it looked at is still `now`. */
static void claim_goes(struct follow *f, uint32_t target, uint32_t transition)
{
    struct step *step = &f->expander.step;
    const struct model *model = f->verifier->model;
    uint16_t small = (uint16_t)target;
    memcpy(f->next + model->claim_offset, &small, 2);
    step->now = f->now;
    step->shape = f->shape;
    if (model->claim->locals)
        f->verifier->code.claim_effect(step, f->next, transition);
}

/* --- one step --- */

struct follow_move {
    uint32_t target, transition, choice; /* of the claim; choice NO_PARTNER: it does not move */
};

/* The move with that transition, or with that number. */
static bool find_move(struct follow *f, uint32_t transition, uint32_t choice,
                      struct follow_move *move)
{
    move->choice = NO_PARTNER;
    if (transition == NO_PARTNER && choice == NO_PARTNER)
        return true;
    if (!f->verifier->model->claim)
        return false;
    uint32_t count = claim_moves(f);
    const struct step *step = &f->expander.step;
    for (uint32_t i = 0; i < count; i++)
        if (choice == NO_PARTNER ? step->claim_transition[i] == transition : i == choice) {
            *move = (struct follow_move){step->claim_target[i], step->claim_transition[i], i};
            return true;
        }
    return false;
}

static void finish_step(struct follow *f, const struct follow_move *move, struct followed *done)
{
    if (move->choice != NO_PARTNER)
        claim_goes(f, move->target, move->transition);
    done->claim_choice = move->choice;
    done->step.claim = move->choice != NO_PARTNER ? move->transition : NO_PARTNER;
    uint8_t *old = f->now;
    done->before = f->now;
    done->before_shape = f->shape;
    f->now = f->next;
    f->next = old;
    f->shape = f->next_shape;
    done->after = f->now;
    done->after_shape = f->shape;
}

static void stutter_step(struct follow *f, const struct follow_move *move,
                         struct followed *done)
{
    memcpy(f->next, f->now, padded_size(f, f->shape));
    f->next_shape = f->shape;
    done->stutters = true;
    done->step =
        (struct trail_step){NO_PARTNER, NO_PARTNER, NO_PARTNER, NO_PARTNER, NO_PARTNER};
    finish_step(f, move, done);
}

static void take_successor(struct follow *f, const struct successor *s, uint32_t choice,
                           const struct follow_move *move, struct followed *done)
{
    memcpy(f->next, s->vector, padded_size(f, s->shape));
    f->next_shape = s->shape;
    done->step = (struct trail_step){s->pid, s->transition, s->receive, s->partner, NO_PARTNER};
    done->choice = choice;
    done->fault = s->fault;
    done->fault_transition = s->fault_transition;
    for (uint32_t i = 0; i < f->prints; i++)
        if (f->print[i].vector == s->vector && done->prints < PRINTS_MOST)
            done->print[done->prints++] = f->print[i];
    uint32_t before = f->holder;
    f->holder = !s->atomic ? NO_PARTNER : s->partner != NO_PARTNER ? s->partner : s->pid;
    done->first_of_atomic = before == NO_PARTNER && f->holder != NO_PARTNER;
    finish_step(f, move, done);
}

bool follow_step(struct follow *f, struct trail_step step, struct followed *done)
{
    struct follow_move move;
    memset(done, 0, sizeof *done);
    if (!find_move(f, step.claim, NO_PARTNER, &move))
        return false;
    if (step.pid == NO_PARTNER) {
        stutter_step(f, &move, done);
        return true;
    }
    uint32_t count = follow_expand_here(f), number = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct successor *s = &f->expander.step.list[i];
        if (s->pid != step.pid)
            continue;
        if (s->transition == step.transition && s->receive == step.receive &&
            s->partner == step.partner) {
            take_successor(f, s, number, &move, done);
            return true;
        }
        number++;
    }
    return false;
}

bool follow_choice(struct follow *f, uint32_t pid, uint32_t choice, uint32_t claim_choice,
                   struct followed *done)
{
    struct follow_move move;
    memset(done, 0, sizeof *done);
    if (!find_move(f, NO_PARTNER, claim_choice, &move))
        return false;
    if (pid == NO_PARTNER) {
        stutter_step(f, &move, done);
        return true;
    }
    uint32_t count = follow_expand_here(f), number = 0;
    for (uint32_t i = 0; i < count; i++)
        if (f->expander.step.list[i].pid == pid && number++ == choice) {
            take_successor(f, &f->expander.step.list[i], choice, &move, done);
            return true;
        }
    return false;
}

/* --- looking around --- */

bool follow_could_move(struct follow *f, uint32_t pid)
{
    uint32_t count = follow_expand_here(f);
    for (uint32_t i = 0; i < count; i++) {
        const struct successor *s = &f->expander.step.list[i];
        bool same = s->shape == f->shape && memcmp(s->vector, f->now, f->shape->size) == 0;
        if ((s->pid == pid || s->partner == pid) && !same)
            return true;
    }
    return false;
}

bool follow_stuck(struct follow *f)
{
    return follow_expand_here(f) == 0 && !valid_end(f->verifier, f->now, f->shape);
}

uint32_t follow_fault(struct follow *f, uint32_t *transition)
{
    follow_expand_here(f);
    *transition = f->expander.fault_transition;
    uint32_t fault = f->expander.fault;
    if (fault == 0 && f->verifier->model->claim) {
        claim_moves(f);
        fault = f->expander.step.fault;
        *transition = f->expander.step.fault_transition;
    }
    return fault;
}

bool follow_claim_ended(const struct follow *f)
{
    const struct proctype *claim = f->verifier->model->claim;
    return claim && claim->automaton->states[claim_state(f)].end;
}

bool follow_claim_accepts(const struct follow *f)
{
    const struct proctype *claim = f->verifier->model->claim;
    return claim && claim->automaton->states[claim_state(f)].accept;
}

bool follow_process_accepts(const struct follow *f)
{
    const struct proctype *claim = f->verifier->model->claim;
    for (uint32_t pid = 0; (!claim || !claim->progress_claim) && pid < f->shape->processes;
         pid++)
        if (control_at(f, pid)->accept)
            return true;
    return false;
}

/* --- steps that were run together --- */

/* Local steps that wait: the place does not matter to anyone but their process. */
struct waiting {
    struct trail_step steps[DEFERRED_MOST];
    uint32_t count;
};

struct taking_apart {
    const struct verifier *found;
    struct trail *plain;
    struct waiting delayed; /* by another's atomic sequence */
    struct waiting idle;    /* until their process, one of a rendezvous, moves again */
};

static void flush_waiting(struct taking_apart *t, struct waiting *waiting)
{
    for (uint32_t i = 0; i < waiting->count; i++)
        trail_add(t->plain, waiting->steps[i]);
    waiting->count = 0;
}

static bool is_waiting(const struct waiting *waiting, uint32_t pid, uint32_t partner)
{
    for (uint32_t i = 0; i < waiting->count; i++)
        if (waiting->steps[i].pid == pid || waiting->steps[i].pid == partner)
            return true;
    return false;
}

static const struct transition *last_part(const struct transition *t)
{
    return t->merged_count > 0 ? t->merged[t->merged_count - 1] : t;
}

static void add_parts(struct taking_apart *t, uint32_t pid, const struct transition *of,
                      struct waiting *later)
{
    for (int i = 0; i < of->merged_count; i++) {
        struct trail_step step = {pid, (uint32_t)of->merged[i]->id, NO_PARTNER, NO_PARTNER,
                                  NO_PARTNER};
        if (later && later->count < DEFERRED_MOST)
            later->steps[later->count++] = step;
        else
            trail_add(t->plain, step);
    }
}

static bool step_involves(const struct trail_step *step, uint32_t pid)
{
    return step && (step->pid == pid || step->partner == pid);
}

/* After a rendezvous the receiver may hold control: the sender's local steps come when it gives
 * that up. Else either may go on for free, and the local steps of the other would stand
 * between. */
static void take_apart(struct taking_apart *t, const struct trail_step *step,
                       const struct trail_step *next, uint32_t *holder)
{
    const struct transition_info *sent = verifier_transition(t->found, step->transition);
    const struct transition_info *received = verifier_transition(t->found, step->receive);
    if (step->pid != *holder && step->partner != *holder)
        flush_waiting(t, &t->delayed);
    if (is_waiting(&t->idle, step->pid, step->partner))
        flush_waiting(t, &t->idle);
    trail_add(t->plain, *step);
    if (!sent)
        return;
    bool joint = step->partner != NO_PARTNER && received;
    bool holds = joint && received->transition->atomic;
    bool sender = joint && !holds && step_involves(next, step->pid);
    bool receiver = joint && !holds && step_involves(next, step->partner);
    add_parts(t, step->pid, sent->transition,
              holds                 ? &t->delayed
              : receiver && !sender ? &t->idle
                                    : NULL);
    if (joint)
        add_parts(t, step->partner, received->transition,
                  sender && !receiver ? &t->idle : NULL);
    const struct transition *last = last_part(joint ? received->transition : sent->transition);
    *holder = last->atomic ? (joint ? step->partner : step->pid) : NO_PARTNER;
    if (*holder == NO_PARTNER)
        flush_waiting(t, &t->delayed);
}

/* Is what fails at the end of a trail one of the steps that wait? */
static bool fails_waiting(const struct taking_apart *t, const struct trail *trail)
{
    for (uint32_t i = 0; i < t->idle.count; i++)
        if (t->idle.steps[i].transition == trail->fault_transition)
            return true;
    return false;
}

void follow_expand(const struct verifier *found, const struct trail *trail, struct trail *plain)
{
    struct taking_apart t = {.found = found, .plain = plain};
    uint32_t holder = NO_PARTNER;
    *plain = *trail;
    plain->steps = NULL;
    plain->count = plain->room = 0;
    for (uint32_t i = 0; i < trail->count; i++) {
        if (i == trail->cycle) {
            flush_waiting(&t, &t.idle);
            plain->cycle = plain->count;
        }
        take_apart(&t, &trail->steps[i], i + 1 < trail->count ? &trail->steps[i + 1] : NULL,
                   &holder);
    }
    flush_waiting(&t, &t.delayed);
    bool fault = trail->violation == VIOLATION_ASSERT || trail->violation == VIOLATION_FAULT;
    if (!fault || fails_waiting(&t, trail))
        flush_waiting(&t, &t.idle);
    if (trail->cycle >= trail->count)
        plain->cycle = plain->count;
}
