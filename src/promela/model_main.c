/* `mazur model F.pml`: load, choose the search, report. */
#include "promela/layout.h"
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

static void index_transitions(struct verifier *v)
{
    struct model *model = v->model;
    u32 count = 0;
    for (int i = 0; i < model->proctype_count + model->claim_count; i++) {
        const struct proctype *p = i < model->proctype_count
                                       ? model->proctypes[i]
                                       : model->claims[i - model->proctype_count];
        for (int k = 0; k < p->automaton->count; k++)
            count += (u32)p->automaton->states[k].count;
    }
    v->transition_count = count;
    v->transitions = source_alloc(&model->source, (count + 1) * sizeof *v->transitions);
    for (int i = 0; i < model->proctype_count; i++)
        index_automaton(v, model->proctypes[i]);
    for (int i = 0; i < model->claim_count; i++)
        index_automaton(v, model->claims[i]);
}

/* Everything that may fail by source_fail() once the model is loaded. */
static bool prepare(struct verifier *v)
{
    struct model *model = v->model;
    if (setjmp(model->source.escape) != 0)
        return false;
    automata_build(model);
    layout_build(model);
    index_transitions(v);
    v->shapes = shapes_create(model);
    return v->shapes != NULL && code_load(v);
}

static void search(struct verifier *v)
{
    v->started = verifier_clock();
    search_dfs(v);
    v->seconds = verifier_clock() - v->started;
}

int model_main(int argc, char **argv)
{
    struct model_options options;
    int status = model_options_parse(&options, argc, argv);
    if (status >= 0)
        return status;
    struct model_load_options load = {options.defines, options.define_count, false};
    struct verifier verifier = {
        .options = &options, .interrupted = &interrupted, .bound_reached = -1};
    struct sigaction action = {.sa_handler = on_interrupt}, old;
    sigaction(SIGINT, &action, &old);
    verifier.model = model_load(options.file, &load);
    if (verifier.model == NULL) {
        status = 64;
    } else if (!prepare(&verifier)) {
        status = 64;
    } else {
        search(&verifier);
        status = model_report(&verifier);
    }
    sigaction(SIGINT, &old, NULL);
    code_unload(&verifier);
    shapes_free(verifier.shapes);
    trail_free(&verifier.trail);
    model_free(verifier.model);
    model_options_free(&options);
    return status;
}
