/* The stack of a depth-first search over stored states: each frame is the number of a state,
 * with the numbers of those successors that are still to be tried.
 *
 * A state is expanded once. All its successors are looked up together, so that the processor
 * waits for memory once and not for each. Those that must be tried are kept as numbers; the
 * store returns the state when its turn comes.
 *
 * A deep search has most of its states on the stack at once, so only the top is kept as plain
 * frames. When there are 2 * FOLDED_FRAMES frames, the lower half becomes a segment of bytes
 * (folded.h): numbers are stored as differences, and successors that entered the store one
 * after the other, as new ones do, as one run. Most states deep below are visited by another
 * path long before their turn: whenever the segments have grown by half, those that need not be
 * tried any more are removed.
 *
 *      | segment | segment | … |  frame |  frame | … |
 *                                 first            top
 *
 * Invariant: in every frame but the top one, the trial before `at` leads to the frame above. */
#ifndef MAZUR_PROMELA_TRIALS_H
#define MAZUR_PROMELA_TRIALS_H

#include "promela/search/folded.h"
#include "promela/store/growing.h"

/* A state that is to be tried. */
struct trial {
    uint32_t number, copy;
    uint32_t step; /* for the search: how it is reached. Lost when the frame is folded. */
};

struct trials_frame {
    uint32_t number, copy;
    bool inner;              /* for the search */
    uint32_t step, mark[3];  /* for the search. Lost, too. */
    uint32_t first, at, end; /* its trials */
};

/* Frames, and the trials of all of them in a row. */
struct trials_part {
    struct growing frames, waiting;
};

struct trials {
    struct trials_part top;
    struct folded folded;
    size_t clean_at; /* bytes of it */
    bool (*is_open)(void *context, uint32_t number,
                    uint32_t copy); /* is it still to be tried? */
    void *context;
    bool folds;     /* otherwise nothing may be lost */
    bool copies;    /* the numbers of copies are not always 0 */
    uint32_t below; /* frames that are folded */
};

/* All frames of a stack, from the lowest on. */
struct trials_walk {
    const struct trials *trials;
    struct trials_part segment;
    size_t at;     /* of the next one */
    uint32_t next; /* frame */
};

static inline uint32_t trials_depth(const struct trials *t)
{
    return t->below + t->top.frames.count;
}

static inline struct trials_frame *trials_top(const struct trials *t)
{
    return &((struct trials_frame *)t->top.frames.data)[t->top.frames.count - 1];
}

/* One more for the top frame. False: no memory. */
static inline bool trials_add(struct trials *t, struct trial trial)
{
    struct trial *added = growing_add(&t->top.waiting, sizeof trial, 1);
    if (!added)
        return false;
    *added = trial;
    trials_top(t)->end = t->top.waiting.count;
    return true;
}

/* The next one of the top frame; NULL: all were tried. */
static inline const struct trial *trials_next(struct trials *t)
{
    struct trials_frame *f = trials_top(t);
    return f->at < f->end ? &((struct trial *)t->top.waiting.data)[f->at++] : NULL;
}

/* A frame without trials. False: no memory. */
bool trials_push(struct trials *trials, struct trials_frame frame);
void trials_pop(struct trials *trials);
size_t trials_bytes(const struct trials *trials);
void trials_free(struct trials *trials);

struct trials_walk trials_walk(const struct trials *trials);
/* NULL: the top was the last one, or there is no memory. */
const struct trials_frame *trials_walk_on(struct trials_walk *walk);
void trials_walk_end(struct trials_walk *walk);

#endif
