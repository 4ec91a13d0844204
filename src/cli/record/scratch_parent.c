/* See scratch_parent.h; runtime/hooks/files/scratch.c makes and removes the directory of each
 * execution. */
#define _GNU_SOURCE
#include "cli/record/scratch_parent.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/buffer.h"
#include "host/say.h"
#include "host/temporary.h"

#define RUN "/run"

bool scratch_open(const char *parent, struct board_config *config)
{
    if (!parent)
        parent = temporary_parent();
    char *path = temporary_make(parent, "mazur-scratch-");
    bool good = path && strlen(path) + sizeof RUN <= sizeof config->scratch;
    if (good) {
        snprintf(config->scratch, sizeof config->scratch, "%s%s", path, RUN);
        config->isolate = ISOLATE_FORK;
    } else {
        complain("cannot make a scratch directory in %s: %s", parent,
                 strerror(path ? ENAMETOOLONG : errno));
        if (path)
            temporary_remove(path);
    }
    free(path);
    return good;
}

void scratch_close(const struct board_config *config)
{
    if (!config->scratch[0])
        return;
    char *top = copy_bytes(config->scratch, strlen(config->scratch) - strlen(RUN));
    temporary_remove(top);
    free(top);
}
