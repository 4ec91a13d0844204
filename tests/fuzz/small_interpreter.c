/* The enumeration (small_interpreter.h): states in order of their preemptions. */
#include "small_interpreter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "small_state.h"

const char *const verdict_names[VERDICTS] = {"deadlock",  "assertion", "misuse",
                                             "data-race", "exit",      "memory-error"};

static uint64_t hash_state(const struct state *state)
{
    const unsigned char *byte = (const unsigned char *)state;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof *state; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 31;
}

static void reach(struct search *search, const struct state *state, int preemptions)
{
    uint32_t slot = (uint32_t)hash_state(state) & search->mask;
    for (; search->table[slot]; slot = (slot + 1) & search->mask) {
        int known = search->table[slot] - 1;
        if (memcmp(&search->states[known], state, sizeof *state) != 0)
            continue;
        if (search->least[known] <= preemptions)
            return;
        search->least[known] = (uint8_t)preemptions; /* it waits in `next`: bring it forward */
        search->now[search->nnow++] = known;
        return;
    }
    if (search->count == search->most) {
        search->result->too_large = true;
        return;
    }
    search->table[slot] = search->count + 1;
    search->states[search->count] = *state;
    search->least[search->count] = (uint8_t)preemptions;
    if (preemptions == search->preemptions)
        search->now[search->nnow++] = search->count;
    else
        search->next[search->nnext++] = search->count;
    search->count++;
}

static void take_step(struct search *search, const struct state *from, int t, int choice,
                      int preemptions)
{
    struct state state = *from;
    struct operation op = small_operation(search, &state, t);
    bool next;
    if (!small_execute(search, &state, t, op, choice, preemptions, &next))
        return;
    struct thread *thread = &state.thread[t];
    if (next)
        thread->pc++;
    thread->clock[t]++;
    state.last = (uint8_t)(t + 1);
    if (small_run_on(search, &state, t, preemptions))
        reach(search, &state, preemptions);
}

static bool may_leave_freely(const struct search *search, const struct state *state)
{
    if (state->last == 0 || !small_is_enabled(search, state, state->last - 1))
        return true;
    int kind = small_operation(search, state, state->last - 1).kind;
    return kind == YIELD || kind == PROCESS_EXIT;
}

static void expand(struct search *search, const struct state *from)
{
    bool free = may_leave_freely(search, from);
    bool any = false;
    for (int t = 0; t < THREADS; t++) {
        if (!small_is_enabled(search, from, t))
            continue;
        any = true;
        int preemptions = search->preemptions + (!free && t != from->last - 1);
        struct operation op = small_operation(search, from, t);
        int choices = op.kind == SIGNAL ? small_waiters(search, from, op.a) : 1;
        for (int choice = 0; choice < (choices ? choices : 1); choice++)
            take_step(search, from, t, choice, preemptions);
    }
    if (!any)
        small_found(search, DEADLOCK, search->preemptions);
}

static int compare_outcomes(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void search_all(struct search *search)
{
    struct result *result = search->result;
    struct state first;
    memset(&first, 0, sizeof first);
    first.thread[0].life = RUNNING;
    for (int i = 0; i < SEMAPHORES; i++)
        first.semaphore[i] = (uint8_t)i;
    first.thread[0].clock[0] = 1;
    if (small_run_on(search, &first, 0, 0))
        reach(search, &first, 0);
    while (search->nnow > 0 && !result->too_large) {
        while (search->nnow > 0 && !result->too_large) {
            int index = search->now[--search->nnow];
            struct state from = search->states[index];
            expand(search, &from);
        }
        search->preemptions++;
        while (search->nnext > 0) {
            int index = search->next[--search->nnext];
            if (search->least[index] == search->preemptions)
                search->now[search->nnow++] = index;
        }
    }
}

static void begin(struct search *search)
{
    memset(search->result, 0, sizeof *search->result);
    memset(search->result->least, NEVER, sizeof search->result->least);
    memset(search->table, 0, (search->mask + 1u) * sizeof *search->table);
    search->count = search->nnow = search->nnext = search->preemptions = 0;
    search->racing = 0;
}

void interpret(const struct program *program, bool races, int most_states,
               struct result *result)
{
    struct search search = {.program = program, .result = result, .most = most_states};
    uint32_t slots = 1;
    while (slots < (uint32_t)most_states * 2)
        slots *= 2;
    search.mask = slots - 1;
    search.states = malloc((size_t)most_states * sizeof *search.states);
    search.least = malloc((size_t)most_states);
    search.table = malloc(slots * sizeof *search.table);
    search.now = malloc((size_t)most_states * 2 * sizeof *search.now);
    search.next = malloc((size_t)most_states * 2 * sizeof *search.next);
    if (!search.states || !search.least || !search.table || !search.now || !search.next) {
        fputs("out of memory\n", stderr);
        exit(70);
    }
    do { /* repeated without `races`, until all racing accesses are steps */
        search.visible |= search.racing;
        begin(&search);
        search_all(&search);
    } while (!races && search.racing && !result->too_large);
    result->states = search.count;
    qsort(result->outcome, (size_t)result->outcomes, sizeof *result->outcome, compare_outcomes);
    free(search.states);
    free(search.least);
    free(search.table);
    free(search.now);
    free(search.next);
}
