/* A stopped search, kept in a file so that `--resume` can continue it.
 *
 * A search's memory is one segment at a fixed address without pointers to anything else
 * (explore/strategy/strategy.h), and what is known about it is on the board: the file is a copy
 * of the pages of both that are in use.
 *
 *   header │ options, as text │ libraries │ leaves │ extents: segment, offset, length │ their
 * bytes
 *
 * A search in several processes has no memory that is worth keeping: its pages are those of a
 * child that has not begun, and its leaves say what is left (kept_leaves.h).
 *
 * It is valid only for the same program and libraries, the same libmazur.so and the same
 * options, all of which it names. Even so it is not trusted: it must be a file of ours that
 * nobody else can write to, its sizes must add up, its digest must be right, and what the board
 * says is bounded as if a child had just written it. Only the child uses the pool's part, and
 * it runs nothing but the user's own program. */
#ifndef MAZUR_CLI_RESUME_H
#define MAZUR_CLI_RESUME_H

#include "board/parent.h"
#include "cli/build/program.h"
#include "cli/options/options.h"
#include "host/buffer.h"

struct kept_search {
    char *path;           /* of the file, or NULL: there is no place for one */
    char *runtime;        /* libmazur.so */
    char *options;        /* those that decide what a search runs, as text */
    struct buffer leaves; /* of a search in several processes; else empty */
    double seconds;       /* spent so far */
    bool kept;            /* the file exists and can be resumed */
    const char *why;      /* why it was not kept; NULL: nothing to say */
};

/* Determine where the search of this program is kept, whether the file exists or not. */
void resume_open(struct kept_search *kept, const struct program *program, const char *runtime,
                 const struct board_config *config);
void resume_release(struct kept_search *kept);
/* What a search depends on, as hashes: the program's bytes and arguments and libmazur.so; and
 * the options. False: a file can't be read. */
bool search_identity(const struct kept_search *kept, const struct program *program,
                     uint64_t *program_hash, uint64_t *options_hash);
/* Fill fresh segments from the file, config included. False after a message. */
bool resume_load(struct kept_search *kept, const struct program *program,
                 struct shared *shared);
/* Keep the search that has ended if it can be resumed; else remove what was kept. */
void resume_keep(struct kept_search *kept, const struct program *program,
                 const struct shared *shared);
/* The command that resumes the search; malloc'd. */
char *resume_command(const struct program *program, const struct options *options);

#endif
