/* Promela expressions as C expressions. Reads are 32-bit int arithmetic that wraps, as in the
 * verifiers that Spin makes; a bad index or a division by zero records a fault and goes on with
 * zero, so that the engine can report it with its trace. */
#include <string.h>

#include "promela/code/codegen.h"
#include "promela/code/embed.h"
#include "promela/code/layout.h"
#include "promela/language/lexer.h"

static const char *access_macro(enum type type, int bits)
{
    switch (layout_width(type, bits)) {
    case 4:
        return "W";
    case 2:
        return type == TYPE_SHORT ? "H" : "UH";
    default:
        return "B";
    }
}

const char *code_read(struct code_generator *g, struct code_leaf leaf)
{
    return source_format(&g->model->source, "%s%s(%s)",
                         leaf.type == TYPE_UNSIGNED ? "(int)" : "",
                         access_macro(leaf.type, leaf.bits), leaf.address);
}

const char *code_write(struct code_generator *g, struct code_leaf leaf, const char *value)
{
    struct source *source = &g->model->source;
    const char *how = access_macro(leaf.type, leaf.bits);
    if (leaf.type == TYPE_BIT || leaf.type == TYPE_BOOL)
        return source_format(source, "%s(%s) = (%s) & 1;", how, leaf.address, value);
    if (leaf.type == TYPE_UNSIGNED && leaf.bits < 32)
        return source_format(source, "%s(%s) = (%s) & %uu;", how, leaf.address, value,
                             (1u << leaf.bits) - 1);
    return source_format(source, "%s(%s) = (%s);", how, leaf.address, value);
}

struct code_leaf code_symbol_leaf(struct code_generator *g, const char *base, const char *self,
                                  const struct symbol *symbol, int element)
{
    struct code_leaf leaf = {.type = symbol->type, .bits = symbol->bits};
    leaf.address =
        source_format(&g->model->source, "%s + %s%d", base,
                      symbol->owner ? source_format(&g->model->source, "%s + ", self) : "",
                      symbol->offset + element * layout_element_size(symbol));
    return leaf;
}

/* The address of a reference's first element, and the symbol at its end. */
static const char *reference_address(struct code_generator *g, const struct code_mode *mode,
                                     const struct expression *e, const char *from,
                                     const struct symbol **last)
{
    struct source *source = &g->model->source;
    const struct symbol *symbol = e->symbol;
    const char *text = source_format(source, "%s + %d", from, symbol->offset);
    if (e->left) {
        int size = layout_element_size(symbol);
        if (index_is_inside(e))
            text = source_format(source, "%s + %d", text, e->left->value * size);
        else
            text = source_format(source, "%s + ix(s, %s, %d, %d) * %d", text,
                                 code_expression(g, mode, e->left), symbol->length,
                                 mode->transition, size);
    }
    if (e->right)
        return reference_address(g, mode, e->right, text, last);
    *last = symbol;
    return text;
}

static const char *root_address(struct code_generator *g, const struct code_mode *mode,
                                const struct symbol *symbol)
{
    if (!symbol->owner)
        return mode->base;
    return source_format(&g->model->source, "%s + %s", mode->base, mode->self);
}

static int flatten_symbol(struct code_generator *g, const struct symbol *symbol, const char *at,
                          struct code_leaf *leaves, int count)
{
    if (symbol->type != TYPE_STRUCT) {
        leaves[count] = (struct code_leaf){at, symbol->type, symbol->bits};
        return count + 1;
    }
    for (int i = 0; i < symbol->structure->field_count; i++) {
        const struct symbol *field = symbol->structure->fields[i];
        for (int k = 0; k < field->length; k++)
            count =
                flatten_symbol(g, field,
                               source_format(&g->model->source, "%s + %d", at,
                                             field->offset + k * layout_element_size(field)),
                               leaves, count);
    }
    return count;
}

static struct code_leaf *leaves_for(struct code_generator *g, const struct symbol *symbol)
{
    return source_alloc(&g->model->source,
                        sizeof(struct code_leaf) * (size_t)symbol_leaves(symbol));
}

int code_leaves(struct code_generator *g, const struct code_mode *mode,
                const struct expression *e, struct code_leaf **leaves)
{
    const struct symbol *last;
    const char *at = reference_address(g, mode, e, root_address(g, mode, e->symbol), &last);
    *leaves = leaves_for(g, last);
    return flatten_symbol(g, last, at, *leaves, 0);
}

int code_symbol_leaves(struct code_generator *g, const char *base, const char *self,
                       const struct symbol *symbol, struct code_leaf **leaves)
{
    *leaves = leaves_for(g, symbol);
    return flatten_symbol(g, symbol, code_symbol_leaf(g, base, self, symbol, 0).address,
                          *leaves, 0);
}

/* An operator as text before and behind its left operand. */
static const char *before_operand(const struct expression *e)
{
    return e->op == '/'                 ? "quotient(s, "
           : e->op == '%'               ? "remain(s, "
           : e->op == TOKEN_SHIFT_LEFT  ? "((int)((u32)("
           : e->op == TOKEN_SHIFT_RIGHT ? "(("
                                        : "(";
}

static const char *behind_operand(struct code_generator *g, const struct code_mode *mode,
                                  const struct expression *e)
{
    struct source *source = &g->model->source;
    const char *right = code_expression(g, mode, e->right);
    if (e->op == '/' || e->op == '%')
        return source_format(source, ", %s, %d)", right, mode->transition);
    if (e->op == TOKEN_SHIFT_LEFT)
        return source_format(source, ") << ((%s) & 31)))", right);
    if (e->op == TOKEN_SHIFT_RIGHT)
        return source_format(source, ") >> ((%s) & 31))", right);
    if (e->op < 256)
        return source_format(source, " %c %s)", (char)e->op, right);
    return source_format(source, " %s %s)", token_name(e->op), right);
}

/* `a op b op c …` in one piece: written operator by operator, each with the text of all before
 * it, an expression of ten thousand operators would take gigabytes. */
static const char *generate_binary(struct code_generator *g, const struct code_mode *mode,
                                   const struct expression *e)
{
    struct source *source = &g->model->source;
    int count = 0;
    const struct expression *first = e;
    for (; first->kind == EXPRESSION_BINARY; first = first->left)
        count++;
    const char **behind = source_alloc(source, sizeof *behind * (size_t)count);
    const char *inner = code_expression(g, mode, first);
    size_t length = strlen(inner) + 1;
    const struct expression *at = e;
    for (int i = 0; i < count; i++, at = at->left) {
        behind[i] = behind_operand(g, mode, at);
        length += strlen(before_operand(at)) + strlen(behind[i]);
    }
    char *text = source_alloc(source, length), *end = text;
    for (at = e; at != first; at = at->left)
        end = stpcpy(end, before_operand(at));
    end = stpcpy(end, inner);
    for (int i = count; i-- > 0;)
        end = stpcpy(end, behind[i]);
    return text;
}

static const char *generate_remote(struct code_generator *g, const struct code_mode *mode,
                                   const struct expression *e)
{
    struct source *source = &g->model->source;
    const struct proctype *target = e->symbol->proctype;
    const char *which =
        e->left ? source_format(source, "(u32)(%s)", code_expression(g, mode, e->left))
                : source_format(source, "find_process(%s, %d)", mode->shape, target->index);
    const char *self = source_format(source, "remote(s, %s, %s, %d, %d)", mode->shape, which,
                                     target->index, mode->transition);
    if (e->kind == EXPRESSION_REMOTE_LABEL) {
        int state = automaton_label(target, e->text);
        return source_format(source, "at_label(s, %s, %s, %s, %d, %d, %d)", mode->base,
                             mode->shape, which, target->index, target->control_width, state);
    }
    struct code_leaf leaf = code_symbol_leaf(g, mode->base, self, e->right->symbol, 0);
    if (e->right->left)
        leaf.address =
            source_format(source, "%s + ix(s, %s, %d, %d) * %d", leaf.address,
                          code_expression(g, mode, e->right->left), e->right->symbol->length,
                          mode->transition, layout_element_size(e->right->symbol));
    return source_format(source, "(%s != 0 ? %s : 0)", self, code_read(g, leaf));
}

/* A structure is passed on member by member. */
static const char *generate_argument(struct code_generator *g, const struct code_mode *mode,
                                     const struct expression *a)
{
    if (a->kind != EXPRESSION_NAME || symbol_named(a)->type != TYPE_STRUCT)
        return code_expression(g, mode, a);
    struct code_leaf *leaves;
    int count = code_leaves(g, mode, a, &leaves);
    const char *text = code_read(g, leaves[0]);
    for (int i = 1; i < count; i++)
        text = source_format(&g->model->source, "%s, %s", text, code_read(g, leaves[i]));
    return text;
}

static const char *generate_run(struct code_generator *g, const struct code_mode *mode,
                                const struct expression *e)
{
    struct source *source = &g->model->source;
    const char *text =
        source_format(source, "run_%d(s, %d, %s", e->symbol->proctype->index, mode->transition,
                      e->third ? code_expression(g, mode, e->third) : "-1");
    for (const struct expression *a = e->list; a; a = a->next)
        text = source_format(source, "%s, %s", text, generate_argument(g, mode, a));
    return source_format(source, "%s)", text);
}

static const char *generate_poll(struct code_generator *g, const struct code_mode *mode,
                                 const struct expression *e)
{
    struct source *source = &g->model->source;
    int fields;
    const char *match = code_match(g, mode, e->list, "get(t, q, k", &fields);
    const char *channel = code_expression(g, mode, e->left);
    return source_format(
        source,
        "({ u32 c = %s, found = 0; if (!no_channel(s, %s, c, %d)) { u32 t = "
        "(%s)->channel_type[c - 1]; const u8 *q = %s + (%s)->channel_offset[c - 1]; "
        "if (fields(t) < %d) fault(s, FAULT_FIELDS, %d); else if (capacity(t) == 0) fault(s, "
        "FAULT_POLL, %d); else for (u32 k = 0; k < %s && !found; "
        "k++) if (%s) found = 1; } (int)found; })",
        channel, mode->shape, mode->transition, mode->shape, mode->base, mode->shape, fields,
        mode->transition, mode->transition, e->random ? "B(q)" : "(B(q) != 0)", match);
}

static const char *channel_call(struct code_generator *g, const struct code_mode *mode,
                                const struct expression *e)
{
    struct source *source = &g->model->source;
    if (e->op == TOKEN_ENABLED)
        return source_format(source, "is_enabled(s, %s, %s, (u32)(%s), %d)", mode->base,
                             mode->shape, code_expression(g, mode, e->left), mode->transition);
    if (e->op == TOKEN_PC_VALUE)
        return source_format(source, "pc_value(%s, %s, (u32)(%s))", mode->base, mode->shape,
                             code_expression(g, mode, e->left));
    const char *name = e->op == TOKEN_LEN     ? "q_len"
                       : e->op == TOKEN_FULL  ? "q_full"
                       : e->op == TOKEN_NFULL ? "!q_full"
                       : e->op == TOKEN_EMPTY ? "!q_len"
                                              : "!!q_len";
    return source_format(source, "(%s(s, %s, %s, %s, %d))", name, mode->shape, mode->base,
                         code_expression(g, mode, e->left), mode->transition);
}

static const char *generate_name(struct code_generator *g, const struct code_mode *mode,
                                 const struct expression *e)
{
    struct source *source = &g->model->source;
    struct code_leaf *leaf;
    if (symbol_named(e)->type == TYPE_STRUCT)
        source_fail(source, e->place, "a structure has no value of its own");
    if (!e->right && e->symbol->channel_first >= 0 && !e->symbol->assigned && !e->symbol->array)
        return source_format(source, "%d", e->symbol->channel_first + 1);
    code_leaves(g, mode, e, &leaf);
    return code_read(g, *leaf);
}

static const char *generate_priority(struct code_generator *g, const struct code_mode *mode,
                                     const struct expression *e)
{
    struct source *source = &g->model->source;
    if (e->left)
        return source_format(source, "priority_of(s, %s, %s, %s, %d)", mode->base, mode->shape,
                             code_expression(g, mode, e->left), mode->transition);
    return source_format(source, "B(%s + %s + PRIORITY(%s))", mode->base, mode->self,
                         "(s->shape)->type[pid]");
}

const char *code_expression(struct code_generator *g, const struct code_mode *mode,
                            const struct expression *e)
{
    struct source *source = &g->model->source;
    switch (e->kind) {
    case EXPRESSION_CONSTANT:
        if (e->value < 0)
            return source_format(source, "((int)%uu)", (unsigned)e->value);
        return source_format(source, "%d", e->value);
    case EXPRESSION_NAME:
        return generate_name(g, mode, e);
    case EXPRESSION_UNARY: {
        const char *operand = code_expression(g, mode, e->left);
        return source_format(source, "(%c(%s))", e->op == TOKEN_NEGATE ? '-' : (char)e->op,
                             operand);
    }
    case EXPRESSION_BINARY:
        return generate_binary(g, mode, e);
    case EXPRESSION_CONDITION: /* called: tcc 0.9.27 joins 0, 1 and comparisons wrongly */
        return source_format(source, "(%s ? whole(%s) : %s)", code_expression(g, mode, e->left),
                             code_expression(g, mode, e->right),
                             code_expression(g, mode, e->third));
    case EXPRESSION_RUN:
        return generate_run(g, mode, e);
    case EXPRESSION_CALL:
        return channel_call(g, mode, e);
    case EXPRESSION_POLL:
        return generate_poll(g, mode, e);
    case EXPRESSION_TIMEOUT:
        return "(s->timeout)";
    case EXPRESSION_PID:
        return "((int)pid)";
    case EXPRESSION_LAST:
        return source_format(source, "B(%s + %d)", mode->base, g->model->last_offset);
    case EXPRESSION_COUNT:
        return source_format(source, "((int)(%s)->processes)", mode->shape);
    case EXPRESSION_PROGRESS:
        return "(!s->progress)";
    case EXPRESSION_REMOTE_LABEL:
    case EXPRESSION_REMOTE_VARIABLE:
        return generate_remote(g, mode, e);
    case EXPRESSION_PRIORITY:
        return generate_priority(g, mode, e);
    case EXPRESSION_EVAL:
        return code_expression(g, mode, e->left);
    case EXPRESSION_STRING:
    case EXPRESSION_WILDCARD:
        break;
    case EXPRESSION_C:
        return embed_expression(g, mode, e->value);
    }
    source_fail(source, e->place, "this expression is not supported here");
}

const char *code_match(struct code_generator *g, const struct code_mode *mode,
                       const struct expression *list, const char *get_prefix, int *fields)
{
    struct source *source = &g->model->source;
    const char *text = "1";
    *fields = 0;
    for (const struct expression *e = list; e; e = e->next) {
        if (e->kind == EXPRESSION_NAME) {
            *fields += symbol_leaves(symbol_named(e));
            continue; /* a variable takes whatever comes */
        }
        if (e->kind != EXPRESSION_WILDCARD)
            text = source_format(source, "%s && %s, %d) == (%s)", text, get_prefix, *fields,
                                 code_expression(g, mode, e));
        ++*fields;
    }
    return text;
}
