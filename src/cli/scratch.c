/* See scratch.h; runtime/scratch.c makes and removes the directory of each execution. */
#define _GNU_SOURCE
#include "cli/scratch.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/say.h"
#include "cli/temporary.h"
#include "report/buffer.h"

#define RUN         "/run"
#define DESCRIPTORS 16 /* that nftw may hold open */

bool scratch_open(const char *parent, struct board_config *config)
{
    if (!parent)
        parent = temporary_parent();
    char *whole = realpath(parent, NULL);
    char *path = whole ? format_text("%s/mazur-XXXXXX", whole) : NULL;
    bool good = path && strlen(path) + sizeof RUN <= sizeof config->scratch && mkdtemp(path);
    if (good) {
        snprintf(config->scratch, sizeof config->scratch, "%s%s", path, RUN);
        config->isolate = ISOLATE_FORK;
    } else {
        complain("cannot make a scratch directory in %s: %s", parent,
                 strerror(errno ? errno : ENAMETOOLONG));
    }
    free(path);
    free(whole);
    return good;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    remove(path);
    return 0;
}

/* A directory without permissions must be opened up before it can be walked. */
static int open_up(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)place;
    if (type == FTW_D || type == FTW_DNR)
        chmod(path, S_IRWXU);
    return 0;
}

void scratch_close(const struct board_config *config)
{
    if (!config->scratch[0])
        return;
    char *top = copy_bytes(config->scratch, strlen(config->scratch) - strlen(RUN));
    nftw(top, open_up, DESCRIPTORS, FTW_PHYS);
    nftw(top, remove_one, DESCRIPTORS, FTW_PHYS | FTW_DEPTH);
    free(top);
}
