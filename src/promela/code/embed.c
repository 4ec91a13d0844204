/* See embed.h. */
#include "promela/code/embed.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/buffer.h"
#include "host/temporary.h"
#include "host/tool.h"
#include "promela/code/layout.h"

extern char **environ;

#define TRACKED_MOST (1 << 19) /* bytes of one piece of C memory */

/* Names that generated code uses for itself. */
static const char *const own_names[] = {
    "u8",
    "u16",
    "u32",
    "u64",
    "shape",
    "successor",
    "step",
    "fault",
    "B",
    "H",
    "UH",
    "W",
    "INLINE",
    "ix",
    "quotient",
    "remain",
    "no_channel",
    "begin_from",
    "begin",
    "hand_over",
    "commit",
    "join",
    "at",
    "claim_to",
    "find_process",
    "remote",
    "at_label",
    "priority_of",
    "set_priority",
    "q_len",
    "q_full",
    "take",
    "make_room",
    "capacity",
    "fields",
    "slot_size",
    "first_slot",
    "get",
    "put",
    "rendezvous",
    "traced",
    "is_enabled",
    "pc_value",
    "PRIORITY",
    "priority_offset",
    "middle",
    "vector",
    "list",
};

/* The name that C sees a proctype's locals under, without the P. */
static const char *embed_process_name(const struct proctype *proctype)
{
    return proctype->init ? "init" : proctype->name;
}

/* Is there a name at `at`, not in the middle of another? */
static bool name_here(const char *start, const char *at, const char *name)
{
    size_t length = strlen(name);
    bool before = at > start && (at[-1] == '_' || isalnum((unsigned char)at[-1]));
    return !before && strncmp(at, name, length) == 0;
}

/* The user's text: `\#` is `#`, and a process knows its number without a member for it. */
static void print_text(struct code_generator *g, const struct c_fragment *f, const char *text)
{
    char own[256] = "";
    if (f && f->proctype)
        snprintf(own, sizeof own, "P%.200s->_pid", embed_process_name(f->proctype));
    for (const char *at = text; *at != '\0'; at++) {
        if (at[0] == '\\' && at[1] == '#')
            continue;
        if (own[0] != '\0' && *at == 'P' && name_here(text, at, own)) {
            fputs("mazur_pid", g->out);
            at += strlen(own) - 1;
            continue;
        }
        fputc(*at, g->out);
    }
}

static void print_place(struct code_generator *g, struct place place)
{
    if (place.file && !strpbrk(place.file, "\"\\\n"))
        fprintf(g->out, "\n#line %d \"%s\"\n", place.line, place.file);
}

/* --- structures over the vector --- */

static void print_member(struct code_generator *g, const struct symbol *s)
{
    if (s->type == TYPE_C) {
        if (!s->c_size)
            fprintf(g->out, "%s;\n", s->c_text);
        else
            fprintf(g->out, "unsigned char %s[%d];\n", s->name, s->bits);
        return;
    }
    if (s->type == TYPE_STRUCT) {
        fprintf(g->out, "struct %s %s", s->structure->name, s->name);
    } else {
        int width = layout_width(s->type, s->bits);
        bool is_signed = s->type == TYPE_SHORT || s->type == TYPE_INT;
        fprintf(g->out, "%s%s %s", is_signed ? "" : "unsigned ",
                width == 1   ? "char"
                : width == 2 ? "short"
                             : "int",
                s->name);
        bool bit = s->type == TYPE_BIT || s->type == TYPE_BOOL;
        if (!s->array && (bit || (s->type == TYPE_UNSIGNED && s->bits < 8 * width)))
            fprintf(g->out, ":%d", bit ? 1 : s->bits);
    }
    if (s->array)
        fprintf(g->out, "[%d]", s->length);
    fprintf(g->out, ";\n");
}

static bool in_vector(const struct symbol *s)
{
    return s->kind == SYMBOL_VARIABLE;
}

/* Members in the order of their offsets, gaps filled; the structure is packed. */
static void print_members(struct code_generator *g, struct symbol *const *symbols, int count,
                          int from)
{
    int at = from, filler = 0;
    for (;;) {
        const struct symbol *next = NULL;
        for (int i = 0; i < count; i++)
            if (in_vector(symbols[i]) && symbols[i]->offset >= at &&
                (!next || symbols[i]->offset < next->offset))
                next = symbols[i];
        if (!next)
            return;
        if (next->offset > at)
            fprintf(g->out, "unsigned char mazur_gap_%d[%d];\n", filler++, next->offset - at);
        print_member(g, next);
        fprintf(g->out, "unsigned char :0;\n");
        at = next->offset + layout_element_size(next) * next->length;
    }
}

static void print_structure(struct code_generator *g, const char *name, struct symbol *list,
                            int from)
{
    int count = 0;
    for (const struct symbol *s = list; s; s = s->next)
        count++;
    struct symbol **symbols =
        source_alloc(&g->model->source, sizeof *symbols * (size_t)(count + 1));
    count = 0;
    for (struct symbol *s = list; s; s = s->next)
        symbols[count++] = s;
    fprintf(g->out, "struct %s {\n", name);
    if (from > 0)
        fprintf(g->out, "unsigned char mazur_head[%d];\n", from);
    print_members(g, symbols, count, from);
    fprintf(g->out, "} __attribute__((packed));\n");
}

static int first_offset(const struct symbol *list)
{
    int first = -1;
    for (const struct symbol *s = list; s; s = s->next)
        if (in_vector(s) && (first < 0 || s->offset < first))
            first = s->offset;
    return first < 0 ? 0 : first;
}

static void print_structures(struct code_generator *g)
{
    struct model *model = g->model;
    for (const struct symbol *s = model->globals; s; s = s->next)
        if (s->kind == SYMBOL_STRUCTURE) {
            fprintf(g->out, "struct %s {\n", s->structure->name);
            print_members(g, s->structure->fields, s->structure->field_count, 0);
            fprintf(g->out, "} __attribute__((packed, aligned(1)));\n");
        }
    print_structure(g, "State", model->globals, first_offset(model->globals));
    fprintf(g->out, "static unsigned char *mazur_now, *mazur_self;\nstatic int mazur_pid;\n"
                    "#define now (*(struct State *)mazur_now)\n");
    for (int i = 0; i < model->proctype_count; i++) {
        struct proctype *p = model->proctypes[i];
        const char *name = embed_process_name(p);
        print_structure(g, source_format(&model->source, "mazur_P%s", name), p->locals,
                        first_offset(p->locals));
        fprintf(g->out, "#define P%s ((struct mazur_P%s *)mazur_self)\n", name, name);
    }
}

/* --- memory --- */

static void print_copies(struct code_generator *g, const char *name, bool load)
{
    fprintf(g->out,
            "static void %s(unsigned char *vector, unsigned char *tail)\n{ mazur_now = vector; "
            "(void)tail;\n",
            name);
    for (int i = 0; i < g->model->c_memory_count; i++) {
        const struct c_memory *m = &g->model->c_memories[i];
        if (m->scope != C_MATCHED && m->scope != C_UNMATCHED)
            continue;
        const char *place = m->scope == C_MATCHED
                                ? source_format(&g->model->source, "now.%s", m->symbol->name)
                                : source_format(&g->model->source, "tail + %d", m->tail);
        print_place(g, m->place);
        if (load)
            fprintf(g->out, "__builtin_memcpy((void *)(%s), (void *)(%s), %d);\n", m->text,
                    place, m->size);
        else
            fprintf(g->out, "__builtin_memcpy((void *)(%s), (void *)(%s), %d);\n", place,
                    m->text, m->size);
    }
    fprintf(g->out, "}\n");
}

static void print_fragments(struct code_generator *g, enum c_kind kind)
{
    for (int i = 0; i < g->model->c_fragment_count; i++) {
        const struct c_fragment *f = &g->model->c_fragments[i];
        if (f->kind != kind)
            continue;
        if (f->guard) {
            fprintf(g->out, "static int mazur_guard_%d(void) { return !!(", i);
            print_place(g, f->place);
            print_text(g, f, f->guard);
            fprintf(g->out, "\n); }\n");
        }
        if (kind == C_STATEMENT)
            fprintf(g->out, "static void mazur_c_%d(void) {", i);
        if (kind == C_EXPRESSION)
            fprintf(g->out, "static int mazur_c_%d(void) { return (", i);
        print_place(g, f->place);
        print_text(g, f, f->text);
        fprintf(g->out, kind == C_STATEMENT    ? "\n;}\n"
                        : kind == C_EXPRESSION ? "\n); }\n"
                                               : "\n");
    }
}

/* What Spin's verifier offers to embedded C: Printf prints when a trail is followed and not
 * while states are searched, uerror makes a failure of the statement that calls it. Models that
 * look for the best of many runs write trails themselves; here that has no effect. */
static void print_services(struct code_generator *g)
{
    fprintf(g->out, "static const char *mazur_error;\n"
                    "static void uerror(const char *text) { mazur_error = text; }\n"
                    "static void Uerror(const char *text) { mazur_error = text; }\n"
                    "static int Printf(const char *format, ...) { return 0; }\n"
                    "static long Nr_Trails;\n"
                    "static void putrail(void) { Nr_Trails++; }\n");
}

/* Initial values may name other variables of the state: functions of the user's part. */
static void print_initial_values(struct code_generator *g)
{
    for (int i = 0; i < g->model->c_memory_count; i++) {
        const struct c_memory *m = &g->model->c_memories[i];
        if (!m->initial || (m->scope != C_GLOBAL && m->scope != C_LOCAL))
            continue;
        fprintf(g->out, "static void mazur_first_%d(unsigned char *to) {", i);
        print_place(g, m->place);
        fprintf(g->out,
                "struct { %s; } mazur_value = { %s };\n"
                "__builtin_memcpy(to, &mazur_value, %d); }\n",
                m->text, m->initial, m->size);
    }
}

static bool is_extern(const struct c_memory *m)
{
    return name_here(m->text, m->text, "extern ");
}

void embed_generate(struct code_generator *g)
{
    print_services(g);
    print_fragments(g, C_DECLARATION);
    for (int i = 0; i < g->model->c_memory_count; i++)
        if (g->model->c_memories[i].scope == C_HIDDEN) {
            const struct c_memory *m = &g->model->c_memories[i];
            print_place(g, m->place);
            fprintf(g->out, m->initial ? "%s%s = %s;\n" : "%s%s;\n",
                    is_extern(m) ? "" : "static ", m->text, m->initial);
        }
    print_structures(g);
    fprintf(g->out, "extern int printf(const char *, ...);\n");
    print_fragments(g, C_FUNCTIONS);
    print_fragments(g, C_STATEMENT);
    print_fragments(g, C_EXPRESSION);
    print_initial_values(g);
    print_copies(g, "mazur_load", true);
    print_copies(g, "mazur_save", false);
    fprintf(g->out, "\n#line 1 \"generated\"\n");
}

void embed_rename(struct code_generator *g)
{
    fprintf(g->out, "#undef now\n");
    for (int i = 0; i < g->model->proctype_count; i++)
        fprintf(g->out, "#undef P%s\n", embed_process_name(g->model->proctypes[i]));
    for (size_t i = 0; i < sizeof own_names / sizeof *own_names; i++)
        fprintf(g->out, "#undef %s\n#define %s mazur_own_%s\n", own_names[i], own_names[i],
                own_names[i]);
}

/* --- calls --- */

static const char *set_context(struct code_generator *g, const struct code_mode *mode,
                               const char *base)
{
    /* a claim has variables of its own, at the start of the vector, but no number */
    bool process = mode->self && strcmp(mode->self, "0") != 0;
    return source_format(&g->model->source,
                         "mazur_now = (u8 *)%s, mazur_self = (u8 *)%s + %s, "
                         "mazur_pid = %s",
                         base, base, mode->self ? mode->self : "0",
                         process ? "(int)pid" : "-1");
}

const char *embed_expression(struct code_generator *g, const struct code_mode *mode, int number)
{
    /* a state that is being left: its tracked memory must be in place */
    const char *load = "";
    if (g->model->c_memory_count > 0 && mode->base[0] == 'v')
        load = "C_LOAD_NOW(v), ";
    return source_format(&g->model->source, "(%s%s, mazur_c_%d())", load,
                         set_context(g, mode, mode->base), number);
}

bool embed_guarded(const struct code_generator *g, int number)
{
    return g->model->c_fragments[number].guard;
}

void embed_statement(struct code_generator *g, const struct code_mode *mode, int number,
                     const char *fail)
{
    fprintf(g->out, "%s;\n", set_context(g, mode, "n"));
    if (embed_guarded(g, number))
        fprintf(g->out, "if (!mazur_guard_%d()) { fault(s, FAULT_C_GUARD, %d); goto %s; }\n",
                number, mode->transition, fail);
    fprintf(g->out,
            "{ mazur_error = 0; mazur_c_%d(); if (mazur_error) { fault(s, FAULT_C_ERROR, %d);\n"
            "if (s->print != 0) { s->text = mazur_error; s->print(s, %d, 0, 0); } } }\n",
            number, mode->transition, mode->transition);
}

void embed_start(struct code_generator *g, const struct proctype *proctype)
{
    for (int i = 0; i < g->model->c_memory_count; i++) {
        const struct c_memory *m = &g->model->c_memories[i];
        bool here =
            m->scope == C_GLOBAL ? !proctype : m->scope == C_LOCAL && m->proctype == proctype;
        if (here && m->initial)
            fprintf(g->out, "mazur_now = (u8 *)n; mazur_first_%d((u8 *)n + %s%d);\n", i,
                    proctype ? "o + " : "", m->symbol->offset);
    }
}

/* --- sizes --- */

const char *embed_folder(struct model *model)
{
    const char *slash = strrchr(model->file, '/');
    return !slash ? "."
                  : source_format(&model->source, "%.*s", (int)(slash - model->file + 1),
                                  model->file);
}

static bool run_compiler(struct model *model, const char *compiler, const char *folder,
                         const char *text, const char *object)
{
    char *arguments[] = {(char *)compiler, "-w",         "-shared",
                         "-fPIC",          "-iquote",    (char *)embed_folder(model),
                         "-iquote",        ".",          "-o",
                         (char *)object,   (char *)text, NULL};
    struct tool tool = {.arguments = arguments,
                        .temporary = folder,
                        .input = TOOL_SAME,
                        .output = TOOL_SAME,
                        .errors = TOOL_SAME};
    return tool_run(&tool) == 0;
}

/* Sizes as a table in an object of its own. */
static bool print_probe(struct code_generator *g)
{
    print_services(g);
    print_fragments(g, C_DECLARATION);
    for (int i = 0; i < g->model->c_memory_count; i++) {
        const struct c_memory *m = &g->model->c_memories[i];
        print_place(g, m->place);
        if (!m->size_text && m->scope != C_HIDDEN)
            fprintf(g->out, "struct mazur_size_%d { %s; } __attribute__((packed));\n", i,
                    m->text);
    }
    fprintf(g->out, "const unsigned long long mazur_sizes[] = {\n");
    for (int i = 0; i < g->model->c_memory_count; i++) {
        const struct c_memory *m = &g->model->c_memories[i];
        print_place(g, m->place);
        if (m->scope == C_HIDDEN)
            fprintf(g->out, "1, /* has no place in the vector */\n");
        else if (!m->size_text)
            fprintf(g->out, "sizeof(struct mazur_size_%d),\n", i);
        else
            fprintf(g->out, "(%s),\n", m->size_text);
    }
    fprintf(g->out, "0};\n");
    return ferror(g->out) == 0;
}

static void read_sizes(struct model *model, const char *object)
{
    void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    const unsigned long long *sizes = handle ? dlsym(handle, "mazur_sizes") : NULL;
    for (int i = 0; sizes && i < model->c_memory_count; i++)
        model->c_memories[i].size = sizes[i] <= TRACKED_MOST ? (int)sizes[i] : -1;
    if (handle)
        dlclose(handle);
}

static bool probe_sizes(struct model *model, const char *compiler)
{
    struct code_generator g = {.model = model};
    char *folder = temporary_make(temporary_parent(), "mazur-model-");
    if (!folder)
        return false;
    char *text = format_text("%s/sizes.c", folder);
    char *object = format_text("%s/sizes.so", folder);
    g.out = fopen(text, "we");
    bool good = g.out && print_probe(&g);
    if (g.out)
        good = fclose(g.out) == 0 && good;
    good = good && run_compiler(model, compiler, folder, text, object);
    if (good)
        read_sizes(model, object);
    temporary_remove(folder);
    free(folder);
    free(text);
    free(object);
    return good;
}

/* A place in the vector, as a variable that only C can name. */
static void add_symbol(struct model *model, struct c_memory *m, int number)
{
    struct symbol *s = source_alloc(&model->source, sizeof *s);
    *s = (struct symbol){.name = source_format(&model->source, "mazur_memory_%d", number),
                         .kind = SYMBOL_VARIABLE,
                         .place = m->place,
                         .type = TYPE_C,
                         .bits = m->size,
                         .length = 1,
                         .channel_first = -1,
                         .c_text = m->text,
                         .c_size = m->size_text,
                         .owner = m->proctype};
    struct symbol ***tail =
        m->scope == C_LOCAL ? &m->proctype->locals_tail : &model->globals_tail;
    **tail = s;
    *tail = &s->next;
    m->symbol = s;
}

bool embed_measure(struct model *model, const char *compiler)
{
    if (model->c_memory_count == 0 || model->c_memories[0].size != 0)
        return true; /* nothing, or known from an earlier pass */
    if (!probe_sizes(model, compiler))
        return false;
    for (int i = 0; i < model->c_memory_count; i++) {
        struct c_memory *m = &model->c_memories[i];
        if (m->size <= 0)
            source_fail(&model->source, m->place, "this C memory is empty or too large");
        if (m->scope == C_UNMATCHED) {
            m->tail = model->c_tail;
            model->c_tail += (m->size + 7) & ~7;
        } else if (m->scope != C_HIDDEN) {
            add_symbol(model, m, i);
        }
    }
    return true;
}
