/* See paths.h. */
#include "host/paths.h"

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
