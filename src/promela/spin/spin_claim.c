/* See spin_claim.h. */
#define _GNU_SOURCE
#include "promela/spin/spin_claim.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/buffer.h"
#include "host/temporary.h"
#include "host/tool.h"
#include "promela/spin/spin_trail.h"
#include "promela/trace/claim_run.h"

/* Formulas grow into automata exponentially; what takes Spin longer is left out. */
#define SPIN_SECONDS 20
#define TEXT_MOST    (16u << 20)
#define MODEL_FILE   "model.pml"
#define CLAIMS_FILE  "_spin_nvr.tmp"

/* NULL, or why Spin has left no claims. */
static const char *run_spin(const char *folder)
{
    static char *const arguments[] = {"spin", "-a", MODEL_FILE, NULL};
    struct tool tool = {.arguments = arguments,
                        .temporary = folder,
                        .directory = folder,
                        .input = TOOL_NOTHING,
                        .output = TOOL_NOTHING,
                        .errors = TOOL_NOTHING,
                        .seconds = SPIN_SECONDS};
    int status = tool_run(&tool);
    if (status < 0)
        return errno == ENOENT ? "spin is not installed" : "spin can't be started";
    return status > 128  ? "spin -a was ended by a signal"
           : status != 0 ? "spin -a refuses the model"
                         : NULL;
}

static bool write_model(const char *folder, const struct source *source)
{
    char *path = format_text("%s/%s", folder, MODEL_FILE);
    FILE *file = fopen(path, "we");
    bool good = file && fwrite(source->text, 1, source->length, file) == source->length;
    if (file)
        good = fclose(file) == 0 && good;
    free(path);
    return good;
}

/* The model with Spin's claims behind it, as they stand in Spin's own input. */
static const char *read_claims(const char *folder, const struct source *source,
                               struct buffer *whole)
{
    char *path = format_text("%s/%s", folder, CLAIMS_FILE), part[4096];
    FILE *file = fopen(path, "re");
    free(path);
    if (!file)
        return "spin -a leaves no claim";
    buffer_add(whole, source->text, source->length);
    buffer_text(whole, "\n# 1 \"" CLAIMS_FILE "\"\n");
    for (size_t got;
         (got = fread(part, 1, sizeof part, file)) > 0 && whole->length < TEXT_MOST;)
        buffer_add(whole, part, got);
    bool good = feof(file) != 0 && strlen(whole->data) == whole->length;
    fclose(file);
    return good ? NULL : "spin's claim is too large";
}

static const char *ask_spin(const struct source *source, struct buffer *whole)
{
    char *folder = temporary_make(temporary_parent(), "mazur-model-");
    if (!folder) {
        return "no temporary directory";
    }
    const char *why =
        write_model(folder, source) ? run_spin(folder) : "no temporary file can be written";
    if (!why)
        why = read_claims(folder, source, whole);
    temporary_remove(folder);
    free(folder);
    return why;
}

static struct proctype *claim_named(const struct model *model, const char *name)
{
    for (int i = model->claim_count; i-- > 0;)
        if (strcmp(model->claims[i]->name, name) == 0)
            return model->claims[i];
    return NULL;
}

/* `model` is the one that Spin's claims were added to. */
static const char *write_run(struct buffer *out, struct model *model,
                             const struct verifier *like, const struct trail *trail,
                             const char *name)
{
    struct property property = {.claim = claim_named(model, name)};
    struct verifier source = {.model = model, .options = like->options}, plain;
    struct model_options options;
    struct trail found = {0};
    if (!property.claim)
        return "spin -a leaves no claim of that name";
    bool good = verifier_prepare_plain(&plain, &options, &source, &property) &&
                claim_run(&plain, trail, &found);
    if (good)
        spin_trail_write(out, &plain, &found);
    trail_free(&found);
    verifier_release(&plain);
    return good ? NULL : "spin's claim does not follow the run";
}

const char *spin_claim_write(struct buffer *out, const struct verifier *plain,
                             const struct trail *trail, const struct formula *formula)
{
    const struct model *model = plain->model;
    struct buffer whole = {0};
    const char *why = ask_spin(&model->source, &whole);
    if (!why) {
        struct model_load_options load = {.quiet = true, .text = whole.data};
        struct model *extended = model_load(model->file, &load);
        why = extended ? write_run(out, extended, plain, trail, formula->name)
                       : "spin's claim can't be read";
        model_free(extended);
    }
    buffer_release(&whole);
    return why;
}
