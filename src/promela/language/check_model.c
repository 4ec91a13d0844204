/* What the grammar alone can't say: remote references, arities, what may stand where; and
 * which channel variables are constant, so that generated code can address them directly. */
#include <string.h>

#include "promela/language/formula.h"
#include "promela/language/lexer.h"
#include "promela/language/parser.h"

struct checker {
    struct model *model;
    struct source *source;
    struct proctype *proctype; /* whose text this is; NULL for globals */
    bool in_claim;
};

bool expression_has_run(const struct expression *e)
{
    return e && (e->kind == EXPRESSION_RUN || expression_has_run(e->left) ||
                 expression_has_run(e->right) || expression_has_run(e->third));
}

bool label_is_special(const struct label *l)
{
    return strncmp(l->name, "end", 3) == 0 || strncmp(l->name, "accept", 6) == 0 ||
           strncmp(l->name, "progress", 8) == 0;
}

static int binary_constant(struct model *model, const struct expression *e, int a, int b)
{
    unsigned ua = (unsigned)a, ub = (unsigned)b;
    switch (e->op) {
    case '+':
        return (int)(ua + ub);
    case '-':
        return (int)(ua - ub);
    case '*':
        return (int)(ua * ub);
    case '/':
    case '%':
        if (b == 0)
            source_fail(&model->source, e->place, "division by zero");
        if (b == -1)
            return e->op == '/' ? (int)(0u - ua) : 0;
        return e->op == '/' ? a / b : a % b;
    case '&':
        return a & b;
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case TOKEN_SHIFT_LEFT:
        return (int)(ua << (ub & 31));
    case TOKEN_SHIFT_RIGHT:
        return a >> (ub & 31);
    case TOKEN_EQ:
        return a == b;
    case TOKEN_NE:
        return a != b;
    case '<':
        return a < b;
    case '>':
        return a > b;
    case TOKEN_LE:
        return a <= b;
    case TOKEN_GE:
        return a >= b;
    case TOKEN_AND:
        return a && b;
    case TOKEN_OR:
        return a || b;
    }
    source_fail(&model->source, e->place, "expected a constant");
}

int expression_constant(struct model *model, const struct expression *e)
{
    int value;
    switch (e->kind) {
    case EXPRESSION_CONSTANT:
        return e->value;
    case EXPRESSION_UNARY:
        value = expression_constant(model, e->left);
        return e->op == TOKEN_NEGATE ? (int)(0u - (unsigned)value)
               : e->op == '!'        ? !value
                                     : ~value;
    case EXPRESSION_CONDITION:
        return expression_constant(model,
                                   expression_constant(model, e->left) ? e->right : e->third);
    case EXPRESSION_BINARY:
        value = expression_constant(model, e->left); /* the left one is refused first */
        return binary_constant(model, e, value, expression_constant(model, e->right));
    default:
        source_fail(&model->source, e->place, "expected a constant");
    }
}

static void check_expression(struct checker *checker, struct expression *e);

static void check_list(struct checker *checker, struct expression *list)
{
    for (struct expression *e = list; e; e = e->next)
        check_expression(checker, e);
}

static void check_poll_list(struct checker *checker, struct expression *list)
{
    for (struct expression *e = list; e; e = e->next)
        if (e->kind != EXPRESSION_WILDCARD)
            check_expression(checker, e);
}

struct symbol *symbol_named(const struct expression *name)
{
    while (name->right)
        name = name->right;
    return name->symbol;
}

const struct channel_type *channel_static_type(const struct expression *channel)
{
    const struct symbol *symbol = symbol_named(channel);
    return symbol->channel && !symbol->assigned ? symbol->channel : NULL;
}

int symbol_leaves(const struct symbol *symbol)
{
    if (symbol->type != TYPE_STRUCT)
        return 1;
    int count = 0;
    for (int i = 0; i < symbol->structure->field_count; i++)
        count +=
            symbol_leaves(symbol->structure->fields[i]) * symbol->structure->fields[i]->length;
    return count;
}

static int most_channels(long count)
{
    return count > MOST_PROCESSES ? MOST_PROCESSES + 1 : (int)count;
}

static int channels_of(const struct symbol *symbol)
{
    long count = symbol->channel != NULL;
    if (symbol->type == TYPE_STRUCT)
        for (int i = 0; i < symbol->structure->field_count; i++)
            count += channels_of(symbol->structure->fields[i]);
    return most_channels(count * symbol->length);
}

int channels_made(const struct symbol *list)
{
    int count = 0;
    for (const struct symbol *s = list; s; s = s->next)
        if (s->kind == SYMBOL_VARIABLE && !s->parameter)
            count = most_channels((long)count + channels_of(s));
    return count;
}

/* Of a message or of the arguments of `run`, structures flattened. */
int list_leaves(const struct expression *list)
{
    int count = 0;
    for (const struct expression *e = list; e; e = e->next)
        count += e->kind == EXPRESSION_NAME ? symbol_leaves(symbol_named(e)) : 1;
    return count;
}

int parameter_leaves(const struct proctype *proctype)
{
    int count = 0;
    for (const struct symbol *s = proctype->locals; s && s->parameter; s = s->next)
        count += symbol_leaves(s);
    return count;
}

bool index_is_inside(const struct expression *part)
{
    return part->left->kind == EXPRESSION_CONSTANT && part->left->value >= 0 &&
           part->left->value < part->symbol->length;
}

static void check_name(struct checker *checker, struct expression *e)
{
    for (struct expression *part = e; part; part = part->right) {
        if (part->left) {
            if (!part->symbol->array)
                source_fail(checker->source, part->place, "'%s' is not an array",
                            part->symbol->name);
            check_expression(checker, part->left);
            if (part->left->kind == EXPRESSION_CONSTANT && !index_is_inside(part))
                source_warn(checker->source, part->left->place,
                            "index %d is outside '%s[%d]': executing this is a failure",
                            part->left->value, part->symbol->name, part->symbol->length);
        } else if (part->symbol->array) {
            source_warn(checker->source, part->place,
                        "'%s' is an array: an index is missing, element 0 is taken",
                        part->symbol->name);
            part->left = source_alloc(checker->source, sizeof *part->left);
            *part->left =
                (struct expression){.kind = EXPRESSION_CONSTANT, .place = part->place};
        }
    }
}

static void resolve_remote(struct checker *checker, struct expression *e)
{
    struct proctype *target = e->symbol->proctype;
    if (e->left)
        check_expression(checker, e->left);
    if (!target->body)
        source_fail(checker->source, e->place, "proctype '%s' has no body", target->name);
    if (e->kind == EXPRESSION_REMOTE_LABEL) {
        for (struct label *l = target->labels; l; l = l->next)
            if (strcmp(l->name, e->text) == 0) {
                l->remote = true;
                return;
            }
        source_fail(checker->source, e->place, "proctype '%s' has no label '%s'", target->name,
                    e->text);
    }
    for (struct symbol *s = target->locals; s; s = s->next)
        if (strcmp(s->name, e->text) == 0) {
            e->right->symbol = s;
            check_name(checker, e->right);
            if (s->type == TYPE_STRUCT)
                source_fail(checker->source, e->place,
                            "a remote reference to a structure is not supported");
            return;
        }
    source_fail(checker->source, e->place, "proctype '%s' has no local variable '%s'",
                target->name, e->text);
}

static void check_run(struct checker *checker, struct expression *e)
{
    struct proctype *target = e->symbol->proctype;
    if (!target->body)
        source_fail(checker->source, e->place, "proctype '%s' has no body", target->name);
    if (!checker->proctype || checker->in_claim)
        source_fail(checker->source, e->place, "'run' is not allowed here");
    check_list(checker, e->list);
    int count = list_leaves(e->list), wanted = parameter_leaves(target);
    if (count != wanted)
        source_fail(checker->source, e->place, "proctype '%s' takes %d argument%s%s, not %d",
                    target->name, wanted, wanted == 1 ? "" : "s",
                    wanted == target->parameter_count ? ""
                                                      : " (each member of a structure is one)",
                    count);
    if (e->third)
        check_expression(checker, e->third);
}

static void need_channel(struct checker *checker, const struct expression *channel)
{
    if (channel->kind != EXPRESSION_NAME || symbol_named(channel)->type != TYPE_CHAN)
        source_fail(checker->source, channel->place, "expected a channel%s%s%s",
                    channel->kind == EXPRESSION_NAME ? ": '" : "",
                    channel->kind == EXPRESSION_NAME ? symbol_named(channel)->name : "",
                    channel->kind == EXPRESSION_NAME ? "' is none" : "");
}

/* A receive may name fewer fields than a message has; a send that does so, and a receive that
 * names more, is a failure where it happens, as in Spin. */
static void check_arity(struct checker *checker, const struct expression *channel,
                        const struct expression *list, bool send)
{
    const struct channel_type *type = symbol_named(channel)->channel;
    int length = list_leaves(list);
    bool event = checker->proctype && checker->proctype->trace;
    if (type && !symbol_named(channel)->assigned &&
        (event && send ? length != type->field_count
                       : (event || send) && length > type->field_count))
        source_fail(checker->source, channel->place, "a message of '%s' has %d field%s, not %d",
                    symbol_named(channel)->name, type->field_count,
                    type->field_count == 1 ? "" : "s", length);
    if (type && length != type->field_count)
        source_warn(checker->source, channel->place,
                    "a message of '%s' has %d field%s, not %d: %s", symbol_named(channel)->name,
                    type->field_count, type->field_count == 1 ? "" : "s", length,
                    length > type->field_count ? "this is a failure where it is executed"
                    : send                     ? "sending it is a failure"
                                               : "the other fields are discarded");
}

static void check_expression(struct checker *checker, struct expression *e)
{
    switch (e->kind) {
    case EXPRESSION_NAME:
        check_name(checker, e);
        return;
    case EXPRESSION_REMOTE_LABEL:
    case EXPRESSION_REMOTE_VARIABLE:
        resolve_remote(checker, e);
        return;
    case EXPRESSION_RUN:
        check_run(checker, e);
        return;
    case EXPRESSION_POLL:
        need_channel(checker, e->left);
        check_name(checker, e->left);
        check_poll_list(checker, e->list);
        check_arity(checker, e->left, e->list, false);
        return;
    case EXPRESSION_CALL:
        if (e->op == TOKEN_ENABLED || e->op == TOKEN_PC_VALUE) {
            check_expression(checker, e->left);
            return;
        }
        need_channel(checker, e->left);
        check_name(checker, e->left);
        return;
    case EXPRESSION_PROGRESS:
        if (!checker->in_claim)
            source_fail(checker->source, e->place, "np_ is allowed only in a never claim");
        return;
    case EXPRESSION_PID:
    case EXPRESSION_PRIORITY:
        if (e->left)
            check_expression(checker, e->left);
        else if (!checker->proctype || checker->in_claim)
            source_fail(checker->source, e->place, "_pid and _priority belong to a process");
        return;
    case EXPRESSION_C:
        return;
    case EXPRESSION_WILDCARD:
        source_fail(checker->source, e->place, "'_' has no value");
    default:
        break;
    }
    if (e->left)
        check_expression(checker, e->left);
    if (e->right)
        check_expression(checker, e->right);
    if (e->third)
        check_expression(checker, e->third);
}

static void check_target(struct checker *checker, struct expression *target)
{
    if (target->kind == EXPRESSION_WILDCARD)
        return;
    check_expression(checker, target);
    if (target->kind != EXPRESSION_NAME || !symbol_named(target))
        source_fail(checker->source, target->place, "expected a variable to assign to");
}

static void check_receive(struct checker *checker, struct statement *s)
{
    need_channel(checker, s->target);
    check_name(checker, s->target);
    for (struct expression *e = s->list; e; e = e->next) {
        if (e->kind == EXPRESSION_WILDCARD || e->kind == EXPRESSION_CONSTANT)
            continue;
        if (e->kind == EXPRESSION_EVAL || e->kind == EXPRESSION_UNARY ||
            e->kind == EXPRESSION_PID)
            check_expression(checker, e->kind == EXPRESSION_EVAL ? e->left : e);
        else
            check_target(checker, e);
    }
    check_arity(checker, s->target, s->list, false);
}

/* A never claim may assign to its own variables only. */
static bool changes_system(const struct checker *checker, const struct statement *s)
{
    if (s->kind == STATEMENT_ASSIGN)
        return s->target->kind != EXPRESSION_NAME ||
               s->target->symbol->owner != checker->proctype;
    return s->kind == STATEMENT_SEND || s->kind == STATEMENT_RECEIVE ||
           s->kind == STATEMENT_C || s->kind == STATEMENT_SET_PRIORITY;
}

static void check_event(struct checker *checker, struct statement *s);

/* Bits of a variable whose values wrap silently; 0: none of those. */
static int narrow_bits(const struct symbol *symbol)
{
    switch (symbol->type) {
    case TYPE_BIT:
    case TYPE_BOOL:
        return 1;
    case TYPE_BYTE:
    case TYPE_PID:
        return 8;
    case TYPE_SHORT:
        return 16;
    case TYPE_UNSIGNED:
        return symbol->bits < 32 ? symbol->bits : 0;
    default:
        return 0;
    }
}

/* A constant that is cut off; -1 stands for all bits and is meant so. */
static void check_fits(struct checker *checker, const struct symbol *symbol,
                       const struct expression *value)
{
    int bits = narrow_bits(symbol);
    if (bits == 0 || !value || value->kind != EXPRESSION_CONSTANT || value->value < 0 ||
        value->value >> (symbol->type == TYPE_SHORT ? 15 : bits) == 0)
        return;
    int kept = value->value & ((1 << bits) - 1);
    if (symbol->type == TYPE_SHORT)
        kept = (int16_t)kept;
    source_warn(checker->source, value->place,
                "%d does not fit in '%s' (%d bit%s): it is %d there", value->value,
                symbol->name, bits, bits == 1 ? "" : "s", kept);
}

/* What a format asks for, and what is given. */
static void check_format(struct checker *checker, const struct statement *s)
{
    int wanted = 0, given = 0;
    for (const char *at = s->text; (at = strchr(at, '%')); at++) {
        at++;
        if (*at == '\0')
            break;
        wanted += *at != '%';
    }
    for (const struct expression *e = s->list; e; e = e->next)
        given++;
    if (wanted != given)
        source_warn(checker->source, s->place, "the format asks for %d value%s, %d given",
                    wanted, wanted == 1 ? "" : "s", given);
}

static void check_statement(struct checker *checker, struct statement *s)
{
    if (checker->proctype && checker->proctype->trace) {
        check_event(checker, s);
        return;
    }
    if (checker->in_claim && changes_system(checker, s))
        source_fail(checker->source, s->place, "a never claim must not change the state");
    switch (s->kind) {
    case STATEMENT_ASSIGN:
        check_target(checker, s->target);
        if (s->target->kind == EXPRESSION_WILDCARD) {
            source_warn(checker->source, s->place, "'_' keeps no value: this one is lost");
            check_expression(checker, s->value);
            return;
        }
        if (symbol_named(s->target)->type == TYPE_STRUCT)
            source_fail(checker->source, s->place, "a structure is assigned member by member");
        check_expression(checker, s->value);
        check_fits(checker, symbol_named(s->target), s->value);
        return;
    case STATEMENT_SEND:
        need_channel(checker, s->target);
        check_name(checker, s->target);
        check_list(checker, s->list);
        check_arity(checker, s->target, s->list, true);
        return;
    case STATEMENT_RECEIVE:
        check_receive(checker, s);
        return;
    case STATEMENT_SET_PRIORITY:
        check_expression(checker, s->target);
        check_expression(checker, s->value);
        return;
    case STATEMENT_PRINT:
        for (const struct expression *e = s->list; e; e = e->next)
            if (expression_has_run(e))
                source_fail(checker->source, e->place, "'run' as an argument of printf");
        check_format(checker, s);
        break;
    default:
        break;
    }
    if (s->value)
        check_expression(checker, s->value);
    check_list(checker, s->list);
    for (struct sequence *option = s->options; option; option = option->next)
        for (struct statement *inner = option->first; inner; inner = inner->next)
            check_statement(checker, inner);
}

/* The body of a trace assertion: events on global channels, and the flow between them. */
static void check_event(struct checker *checker, struct statement *s)
{
    switch (s->kind) {
    case STATEMENT_SEND:
    case STATEMENT_RECEIVE:
        need_channel(checker, s->target);
        check_name(checker, s->target);
        check_poll_list(checker, s->list);
        check_arity(checker, s->target, s->list, s->kind == STATEMENT_SEND);
        return;
    case STATEMENT_GOTO:
    case STATEMENT_BREAK:
        return;
    case STATEMENT_IF:
    case STATEMENT_DO:
    case STATEMENT_ATOMIC:
    case STATEMENT_BLOCK:
        for (struct sequence *option = s->options; option; option = option->next)
            for (struct statement *inner = option->first; inner; inner = inner->next)
                check_event(checker, inner);
        return;
    default:
        source_fail(checker->source, s->place,
                    "expected a send or receive: a trace assertion is made of events");
    }
}

/* Which channel variables change after their initialisation? Must be known before arities. */
static void mark_assigned(struct statement *first)
{
    for (struct statement *s = first; s; s = s->next) {
        if (s->kind == STATEMENT_ASSIGN && s->target->kind == EXPRESSION_NAME)
            symbol_named(s->target)->assigned = true;
        if (s->kind == STATEMENT_RECEIVE)
            for (struct expression *e = s->list; e; e = e->next)
                if (e->kind == EXPRESSION_NAME)
                    symbol_named(e)->assigned = true;
        for (struct sequence *option = s->options; option; option = option->next)
            mark_assigned(option->first);
    }
}

static void check_symbol(struct checker *checker, struct symbol *symbol)
{
    if (symbol->kind != SYMBOL_VARIABLE)
        return;
    check_list(checker, symbol->init);
    for (const struct expression *e = symbol->init; e; e = e->next)
        check_fits(checker, symbol, e);
    if (symbol->type == TYPE_STRUCT && symbol->init) { /* Spin ignores it without a word */
        source_warn(checker->source, symbol->place,
                    "'%s' is a structure: this initial value has no effect; its typedef gives "
                    "members their values",
                    symbol->name);
        symbol->init = NULL;
    }
}

static void check_proctype(struct checker *checker, struct proctype *proctype)
{
    checker->proctype = proctype;
    checker->in_claim = proctype->claim;
    for (struct symbol *s = proctype->locals; s; s = s->next)
        check_symbol(checker, s);
    if (proctype->provided)
        check_expression(checker, proctype->provided);
    for (struct statement *s = proctype->body->first; s; s = s->next)
        check_statement(checker, s);
}

static void check_formula(struct checker *checker, const struct ltl *f)
{
    if (!f)
        return;
    if (f->atom)
        check_expression(checker, f->atom);
    check_formula(checker, f->left);
    check_formula(checker, f->right);
}

/* What runs and exists from the beginning. */
static void check_start(struct checker *checker)
{
    const struct model *model = checker->model;
    const struct place whole = {.file = model->file, .line = 1, .column = 1};
    long instances = 0, channels = channels_made(model->globals);
    for (int i = 0; i < model->proctype_count; i++) {
        instances += model->proctypes[i]->active;
        channels +=
            (long)model->proctypes[i]->active * channels_made(model->proctypes[i]->locals);
    }
    if (instances == 0)
        source_fail(checker->source, whole,
                    "no process ever runs: the model needs an init or an active proctype");
    if (instances > MOST_PROCESSES)
        source_fail(checker->source, whole, "more than %d processes", MOST_PROCESSES);
    if (channels > MOST_PROCESSES)
        source_fail(checker->source, whole, "more than %d channels", MOST_PROCESSES);
}

void model_check(struct model *model)
{
    struct checker checker = {.model = model, .source = &model->source};
    for (struct symbol *s = model->globals; s; s = s->next)
        if (s->kind == SYMBOL_PROCTYPE && !s->proctype->body)
            source_fail(checker.source, s->place, "proctype '%s' has no body", s->name);
    for (int i = 0; i < model->proctype_count; i++)
        mark_assigned(model->proctypes[i]->body->first);
    for (struct symbol *s = model->globals; s; s = s->next)
        check_symbol(&checker, s);
    for (struct symbol *s = model->globals; s; s = s->next)
        if (s->channel) {
            s->channel_first = model->global_channels;
            model->global_channels += s->length;
        }
    for (int i = 0; i < model->proctype_count; i++)
        check_proctype(&checker, model->proctypes[i]);
    check_start(&checker);
    for (int i = 0; i < model->claim_count; i++)
        check_proctype(&checker, model->claims[i]);
    if (model->trace)
        check_proctype(&checker, model->trace);
    checker.in_claim = true;
    for (const struct formula *f = model->formulas; f; f = f->next)
        check_formula(&checker, f->tree);
}
