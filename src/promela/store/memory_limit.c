/* Limits as Linux states them, in files. A limit that can't be read is ignored. See
 * memory_limit.h. */
#include "promela/store/memory_limit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN ((size_t)4 << 30) /* machines without /proc */
#define NAMED   4096              /* of a path */

static size_t smaller_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* In bytes; SIZE_MAX if it is not there. */
static size_t read_meminfo(const char *root, const char *name)
{
    char path[NAMED], line[256];
    size_t found = (size_t)-1, length = strlen(name);
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, length) == 0 && line[length] == ':')
            found = (size_t)strtoull(line + length + 1, NULL, 10) * 1024;
    if (file)
        fclose(file);
    return found;
}

/* "max", or a number of bytes. */
static size_t limit_in(const char *path)
{
    char line[64] = "", *end = line;
    FILE *file = fopen(path, "re");
    if (!file)
        return (size_t)-1;
    if (!fgets(line, sizeof line, file))
        line[0] = '\0';
    fclose(file);
    unsigned long long bytes = strtoull(line, &end, 10);
    return end == line ? (size_t)-1 : (size_t)bytes;
}

/* A group's limit holds for those below it. */
static size_t group_limit(const char *root, const char *tree, const char *file, char *group)
{
    size_t limit = (size_t)-1;
    for (;;) {
        char path[2 * NAMED];
        snprintf(path, sizeof path, "%s%s%s/%s", root, tree, group, file);
        limit = smaller_size(limit, limit_in(path));
        char *last = strrchr(group, '/');
        if (!last)
            return limit;
        *last = '\0';
    }
}

/* Lines of /proc/self/cgroup: "0::/group" for version 2, "5:memory:/group" for version 1. */
static size_t control_group(const char *root)
{
    char path[NAMED], line[NAMED];
    size_t limit = (size_t)-1;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *kinds = strchr(line, ':');
        char *group = kinds ? strchr(kinds + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        if (group[0] == '/' && group[1] == '\0')
            group[0] = '\0';
        if (kinds[1] == '\0')
            limit =
                smaller_size(limit, group_limit(root, "/sys/fs/cgroup", "memory.max", group));
        else if (strcmp(kinds + 1, "memory") == 0)
            limit = smaller_size(limit, group_limit(root, "/sys/fs/cgroup/memory",
                                                    "memory.limit_in_bytes", group));
    }
    if (file)
        fclose(file);
    return limit;
}

size_t memory_for_states(const char *root)
{
    size_t machine = read_meminfo(root, "MemTotal"), now = read_meminfo(root, "MemAvailable");
    if (machine == (size_t)-1)
        machine = UNKNOWN;
    size_t most = smaller_size(machine, control_group(root)) / 4 * 3;
    return now == (size_t)-1 ? most : smaller_size(most, now / 10 * 9);
}
