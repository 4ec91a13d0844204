/* Text to tokens, with line markers of the preprocessor turned back into the user's places. */
#include "promela/language/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
    "active",     "assert", "atomic", "bit",          "bool",     "break",    "byte",
    "c_code",     "c_decl", "c_expr", "c_state",      "c_track",  "chan",     "d_step",
    "D_proctype", "do",     "else",   "empty",        "enabled",  "eval",     "false",
    "fi",         "for",    "full",   "get_priority", "goto",     "hidden",   "if",
    "init",       "inline", "int",    "len",          "local",    "ltl",      "mtype",
    "nempty",     "never",  "nfull",  "notrace",      "np_",      "od",       "of",
    "pc_value",   "pid",    "printf", "printm",       "priority", "proctype", "provided",
    "return",     "run",    "select", "set_priority", "short",    "show",     "skip",
    "timeout",    "trace",  "true",   "typedef",      "unless",   "unsigned", "xr",
    "xs",
};
_Static_assert(sizeof words / sizeof *words == TOKEN_LAST_WORD - TOKEN_FIRST_WORD + 1,
               "words and their tokens are in the same order");

static const struct {
    const char text[4];
    int kind;
} operators[] = {
    {"->", TOKEN_ARROW},
    {"::", TOKEN_OPTION},
    {"..", TOKEN_DOTS},
    {"!!", TOKEN_SEND_SORTED},
    {"??", TOKEN_RECEIVE_RANDOM},
    {"==", TOKEN_EQ},
    {"!=", TOKEN_NE},
    {"<=", TOKEN_LE},
    {">=", TOKEN_GE},
    {"&&", TOKEN_AND},
    {"||", TOKEN_OR},
    {"<<", TOKEN_SHIFT_LEFT},
    {">>", TOKEN_SHIFT_RIGHT},
    {"++", TOKEN_INCREMENT},
    {"--", TOKEN_DECREMENT},
};

struct lexer {
    struct source *source;
    const char *at, *line_start;
    struct place place;
    struct token *tokens;
    int count;
};

static struct place place_here(const struct lexer *lexer)
{
    struct place place = lexer->place;
    place.column = (int)(lexer->at - lexer->line_start) + 1;
    return place;
}

static struct token *add_token(struct lexer *lexer, int kind, struct place place)
{
    lexer->tokens =
        source_grow(lexer->source, lexer->tokens, lexer->count, sizeof(struct token));
    struct token *token = &lexer->tokens[lexer->count++];
    *token = (struct token){.kind = kind, .place = place};
    return token;
}

static void start_line(struct lexer *lexer)
{
    lexer->at++;
    lexer->place.line++;
    lexer->line_start = lexer->at;
}

/* The name in a line marker, up to its closing quote; quotes and backslashes in it are escaped.
 */
static const char *marked_file(struct source *source, const char *from)
{
    char *name = source_copy(source, from, strcspn(from, "\n"));
    size_t used = 0;
    for (const char *at = name; *at != '\0' && *at != '"'; at++) {
        if (*at == '\\' && at[1] != '\0')
            at++;
        name[used++] = *at;
    }
    name[used] = '\0';
    return name;
}

/* `# 12 "file"`, or another directive, which is skipped. */
static void lex_directive(struct lexer *lexer)
{
    const char *at = lexer->at + 1;
    while (*at == ' ' || *at == '\t')
        at++;
    if (strncmp(at, "line", 4) == 0)
        at += 4;
    char *end;
    long line = strtol(at, &end, 10);
    bool marker = end != at;
    if (marker) {
        at = end;
        while (*at == ' ')
            at++;
        if (*at == '"') {
            lexer->place.file = marked_file(lexer->source, at + 1);
        }
    }
    while (*lexer->at != '\0' && *lexer->at != '\n')
        lexer->at++;
    if (*lexer->at == '\n')
        start_line(lexer);
    if (marker && line >= 0 && line < 1 << 30)
        lexer->place.line = (int)line;
}

static void skip_comment(struct lexer *lexer)
{
    struct place start = place_here(lexer);
    lexer->at += 2;
    while (!(lexer->at[0] == '*' && lexer->at[1] == '/')) {
        if (*lexer->at == '\0')
            source_fail(lexer->source, start, "this comment has no end");
        if (*lexer->at == '\n')
            start_line(lexer);
        else
            lexer->at++;
    }
    lexer->at += 2;
}

static void lex_string(struct lexer *lexer)
{
    struct place start = place_here(lexer);
    const char *from = ++lexer->at;
    while (*lexer->at != '"') {
        if (*lexer->at == '\0' || *lexer->at == '\n')
            source_fail(lexer->source, start, "this string has no end");
        lexer->at += lexer->at[0] == '\\' && lexer->at[1] != '\0' ? 2 : 1;
    }
    struct token *token = add_token(lexer, TOKEN_STRING, start);
    token->text = source_copy(lexer->source, from, (size_t)(lexer->at - from));
    lexer->at++;
}

static void lex_character(struct lexer *lexer)
{
    struct place start = place_here(lexer);
    int value = (unsigned char)lexer->at[1];
    int length = 3;
    if (value == '\\') {
        value = lexer->at[2] == 'n'   ? '\n'
                : lexer->at[2] == 't' ? '\t'
                : lexer->at[2] == 'r' ? '\r'
                : lexer->at[2] == '0' ? 0
                                      : lexer->at[2];
        length = 4;
    }
    if (lexer->at[1] == '\0' || lexer->at[1] == '\n' || lexer->at[2] == '\0' ||
        lexer->at[length - 1] != '\'')
        source_fail(lexer->source, start, "expected a character constant like 'x'");
    add_token(lexer, TOKEN_NUMBER, start)->value = value;
    lexer->at += length;
}

static void lex_number(struct lexer *lexer)
{
    struct place start = place_here(lexer);
    char *end;
    bool hexadecimal = lexer->at[0] == '0' && (lexer->at[1] | 32) == 'x';
    /* 010 is ten, as in Spin */
    unsigned long long value = strtoull(lexer->at, &end, hexadecimal ? 16 : 10);
    if (value > 0xffffffffull)
        source_fail(lexer->source, start, "this number does not fit in 32 bits");
    lexer->at = end;
    if (isalnum((unsigned char)*end) || *end == '_')
        source_fail(lexer->source, start, "a number is followed by '%c'", *end);
    if (end[0] == '.' && isdigit((unsigned char)end[1]))
        source_fail(lexer->source, start, "Promela has whole numbers only");
    add_token(lexer, TOKEN_NUMBER, start)->value = (int)(unsigned)value;
}

/* The text between the braces that follow c_code, c_expr and c_decl; before it, c_code may have
 * a guard in brackets, which is C as well. */
static void c_text(struct lexer *lexer, struct place start)
{
    while (isspace((unsigned char)*lexer->at)) {
        if (*lexer->at == '\n')
            start_line(lexer);
        else
            lexer->at++;
    }
    if (*lexer->at == '[') {
        const char *close = strchr(lexer->at, ']');
        if (!close)
            source_fail(lexer->source, start, "this guard has no closing ']'");
        struct token *guard = add_token(lexer, TOKEN_C_GUARD, place_here(lexer));
        guard->text =
            source_copy(lexer->source, lexer->at + 1, (size_t)(close - lexer->at - 1));
        while (lexer->at <= close || isspace((unsigned char)*lexer->at)) {
            if (*lexer->at == '\n')
                start_line(lexer);
            else
                lexer->at++;
        }
    }
    if (*lexer->at != '{')
        return; /* the parser says what it expected */
    const char *from = lexer->at + 1;
    int depth = 0;
    do {
        char c = *lexer->at;
        if (c == '\0')
            source_fail(lexer->source, start, "this C text has no closing '}'");
        if (c == '"' || c == '\'') {
            const char *close = lexer->at + 1;
            while (*close != '\0' && *close != '\n' && *close != c)
                close += close[0] == '\\' && close[1] != '\0' ? 2 : 1;
            if (*close == c)
                lexer->at = close;
        }
        if (c == '/' && lexer->at[1] == '*') {
            skip_comment(lexer);
            continue;
        }
        if (c == '/' && lexer->at[1] == '/') {
            while (*lexer->at != '\0' && *lexer->at != '\n')
                lexer->at++;
            continue;
        }
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        if (*lexer->at == '\n')
            start_line(lexer);
        else
            lexer->at++;
        if (c == '\n' && *lexer->at == '#') /* a line marker of an included header */
            lex_directive(lexer);
    } while (depth > 0);
    add_token(lexer, TOKEN_C_TEXT, start)->text =
        source_copy(lexer->source, from, (size_t)(lexer->at - 1 - from));
}

static void lex_name(struct lexer *lexer)
{
    struct place start = place_here(lexer);
    const char *from = lexer->at;
    while (isalnum((unsigned char)*lexer->at) || *lexer->at == '_')
        lexer->at++;
    size_t length = (size_t)(lexer->at - from);
    struct token *token = add_token(lexer, TOKEN_NAME, start);
    token->text = source_copy(lexer->source, from, length);
    for (int i = 0; i <= TOKEN_LAST_WORD - TOKEN_FIRST_WORD; i++)
        if (strcmp(words[i], token->text) == 0)
            token->kind = TOKEN_FIRST_WORD + i;
    int kind = token->kind;
    if (kind == TOKEN_C_CODE || kind == TOKEN_C_DECL || kind == TOKEN_C_EXPR)
        c_text(lexer, start);
}

/* A character that is none of Promela's; some of them are made by word processors. */
static _Noreturn void refuse_character(struct lexer *lexer, struct place start)
{
    static const struct {
        const char *written, *meant;
    } others[] = {{"“", "\""}, {"”", "\""}, {"‘", "'"},  {"’", "'"},  {"–", "-"},
                  {"−", "-"},  {"→", "->"}, {"≤", "<="}, {"≥", ">="}, {"≠", "!="},
                  {"¬", "!"},  {"∧", "&&"}, {"∨", "||"}, {"□", "[]"}, {"◇", "<>"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(lexer->at, others[i].written, strlen(others[i].written)) == 0)
            source_fail(lexer->source, start, "'%s' has no meaning in Promela; %s has",
                        others[i].written, others[i].meant);
    if (strncmp(lexer->at, "\xc2\xa0", 2) == 0)
        source_fail(lexer->source, start, "a no-break space: Promela allows only plain spaces");
    int length = 1;
    while ((lexer->at[length] & 0xc0) == 0x80 && length < 4)
        length++;
    if ((unsigned char)*lexer->at < ' ' || (length == 1 && (*lexer->at & 0x80) != 0))
        source_fail(lexer->source, start, "the byte 0x%02x has no meaning in Promela",
                    (unsigned char)*lexer->at);
    source_fail(lexer->source, start, "'%.*s' has no meaning in Promela", length, lexer->at);
}

static void lex_operator(struct lexer *lexer)
{
    struct place start = place_here(lexer);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (lexer->at[0] == operators[i].text[0] && lexer->at[1] == operators[i].text[1]) {
            lexer->at += 2;
            add_token(lexer, operators[i].kind, start);
            return;
        }
    if (!strchr("{}[]();,:.@?!=<>+-*/%&|^~_", *lexer->at))
        refuse_character(lexer, start);
    add_token(lexer, (unsigned char)*lexer->at++, start);
}

struct token *lexer_split(struct source *source, const char *file, int *count)
{
    struct lexer lexer = {.source = source,
                          .at = source->text,
                          .line_start = source->text,
                          .place = {.file = file, .line = 1}};
    const char *behind = NULL; /* the last token */
    while (*lexer.at != '\0') {
        unsigned char c = (unsigned char)*lexer.at;
        const char *from = lexer.at;
        int had = lexer.count;
        if (c == '\n')
            start_line(&lexer);
        else if (isspace(c))
            lexer.at++;
        else if (c == '#')
            lex_directive(&lexer);
        else if (c == '/' && lexer.at[1] == '*')
            skip_comment(&lexer);
        else if (c == '/' && lexer.at[1] == '/')
            while (*lexer.at != '\0' && *lexer.at != '\n')
                lexer.at++;
        else if (c == '*' && lexer.at[1] == '/')
            lexer.at += 2; /* left over from a comment inside a comment; Spin skips it, too */
        else if (c == '"')
            lex_string(&lexer);
        else if (c == '\'')
            lex_character(&lexer);
        else if (isdigit(c))
            lex_number(&lexer);
        else if (isalpha(c) || c == '_')
            lex_name(&lexer);
        else
            lex_operator(&lexer);
        if (lexer.count > had) {
            struct token *token = &lexer.tokens[had];
            token->written = from;
            token->length = (size_t)(lexer.at - from);
            token->spaced = behind != from;
            behind = lexer.at;
        }
    }
    add_token(&lexer, TOKEN_END, place_here(&lexer));
    *count = lexer.count;
    return lexer.tokens;
}

const char *token_name(int kind)
{
    static char single[8][4];
    static int turn;
    switch (kind) {
    case TOKEN_END:
        return "the end of the file";
    case TOKEN_NAME:
        return "a name";
    case TOKEN_NUMBER:
        return "a number";
    case TOKEN_STRING:
        return "a string";
    case TOKEN_C_TEXT:
        return "'{' and C text";
    case TOKEN_C_GUARD:
        return "'[' and C text";
    }
    if (kind >= TOKEN_FIRST_WORD && kind <= TOKEN_LAST_WORD)
        return words[kind - TOKEN_FIRST_WORD];
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].kind == kind)
            return operators[i].text;
    char *text = single[turn++ & 7];
    text[0] = text[2] = '\'';
    text[1] = (char)kind;
    return text;
}

const char *token_seen(struct source *source, const struct token *token)
{
    if (token->kind == TOKEN_NAME)
        return source_format(source, "'%s'", token->text);
    if (token->kind == TOKEN_NUMBER)
        return source_format(source, "%d", token->value);
    return token_name(token->kind);
}
