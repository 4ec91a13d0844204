/* States in the search for cycles: where the search is, successors, the stack, and what is
 * known of each state. See cycles_inside.h.
 *
 * With C embedded in the model, what it did can't be repeated, and there may be memory that is
 * not part of the stored vector: then the arena keeps the successors of all frames. The same
 * happens where there are hashes instead of a store (--store compact, bitstate): the arena
 * keeps the successors that are still to be tried, and the number of a state is that of the
 * step that leads to it. */
#include "promela/search/cycles_inside.h"

#include <string.h>

#include "promela/search/retrace.h"

void cycles_halt(struct cycles *c, const char *why)
{
    pthread_mutex_lock(&c->team->lock);
    verifier_truncate(c->verifier, why);
    pthread_mutex_unlock(&c->team->lock);
    stop_all(c);
}

static size_t used_bytes(struct cycles *c)
{
    size_t stacks = 0;
    atomic_store(&c->bytes, trials_bytes(&c->trials) + product_arena_bytes(&c->arena) +
                                (size_t)c->keys_at * sizeof *c->keys +
                                (size_t)c->passed.room * sizeof(struct met_state));
    for (int i = 0; i < c->team->jobs; i++)
        stacks += atomic_load(&c->team->workers[i].bytes);
    return c->hashed ? hashed_colours_bytes(c->hashed) + stacks
                     : store_bytes_with(c->store, stacks);
}

static bool is_full(const struct cycles *c)
{
    return c->hashed ? hashed_colours_full(c->hashed) : store_full(c->store);
}

uint64_t cycles_count_states(const struct cycles *c)
{
    return c->hashed ? c->met : store_count(c->store);
}

void cycles_check_limits(struct cycles *c)
{
    struct verifier *v = c->verifier;
    size_t used = used_bytes(c);
    if (used > v->options->memory || is_full(c) || c->product.failed)
        cycles_halt(c, "memory limit");
    if (macro_ends_search(&c->product.macro, c->pushed))
        cycles_halt(c, c->product.macro.cut_by);
    if (c != c->team->workers) {
        const char *by = verifier_is_over(v);
        if (by)
            cycles_halt(c, by);
        return;
    }
    v->bytes = used > v->bytes ? used : v->bytes;
    if (verifier_must_stop(v, cycles_count_states(c)))
        stop_all(c);
}

/* --- colours --- */

/* The fingerprint of the state that a step leads to: hash_successors() stored it in the step.
 */
static struct fingerprint print_of_step(const struct product_step *s)
{
    return (struct fingerprint){s->hash, (uint64_t)s->number << 32 | s->key};
}

static struct fingerprint print_of(const struct cycles *c, uint32_t number)
{
    return number == NO_STEP ? c->initial : print_of_step(product_step_at(&c->arena, number));
}

bool cycles_is_target(const struct cycles *c, const struct trials_frame *f,
                      const struct product_step *target)
{
    if (f->copy != target->copy)
        return false;
    if (!c->hashed)
        return f->number == target->number;
    struct fingerprint a = print_of(c, f->number), b = print_of_step(target);
    return a.first == b.first && a.second == b.second;
}

uint32_t cycles_hashed_colours(const struct cycles *c, uint32_t number, uint32_t copy)
{
    struct fingerprint print = print_of(c, number);
    uint32_t colours = hashed_on_stack(c->hashed, print, copy) ? CYAN : 0;
    if (colours == 0 && hashed_has(c->hashed, print, copy, HASHED_OUTER))
        colours = BLUE;
    if (c->inner && hashed_has(c->hashed, print, copy, HASHED_INNER))
        colours |= RED;
    if (c->verifier->por && hashed_has(c->hashed, print, copy, HASHED_FULL))
        colours |= EXPANDED_FULL;
    return colours;
}

static void repaint_hashed(struct cycles *c, uint32_t number, uint32_t copy, uint32_t old,
                           uint32_t colours)
{
    struct fingerprint print = print_of(c, number);
    if (colours & CYAN) {
        bool fresh = hashed_paint(c->hashed, print, copy, HASHED_OUTER);
        c->met += c->product.fair ? hashed_meet(c->hashed, print) : fresh;
        if (!hashed_push(c->hashed, print, copy))
            cycles_halt(c, "memory");
    }
    if (colours & RED)
        hashed_paint(c->hashed, print, copy, HASHED_INNER);
    if (old & CYAN)
        hashed_pop(c->hashed);
}

void cycles_repaint(struct cycles *c, uint32_t number, uint32_t copy, uint32_t old,
                    uint32_t colours)
{
    if (c->hashed)
        repaint_hashed(c, number, copy, old, colours);
    else
        colours_change(&c->colours, number, copy, old, colours);
}

void cycles_paint(struct cycles *c, uint32_t number, uint32_t copy, uint32_t colours)
{
    cycles_repaint(c, number, copy, 0, colours);
}

bool cycles_expand_full(struct cycles *c, uint32_t number, uint32_t copy)
{
    if (!c->hashed)
        return colours_expand_full(&c->colours, number, copy);
    hashed_paint(c->hashed, print_of(c, number), copy, HASHED_FULL);
    return true;
}

bool cycles_may_leave(const struct cycles *c, uint32_t number, uint32_t copy)
{
    return c->hashed ||
           colours_leave(&c->colours, number, copy, cycles_colours(c, number, copy) & WHOLE);
}

/* --- the state where the search is --- */

size_t cycles_vector_bytes(const struct cycles *c, const struct shape *shape)
{
    return (((size_t)shape->size + 7) & ~(size_t)7) + (size_t)c->verifier->model->c_tail;
}

void cycles_go_to(struct cycles *c, uint32_t number, uint32_t step, bool near)
{
    const struct product_step *s =
        step != NO_STEP && (near || c->keeps) ? product_step_at(&c->arena, step) : NULL;
    if (c->hashed) {
        c->shape = s ? s->shape : c->initial_shape;
    } else if (near) {
        c->shape = s->shape;
        memcpy(c->key, c->keys + s->key, store_key_words(s->shape->size) * sizeof *c->key);
    } else
        c->shape = stored_state(c->verifier, c->store, number, c->now, c->key);
    if (s || c->keeps)
        memcpy(c->now, product_vector(&c->arena, s ? s->at : 0),
               cycles_vector_bytes(c, c->shape));
}

/* --- successors --- */

static struct store_root make_key(struct cycles *c, struct product_step *s)
{
    s->key = c->keys_at;
    struct store_root root =
        store_key(c->writer, product_vector(&c->arena, s->at), s->shape->size, c->now,
                  c->shape->size, c->key, c->keys + s->key);
    s->hash = root.hash;
    c->keys_at += store_key_words(s->shape->size);
    if ((size_t)c->keys_at * sizeof *c->keys > c->keys_size / 2) {
        c->keys_at = s->key;
        c->product.failed = true;
    }
    return root;
}

static struct store_root key_of(const struct cycles *c, const struct product_step *s)
{
    return (struct store_root){s->hash, c->keys + s->key};
}

static void hash_successors(struct cycles *c, uint32_t first)
{
    for (uint32_t i = first; i < c->arena.steps.count; i++) {
        struct product_step *s = product_step_at(&c->arena, i);
        struct fingerprint print =
            fingerprint(product_vector(&c->arena, s->at), s->shape->size);
        s->hash = print.first;
        s->key = (uint32_t)print.second;
        s->number = (uint32_t)(print.second >> 32);
    }
    if (c->product.failed || is_full(c))
        cycles_halt(c, "memory limit");
}

/* Finds the numbers of all successors from `first` on. Slots, then records, are prefetched. */
static void look_up(struct cycles *c, uint32_t first)
{
    struct product_step *s = product_step_at(&c->arena, 0);
    uint32_t end = c->arena.steps.count;
    c->keys_at = 0;
    if (c->hashed) {
        hash_successors(c, first);
        return;
    }
    for (uint32_t i = first; i < end && !c->product.failed; i++)
        if (s[i].fault == 0)
            store_prefetch(c->store, make_key(c, &s[i]));
    for (uint32_t i = first; i < end && !c->product.failed; i++)
        if (s[i].fault == 0)
            store_prefetch_record(c->store, key_of(c, &s[i]));
    for (uint32_t i = first; i < end && !c->product.failed && !store_full(c->store); i++) {
        if (s[i].fault != 0)
            continue;
        store_add(c->writer, key_of(c, &s[i]), &s[i].number);
        uint32_t copies = product_copies(&c->product, s[i].shape);
        if (copies > c->team->copies) {
            atomic_store(&c->team->wanted, copies);
            stop_all(c);
        }
    }
    if (store_full(c->store) || c->product.failed)
        cycles_halt(c, "memory limit");
}

void cycles_generate(struct cycles *c, bool all)
{
    const struct trials_frame *f = trials_top(&c->trials);
    c->arena.steps.count = f->mark[0];
    c->arena.paths.count = f->mark[1];
    c->arena.pool_at = f->mark[2];
    product_generate(&c->product, c->now, c->shape, f->copy, all);
    look_up(c, f->mark[0]);
    c->expanded = trials_depth(&c->trials);
}

bool cycles_was_full(const struct cycles *c, const struct trials_frame *f)
{
    return !c->verifier->por || (cycles_colours(c, f->number, f->copy) & EXPANDED_FULL);
}

bool cycles_closes_one(const struct cycles *c)
{
    for (uint32_t i = trials_top(&c->trials)->mark[0]; i < c->arena.steps.count; i++) {
        const struct product_step *s = product_step_at(&c->arena, i);
        if (s->fault == 0 && (cycles_colours(c, cycles_number(c, i), s->copy) & CYAN))
            return true;
    }
    return false;
}

/* --- the stack --- */

bool cycles_is_open(void *context, uint32_t number, uint32_t copy)
{
    const struct cycles *c = context;
    return !(cycles_colours(c, number, copy) & (c->inner ? CYAN | PINK | RED : CYAN | BLUE));
}

void cycles_push(struct cycles *c, struct trial t, bool inner)
{
    struct trials_frame f = {
        .number = t.number, .copy = t.copy, .step = t.step, .inner = inner};
    if (c->keeps) {
        f.mark[0] = c->arena.steps.count;
        f.mark[1] = c->arena.paths.count;
        f.mark[2] = c->arena.pool_at;
    }
    if (!trials_push(&c->trials, f)) {
        cycles_halt(c, "memory");
        return;
    }
    if (trials_depth(&c->trials) - 1 > c->deepest)
        c->deepest = trials_depth(&c->trials) - 1;
    if (pace_is_due(&c->pace, ++c->pushed))
        cycles_check_limits(c);
}

void cycles_pop(struct cycles *c)
{
    const struct trials_frame *f = trials_top(&c->trials);
    c->arena.steps.count = f->mark[0];
    c->arena.paths.count = f->mark[1];
    c->arena.pool_at = f->mark[2];
    c->expanded = 0;
    trials_pop(&c->trials);
}

void cycles_keep(struct cycles *c, uint32_t step)
{
    const struct product_step *s = product_step_at(&c->arena, step);
    if (!trials_add(&c->trials, (struct trial){cycles_number(c, step), s->copy, step}))
        cycles_halt(c, "memory");
}

void cycles_drop_known(struct cycles *c)
{
    const struct trials_frame *f = trials_top(&c->trials);
    struct trial *trial = c->trials.top.waiting.data;
    uint32_t to = f->mark[0], pool_at = f->mark[2];
    for (uint32_t i = f->first; i < f->end; i++) {
        struct product_step *s = product_step_at(&c->arena, to);
        *s = *product_step_at(&c->arena, trial[i].step);
        uint32_t words = (uint32_t)(cycles_vector_bytes(c, s->shape) / 8);
        memmove(product_vector(&c->arena, pool_at), product_vector(&c->arena, s->at),
                (size_t)words * 8);
        s->at = pool_at;
        pool_at += words;
        trial[i].number = trial[i].step = to++;
    }
    c->arena.steps.count = to;
    c->arena.pool_at = pool_at;
}
