/* `mazur model F.pml`: load, choose what to check and how, report.
 *
 * Without --ltl, a model with claims or formulas is checked for safety first and then against
 * each of them, so that nothing that the model states goes unchecked. Each check has its own
 * state vector layout and its own code, hence its own pass through prepare(). */
#include "promela/layout.h"
#include "promela/ltl.h"
#include "promela/model_options.h"
#include "promela/model_report.h"
#include "promela/verifier.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_bool interrupted;

static void on_interrupt(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
}

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
    v->transition_count = (u32)count;
    v->transitions = source_alloc(&model->source, (size_t)(count + 1) * sizeof *v->transitions);
    for (int i = 0; i < model->proctype_count; i++)
        index_automaton(v, model->proctypes[i]);
    if (model->claim != NULL)
        index_automaton(v, model->claim);
}

/* What is checked in one pass: nothing but safety, a claim, a formula, or progress. */
struct property {
    struct proctype *claim;
    const struct formula *formula;
    bool progress, acceptance;
};

static const char *property_name(const struct property *property)
{
    return property->claim != NULL     ? property->claim->name
           : property->formula != NULL ? property->formula->name
           : property->progress        ? "progress"
           : property->acceptance      ? "acceptance"
                                       : NULL;
}

/* Everything that may fail by source_fail() once the model is loaded. */
static bool prepare(struct verifier *v, const struct property *property)
{
    struct model *model = v->model;
    int next_id = 0;
    if (setjmp(model->source.escape) != 0)
        return false;
    for (int i = 0; i < model->proctype_count; i++)
        automaton_build(model, model->proctypes[i], &next_id);
    model->claim = NULL;
    if (property->claim != NULL) {
        automaton_build(model, property->claim, &next_id);
        model->claim = property->claim;
    } else if (property->formula != NULL) {
        model->claim = ltl_claim(model, property->formula, &next_id);
    } else if (property->progress) {
        model->claim = progress_claim(model, &next_id);
    }
    model->fair = v->options->fair && property_name(property) != NULL;
    layout_build(model);
    index_transitions(v, next_id);
    v->shapes = shapes_create(model);
    return v->shapes != NULL && code_load(v);
}

static void search(struct verifier *v, const struct property *property)
{
    const struct model_options *o = v->options;
    v->started = verifier_clock();
    v->trail.preemptions = -1;
    if (property_name(property) != NULL)
        search_cycles(v);
    else if ((o->bound_given && o->bound != MODEL_BOUND_NONE) || o->search != SEARCH_DFS)
        search_levels(v);
    else
        search_dfs(v);
    v->seconds = verifier_clock() - v->started;
}

static int check(const struct model_options *options, struct model *model,
                 const struct property *property, bool first, bool *found)
{
    struct verifier v = {.options = options,
                         .interrupted = &interrupted,
                         .bound_reached = -1,
                         .model = model,
                         .property = property_name(property),
                         .first_pass = first};
    int status = 70;
    if (prepare(&v, property)) {
        search(&v, property);
        *found = v.trail.violation != VIOLATION_NONE;
        status = model_report(&v);
    } else if (model->source.message[0] != '\0') {
        status = 64;
    }
    code_unload(&v);
    shapes_free(v.shapes);
    trail_free(&v.trail);
    return status;
}

static int add_claims(const struct model_options *o, struct model *model, struct property *list)
{
    int count = 0;
    for (int i = 0; i < model->claim_count && count < 60; i++)
        if (o->ltl == NULL || strcmp(o->ltl, model->claims[i]->name) == 0)
            list[count++] = (struct property){.claim = model->claims[i]};
    for (const struct formula *f = model->formulas; f != NULL && count < 60; f = f->next)
        if (o->ltl == NULL || strcmp(o->ltl, f->name) == 0)
            list[count++] = (struct property){.formula = f};
    return count;
}

/* The passes that were asked for. */
static int choose(const struct model_options *o, struct model *model, struct property *list)
{
    int count = 0;
    if (o->progress || o->acceptance) {
        if (o->progress)
            list[count++] = (struct property){.progress = true};
        if (o->acceptance)
            list[count++] = (struct property){.acceptance = true};
        return count;
    }
    if (o->ltl == NULL)
        list[count++] = (struct property){0};
    if (!o->no_claim)
        count += add_claims(o, model, list + count);
    return count;
}

static int check_all(const struct model_options *options, struct model *model)
{
    struct property list[64];
    int count = choose(options, model, list), worst = 0;
    bool found = false;
    if (count == 0) {
        fprintf(stderr, "mazur: %s has no claim or formula '%s'\n", model->file, options->ltl);
        return 64;
    }
    if (count > 1 && (options->bound_given || options->search_given)) {
        count = 1;
        if (!options->quiet)
            fprintf(stderr, "mazur: with --bound or --search only safety is checked; name a "
                            "claim with --ltl\n");
    }
    for (int i = 0; i < count && !(found && !options->keep_going); i++) {
        int status = check(options, model, &list[i], i == 0, &found);
        worst = worst == 0 ? status : worst;
        if (atomic_load(&interrupted))
            break;
    }
    return worst;
}

int model_main(int argc, char **argv)
{
    struct model_options options;
    int status = model_options_parse(&options, argc, argv);
    if (status >= 0)
        return status;
    struct model_load_options load = {options.defines, options.define_count, false};
    struct sigaction action = {.sa_handler = on_interrupt}, old;
    sigaction(SIGINT, &action, &old);
    struct model *model = model_load(options.file, &load);
    status = model != NULL ? check_all(&options, model) : 64;
    sigaction(SIGINT, &old, NULL);
    model_free(model);
    model_options_free(&options);
    return status;
}
