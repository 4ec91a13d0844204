/* Transitions as C: the steps of a process, the receives that join a rendezvous, the moves of a
 * claim. What a statement does is made by codegen_statement.c; here is where it leads. */
#include <stdlib.h>

#include "promela/code/codegen.h"

static const char *control_text(struct code_generator *g, const struct proctype *p, int target)
{
    return source_format(&g->model->source, "%s(n + o) = %d;",
                         p->control_width == 2 ? "UH" : "B", target);
}

/* Set to zero what is dead at `target`, if it could have held something before. */
static const char *reset_text(struct code_generator *g, const struct proctype *p,
                              const char *so_far, int target)
{
    if (p->tracked_count == 0 || target < 0)
        return so_far;
    const uint64_t *live = p->automaton->states[target].live;
    for (const struct symbol *s = p->locals; s; s = s->next) {
        int bit = s->tracked - 1;
        if (bit >= 0 && !(live[bit / 64] >> (bit % 64) & 1))
            so_far = source_format(&g->model->source, "%s %s", so_far,
                                   code_write(g, code_symbol_leaf(g, "n", "o", s, 0), "0"));
    }
    return so_far;
}

/* Where a transition leads: the local steps merged into it, then control and dead variables. */
static const char *onward_text(struct code_generator *g, const struct proctype *p,
                               const struct transition *t)
{
    if (t->target < 0)
        return "";
    char *text = NULL;
    size_t length = 0;
    FILE *out = g->out;
    g->out = open_memstream(&text, &length);
    if (!g->out)
        source_fail(&g->model->source, t->place, "out of memory");
    int target = t->target;
    for (int i = 0; i < t->merged_count; i++) {
        const struct transition *m = t->merged[i];
        struct code_mode mode = {.base = "n",
                                 .shape = "s->next_shape",
                                 .self = "o",
                                 .begin = "",
                                 .control = "",
                                 .finish = "",
                                 .transition = m->id};
        if (m->kind == TRANSITION_STATEMENT && m->statement->kind != STATEMENT_EXPRESSION)
            code_statement(g, &mode, m->statement);
        target = m->target;
    }
    fclose(g->out);
    g->out = out;
    const char *kept = source_copy(&g->model->source, text, length);
    free(text);
    kept = source_format(&g->model->source, "%s%s", kept, control_text(g, p, target));
    return reset_text(g, p, kept, target);
}

static bool keeps_control(const struct transition *t)
{
    return t->merged_count > 0 ? t->merged[t->merged_count - 1]->atomic : t->atomic;
}

/* The inner states of a d_step from one on, as labels within one block. `fail` is where to go
 * if that one blocks, and the step is not begun; NULL: it has begun already. */
static void code_step_states(struct code_generator *g, const struct proctype *p,
                             const struct transition *step, int start, const char *fail)
{
    const struct automaton *a = p->automaton;
    struct source *source = &g->model->source;
    bool *seen = source_alloc(source, (size_t)a->count);
    int *work = source_alloc(source, sizeof(int) * (size_t)a->count), count = 0;
    int number = g->label++;
    work[count++] = start;
    seen[start] = true;
    fprintf(g->out, "u32 turns = 0;\n");
    for (int done = 0; done < count; done++) {
        const struct control_state *state = &a->states[work[done]];
        fprintf(g->out,
                "D%d_%d: if (++turns > 1000000) { fault(s, FAULT_LONG_DSTEP, %d); goto "
                "D%d_done; }\n",
                number, work[done], step->id, number);
        for (int i = 0; i < state->count; i++) {
            const struct transition *t = &state->transitions[i];
            bool inner = t->target >= 0 && a->states[t->target].inside >= 0;
            if (inner && !seen[t->target]) {
                seen[t->target] = true;
                work[count++] = t->target;
            }
            const char *onward =
                inner
                    ? source_format(source, "goto D%d_%d;", number, t->target)
                    : source_format(source, "%s goto D%d_done;",
                                    reset_text(g, p, control_text(g, p, t->target), t->target),
                                    number);
            struct code_mode mode = {.base = "n",
                                     .shape = "s->next_shape",
                                     .self = "o",
                                     .begin = "",
                                     .control = "",
                                     .finish = onward,
                                     .transition = t->id,
                                     .step = true};
            if (t->kind == TRANSITION_SKIP)
                fprintf(g->out, "%s\n", onward);
            else
                code_statement(g, &mode, t->statement);
        }
        if (done == 0 && fail)
            fprintf(g->out, "goto %s;\n", fail);
        else
            fprintf(g->out, "fault(s, FAULT_BLOCKED_DSTEP, %d); goto D%d_done;\n",
                    state->count > 0 ? state->transitions[0].id : step->id, number);
    }
    fprintf(g->out, "D%d_done:\n", number);
}

static void code_transition(struct code_generator *g, const struct proctype *p,
                            const struct transition *t)
{
    struct source *source = &g->model->source;
    const char *commit =
        source_format(source, "commit(s, %d, pid, %d);", t->id, keeps_control(t));
    struct code_mode mode = {.base = "v",
                             .shape = "sh",
                             .self = "o",
                             .begin = "n = begin(s);",
                             .control = onward_text(g, p, t),
                             .finish = commit,
                             .transition = t->id};
    fprintf(g->out, "/* %d: line %d */\n", t->id, t->place.line);
    switch (t->kind) {
    case TRANSITION_SKIP:
        fprintf(g->out, "n = begin(s); %s %s\n", mode.control, commit);
        return;
    case TRANSITION_END:
        fprintf(g->out,
                "if (pid + 1 == sh->processes) { n = begin(s); s->end_process(s); %s }\n",
                commit);
        return;
    case TRANSITION_ELSE:
        fprintf(g->out, "if (s->moved == before) { n = begin(s); %s %s }\n", mode.control,
                commit);
        return;
    case TRANSITION_DSTEP: {
        const char *fail = source_format(source, "L%d", g->label++);
        fprintf(g->out, "{ n = begin(s);\n");
        code_step_states(g, p, t, t->dstep_start, fail);
        fprintf(g->out, "%s\n%s:; }\n", commit, fail);
        return;
    }
    case TRANSITION_STATEMENT:
        code_statement(g, &mode, t->statement);
    }
}

void code_transitions(struct code_generator *g, const struct proctype *p)
{
    struct code_mode mode = {.base = "v", .shape = "sh", .self = "o", .transition = 0};
    fprintf(g->out,
            "static void p_%d(struct step *s, const u32 pid)\n{\n"
            "const u8 *v = s->now; const struct shape *sh = s->shape;\n"
            "const u32 o = sh->offset[pid], before = s->moved, made = s->count; u8 *n;\n",
            p->index);
    if (p->provided)
        fprintf(g->out, "if (!(%s)) return;\n", code_expression(g, &mode, p->provided));
    fprintf(g->out, "switch (%s(v + o)) {\n", p->control_width == 2 ? "UH" : "B");
    for (int i = 0; i < p->automaton->count; i++) {
        const struct control_state *state = &p->automaton->states[i];
        if (state->inside >= 0)
            continue;
        fprintf(g->out, "case %d:\n", i);
        for (int k = 0; k < state->count; k++) {
            if (k > 0 && state->transitions[k - 1].escape != state->transitions[k].escape)
                fprintf(g->out, "if (s->count != made) break;\n");
            code_transition(g, p, &state->transitions[k]);
        }
        fprintf(g->out, "break;\n");
    }
    fprintf(g->out, "}\n");
    if (p->deterministic) /* one send that two processes could receive is one statement */
        fprintf(g->out, "for (u32 i = made + 1; i < s->count; i++)\n"
                        "if (s->list[i].transition != s->list[made].transition)\n"
                        "fault(s, FAULT_CHOICE, s->list[i].transition);\n");
    fprintf(g->out, "}\n");
}

static bool may_rendezvous(const struct transition *t)
{
    if (t->kind != TRANSITION_STATEMENT || t->statement->kind != STATEMENT_RECEIVE ||
        t->statement->peek) /* a fault, wherever it is met: FAULT_POLL */
        return false;
    const struct channel_type *type = channel_static_type(t->statement->target);
    return !type || type->capacity == 0;
}

/* What follows on the receive of a rendezvous; that of a d_step is its first statement. */
static void code_received(struct code_generator *g, const struct proctype *p,
                          const struct transition *t, const struct transition *step)
{
    if (!step)
        fprintf(g->out, "%s\n", onward_text(g, p, t));
    else if (p->automaton->states[t->target].inside >= 0)
        code_step_states(g, p, step, t->target, NULL);
    else
        fprintf(g->out, "%s\n", reset_text(g, p, control_text(g, p, t->target), t->target));
}

/* `step` is the d_step that begins with the receive, or NULL. */
static void code_receiver(struct code_generator *g, const struct proctype *p,
                          const struct transition *t, const struct transition *step)
{
    const struct transition *whole = step ? step : t;
    const struct statement *s = t->statement;
    struct code_mode mode = {.base = "v", .shape = "sh", .self = "o", .transition = t->id};
    struct code_mode effect = code_effect_mode(&mode);
    int count;
    const char *match = code_match(g, &mode, s->list, "at(m", &count);
    fprintf(g->out, "if (c == (u32)(%s)) {\n", code_expression(g, &mode, s->target));
    fprintf(g->out, "if (given < %d) fault(s, FAULT_FIELDS, %d);\nelse if (%s) {\n", count,
            t->id, match);
    fprintf(g->out, "n = begin_from(s, s->middle);\n");
    fprintf(g->out, "if (s->print != 0) { s->channel = c - 1; s->print(s, %d, m, given); }\n",
            t->id);
    code_take_message(g, &effect, s->list);
    if (g->model->trace)
        fprintf(g->out, "traced(s, n, c, 0, m, given, id); traced(s, n, c, 1, m, given, %d);\n",
                t->id);
    code_received(g, p, t, step);
    fprintf(g->out, "join(s, id, sender, %d, pid, %d);\n} }\n", whole->id,
            keeps_control(whole));
}

/* The receives that a transition begins with, coded unless `g` is NULL; are there any? */
static bool each_receiver(struct code_generator *g, const struct proctype *p,
                          const struct transition *t)
{
    bool any = false;
    if (t->kind != TRANSITION_DSTEP) {
        any = may_rendezvous(t);
        if (any && g)
            code_receiver(g, p, t, NULL);
        return any;
    }
    const struct control_state *start = &p->automaton->states[t->dstep_start];
    if (g) /* a d_step takes the first that fits */
        fprintf(g->out, "{ const u32 joined = s->count;\n");
    for (int i = 0; i < start->count; i++) {
        if (!may_rendezvous(&start->transitions[i]))
            continue;
        any = true;
        if (!g)
            break;
        fprintf(g->out, "if (s->count == joined)\n");
        code_receiver(g, p, &start->transitions[i], t);
    }
    if (g)
        fprintf(g->out, "(void)joined; }\n");
    return any;
}

void code_receivers(struct code_generator *g, const struct proctype *p)
{
    struct code_mode provided = {.base = "v", .shape = "sh", .self = "o"};
    fprintf(
        g->out,
        "static void r_%d(struct step *s, const u32 pid, u32 sender, u32 c, const int *m, u32 "
        "given, u32 id)\n{\nconst u8 *v = s->middle; const struct shape *sh = s->shape;\n"
        "const u32 o = sh->offset[pid], made = s->count; u8 *n;\n",
        p->index);
    if (p->provided)
        fprintf(g->out, "if (!(%s)) return;\n", code_expression(g, &provided, p->provided));
    fprintf(g->out, "switch (%s(v + o)) {\n", p->control_width == 2 ? "UH" : "B");
    for (int i = 0; i < p->automaton->count; i++) {
        const struct control_state *state = &p->automaton->states[i];
        bool any = false;
        for (int k = 0; k < state->count; k++)
            any |= each_receiver(NULL, p, &state->transitions[k]);
        if (state->inside >= 0 || !any)
            continue;
        fprintf(g->out, "case %d:\n", i);
        for (int k = 0; k < state->count; k++) {
            if (k > 0 && state->transitions[k - 1].escape != state->transitions[k].escape)
                fprintf(g->out, "if (s->count != made) break;\n");
            each_receiver(g, p, &state->transitions[k]);
        }
        fprintf(g->out, "break;\n");
    }
    fprintf(g->out, "}\n}\n");
}

/* Assignments to the claim's own variables: from the state that it looked at (v) to the one
 * that the step leads to (n). */
static void code_claim_effects(struct code_generator *g)
{
    const struct proctype *claim = g->model->claim;
    fprintf(g->out,
            "void mazur_claim_effect(struct step *s, u8 *n, u32 id)\n{ const u8 *v = s->now; "
            "const struct shape *sh = s->shape;\nswitch (id) {\n");
    for (int i = 0; i < claim->automaton->count; i++)
        for (int k = 0; k < claim->automaton->states[i].count; k++) {
            const struct transition *t = &claim->automaton->states[i].transitions[k];
            if (t->kind != TRANSITION_STATEMENT || t->statement->kind != STATEMENT_ASSIGN)
                continue;
            struct code_mode mode = {
                .base = "v", .shape = "sh", .self = "0", .transition = t->id};
            struct code_mode effect = code_effect_mode(&mode);
            struct code_leaf *leaf;
            if (code_leaves(g, &effect, t->statement->target, &leaf) != 1)
                source_fail(&g->model->source, t->place,
                            "a structure is assigned member by "
                            "member");
            fprintf(g->out, "case %d: %s break;\n", t->id,
                    code_write(g, *leaf, code_expression(g, &mode, t->statement->value)));
        }
    fprintf(g->out, "}\n(void)v; (void)sh; }\n");
}

/* An atomic sequence or d_step of a claim looks at one state as a whole: its next statement is
 * tried at once. Where that one blocks, an atomic sequence waits there. */
static const char *claim_onward(struct code_generator *g, const struct automaton *a,
                                const struct transition *t)
{
    struct source *source = &g->model->source;
    bool step = a->states[t->target].inside >= 0;
    const char *go = source_format(source, "claim_to(s, %d, %d);", t->target, t->id);
    if (!t->atomic && !step)
        return go;
    if (g->model->claim->locals)
        source_fail(source, t->place,
                    "atomic and d_step in a claim with variables are not supported");
    if (step)
        go = source_format(source, "fault(s, FAULT_BLOCKED_DSTEP, %d);", t->id);
    return source_format(source,
                         "{ u32 before = s->claim_count; if (s->chained > 1000) fault(s, "
                         "FAULT_LONG_DSTEP, %d); else { s->chained++; mazur_claim(s, %d); "
                         "s->chained--; }\nif (s->claim_count == before && !s->fault) %s }",
                         t->id, t->target, go);
}

static void code_claim_move(struct code_generator *g, const struct automaton *a,
                            const struct transition *t)
{
    if (t->kind == TRANSITION_END)
        return;
    if (t->kind == TRANSITION_DSTEP) {
        fprintf(g->out, "mazur_claim(s, %d);\n", t->dstep_start);
        return;
    }
    const char *go = claim_onward(g, a, t);
    struct code_mode mode = {.base = "v",
                             .shape = "sh",
                             .self = "0",
                             .begin = "",
                             .control = "",
                             .finish = go,
                             .transition = t->id};
    if (t->kind == TRANSITION_ELSE)
        fprintf(g->out, "if (s->claim_count == made) %s\n", go);
    else if (t->kind == TRANSITION_SKIP || t->statement->kind == STATEMENT_ASSIGN ||
             t->statement->kind == STATEMENT_PRINT)
        fprintf(g->out, "%s\n", go);
    else if (t->statement->kind == STATEMENT_ASSERT)
        fprintf(g->out, "if (!(%s)) fault(s, FAULT_ASSERT, %d);\n%s\n",
                code_expression(g, &mode, t->statement->value), t->id, go);
    else
        code_statement(g, &mode, t->statement);
}

/* Which parts of the formula hold in the state that the claim would look at: a bit for each. */
static void code_parts(struct code_generator *g, const struct proctype *claim)
{
    struct code_mode mode = {.base = "v", .shape = "sh", .self = "0"};
    fprintf(g->out, "u64 mazur_parts(struct step *s)\n{\nconst u8 *v = s->now; const struct "
                    "shape *sh = s->shape; u64 truth = 0;\n");
    for (int i = 0; i < claim->part_count; i++)
        fprintf(g->out, "if (%s) truth |= (u64)1 << %d;\n",
                code_expression(g, &mode, claim->parts[i]), i);
    fprintf(g->out, "(void)v; (void)sh; return truth; }\n");
}

void code_claim(struct code_generator *g)
{
    const struct proctype *claim = g->model->claim;
    if (claim && claim->part_count > 0)
        code_parts(g, claim);
    if (claim && claim->locals)
        code_claim_effects(g);
    fprintf(
        g->out,
        "void mazur_claim(struct step *s, u32 state)\n{\nconst u8 *v = s->now; const struct "
        "shape *sh = s->shape; const u32 made = s->claim_count; u8 *n;\nswitch (state) {\n");
    for (int i = 0; claim && i < claim->automaton->count; i++) {
        const struct control_state *state = &claim->automaton->states[i];
        fprintf(g->out, "case %d:\n", i);
        for (int k = 0; k < state->count; k++)
            code_claim_move(g, claim->automaton, &state->transitions[k]);
        fprintf(g->out, "break;\n");
    }
    fprintf(g->out, "}\n(void)made; }\n");
}
