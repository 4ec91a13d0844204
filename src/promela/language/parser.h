/* Shared by the parser's files: the token cursor, scopes, and the functions between them.
 *
 * Recursive descent, one function per construct. An inline call pushes its substituted body as
 * a token range of its own; a statement never spans two ranges, so looking back (parser_mark)
 * within a statement is a position in one range. */
#ifndef MAZUR_PROMELA_PARSER_H
#define MAZUR_PROMELA_PARSER_H

#include "promela/language/lexer.h"
#include "promela/language/model.h"

#define NESTING_LIMIT   250   /* blocks, parentheses and inlines; protects our own stack */
#define OPERATORS_LIMIT 20000 /* of one expression, for the same reason */
#define FORMULA_LIMIT   2000  /* … of one formula: its automaton is worked out by recursion */

struct inline_text {
    const char **parameters;
    int parameter_count;
    struct token *tokens;
    int count;
};

struct token_range {
    struct token *tokens;
    int at, count;
    int inline_call;                /* of the range below */
    struct expression *result;      /* what `return` in this expansion assigns to */
    const struct inline_text *text; /* the inline that it is the text of; NULL: the file's */
    struct token_range *outer;
};

struct scope {
    struct symbol **symbols;
    int count;
    struct scope *outer;
};

struct parser {
    struct model *model;
    struct source *source;
    struct token_range *range;
    struct scope *scope;       /* innermost; NULL at global level */
    struct proctype *proctype; /* being parsed */
    bool at_start;             /* declarations still initialise at creation (see parser.c) */
    int last_line;             /* of the token taken last: a new line may stand for ';' */
    int nesting, loops, in_d_step;
    int inline_call, inline_calls; /* current expansion (0: none), number so far */
    bool in_formula;
    int expressions, operators; /* expressions around this one, operators of all of them */
    int temporaries;
    struct sequence *sequence; /* being filled */
    struct token_range *formulas[64];
    struct formula *formula_of[64];
    int formula_count;
};

const struct token *parser_peek(struct parser *parser);
const struct token *parser_peek_second(struct parser *parser);
struct token parser_take(struct parser *parser);
/* Tokens of a range as they are written, from number `from` up to where the range is now, on
 * one line.
 */
const char *parser_written(struct parser *parser, const struct token_range *range, int from);
bool parser_accept(struct parser *parser, int kind);
struct token parser_expect(struct parser *parser, int kind, const char *context);
/* The '}' of an open brace. */
void parser_close(struct parser *parser, struct token open, const char *context);
void parser_enter(struct parser *parser, struct place place);
void parser_leave(struct parser *parser);

struct symbol *parser_lookup(struct parser *parser, const char *name);
struct symbol *parser_declare(struct parser *parser, struct token name, enum symbol_kind kind);
/* "; Promela has …" for a word that other languages have, or "". */
const char *parser_meant(struct parser *parser, const char *written);
/* A number of elements or of processes. */
int parse_bound(struct parser *parser);
bool parser_at_type(struct parser *parser);
/* One declaration; statements that initialise late are appended to the current sequence. */
void parser_declaration(struct parser *parser, bool parameters);

struct expression *expression_new(struct parser *parser, enum expression_kind kind,
                                  struct place place);
struct expression *expression_number(struct parser *parser, int value, struct place place);
struct expression *expression_binary(struct parser *parser, int op, struct expression *left,
                                     struct expression *right);
struct expression *parse_expression(struct parser *parser);
/* One operator more in the expression or formula that is being read. */
void parser_count_operator(struct parser *parser, struct place place);
struct expression *parse_operand(struct parser *parser);
struct expression *parse_expression_tail(struct parser *parser, struct expression *left);
struct expression *parse_reference(struct parser *parser);
/* Arguments of a receive or poll, up to `close` (0: until no comma follows). */
struct expression *parse_receive_arguments(struct parser *parser, int close);
struct expression *parse_arguments(struct parser *parser, int close);

struct statement *statement_new(struct parser *parser, enum statement_kind kind,
                                struct place place);
void sequence_add(struct sequence *sequence, struct statement *statement);
struct sequence *sequence_new(struct parser *parser);
struct sequence *parse_sequence(struct parser *parser, struct place start);
/* `{ … }` */
struct sequence *parse_block(struct parser *parser, const char *context);
struct statement *statement_assignment(struct parser *parser, struct expression *target,
                                       struct expression *value);
/* An expression that has to be true. */
struct statement *statement_condition(struct parser *parser, struct expression *value);
/* parser_loops.c: after the word `for` or `select`. */
struct statement *parse_for(struct parser *parser, struct token token);
struct statement *parse_select(struct parser *parser);
/* parser_inline.c: a definition, and a call; `result` is what a `return` in the body assigns
 * to, or NULL. */
void parser_inline(struct parser *parser);
void parser_inline_call(struct parser *parser, const struct inline_text *text,
                        struct token name, struct expression *result);

/* parser_c.c: c_decl, c_state, c_track and c_code outside of processes. */
void parse_c_unit(struct parser *parser, struct token token);
/* c_code and c_expr inside; the fragment's number. */
int parse_c_fragment(struct parser *parser, enum c_kind kind, struct token word);

/* parser_formula.c: a formula up to its closing brace. */
struct ltl *parse_formula(struct parser *parser);
/* `& X f`, `| [] f`: in a formula such an operator is a temporal one, as Spin has it. */
bool parser_at_temporal_operand(struct parser *parser);
/* check_model.c: names, types, channel arities. */
void model_check(struct model *model);

#endif
