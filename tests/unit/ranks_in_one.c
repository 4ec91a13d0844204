/* See ranks_in_one.h. */
#include "ranks_in_one.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/must.h"
#include "promela/search/labels.h"

#define RANKS 16

struct letter {
    struct letter *next;
    size_t size;
    uint8_t bytes[];
};

struct office;

struct box {
    struct office *office;
    int rank;
    struct letter *taken;
};

struct office {
    struct letter *first[RANKS][RANKS], **last[RANKS][RANKS]; /* to, from */
    int ranks;
    uint64_t seed;
    struct box box[RANKS];
};

static bool is_busy(void *context, int to)
{
    struct box *box = context;
    (void)to;
    return random_below(&box->office->seed, 4) == 0;
}

static void send_letter(void *context, int to, const void *bytes, size_t size)
{
    struct box *box = context;
    struct office *o = box->office;
    struct letter *letter = malloc(sizeof *letter + size);
    must(letter);
    letter->next = NULL;
    letter->size = size;
    memcpy(letter->bytes, bytes, size);
    *o->last[to][box->rank] = letter;
    o->last[to][box->rank] = &letter->next;
}

static const uint8_t *receive_letter(void *context, int *from, size_t *size)
{
    struct box *box = context;
    struct office *o = box->office;
    free(box->taken);
    box->taken = NULL;
    *from = (int)random_below(&o->seed, (uint64_t)o->ranks);
    struct letter *letter = o->first[box->rank][*from];
    if (!letter)
        return NULL;
    o->first[box->rank][*from] = letter->next;
    if (!letter->next)
        o->last[box->rank][*from] = &o->first[box->rank][*from];
    box->taken = letter;
    *size = letter->size;
    return letter->bytes;
}

static void office_open(struct office *o, int ranks, uint64_t seed)
{
    memset(o, 0, sizeof *o);
    o->ranks = ranks;
    o->seed = seed;
    for (int i = 0; i < ranks; i++) {
        o->box[i] = (struct box){o, i, NULL};
        for (int k = 0; k < ranks; k++)
            o->last[i][k] = &o->first[i][k];
    }
}

/* How many letters were still there. */
static int office_close(struct office *o)
{
    int left = 0;
    for (int i = 0; i < o->ranks; i++) {
        free(o->box[i].taken);
        for (int k = 0; k < o->ranks; k++)
            for (struct letter *l = o->first[i][k], *next; l; l = next, left++) {
                next = l->next;
                free(l);
            }
    }
    return left;
}

static bool is_all_over(struct spread_rank **spread, int ranks)
{
    for (int i = 0; i < ranks; i++)
        if (!spread_is_over(spread[i]))
            return false;
    return true;
}

static bool run_ranks(struct verifier *v, struct verifier *others,
                      const struct ranks_setup *setup, bool *killed)
{
    struct office office;
    struct spread_rank *spread[RANKS];
    bool done = true;
    long turns = 0;
    must(setup->ranks <= RANKS);
    office_open(&office, setup->ranks, setup->seed);
    for (int i = 0; i < setup->ranks; i++) {
        struct spread_net net = {i,       setup->ranks, &office.box[i],
                                 is_busy, send_letter,  receive_letter};
        spread[i] = spread_create(i == 0 ? v : &others[i], &net, &setup->spread);
        must(spread[i]);
    }
    for (int i = 0; i < setup->ranks; i++)
        spread_start(spread[i]);
    while (!is_all_over(spread, setup->ranks) && (setup->turns == 0 || turns++ < setup->turns))
        spread_turn(spread[random_below(&office.seed, (uint64_t)setup->ranks)]);
    *killed = !is_all_over(spread, setup->ranks);
    for (int i = 0; i < setup->ranks; i++) {
        if (!*killed)
            done &= spread_finish(spread[i]);
        spread_free(spread[i]);
    }
    must(office_close(&office) == 0 || *killed);
    return done;
}

bool search_ranks(struct verifier *v, const struct ranks_setup *given)
{
    struct ranks_setup setup = *given;
    struct verifier others[RANKS];
    bool killed;
    setup.spread.pids = LABEL_FEW;
    for (int i = 1; i < setup.ranks; i++) {
        others[i] = *v;
        others[i].shapes = shapes_create(v->model);
        must(others[i].shapes);
    }
    if (!run_ranks(v, others, &setup, &killed)) {
        setup.spread.pids = LABEL_MANY;
        setup.spread.resume = false;
        must(run_ranks(v, others, &setup, &killed));
    }
    for (int i = 1; i < setup.ranks; i++)
        shapes_free(others[i].shapes);
    return !killed;
}
