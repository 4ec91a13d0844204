/* Macro steps by recursion over the choices of atomic sequences. Faults are reported where they
 * happen, and the search continues after them, as in Spin.
 *
 * A sequence is followed path by path, as in Spin, so that steps are counted alike, until it
 * has taken many steps or is long; from then on each place is continued only once
 * (atomic_seen.h). */
#include "promela/verifier/macro.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST           1000000u /* steps on one path */
#define LONGEST_OF_CYCLES 10000u   /* … where infinite runs count */
#define DEEPEST           10000u   /* choices on one path: the recursion */
#define MANY_STEPS        4096u    /* of one sequence, all paths together */
#define LONG_PATH         256u     /* from here on places are remembered */
#define PATH_AT_FIRST     1024u

bool macro_init(struct macro_expander *m, struct verifier *verifier)
{
    m->path_room = PATH_AT_FIRST;
    m->path = malloc(m->path_room * sizeof *m->path);
    m->cut_by = NULL;
    m->over = m->unhurried = false;
    m->steps = m->begun = m->depth = 0;
    m->pace = (struct pace){0};
    atomic_seen_init(&m->seen, verifier->options->memory);
    if (!m->path)
        return false;
    return expander_init(&m->expander, verifier);
}

void macro_free(struct macro_expander *m)
{
    free(m->path);
    atomic_seen_free(&m->seen);
    expander_free(&m->expander);
}

static void emit_macro(struct macro_expander *m, struct macro *macro)
{
    macro->path = m->path;
    m->emit(m->context, macro);
}

/* An atomic sequence can have too many paths to follow in the time. */
static bool is_over(struct macro_expander *m)
{
    const char *by =
        pace_is_due(&m->pace, ++m->steps) ? verifier_is_over(m->expander.verifier) : NULL;
    if (by && !(m->unhurried && strcmp(by, "interrupted") != 0)) {
        m->over = true;
        m->cut_by = by;
    }
    return m->over;
}

static bool has_room(struct macro_expander *m, uint32_t length)
{
    bool safety = !m->expander.verifier->property;
    if (length > (safety ? LONGEST : LONGEST_OF_CYCLES) || m->depth > DEEPEST)
        return false;
    if (length < m->path_room)
        return true;
    struct trail_step *larger = realloc(m->path, 2 * m->path_room * sizeof *m->path);
    if (!larger)
        return false;
    m->path = larger;
    m->path_room *= 2;
    return true;
}

static bool is_too_long(struct macro_expander *m, const struct macro *macro)
{
    if (has_room(m, macro->length))
        return false;
    m->cut_by = MACRO_TOO_LONG;
    return true;
}

/* Was the sequence continued from here before? For safety, a sequence that loops is not a step;
 * if infinite runs matter, all its steps must be seen, so nothing is remembered. Nor with
 * embedded C, which may act differently the next time. */
static bool is_known(struct macro_expander *m, const struct macro *macro, uint32_t holder)
{
    const struct verifier *v = m->expander.verifier;
    if (v->model->uses_c || v->property ||
        (m->steps - m->begun < MANY_STEPS && macro->length < LONG_PATH))
        return false;
    struct atomic_place place = {.vector = macro->vector,
                                 .size = (macro->shape->size + 7) & ~7u,
                                 .holder = holder,
                                 .last_pid = macro->last_pid,
                                 .last_partner = macro->last_partner,
                                 .length = macro->length};
    return atomic_seen_enter(&m->seen, &place) != ATOMIC_NEW;
}

/* Read before it is set: several workers share these bytes, and nearly all are set early. */
static void note_reached(const struct verifier *v, const struct successor *s)
{
    if (!v->reached)
        return;
    if (!atomic_load_explicit(&v->reached[s->transition], memory_order_relaxed))
        atomic_store_explicit(&v->reached[s->transition], 1, memory_order_relaxed);
    if (s->partner != NO_PARTNER &&
        !atomic_load_explicit(&v->reached[s->receive], memory_order_relaxed))
        atomic_store_explicit(&v->reached[s->receive], 1, memory_order_relaxed);
}

/* Takes one step. Returns the process that holds control then, or NO_PARTNER. */
static uint32_t take_step(struct macro_expander *m, struct macro *macro,
                          const struct successor *s)
{
    note_reached(m->expander.verifier, s);
    m->path[macro->length++] =
        (struct trail_step){s->pid, s->transition, s->receive, s->partner, NO_PARTNER};
    macro->vector = s->vector;
    macro->shape = s->shape;
    macro->last_pid = s->pid;
    macro->last_partner = s->partner;
    if (macro->length == 1) {
        macro->first_pid = s->pid;
        macro->first_partner = s->partner;
    }
    if (s->fault != 0) {
        struct macro bad = *macro;
        bad.fault = s->fault;
        bad.fault_transition = s->fault_transition;
        emit_macro(m, &bad);
    }
    return !s->atomic ? NO_PARTNER : s->partner != NO_PARTNER ? s->partner : s->pid;
}

/* Generates the holder's steps from here; a fault before any of them is reported. */
static uint32_t steps_of_holder(struct macro_expander *m, const struct macro *macro,
                                uint32_t holder)
{
    struct expander *x = &m->expander;
    uint32_t count = expander_one(x, macro->vector, macro->shape, holder);
    if (x->fault != 0) {
        struct macro bad = *macro;
        bad.fault = x->fault;
        bad.fault_transition = x->fault_transition;
        emit_macro(m, &bad);
    }
    return count;
}

/* Follows a sequence from a step on until its process gives up control. As long as there is
 * only one next step, vectors replace each other, so that a long loop needs no memory. */
static void follow_sequence(struct macro_expander *m, struct macro macro,
                            const struct successor *s)
{
    struct expander *x = &m->expander;
    uint8_t *mark = x->step.next;
    struct successor *list = x->step.list, only = *s;
    uint32_t open = m->seen.open_count;
    for (;;) {
        uint32_t holder = take_step(m, &macro, &only);
        if (only.fault != 0 && m->ends_at_faults)
            break;
        if (holder != NO_PARTNER &&
            (is_over(m) || is_known(m, &macro, holder) || is_too_long(m, &macro)))
            break; /* states inside a sequence are not visible */
        uint32_t count = holder != NO_PARTNER ? steps_of_holder(m, &macro, holder) : 0;
        if (count == 0)
            emit_macro(m, &macro);
        if (count != 1) {
            x->step.list += count;
            m->depth++;
            for (uint32_t i = 0; i < count; i++)
                follow_sequence(m, macro, &list[i]);
            m->depth--;
            break;
        }
        only = list[0];
        size_t size = ((only.shape->size + 7) & ~7u) + (size_t)x->verifier->model->c_tail;
        memmove(mark, only.vector, size);
        only.vector = mark;
        x->step.next = mark + size;
    }
    atomic_seen_leave(&m->seen, open);
    x->step.list = list;
    x->step.next = mark;
}

/* A fault that belongs to no step: evaluating a condition went wrong. */
static void report_fault(struct macro_expander *m, const uint8_t *now,
                         const struct shape *shape)
{
    const struct expander *x = &m->expander;
    struct macro bad = {.vector = now,
                        .shape = shape,
                        .path = m->path,
                        .fault = x->fault,
                        .fault_transition = x->fault_transition,
                        .first_pid = x->fault_pid,
                        .last_pid = x->fault_pid,
                        .first_partner = NO_PARTNER,
                        .last_partner = NO_PARTNER};
    emit_macro(m, &bad);
}

/* A single step: no sequence, no fault. Nearly all steps are like this; passing their data by
 * value, as follow_sequence() must, would cost more than generating them. */
static inline bool is_plain(const struct successor *s)
{
    return !s->atomic && s->fault == 0;
}

static void report_plain(struct macro_expander *m, const struct successor *s)
{
    note_reached(m->expander.verifier, s);
    m->path[0] = (struct trail_step){s->pid, s->transition, s->receive, s->partner, NO_PARTNER};
    struct macro macro = {.vector = s->vector,
                          .shape = s->shape,
                          .first_pid = s->pid,
                          .first_partner = s->partner,
                          .last_pid = s->pid,
                          .last_partner = s->partner,
                          .path = m->path,
                          .length = 1};
    emit_macro(m, &macro);
}

/* Follows the first `count` steps in the expander's list. */
static void follow_all(struct macro_expander *m, const uint8_t *now, const struct shape *shape,
                       uint32_t count, uint32_t skipped)
{
    struct expander *x = &m->expander;
    struct successor *list = x->step.list;
    struct macro start = {.vector = now, .shape = shape, .path = m->path};
    if (x->fault != 0)
        report_fault(m, now, shape);
    x->step.list += count;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].pid == skipped)
            continue;
        if (is_plain(&list[i]))
            report_plain(m, &list[i]);
        else {
            m->begun = m->steps;
            atomic_seen_clear(&m->seen);
            follow_sequence(m, start, &list[i]);
        }
    }
    x->step.list = list;
}

uint32_t macro_expand_others(struct macro_expander *m, const uint8_t *now,
                             const struct shape *shape, uint32_t skipped)
{
    uint8_t *mark = m->expander.step.next;
    uint32_t count = expander_all(&m->expander, now, shape);
    follow_all(m, now, shape, count, skipped);
    m->expander.step.next = mark;
    return count;
}

uint32_t macro_expand(struct macro_expander *m, const uint8_t *now, const struct shape *shape)
{
    return macro_expand_others(m, now, shape, NO_PARTNER);
}

uint32_t macro_expand_alone(struct macro_expander *m, const uint8_t *now,
                            const struct shape *shape, uint32_t pid)
{
    uint8_t *mark = m->expander.step.next;
    uint32_t count = expander_one(&m->expander, now, shape, pid);
    follow_all(m, now, shape, count, NO_PARTNER);
    m->expander.step.next = mark;
    return count;
}
