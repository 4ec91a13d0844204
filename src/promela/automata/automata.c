/* Elements to control states: a state is an element that takes a step; elements that take none
 * are skipped. */
#include "promela/automata/automata.h"

#include <string.h>

#include "promela/automata/elements.h"

#define STATES_MOST 65535 /* two bytes of a state vector, all but TRACE_ENDED */

/* The next element that takes a step after one with that atomicity. */
static struct element *find_next_step(struct builder *b, struct element *e, bool atomic)
{
    for (int turns = 0;; turns++) {
        struct element *onward;
        if (turns > 10000)
            source_fail(b->source, e->place, "a loop of gotos without a statement");
        switch (e->kind) {
        case ELEMENT_GOTO:
            if (e->watched)
                return e;
            onward = e->jump;
            break;
        case ELEMENT_DOT:
            onward = e->next;
            break;
        case ELEMENT_UNLESS:
            onward = find_next_step(b, e->options[0].first, atomic);
            break;
        default:
            return e;
        }
        if (atomic && !onward->atomic)
            return e;
        if (e->dstep && onward->dstep != e->dstep)
            return e; /* leaving a d_step is a step of its code */
        e = onward;
    }
}

static struct element *find_start(struct element *e)
{
    for (int turns = 0; turns < 200; turns++) {
        if (e->kind == ELEMENT_DOT && e->next)
            e = e->next;
        else if (e->kind == ELEMENT_UNLESS)
            e = e->options[0].first;
        else
            break;
    }
    return e;
}

static int state_of(struct builder *b, struct element *element)
{
    struct automaton *a = b->automaton;
    if (element->state == 0) {
        a->states = source_grow(b->source, a->states, a->count, sizeof *a->states);
        a->states[a->count] = (struct control_state){
            .element = element, .place = element->place, .inside = element->dstep ? 0 : -1};
        element->state = ++a->count;
    }
    return element->state - 1;
}

/* The steps that can be taken in a place, with the elements that they are. */
struct listed {
    struct transition transition;
    struct element *source;
};

struct listing {
    struct listed *data;
    int count;
};

static void list_step(struct builder *b, struct listing *list, struct transition transition,
                      struct element *source)
{
    list->data = source_grow(b->source, list->data, list->count, sizeof *list->data);
    list->data[list->count++] = (struct listed){transition, source};
}

/* The steps of an element, without escapes, in the order of the text; an else comes last in its
 * own choice, so that it depends on the steps before it only. */
static void list_element(struct builder *b, struct listing *list, struct element *e)
{
    struct transition t = {.statement = e->statement,
                           .place = e->place,
                           .target = -1,
                           .number = e->number,
                           .late = e->late};
    switch (e->kind) {
    case ELEMENT_CHOICE:
    case ELEMENT_SUB:
        for (int i = 0; i < e->option_count; i++)
            list_element(b, list, find_start(e->options[i].first));
        return;
    case ELEMENT_END:
        t.kind = TRANSITION_END;
        list_step(b, list, t, e);
        return;
    case ELEMENT_DSTEP:
        t.kind = TRANSITION_DSTEP;
        break;
    case ELEMENT_STATEMENT:
        t.kind = e->statement->kind == STATEMENT_ELSE ? TRANSITION_ELSE : TRANSITION_STATEMENT;
        break;
    default:
        t.kind = TRANSITION_SKIP;
    }
    bool jump = e->kind == ELEMENT_GOTO;
    struct element *onward = jump ? e->jump : e->next;
    /* a jump from one atomic sequence into another keeps control, even as the last step */
    bool atomic =
        !jump ? e->atomic
              : (e->atomic || e->last_atomic) && (onward->atomic || onward->last_atomic);
    struct element *target = find_next_step(b, onward, atomic);
    t.atomic = atomic && (target->atomic || target->last_atomic);
    t.target = state_of(b, target);
    if (t.kind == TRANSITION_DSTEP)
        t.dstep_start = state_of(b, find_start(e->options[0].first));
    list_step(b, list, t, e);
}

/* Braces around a block have no number: the state is that of what stands inside. */
static int state_number(struct element *e)
{
    while (e->number == 0 && e->kind == ELEMENT_SUB)
        e = find_start(e->options[0].first);
    return e->number;
}

static bool is_listed(const struct listing *list, const struct element *source)
{
    for (int i = 0; i < list->count; i++)
        if (list->data[i].source == source)
            return true;
    return false;
}

/* The statement that decides whether an escape is taken; behind a jump it is the one there, but
 * an atomic sequence that the jump leaves is left by the jump, and so it is by the way into a
 * loop. */
static struct element *guard_of(struct builder *b, struct element *first, bool atomic)
{
    while (first->kind == ELEMENT_UNLESS)
        first = first->options[0].first;
    struct element *guard = find_next_step(b, first, atomic);
    return guard->back && atomic && !guard->atomic ? guard->back : guard;
}

/* The steps of an element behind those of its escapes, as Spin puts them together: state by
 * state in the order of their numbers, so that an escape's own escapes count where it has the
 * smaller number; the steps of one escape are one group, and the first group that can move is
 * taken. */
static struct listing list_all(struct builder *b, struct element *e, bool with_escapes)
{
    struct listing base = {0}, escapes = {0}, all = {0};
    list_element(b, &base, e);
    if (!with_escapes || e->kind == ELEMENT_DOT)
        return base; /* the step from the end of a choice to what follows is not escaped from */
    for (int i = 0; i < base.count; i++) {
        struct element *guards[NESTING_DEPTH];
        int count = 0;
        for (const struct escape *escape = base.data[i].source->escapes;
             escape && count < NESTING_DEPTH; escape = escape->next)
            guards[count++] = guard_of(b, escape->first, base.data[i].source->atomic);
        while (count-- > 0) {
            int number = state_number(guards[count]);
            struct listing steps = list_all(b, guards[count], number < state_number(e));
            for (int k = 0; k < steps.count; k++) {
                if (is_listed(&base, steps.data[k].source) ||
                    is_listed(&escapes, steps.data[k].source))
                    continue;
                steps.data[k].transition.escape = number;
                list_step(b, &escapes, steps.data[k].transition, steps.data[k].source);
            }
        }
    }
    for (int i = escapes.count; i-- > 0;)
        list_step(b, &all, escapes.data[i].transition, escapes.data[i].source);
    for (int i = 0; i < base.count; i++)
        list_step(b, &all, base.data[i].transition, base.data[i].source);
    return all;
}

static void expand_state(struct builder *b, int index)
{
    struct listing list = list_all(b, b->automaton->states[index].element, true);
    struct control_state *state = &b->automaton->states[index];
    for (int i = 0; i < list.count; i++) {
        state->transitions = source_grow(b->source, state->transitions, state->count,
                                         sizeof *state->transitions);
        state->transitions[state->count] = list.data[i].transition;
        state->transitions[state->count++].id = (*b->next_id)++;
    }
}

static void mark_labels(struct builder *b)
{
    for (struct label *l = b->proctype->labels; l; l = l->next) {
        if (!l->element || l->element->state == 0)
            continue;
        struct control_state *state = &b->automaton->states[l->element->state - 1];
        state->labelled = true;
        state->end |= strncmp(l->name, "end", 3) == 0;
        state->accept |= strncmp(l->name, "accept", 6) == 0;
        state->progress |= strncmp(l->name, "progress", 8) == 0;
    }
}

struct automaton *automaton_build(struct model *model, struct proctype *proctype, int *next_id)
{
    struct source *source = &model->source;
    struct builder *b = source_alloc(source, sizeof *b);
    b->model = model;
    b->source = source;
    b->proctype = proctype;
    b->next_id = next_id;
    b->automaton = source_alloc(source, sizeof *b->automaton);
    struct element *start = find_start(elements_build(b));
    if (start->kind == ELEMENT_GOTO)
        start = find_next_step(b, start, false);
    b->automaton->start = state_of(b, start);
    for (int i = 0; i < b->automaton->count; i++)
        expand_state(b, i);
    mark_labels(b);
    for (int i = 0; i < b->automaton->count; i++)
        b->automaton->states[i].number = state_number(b->automaton->states[i].element);
    b->automaton->numbered = b->numbered;
    for (int i = 0; i < b->automaton->count; i++)
        b->automaton->states[i].end |= b->automaton->states[i].element->kind == ELEMENT_END;
    if (b->automaton->count > STATES_MOST)
        source_fail(source, proctype->place, "'%s' has %d places where it can be, more than %d",
                    proctype->name, b->automaton->count, STATES_MOST);
    proctype->automaton = b->automaton;
    return b->automaton;
}

int automaton_label(const struct proctype *proctype, const char *label)
{
    for (const struct label *l = proctype->labels; l; l = l->next)
        if (strcmp(l->name, label) == 0 && l->element && l->element->state != 0)
            return l->element->state - 1;
    return -1;
}
