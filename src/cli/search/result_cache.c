/* See result_cache.h. The result lies in result-HASH.json, and the libraries with their hashes
 * in result-HASH.libraries, a line each. The result is written last. */
#include "cli/search/result_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/jobs/dispatch.h"
#include "cli/session/libraries.h"
#include "host/files.h"
#include "report/files/formats.h"
#include "trace/file/result_read.h"

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

/* Are all libraries as they were? */
static bool has_same_libraries(const char *list)
{
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(list, "r");
    ssize_t length = file ? getdelim(&text, &room, 0, file) : -1;
    bool agree = length > 0 && libraries_agree(text, (size_t)length);
    if (file)
        fclose(file);
    free(text);
    return agree;
}

struct result *cache_find(const struct search_session *session)
{
    char *why = NULL;
    char *path = cache_path(session, "json"), *list = cache_path(session, "libraries");
    struct result *result = NULL;
    if (path && list && has_same_libraries(list))
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

bool cache_keep(const struct search_session *session, const struct result *result)
{
    struct buffer libraries = {0};
    if (result->nfailures || !result_bound_complete(result) ||
        dispatch_is_entangled(&result->coverage.claim) ||
        !libraries_describe(session->shared.board, session->program->path, session->runtime,
                            &libraries)) {
        buffer_release(&libraries);
        return true;
    }
    char *path = cache_path(session, "json"), *list = cache_path(session, "libraries");
    mkdir(session->options->cache, 0777);
    char *text = format_result(FORMAT_JSON, result);
    bool good = path && list && write_file(list, libraries.data) && write_file(path, text);
    free(text);
    free(path);
    free(list);
    buffer_release(&libraries);
    return good;
}
