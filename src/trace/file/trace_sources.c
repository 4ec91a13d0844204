/* See trace_sources.h. Headers are known only by the places in the trace. */
#include "trace/file/trace_sources.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/files.h"
#include "host/paths.h"
#include "trace/trace_json.h"

#define SOURCES_MAX 200

/* A digest of the file as text, malloc'd; NULL: it is no file that can be read. */
static char *hash_text(const char *directory, const char *file)
{
    XXH128_hash_t hash;
    struct stat status;
    char *path = join_path(directory, file);
    bool good = stat(path, &status) == 0 && S_ISREG(status.st_mode) && file_hash(path, &hash);
    free(path);
    return good ? format_text("%016llx", (unsigned long long)hash.low64) : NULL;
}

struct source_list {
    const char *directory;
    json_t *files;
    char *(*portable)(const char *, const char *);
};

static void add_file(struct source_list *list, const char *file)
{
    char *name = list->portable(list->directory, file);
    if (!json_object_get(list->files, name) && json_object_size(list->files) < SOURCES_MAX) {
        char *hash = hash_text(list->directory, file);
        if (hash)
            json_object_set_new(list->files, name, json_string(hash));
        free(hash);
    }
    free(name);
}

static void add_stack(struct source_list *list, const struct source_stack *stack)
{
    for (size_t i = 0; i < stack->count; i++)
        if (!stack->place[i].library && stack->place[i].file)
            add_file(list, stack->place[i].file);
}

json_t *json_sources(const struct trace *trace, char *(*portable)(const char *, const char *))
{
    const struct recipe *recipe = &trace->recipe;
    struct source_list list = {recipe->directory, json_object(), portable};
    for (size_t i = 0; i < recipe->narguments && recipe->compiled; i++)
        if (*recipe->argument[i] != '-')
            add_file(&list, recipe->argument[i]);
    if (recipe->model)
        add_file(&list, recipe->program);
    for (size_t i = 0; i < trace->nevents && !recipe->model; i++)
        add_stack(&list, &trace->event[i].stack);
    return list.files;
}

const char *trace_changed_source(const struct trace *trace)
{
    const struct recipe *recipe = &trace->recipe;
    for (size_t i = 0; i < recipe->nsources; i++) {
        char *hash = hash_text(recipe->directory, recipe->source[i].file);
        bool same = hash && strcmp(hash, recipe->source[i].hash) == 0;
        free(hash);
        if (!same)
            return recipe->source[i].file;
    }
    return NULL;
}
