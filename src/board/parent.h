/* What the parent does with a board: create it, make the child's data safe to read, find the
 * schedule of a failure. */
#ifndef MAZUR_BOARD_PARENT_H
#define MAZUR_BOARD_PARENT_H

#include "board/board.h"

struct shared {
    int board_fd;
    int pool_fd;
    struct board *board; /* shared with the child; frozen: the parent's own copy of it */
    bool frozen;
    struct board_config given; /* the configuration that the child was given */
};

/* Creates and maps the two segments, with magic and version set. False with errno. */
bool shared_open(struct shared *shared);
void shared_close(struct shared *shared);
/* Resets the board for another child; the last child must have ended. False with errno. */
bool shared_reset(struct shared *shared);

/* A child runs on the board only between shared_give() and shared_freeze(). Meanwhile the
 * parent reads only single numbers, and flags with board_flag(); it reads anything else from a
 * copy.
 *
 *     the parent fills in the board ── give ─▶ the child runs ── freeze ─▶ the parent reads
 *                                  ▲                                          │
 *                                  └───────────────── thaw ───────────────────┘
 *
 * Freezing replaces the shared memory with a sanitised private copy at the same address:
 * checked values stay checked, even if another process still has the segment. The configuration
 * is the parent's again, except for what the search decided (config_take). False with errno. */
void shared_give(struct shared *shared);
bool shared_freeze(struct shared *shared);
/* The copy, with what the parent has changed since, becomes the shared memory again. */
bool shared_thaw(struct shared *shared);
/* A sanitised copy while the child runs; NULL with errno. */
struct board *board_copy(const struct shared *shared);
void board_copy_free(struct board *board);

/* Makes a fresh board and pool with the present contents of another child's: what is known
 * about the program, without a search. For a child that joins the search or starts over. False
 * with errno. */
bool shared_copy(struct shared *to, const struct shared *from);

/* A flag in shared memory may hold any byte. */
static inline bool board_flag(const bool *flag)
{
    return *(const volatile unsigned char *)flag != 0;
}

/* Brings every count, index, flag, enumeration and text into its range (sanitize.c). No other
 * process may write to the memory. */
void board_sanitize(struct board *board);
/* `config` with the search options that the search on another board chose. */
void config_take(struct board_config *config, const struct board_config *left);
/* The same for a copy of the counts, taken while the child runs. */
void stats_sanitize(struct search_stats *stats);

/* Schedule of failure[index] on a sanitised board; returns its length. */
uint32_t board_failing_schedule(const struct board *board, uint32_t index,
                                const uint32_t **schedule);

#endif
