/* From generated C to code in memory, twice.
 *
 * A quick compiler (tcc where it is installed, else the C compiler without optimisation) makes
 * a loadable object in milliseconds and the search starts; the optimising one runs beside it,
 * and its code takes over between two states. Both come from the same text, so they agree on
 * every offset and number: taking over is the assignment of three pointers. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/must.h"
#include "host/buffer.h"
#include "host/process_limits.h"
#include "host/say.h"
#include "host/temporary.h"
#include "host/tool.h"
#include "promela/code/c_image.h"
#include "promela/code/codegen.h"
#include "promela/code/embed.h"
#include "promela/store/crew.h"
#include "promela/verifier/verifier.h"

/* Seconds of the processor per byte of text. The optimising compiler takes 6 to 9 millionths
 * (gcc 12); its code is up to three times as fast. It is started when the search has taken half
 * as long again as the compiler will: a search that is over by then is not charged for it,
 * others are for a part. */
#define WORTH_OPTIMISING 12e-6
#define COMPILER_LEAST   ((size_t)1 << 30) /* bytes that the compiler may have in any case */

extern char **environ;

struct compiled {
    char *folder; /* or NULL */
    char *text, *quick, *better;
    void *quick_handle, *better_handle;
    pid_t child;           /* the optimising compiler, or 0 */
    double from;           /* the processor's seconds when the quick code was ready */
    double worth;          /* … that pay for the optimising compiler */
    struct c_image *image; /* of embedded C, or NULL */
    bool better_tried;
};

/* What a killed compiler leaves behind is removed with the folder. */
static pid_t start_compiler(const struct compiled *c, const char *const *arguments, bool quiet,
                            size_t bytes)
{
    struct tool tool = {.arguments = (char *const *)arguments,
                        .temporary = c->folder,
                        .input = TOOL_SAME,
                        .output = TOOL_NOTHING,
                        .errors = quiet ? TOOL_NOTHING : TOOL_SAME,
                        .bytes = bytes};
    return tool_start(&tool);
}

static bool wait_for(pid_t child)
{
    int status = 0;
    return tool_wait(child, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool take_code(struct verifier *verifier, const char *path, void **handle)
{
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*handle) {
        complain("the compiled model can't be loaded: %s", dlerror());
        return false;
    }
    struct step_code code;
    *(void **)&code.expand = dlsym(*handle, "mazur_expand");
    *(void **)&code.start = dlsym(*handle, "mazur_start");
    *(void **)&code.claim = dlsym(*handle, "mazur_claim");
    *(void **)&code.claim_effect = dlsym(*handle, "mazur_claim_effect");
    *(void **)&code.parts = dlsym(*handle, "mazur_parts");
    if (!code.expand || !code.start || !code.claim)
        return false;
    if (verifier->crew)
        crew_stop_others(verifier->crew);
    verifier->code = code;
    if (verifier->crew)
        crew_resume(verifier->crew);
    return true;
}

/* Write the C of a model, to compile it or for the user (--emit-c). */
static bool write_code(struct verifier *verifier, const char *path)
{
    FILE *out = fopen(path, "we");
    if (!out) {
        complain("%s: %s", path, strerror(errno));
        return false;
    }
    code_generate(verifier->model, out);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        complain("%s can't be written", path);
        return false;
    }
    return true;
}

static bool write_text(struct verifier *verifier, struct compiled *c)
{
    c->folder = temporary_make(temporary_parent(), "mazur-model-");
    if (!c->folder) {
        complain("cannot make a directory in %s: %s", temporary_parent(), strerror(errno));
        return false;
    }
    c->text = format_text("%s/model.c", c->folder);
    c->quick = format_text("%s/quick.so", c->folder);
    c->better = format_text("%s/better.so", c->folder);
    if (verifier->options->emit && !write_code(verifier, verifier->options->emit))
        return false;
    return write_code(verifier, c->text);
}

const char *code_compiler(void)
{
    const char *compiler = getenv("CC");
    return compiler && *compiler != '\0' ? compiler : "cc";
}

/* At -O1: measured, its code is as fast as that of -O2 (the store decides), and it is ready in
 * half the time, which a second worker has instead. */
static pid_t start_better(struct verifier *verifier, bool quiet, size_t bytes)
{
    struct compiled *c = verifier->compiled;
    const char *arguments[] = {code_compiler(),
                               "-O1",
                               "-w",
                               "-shared",
                               "-fPIC",
                               "-fwrapv",
                               "-fno-strict-aliasing",
                               "-fno-stack-protector",
                               "-iquote",
                               embed_folder(verifier->model),
                               "-iquote",
                               ".",
                               "-o",
                               c->better,
                               c->text,
                               "-lm",
                               NULL};
    return start_compiler(c, arguments, quiet, bytes);
}

static double processor_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool load_quick(struct verifier *verifier, struct compiled *c)
{
    const char *arguments[] = {"tcc", "-w", "-shared", "-o", c->quick, c->text, NULL};
    pid_t child = start_compiler(c, arguments, true, 0);
    return child != 0 && wait_for(child) && take_code(verifier, c->quick, &c->quick_handle);
}

bool code_load(struct verifier *verifier)
{
    must(!verifier->compiled);
    struct compiled *c = calloc(1, sizeof *c);
    if (!c)
        return false;
    verifier->compiled = c;
    int tier = verifier->options->tier;
    if (!write_text(verifier, c))
        return false;
    /* memory of embedded C exists once: no second version may take over */
    bool embedded = verifier->model->uses_c;
    if (tier != 2 && !embedded && load_quick(verifier, c)) {
        struct stat text = {0};
        stat(c->text, &text);
        c->worth = (double)text.st_size * WORTH_OPTIMISING;
        c->from = processor_clock();
        c->better_tried = tier == 1;
        return true;
    }
    c->better_tried = true;
    c->child = start_better(verifier, !embedded, 0);
    if (c->child == 0) {
        if (!limits_starve_compilers(verifier->model->file))
            complain("no C compiler found: install cc, or set CC");
        return false;
    }
    bool built = wait_for(c->child);
    c->child = 0;
    if (!built && limits_starve_compilers(verifier->model->file))
        return false;
    if (!built && embedded) {
        struct source *source = &verifier->model->source;
        snprintf(source->message, sizeof source->message, "embedded C");
        complain("%s: the embedded C does not compile", verifier->model->file);
        return false;
    }
    if (!built) {
        complain("internal error: the C made for this model does not compile");
        return false;
    }
    if (!take_code(verifier, c->better, &c->better_handle))
        return false;
    if (embedded)
        c->image = c_image_take(c->better_handle);
    return !embedded || c->image;
}

void code_restart(struct verifier *verifier)
{
    if (verifier->compiled && verifier->compiled->image)
        c_image_restore(verifier->compiled->image);
}

/* The compiler beside the search: generated code can be so large that compiling it takes all of
 * the machine's memory. Without its result the search continues with the quick code. */
static size_t compiler_memory(const struct verifier *verifier)
{
    size_t most = verifier->options->memory;
    return most > COMPILER_LEAST ? most : COMPILER_LEAST;
}

void code_poll(struct verifier *verifier)
{
    struct compiled *c = verifier->compiled;
    if (!c->better_tried && processor_clock() - c->from > c->worth) {
        c->better_tried = true;
        c->child = start_better(verifier, true, compiler_memory(verifier));
    }
    if (c->child == 0)
        return;
    int status = 0;
    if (!tool_poll(c->child, &status))
        return;
    c->child = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        take_code(verifier, c->better, &c->better_handle);
}

void code_unload(struct verifier *verifier)
{
    struct compiled *c = verifier->compiled;
    if (!c)
        return;
    if (c->child != 0)
        tool_stop(c->child);
    c_image_free(c->image);
    if (c->quick_handle)
        dlclose(c->quick_handle);
    if (c->better_handle)
        dlclose(c->better_handle);
    if (c->folder)
        temporary_remove(c->folder);
    free(c->folder);
    free(c->text);
    free(c->quick);
    free(c->better);
    free(c);
    verifier->compiled = NULL;
}
