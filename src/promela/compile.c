/* From generated C to code in memory, twice.
 *
 * A quick compiler (tcc where it is installed, else the C compiler without optimisation) makes
 * a loadable object in milliseconds and the search starts; the optimising one runs beside it,
 * and its code takes over between two states. Both come from the same text, so they agree on
 * every offset and number: taking over is the assignment of three pointers. */
#include "cli/say.h"
#include "cli/temporary.h"
#include "promela/c_image.h"
#include "promela/codegen.h"
#include "promela/embed.h"
#include "promela/verifier.h"

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
#include <unistd.h>

/* A search that is over sooner than this does not pay for the optimising compiler. */
#define WORTH_OPTIMISING 0.05

extern char **environ;

struct compiled {
    char folder[128];
    char text[160], quick[160], better[160];
    void *quick_handle, *better_handle;
    pid_t child;           /* the optimising compiler, or 0 */
    double from;           /* when the quick code was ready */
    struct c_image *image; /* of embedded C, or NULL */
    bool better_tried;
};

/* The environment with the folder for temporary files: what a compiler that is killed leaves
 * behind goes with the folder. */
static char **environment_in(const char *folder, char *variable, size_t room)
{
    size_t count = 0, kept = 0;
    while (environ[count] != NULL)
        count++;
    char **list = calloc(count + 2, sizeof *list);
    if (list == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0)
            list[kept++] = environ[i];
    snprintf(variable, room, "TMPDIR=%s", folder);
    list[kept] = variable;
    return list;
}

static pid_t start_compiler(const struct compiled *c, const char *const *arguments, bool quiet)
{
    char variable[sizeof c->folder + 8];
    char **environment = environment_in(c->folder, variable, sizeof variable);
    if (environment == NULL)
        return 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (quiet)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes; /* a group of its own: compilers start compilers */
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t child;
    int error = posix_spawnp(&child, arguments[0], &actions, &attributes,
                             (char *const *)arguments, environment);
    free(environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error == 0 ? child : 0;
}

static bool wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool take_code(struct verifier *verifier, const char *path, void **handle)
{
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (*handle == NULL) {
        complain("the compiled model can't be loaded: %s", dlerror());
        return false;
    }
    struct step_code code;
    *(void **)&code.expand = dlsym(*handle, "mazur_expand");
    *(void **)&code.start = dlsym(*handle, "mazur_start");
    *(void **)&code.claim = dlsym(*handle, "mazur_claim");
    *(void **)&code.claim_effect = dlsym(*handle, "mazur_claim_effect");
    if (code.expand == NULL || code.start == NULL || code.claim == NULL)
        return false;
    if (verifier->crew != NULL)
        crew_stop_others(verifier->crew);
    verifier->code = code;
    if (verifier->crew != NULL)
        crew_resume(verifier->crew);
    return true;
}

/* The C of a model, for us or for the user (--emit-c). */
static bool write_code(struct verifier *verifier, const char *path)
{
    FILE *out = fopen(path, "we");
    if (out == NULL) {
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
    snprintf(c->folder, sizeof c->folder, "%.90s/mazur-XXXXXX", temporary_parent());
    if (!temporary_make(c->folder)) {
        complain("%s: %s", c->folder, strerror(errno));
        c->folder[0] = '\0';
        return false;
    }
    snprintf(c->text, sizeof c->text, "%s/model.c", c->folder);
    snprintf(c->quick, sizeof c->quick, "%s/quick.so", c->folder);
    snprintf(c->better, sizeof c->better, "%s/better.so", c->folder);
    if (verifier->options->emit != NULL && !write_code(verifier, verifier->options->emit))
        return false;
    return write_code(verifier, c->text);
}

const char *code_compiler(void)
{
    const char *compiler = getenv("CC");
    return compiler != NULL && *compiler != '\0' ? compiler : "cc";
}

/* At -O1: measured, its code is as fast as that of -O2 (the store decides), and it is ready in
 * half the time, which a second worker has instead. */
static pid_t start_better(struct verifier *verifier, bool quiet)
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
    return start_compiler(c, arguments, quiet);
}

static bool load_quick(struct verifier *verifier, struct compiled *c)
{
    const char *arguments[] = {"tcc", "-w", "-shared", "-o", c->quick, c->text, NULL};
    pid_t child = start_compiler(c, arguments, true);
    return child != 0 && wait_for(child) && take_code(verifier, c->quick, &c->quick_handle);
}

bool code_load(struct verifier *verifier)
{
    struct compiled *c = calloc(1, sizeof *c);
    if (c == NULL)
        return false;
    verifier->compiled = c;
    int tier = verifier->options->tier;
    if (!write_text(verifier, c))
        return false;
    /* memory of embedded C exists once: no second version may take over */
    bool embedded = verifier->model->uses_c;
    if (tier != 2 && !embedded && load_quick(verifier, c)) {
        c->from = verifier_clock();
        c->better_tried = tier == 1;
        return true;
    }
    c->better_tried = true;
    c->child = start_better(verifier, !embedded);
    if (c->child == 0) {
        complain("no C compiler found: install cc, or set CC");
        return false;
    }
    bool built = wait_for(c->child);
    c->child = 0;
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
    return !embedded || c->image != NULL;
}

void code_restart(struct verifier *verifier)
{
    if (verifier->compiled != NULL && verifier->compiled->image != NULL)
        c_image_restore(verifier->compiled->image);
}

void code_poll(struct verifier *verifier)
{
    struct compiled *c = verifier->compiled;
    if (!c->better_tried && verifier_clock() - c->from > WORTH_OPTIMISING) {
        c->better_tried = true;
        c->child = start_better(verifier, true);
    }
    if (c->child == 0)
        return;
    int status = 0;
    pid_t got = waitpid(c->child, &status, WNOHANG);
    if (got == 0)
        return;
    c->child = 0;
    if (got > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        take_code(verifier, c->better, &c->better_handle);
}

static void stop_compiler(pid_t child)
{
    kill(-child, SIGKILL);
    wait_for(child);
}

void code_unload(struct verifier *verifier)
{
    struct compiled *c = verifier->compiled;
    if (c == NULL)
        return;
    if (c->child != 0)
        stop_compiler(c->child);
    c_image_free(c->image);
    if (c->quick_handle != NULL)
        dlclose(c->quick_handle);
    if (c->better_handle != NULL)
        dlclose(c->better_handle);
    if (c->folder[0] != '\0')
        temporary_remove(c->folder);
    free(c);
    verifier->compiled = NULL;
}
