/* The translation unit for a model: prelude, channel access by type, one function per proctype,
 * process creation, initial state. Everything is static and small so that an optimising
 * compiler folds channel types and fields, which are constants at almost every call. */
#include "promela/code/codegen.h"

#include "promela/automata/unread.h"

#include "promela/code/embed.h"
#include "promela/code/layout.h"
#include "promela/code/step.h"

/* Generated code has no headers, and names of its own for integers. */
static const char prelude[] =
    "typedef unsigned char u8;\ntypedef unsigned short u16;\n"
    "typedef unsigned u32;\ntypedef unsigned long long u64;\n"
    "#define B(p) (*(u8 *)(p))\n"
    "#define H(p) (*(short *)(p))\n"
    "#define UH(p) (*(u16 *)(p))\n"
    "#define W(p) (*(int *)(p))\n"
    "#define INLINE static inline __attribute__((always_inline))\n"
    "static void fault(struct step *s, u32 kind, u32 id)\n"
    "{ if (s->fault == 0) { s->fault = kind; s->fault_transition = id; } }\n"
    "INLINE u32 ix(struct step *s, int i, u32 length, u32 id)\n"
    "{ if ((u32)i < length) return (u32)i; fault(s, FAULT_INDEX, id); return 0; }\n"
    "static int quotient(struct step *s, int a, int b, u32 id)\n"
    "{ if (b == 0) { fault(s, FAULT_DIVISION, id); return 0; } return b == -1 ? -a : a / b; }\n"
    "static int remain(struct step *s, int a, int b, u32 id)\n"
    "{ if (b == 0) { fault(s, FAULT_DIVISION, id); return 0; } return b == -1 ? 0 : a % b; }\n"
    "INLINE u32 no_channel(struct step *s, const struct shape *sh, u32 c, u32 id)\n"
    "{ if (c - 1 < sh->channels) return 0; fault(s, FAULT_NO_CHANNEL, id); return 1; }\n"
    "INLINE u8 *begin_from(struct step *s, const u8 *from)\n"
    "{ u64 *to = (u64 *)s->next; const u64 *old = (const u64 *)from;\n"
    "  for (u32 i = 0; i < (s->shape->size + 7) / 8; i++) to[i] = old[i];\n"
    "  s->next_shape = s->shape; s->fault_mark = s->fault;\n"
    "  C_LOAD(s->next, from + ((s->shape->size + 7) & ~7u)); return s->next; }\n"
    "INLINE u8 *begin(struct step *s) { return begin_from(s, s->now); }\n"
    "static void hand_over(struct step *s, u32 id, u32 pid, u32 receive, u32 partner, u32 "
    "atomic)\n"
    "{ if (s->count == s->capacity) { fault(s, FAULT_CAPACITY, id); return; }\n"
    "  struct successor *r = &s->list[s->count++]; r->vector = s->next; r->shape = "
    "s->next_shape;\n"
    "  r->transition = id; r->receive = receive; r->pid = pid; r->partner = partner;\n"
    "  r->atomic = atomic; r->fault = 0;\n"
    "  if (s->fault && !s->fault_mark)\n"
    "  { r->fault = s->fault; r->fault_transition = s->fault_transition; s->fault = 0; }\n"
    "  if (LAST_OFFSET >= 0) B(s->next + LAST_OFFSET) = partner == 0xffffffffu ? pid : "
    "partner;\n"
    "  u32 size = s->next_shape->size; if (size & 4) W(s->next + size) = 0;\n"
    "  size = (size + 7) & ~7u; C_SAVE(s->next, s->next + size); s->next += size + C_TAIL; }\n"
    "INLINE void commit(struct step *s, u32 id, u32 pid, u32 atomic)\n"
    "{ hand_over(s, id, pid, 0xffffffffu, 0xffffffffu, atomic); s->moved++; }\n"
    "static void join(struct step *s, u32 id, u32 sender, u32 receive, u32 pid, u32 atomic)\n"
    "{ u32 before = s->count; hand_over(s, id, sender, receive, pid, atomic); s->moved++;\n"
    "  struct successor *r = &s->list[before];\n"
    "  if (s->count > before && s->sender_fault && !r->fault)\n"
    "  { r->fault = s->sender_fault; r->fault_transition = s->sender_transition; } }\n"
    "INLINE int whole(int value) { return value; }\n"
    "INLINE int at(const int *m, u32 i) { return m[i]; }\n"
    "static void claim_to(struct step *s, u32 target, u32 id)\n"
    "{ if (s->claim_count < 256) { s->claim_target[s->claim_count] = target;\n"
    "  s->claim_transition[s->claim_count++] = id; } else fault(s, FAULT_CAPACITY, id); }\n"
    "static u32 find_process(const struct shape *sh, u32 type)\n"
    "{ for (u32 i = 0; i < sh->processes; i++) if (sh->type[i] == type) return i;\n"
    "  return 0xffffffffu; }\n"
    "static u32 remote(struct step *s, const struct shape *sh, u32 pid, u32 type, u32 id)\n"
    "{ if (pid < sh->processes && sh->type[pid] == type) return sh->offset[pid];\n"
    "  fault(s, FAULT_REMOTE, id); return 0; }\n"
    "static int at_label(struct step *s, const u8 *v, const struct shape *sh, u32 pid, u32 "
    "type,\n"
    "  u32 width, u32 state)\n"
    "{ if (pid >= sh->processes || sh->type[pid] != type) return 0;\n"
    "  const u8 *p = v + sh->offset[pid]; return (width == 2 ? UH(p) : B(p)) == state; }\n";

static const char priority_code[] =
    "static int priority_of(struct step *s, const u8 *v, const struct shape *sh, u32 pid, u32 "
    "id)\n"
    "{ if (pid >= sh->processes) { fault(s, FAULT_REMOTE, id); return 0; }\n"
    "  return B(v + sh->offset[pid] + PRIORITY(sh->type[pid])); }\n"
    "static void set_priority(struct step *s, u8 *n, u32 pid, int value, u32 id)\n"
    "{ if (pid >= s->next_shape->processes) { fault(s, FAULT_REMOTE, id); return; }\n"
    "  B(n + s->next_shape->offset[pid] + PRIORITY(s->next_shape->type[pid])) = value; }\n";

static const char queue_code[] =
    "static int q_len(struct step *s, const struct shape *sh, const u8 *v, u32 c, u32 id)\n"
    "{ return no_channel(s, sh, c, id) ? 0 : B(v + sh->channel_offset[c - 1]); }\n"
    "static int q_full(struct step *s, const struct shape *sh, const u8 *v, u32 c, u32 id)\n"
    "{ if (no_channel(s, sh, c, id)) return 0; u32 room = capacity(sh->channel_type[c - 1]);\n"
    "  return room != 0 && B(v + sh->channel_offset[c - 1]) >= room; }\n"
    "static void take(u32 t, u8 *q, u32 k)\n"
    "{ u32 size = slot_size(t), last = first_slot(t) + (B(q) - 1) * size;\n"
    "  for (u32 i = first_slot(t) + k * size; i < last; i++) q[i] = q[i + size];\n"
    "  for (u32 i = 0; i < size; i++) q[last + i] = 0;\n"
    "  B(q)--; }\n"
    "static u32 make_room(u32 t, u8 *q, const int *m, u32 count)\n"
    "{ u32 k = 0, length = B(q), size = slot_size(t);\n"
    "  for (; k < length; k++) { u32 f = 0; while (f < count && get(t, q, k, f) == m[f]) f++;\n"
    "    if (f < count && m[f] < get(t, q, k, f)) break; }\n"
    "  u32 from = first_slot(t) + k * size, end = first_slot(t) + length * size;\n"
    "  for (u32 i = end; i > from; i--) q[i - 1 + size] = q[i - 1];\n"
    "  return k; }\n";

/* enabled() tries the steps of a process in a corner of the arena and forgets them. */
static const char enabled_code[] =
    "void mazur_expand(struct step *s, u32 pid);\n"
    "static int is_enabled(struct step *s, const u8 *v, const struct shape *sh, u32 pid, u32 "
    "id)\n"
    "{ if (pid >= sh->processes) return 0;\n"
    "  if (s->nested >= 4) { fault(s, FAULT_ENABLED, id); return 0; }\n"
    "  struct step kept = *s; s->now = v; s->shape = sh; s->nested++; s->fault = 0; s->print = "
    "0;\n"
    "  s->middle = s->next + (1 << 20); s->next += 2 << 20; s->list += s->count;\n"
    "  s->count = 0; s->moved = 0; mazur_expand(s, pid); int able = s->count != 0;\n"
    "  *s = kept; C_LOAD(v, v + ((sh->size + 7) & ~7u)); return able; }\n";

static const char pc_value_code[] =
    "static int pc_value(const u8 *v, const struct shape *sh, u32 pid)\n"
    "{ if (pid >= sh->processes) return 0;\n"
    "  const u8 *p = v + sh->offset[pid]; u32 type = sh->type[pid];\n"
    "  return control_number[type][control_wide[type] ? UH(p) : B(p)]; }\n";

static void code_table(struct code_generator *g, const char *name,
                       int (*value)(const struct channel_type *))
{
    fprintf(g->out, "INLINE u32 %s(u32 t)\n{ switch (t) {\n", name);
    for (int i = 0; i < g->model->channel_type_count; i++)
        fprintf(g->out, "case %d: return %d;\n", i, value(g->model->channel_types[i]));
    fprintf(g->out, "} return 0; }\n");
}

static int capacity_of(const struct channel_type *type)
{
    return type->capacity;
}

static int fields_of(const struct channel_type *type)
{
    return type->field_count;
}

static int slot_size_of(const struct channel_type *type)
{
    return type->slot_size;
}

static void code_field_access(struct code_generator *g, bool write)
{
    fprintf(g->out,
            write ? "INLINE void put(u32 t, u8 *q, u32 k, u32 f, int value)\n{ switch (t) {\n"
                  : "INLINE int get(u32 t, const u8 *q, u32 k, u32 f)\n{ switch (t) {\n");
    for (int i = 0; i < g->model->channel_type_count; i++) {
        const struct channel_type *type = g->model->channel_types[i];
        fprintf(g->out, "case %d: switch (f) {\n", i);
        for (int f = 0; f < type->field_count; f++) {
            struct code_leaf leaf = {.type = type->fields[f], .bits = type->field_bits[f]};
            leaf.address = source_format(&g->model->source, "q + %d + k * %d",
                                         layout_channel_base(type) + type->field_offset[f],
                                         type->slot_size);
            if (write)
                fprintf(g->out, "case %d: %s return;\n", f,
                        code_write(g, leaf, type->field_dropped[f] ? "0" : "value"));
            else
                fprintf(g->out, "case %d: return %s;\n", f, code_read(g, leaf));
        }
        fprintf(g->out, "}\n");
    }
    fprintf(g->out, write ? "} }\n" : "} return 0; }\n");
}

/* A value as a message field holds it: in a rendezvous there is no slot that cuts it off. */
static void code_fit(struct code_generator *g)
{
    fprintf(g->out, "INLINE int fit(u32 t, u32 f, int value)\n{ int cell = 0; switch (t) {\n");
    for (int i = 0; i < g->model->channel_type_count; i++) {
        const struct channel_type *type = g->model->channel_types[i];
        if (type->capacity > 0)
            continue;
        fprintf(g->out, "case %d: switch (f) {\n", i);
        for (int f = 0; f < type->field_count; f++) {
            struct code_leaf leaf = {"&cell", type->fields[f], type->field_bits[f]};
            fprintf(g->out, "case %d: %s return %s;\n", f, code_write(g, leaf, "value"),
                    code_read(g, leaf));
        }
        fprintf(g->out, "}\n");
    }
    fprintf(g->out, "} return cell; }\n");
}

static void code_initialiser(struct code_generator *g, const struct code_mode *mode,
                             const struct symbol *symbol);

/* Members may have initial values of their own. */
static void code_structure(struct code_generator *g, const struct code_mode *mode,
                           const struct symbol *symbol)
{
    for (int i = 0; i < symbol->length; i++)
        for (int k = 0; k < symbol->structure->field_count; k++) {
            struct symbol field = *symbol->structure->fields[k];
            field.owner = symbol->owner;
            field.offset += symbol->offset + i * layout_element_size(symbol);
            code_initialiser(g, mode, &field);
        }
}

static void code_initialiser(struct code_generator *g, const struct code_mode *mode,
                             const struct symbol *symbol)
{
    if (symbol->type == TYPE_STRUCT) {
        code_structure(g, mode, symbol);
        return;
    }
    const struct expression *value = symbol->init;
    for (int i = 0; i < symbol->length; i++) {
        struct code_leaf leaf = code_symbol_leaf(g, "n", mode->self, symbol, i);
        if (symbol->channel) {
            fprintf(g->out,
                    "{ u32 made = s->add_channel(s, %d); if (made == 0) fault(s, "
                    "FAULT_PROCESSES, id); %s }\n",
                    symbol->channel->index, code_write(g, leaf, "made"));
            continue;
        }
        if (!value)
            return;
        const char *text = code_expression(g, mode, value);
        if (!element_is_dropped(symbol, i))
            fprintf(g->out, "%s\n", code_write(g, leaf, text));
        else if (value_has_effect(value))
            fprintf(g->out, "(void)(%s);\n", text);
        if (symbol->init_list && value->next) /* the last one is for all that follow */
            value = value->next;
    }
}

static void code_run_declaration(struct code_generator *g, const struct proctype *p)
{
    fprintf(g->out, "static int run_%d(struct step *s, u32 id, int priority", p->index);
    for (int i = 0; i < parameter_leaves(p); i++)
        fprintf(g->out, ", int a%d", i);
    fprintf(g->out, ")");
}

static void code_run(struct code_generator *g, const struct proctype *p)
{
    struct code_mode mode = {.base = "n", .shape = "s->next_shape", .self = "o"};
    code_run_declaration(g, p);
    fprintf(g->out,
            "\n{ u32 pid = s->add_process(s, %d);\nif (pid == 0xffffffffu) { fault(s, "
            "FAULT_PROCESSES, id); return 0; }\nu8 *n = s->next; const u32 o = "
            "s->next_shape->offset[pid];\n%s(n + o) = %d;\n",
            p->index, p->control_width == 2 ? "UH" : "B", p->automaton->start);
    if (g->model->uses_priority)
        fprintf(g->out, "B(n + o + %d) = priority < 0 ? %d : priority;\n", p->priority_offset,
                p->priority);
    int parameter = 0;
    for (struct symbol *symbol = p->locals; symbol; symbol = symbol->next) {
        if (!symbol->parameter) {
            code_initialiser(g, &mode, symbol);
            continue;
        }
        struct code_leaf *leaves;
        int count = code_symbol_leaves(g, "n", "o", symbol, &leaves);
        for (int i = 0; i < count; i++, parameter++)
            if (!leaf_symbol(symbol, i)->dropped)
                fprintf(g->out, "%s\n",
                        code_write(g, leaves[i],
                                   source_format(&g->model->source, "a%d", parameter)));
    }
    embed_start(g, p);
    fprintf(g->out, "return (int)pid; }\n");
}

static void code_start(struct code_generator *g)
{
    struct code_mode mode = {.base = "n", .shape = "s->next_shape", .self = "0"};
    fprintf(g->out, "void mazur_start(struct step *s)\n{ u8 *n = s->next; const u32 id = 0;\n");
    /* channels of their own first: their numbers are known in advance (check_model.c) */
    for (int turn = 0; turn < 2; turn++)
        for (const struct symbol *s = g->model->globals; s; s = s->next)
            if (s->kind == SYMBOL_VARIABLE && !s->channel == (turn != 0))
                code_initialiser(g, &mode, s);
    embed_start(g, NULL);
    if (g->model->claim) {
        fprintf(g->out, "UH(n + %d) = %d;\n", g->model->claim_offset,
                g->model->claim->automaton->start);
        for (const struct symbol *s = g->model->claim->locals; s; s = s->next)
            code_initialiser(g, &mode, s);
    }
    if (g->model->trace)
        fprintf(g->out, "UH(n + %d) = %d;\n", g->model->trace_offset,
                g->model->trace->automaton->start);
    for (int i = 0; i < g->model->proctype_count; i++) {
        const struct proctype *p = g->model->proctypes[i];
        for (int k = 0; k < p->active; k++) {
            fprintf(g->out, "run_%d(s, 0, -1", p->index);
            for (int a = 0; a < parameter_leaves(p); a++)
                fprintf(g->out, ", 0");
            fprintf(g->out, ");\n");
        }
    }
    fprintf(g->out,
            "C_SAVE(n, n + ((s->next_shape->size + 7) & ~7u));\n(void)n; (void)id; }\n");
}

static void code_dispatch(struct code_generator *g)
{
    fprintf(g->out,
            "void mazur_expand(struct step *s, u32 pid)\n{ switch (s->shape->type[pid]) {\n");
    for (int i = 0; i < g->model->proctype_count; i++)
        fprintf(g->out, "case %d: p_%d(s, pid); break;\n", i, i);
    fprintf(g->out, "} }\n");
}

static void code_rendezvous(struct code_generator *g)
{
    fprintf(
        g->out,
        "static void rendezvous(struct step *s, u32 sender, u32 c, const int *m, u32 given, "
        "u32 id)\n{ u64 *to = (u64 *)s->middle; const u64 *from = (const u64 *)s->next;\n"
        "for (u32 i = 0; i < (s->shape->size + 7) / 8; i++) to[i] = from[i];\n"
        "C_SAVE(s->middle, s->middle + ((s->shape->size + 7) & ~7u));\n"
        "for (u32 i = s->shape->processes; i-- > 0;) if (i != sender) switch "
        "(s->shape->type[i]) {\n");
    for (int i = 0; i < g->model->proctype_count; i++)
        fprintf(g->out, "case %d: r_%d(s, i, sender, c, m, given, id); break;\n", i, i);
    fprintf(g->out, "} }\n");
}

/* Control states under the numbers that Spin gives them. */
static void code_pc_value(struct code_generator *g)
{
    const struct model *model = g->model;
    for (int i = 0; i < model->proctype_count; i++) {
        const struct automaton *a = model->proctypes[i]->automaton;
        fprintf(g->out, "static const u16 numbers_%d[] = {", i);
        for (int k = 0; k < a->count; k++)
            fprintf(g->out, "%d, ", a->states[k].number);
        fprintf(g->out, "};\n");
    }
    fprintf(g->out, "static const u16 *const control_number[] = {");
    for (int i = 0; i < model->proctype_count; i++)
        fprintf(g->out, "numbers_%d, ", i);
    fprintf(g->out, "};\nstatic const u8 control_wide[] = {");
    for (int i = 0; i < model->proctype_count; i++)
        fprintf(g->out, "%d, ", model->proctypes[i]->control_width == 2);
    fprintf(g->out, "};\n%s", pc_value_code);
}

void code_generate(struct model *model, FILE *out)
{
    struct code_generator generator = {.model = model, .out = out}, *g = &generator;
    if (model->uses_c) {
        embed_generate(g);
        embed_rename(g);
    }
    bool copies = false;
    for (int i = 0; i < model->c_memory_count; i++)
        copies |= !!model->c_memories[i].size_text;
    fprintf(out, copies ? "#define C_LOAD(v, t) mazur_load((u8 *)(v), (u8 *)(t))\n"
                          "#define C_SAVE(v, t) mazur_save((u8 *)(v), (u8 *)(t))\n"
                        : "#define C_LOAD(v, t)\n#define C_SAVE(v, t)\n");
    fprintf(out, "#define C_LOAD_NOW(v) %s\n#define C_TAIL %d\n",
            copies ? "mazur_load((u8 *)(v), (u8 *)(v) + ((s->shape->size + 7) & ~7u))" : "0",
            model->c_tail);
    fprintf(out, "%s\n#define LAST_OFFSET %d\n%s", STEP_STRING(STEP_DECLARATIONS),
            model->last_offset, prelude);
    fprintf(out, "#define PRIORITY(type) priority_offset[type]\nstatic const u32 "
                 "priority_offset[] = {");
    for (int i = 0; i < model->proctype_count; i++)
        fprintf(out, "%d, ", model->proctypes[i]->priority_offset);
    fprintf(out, "};\n%s", priority_code);
    code_table(g, "capacity", capacity_of);
    code_table(g, "fields", fields_of);
    code_table(g, "slot_size", slot_size_of);
    code_table(g, "first_slot", layout_channel_base);
    code_field_access(g, false);
    code_field_access(g, true);
    code_fit(g);
    fprintf(out, "%s", queue_code);
    for (int i = 0; i < model->proctype_count; i++) {
        code_run_declaration(g, model->proctypes[i]);
        fprintf(out, ";\n");
    }
    code_trace(g);
    if (model->uses_enabled)
        fprintf(out, "%s", enabled_code);
    if (model->uses_pc_value)
        code_pc_value(g);
    for (int i = 0; i < model->proctype_count; i++)
        code_run(g, model->proctypes[i]);
    for (int i = 0; i < model->proctype_count; i++)
        code_receivers(g, model->proctypes[i]);
    code_rendezvous(g);
    for (int i = 0; i < model->proctype_count; i++)
        code_transitions(g, model->proctypes[i]);
    code_dispatch(g);
    code_start(g);
    code_claim(g);
}
