/* Tokens of a model. The whole text is split once; inline calls are expanded on tokens, as
 * Spin does on text, so a stack of token ranges stands between the lexer and the parser. */
#ifndef MAZUR_PROMELA_LEXER_H
#define MAZUR_PROMELA_LEXER_H

#include "promela/language/source.h"

enum token_kind {
    TOKEN_END = 0, /* single characters stand for themselves */
    TOKEN_NAME = 256,
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_C_TEXT,
    TOKEN_C_GUARD,
    TOKEN_ARROW,
    TOKEN_OPTION,
    TOKEN_DOTS,
    TOKEN_SEND_SORTED,
    TOKEN_RECEIVE_RANDOM,
    TOKEN_EQ,
    TOKEN_NE,
    TOKEN_LE,
    TOKEN_GE,
    TOKEN_AND,
    TOKEN_OR,
    TOKEN_SHIFT_LEFT,
    TOKEN_SHIFT_RIGHT,
    TOKEN_INCREMENT,
    TOKEN_DECREMENT,
    TOKEN_FIRST_WORD,
    TOKEN_ACTIVE = TOKEN_FIRST_WORD,
    TOKEN_ASSERT,
    TOKEN_ATOMIC,
    TOKEN_BIT,
    TOKEN_BOOL,
    TOKEN_BREAK,
    TOKEN_BYTE,
    TOKEN_C_CODE,
    TOKEN_C_DECL,
    TOKEN_C_EXPR,
    TOKEN_C_STATE,
    TOKEN_C_TRACK,
    TOKEN_CHAN,
    TOKEN_D_STEP,
    TOKEN_D_PROCTYPE,
    TOKEN_DO,
    TOKEN_ELSE,
    TOKEN_EMPTY,
    TOKEN_ENABLED,
    TOKEN_EVAL,
    TOKEN_FALSE,
    TOKEN_FI,
    TOKEN_FOR,
    TOKEN_FULL,
    TOKEN_GET_PRIORITY,
    TOKEN_GOTO,
    TOKEN_HIDDEN,
    TOKEN_IF,

    TOKEN_INIT,
    TOKEN_INLINE,
    TOKEN_INT,
    TOKEN_LEN,
    TOKEN_LOCAL,
    TOKEN_LTL,
    TOKEN_MTYPE,
    TOKEN_NEMPTY,
    TOKEN_NEVER,
    TOKEN_NFULL,
    TOKEN_NOTRACE,
    TOKEN_NP,
    TOKEN_OD,
    TOKEN_OF,
    TOKEN_PC_VALUE,
    TOKEN_PID,
    TOKEN_PRINTF,
    TOKEN_PRINTM,
    TOKEN_PRIORITY,
    TOKEN_PROCTYPE,
    TOKEN_PROVIDED,
    TOKEN_RETURN,
    TOKEN_RUN,
    TOKEN_SELECT,
    TOKEN_SET_PRIORITY,
    TOKEN_SHORT,
    TOKEN_SHOW,
    TOKEN_SKIP,
    TOKEN_TIMEOUT,
    TOKEN_TRACE,
    TOKEN_TRUE,
    TOKEN_TYPEDEF,
    TOKEN_UNLESS,
    TOKEN_UNSIGNED,
    TOKEN_XR,
    TOKEN_XS,
    TOKEN_LAST_WORD = TOKEN_XS,
    TOKEN_NEGATE, /* never lexed: unary minus */
};

struct token {
    int kind;
    int value;
    const char *text; /* names, strings, words, C text */
    struct place place;
    const char *written; /* in the source; `length` bytes */
    size_t length;
    bool spaced; /* something stands between it and the token before */
};

/* Split the text; the result ends with TOKEN_END. */
struct token *lexer_split(struct source *source, const char *file, int *count);
/* "'fi'", "a name", ... for messages. */
const char *token_name(int kind);
/* "'x'" or "the end of the file": what was found. */
const char *token_seen(struct source *source, const struct token *token);

#endif
