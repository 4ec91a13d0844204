/* What the files of the search for cycles share: what the workers have in common, and what each
 * of them keeps.
 *
 *      search_cycles.c    the outer search, the inner one, and the bounds
 *      cycles_states.c    successors, the stack, and what is known of each state
 *      cycles_failure.c   a failure is written down as a trail
 *      cycles_team.c      the workers and their memory
 *
 * Invariant: the successors of the frame number `expanded` are in the arena, with their keys.
 */
#ifndef MAZUR_PROMELA_CYCLES_INSIDE_H
#define MAZUR_PROMELA_CYCLES_INSIDE_H

#include "promela/automata/claim_parts.h"
#include "promela/search/cycle_colours.h"
#include "promela/search/product.h"
#include "promela/search/trials.h"
#include "promela/store/hashed_colours.h"
#include "promela/store/store.h"
#include "promela/verifier/pace.h"

#define NO_STEP 0xffffffffu

/* What the workers share. */
struct cycles_team {
    struct verifier *verifier;
    struct crew crew;
    struct store *store; /* with the colours of each copy of a state */
    uint32_t copies;     /* of each state, at most */
    int jobs;
    struct cycles *workers;
    atomic_bool stop;
    atomic_uint wanted;    /* copies that some state needs: more than `copies`; 0: none does */
    atomic_bool recording; /* some worker is writing a failure down */
    pthread_mutex_t lock;  /* of the verifier's results. Never held where tables may grow */
};

/* A state that the inner search of one of several workers has visited. */
struct met_state {
    uint32_t number, copy;
    bool accepting;
};

/* One worker. */
struct cycles {
    struct cycles_team *team;
    struct verifier *verifier;
    struct product product;
    struct claim_parts parts;
    struct store *store;
    struct colours colours;            /* of stored states */
    struct hashed_colours *hashed;     /* the same without a store; NULL: there is one */
    struct fingerprint initial;        /* without a store: of the initial state */
    const struct shape *initial_shape; /* … and its shape */
    uint64_t met;                      /* … number of states visited */
    struct store_writer *writer;
    struct trials trials;
    struct product_arena arena;
    uint64_t *keys; /* of the last successors; reserved address space */
    size_t keys_size;
    uint32_t keys_at;
    uint8_t *now; /* the state of the top frame, while it is being expanded, and its key */
    uint64_t *key;
    const struct shape *shape;
    uint32_t expanded;     /* the frame whose successors are in the arena; 0: none */
    bool keeps;            /* the arena also keeps those of all frames below */
    bool inner;            /* the inner search is running */
    struct growing passed; /* states it has visited, with several workers: struct met_state */
    uint32_t blue_depth;   /* depth of the outer search while the inner one runs */
    uint64_t pushed, deepest, transitions, errors;
    atomic_size_t bytes; /* of the stack; read by the others */
    struct pace pace;
};

static inline bool is_stopped(const struct cycles *c)
{
    return atomic_load_explicit(&c->team->stop, memory_order_relaxed);
}

static inline void stop_all(struct cycles *c)
{
    atomic_store(&c->team->stop, true);
}

/* cycles_states.c: limits */

/* Ends the search, and says why. */
void cycles_halt(struct cycles *c, const char *why);
/* Ends it if a limit is reached. Only the first worker shows the progress. */
void cycles_check_limits(struct cycles *c);
uint64_t cycles_count_states(const struct cycles *c);

/* Colours. A state is named by its number in the store, or, without a store, by the step that
 * leads to it. */

uint32_t cycles_hashed_colours(const struct cycles *c, uint32_t number, uint32_t copy);

static inline uint32_t cycles_colours(const struct cycles *c, uint32_t number, uint32_t copy)
{
    return c->hashed ? cycles_hashed_colours(c, number, copy)
                     : colours_get(&c->colours, number, copy);
}

/* The name of the state that a step in the arena leads to. */
static inline uint32_t cycles_number(const struct cycles *c, uint32_t step)
{
    return c->hashed ? step : product_step_at(&c->arena, step)->number;
}

/* Does the step lead to the state of that frame? */
bool cycles_is_target(const struct cycles *c, const struct trials_frame *f,
                      const struct product_step *target);
/* Replaces the colours `old` by `colours`. */
void cycles_repaint(struct cycles *c, uint32_t number, uint32_t copy, uint32_t old,
                    uint32_t colours);
/* Adds colours. */
void cycles_paint(struct cycles *c, uint32_t number, uint32_t copy, uint32_t colours);
/* See colours_expand_full() and colours_leave(). */
bool cycles_expand_full(struct cycles *c, uint32_t number, uint32_t copy);
bool cycles_may_leave(const struct cycles *c, uint32_t number, uint32_t copy);

/* States and their successors */

size_t cycles_vector_bytes(const struct cycles *c, const struct shape *shape);

/* Are the successors of the top frame in the arena, with their keys? */
static inline bool cycles_is_near(const struct cycles *c)
{
    return c->expanded == trials_depth(&c->trials);
}

/* Makes a state the current one: the top frame's, or one that it leads to (`near`: the arena
 * has it; otherwise it comes from the store). */
void cycles_go_to(struct cycles *c, uint32_t number, uint32_t step, bool near);
/* The successors of the top frame, whose state is the current one: `all` of them, or those that
 * stand for all. */
void cycles_generate(struct cycles *c, bool all);
bool cycles_was_full(const struct cycles *c, const struct trials_frame *f);
/* Does a successor lead back to the stack? */
bool cycles_closes_one(const struct cycles *c);

/* The stack */

/* Must the state still be tried? While the inner search runs, either search may want it. */
bool cycles_is_open(void *context, uint32_t number, uint32_t copy);
/* A frame for the current state. */
void cycles_push(struct cycles *c, struct trial t, bool inner);
void cycles_pop(struct cycles *c);
/* The successor at this step of the arena must be tried. */
void cycles_keep(struct cycles *c, uint32_t step);
/* Removes the successors of the top frame that need not be tried from the arena. (Their paths
 * stay, because steps may share one.) */
void cycles_drop_known(struct cycles *c);

/* cycles_failure.c: the run on the stack fails, with `last` as its last step unless that is
 * NULL. It is written down even if the time is up. */
void cycles_record_failure(struct cycles *c, enum violation violation,
                           const struct product_step *last);

/* cycles_team.c. False: no memory; call cycles_team_end() in any case. */
bool cycles_team_begin(struct cycles_team *team, struct verifier *v, int bound,
                       uint32_t copies);
void cycles_team_end(struct cycles_team *team);
/* The results of all workers. *pruned: something lies beyond the bound. */
void cycles_sum_up(const struct cycles_team *team, bool *pruned);

#endif
