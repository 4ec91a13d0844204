/* Formula to Büchi automaton, by the tableau of Gerth, Peled, Vardi and Wolper (PSTV'95).
 *
 * A node is a set of formulas that hold from here on; expanding it splits disjunctions and
 * leaves literals (what must hold now) and next-formulas (what must hold in the successor).
 * Sub-formulas are numbered, so that sets are bit masks. Each until yields an acceptance set;
 * a counter turns the sets into one. */
#include <string.h>

#include "promela/automata/automata.h"
#include "promela/automata/ltl.h"
#include "promela/language/lexer.h"

#define FORMULAS 64
#define NODES    4000

typedef uint64_t set;

struct tableau_node {
    set old, next;
    uint32_t *incoming; /* node numbers; NODES: the start */
    int incoming_count;
};

struct tableau {
    struct model *model;
    struct place place;
    struct ltl *formula[FORMULAS]; /* distinct, in negation normal form */
    int formula_count;
    struct tableau_node nodes[NODES];
    int node_count;
    int *next_id;
};

static bool same_formula(const struct ltl *a, const struct ltl *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->op != b->op || a->negated != b->negated)
        return false;
    if (a->op == LTL_ATOM)
        return a->atom == b->atom;
    return same_formula(a->left, b->left) && same_formula(a->right, b->right);
}

static int number_formula(struct tableau *t, struct ltl *f)
{
    for (int i = 0; i < t->formula_count; i++)
        if (same_formula(t->formula[i], f))
            return i;
    if (t->formula_count == FORMULAS)
        source_fail(&t->model->source, t->place, "this formula has more than %d parts",
                    FORMULAS);
    t->formula[t->formula_count] = f;
    return t->formula_count++;
}

static struct ltl *make_formula(struct tableau *t, enum ltl_op op, struct ltl *left,
                                struct ltl *right)
{
    if (op == LTL_AND && (left->op == LTL_FALSE || right->op == LTL_TRUE))
        return left;
    if (op == LTL_AND && (right->op == LTL_FALSE || left->op == LTL_TRUE))
        return right;
    if (op == LTL_OR && (left->op == LTL_TRUE || right->op == LTL_FALSE))
        return left;
    if (op == LTL_OR && (right->op == LTL_TRUE || left->op == LTL_FALSE))
        return right;
    if ((op == LTL_UNTIL || op == LTL_RELEASE) &&
        (right->op == LTL_TRUE || right->op == LTL_FALSE))
        return right;
    struct ltl *result = source_alloc(&t->model->source, sizeof *result);
    *result = (struct ltl){.op = op, .left = left, .right = right};
    return t->formula[number_formula(t, result)];
}

/* Atoms are compared by their text: two places that say the same are one proposition. */
static struct ltl *make_literal(struct tableau *t, const struct ltl *f, bool negated)
{
    const char *text = expression_text(t->model, f->atom);
    for (int i = 0; i < t->formula_count; i++)
        if (t->formula[i]->op == LTL_ATOM && t->formula[i]->negated == negated &&
            strcmp(expression_text(t->model, t->formula[i]->atom), text) == 0)
            return t->formula[i];
    struct ltl *result = source_alloc(&t->model->source, sizeof *result);
    *result = (struct ltl){.op = LTL_ATOM, .negated = negated, .atom = f->atom};
    return t->formula[number_formula(t, result)];
}

static struct ltl *normalise_formula(struct tableau *t, const struct ltl *f, bool negated)
{
    static const enum ltl_op dual[] = {
        [LTL_TRUE] = LTL_FALSE,   [LTL_FALSE] = LTL_TRUE, [LTL_AND] = LTL_OR,
        [LTL_OR] = LTL_AND,       [LTL_NEXT] = LTL_NEXT,  [LTL_UNTIL] = LTL_RELEASE,
        [LTL_RELEASE] = LTL_UNTIL};
    switch (f->op) {
    case LTL_NOT:
        return normalise_formula(t, f->left, !negated);
    case LTL_ATOM:
        return make_literal(t, f, negated);
    case LTL_TRUE:
    case LTL_FALSE:
        return make_formula(t, negated ? dual[f->op] : f->op, NULL, NULL);
    default: {
        struct ltl *left = normalise_formula(t, f->left, negated);
        struct ltl *right = f->right ? normalise_formula(t, f->right, negated) : NULL;
        return make_formula(t, negated ? dual[f->op] : f->op, left, right);
    }
    }
}

static set formula_bit(struct tableau *t, struct ltl *f)
{
    return (set)1 << number_formula(t, f);
}

static void add_incoming(struct tableau *t, struct tableau_node *node, uint32_t from)
{
    for (int i = 0; i < node->incoming_count; i++)
        if (node->incoming[i] == from)
            return;
    node->incoming = source_grow(&t->model->source, node->incoming, node->incoming_count,
                                 sizeof *node->incoming);
    node->incoming[node->incoming_count++] = from;
}

static bool contradicts_set(struct tableau *t, const struct ltl *f, set old)
{
    if (f->op == LTL_FALSE)
        return true;
    if (f->op != LTL_ATOM)
        return false;
    for (int i = 0; i < t->formula_count; i++)
        if ((old >> i & 1) && t->formula[i]->op == LTL_ATOM &&
            t->formula[i]->negated != f->negated &&
            strcmp(expression_text(t->model, t->formula[i]->atom),
                   expression_text(t->model, f->atom)) == 0)
            return true;
    return false;
}

static void expand_node(struct tableau *t, uint32_t from, set todo, set old, set next)
{
    while (todo != 0) {
        int which = __builtin_ctzll(todo);
        struct ltl *f = t->formula[which];
        todo &= todo - 1;
        if (old >> which & 1)
            continue;
        if (contradicts_set(t, f, old))
            return;
        old |= (set)1 << which;
        switch (f->op) {
        case LTL_AND:
            todo |= (formula_bit(t, f->left) | formula_bit(t, f->right)) & ~old;
            break;
        case LTL_NEXT:
            next |= formula_bit(t, f->left);
            break;
        case LTL_OR:
            expand_node(t, from, todo | (formula_bit(t, f->left) & ~old), old, next);
            todo |= formula_bit(t, f->right) & ~old;
            break;
        case LTL_UNTIL: /* right, or left and again */
            expand_node(t, from, todo | (formula_bit(t, f->right) & ~old), old, next);
            todo |= formula_bit(t, f->left) & ~old;
            next |= (set)1 << which;
            break;
        case LTL_RELEASE: /* right and left, or right and again */
            expand_node(t, from,
                        todo | ((formula_bit(t, f->right) | formula_bit(t, f->left)) & ~old),
                        old, next);
            todo |= formula_bit(t, f->right) & ~old;
            next |= (set)1 << which;
            break;
        default:
            break;
        }
    }
    for (int i = 0; i < t->node_count; i++)
        if (t->nodes[i].old == old && t->nodes[i].next == next) {
            add_incoming(t, &t->nodes[i], from);
            return;
        }
    if (t->node_count == NODES)
        source_fail(&t->model->source, t->place, "this formula's automaton is too large");
    uint32_t here = (uint32_t)t->node_count++;
    t->nodes[here] = (struct tableau_node){.old = old, .next = next};
    add_incoming(t, &t->nodes[here], from);
    expand_node(t, here, next, 0, 0);
}

/* What must hold in the state that is read on entering a node. */
static struct statement *make_guard(struct tableau *t, set old)
{
    struct source *source = &t->model->source;
    struct expression *all = NULL;
    for (int i = 0; i < t->formula_count; i++) {
        const struct ltl *f = t->formula[i];
        if (!(old >> i & 1) || f->op != LTL_ATOM)
            continue;
        struct expression *e = f->atom;
        if (f->negated) {
            e = source_alloc(source, sizeof *e);
            *e = (struct expression){
                .kind = EXPRESSION_UNARY, .op = '!', .left = f->atom, .place = f->atom->place};
        }
        if (all) {
            struct expression *both = source_alloc(source, sizeof *both);
            *both = (struct expression){.kind = EXPRESSION_BINARY,
                                        .op = TOKEN_AND,
                                        .left = all,
                                        .right = e,
                                        .place = e->place};
            e = both;
        }
        all = e;
    }
    if (!all) {
        all = source_alloc(source, sizeof *all);
        *all = (struct expression){.kind = EXPRESSION_CONSTANT, .value = 1, .place = t->place};
    }
    struct statement *statement = source_alloc(source, sizeof *statement);
    *statement =
        (struct statement){.kind = STATEMENT_EXPRESSION, .value = all, .place = t->place};
    return statement;
}

static void connect_states(struct tableau *t, struct control_state *state, int target,
                           struct statement *statement)
{
    state->transitions = source_grow(&t->model->source, state->transitions, state->count,
                                     sizeof *state->transitions);
    state->transitions[state->count++] = (struct transition){.kind = TRANSITION_STATEMENT,
                                                             .id = (*t->next_id)++,
                                                             .target = target,
                                                             .statement = statement,
                                                             .place = t->place};
}

/* State 0 is the start; node n in copy c is 1 + n * copies + c. */
static struct automaton *degeneralise_tableau(struct tableau *t)
{
    struct source *source = &t->model->source;
    int untils[FORMULAS], sets = 0;
    for (int i = 0; i < t->formula_count; i++)
        if (t->formula[i]->op == LTL_UNTIL)
            untils[sets++] = i;
    int copies = sets > 0 ? sets : 1;
    struct automaton *a = source_alloc(source, sizeof *a);
    a->count = 1 + t->node_count * copies;
    a->states = source_alloc(source, sizeof *a->states * (size_t)a->count);
    for (int i = 0; i < a->count; i++)
        a->states[i] = (struct control_state){.inside = -1, .place = t->place};
    for (int n = 0; n < t->node_count; n++) {
        struct statement *statement = make_guard(t, t->nodes[n].old);
        for (int i = 0; i < t->nodes[n].incoming_count; i++) {
            uint32_t from = t->nodes[n].incoming[i];
            if (from == NODES) {
                connect_states(t, &a->states[0], 1 + n * copies, statement);
                continue;
            }
            for (int c = 0; c < copies; c++) {
                bool fulfilled = false;
                if (sets > 0) {
                    set old = t->nodes[from].old;
                    fulfilled = !(old >> untils[c] & 1) ||
                                (old & formula_bit(t, t->formula[untils[c]]->right));
                }
                int onward = fulfilled ? (c + 1) % copies : c;
                connect_states(t, &a->states[1 + (int)from * copies + c],
                               1 + n * copies + onward, statement);
            }
        }
        for (int c = 0; c < copies; c++) {
            set old = t->nodes[n].old;
            a->states[1 + n * copies + c].accept =
                sets == 0 || (c == 0 && (!(old >> untils[0] & 1) ||
                                         (old & formula_bit(t, t->formula[untils[0]]->right))));
        }
    }
    return a;
}

/* States with the same acceptance and the same transitions are one: fewer product states. */
static void merge_states(struct automaton *a, int *representative)
{
    for (int i = 0; i < a->count; i++)
        representative[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < a->count; i++) {
            if (representative[i] != i)
                continue;
            for (int k = i + 1; k < a->count; k++) {
                const struct control_state *x = &a->states[i], *y = &a->states[k];
                if (representative[k] != k || x->accept != y->accept || x->count != y->count)
                    continue;
                bool equal = true;
                for (int j = 0; j < x->count && equal; j++)
                    equal = x->transitions[j].target == y->transitions[j].target &&
                            x->transitions[j].statement == y->transitions[j].statement;
                if (!equal)
                    continue;
                representative[k] = i;
                changed = true;
            }
        }
        for (int i = 0; i < a->count; i++)
            for (int j = 0; j < a->states[i].count; j++)
                a->states[i].transitions[j].target =
                    representative[a->states[i].transitions[j].target];
    }
}

static bool is_true(const struct expression *e)
{
    return e->kind == EXPRESSION_CONSTANT && e->value != 0;
}

/* A state from which every run is accepted is where the claim ends: what led there is wrong
 * already, and no cycle has to be found for it. */
static void mark_ends(struct automaton *a)
{
    for (int i = 0; i < a->count; i++) {
        struct control_state *state = &a->states[i];
        for (int k = 0; k < state->count && state->accept && !state->end; k++)
            state->end = state->transitions[k].target == i &&
                         is_true(state->transitions[k].statement->value);
        if (state->end)
            state->count = 0;
    }
}

static struct proctype *claim_of(struct model *model, const char *name, struct place place,
                                 struct automaton *automaton)
{
    struct proctype *claim = source_alloc(&model->source, sizeof *claim);
    *claim = (struct proctype){
        .name = name, .place = place, .claim = true, .automaton = automaton, .priority = 1};
    claim->locals_tail = &claim->locals;
    return claim;
}

/* Each once, in the order of the formula, negated or not. */
static void list_parts(struct tableau *t, struct proctype *claim)
{
    claim->parts = source_alloc(&t->model->source, FORMULAS * sizeof *claim->parts);
    for (int i = 0; i < t->formula_count; i++) {
        const struct ltl *f = t->formula[i];
        bool known = f->op != LTL_ATOM || f->atom->kind == EXPRESSION_CONSTANT;
        for (int k = 0; k < i && !known; k++)
            known = t->formula[k]->op == LTL_ATOM &&
                    strcmp(expression_text(t->model, t->formula[k]->atom),
                           expression_text(t->model, f->atom)) == 0;
        if (!known)
            claim->parts[claim->part_count++] = f->atom;
    }
}

struct proctype *ltl_claim(struct model *model, const struct formula *formula, int *next_id)
{
    struct tableau *t = source_alloc(&model->source, sizeof *t);
    t->model = model;
    t->place = formula->place;
    t->next_id = next_id;
    struct ltl *negated = normalise_formula(t, formula->tree, true);
    expand_node(t, NODES, formula_bit(t, negated), 0, 0);
    struct automaton *automaton = degeneralise_tableau(t);
    int *representative = source_alloc(&model->source, sizeof(int) * (size_t)automaton->count);
    merge_states(automaton, representative);
    mark_ends(automaton);
    if (automaton->count > 65535)
        source_fail(&model->source, formula->place, "this formula's automaton is too large");
    struct proctype *claim = claim_of(model, formula->name, formula->place, automaton);
    list_parts(t, claim);
    return claim;
}

struct proctype *progress_claim(struct model *model, int *next_id)
{
    struct source *source = &model->source;
    struct tableau *t = source_alloc(source, sizeof *t);
    t->model = model;
    t->next_id = next_id;
    struct automaton *a = source_alloc(source, sizeof *a);
    a->count = 2;
    a->states = source_alloc(source, 2 * sizeof *a->states);
    a->states[0] = (struct control_state){.inside = -1};
    a->states[1] = (struct control_state){.inside = -1, .accept = true};
    struct expression *stuck = source_alloc(source, sizeof *stuck);
    stuck->kind = EXPRESSION_PROGRESS;
    struct statement *no_progress = source_alloc(source, sizeof *no_progress);
    *no_progress = (struct statement){.kind = STATEMENT_EXPRESSION, .value = stuck};
    connect_states(t, &a->states[0], 0, make_guard(t, 0));
    connect_states(t, &a->states[0], 1, no_progress);
    connect_states(t, &a->states[1], 1, no_progress);
    struct proctype *claim = claim_of(
        model, "progress", (struct place){.file = model->file, .line = 1, .column = 1}, a);
    claim->progress_claim = true;
    return claim;
}
