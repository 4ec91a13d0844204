/* Macro steps by recursion over atomic sequences. Faults are reported where they happen, and
 * the search goes on behind them, as Spin's does. */
#include "promela/macro.h"

#include <stdlib.h>

#define LONG_ATOMIC 10000
#define LOOK_EVERY  (1u << 16) /* steps between two looks at the clock */

bool macro_init(struct macro_expander *m, struct verifier *verifier)
{
    m->path_room = LONG_ATOMIC + 8;
    m->path = malloc(m->path_room * sizeof *m->path);
    m->cut_by = NULL;
    m->over = false;
    m->steps = 0;
    if (m->path == NULL)
        return false;
    return expander_init(&m->expander, verifier);
}

void macro_free(struct macro_expander *m)
{
    free(m->path);
    expander_free(&m->expander);
}

static void report(struct macro_expander *m, const struct macro *macro)
{
    m->emit(m->context, macro);
}

static void follow(struct macro_expander *m, struct macro macro, const struct successor *s);

/* One atomic sequence can have more paths than there is time for. */
static bool is_over(struct macro_expander *m)
{
    const char *by =
        ++m->steps % LOOK_EVERY == 0 ? verifier_is_over(m->expander.verifier) : NULL;
    if (by != NULL) {
        m->over = true;
        m->cut_by = by;
    }
    return m->over;
}

/* The state behind a step: go on while the process holds control, else hand it over. */
static void settle(struct macro_expander *m, struct macro macro, u32 holder)
{
    struct expander *x = &m->expander;
    u8 *mark = x->step.next;
    struct successor *list = x->step.list;
    u32 count = 0;
    if (holder != NO_PARTNER && is_over(m))
        return;
    if (macro.length > LONG_ATOMIC)
        m->cut_by = "limit of atomic sequences";
    else if (holder != NO_PARTNER)
        count = expander_one(x, macro.vector, macro.shape, holder);
    if (x->fault != 0 && holder != NO_PARTNER) {
        struct macro bad = macro;
        bad.fault = x->fault;
        bad.fault_transition = x->fault_transition;
        report(m, &bad);
    }
    if (count == 0) {
        report(m, &macro);
    } else {
        x->step.list += count;
        for (u32 i = 0; i < count; i++)
            follow(m, macro, &list[i]);
        x->step.list = list;
    }
    x->step.next = mark;
}

static void follow(struct macro_expander *m, struct macro macro, const struct successor *s)
{
    m->path[macro.length++] =
        (struct trail_step){s->pid, s->transition, s->receive, s->partner, NO_PARTNER};
    macro.path = m->path;
    macro.vector = s->vector;
    macro.shape = s->shape;
    macro.last_pid = s->pid;
    macro.last_partner = s->partner;
    if (macro.length == 1) {
        macro.first_pid = s->pid;
        macro.first_partner = s->partner;
    }
    if (s->fault != 0) {
        struct macro bad = macro;
        bad.fault = s->fault;
        bad.fault_transition = s->fault_transition;
        report(m, &bad);
    }
    u32 holder = !s->atomic ? NO_PARTNER : s->partner != NO_PARTNER ? s->partner : s->pid;
    settle(m, macro, holder);
}

/* A fault that belongs to no step: evaluating a condition went wrong. */
static void report_fault(struct macro_expander *m, const u8 *now, const struct shape *shape)
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
    report(m, &bad);
}

/* A step that ends where it began: no sequence, no fault. Nearly all are; passing what is known
 * of them by value, as follow() must, costs more than making them. */
static inline bool is_plain(const struct successor *s)
{
    return !s->atomic && s->fault == 0;
}

static void report_plain(struct macro_expander *m, const struct successor *s)
{
    m->path[0] = (struct trail_step){s->pid, s->transition, s->receive, s->partner, NO_PARTNER};
    struct macro macro = {.vector = s->vector,
                          .shape = s->shape,
                          .first_pid = s->pid,
                          .first_partner = s->partner,
                          .last_pid = s->pid,
                          .last_partner = s->partner,
                          .path = m->path,
                          .length = 1};
    report(m, &macro);
}

/* Behind the `count` first steps that lie in the expander's list. */
static void follow_all(struct macro_expander *m, const u8 *now, const struct shape *shape,
                       u32 count, u32 skipped)
{
    struct expander *x = &m->expander;
    struct successor *list = x->step.list;
    struct macro start = {.vector = now, .shape = shape, .path = m->path};
    if (x->fault != 0)
        report_fault(m, now, shape);
    x->step.list += count;
    for (u32 i = 0; i < count; i++) {
        if (list[i].pid == skipped)
            continue;
        if (is_plain(&list[i]))
            report_plain(m, &list[i]);
        else
            follow(m, start, &list[i]);
    }
    x->step.list = list;
}

u32 macro_expand_others(struct macro_expander *m, const u8 *now, const struct shape *shape,
                        u32 skipped)
{
    u8 *mark = m->expander.step.next;
    u32 count = expander_all(&m->expander, now, shape);
    follow_all(m, now, shape, count, skipped);
    m->expander.step.next = mark;
    return count;
}

u32 macro_expand(struct macro_expander *m, const u8 *now, const struct shape *shape)
{
    return macro_expand_others(m, now, shape, NO_PARTNER);
}

u32 macro_expand_alone(struct macro_expander *m, const u8 *now, const struct shape *shape,
                       u32 pid)
{
    u8 *mark = m->expander.step.next;
    u32 count = expander_one(&m->expander, now, shape, pid);
    follow_all(m, now, shape, count, NO_PARTNER);
    m->expander.step.next = mark;
    return count;
}
