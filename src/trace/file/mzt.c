/* See mzt.h. */
#define _GNU_SOURCE
#define XXH_INLINE_ALL
#include "trace/file/mzt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "board/board.h"
#include "host/files.h"
#include "host/paths.h"
#include "trace/names.h"
#include "trace/trace_json.h"
#include "trace/file/trace_settings.h"
#include "trace/file/trace_sources.h"
#include "trace/verdict.h"

#define FILE_MAX        (UINT64_C(1) << 30)
#define EVENTS_READABLE 5000

/* The whole file as text; NULL with a reason. */
static char *read_whole(const char *path, char **reason)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        *reason = copy_text(strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        *reason = copy_text("not a file");
    } else if ((uint64_t)status.st_size > FILE_MAX) {
        *reason = copy_text("too large for a trace file");
    } else {
        struct buffer text = {0};
        char chunk[65536];
        ssize_t got;
        while ((got = read(descriptor, chunk, sizeof chunk)) > 0)
            buffer_add(&text, chunk, (size_t)got);
        close(descriptor);
        if (got == 0)
            return buffer_take(&text);
        *reason = copy_text(strerror(errno));
        buffer_release(&text);
        return NULL;
    }
    if (descriptor >= 0)
        close(descriptor);
    return NULL;
}

/* --- Writing --- */

static json_t *exact_list(const char *const *texts, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_exact_text(texts[i]));
    return list;
}

/* Is it a file that every machine has in the same place, perhaps in its own version? */
static bool is_system_path(const char *path)
{
    static const char *const roots[] = {"/usr/", "/lib", "/opt/", "/etc/", "/bin/"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (strncmp(path, roots[i], strlen(roots[i])) == 0)
            return true;
    return false;
}

/* A path of the recipe relative to its directory, so that a copy of the tree uses its own
 * files. Paths of the system, and those that have nothing in common with the directory, are not
 * changed; malloc'd. */
static char *portable_path(const char *directory, const char *path)
{
    size_t root = *path == '/' ? strcspn(path + 1, "/") + 1 : 0;
    size_t length = strlen(directory);
    bool inside = strncmp(path, directory, length) == 0 && path[length] == '/';
    bool near = root > 1 && strncmp(path, directory, root) == 0 && directory[root] == '/';
    return inside || (near && !is_system_path(path)) ? relative_path(directory, path)
                                                     : copy_text(path);
}

static json_t *portable_text(const char *directory, const char *word)
{
    size_t flag = strncmp(word, "-I/", 3) == 0 || strncmp(word, "-L/", 3) == 0 ? 2 : 0;
    char *path = portable_path(directory, word + flag);
    char *text = format_text("%.*s%s", (int)flag, word, path);
    json_t *json = json_exact_text(text);
    free(text);
    free(path);
    return json;
}

static json_t *portable_list(const char *directory, const char *const *words, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, portable_text(directory, words[i]));
    return list;
}

/* The part of the recipe that does not depend on where the files are. */
static json_t *recipe_json(const struct recipe *recipe)
{
    json_t *object = json_object();
    put_field(object, "kind",
              json_string(recipe->model      ? "model"
                          : recipe->compiled ? "check"
                                             : "run"));
    if (recipe->property)
        put_field(object, "property", json_exact_text(recipe->property));
    if (recipe->believed)
        put_field(object, "believed", json_true());
    if (recipe->compiler)
        put_field(object, "compiler", json_exact_text(recipe->compiler));
    if (recipe->compiled || recipe->model)
        put_field(object, "build",
                  portable_list(recipe->directory, recipe->argument, recipe->narguments));
    if (!recipe->compiled)
        put_field(object, "program", portable_text(recipe->directory, recipe->program));
    put_field(object, "arguments",
              exact_list(recipe->program_argument, recipe->nprogram_arguments));
    return object;
}

/* The rest: where and from what the program was made, relative to the directory of the trace
 * file. */
static void add_origin(json_t *object, const struct trace *trace, const char *place)
{
    const struct recipe *recipe = &trace->recipe;
    char *here = realpath(place, NULL);
    char *directory = relative_path(here ? here : "/", recipe->directory);
    put_field(object, "directory", json_exact_text(directory));
    if (recipe->build_id)
        put_field(object, "build_id", json_exact_text(recipe->build_id));
    put_field(object, "sources", json_sources(trace, portable_path));
    free(directory);
    free(here);
}

static json_t *schedule_json(const struct trace *trace)
{
    json_t *list = json_array();
    for (size_t i = 0; i < trace->nschedule; i++) {
        uint32_t choice = trace->schedule[i];
        json_int_t number = choice & BOARD_CHOICE ? -1 - (json_int_t)(choice & ~BOARD_CHOICE)
                                                  : (json_int_t)choice;
        json_array_append_new(list, json_integer(number));
    }
    return list;
}

static json_t *lessons_json(const struct lessons *lessons)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < lessons->count; i++) {
        const struct lesson *lesson = &lessons->item[i];
        json_t *object = json_pack("{s:s, s:I}", "kind", name_of(lesson_names, lesson->kind),
                                   "value", (json_int_t)lesson->value);
        if (lesson->size)
            put_number(object, "size", lesson->size);
        json_array_append_new(list, object);
    }
    return list;
}

/* The name of a trace is that of its schedule: the same on every machine, in every directory,
 * and in a later version of Mazur with more settings. */
static uint64_t trace_hash(const struct trace *trace)
{
    json_t *root = json_object();
    put_field(root, "program", json_safe_text(trace->program));
    put_field(root, "recipe", recipe_json(&trace->recipe));
    put_field(root, "settings", json_changed_settings(trace));
    put_field(root, "schedule", schedule_json(trace));
    put_field(root, "failure", json_string(failure_name(trace->failure.kind)));
    char *text = json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS);
    uint64_t hash = XXH3_64bits(text, strlen(text));
    free(text);
    json_decref(root);
    return hash;
}

static char *trace_text(const struct trace *trace, const char *place)
{
    json_t *root = json_object();
    json_t *recipe = recipe_json(&trace->recipe);
    struct place_table *places = place_table_new();
    add_origin(recipe, trace, place);
    put_field(root, "format", json_string("mazur-trace"));
    put_number(root, "version", MZT_VERSION);
    put_field(root, "program", json_safe_text(trace->program));
    put_field(root, "recipe", recipe);
    put_field(root, "settings", json_settings(trace));
    put_field(root, "schedule", schedule_json(trace));
    if (trace->lessons.count)
        put_field(root, "lessons", lessons_json(&trace->lessons));
    put_field(root, "failure", json_failure(&trace->failure, places));
    json_t *threads = json_array();
    for (size_t i = 0; i < trace->nthreads; i++)
        json_array_append_new(threads, json_thread(&trace->thread[i], places));
    put_field(root, "threads", threads);
    json_t *events = json_array();
    for (size_t i = 0; i < trace->nevents; i++)
        json_array_append_new(events, json_event(&trace->event[i], places));
    put_field(root, "events", events);
    put_number(root, "events_lost", (int64_t)trace->events_lost);
    put_field(root, "places", place_table_json(places));
    put_field(root, "coverage", json_coverage(&trace->coverage));
    put_field(root, "simplest", json_simplest(trace));
    put_field(root, "inflection", json_inflection(trace));
    put_field(root, "output", json_safe_text(trace->output ? trace->output : ""));
    /* nobody reads a long trace by eye, so make it compact */
    char *text =
        json_dumps(root, trace->nevents > EVENTS_READABLE ? JSON_COMPACT : JSON_INDENT(1));
    place_table_free(places);
    json_decref(root);
    return text;
}

static bool same_content(const char *path, const char *text)
{
    char *reason = NULL;
    char *there = read_whole(path, &reason);
    bool same = there && strcmp(there, text) == 0;
    free(there);
    free(reason);
    return same;
}

/* The name is the first four hexadecimal digits of the hash, or more if another trace has that
 * name. */
static char *choose_path(const char *directory, uint64_t hash, const char *text)
{
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
    bool here = strcmp(directory, ".") == 0;
    for (int length = 4;; length++) {
        char *path =
            format_text("%s%s%.*s.mzt", here ? "" : directory, here ? "" : "/", length, digits);
        if (length == 16 || access(path, F_OK) != 0 || same_content(path, text))
            return path;
        free(path);
    }
}

char *mzt_write(const struct trace *trace, const char *directory, char **reason)
{
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        *reason = format_text("%s: %s", directory, strerror(errno));
        return NULL;
    }
    char *text = trace_text(trace, directory);
    char *path = choose_path(directory, trace_hash(trace), text);
    int error = replace_file(path, text);
    free(text);
    if (!error)
        return path;
    *reason = format_text("%s: %s", path, strerror(error));
    free(path);
    return NULL;
}

/* --- Reading --- */

/* The directory is relative to the trace file; in files of older versions it is absolute. */
static void find_directory(struct trace *trace, const char *path)
{
    struct recipe *recipe = &trace->recipe;
    char *file = realpath(path, NULL);
    char *place = file ? directory_of(file) : copy_text(".");
    char *joined = join_path(*place ? place : "/", recipe->directory);
    char *real = realpath(joined, NULL);
    recipe->travels = *recipe->directory != '/';
    recipe->directory = arena_text(&trace->arena, real ? real : joined);
    free(real);
    free(joined);
    free(place);
    free(file);
}

struct trace *mzt_read(const char *path, char **reason)
{
    char *text = read_whole(path, reason);
    if (!text)
        return NULL;
    json_error_t error;
    json_t *root = json_loads(text, 0, &error);
    free(text);
    if (!root) {
        *reason = format_text("not a Mazur trace file, or damaged: line %d: %s", error.line,
                              error.text);
        return NULL;
    }
    struct trace *trace = trace_new();
    *reason = trace_from_json(trace, root);
    json_decref(root);
    if (*reason) {
        trace_free(trace);
        return NULL;
    }
    trace->file_name = arena_text(&trace->arena, path);
    find_directory(trace, path);
    return trace;
}
