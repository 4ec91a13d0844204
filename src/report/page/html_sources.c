/* Source files for the trace page.
 *
 * A trace file may come from anywhere and a page may be passed on, so a file is embedded only
 * if it is named like source code, is a regular file and is not large: a trace that names
 * /etc/passwd or a key as a source file does not get it embedded. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/page/html.h"
#include "trace/trace_json.h"

#define FILE_LARGEST  ((size_t)1 << 20)
#define FILES_AT_MOST 200

static bool named_like_source(const char *file)
{
    static const char *const endings[] = {"c",   "h",   "cc",  "cpp", "cxx",  "c++",
                                          "C",   "hh",  "hpp", "hxx", "h++",  "H",
                                          "inl", "ipp", "tcc", "pml", "prom", "promela"};
    const char *name = strrchr(file, '/');
    const char *dot = strrchr(name ? name : file, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot + 1, endings[i]) == 0)
            return true;
    return false;
}

/* The text, malloc'd, or NULL. */
static char *read_source(const char *path, struct stat *status)
{
    if (stat(path, status) != 0 || !S_ISREG(status->st_mode) ||
        (size_t)status->st_size > FILE_LARGEST)
        return NULL;
    FILE *file = fopen(path, "re");
    if (!file)
        return NULL;
    char *text = allocate((size_t)status->st_size + 1);
    size_t length = fread(text, 1, (size_t)status->st_size, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

/* Has the file changed since the trace was written? Then its lines may not be the ones that
 * ran. */
static bool is_newer(const struct stat *source, const struct trace *trace)
{
    struct stat written;
    return trace->file_name && stat(trace->file_name, &written) == 0 &&
           source->st_mtime > written.st_mtime;
}

static void add_source(json_t *sources, const char *file, const struct trace *trace)
{
    const char *directory = trace->recipe.directory;
    struct stat status;
    char *joined = *file != '/' && directory ? format_text("%s/%s", directory, file) : NULL;
    char *text = joined ? read_source(joined, &status) : NULL;
    if (!text)
        text = read_source(file, &status);
    if (text) {
        json_t *source = json_object();
        put_field(source, "text", json_safe_text(text));
        if (is_newer(&status, trace))
            put_field(source, "newer", json_true());
        put_field(sources, file, source);
    }
    free(joined);
    free(text);
}

void html_sources(json_t *sources, const json_t *places, const struct trace *trace)
{
    size_t index;
    json_t *place;
    json_array_foreach(places, index, place)
    {
        const char *file = json_string_value(json_object_get(place, "file"));
        if (!file || json_is_true(json_object_get(place, "library")) ||
            json_object_get(sources, file) || !named_like_source(file))
            continue;
        if (json_object_size(sources) == FILES_AT_MOST)
            return;
        add_source(sources, file, trace);
    }
}
