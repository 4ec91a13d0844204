/* Decides which worker searches which leaf, and which worker must give a part of its leaf away.
 * The bookkeeping is the foreman's (foreman.h); how messages travel does not matter here.
 *
 *     transport ── joined, lost, counts, gift, answer ──▶ dispatch
 *               ◀────────── give, ask ─────────────────── dispatch_direct
 *
 * A transport starts workers, reports their messages here, and calls dispatch_direct()
 * repeatedly. That function calls back to give a leaf to a worker that has none, or to ask one
 * for a part. Workers answer at any time, so nothing here waits for an answer. --jobs is a
 * transport between processes of one machine (jobs.c, with board/messages.h).
 *
 * All workers must have the same program, the same settings and the same lessons. A worker with
 * a new lesson reports it (WORK_LEARNED), and all start over. */
#ifndef MAZUR_CLI_DISPATCH_H
#define MAZUR_CLI_DISPATCH_H

#include "cli/jobs/foreman.h"

/* How the search continues. */
enum course {
    COURSE_ON,
    COURSE_OVER,       /* nothing is left to do */
    COURSE_OVER_AGAIN, /* dispatch.learner has a lesson: all must start over with it */
    COURSE_ONE,        /* the whole search must run in one process: dispatch.why_one */
};

struct transport {
    void *context;
    /* Gives a leaf, by the foreman's number, to a worker that has none, to be searched at this
     * bound. False: that is impossible, and the search continues in one process. */
    bool (*give)(void *context, int worker, int leaf, int bound);
    /* Asks the worker to give away a part of its leaf, of which at most so many executions were
     * run: they are run again. */
    void (*ask)(void *context, int worker, uint64_t most);
};

struct dispatch_worker {
    bool here;
    int leaf;         /* that it runs; -1: none */
    uint32_t gifts;   /* that it gave */
    bool asked;       /* to give a part away, and it has not answered */
    double ask_after; /* no need to ask before */
    double ask_pause; /* grows while it has nothing to give */
    double given_at;  /* its leaf */
};

struct dispatch {
    struct foreman foreman;
    struct claim claim; /* the reasons of all workers */
    struct transport transport;
    struct dispatch_worker *worker;
    int count;
    uint64_t layout; /* of the program in the process that split it first */
    struct {
        double seconds; /* that workers were busy until they were done with a leaf, */
        double executions;
        double idle; /* and without a leaf, since executions were last repeated to end this */
        double at;   /* when that was counted */
    } spent;
    int learner;
    const char *why_one;
};

/* What a worker says when it is done with its leaf. */
struct leaf_answer {
    enum work_answer what;
    struct search_stats stats;
    uint32_t gifts; /* that it gave in its life */
    uint64_t layout;
};

void dispatch_open(struct dispatch *dispatch, struct transport transport, int count);
void dispatch_close(struct dispatch *dispatch);
/* Start over, with nothing but the reasons. */
void dispatch_restart(struct dispatch *dispatch);

/* The whole search, which worker 0 has begun, was split for the first time (foreman_open). The
 * gift is worker 0's answer to `ask`: do not tell it again by dispatch_gift. */
void dispatch_share(struct dispatch *dispatch, const struct search_stats *before,
                    int last_bound, const struct leaf *kept, const struct leaf *gift,
                    const struct slot_names *names, uint64_t layout);

/* A new worker without a leaf; in place of one that was lost, too. */
void dispatch_joined(struct dispatch *dispatch, int worker, double now);
/* The worker has ended: its leaves must be searched again. */
void dispatch_lost(struct dispatch *dispatch, int worker);
/* Inside transport.give: the worker was replaced by a new one, which gets the leaf. */
void dispatch_renewed(struct dispatch *dispatch, int worker, int leaf);
/* Its counts so far, for display. */
void dispatch_counts(struct dispatch *dispatch, int worker, const struct search_stats *stats);
/* Reasons that it has raised. */
void dispatch_reasons(struct dispatch *dispatch, const struct claim *claim);
/* The answers to `ask`: a part of its leaf, or nothing to give. The worker may have finished
 * the same leaf at the same time: report the part first. */
void dispatch_gift(struct dispatch *dispatch, int worker, const struct leaf *kept,
                   const struct leaf *gift, const struct slot_names *names);
void dispatch_no_gift(struct dispatch *dispatch, int worker, double now);
/* The worker has finished its leaf; its reasons were reported before. */
enum course dispatch_answer(struct dispatch *dispatch, int worker,
                            const struct leaf_answer *answer, double now);

/* May the worker be asked for a part now? For this it does not matter what would be repeated.
 */
bool dispatch_may_ask(const struct dispatch *dispatch, int worker, double now);
void dispatch_ask(struct dispatch *dispatch, int worker, uint64_t most);
/* Hand out leaves and ask for parts; begin the next bound when every leaf is done. */
enum course dispatch_direct(struct dispatch *dispatch, double now);

/* Executions that change what other processes see must not run at the same time. */
bool dispatch_is_entangled(const struct claim *claim);
/* … which is why one process searches. */
extern const char dispatch_entangled[];

#endif
