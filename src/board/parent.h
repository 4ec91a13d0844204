/* What the parent does with a board: create it, make what the child left there safe to read,
 * find the schedule of a failure. */
#ifndef MAZUR_BOARD_PARENT_H
#define MAZUR_BOARD_PARENT_H

#include "board/board.h"

struct shared {
    int board_fd;
    int pool_fd;
    struct board *board;
};

/* Create and map the two segments, magic and version set. False with errno. */
bool shared_open(struct shared *shared);
void shared_close(struct shared *shared);
/* As new, for another child; the last one must be gone. False with errno. */
bool shared_reset(struct shared *shared);

/* Bound every count, index and string that the child wrote; call it when the child is dead and
 * before anything else is read. */
void board_sanitize(struct board *board);
/* The same for a copy of the counts, taken while the child runs. */
void stats_sanitize(struct search_stats *stats);

/* Schedule of failure[index] on a sanitised board; returns its length. */
uint32_t board_failing_schedule(const struct board *board, uint32_t index,
                                const uint32_t **schedule);

#endif
