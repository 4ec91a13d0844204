/* Liveness of locals and merging of local steps, per proctype. See optimise.h. */
#include "promela/automata/optimise.h"

#include <string.h>

#include "promela/automata/unread.h"

#define MERGE_LIMIT 64
#define WORD        64

/* --- shared locals --- */

static void mark_expression(const struct expression *e)
{
    if (!e)
        return;
    if (e->kind == EXPRESSION_REMOTE_VARIABLE && e->right->symbol)
        e->right->symbol->shared = true;
    mark_expression(e->left);
    mark_expression(e->right);
    mark_expression(e->third);
    for (const struct expression *a = e->list; a; a = a->next)
        mark_expression(a);
}

static void mark_statements(const struct statement *first)
{
    for (const struct statement *s = first; s; s = s->next) {
        mark_expression(s->target);
        mark_expression(s->value);
        for (const struct expression *e = s->list; e; e = e->next)
            mark_expression(e);
        for (const struct sequence *o = s->options; o; o = o->next)
            mark_statements(o->first);
    }
}

static void mark_automaton(const struct automaton *a)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->states[i].count; k++)
            if (a->states[i].transitions[k].statement)
                mark_expression(a->states[i].transitions[k].statement->value);
}

void mark_shared_locals(struct model *model)
{
    for (int i = 0; i < model->proctype_count; i++) {
        mark_statements(model->proctypes[i]->body->first);
        mark_expression(model->proctypes[i]->provided);
    }
    if (model->claim)
        mark_automaton(model->claim->automaton);
}

/* --- locality --- */

bool expression_is_local(const struct expression *e)
{
    if (!e)
        return true;
    switch (e->kind) {
    case EXPRESSION_CONSTANT:
    case EXPRESSION_PID:
    case EXPRESSION_WILDCARD:
        return true;
    case EXPRESSION_NAME: /* members of a structure have no owner of their own */
        for (const struct expression *part = e; part; part = part->right)
            if (!expression_is_local(part->left))
                return false;
        return e->symbol->owner && !e->symbol->shared;
    case EXPRESSION_UNARY:
    case EXPRESSION_BINARY:
    case EXPRESSION_CONDITION:
    case EXPRESSION_EVAL:
        return expression_is_local(e->left) && expression_is_local(e->right) &&
               expression_is_local(e->third);
    default:
        return false;
    }
}

bool expression_may_fail(const struct expression *e)
{
    if (!e)
        return false;
    switch (e->kind) {
    case EXPRESSION_CONSTANT:
    case EXPRESSION_PID:
    case EXPRESSION_COUNT:
    case EXPRESSION_LAST:
        return false;
    case EXPRESSION_NAME:
        for (const struct expression *part = e; part; part = part->right)
            if (part->left && !index_is_inside(part))
                return true;
        return false;
    case EXPRESSION_BINARY:
        if ((e->op == '/' || e->op == '%') &&
            (e->right->kind != EXPRESSION_CONSTANT || e->right->value == 0))
            return true;
        return expression_may_fail(e->left) || expression_may_fail(e->right);
    case EXPRESSION_UNARY:
    case EXPRESSION_CONDITION:
        return expression_may_fail(e->left) || expression_may_fail(e->right) ||
               expression_may_fail(e->third);
    default:
        return true;
    }
}

/* Of an assignment whose target is dropped, only what has an effect is computed. */
static bool is_local_or_idle(const struct expression *e)
{
    if (e->kind != EXPRESSION_NAME)
        return !value_has_effect(e) || expression_is_local(e);
    for (const struct expression *part = e; part; part = part->right)
        if (part->left && !index_is_inside(part) && !expression_is_local(part->left))
            return false;
    return true;
}

bool statement_is_local(const struct statement *s)
{
    switch (s->kind) {
    case STATEMENT_EXPRESSION:
    case STATEMENT_ASSERT:
        return expression_is_local(s->value);
    case STATEMENT_ASSIGN:
        if (reference_is_dropped(s->target))
            return is_local_or_idle(s->target) && is_local_or_idle(s->value);
        return expression_is_local(s->target) && expression_is_local(s->value);
    case STATEMENT_PRINT: /* printing is not part of the state */
        for (const struct expression *e = s->list; e; e = e->next)
            if (expression_may_fail(e) && !expression_is_local(e))
                return false;
        return true;
    default:
        return false;
    }
}

/* --- dead variables --- */

struct liveness {
    struct model *model;
    struct proctype *proctype;
    struct automaton *automaton;
    int words;
    bool strong; /* an assignment to what is dead reads nothing */
};

static bool is_tracked(const struct symbol *s)
{
    return s->tracked > 0;
}

static void add_reads(const struct expression *e, uint64_t *set)
{
    if (!e)
        return;
    if (e->kind == EXPRESSION_NAME && e->symbol && is_tracked(e->symbol))
        set[(e->symbol->tracked - 1) / WORD] |= (uint64_t)1
                                                << ((e->symbol->tracked - 1) % WORD);
    add_reads(e->left, set);
    add_reads(e->right, set);
    add_reads(e->third, set);
    for (const struct expression *a = e->list; a; a = a->next)
        add_reads(a, set);
}

static void add_definition(const struct expression *e, uint64_t *reads, uint64_t *writes)
{
    if (e->kind != EXPRESSION_NAME) {
        add_reads(e, reads);
        return;
    }
    if (is_tracked(e->symbol))
        writes[(e->symbol->tracked - 1) / WORD] |= (uint64_t)1
                                                   << ((e->symbol->tracked - 1) % WORD);
    for (const struct expression *part = e; part; part = part->right)
        add_reads(part->left, reads);
}

/* Is what is assigned never read, in states of which `live` is (NULL: not asked)? */
static bool is_faint(const struct statement *s, const uint64_t *live)
{
    const struct expression *t = s->target;
    if (!live || value_has_effect(s->value) || t->kind != EXPRESSION_NAME ||
        expression_may_fail(t))
        return false;
    if (reference_is_unread(t))
        return true;
    int bit = t->symbol->tracked - 1;
    return is_tracked(t->symbol) && !(live[bit / WORD] >> (bit % WORD) & 1);
}

/* `live`: behind the statement, or NULL. */
static void collect_effects(const struct statement *s, const uint64_t *live, uint64_t *reads,
                            uint64_t *writes)
{
    if (!s)
        return;
    switch (s->kind) {
    case STATEMENT_ASSIGN:
        if (is_faint(s, live))
            return;
        add_reads(s->value, reads);
        add_definition(s->target, reads, writes);
        return;
    case STATEMENT_PRINT: /* a search prints nothing */
        for (const struct expression *e = s->list; e; e = e->next)
            if (!live || expression_may_fail(e))
                add_reads(e, reads);
        return;
    case STATEMENT_RECEIVE:
        add_reads(s->target, reads);
        for (const struct expression *e = s->list; e; e = e->next)
            add_definition(e, reads, writes);
        return;
    case STATEMENT_DSTEP:
        return; /* its inner states have them */
    default:
        add_reads(s->target, reads);
        add_reads(s->value, reads);
        for (const struct expression *e = s->list; e; e = e->next)
            add_reads(e, reads);
    }
}

static bool flow_backwards(struct liveness *l, int index)
{
    static const uint64_t none[8];
    struct control_state *state = &l->automaton->states[index];
    bool changed = false;
    for (int k = 0; k < state->count; k++) {
        const struct transition *t = &state->transitions[k];
        uint64_t reads[8] = {0}, writes[8] = {0};
        int target = t->kind == TRANSITION_DSTEP ? t->dstep_start : t->target;
        const uint64_t *behind = target >= 0 ? l->automaton->states[target].live : none;
        if (t->kind == TRANSITION_STATEMENT)
            collect_effects(t->statement, l->strong ? behind : NULL, reads, writes);
        for (int w = 0; w < l->words; w++) {
            uint64_t after = behind[w];
            uint64_t now = state->live[w] | reads[w] | (after & ~writes[w]);
            changed |= now != state->live[w];
            state->live[w] = now;
        }
    }
    return changed;
}

static void find_liveness(struct model *model, struct proctype *p, bool strong)
{
    struct liveness l = {model, p, p->automaton, 0, strong};
    int count = 0;
    for (struct symbol *s = p->locals; s; s = s->next) {
        bool scalar = !s->array && s->type != TYPE_STRUCT && s->type != TYPE_C && !s->channel &&
                      !p->uses_c;
        s->tracked = scalar && !s->shared && count < 8 * WORD ? ++count : 0;
    }
    l.words = (count + WORD - 1) / WORD;
    p->tracked_count = count;
    for (int i = 0; i < l.automaton->count; i++)
        l.automaton->states[i].live =
            source_alloc(&model->source, sizeof(uint64_t) * (size_t)(l.words + 1));
    if (p->provided)
        for (int i = 0; i < l.automaton->count; i++)
            add_reads(p->provided, l.automaton->states[i].live);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = l.automaton->count; i-- > 0;)
            changed |= flow_backwards(&l, i);
    }
}

/* --- merging --- */

static bool may_merge_state(const struct control_state *state)
{
    if (state->count != 1 || state->inside >= 0 || state->labelled || state->end)
        return false;
    const struct transition *t = &state->transitions[0];
    if (t->escape != 0 || t->target < 0)
        return false;
    if (t->kind == TRANSITION_SKIP)
        return true;
    return t->kind == TRANSITION_STATEMENT && statement_is_local(t->statement) &&
           (t->statement->kind != STATEMENT_EXPRESSION ||
            (t->statement->value->kind == EXPRESSION_CONSTANT &&
             t->statement->value->value != 0));
}

static void merge_transition(struct model *model, struct proctype *p, struct transition *t)
{
    const struct automaton *a = p->automaton;
    int seen[MERGE_LIMIT], count = 0, at = t->target;
    if (t->kind == TRANSITION_END || t->kind == TRANSITION_DSTEP || at < 0)
        return;
    struct transition **chain = source_alloc(&model->source, sizeof *chain * MERGE_LIMIT);
    while (count < MERGE_LIMIT && may_merge_state(&a->states[at])) {
        bool again = false;
        for (int i = 0; i < count; i++)
            again |= seen[i] == at;
        if (again)
            break;
        seen[count] = at;
        chain[count++] = &a->states[at].transitions[0];
        at = a->states[at].transitions[0].target;
    }
    t->merged = chain;
    t->merged_count = count;
}

void find_dead_values(struct model *model)
{
    mark_shared_locals(model);
    for (int i = 0; i < model->proctype_count; i++) {
        find_liveness(model, model->proctypes[i], true);
        model->proctypes[i]->tracked_count = 0;
    }
}

static int count_live(const struct proctype *p)
{
    int count = 0;
    for (int i = 0; i < p->automaton->count; i++)
        for (int w = 0; w * WORD < p->tracked_count; w++)
            count += __builtin_popcountll(p->automaton->states[i].live[w]);
    return count;
}

void optimise_model(struct model *model, bool drop, bool merge)
{
    mark_shared_locals(model);
    for (int i = 0; i < model->proctype_count; i++) {
        struct proctype *p = model->proctypes[i];
        find_liveness(model, p, false);
        int live = count_live(p);
        if (drop)
            find_liveness(model, p, true);
        model->drops_unread |= count_live(p) != live;
        if (p->provided || !merge)
            continue; /* a step may make it false for the next one */
        for (int k = 0; k < p->automaton->count; k++)
            if (p->automaton->states[k].inside < 0)
                for (int j = 0; j < p->automaton->states[k].count; j++)
                    merge_transition(model, p, &p->automaton->states[k].transitions[j]);
    }
}
