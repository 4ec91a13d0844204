/* See libraries.h. */
#define XXH_INLINE_ALL
#include "cli/session/libraries.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/files.h"
#include "host/paths.h"

static void describe_loader(struct buffer *text)
{
    static const char *const variables[] = {"LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        XXH128_hash_t hash = value ? XXH3_128bits(value, strlen(value)) : (XXH128_hash_t){0};
        buffer_printf(text, "%016llx", (unsigned long long)hash.low64);
    }
    buffer_text(text, "\n");
}

static bool describe_library(struct buffer *text, const char *path)
{
    XXH128_hash_t hash;
    if (!file_hash(path, &hash))
        return false;
    buffer_printf(text, "%016llx%016llx %s\n", (unsigned long long)hash.high64,
                  (unsigned long long)hash.low64, path);
    return true;
}

static bool is_same_file(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_ino == b.st_ino &&
           a.st_dev == b.st_dev;
}

bool libraries_describe(const struct board *board, const char *program, const char *runtime,
                        struct buffer *text)
{
    describe_loader(text);
    for (uint32_t i = 0; i < board->nmodules; i++) {
        const char *path = board->module[i].path;
        bool kernels = strncmp(base_name(path), "linux-vdso.", 11) == 0; /* there is no file */
        if (*path != '/' || kernels || is_same_file(path, program) ||
            is_same_file(path, runtime))
            continue;
        if (strchr(path, '\n') || !describe_library(text, path))
            return false;
    }
    return true;
}

/* Is a line with the hash of a file what would be written now? */
static bool line_agrees(const char *line, size_t length)
{
    struct buffer now = {0};
    const char *space = memchr(line, ' ', length);
    char *path = space ? copy_bytes(space + 1, (size_t)(line + length - space - 2)) : NULL;
    bool agrees = path && describe_library(&now, path) && now.length == length &&
                  memcmp(now.data, line, length) == 0;
    free(path);
    buffer_release(&now);
    return agrees;
}

bool libraries_agree(const char *text, size_t length)
{
    struct buffer loader = {0};
    describe_loader(&loader);
    bool agree = length >= loader.length && memcmp(text, loader.data, loader.length) == 0;
    for (size_t at = loader.length; agree && at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t line = end ? (size_t)(end + 1 - (text + at)) : 0;
        agree = line > 0 && line_agrees(text + at, line);
        at += line;
    }
    buffer_release(&loader);
    return agree;
}
