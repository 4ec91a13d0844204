/* Frames to bytes and back. See trials.h.
 *
 *      frame    | number | copy | runs, inner | start, length, copy | …
 *
 * All numbers have seven bits per byte (folded.h). Numbers of states are differences from the
 * one before, in zigzag order: 0, -1, 1, -2, …; copies are left out where each state has only
 * one. */
#include "promela/search/trials.h"

#include "base/must.h"

#define NUMBER_BYTES 5u                    /* at most */
#define CLEAN_FIRST  (64u * FOLDED_FRAMES) /* bytes */

static struct trials_frame *frame_at(const struct trials_part *p, uint32_t i)
{
    return &((struct trials_frame *)p->frames.data)[i];
}

static struct trial *trial_at(const struct trials_part *p, uint32_t i)
{
    return &((struct trial *)p->waiting.data)[i];
}

static void part_free(struct trials_part *p)
{
    free(p->frames.data);
    free(p->waiting.data);
}

/* --- to bytes --- */

static void write_number(struct folded *f, uint32_t *last, uint32_t number)
{
    uint32_t difference = number - *last;
    folded_choice(f, difference << 1 ^ (difference >> 31 != 0 ? 0xffffffffu : 0));
    *last = number;
}

/* How many trials from `at` on are of one run. */
static uint32_t run_length(const struct trials_part *p, uint32_t at, uint32_t end)
{
    const struct trial *first = trial_at(p, at);
    uint32_t length = 1;
    while (at + length < end && first[length].number == first->number + length &&
           first[length].copy == first->copy)
        length++;
    return length;
}

static void write_frame(const struct trials *t, const struct trials_part *p,
                        const struct trials_frame *f, uint32_t *last, struct folded *to)
{
    uint32_t runs = 0;
    for (uint32_t at = f->at; at < f->end; at += run_length(p, at, f->end))
        runs++;
    write_number(to, last, f->number);
    if (t->copies)
        folded_choice(to, f->copy);
    folded_choice(to, runs << 1 | f->inner);
    for (uint32_t at = f->at, length; at < f->end; at += length) {
        const struct trial *first = trial_at(p, at);
        length = run_length(p, at, f->end);
        write_number(to, last, first->number);
        folded_choice(to, length);
        if (t->copies)
            folded_choice(to, first->copy);
        *last += length - 1;
    }
}

/* Removes what need not be tried any more. */
static void sift_trials(const struct trials *t, const struct trials_part *p,
                        struct trials_frame *f)
{
    uint32_t kept = f->at;
    for (uint32_t at = f->at; at < f->end; at++) {
        const struct trial *trial = trial_at(p, at);
        if (t->is_open(t->context, trial->number, trial->copy))
            *trial_at(p, kept++) = *trial;
    }
    f->end = kept;
}

/* Folds the first FOLDED_FRAMES frames; their trials are not needed afterwards. False: no
 * memory. */
static bool write_segment(const struct trials *t, const struct trials_part *p,
                          struct folded *to)
{
    uint32_t last = 0;
    size_t numbers = 3 * ((size_t)FOLDED_FRAMES + p->waiting.count);
    if (!folded_reserve(to, numbers * NUMBER_BYTES, FOLDED_FRAMES))
        return false;
    folded_begin(to, (struct folded_head){0}, p->frames.data);
    for (uint32_t i = 0; i < FOLDED_FRAMES; i++) {
        sift_trials(t, p, frame_at(p, i));
        write_frame(t, p, frame_at(p, i), &last, to);
    }
    return true;
}

/* --- and back --- */

static uint32_t read_number(const struct folded *f, size_t *at, uint32_t *last)
{
    uint32_t zigzag = folded_read_choice(f, at);
    return *last += zigzag >> 1 ^ (zigzag & 1 ? 0xffffffffu : 0);
}

/* False: no memory. */
static bool read_frame(const struct trials *t, size_t *at, uint32_t *last,
                       struct trials_part *to)
{
    struct trials_frame *f = growing_add(&to->frames, sizeof *f, 1);
    if (!f)
        return false;
    *f = (struct trials_frame){.number = read_number(&t->folded, at, last)};
    f->copy = t->copies ? folded_read_choice(&t->folded, at) : 0;
    uint32_t runs = folded_read_choice(&t->folded, at);
    f->inner = runs & 1;
    f->first = f->at = to->waiting.count;
    for (runs >>= 1; runs > 0; runs--) {
        uint32_t number = read_number(&t->folded, at, last);
        uint32_t length = folded_read_choice(&t->folded, at);
        uint32_t copy = t->copies ? folded_read_choice(&t->folded, at) : 0;
        struct trial *trial = growing_add(&to->waiting, sizeof *trial, length);
        if (!trial)
            return false;
        for (uint32_t i = 0; i < length; i++)
            trial[i] = (struct trial){.number = number + i, .copy = copy};
        *last += length - 1;
    }
    f->end = to->waiting.count;
    return true;
}

static bool read_segment(const struct trials *t, size_t *at, struct trials_part *to)
{
    uint32_t last = 0;
    folded_read_head(&t->folded, at, NULL);
    for (uint32_t i = 0; i < FOLDED_FRAMES; i++)
        if (!read_frame(t, at, &last, to))
            return false;
    return true;
}

/* --- the stack --- */

/* Rewrites all segments in place. A segment that would become longer, because a run was broken,
 * stays as it is. False: no memory; the stack is lost. */
static bool clean_frames(struct trials *t)
{
    struct trials_part part = {0};
    struct folded *f = &t->folded, anew = {0};
    size_t from = 0, to = 0, before = 0;
    bool whole = true;
    while (whole && from < f->used) {
        size_t end = from;
        part.frames.count = part.waiting.count = anew.used = 0;
        whole = read_segment(t, &end, &part) && write_segment(t, &part, &anew);
        if (!whole)
            break;
        bool shorter = anew.used < end - from;
        size_t size = shorter ? anew.used : end - from;
        folded_put(f, to, before, shorter ? anew.bytes : f->bytes + from, size);
        before = to;
        to += size;
        from = end;
    }
    f->used = to;
    f->last = before;
    t->clean_at = to + to / 2;
    part_free(&part);
    folded_free(&anew);
    return whole;
}

/* Folds the lower half of the frames. False: no memory. */
static bool fold_trials(struct trials *t)
{
    struct trials_part *top = &t->top;
    struct trials_frame *f = top->frames.data;
    uint32_t gone = f[FOLDED_FRAMES].first;
    if (!write_segment(t, top, &t->folded))
        return false;
    top->waiting.count -= gone;
    memmove(top->waiting.data, trial_at(top, gone), top->waiting.count * sizeof(struct trial));
    top->frames.count -= FOLDED_FRAMES;
    memmove(f, f + FOLDED_FRAMES, top->frames.count * sizeof *f);
    for (uint32_t i = 0; i < top->frames.count; i++) {
        f[i].first -= gone;
        f[i].at -= gone;
        f[i].end -= gone;
    }
    t->below += FOLDED_FRAMES;
    return t->folded.used < CLEAN_FIRST || t->folded.used < t->clean_at || clean_frames(t);
}

bool trials_push(struct trials *t, struct trials_frame frame)
{
    if (t->folds && t->top.frames.count == 2 * FOLDED_FRAMES && !fold_trials(t))
        return false;
    struct trials_frame *f = growing_add(&t->top.frames, sizeof frame, 1);
    if (!f)
        return false;
    frame.first = frame.at = frame.end = t->top.waiting.count;
    *f = frame;
    return true;
}

/* What was folded came from this memory, so there is room for it. */
void trials_pop(struct trials *t)
{
    must(t->top.frames.count > 0);
    t->top.waiting.count = trials_top(t)->first;
    t->top.frames.count--;
    if (t->top.frames.count > 0 || t->below == 0)
        return;
    size_t at = t->folded.last;
    read_segment(t, &at, &t->top);
    folded_drop(&t->folded);
    t->below -= FOLDED_FRAMES;
}

size_t trials_bytes(const struct trials *t)
{
    return t->top.frames.room * sizeof(struct trials_frame) +
           t->top.waiting.room * sizeof(struct trial) + t->folded.room;
}

void trials_free(struct trials *t)
{
    part_free(&t->top);
    folded_free(&t->folded);
}

struct trials_walk trials_walk(const struct trials *t)
{
    return (struct trials_walk){.trials = t};
}

const struct trials_frame *trials_walk_on(struct trials_walk *w)
{
    const struct trials *t = w->trials;
    uint32_t i = w->next++;
    if (i >= t->below)
        return i < trials_depth(t) ? frame_at(&t->top, i - t->below) : NULL;
    if (i % FOLDED_FRAMES == 0) {
        w->segment.frames.count = w->segment.waiting.count = 0;
        if (!read_segment(t, &w->at, &w->segment))
            return NULL;
    }
    return frame_at(&w->segment, i % FOLDED_FRAMES);
}

void trials_walk_end(struct trials_walk *w)
{
    part_free(&w->segment);
}
