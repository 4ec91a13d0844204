/* What is read is found as a least fixed point: an assignment reads its right side only if its
 * target is read. See unread.h. */
#include "promela/automata/unread.h"

#include "promela/automata/automata.h"
#include "promela/automata/optimise.h"
#include "promela/language/lexer.h"

struct reader {
    struct model *model;
    bool changed;
};

struct symbol *leaf_symbol(struct symbol *symbol, int index)
{
    if (symbol->type != TYPE_STRUCT)
        return symbol;
    for (int i = 0; i < symbol->structure->field_count; i++) {
        struct symbol *field = symbol->structure->fields[i];
        int leaves = symbol_leaves(field);
        if (index < leaves * field->length)
            return leaf_symbol(field, index % leaves);
        index -= leaves * field->length;
    }
    return symbol;
}

bool value_has_effect(const struct expression *value)
{
    return expression_may_fail(value) || expression_has_run(value);
}

/* --- marks --- */

static void mark_flag(struct reader *r, bool *flag)
{
    r->changed |= !*flag;
    *flag = true;
}

static void mark_all_leaves(struct reader *r, struct symbol *symbol)
{
    for (int i = 0; i < symbol_leaves(symbol); i++)
        mark_flag(r, &leaf_symbol(symbol, i)->is_read);
}

static void read_expression(struct reader *r, const struct expression *e);

static void read_indices(struct reader *r, const struct expression *name)
{
    for (const struct expression *part = name; part; part = part->right)
        read_expression(r, part->left);
}

static void read_name(struct reader *r, const struct expression *e)
{
    read_indices(r, e);
    if (e->symbol->element_read && e->left)
        mark_flag(r, &e->symbol->element_read[e->left->value]);
    else
        mark_all_leaves(r, symbol_named(e));
}

static bool is_name_read(const struct expression *e, int leaf)
{
    if (e->symbol->element_read && e->left)
        return e->symbol->element_read[e->left->value];
    return leaf_symbol(symbol_named(e), leaf)->is_read;
}

/* A channel whose type is known only at run time may be any of them. */
static bool is_field_read(const struct reader *r, const struct channel_type *type, int field)
{
    if (type)
        return field < type->field_count && type->field_read[field];
    for (int i = 0; i < r->model->channel_type_count; i++)
        if (is_field_read(r, r->model->channel_types[i], field))
            return true;
    return false;
}

static void mark_field(struct reader *r, const struct channel_type *type, int field)
{
    if (type && field < type->field_count)
        mark_flag(r, &type->field_read[field]);
    for (int i = 0; !type && i < r->model->channel_type_count; i++)
        mark_field(r, r->model->channel_types[i], field);
}

/* --- expressions --- */

static void read_list(struct reader *r, const struct expression *list)
{
    for (const struct expression *e = list; e; e = e->next)
        read_expression(r, e);
}

/* Values that go to places of which some are read: message fields or parameters. */
typedef bool is_place_read(const struct reader *r, const void *places, int number);

static void read_values(struct reader *r, const struct expression *list, is_place_read *is_read,
                        const void *places)
{
    int number = 0;
    for (const struct expression *e = list; e; e = e->next) {
        bool name = e->kind == EXPRESSION_NAME;
        int leaves = name ? symbol_leaves(symbol_named(e)) : 1;
        for (int i = 0; i < leaves; i++, number++) {
            if (!is_read(r, places, number))
                continue;
            if (leaves > 1)
                mark_flag(r, &leaf_symbol(symbol_named(e), i)->is_read);
            else
                read_expression(r, e);
            read_indices(r, name ? e : NULL);
        }
        if (value_has_effect(e))
            read_expression(r, e);
    }
}

static bool is_parameter_read(const struct reader *r, const void *places, int number)
{
    const struct proctype *p = places;
    (void)r;
    for (struct symbol *s = p->locals; s && s->parameter; s = s->next) {
        if (number < symbol_leaves(s))
            return leaf_symbol(s, number)->is_read;
        number -= symbol_leaves(s);
    }
    return true;
}

static bool is_message_read(const struct reader *r, const void *places, int number)
{
    return is_field_read(r, places, number);
}

/* The fields that a receive or a poll compares. */
static void read_pattern(struct reader *r, const struct expression *channel,
                         const struct expression *list)
{
    int field = 0;
    for (const struct expression *e = list; e; e = e->next) {
        if (e->kind == EXPRESSION_NAME) {
            field += symbol_leaves(symbol_named(e));
            continue;
        }
        if (e->kind != EXPRESSION_WILDCARD) {
            mark_field(r, channel_static_type(channel), field);
            read_expression(r, e);
        }
        field++;
    }
}

static void read_expression(struct reader *r, const struct expression *e)
{
    if (!e)
        return;
    switch (e->kind) {
    case EXPRESSION_NAME:
        read_name(r, e);
        return;
    case EXPRESSION_RUN:
        read_values(r, e->list, is_parameter_read, e->symbol->proctype);
        read_expression(r, e->third);
        return;
    case EXPRESSION_POLL:
        read_expression(r, e->left);
        read_pattern(r, e->left, e->list);
        return;
    case EXPRESSION_REMOTE_VARIABLE:
        read_expression(r, e->left);
        read_name(r, e->right);
        return;
    default:
        read_expression(r, e->left);
        read_expression(r, e->right);
        read_expression(r, e->third);
        read_list(r, e->list);
    }
}

/* If nothing reads a value, only what can make its computation fail is read: indices and
 * divisors. */
static void read_effects(struct reader *r, const struct expression *e)
{
    if (!e || !value_has_effect(e))
        return;
    switch (e->kind) {
    case EXPRESSION_NAME:
        read_indices(r, e);
        return;
    case EXPRESSION_UNARY:
        read_effects(r, e->left);
        return;
    case EXPRESSION_BINARY:
        if (e->op == TOKEN_AND || e->op == TOKEN_OR) {
            if (value_has_effect(e->right)) /* is it computed? */
                read_expression(r, e->left);
        } else if (e->op == '/' || e->op == '%') {
            read_expression(r, e->right);
        }
        read_effects(r, e->left);
        read_effects(r, e->right);
        return;
    default:
        read_expression(r, e);
    }
}

/* --- statements --- */

static void visit_assignment(struct reader *r, const struct statement *s)
{
    bool named = s->target->kind == EXPRESSION_NAME;
    bool kept = named && is_name_read(s->target, 0);
    if (named && (kept || expression_may_fail(s->target)))
        read_indices(r, s->target);
    if (kept)
        read_expression(r, s->value);
    else
        read_effects(r, s->value);
}

static void visit_receive(struct reader *r, const struct statement *s)
{
    const struct channel_type *type = channel_static_type(s->target);
    int field = 0;
    read_expression(r, s->target);
    read_pattern(r, s->target, s->list);
    for (const struct expression *e = s->list; e; e = e->next) {
        if (e->kind != EXPRESSION_NAME) {
            field++;
            continue;
        }
        for (int i = 0; i < symbol_leaves(symbol_named(e)); i++, field++)
            if (is_name_read(e, i)) {
                mark_field(r, type, field);
                read_indices(r, e);
            }
        if (expression_may_fail(e))
            read_indices(r, e);
    }
}

static void visit_send(struct reader *r, const struct statement *s)
{
    const struct channel_type *type = channel_static_type(s->target);
    read_expression(r, s->target);
    for (int i = 0; s->sorted && i < list_leaves(s->list); i++)
        mark_field(r, type, i); /* it compares */
    read_values(r, s->list, is_message_read, type);
}

static void visit_statement(struct reader *r, const struct statement *s)
{
    switch (s->kind) {
    case STATEMENT_ASSIGN:
        visit_assignment(r, s);
        return;
    case STATEMENT_RECEIVE:
        visit_receive(r, s);
        return;
    case STATEMENT_SEND:
        visit_send(r, s);
        return;
    case STATEMENT_PRINT:
        for (const struct expression *e = s->list; e; e = e->next)
            read_effects(r, e);
        return;
    case STATEMENT_DSTEP:
        return; /* its inner states have what it does */
    default:
        read_expression(r, s->target);
        read_expression(r, s->value);
        read_list(r, s->list);
    }
}

typedef void visit(struct reader *r, const struct statement *s);

static void visit_automaton(struct reader *r, const struct automaton *a, visit *each)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->states[i].count; k++)
            if (a->states[i].transitions[k].statement)
                each(r, a->states[i].transitions[k].statement);
}

static void visit_initialisers(struct reader *r, const struct symbol *first)
{
    for (const struct symbol *s = first; s; s = s->next) {
        bool any = s->is_read;
        for (int i = 0; s->element_read && i < s->length; i++)
            any |= s->element_read[i];
        if (s->kind == SYMBOL_STRUCTURE)
            for (int i = 0; i < s->structure->field_count; i++)
                read_list(r, s->structure->fields[i]->init);
        else if (s->kind == SYMBOL_VARIABLE)
            for (const struct expression *e = s->init; e; e = e->next)
                if (any || s->type == TYPE_STRUCT || value_has_effect(e))
                    read_expression(r, e);
    }
}

/* --- arrays whose elements can be told apart --- */

static void note_dynamic_list(const struct expression *list);

static void note_dynamic(const struct expression *e)
{
    if (!e)
        return;
    for (const struct expression *part = e; e->kind == EXPRESSION_NAME && part;
         part = part->right)
        if (part->left && !index_is_inside(part))
            part->symbol->element_read = NULL;
    note_dynamic(e->left);
    note_dynamic(e->right);
    note_dynamic(e->third);
    note_dynamic_list(e->list);
}

static void note_dynamic_list(const struct expression *list)
{
    for (const struct expression *e = list; e; e = e->next)
        note_dynamic(e);
}

static void note_dynamic_statement(struct reader *r, const struct statement *s)
{
    (void)r;
    note_dynamic(s->target);
    note_dynamic(s->value);
    note_dynamic_list(s->list);
}

/* --- the whole --- */

typedef void each_symbol(struct model *model, struct symbol *symbol, bool flag);

static void for_symbols(struct model *model, each_symbol *each, bool flag)
{
    for (struct symbol *s = model->globals; s; s = s->next) {
        for (int i = 0; s->kind == SYMBOL_STRUCTURE && i < s->structure->field_count; i++)
            each(model, s->structure->fields[i], flag);
        each(model, s, flag);
    }
    for (int i = 0; i < model->proctype_count; i++)
        for (struct symbol *s = model->proctypes[i]->locals; s; s = s->next)
            each(model, s, flag);
}

/* Only a variable's own elements have marks: those of a member are in every variable of its
 * type. */
static void forget_symbol(struct model *model, struct symbol *s, bool flag)
{
    (void)flag;
    s->is_read = s->type == TYPE_C;
    s->dropped = s->drops_elements = false;
    s->element_read = NULL;
    if (s->kind == SYMBOL_VARIABLE && s->array && s->type != TYPE_STRUCT && !s->channel)
        s->element_read = source_alloc(&model->source, (size_t)s->length);
}

static void forget_members(struct model *model, struct symbol *s, bool flag)
{
    (void)model;
    (void)flag;
    for (int i = 0; s->kind == SYMBOL_STRUCTURE && i < s->structure->field_count; i++)
        s->structure->fields[i]->element_read = NULL;
}

static void read_symbol(struct model *model, struct symbol *s, bool flag)
{
    (void)model;
    (void)flag;
    s->is_read = true;
    s->element_read = NULL;
}

static void conclude_symbol(struct model *model, struct symbol *s, bool drop)
{
    bool any = s->is_read || s->kind != SYMBOL_VARIABLE || s->type == TYPE_STRUCT || s->channel;
    for (int i = 0; s->element_read && i < s->length; i++) {
        any |= s->element_read[i];
        model->has_unread |= !s->element_read[i];
    }
    s->is_read = any;
    s->dropped = drop && !any;
    s->drops_elements = drop && s->element_read;
    model->has_unread |= !any;
}

static void forget_channels(struct model *model, bool read)
{
    for (int i = 0; i < model->channel_type_count; i++) {
        struct channel_type *type = model->channel_types[i];
        size_t room = (size_t)type->field_count + 1;
        type->field_read = source_alloc(&model->source, room);
        type->field_dropped = source_alloc(&model->source, room);
        for (int f = 0; f < type->field_count; f++)
            type->field_read[f] = read;
    }
}

static void conclude_channels(struct model *model, bool drop)
{
    for (int i = 0; i < model->channel_type_count; i++)
        for (int f = 0; f < model->channel_types[i]->field_count; f++) {
            struct channel_type *type = model->channel_types[i];
            type->field_dropped[f] = drop && !type->field_read[f];
            model->has_unread |= !type->field_read[f];
        }
}

static void visit_model(struct reader *r, visit *each)
{
    const struct model *model = r->model;
    for (int i = 0; i < model->proctype_count; i++)
        visit_automaton(r, model->proctypes[i]->automaton, each);
    if (model->claim)
        visit_automaton(r, model->claim->automaton, each);
    if (model->trace)
        visit_automaton(r, model->trace->automaton, each);
}

static void note_dynamic_initialisers(struct reader *r)
{
    const struct model *model = r->model;
    for (const struct symbol *s = model->globals; s; s = s->next)
        note_dynamic_list(s->init);
    for (int i = 0; i < model->proctype_count; i++) {
        note_dynamic(model->proctypes[i]->provided);
        for (const struct symbol *s = model->proctypes[i]->locals; s; s = s->next)
            note_dynamic_list(s->init);
    }
    for (const struct symbol *s = model->claim ? model->claim->locals : NULL; s; s = s->next)
        note_dynamic_list(s->init);
}

static void find_read(struct reader *r)
{
    const struct model *model = r->model;
    visit_model(r, visit_statement);
    visit_initialisers(r, model->globals);
    for (int i = 0; i < model->proctype_count; i++) {
        visit_initialisers(r, model->proctypes[i]->locals);
        read_expression(r, model->proctypes[i]->provided);
    }
    for (struct symbol *s = model->claim ? model->claim->locals : NULL; s; s = s->next)
        read_list(r, s->init);
}

static void mark_claim_locals(const struct model *model)
{
    for (struct symbol *s = model->claim ? model->claim->locals : NULL; s; s = s->next) {
        s->is_read = true;
        s->dropped = false;
        s->element_read = NULL;
    }
}

void unread_find(struct model *model, bool drop)
{
    struct reader r = {.model = model};
    model->has_unread = model->drops_unread = false;
    for_symbols(model, forget_symbol, false);
    for_symbols(model, forget_members, false);
    forget_channels(model, model->uses_c || model->trace);
    mark_claim_locals(model);
    visit_model(&r, note_dynamic_statement);
    note_dynamic_initialisers(&r);
    if (model->uses_c) /* it may read anything */
        for_symbols(model, read_symbol, false);
    do {
        r.changed = false;
        find_read(&r);
    } while (r.changed);
    for_symbols(model, conclude_symbol, drop);
    conclude_channels(model, drop);
    model->drops_unread = drop && model->has_unread;
}

bool element_is_unread(const struct symbol *s, int element)
{
    return s->element_read ? !s->element_read[element] : !s->is_read;
}

bool reference_is_unread(const struct expression *name)
{
    bool element = !name->right && name->left && name->symbol->element_read;
    return element ? element_is_unread(name->symbol, name->left->value)
                   : !symbol_named(name)->is_read;
}

bool element_is_dropped(const struct symbol *s, int element)
{
    return s->dropped || (s->drops_elements && !s->element_read[element]);
}

bool reference_is_dropped(const struct expression *name)
{
    if (name->kind != EXPRESSION_NAME)
        return false;
    const struct symbol *s = symbol_named(name);
    return !name->right && name->left && s->element_read
               ? element_is_dropped(s, name->left->value)
               : s->dropped;
}
