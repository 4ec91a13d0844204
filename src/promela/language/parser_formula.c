/* Formulas: their syntax (Spin's, with words and symbols) and negation normal form. */
#include <string.h>

#include "promela/language/formula.h"
#include "promela/language/lexer.h"
#include "promela/language/parser.h"

static struct ltl *make_node(struct parser *parser, enum ltl_op op, struct ltl *left,
                             struct ltl *right, struct place place)
{
    struct ltl *result = source_alloc(parser->source, sizeof *result);
    if (left && right)
        parser_count_operator(parser, place);
    *result = (struct ltl){.op = op, .left = left, .right = right, .place = place};
    return result;
}

static bool at_word(struct parser *parser, const char *letter, const char *word)
{
    const struct token *token = parser_peek(parser);
    if (token->kind != TOKEN_NAME)
        return false;
    if (word && strcmp(token->text, word) == 0)
        return true;
    return letter && strcmp(token->text, letter) == 0 && !parser_lookup(parser, token->text);
}

/* Behind an operand a letter is nothing but an operator, whatever else has that name. */
static bool at_operator(struct parser *parser, const char *letter, const char *word)
{
    const struct token *token = parser_peek(parser);
    return token->kind == TOKEN_NAME &&
           (strcmp(token->text, letter) == 0 || strcmp(token->text, word) == 0);
}

static bool at_pair(struct parser *parser, int first, int second)
{
    return parser_peek(parser)->kind == first && parser_peek_second(parser)->kind == second;
}

static struct ltl *parse_implication(struct parser *parser);

bool parser_at_temporal_operand(struct parser *parser)
{
    int kind = parser_peek(parser)->kind;
    const struct token *next = parser_peek_second(parser);
    if (!parser->in_formula || (kind != '&' && kind != '|'))
        return false;
    if (next->kind == TOKEN_NAME)
        return strcmp(next->text, "always") == 0 || strcmp(next->text, "eventually") == 0 ||
               (strcmp(next->text, "X") == 0 && !parser_lookup(parser, "X"));
    return next->kind == '[' || next->kind == '<';
}

/* A formula without temporal operators is an expression again: `(a && b) == c`. */
static struct expression *as_expression(struct parser *parser, const struct ltl *f)
{
    struct expression *result;
    switch (f->op) {
    case LTL_TRUE:
    case LTL_FALSE:
        return expression_number(parser, f->op == LTL_TRUE, f->place);
    case LTL_ATOM:
        return f->atom;
    case LTL_NOT:
        result = expression_new(parser, EXPRESSION_UNARY, f->place);
        result->op = '!';
        result->left = as_expression(parser, f->left);
        return result;
    case LTL_AND:
    case LTL_OR:
        return expression_binary(parser, f->op == LTL_AND ? TOKEN_AND : TOKEN_OR,
                                 as_expression(parser, f->left),
                                 as_expression(parser, f->right));
    default:
        source_fail(parser->source, f->place,
                    "a temporal formula has no value to compute with");
    }
}

static bool continues_expression(struct parser *parser)
{
    switch (parser_peek(parser)->kind) {
    case '<':
        return parser_peek_second(parser)->kind != TOKEN_ARROW;
    case TOKEN_EQ:
    case TOKEN_NE:
    case TOKEN_LE:
    case TOKEN_GE:
    case '>':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '&':
    case '|':
    case '^':
    case TOKEN_SHIFT_LEFT:
    case TOKEN_SHIFT_RIGHT:
        return true;
    }
    return false;
}

static struct ltl *make_atom(struct parser *parser, struct expression *e)
{
    struct ltl *result = make_node(parser, LTL_ATOM, NULL, NULL, e->place);
    result->atom = e;
    if (e->kind == EXPRESSION_CONSTANT)
        result->op = e->value != 0 ? LTL_TRUE : LTL_FALSE;
    return result;
}

static struct ltl *parse_unit(struct parser *parser)
{
    struct place place = parser_peek(parser)->place;
    parser_enter(parser, place);
    struct ltl *result;
    if (parser_accept(parser, '!')) {
        result = make_node(parser, LTL_NOT, parse_unit(parser), NULL, place);
    } else if (at_word(parser, "X", "next")) {
        parser_take(parser);
        result = make_node(parser, LTL_NEXT, parse_unit(parser), NULL, place);
    } else if (at_pair(parser, '[', ']') || at_pair(parser, '<', '>') ||
               at_word(parser, NULL, "always") || at_word(parser, NULL, "eventually")) {
        struct token first = parser_take(parser);
        bool always = first.kind == '[' || (first.text && first.text[0] == 'a');
        if (first.kind != TOKEN_NAME)
            parser_take(parser);
        struct ltl *body = parse_unit(parser);
        struct ltl *constant =
            make_node(parser, always ? LTL_FALSE : LTL_TRUE, NULL, NULL, place);
        result = make_node(parser, always ? LTL_RELEASE : LTL_UNTIL, constant, body, place);
    } else if (parser_accept(parser, '(')) {
        result = parse_implication(parser);
        parser_expect(parser, ')', "to close the parenthesis");
        if (continues_expression(parser))
            result =
                make_atom(parser, parse_expression_tail(parser, as_expression(parser, result)));
    } else {
        result = make_atom(parser, parse_operand(parser));
    }
    parser_leave(parser);
    return result;
}

static struct ltl *parse_until(struct parser *parser)
{
    struct ltl *left = parse_unit(parser);
    for (;;) {
        struct place place = parser_peek(parser)->place;
        bool weak = at_operator(parser, "W", "weakuntil");
        bool release = at_operator(parser, "V", "release");
        bool until = at_operator(parser, "U", "until") || at_word(parser, NULL, "stronguntil");
        if (!weak && !release && !until)
            return left;
        parser_take(parser);
        struct ltl *right = parse_unit(parser);
        if (weak) /* a W b = b V (a || b) */
            left = make_node(parser, LTL_RELEASE, right,
                             make_node(parser, LTL_OR, left, right, place), place);
        else
            left = make_node(parser, release ? LTL_RELEASE : LTL_UNTIL, left, right, place);
    }
}

static struct ltl *parse_and(struct parser *parser)
{
    struct ltl *left = parse_until(parser);
    while (parser_peek(parser)->kind == TOKEN_AND || parser_peek(parser)->kind == '&') {
        struct place place = parser_take(parser).place;
        left = make_node(parser, LTL_AND, left, parse_until(parser), place);
    }
    return left;
}

static struct ltl *parse_or(struct parser *parser)
{
    struct ltl *left = parse_and(parser);
    while (parser_peek(parser)->kind == TOKEN_OR || parser_peek(parser)->kind == '|') {
        struct place place = parser_take(parser).place;
        left = make_node(parser, LTL_OR, left, parse_and(parser), place);
    }
    return left;
}

static struct ltl *make_implication(struct parser *parser, struct ltl *a, struct ltl *b,
                                    struct place place)
{
    return make_node(parser, LTL_OR, make_node(parser, LTL_NOT, a, NULL, place), b, place);
}

static struct ltl *parse_implication(struct parser *parser)
{
    struct ltl *left = parse_or(parser);
    for (;;) {
        struct place place = parser_peek(parser)->place;
        bool both = at_pair(parser, '<', TOKEN_ARROW);
        if (!both && parser_peek(parser)->kind != TOKEN_ARROW &&
            !at_word(parser, NULL, "implies") && !at_word(parser, NULL, "equivalent"))
            return left;
        both |= at_word(parser, NULL, "equivalent");
        struct token first = parser_take(parser);
        if (first.kind == '<')
            parser_take(parser);
        struct ltl *right = parse_or(parser);
        struct ltl *forward = make_implication(parser, left, right, place);
        left = both ? make_node(parser, LTL_AND, forward,
                                make_implication(parser, right, left, place), place)
                    : forward;
    }
}

struct ltl *parse_formula(struct parser *parser)
{
    parser->in_formula = true;
    parser->expressions++;
    parser->operators = 0;
    struct ltl *formula = parse_implication(parser);
    parser->expressions--;
    parser->in_formula = false;
    while (parser_accept(parser, ';'))
        continue;
    parser_expect(parser, '}', "after a formula");
    return formula;
}

bool ltl_uses_next(const struct ltl *formula)
{
    return formula && (formula->op == LTL_NEXT || ltl_uses_next(formula->left) ||
                       ltl_uses_next(formula->right));
}
