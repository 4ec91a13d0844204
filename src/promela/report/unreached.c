/* See unreached.h.
 *
 * A search marks the transitions that it takes (macro.c). A statement is reached if one of its
 * transitions is, or is one of the local steps that were merged into such a one: a statement of
 * an escape sequence has a transition from every state that it may interrupt. What stands
 * inside a d_step goes with the d_step; jumps and ends of processes are no statements here. A
 * reduced search takes every statement that the full one takes: no step is postponed for ever
 * (search_reach.c), and whatever happens in some order of the full graph happens in an
 * equivalent one of the reduced. */
#include "promela/report/unreached.h"

#include <stdlib.h>
#include <string.h>

static bool is_statement(const struct transition *t)
{
    return t->statement && (t->kind == TRANSITION_STATEMENT || t->kind == TRANSITION_ELSE ||
                            t->kind == TRANSITION_DSTEP);
}

static bool is_outside(const struct verifier *v, uint32_t id)
{
    const struct transition_info *info = &v->transitions[id];
    return info->transition && !info->proctype->claim && !info->proctype->trace &&
           info->proctype->automaton->states[info->state].inside < 0;
}

static void mark_statement(const struct transition *t)
{
    if (t->statement)
        t->statement->reached = true;
}

static void mark_reached(const struct verifier *v)
{
    for (uint32_t id = 0; id < v->transition_count; id++)
        if (v->transitions[id].transition && v->transitions[id].transition->statement)
            v->transitions[id].transition->statement->reached = false;
    for (uint32_t id = 0; id < v->transition_count; id++) {
        const struct transition *t = v->transitions[id].transition;
        if (!t || !atomic_load(&v->reached[id]))
            continue;
        mark_statement(t);
        for (int i = 0; i < t->merged_count; i++)
            mark_statement(t->merged[i]);
    }
}

static int compare_unreached(const void *left, const void *right)
{
    const struct unreached_statement *a = left, *b = right;
    return a->place.line - b->place.line;
}

static void add_unreached(struct result *result, const struct verifier *v, uint32_t id)
{
    struct arena *arena = &result->arena;
    const struct transition_info *info = &v->transitions[id];
    struct place place = place_in_body(info->transition->place);
    result->unreached[result->nunreached++] = (struct unreached_statement){
        .process = arena_text(arena, info->proctype->name),
        .statement = arena_text(arena, statement_text(v->model, info->transition->statement)),
        .place = {.file = place.file ? arena_text(arena, place.file) : NULL,
                  .line = place.line}};
}

void note_unreached(struct result *result, const struct verifier *v)
{
    if (!v->reached)
        return;
    mark_reached(v);
    result->unreached_known = true;
    result->unreached =
        arena_alloc(&result->arena, v->transition_count * sizeof *result->unreached);
    for (uint32_t id = 0; id < v->transition_count; id++) {
        const struct transition *t = v->transitions[id].transition;
        if (!t || !is_outside(v, id) || !is_statement(t) || t->statement->reached)
            continue;
        t->statement->reached = true; /* one row each */
        add_unreached(result, v, id);
    }
    /* in a proctype the automaton goes by jumps; people read from above */
    for (size_t from = 0, to = 0; from < result->nunreached; from = to) {
        while (to < result->nunreached &&
               !strcmp(result->unreached[to].process, result->unreached[from].process))
            to++;
        qsort(result->unreached + from, to - from, sizeof *result->unreached,
              compare_unreached);
    }
}
