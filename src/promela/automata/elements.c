/* Statements to elements. See elements.h. */
#include "promela/automata/elements.h"

#include <string.h>

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

static struct element_chain build_sequence(struct builder *b, const struct sequence *sequence);

/* The number of an element that statement s is made of. */
static void number_element(struct builder *b, const struct statement *s,
                           struct element *element)
{
    element->late = s->late;
    if (s == b->late && b->waiting_count < 4)
        b->waiting[b->waiting_count++] = element;
    else
        element->number = ++b->numbered;
}

static void append_element(struct element_chain *chain, struct element *element)
{
    if (!chain->first)
        chain->first = element;
    else
        chain->last->next = element;
    chain->last = element;
}

static void add_option(struct builder *b, struct element *element, struct element_chain option)
{
    element->options = source_grow(b->source, element->options, element->option_count,
                                   sizeof *element->options);
    element->options[element->option_count++] = option;
}

/* Mark a chain as uninterrupted; its last step gives up control. */
static void walk_atomic(struct element_chain chain)
{
    for (struct element *e = chain.first; e; e = e->next) {
        e->atomic = true;
        for (int i = 0; i < e->option_count; i++)
            walk_atomic(e->options[i]);
        if (e == chain.last)
            break;
    }
}

static void make_atomic(struct element_chain chain)
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

static void attach_escape(struct builder *b, struct element_chain chain, struct element *first)
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

/* In an option, Spin leaves out a skip after a skip or a print, unless the option ends with it.
 * It keeps its number. */
static void leave_out_skips(struct builder *b, struct element_chain *chain)
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

static struct element *build_choice(struct builder *b, struct statement *s,
                                    struct element_chain *chain)
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
    append_element(chain, choice);
    append_element(chain, after);
    struct element_chain otherwise = {0};
    for (struct sequence *option = s->options; option; option = option->next) {
        struct element_chain inner = build_sequence(b, option);
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
    number_element(b, s, choice);
    if (loop)
        number_element(b, s, back);
    number_element(b, s, after);
    b->break_depth -= loop;
    return choice;
}

static struct element *build_container(struct builder *b, struct statement *s,
                                       struct element_chain *chain)
{
    bool step = s->kind == STATEMENT_DSTEP;
    struct element *element = element_new(b, step ? ELEMENT_DSTEP : ELEMENT_SUB, s->place);
    element->statement = s;
    append_element(chain, element);
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
        number_element(b, s, element);
    if (s->kind != STATEMENT_BLOCK)
        make_atomic(element->options[0]);
    return element;
}

/* One side of an unless. Braces are no block of their own; anything else that it consists of is
 * numbered after both sides' insides, that of the escape first. That is Spin's order. */
static struct element_chain build_part(struct builder *b, const struct sequence *part,
                                       bool braces, struct element **late, int *count)
{
    if (braces)
        return build_sequence(b, part->first->options);
    const struct statement *outer = b->late;
    b->late = part->first;
    b->waiting_count = 0;
    struct element_chain chain = build_sequence(b, part);
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
                                       struct element_chain inner, struct element_chain *chain)
{
    struct element *element = element_new(b, ELEMENT_SUB, main->place);
    if (b->container_count == (int)(sizeof b->containers / sizeof *b->containers))
        source_fail(b->source, main->place, "more than 4096 blocks in one proctype");
    b->containers[b->container_count++] = element;
    add_option(b, element, inner);
    element->number = ++b->numbered;
    element->late = main->late;
    append_element(chain, element);
    for (struct label *l = b->proctype->labels; l; l = l->next)
        if (l->statement == main)
            l->element = element;
    return element;
}

static struct element *build_unless(struct builder *b, struct statement *s,
                                    struct element_chain *chain)
{
    if (b->dstep)
        source_fail(b->source, s->place, "'unless' inside d_step is not supported");
    struct element *element = element_new(b, ELEMENT_UNLESS, s->place);
    struct element *after = element_new(b, ELEMENT_DOT, s->place);
    struct element *late[8];
    const struct statement *first = s->options->first, *second = s->options->next->first;
    bool braces = is_block(first), labelled = braces && has_label(b, first);
    int main_count = 0, escape_count = 0;
    struct element_chain main = build_part(b, s->options, braces, late + 4, &main_count);
    struct element_chain escape = build_part(
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
    struct element_chain inner = {0}, *to = labelled ? &inner : chain;
    append_element(to, element);
    append_element(to, after);
    return labelled ? labelled_unless(b, first, inner, chain) : element;
}

static struct element *build_statement(struct builder *b, struct statement *s,
                                       struct element_chain *chain)
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
    number_element(b, s, element);
    append_element(chain, element);
    return element;
}

/* A jump is no state of its own, so a step is put before one with an end, accept or progress
 * label. That step has the outermost label and, unlike Spin's, every one of those three kinds;
 * what else names the jump still names the jump. */
static void place_labels(struct builder *b, const struct statement *s, struct element *element,
                         struct element_chain *chain, struct element *before)
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
    number_element(b, s, step);
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

static struct element_chain build_sequence(struct builder *b, const struct sequence *sequence)
{
    struct element_chain chain = {0};
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

struct element *elements_build(struct builder *b)
{
    struct proctype *proctype = b->proctype;
    struct element_chain body = build_sequence(b, proctype->body);
    append_element(&body, element_new(b, ELEMENT_END, proctype->body->end));
    body.last->number = ++b->numbered;
    body.last->late = proctype->late;
    for (int i = 0; i < b->container_count; i++)
        b->containers[i]->options[0].last->next = b->containers[i]->next;
    resolve_gotos(b);
    return body.first;
}
