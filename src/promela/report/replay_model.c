/* See replay_model.h. */
#include "promela/report/replay_model.h"

#include <stdlib.h>
#include <string.h>

#include "host/paths.h"
#include "host/say.h"
#include "promela/trace/model_trace.h"

bool find_property(const struct model *model, const char *name, struct property *found)
{
    *found = (struct property){0};
    if (!name)
        return true;
    for (int i = 0; i < model->claim_count; i++)
        if (strcmp(model->claims[i]->name, name) == 0)
            found->claim = model->claims[i];
    for (const struct formula *f = model->formulas; f && !found->claim; f = f->next)
        if (strcmp(f->name, name) == 0)
            found->formula = f;
    if (found->claim || found->formula)
        return true;
    found->progress = strcmp(name, "progress") == 0;
    found->acceptance = strcmp(name, "acceptance") == 0;
    return found->progress || found->acceptance;
}

static struct trace *replay_trace(struct model *model, const struct trace *trace,
                                  const struct property *property)
{
    struct model_options like_options = {.file = trace->program,
                                         .defines = trace->recipe.argument,
                                         .define_count = (int)trace->recipe.narguments,
                                         .memory = (size_t)1 << 32};
    struct verifier like = {.model = model, .options = &like_options};
    struct verifier plain;
    struct model_options options;
    struct trace *again = NULL;
    if (verifier_prepare_plain(&plain, &options, &like, property))
        again = model_trace_again(&plain, trace);
    verifier_release(&plain);
    return again;
}

/* The file as it was named, if from here that is the same one: places are shorter to read. */
static char *model_path(const struct trace *trace)
{
    char *program = join_path(trace->recipe.directory, trace->recipe.program);
    char *full = trace->program ? realpath(trace->program, NULL) : NULL;
    bool same = full && strcmp(full, program) == 0;
    free(full);
    if (!same)
        return program;
    free(program);
    return copy_text(trace->program);
}

struct trace *model_again(const struct trace *trace)
{
    const struct recipe *recipe = &trace->recipe;
    struct model_load_options load = {.defines = recipe->argument,
                                      .define_count = (int)recipe->narguments};
    char *path = model_path(trace);
    struct model *model = model_load(path, &load);
    struct property property;
    struct trace *again = NULL;
    if (!model) {
        free(path);
        return NULL;
    }
    if (find_property(model, recipe->property, &property))
        again = replay_trace(model, trace, &property);
    else
        complain("%s has no claim or formula '%s' any more", recipe->program, recipe->property);
    model_free(model);
    free(path);
    return again;
}
