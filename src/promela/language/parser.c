/* The parser's core: tokens, scopes, and what stands at the top of a model. */
#include "promela/language/parser.h"

#include <stdlib.h>
#include <string.h>

#include "base/must.h"

static void pop_ended_ranges(struct parser *parser)
{
    while (parser->range->at == parser->range->count && parser->range->outer) {
        parser->inline_call = parser->range->inline_call;
        parser->range = parser->range->outer;
    }
}

const struct token *parser_peek(struct parser *parser)
{
    pop_ended_ranges(parser);
    struct token_range *range = parser->range;
    return &range->tokens[range->at < range->count ? range->at : range->count - 1];
}

const struct token *parser_peek_second(struct parser *parser)
{
    pop_ended_ranges(parser);
    struct token_range *range = parser->range;
    return &range->tokens[range->at + 1 < range->count ? range->at + 1 : range->count - 1];
}

struct token parser_take(struct parser *parser)
{
    struct token token = *parser_peek(parser);
    parser->last_line = token.place.line;
    if (parser->range->at < parser->range->count)
        parser->range->at++;
    return token;
}

const char *parser_written(struct parser *parser, const struct token_range *range, int from)
{
    size_t length = 1;
    for (int i = from; i < range->at; i++)
        length += range->tokens[i].length + 1;
    char *text = source_alloc(parser->source, length), *end = text;
    for (int i = from; i < range->at; i++) {
        const struct token *token = &range->tokens[i];
        if (i > from && token->spaced)
            *end++ = ' ';
        if (token->length > 0)
            memcpy(end, token->written, token->length);
        end += token->length;
    }
    *end = '\0';
    return text;
}

bool parser_accept(struct parser *parser, int kind)
{
    if (parser_peek(parser)->kind != kind)
        return false;
    parser_take(parser);
    return true;
}

struct token parser_expect(struct parser *parser, int kind, const char *context)
{
    const struct token *found = parser_peek(parser);
    if (found->kind != kind)
        source_fail(parser->source, found->place, "expected %s %s, found %s%s",
                    token_name(kind), context, token_seen(parser->source, found),
                    found->kind == TOKEN_NAME           ? parser_meant(parser, found->text)
                    : found->kind == '=' && kind == ')' ? "; == compares"
                    : kind == TOKEN_NAME && found->kind >= TOKEN_FIRST_WORD &&
                            found->kind <= TOKEN_LAST_WORD
                        ? ", a word of the language"
                        : "");
    return parser_take(parser);
}

void parser_close(struct parser *parser, struct token open, const char *context)
{
    if (parser_peek(parser)->kind == TOKEN_END)
        source_fail(parser->source, open.place, "this '{' is never closed");
    parser_expect(parser, '}', context);
}

void parser_enter(struct parser *parser, struct place place)
{
    if (++parser->nesting > NESTING_LIMIT)
        source_fail(parser->source, place, "nested more than %d deep", NESTING_LIMIT);
}

void parser_leave(struct parser *parser)
{
    must(parser->nesting > 0);
    parser->nesting--;
}

struct symbol *parser_lookup(struct parser *parser, const char *name)
{
    for (struct scope *scope = parser->scope; scope; scope = scope->outer)
        for (int i = scope->count; i-- > 0;)
            if (strcmp(scope->symbols[i]->name, name) == 0)
                return scope->symbols[i];
    for (struct symbol *symbol = parser->model->globals; symbol; symbol = symbol->next)
        if (strcmp(symbol->name, name) == 0)
            return symbol;
    return NULL;
}

struct symbol *parser_declare(struct parser *parser, struct token name, enum symbol_kind kind)
{
    static const char *const predefined[] = {"_", "_pid", "_nr_pr", "_last", "_priority"};
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        if (strcmp(name.text, predefined[i]) == 0)
            source_fail(parser->source, name.place, "'%s' is predefined", name.text);
    struct symbol *symbol = source_alloc(parser->source, sizeof *symbol);
    *symbol = (struct symbol){
        .name = name.text, .kind = kind, .place = name.place, .length = 1, .channel_first = -1};
    struct scope *scope = parser->scope;
    if (scope) {
        for (int i = 0; i < scope->count; i++)
            if (strcmp(scope->symbols[i]->name, name.text) == 0)
                source_fail(parser->source, name.place, "'%s' is already declared at line %d",
                            name.text, scope->symbols[i]->place.line);
        scope->symbols =
            source_grow(parser->source, scope->symbols, scope->count, sizeof *scope->symbols);
        scope->symbols[scope->count++] = symbol;
        symbol->owner = parser->proctype;
        *parser->proctype->locals_tail = symbol;
        parser->proctype->locals_tail = &symbol->next;
        return symbol;
    }
    struct symbol *other = parser_lookup(parser, name.text);
    if (other)
        source_fail(parser->source, name.place, "'%s' is already declared at line %d",
                    name.text, other->place.line);
    *parser->model->globals_tail = symbol;
    parser->model->globals_tail = &symbol->next;
    return symbol;
}

bool parser_at_type(struct parser *parser)
{
    const struct token *token = parser_peek(parser);
    switch (token->kind) {
    case TOKEN_BIT:
    case TOKEN_BOOL:
    case TOKEN_BYTE:
    case TOKEN_PID:
    case TOKEN_SHORT:
    case TOKEN_INT:
    case TOKEN_UNSIGNED:
    case TOKEN_CHAN:
    case TOKEN_MTYPE:
    case TOKEN_HIDDEN:
    case TOKEN_SHOW:
    case TOKEN_LOCAL:
        return true;
    case TOKEN_NAME: {
        struct symbol *symbol = parser_lookup(parser, token->text);
        return symbol && symbol->kind == SYMBOL_STRUCTURE;
    }
    }
    return false;
}

static void parse_typedef(struct parser *parser)
{
    struct token name = parser_expect(parser, TOKEN_NAME, "after 'typedef'");
    struct structure *structure = source_alloc(parser->source, sizeof *structure);
    structure->name = name.text;
    struct proctype collector = {.locals_tail = &collector.locals};
    struct scope scope = {0};
    parser_expect(parser, '{', "for the members");
    parser->proctype = &collector;
    parser->scope = &scope;
    while (parser_peek(parser)->kind != '}') {
        if (!parser_accept(parser, ';'))
            parser_declaration(parser, false);
        if (parser_peek(parser)->kind == TOKEN_END)
            break;
    }
    parser->proctype = NULL;
    parser->scope = NULL;
    parser_expect(parser, '}', "after the members");
    for (int i = 0; i < scope.count; i++) {
        scope.symbols[i]->owner = NULL;
        scope.symbols[i]->next = NULL;
    }
    structure->fields = scope.symbols;
    structure->field_count = scope.count;
    if (scope.count == 0)
        source_fail(parser->source, name.place, "typedef %s has no members", name.text);
    parser_declare(parser, name, SYMBOL_STRUCTURE)->structure = structure;
}

static void parse_mtype_names(struct parser *parser, const char *set)
{
    parser_expect(parser, '{', "for the names of an mtype");
    struct symbol *added[256];
    int count = 0, present = 0;
    for (struct symbol *s = parser->model->globals; s; s = s->next)
        present +=
            s->kind == SYMBOL_MTYPE &&
            (s->mtype_set == set || (set && s->mtype_set && strcmp(set, s->mtype_set) == 0));
    do {
        struct token name = parser_expect(parser, TOKEN_NAME, "for a symbol of an mtype");
        if (present + count >= 255)
            source_fail(parser->source, name.place, "more than 255 symbols in one mtype");
        added[count] = parser_declare(parser, name, SYMBOL_MTYPE);
        added[count++]->mtype_set = set;
        while (parser_accept(parser, ',')) /* optional, as in Spin */
            ;
    } while (parser_peek(parser)->kind == TOKEN_NAME);
    parser_expect(parser, '}', "after the names of an mtype");
    for (int i = 0; i < count; i++) /* Spin numbers them from the last to the first */
        added[i]->value = present + count - i;
}

static struct proctype *new_proctype(struct parser *parser, const char *name,
                                     struct place place)
{
    struct proctype *proctype = source_alloc(parser->source, sizeof *proctype);
    *proctype = (struct proctype){.name = name, .place = place, .priority = 1};
    proctype->turn = parser->model->turns++;
    proctype->locals_tail = &proctype->locals;
    return proctype;
}

static void keep_proctype(struct parser *parser, struct proctype *proctype)
{
    struct model *model = parser->model;
    proctype->index = model->proctype_count;
    model->proctypes = source_grow(parser->source, model->proctypes, model->proctype_count,
                                   sizeof *model->proctypes);
    model->proctypes[model->proctype_count++] = proctype;
}

static void parse_body(struct parser *parser, struct proctype *proctype, const char *context)
{
    struct scope scope = {0}; /* parameters and the body's own declarations share it */
    if (!parser->scope)
        parser->scope = &scope;
    parser->proctype = proctype;
    struct token open = parser_expect(parser, '{', context);
    parser->at_start = true;
    parser->loops = parser->in_d_step = 0;
    proctype->body = parse_sequence(parser, open.place);
    proctype->late = parser->model->late;
    parser_close(parser, open, "to close the body");
    parser->proctype = NULL;
    parser->scope = NULL;
}

static void parse_priority(struct parser *parser, struct proctype *proctype)
{
    if (parser_accept(parser, TOKEN_PRIORITY)) {
        struct place place = parser_peek(parser)->place;
        proctype->priority = expression_constant(parser->model, parse_expression(parser));
        if (proctype->priority < 1 || proctype->priority > 255)
            source_fail(parser->source, place, "a priority is 1 to 255");
        parser->model->uses_priority = true;
    }
}

static void parse_proctype(struct parser *parser, int active, bool deterministic)
{
    struct token name = parser_expect(parser, TOKEN_NAME, "for a proctype");
    struct symbol *symbol = parser_lookup(parser, name.text);
    struct proctype *proctype = symbol->proctype;
    if (proctype->body)
        source_fail(parser->source, name.place, "proctype '%s' is already defined at line %d",
                    name.text, proctype->place.line);
    proctype->place = name.place;
    proctype->turn = parser->model->turns++;
    proctype->active = active;
    proctype->deterministic = deterministic;
    parser->model->uses_deterministic |= deterministic;
    keep_proctype(parser, proctype);
    struct scope scope = {0};
    parser->scope = &scope;
    parser->proctype = proctype;
    parser->sequence = NULL;
    parser_expect(parser, '(', "after the name of a proctype");
    while (parser_peek(parser)->kind != ')') {
        if (!parser_accept(parser, ';') && !parser_accept(parser, ','))
            parser_declaration(parser, true);
        if (parser_peek(parser)->kind == TOKEN_END)
            break;
    }
    parser_expect(parser, ')', "after the parameters");
    parse_priority(parser, proctype);
    if (parser_accept(parser, TOKEN_PROVIDED)) {
        parser_expect(parser, '(', "after 'provided'");
        proctype->provided = parse_expression(parser);
        parser_expect(parser, ')', "after the condition");
        parser->model->uses_provided = true;
    }
    parse_body(parser, proctype, "for the body of a proctype");
}

static void parse_claim(struct parser *parser, struct place place, int kind)
{
    struct model *model = parser->model;
    const char *name = kind == TOKEN_NEVER ? "never" : token_name(kind);
    if (parser_peek(parser)->kind == TOKEN_NAME)
        name = parser_take(parser).text;
    struct proctype *claim = new_proctype(parser, name, place);
    claim->claim = true;
    parse_body(parser, claim, "for the body of the claim");
    if (kind != TOKEN_NEVER) {
        if (model->trace)
            source_fail(parser->source, place, "a model has at most one trace or notrace");
        claim->trace = true;
        claim->notrace = kind == TOKEN_NOTRACE;
        model->trace = claim;
        return;
    }
    model->claims =
        source_grow(parser->source, model->claims, model->claim_count, sizeof *model->claims);
    model->claims[model->claim_count++] = claim;
}

/* The text is parsed when all names are known; here it is only set aside. */
static void parse_ltl(struct parser *parser, struct place place)
{
    struct formula *formula = source_alloc(parser->source, sizeof *formula);
    formula->place = place;
    formula->name = parser_peek(parser)->kind == TOKEN_NAME
                        ? parser_take(parser).text
                        : source_format(parser->source, "ltl_%d", parser->formula_count);
    for (int i = 0; i < parser->formula_count; i++)
        if (strcmp(parser->formula_of[i]->name, formula->name) == 0)
            source_fail(parser->source, place, "formula '%s' is already defined at line %d",
                        formula->name, parser->formula_of[i]->place.line);
    parser_expect(parser, '{', "before a formula");
    if (parser->formula_count == 64)
        source_fail(parser->source, place, "more than 64 formulas");
    struct token_range *range = source_alloc(parser->source, sizeof *range);
    *range = *parser->range;
    parser->formula_of[parser->formula_count] = formula;
    parser->formulas[parser->formula_count++] = range;
    int depth = 1;
    while (depth > 0) {
        struct token token = parser_take(parser);
        if (token.kind == TOKEN_END)
            source_fail(parser->source, place, "this formula has no closing '}'");
        depth += token.kind == '{' ? 1 : token.kind == '}' ? -1 : 0;
    }
    int end = parser->range->at;
    do /* the text is without the closing brace */
        parser->range->at--;
    while (parser->range->at > range->at && range->tokens[parser->range->at - 1].kind == ';');
    formula->text = parser_written(parser, parser->range, range->at);
    parser->range->at = end;
    struct formula **tail = &parser->model->formulas;
    while (*tail)
        tail = &(*tail)->next;
    *tail = formula;
}

static void parse_active(struct parser *parser)
{
    int count = 1;
    if (parser_accept(parser, '[')) {
        struct place place = parser_peek(parser)->place;
        count = parse_bound(parser);
        if (count < 0 || count > 255)
            source_fail(parser->source, place, "active: 0 to 255 processes");
        parser_expect(parser, ']', "after the number of processes");
    }
    bool deterministic = parser_accept(parser, TOKEN_D_PROCTYPE);
    if (!deterministic)
        parser_expect(parser, TOKEN_PROCTYPE, "after 'active'");
    parse_proctype(parser, count, deterministic);
}

static void parse_init(struct parser *parser, struct place place)
{
    struct proctype *init = new_proctype(parser, ":init:", place);
    init->init = true;
    init->active = 1;
    for (int i = 0; i < parser->model->proctype_count; i++)
        if (parser->model->proctypes[i]->init)
            source_fail(parser->source, place, "a second init");
    parse_priority(parser, init);
    keep_proctype(parser, init);
    parse_body(parser, init, "for the body of init");
}

/* `mtype = { … }` and `mtype:set = { … }`; false: a declaration with this type. */
static bool parse_mtype(struct parser *parser)
{
    struct token second = *parser_peek_second(parser);
    struct token_range mark = *parser->range;
    parser_take(parser);
    const char *set = NULL;
    if (second.kind == ':') {
        parser_take(parser);
        set = parser_expect(parser, TOKEN_NAME, "after 'mtype:'").text;
    }
    if (parser_accept(parser, '=') || parser_peek(parser)->kind == '{') {
        parse_mtype_names(parser, set);
        return true;
    }
    *parser->range = mark;
    return false;
}

static void parse_unit(struct parser *parser)
{
    struct token token = *parser_peek(parser);
    if (token.kind == TOKEN_MTYPE && parse_mtype(parser))
        return;
    if (parser_at_type(parser)) {
        parser->sequence = NULL;
        parser_declaration(parser, false);
        return;
    }
    parser_take(parser);
    switch (token.kind) {
    case ';':
        return;
    case TOKEN_ACTIVE:
        parse_active(parser);
        return;
    case TOKEN_PROCTYPE:
    case TOKEN_D_PROCTYPE:
        parse_proctype(parser, 0, token.kind == TOKEN_D_PROCTYPE);
        return;
    case TOKEN_INIT:
        parse_init(parser, token.place);
        return;
    case TOKEN_NEVER:
    case TOKEN_TRACE:
    case TOKEN_NOTRACE:
        parse_claim(parser, token.place, token.kind);
        return;
    case TOKEN_LTL:
        parse_ltl(parser, token.place);
        return;
    case TOKEN_INLINE:
        parser_inline(parser);
        return;
    case TOKEN_TYPEDEF:
        parse_typedef(parser);
        return;
    case TOKEN_C_DECL:
    case TOKEN_C_STATE:
    case TOKEN_C_TRACK:
    case TOKEN_C_CODE:
        parse_c_unit(parser, token);
        return;
    }
    source_fail(parser->source, token.place,
                "expected a declaration, proctype, init, never or ltl, found %s%s",
                token_seen(parser->source, &token),
                token.kind == TOKEN_NAME ? parser_meant(parser, token.text) : "");
}

/* run and remote references may name a proctype that stands further down. */
static void foresee_proctypes(struct parser *parser)
{
    const struct token_range *range = parser->range;
    for (int i = 0; i + 1 < range->count; i++) {
        const struct token *token = &range->tokens[i];
        if ((token->kind == TOKEN_PROCTYPE || token->kind == TOKEN_D_PROCTYPE) &&
            token[1].kind == TOKEN_NAME && !parser_lookup(parser, token[1].text)) {
            struct symbol *symbol = parser_declare(parser, token[1], SYMBOL_PROCTYPE);
            symbol->proctype = new_proctype(parser, token[1].text, token[1].place);
            symbol->proctype->symbol = symbol;
        }
    }
}

static void parse_model(struct model *model, const struct model_load_options *options)
{
    struct source *source = &model->source;
    if (options->text) {
        source->length = strlen(options->text);
        source->text = source_copy(source, options->text, source->length);
    } else {
        source->seconds = options->seconds;
        source_read(source, model->file, options->defines, options->define_count);
    }
    struct token_range range = {0};
    range.tokens = lexer_split(source, model->file, &range.count);
    struct parser parser = {.model = model, .source = source, .range = &range};
    foresee_proctypes(&parser);
    while (parser_peek(&parser)->kind != TOKEN_END)
        parse_unit(&parser);
    for (int i = 0; i < parser.formula_count; i++) {
        parser.range = parser.formulas[i];
        parser.formula_of[i]->tree = parse_formula(&parser);
    }
    if (model->proctype_count == 0)
        source_fail(source, (struct place){.file = model->file, .line = 1, .column = 1},
                    "no proctype and no init");
    model_check(model);
}

static bool try_parse(struct model *model, const struct model_load_options *options)
{
    if (setjmp(model->source.escape) != 0)
        return false;
    parse_model(model, options);
    return true;
}

struct model *model_load(const char *file, const struct model_load_options *options)
{
    struct model *model = calloc(1, sizeof *model);
    if (!model)
        return NULL;
    model->file = file;
    model->globals_tail = &model->globals;
    model->source.quiet = options->quiet;
    if (!try_parse(model, options)) {
        model_free(model);
        return NULL;
    }
    return model;
}

void model_free(struct model *model)
{
    if (!model)
        return;
    source_free(&model->source);
    free(model);
}
