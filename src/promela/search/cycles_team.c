/* The workers of the search for cycles: their memory, and the sum of their results. */
#include <stdlib.h>
#include <sys/mman.h>

#include "promela/search/cycles_inside.h"
#include "promela/search/retrace.h"

#define KEYS_RESERVED ((size_t)1 << 34)

/* Where visited states are kept. False: no memory. */
static bool create_store(struct cycles *c, const struct model_options *options, int number)
{
    bool bits = options->store == STORE_BITSTATE;
    if (options->store != STORE_EXACT) {
        c->hashed = hashed_colours_create(bits, bits ? options->bit_memory : options->memory);
        return c->hashed;
    }
    c->store = c->team->store;
    c->colours = colours_open(c->store, c->team->jobs, number);
    c->writer = store_writer(c->store, number);
    return c->writer;
}

static bool worker_init(struct cycles_team *team, int number, int bound)
{
    struct cycles *c = &team->workers[number];
    struct verifier *v = team->verifier;
    c->team = team;
    c->verifier = v;
    c->keeps = v->model->uses_c || v->options->store != STORE_EXACT;
    bool stored = create_store(c, v->options, number);
    c->keys_size = KEYS_RESERVED;
    c->keys = reserve_space(&c->keys_size);
    c->now = malloc(VECTOR_BYTES + (size_t)v->model->c_tail);
    c->key = malloc(STORE_ROOM * sizeof *c->key);
    c->trials.folds = !c->keeps;
    c->trials.is_open = cycles_is_open;
    c->trials.context = c;
    c->trials.copies = team->copies > 1;
    bool ready = product_init(&c->product, v, bound, true) && stored && c->keys && c->now &&
                 c->key && product_arena_init(&c->arena) &&
                 claim_parts_find(&c->parts, v->model->claim);
    c->product.part = c->parts.part;
    return ready;
}

bool cycles_team_begin(struct cycles_team *team, struct verifier *v, int bound, uint32_t copies)
{
    bool exact = v->options->store == STORE_EXACT, alone = v->model->uses_c || !exact;
    *team = (struct cycles_team){
        .verifier = v, .copies = copies, .jobs = alone ? 1 : verifier_jobs(v)};
    crew_init(&team->crew, team->jobs);
    pthread_mutex_init(&team->lock, NULL);
    if (exact)
        team->store = colours_store(v->options->memory, &team->crew, team->jobs, copies);
    team->workers = calloc((size_t)team->jobs, sizeof *team->workers);
    bool ready = (team->store || !exact) && team->workers;
    for (int i = 0; ready && i < team->jobs; i++)
        ready = worker_init(team, i, bound);
    return ready;
}

static void worker_free(struct cycles *c)
{
    hashed_colours_free(c->hashed);
    product_free(&c->product);
    claim_parts_free(&c->parts);
    trials_free(&c->trials);
    product_arena_free(&c->arena);
    free(c->passed.data);
    if (c->keys)
        munmap(c->keys, c->keys_size);
    free(c->now);
    free(c->key);
}

void cycles_team_end(struct cycles_team *team)
{
    for (int i = 0; team->workers && i < team->jobs; i++)
        worker_free(&team->workers[i]);
    free(team->workers);
    store_free(team->store);
    crew_free(&team->crew);
    pthread_mutex_destroy(&team->lock);
}
void cycles_sum_up(const struct cycles_team *team, bool *pruned)
{
    struct verifier *v = team->verifier;
    for (int i = 0; i < team->jobs; i++) {
        const struct cycles *c = &team->workers[i];
        if (c->product.macro.cut_by)
            verifier_truncate(v, c->product.macro.cut_by);
        v->transitions_seen += c->transitions;
        v->errors += c->errors;
        v->depth = c->deepest > v->depth ? c->deepest : v->depth;
        *pruned |= c->product.pruned;
    }
    const struct cycles *first = &team->workers[0];
    v->states = cycles_count_states(first);
    v->approximate = first->hashed;
    v->missed = first->hashed ? hashed_colours_missed(first->hashed) : 0;
}
