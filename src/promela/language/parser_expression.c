/* Expressions of Promela, with its precedences and its two oddities: `(a -> b : c)` exists only
 * in parentheses, and `c?[m]` asks whether a receive would succeed. */
#include <string.h>

#include "promela/language/parser.h"

struct expression *expression_new(struct parser *parser, enum expression_kind kind,
                                  struct place place)
{
    struct expression *expression = source_alloc(parser->source, sizeof *expression);
    expression->kind = kind;
    expression->place = place;
    return expression;
}

struct expression *expression_number(struct parser *parser, int value, struct place place)
{
    struct expression *expression = expression_new(parser, EXPRESSION_CONSTANT, place);
    expression->value = value;
    return expression;
}

void parser_count_operator(struct parser *parser, struct place place)
{
    int limit = parser->in_formula ? FORMULA_LIMIT : OPERATORS_LIMIT;
    if (parser->expressions > 0 && ++parser->operators > limit)
        source_fail(parser->source, place, "an expression of more than %d operators", limit);
}

struct expression *expression_binary(struct parser *parser, int op, struct expression *left,
                                     struct expression *right)
{
    parser_count_operator(parser, right->place);
    struct expression *expression = expression_new(parser, EXPRESSION_BINARY, left->place);
    expression->op = op;
    expression->left = left;
    expression->right = right;
    return expression;
}

/* name, name[i], name.member, name[i].member[j] ... */
static struct expression *reference_tail(struct parser *parser, struct expression *name,
                                         const struct symbol *symbol)
{
    if (parser_accept(parser, '[')) {
        name->left = parse_expression(parser);
        parser_expect(parser, ']', "after an array index");
    }
    if (parser_peek(parser)->kind == '.') {
        struct token dot = parser_take(parser);
        if (symbol->type != TYPE_STRUCT)
            source_fail(parser->source, dot.place, "'%s' is not a structure", symbol->name);
        struct token member = parser_expect(parser, TOKEN_NAME, "after '.'");
        struct symbol *field = NULL;
        for (int i = 0; i < symbol->structure->field_count; i++)
            if (strcmp(symbol->structure->fields[i]->name, member.text) == 0)
                field = symbol->structure->fields[i];
        if (!field)
            source_fail(parser->source, member.place, "typedef %s has no member '%s'",
                        symbol->structure->name, member.text);
        struct expression *inner = expression_new(parser, EXPRESSION_NAME, member.place);
        inner->symbol = field;
        name->right = reference_tail(parser, inner, field);
    }
    return name;
}

const char *parser_meant(struct parser *parser, const char *written)
{
    static const struct {
        const char *written, *meant;
    } others[] = {{"while", "do :: condition -> … :: else -> break od"},
                  {"True", "true"},
                  {"False", "false"},
                  {"TRUE", "true"},
                  {"FALSE", "false"},
                  {"continue", "goto, or the end of the option"},
                  {"switch", "if :: … fi"},
                  {"boolean", "bool"},
                  {"char", "byte"},
                  {"long", "int"},
                  {"integer", "int"},
                  {"struct", "typedef"},
                  {"enum", "mtype"},
                  {"const", "#define"},
                  {"and", "&&"},
                  {"or", "||"},
                  {"not", "!"},
                  {"AND", "&&"},
                  {"OR", "||"},
                  {"NOT", "!"},
                  {"return", "no functions, but inline"},
                  {"void", "no functions, but inline"},
                  {"string", "strings in printf only"},
                  {"float", "whole numbers only"},
                  {"double", "whole numbers only"},
                  {"signed", "short and int"},
                  {"uint", "unsigned x : 32"},
                  {"proc", "proctype"},
                  {"process", "proctype"}},
      operators[] = {{"G", "[] or always"}, {"F", "<> or eventually"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(written, others[i].written) == 0)
            return source_format(parser->source, "; Promela has %s", others[i].meant);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (!parser->proctype && strcmp(written, operators[i].written) == 0)
            return source_format(parser->source, "; a formula has %s", operators[i].meant);
    return "";
}

static _Noreturn void not_declared(struct parser *parser, struct token name)
{
    source_fail(parser->source, name.place, "'%s' is not declared%s", name.text,
                parser_meant(parser, name.text));
}

static struct symbol *need_variable(struct parser *parser, struct token name)
{
    struct symbol *symbol = parser_lookup(parser, name.text);
    if (!symbol)
        not_declared(parser, name);
    if (symbol->kind != SYMBOL_VARIABLE)
        source_fail(parser->source, name.place, "'%s' is not a variable", name.text);
    return symbol;
}

struct expression *parse_reference(struct parser *parser)
{
    struct token name = parser_expect(parser, TOKEN_NAME, "for a variable");
    if (strcmp(name.text, "_") == 0)
        return expression_new(parser, EXPRESSION_WILDCARD, name.place);
    struct expression *reference = expression_new(parser, EXPRESSION_NAME, name.place);
    reference->symbol = need_variable(parser, name);
    return reference_tail(parser, reference, reference->symbol);
}

static bool is_jump(const struct statement *s)
{
    return s && (s->kind == STATEMENT_GOTO || s->kind == STATEMENT_BREAK);
}

/* The outermost of several labels, where one is special, is that of a step before the jump. */
static bool names_step(const struct proctype *p, const struct label *label)
{
    bool special = false, outermost = true, behind = false;
    for (const struct label *l = p->labels; l; l = l->next) {
        if (l->statement != label->statement)
            continue;
        special |= label_is_special(l);
        outermost &= !behind; /* the list begins with the last one in the text */
        behind |= l == label;
    }
    return special && outermost;
}

/* P@label was read: where that is a jump, Spin puts an element before it, now, which takes a
 * number, so that whatever is read behind has one more in trails. (Not so in a formula: Spin
 * keeps its text, and reads the claim that it makes of it.) */
static void parser_note_remote(struct parser *parser, const struct symbol *symbol,
                               const char *name)
{
    if (parser->in_formula || !symbol || symbol->kind != SYMBOL_PROCTYPE)
        return;
    for (struct label *l = symbol->proctype->labels; l; l = l->next)
        if (strcmp(l->name, name) == 0 && is_jump(l->statement) && !l->statement->looked_at &&
            !names_step(symbol->proctype, l)) {
            l->statement->looked_at = true;
            parser->model->late++;
            return;
        }
}

static struct expression *parse_remote(struct parser *parser, struct token name,
                                       struct symbol *symbol)
{
    struct expression *result = expression_new(parser, EXPRESSION_REMOTE_LABEL, name.place);
    result->symbol = symbol;
    if (parser_accept(parser, '[')) {
        result->left = parse_expression(parser);
        parser_expect(parser, ']', "after a process number");
    }
    if (parser_accept(parser, '@')) {
        result->text = parser_expect(parser, TOKEN_NAME, "for a label, after '@'").text;
        parser_note_remote(parser, symbol, result->text);
        return result;
    }
    if (!parser_accept(parser, ':'))
        source_fail(parser->source, parser_peek(parser)->place,
                    "expected '@label' or ':variable' after proctype '%s'; 'run' starts one",
                    name.text);
    struct token variable =
        parser_expect(parser, TOKEN_NAME, "for a local variable, after ':'");
    result->kind = EXPRESSION_REMOTE_VARIABLE;
    result->text = variable.text; /* resolved when all proctypes are known (check_model.c) */
    result->right = expression_new(parser, EXPRESSION_NAME, variable.place);
    if (parser_accept(parser, '[')) {
        result->right->left = parse_expression(parser);
        parser_expect(parser, ']', "after an array index");
    }
    return result;
}

static struct expression *parse_named(struct parser *parser)
{
    struct token name = *parser_peek(parser);
    static const struct {
        const char *text;
        enum expression_kind kind;
    } special[] = {{"_pid", EXPRESSION_PID},
                   {"_last", EXPRESSION_LAST},
                   {"_nr_pr", EXPRESSION_COUNT},
                   {"_priority", EXPRESSION_PRIORITY},
                   {"_", EXPRESSION_WILDCARD}};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (strcmp(name.text, special[i].text) == 0) {
            parser_take(parser);
            parser->model->uses_last |= special[i].kind == EXPRESSION_LAST;
            parser->model->uses_priority |= special[i].kind == EXPRESSION_PRIORITY;
            return expression_new(parser, special[i].kind, name.place);
        }
    struct symbol *symbol = parser_lookup(parser, name.text);
    if (symbol && symbol->kind == SYMBOL_MTYPE) {
        parser_take(parser);
        struct expression *constant = expression_number(parser, symbol->value, name.place);
        constant->symbol = symbol;
        return constant;
    }
    if (symbol && symbol->kind == SYMBOL_PROCTYPE) {
        parser_take(parser);
        return parse_remote(parser, name, symbol);
    }
    struct expression *reference = parse_reference(parser);
    int kind = parser_peek(parser)->kind;
    if ((kind == '?' || kind == TOKEN_RECEIVE_RANDOM) &&
        parser_peek_second(parser)->kind == '[') {
        parser_take(parser);
        parser_take(parser);
        struct expression *poll = expression_new(parser, EXPRESSION_POLL, name.place);
        poll->left = reference;
        poll->random = kind == TOKEN_RECEIVE_RANDOM;
        poll->list = parse_receive_arguments(parser, ']');
        parser_expect(parser, ']', "after the arguments of a poll");
        return poll;
    }
    return reference;
}

static struct expression *parse_run(struct parser *parser, struct place place)
{
    struct token name = parser_expect(parser, TOKEN_NAME, "for a proctype, after 'run'");
    struct symbol *symbol = parser_lookup(parser, name.text);
    if (!symbol || symbol->kind != SYMBOL_PROCTYPE)
        source_fail(parser->source, name.place, "'%s' is not a proctype", name.text);
    struct expression *result = expression_new(parser, EXPRESSION_RUN, place);
    result->symbol = symbol;
    parser_expect(parser, '(', "after the proctype to run");
    result->list = parse_arguments(parser, ')');
    parser_expect(parser, ')', "after the arguments of run");
    if (parser_accept(parser, TOKEN_PRIORITY)) {
        result->third = parse_expression(parser);
        parser->model->uses_priority = true;
    }
    return result;
}

static struct expression *parse_parenthesised(struct parser *parser)
{
    struct expression *first = parse_expression(parser);
    if (parser_accept(parser, TOKEN_ARROW)) {
        struct expression *choice = expression_new(parser, EXPRESSION_CONDITION, first->place);
        choice->left = first;
        choice->right = parse_expression(parser);
        parser_expect(parser, ':', "in a conditional expression (a -> b : c)");
        choice->third = parse_expression(parser);
        first = choice;
    }
    parser_expect(parser, ')', "to close the parenthesis");
    return first;
}

static struct expression *parse_call(struct parser *parser, struct token word)
{
    struct expression *result = expression_new(parser, EXPRESSION_CALL, word.place);
    result->op = word.kind;
    parser_expect(parser, '(', "after a function name");
    if (word.kind == TOKEN_ENABLED || word.kind == TOKEN_PC_VALUE ||
        word.kind == TOKEN_GET_PRIORITY)
        result->left = parse_expression(parser);
    else
        result->left = parse_reference(parser);
    parser_expect(parser, ')', "after the argument");
    parser->model->uses_enabled |= word.kind == TOKEN_ENABLED;
    parser->model->uses_pc_value |= word.kind == TOKEN_PC_VALUE;
    if (word.kind == TOKEN_GET_PRIORITY) {
        result->kind = EXPRESSION_PRIORITY;
        parser->model->uses_priority = true;
    }
    return result;
}

static struct expression *parse_primary(struct parser *parser)
{
    struct token token = *parser_peek(parser);
    if (token.kind == TOKEN_NAME)
        return parse_named(parser);
    parser_take(parser);
    switch (token.kind) {
    case '(':
        return parse_parenthesised(parser);
    case TOKEN_NUMBER:
        return expression_number(parser, token.value, token.place);
    case TOKEN_TRUE:
    case TOKEN_SKIP:
    case TOKEN_FALSE: {
        struct expression *result =
            expression_number(parser, token.kind != TOKEN_FALSE, token.place);
        result->text = token.kind == TOKEN_SKIP   ? "skip"
                       : token.kind == TOKEN_TRUE ? "true"
                                                  : "false";
        return result;
    }
    case TOKEN_TIMEOUT:
        parser->model->uses_timeout = true;
        return expression_new(parser, EXPRESSION_TIMEOUT, token.place);
    case TOKEN_NP:
        parser->model->uses_progress = true;
        return expression_new(parser, EXPRESSION_PROGRESS, token.place);
    case TOKEN_RUN:
        return parse_run(parser, token.place);
    case TOKEN_LEN:
    case TOKEN_FULL:
    case TOKEN_EMPTY:
    case TOKEN_NFULL:
    case TOKEN_NEMPTY:
    case TOKEN_ENABLED:
    case TOKEN_PC_VALUE:
    case TOKEN_GET_PRIORITY:
        return parse_call(parser, token);
    case TOKEN_C_EXPR: {
        struct expression *result = expression_new(parser, EXPRESSION_C, token.place);
        result->value = parse_c_fragment(parser, C_EXPRESSION, token);
        result->text = parser->model->c_fragments[result->value].text;
        return result;
    }
    }
    source_fail(parser->source, token.place, "expected an expression, found %s%s",
                token_seen(parser->source, &token),
                token.kind == '=' ? "; there is no += or := in Promela: x = x + 1" : "");
}

static struct expression *parse_unary(struct parser *parser)
{
    struct token token = *parser_peek(parser);
    if (token.kind != '-' && token.kind != '!' && token.kind != '~' &&
        token.kind != TOKEN_SEND_SORTED)
        return parse_primary(parser);
    parser_take(parser);
    parser_enter(parser, token.place);
    struct expression *operand = parse_unary(parser);
    parser_leave(parser);
    int turns = token.kind == TOKEN_SEND_SORTED ? 2 : 1; /* `!!x` is one token */
    for (int i = 0; i < turns; i++) {
        struct expression *result = expression_new(parser, EXPRESSION_UNARY, token.place);
        result->op = token.kind == '-'                 ? TOKEN_NEGATE
                     : token.kind == TOKEN_SEND_SORTED ? '!'
                                                       : token.kind;
        result->left = operand;
        operand = result;
    }
    return operand;
}

static int operator_precedence(int kind)
{
    switch (kind) {
    case TOKEN_OR:
        return 1;
    case TOKEN_AND:
        return 2;
    case '|':
        return 3;
    case '^':
        return 4;
    case '&':
        return 5;
    case TOKEN_EQ:
    case TOKEN_NE:
        return 6;
    case '<':
    case '>':
    case TOKEN_LE:
    case TOKEN_GE:
        return 7;
    case TOKEN_SHIFT_LEFT:
    case TOKEN_SHIFT_RIGHT:
        return 8;
    case '+':
    case '-':
        return 9;
    case '*':
    case '/':
    case '%':
        return 10;
    }
    return 0;
}

static struct expression *parse_binary(struct parser *parser, struct expression *left,
                                       int level)
{
    for (;;) {
        int found = operator_precedence(parser_peek(parser)->kind);
        bool equivalence = parser_peek(parser)->kind == '<' &&
                           parser_peek_second(parser)->kind == TOKEN_ARROW; /* ltl: a <-> b */
        if (found == 0 || found < level || equivalence || parser_at_temporal_operand(parser))
            return left;
        int op = parser_take(parser).kind;
        struct expression *right = parse_binary(parser, parse_unary(parser), found + 1);
        left = expression_binary(parser, op, left, right);
    }
}

/* For formulas, whose && and || are temporal operators: what binds tighter than those. */
struct expression *parse_expression_tail(struct parser *parser, struct expression *left)
{
    return parse_binary(parser, left, 3);
}

struct expression *parse_operand(struct parser *parser)
{
    return parse_binary(parser, parse_unary(parser), 3);
}

struct expression *parse_expression(struct parser *parser)
{
    parser_enter(parser, parser_peek(parser)->place);
    if (parser->expressions++ == 0)
        parser->operators = 0;
    struct expression *result = parse_binary(parser, parse_unary(parser), 1);
    parser->expressions--;
    parser_leave(parser);
    return result;
}

struct expression *parse_arguments(struct parser *parser, int close)
{
    struct expression *first = NULL, **tail = &first;
    if (parser_peek(parser)->kind == close)
        return NULL;
    do {
        *tail = parse_expression(parser);
        tail = &(*tail)->next;
        if (close == 0 && parser_peek(parser)->place.line == parser->last_line &&
            parser_accept(parser, '(')) { /* c!type(a, b) */
            *tail = parse_arguments(parser, ')');
            parser_expect(parser, ')', "after the message fields");
            return first;
        }
    } while (parser_accept(parser, ','));
    return first;
}

static struct expression *receive_argument(struct parser *parser)
{
    struct token token = *parser_peek(parser);
    if (token.kind == TOKEN_EVAL) {
        parser_take(parser);
        parser_expect(parser, '(', "after eval");
        struct expression *result = expression_new(parser, EXPRESSION_EVAL, token.place);
        result->left = parse_expression(parser);
        parser_expect(parser, ')', "after the argument of eval");
        return result;
    }
    if (token.kind == TOKEN_NAME)
        return parse_named(parser);
    struct expression *constant = parse_unary(parser);
    expression_constant(parser->model, constant);
    return constant;
}

struct expression *parse_receive_arguments(struct parser *parser, int close)
{
    struct expression *first = NULL, **tail = &first;
    if (close != 0 && parser_peek(parser)->kind == close)
        return NULL;
    if (parser_accept(parser, '(')) { /* c?(a, b) */
        first = parse_receive_arguments(parser, ')');
        parser_expect(parser, ')', "after the message fields");
        return first;
    }
    do {
        *tail = receive_argument(parser);
        tail = &(*tail)->next;
        if (parser_peek(parser)->place.line == parser->last_line &&
            parser_accept(parser, '(')) {
            *tail = parse_receive_arguments(parser, ')');
            parser_expect(parser, ')', "after the message fields");
            return first;
        }
    } while (parser_accept(parser, ','));
    return first;
}
