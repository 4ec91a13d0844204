/* Statements to elements, elements to control states. Elements mirror Spin's sequences: every
 * construct leaves a closing element behind it, over which `hunt` skips. */
#include "promela/automata/automata.h"

#include <string.h>

#define NESTING_DEPTH 256
#define STATES_MOST   65535 /* two bytes of a state vector, all but TRACE_ENDED */

enum element_kind {
    ELEMENT_STATEMENT,
    ELEMENT_DOT,
    ELEMENT_GOTO,
    ELEMENT_CHOICE,
    ELEMENT_SUB,
    ELEMENT_DSTEP,
    ELEMENT_UNLESS,
    ELEMENT_END
};

struct chain {
    struct element *first, *last;
};

struct escape {
    struct element *first;
    struct escape *next;
};

struct element {
    enum element_kind kind;
    struct statement *statement;
    struct place place;
    struct element *next;
    struct element *jump; /* goto and break */
    struct element *back; /* a loop: the step to it from before and from its options' ends */
    struct chain *options;
    int option_count;
    bool atomic, last_atomic;
    bool watched; /* by a remote reference or for its label: a goto there is a step, as in Spin
                   */
    struct element *dstep; /* the d_step around it */
    struct escape *escapes;
    int state;           /* number + 1; 0: none yet */
    int number;          /* as Spin counts them, from 1, in the order of its parser */
    int late;            /* its statement's */
    struct element *all; /* every element of the proctype */
};

struct builder {
    struct model *model;
    struct source *source;
    struct proctype *proctype;
    struct element *all;
    struct element *containers[4096];
    int container_count;
    struct element *breaks[NESTING_DEPTH];
    int break_depth;
    struct element *dstep;
    struct automaton *automaton;
    int *next_id;
    int numbered;
    const struct statement *late; /* its own elements are numbered by build_unless() */
    struct element *waiting[4];
    int waiting_count;
};

static struct element *element_new(struct builder *b, enum element_kind kind,
                                   struct place place)
{
    struct element *element = source_alloc(b->source, sizeof *element);
    element->kind = kind;
    element->place = place;
    element->dstep = b->dstep;
    element->all = b->all;
    b->all = element;
    return element;
}

static struct chain build_sequence(struct builder *b, const struct sequence *sequence);

/* The number of an element that statement s is made of. */
static void number(struct builder *b, const struct statement *s, struct element *element)
{
    element->late = s->late;
    if (s == b->late && b->waiting_count < 4)
        b->waiting[b->waiting_count++] = element;
    else
        element->number = ++b->numbered;
}

static void append(struct chain *chain, struct element *element)
{
    if (!chain->first)
        chain->first = element;
    else
        chain->last->next = element;
    chain->last = element;
}

static void add_option(struct builder *b, struct element *element, struct chain option)
{
    element->options = source_grow(b->source, element->options, element->option_count,
                                   sizeof *element->options);
    element->options[element->option_count++] = option;
}

/* Mark a chain as uninterrupted; its last step gives up control. */
static void walk_atomic(struct chain chain)
{
    for (struct element *e = chain.first; e; e = e->next) {
        e->atomic = true;
        for (int i = 0; i < e->option_count; i++)
            walk_atomic(e->options[i]);
        if (e == chain.last)
            break;
    }
}

static void make_atomic(struct chain chain)
{
    walk_atomic(chain);
    struct element *last = chain.last;
    if (last->kind == ELEMENT_SUB) {
        make_atomic(last->options[0]);
    } else {
        last->atomic = false;
        last->last_atomic = true;
    }
}

static void attach_escape(struct builder *b, struct chain chain, struct element *first)
{
    for (struct element *e = chain.first; e; e = e->next) {
        struct escape *escape = source_alloc(b->source, sizeof *escape);
        *escape = (struct escape){first, e->escapes};
        e->escapes = escape; /* outer ones are attached later and come first */
        if (e->kind != ELEMENT_DSTEP)
            for (int i = 0; i < e->option_count; i++)
                attach_escape(b, e->options[i], first);
        if (e == chain.last)
            break;
    }
}

static bool is_labelled(const struct builder *b, const struct element *e)
{
    for (const struct label *l = b->proctype->labels; l; l = l->next)
        if (l->element == e)
            return true;
    return false;
}

/* In an option, a skip behind a skip or a print is no step, unless the option ends with it:
 * Spin leaves it out. It keeps its number. */
static void leave_out_skips(struct builder *b, struct chain *chain)
{
    int skips = 0;
    struct element *before = NULL;
    for (struct element *e = chain->first;; e = e->next) {
        const struct statement *s = e->kind == ELEMENT_STATEMENT ? e->statement : NULL;
        bool prints = s && s->kind == STATEMENT_PRINT;
        bool skip = s && s->kind == STATEMENT_EXPRESSION && !s->synthetic &&
                    s->value->kind == EXPRESSION_CONSTANT && s->value->value == 1;
        skips = (skip || prints) && !is_labelled(b, e) ? skips + 1 : 0;
        if (e == chain->last)
            return;
        if (skips > 1 && skip && before)
            before->next = e->next;
        else
            before = e;
    }
}

static struct element *build_choice(struct builder *b, struct statement *s, struct chain *chain)
{
    bool loop = s->kind == STATEMENT_DO;
    struct element *choice = element_new(b, ELEMENT_CHOICE, s->place);
    struct element *after = element_new(b, ELEMENT_DOT, s->place);
    struct element *back = after;
    if (loop) {
        back = element_new(b, ELEMENT_DOT, s->place);
        back->next = choice;
        choice->back = back;
        if (b->break_depth == NESTING_DEPTH)
            source_fail(b->source, s->place, "loops are nested too deep");
        b->breaks[b->break_depth++] = after;
    }
    append(chain, choice);
    append(chain, after);
    struct chain otherwise = {0};
    for (struct sequence *option = s->options; option; option = option->next) {
        struct chain inner = build_sequence(b, option);
        if (!s->synthetic && !b->proctype->claim)
            leave_out_skips(b, &inner);
        inner.last->next = back;
        if (option->first->kind == STATEMENT_ELSE && !otherwise.first)
            otherwise = inner; /* comes last */
        else
            add_option(b, choice, inner);
    }
    if (otherwise.first)
        add_option(b, choice, otherwise);
    number(b, s, choice);
    if (loop)
        number(b, s, back);
    number(b, s, after);
    b->break_depth -= loop;
    return choice;
}

static struct element *build_container(struct builder *b, struct statement *s,
                                       struct chain *chain)
{
    bool step = s->kind == STATEMENT_DSTEP;
    struct element *element = element_new(b, step ? ELEMENT_DSTEP : ELEMENT_SUB, s->place);
    element->statement = s;
    append(chain, element);
    if (b->container_count == (int)(sizeof b->containers / sizeof *b->containers))
        source_fail(b->source, s->place, "more than 4096 blocks in one proctype");
    b->containers[b->container_count++] = element;
    if (step && b->dstep)
        element->kind = ELEMENT_SUB; /* a d_step inside a d_step adds nothing */
    struct element *outer = b->dstep;
    if (element->kind == ELEMENT_DSTEP)
        b->dstep = element;
    add_option(b, element, build_sequence(b, s->options));
    b->dstep = outer;
    if (!s->synthetic) /* a `for` is no block of its own */
        number(b, s, element);
    if (s->kind != STATEMENT_BLOCK)
        make_atomic(element->options[0]);
    return element;
}

/* One side of an unless. Braces are no block of their own; anything else that it consists of is
 * numbered after both sides' insides, that of the escape first. That is Spin's order. */
static struct chain build_part(struct builder *b, const struct sequence *part, bool braces,
                               struct element **late, int *count)
{
    if (braces)
        return build_sequence(b, part->first->options);
    const struct statement *outer = b->late;
    b->late = part->first;
    b->waiting_count = 0;
    struct chain chain = build_sequence(b, part);
    for (int i = 0; i < b->waiting_count; i++)
        late[(*count)++] = b->waiting[i];
    b->late = outer;
    b->waiting_count = 0;
    return chain;
}

static bool has_label(const struct builder *b, const struct statement *s)
{
    for (const struct label *l = b->proctype->labels; l; l = l->next)
        if (l->statement == s)
            return true;
    return false;
}

static bool is_block(const struct statement *s)
{
    return s->kind == STATEMENT_BLOCK && !s->synthetic;
}

/* `L: { … } unless { … }`: Spin puts the whole into a block, which has the label. */
static struct element *labelled_unless(struct builder *b, const struct statement *main,
                                       struct chain inner, struct chain *chain)
{
    struct element *element = element_new(b, ELEMENT_SUB, main->place);
    if (b->container_count == (int)(sizeof b->containers / sizeof *b->containers))
        source_fail(b->source, main->place, "more than 4096 blocks in one proctype");
    b->containers[b->container_count++] = element;
    add_option(b, element, inner);
    element->number = ++b->numbered;
    element->late = main->late;
    append(chain, element);
    for (struct label *l = b->proctype->labels; l; l = l->next)
        if (l->statement == main)
            l->element = element;
    return element;
}

static struct element *build_unless(struct builder *b, struct statement *s, struct chain *chain)
{
    if (b->dstep)
        source_fail(b->source, s->place, "'unless' inside d_step is not supported");
    struct element *element = element_new(b, ELEMENT_UNLESS, s->place);
    struct element *after = element_new(b, ELEMENT_DOT, s->place);
    struct element *late[8];
    const struct statement *first = s->options->first, *second = s->options->next->first;
    bool braces = is_block(first), labelled = braces && has_label(b, first);
    int main_count = 0, escape_count = 0;
    struct chain main = build_part(b, s->options, braces, late + 4, &main_count);
    struct chain escape = build_part(
        b, s->options->next, is_block(second) && !has_label(b, second), late, &escape_count);
    for (int i = 0; i < escape_count; i++)
        late[i]->number = ++b->numbered;
    for (int i = 4; i < 4 + main_count; i++)
        late[i]->number = ++b->numbered;
    main.last->next = escape.last->next = after;
    add_option(b, element, main);
    add_option(b, element, escape);
    element->number = ++b->numbered;
    after->number = ++b->numbered;
    element->late = after->late = s->late;
    attach_escape(b, main, escape.first);
    struct chain inner = {0}, *to = labelled ? &inner : chain;
    append(to, element);
    append(to, after);
    return labelled ? labelled_unless(b, first, inner, chain) : element;
}

static struct element *build_statement(struct builder *b, struct statement *s,
                                       struct chain *chain)
{
    struct element *element;
    switch (s->kind) {
    case STATEMENT_IF:
    case STATEMENT_DO:
        return build_choice(b, s, chain);
    case STATEMENT_ATOMIC:
    case STATEMENT_BLOCK:
    case STATEMENT_DSTEP:
        return build_container(b, s, chain);
    case STATEMENT_UNLESS:
        return build_unless(b, s, chain);
    case STATEMENT_GOTO:
    case STATEMENT_BREAK:
        element = element_new(b, ELEMENT_GOTO, s->place);
        if (s->kind == STATEMENT_BREAK)
            element->jump = b->breaks[b->break_depth - 1];
        break;
    default:
        element = element_new(b, ELEMENT_STATEMENT, s->place);
    }
    element->statement = s;
    number(b, s, element);
    append(chain, element);
    return element;
}

bool label_is_special(const struct label *l)
{
    return strncmp(l->name, "end", 3) == 0 || strncmp(l->name, "accept", 6) == 0 ||
           strncmp(l->name, "progress", 8) == 0;
}

/* A jump is no state of its own, so a step is put before one with an end, accept or progress
 * label. That step has the outermost label and, unlike Spin's, every one of those three kinds;
 * what else names the jump still names the jump. */
static void place_labels(struct builder *b, const struct statement *s, struct element *element,
                         struct chain *chain, struct element *before)
{
    bool jump = s->kind == STATEMENT_GOTO || s->kind == STATEMENT_BREAK, special = false;
    struct label *outermost = NULL;
    for (struct label *l = b->proctype->labels; l; l = l->next)
        if (l->statement == s) {
            l->element = element;
            outermost = l; /* the list begins with the last one in the text */
            special |= label_is_special(l);
            element->watched |= l->remote;
        }
    if (!jump || !special)
        return;
    struct element *step = element_new(b, ELEMENT_GOTO, s->place);
    *step = (struct element){.kind = ELEMENT_GOTO,
                             .statement = element->statement,
                             .place = element->place,
                             .next = element,
                             .jump = element,
                             .watched = true,
                             .dstep = element->dstep,
                             .all = step->all};
    number(b, s, step);
    if (!before)
        chain->first = step;
    else
        before->next = step;
    element->watched = false;
    for (struct label *l = b->proctype->labels; l; l = l->next)
        if (l->statement == s && (l == outermost || label_is_special(l)))
            l->element = step;
        else if (l->statement == s)
            element->watched |= l->remote;
}

static struct chain build_sequence(struct builder *b, const struct sequence *sequence)
{
    struct chain chain = {0};
    for (struct statement *s = sequence->first; s; s = s->next) {
        struct element *before = chain.last;
        place_labels(b, s, build_statement(b, s, &chain), &chain, before);
    }
    return chain;
}

static void resolve_gotos(struct builder *b)
{
    for (struct element *e = b->all; e; e = e->all) {
        if (e->kind != ELEMENT_GOTO || e->jump)
            continue;
        const struct statement *s = e->statement;
        struct label *found = NULL;
        for (struct label *l = b->proctype->labels; l; l = l->next)
            if (strcmp(l->name, s->text) == 0 && (!found || l->inline_call == s->inline_call))
                found = l;
        if (!found)
            source_fail(b->source, e->place, "there is no label '%s' in %s", s->text,
                        b->proctype->name);
        e->jump = found->element;
        if (e->jump->dstep && e->jump->dstep != e->dstep)
            source_fail(b->source, e->place, "'goto %s' jumps into a d_step", s->text);
    }
}

/* The next element that takes a step after one with that atomicity. */
static struct element *hunt(struct builder *b, struct element *e, bool atomic)
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
            onward = hunt(b, e->options[0].first, atomic);
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

static struct element *hunt_start(struct element *e)
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

/* The steps of an element, without escapes, in the order of the text; an else stands at the end
 * of its own choice, so that it looks at what comes before it, and at nothing behind. */
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
            list_element(b, list, hunt_start(e->options[i].first));
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
    /* a jump from one atomic sequence into another gives up nothing, also as the last step */
    bool atomic =
        !jump ? e->atomic
              : (e->atomic || e->last_atomic) && (onward->atomic || onward->last_atomic);
    struct element *target = hunt(b, onward, atomic);
    t.atomic = atomic && (target->atomic || target->last_atomic);
    t.target = state_of(b, target);
    if (t.kind == TRANSITION_DSTEP)
        t.dstep_start = state_of(b, hunt_start(e->options[0].first));
    list_step(b, list, t, e);
}

/* Braces around a block have no number: the state is that of what stands inside. */
static int state_number(struct element *e)
{
    while (e->number == 0 && e->kind == ELEMENT_SUB)
        e = hunt_start(e->options[0].first);
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
    struct element *guard = hunt(b, first, atomic);
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
    struct chain body = build_sequence(b, proctype->body);
    append(&body, element_new(b, ELEMENT_END, proctype->body->end));
    body.last->number = ++b->numbered;
    body.last->late = proctype->late;
    for (int i = 0; i < b->container_count; i++)
        b->containers[i]->options[0].last->next = b->containers[i]->next;
    resolve_gotos(b);
    struct element *start = hunt_start(body.first);
    if (start->kind == ELEMENT_GOTO)
        start = hunt(b, start, false);
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

void automata_build(struct model *model)
{
    int next_id = 0;
    for (int i = 0; i < model->proctype_count; i++)
        automaton_build(model, model->proctypes[i], &next_id);
    for (int i = 0; i < model->claim_count; i++)
        automaton_build(model, model->claims[i], &next_id);
}

int automaton_label(const struct proctype *proctype, const char *label)
{
    for (const struct label *l = proctype->labels; l; l = l->next)
        if (strcmp(l->name, label) == 0 && l->element && l->element->state != 0)
            return l->element->state - 1;
    return -1;
}
