/* See result_cache.h. The result lies in result-HASH.json, and the libraries with their hashes
 * in result-HASH.libraries, a line each. The result is written last. */
#include "cli/session/result_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/session/dispatch.h"
#include "host/files.h"
#include "host/paths.h"
#include "host/say.h"
#include "report/files/formats.h"
#include "trace/file/result_read.h"

#define LINE_MOST 8192

/* malloc'd; NULL: something can't be read. */
static char *cache_path(const struct search_session *session, const char *ending)
{
    uint64_t program, options;
    if (!search_identity(&session->kept, session->program, &program, &options))
        return NULL;
    const struct shard *shard = &session->shard;
    char *part =
        shard->of > 0 ? format_text("-%d-of-%d", shard->index, shard->of) : copy_text("");
    char *path =
        format_text("%s/result-%016llx-%016llx%s.%s", session->options->cache,
                    (unsigned long long)program, (unsigned long long)options, part, ending);
    free(part);
    return path;
}

static bool hash_line(struct buffer *line, const char *path)
{
    XXH128_hash_t hash;
    if (!file_hash(path, &hash))
        return false;
    buffer_printf(line, "%016llx%016llx %s", (unsigned long long)hash.high64,
                  (unsigned long long)hash.low64, path);
    return true;
}

/* Are all libraries as they were? */
static bool libraries_agree(const char *list)
{
    char text[LINE_MOST];
    FILE *file = fopen(list, "r");
    bool agree = file != NULL;
    while (agree && fgets(text, sizeof text, file)) {
        struct buffer now = {0};
        text[strcspn(text, "\n")] = 0;
        char *path = strchr(text, ' ');
        agree = path && hash_line(&now, path + 1) && strcmp(now.data, text) == 0;
        buffer_release(&now);
    }
    if (file)
        fclose(file);
    return agree;
}

struct result *cache_find(const struct search_session *session)
{
    char *why = NULL;
    char *path = cache_path(session, "json"), *list = cache_path(session, "libraries");
    struct result *result = NULL;
    if (path && list && libraries_agree(list))
        result = result_read(path, &why);
    if (result && (result->nfailures || !result_bound_complete(result))) {
        result_free(result);
        result = NULL;
    }
    if (result)
        result->cached = true;
    free(why);
    free(path);
    free(list);
    return result;
}

/* Is it the program or libmazur.so? Their hashes are part of the file's name, wherever these
 * files are. */
static bool is_in_name(const struct search_session *session, const char *path)
{
    struct stat one, program, runtime;
    return stat(path, &one) == 0 && stat(session->program->path, &program) == 0 &&
           stat(session->runtime, &runtime) == 0 &&
           ((one.st_ino == program.st_ino && one.st_dev == program.st_dev) ||
            (one.st_ino == runtime.st_ino && one.st_dev == runtime.st_dev));
}

/* The libraries in the program's process; false: one can't be read. */
static bool list_libraries(const struct search_session *session, struct buffer *text)
{
    const struct board *board = session->shared.board;
    for (uint32_t i = 0; i < board->nmodules; i++) {
        const char *path = board->module[i].path;
        bool kernels = strncmp(base_name(path), "linux-vdso.", 11) == 0; /* there is no file */
        if (*path != '/' || kernels || is_in_name(session, path))
            continue;
        if (strchr(path, '\n') || !hash_line(text, path))
            return false;
        buffer_text(text, "\n");
    }
    return true;
}

bool cache_keep(const struct search_session *session, const struct result *result)
{
    struct buffer libraries = {0};
    if (result->nfailures || !result_bound_complete(result) ||
        dispatch_is_entangled(&result->coverage.claim) ||
        !list_libraries(session, &libraries)) {
        buffer_release(&libraries);
        return true;
    }
    char *path = cache_path(session, "json"), *list = cache_path(session, "libraries");
    mkdir(session->options->cache, 0777);
    char *text = format_result(FORMAT_JSON, result);
    bool good = path && list && write_file(list, libraries.data ? libraries.data : "") &&
                write_file(path, text);
    free(text);
    free(path);
    free(list);
    buffer_release(&libraries);
    return good;
}
