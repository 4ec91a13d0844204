/* A stopped search, kept in a file so that `--resume` can go on with it.
 *
 * A search's memory is one segment at a fixed address without pointers to anything else
 * (explore/strategy/strategy.h), and what is known about it is on the board: the file is a copy
 * of the pages of both that are in use.
 *
 *   header │ options, as text │ extents: segment, offset, length │ their bytes
 *
 * It holds only for the same program, the same libmazur.so and the same options, all of which
 * it names. It is untrusted all the same: it must be a file of ours that nobody else can write
 * to, its sizes must add up, its digest must be right, and what the board says is bounded as if
 * a child had just written it. The pool's part is used by the child alone, which runs nothing
 * but the user's own program. */
#ifndef MAZUR_CLI_RESUME_H
#define MAZUR_CLI_RESUME_H

#include "board/parent.h"
#include "cli/build/program.h"
#include "cli/options/options.h"

struct kept_search {
    char *path;      /* of the file, or NULL: there is no place for one */
    char *runtime;   /* libmazur.so */
    char *options;   /* those that decide what a search runs, as text */
    double seconds;  /* that it has taken so far */
    bool kept;       /* the file is there and can be gone on with */
    const char *why; /* it was not kept because; NULL: nothing to say */
};

/* Where the search of this program is kept, whether it is or not. */
void resume_open(struct kept_search *kept, const struct program *program, const char *runtime,
                 const struct board_config *config);
void resume_release(struct kept_search *kept);
/* Fill fresh segments from the file, config included. False after a message. */
bool resume_load(struct kept_search *kept, const struct program *program,
                 struct shared *shared);
/* Keep the search that has ended, if it can be gone on with; else remove what was kept. */
void resume_keep(struct kept_search *kept, const struct program *program,
                 const struct shared *shared);
/* What to type to go on: malloc'd. */
char *resume_command(const struct program *program, const struct options *options);

#endif
