/* The children of a search in several processes (jobs.c): starting and ending them, and the
 * messages on their boards (board/messages.h). */
#ifndef MAZUR_CLI_WORKERS_H
#define MAZUR_CLI_WORKERS_H

#include "cli/jobs/dispatch.h"
#include "cli/jobs/division.h"
#include "cli/session/search_session.h"

#define LOOK_OFTEN 1 /* milliseconds: several children */

struct job {
    struct shared own; /* but worker 0 has the session's */
    struct shared *shared;
    struct supervision supervision;
    struct child *child; /* NULL: none */
    uint32_t given;      /* number of the last leaf that it was given */
    uint32_t split_asked;
};

struct jobs {
    struct search_session *session;
    bool invisible;
    struct job *worker;
    int count;
    bool shared_out;
    bool stopping; /* time is up, or Ctrl-C */
    struct dispatch dispatch;
    struct shared pattern;
    bool dividing; /* --shard: the search is divided before anything is shared out */
    struct shard_division division;
    uint32_t killed;
    uint64_t death; /* hash of the schedule that the last one ran */
    double started;
};

/* What its board says while the child runs. */
struct search_stats worker_counts(const struct job *worker);
struct slot_names worker_names(const struct board *board);
void take_reasons(struct jobs *jobs, const struct board *board);

/* A child on the board as it is. `waits`: for a leaf; else it has the whole search. */
void start_worker(struct jobs *jobs, int number, bool waits);
/* A child that waits for a leaf, on a board like the pattern. False: no memory. */
bool add_worker(struct jobs *jobs, int number);
/* Ends a child whose board is not needed. */
void end_worker(struct job *worker);
void end_workers(struct jobs *jobs);
/* Collects the failures on the board of a child that has ended, but not because of a failure.
 */
void collect_found(struct jobs *jobs, struct board *board);

void wake_child(volatile uint32_t *number);
/* struct transport: the context is a struct jobs. */
void ask_for_part(void *context, int number, uint64_t most);
bool give_leaf(void *context, int number, int leaf, int bound);
/* The child's answer to ask_for_part(). 1: a part, 0: nothing, -1: it has not answered. */
int read_split(const struct job *worker, struct leaf *kept, struct leaf *gift);
/* Gives this leaf to the child, with the names of its slots; false: the child uses different
 * slots. */
bool hand_leaf(struct job *worker, const struct leaf_record *record, int leaf, int bound);

#endif
