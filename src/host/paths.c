/* See paths.h. */
#include "host/paths.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/must.h"
#include "host/buffer.h"

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    must(slash);
    return copy_bytes(path, (size_t)(slash - path));
}

char *join_path(const char *directory, const char *path)
{
    bool complete = *path == '/' || strcmp(directory, ".") == 0;
    return complete ? copy_text(path) : format_text("%s/%s", directory, path);
}

/* Length of the directories that both paths begin with, without the last slash. */
static size_t common_length(const char *one, const char *two)
{
    size_t common = 0;
    for (size_t i = 0;; i++) {
        bool ends = (one[i] == '/' || !one[i]) && (two[i] == '/' || !two[i]);
        if (ends)
            common = i;
        if (one[i] != two[i] || !one[i])
            return common;
    }
}

char *relative_path(const char *from, const char *to)
{
    struct buffer path = {0};
    size_t common = strcmp(from, "/") == 0 ? 0 : common_length(from, to);
    for (const char *rest = from + common; *rest; rest++)
        if (*rest == '/' && rest[1])
            buffer_text(&path, "../");
    to += common;
    while (*to == '/')
        to++;
    buffer_text(&path, to);
    if (path.length && path.data[path.length - 1] == '/')
        path.data[--path.length] = '\0';
    if (!path.length)
        buffer_text(&path, ".");
    return buffer_take(&path);
}

char *find_on_path(const char *name)
{
    if (strchr(name, '/'))
        return copy_text(name);
    const char *path = getenv("PATH");
    for (path = path ? path : "/usr/bin:/bin"; *path;) {
        size_t length = strcspn(path, ":");
        char *file =
            format_text("%.*s/%s", length ? (int)length : 1, length ? path : ".", name);
        struct stat status;
        if (stat(file, &status) == 0 && S_ISREG(status.st_mode) && access(file, X_OK) == 0)
            return file;
        free(file);
        path += length + (path[length] == ':');
    }
    return NULL;
}
