/* From a loaded model and a property to code that can be searched. */
#include <stdio.h>

#include "base/must.h"
#include "host/process_limits.h"
#include "host/say.h"
#include "promela/automata/ltl.h"
#include "promela/automata/optimise.h"
#include "promela/automata/unread.h"
#include "promela/code/embed.h"
#include "promela/code/layout.h"
#include "promela/verifier/safe_states.h"
#include "promela/verifier/verifier.h"

static void index_automaton(struct verifier *v, const struct proctype *p)
{
    for (int i = 0; i < p->automaton->count; i++)
        for (int k = 0; k < p->automaton->states[i].count; k++) {
            const struct transition *t = &p->automaton->states[i].transitions[k];
            v->transitions[t->id] = (struct transition_info){p, t, i};
        }
}

static void index_transitions(struct verifier *v, int count)
{
    struct model *model = v->model;
    v->transition_count = (uint32_t)count;
    v->transitions = source_alloc(&model->source, (size_t)(count + 1) * sizeof *v->transitions);
    for (int i = 0; i < model->proctype_count; i++)
        index_automaton(v, model->proctypes[i]);
    if (model->claim)
        index_automaton(v, model->claim);
    if (model->trace)
        index_automaton(v, model->trace);
}

const char *property_name(const struct property *property)
{
    return property->claim        ? property->claim->name
           : property->formula    ? property->formula->name
           : property->progress   ? "progress"
           : property->acceptance ? "acceptance"
                                  : NULL;
}

/* A formula with the next operator counts steps, and so may a claim written by hand, unless the
 * user says that it does not (--por on). Neither merging nor reduction preserves the number of
 * steps. */
static bool may_count_steps(const struct verifier *v, const struct property *property)
{
    if (property->formula)
        return ltl_uses_next(property->formula->tree);
    return property->claim && !(v->options->por && v->options->por_given);
}

/* Fairness depends on which processes could have moved. With a bound only if requested: the
 * states are not those of the definition then. */
static bool may_reduce(const struct verifier *v, const struct property *property)
{
    if (!property_name(property))
        return true;
    bool counted = v->model->counted && !v->options->por_given;
    if (v->options->fair || counted || v->model->uses_timeout)
        return false;
    return !may_count_steps(v, property);
}

/* If preemptions are counted, a process still moves when it only writes what nothing reads. */
static bool may_drop(const struct model_options *o)
{
    return o->bound == MODEL_BOUND_NONE && o->search != SEARCH_FEWEST && !o->keep_unread;
}

/* After the model is loaded, only this may call source_fail(). */
bool verifier_prepare(struct verifier *v, const struct property *property)
{
    struct model *model = v->model;
    int next_id = 0;
    must(!property->claim || !property->formula);
    if (setjmp(model->source.escape) != 0)
        return false;
    for (int i = 0; i < model->proctype_count; i++)
        automaton_build(model, model->proctypes[i], &next_id);
    for (int i = 0; i < model->proctype_count; i++) /* of an earlier pass that optimised */
        model->proctypes[i]->tracked_count = 0;
    for (int i = 0; i < model->claim_count; i++) /* its statements are numbered, too */
        if (model->claims[i] != property->claim && !model->claims[i]->automaton)
            automaton_build(model, model->claims[i], &(int){0});
    model->claim = NULL;
    if (property->claim) {
        automaton_build(model, property->claim, &next_id);
        model->claim = property->claim;
    } else if (property->formula) {
        model->claim = ltl_claim(model, property->formula, &next_id);
    } else if (property->progress) {
        model->claim = progress_claim(model, &next_id);
    }
    if (model->trace)
        automaton_build(model, model->trace, &next_id);
    model->fair = v->options->fair && property_name(property);
    model->counted = v->options->bound != MODEL_BOUND_NONE && property_name(property);
    if (model->uses_c && !embed_measure(model, code_compiler())) {
        if (limits_starve_compilers(model->file))
            return false;
        snprintf(model->source.message, sizeof model->source.message, "embedded C");
        complain("%s: the embedded C does not compile", model->file);
        return false;
    }
    bool optimise = v->options->optimize && !model->uses_pc_value;
    bool drop = optimise && may_drop(v->options);
    unread_find(model, drop);
    if (optimise)
        optimise_model(model, drop, !may_count_steps(v, property));
    else
        find_dead_values(model);
    layout_build(model);
    index_transitions(v, next_id);
    if (!property_name(property))
        v->reached = source_alloc(&model->source, (size_t)next_id + 1);
    if (v->options->por && may_reduce(v, property))
        por_analyse(v);
    v->shapes = shapes_create(model);
    return v->shapes && code_load(v);
}

bool verifier_prepare_plain(struct verifier *plain, struct model_options *options,
                            const struct verifier *like, const struct property *property)
{
    *options = *like->options;
    options->optimize = options->por = options->fair = false;
    options->emit = NULL;
    *plain = (struct verifier){.options = options,
                               .model = like->model,
                               .interrupted = like->interrupted,
                               .bound_reached = -1,
                               .property = property_name(property)};
    return verifier_prepare(plain, property);
}

void verifier_release(struct verifier *v)
{
    code_unload(v);
    shapes_free(v->shapes);
    v->shapes = NULL;
    trail_free(&v->trail);
    trail_free(&v->first);
    while (v->others > 0)
        trail_free(&v->other[--v->others]);
}
