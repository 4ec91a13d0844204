/* Writing trails: see spin_trail.h. */
#include "promela/spin/spin_trail.h"

#include <stdlib.h>

#include "promela/spin/spin_number.h"

/* Does a process move from step i on? */
static bool goes_on(const struct trail *trail, uint32_t i)
{
    while (i < trail->count && trail->steps[i].pid == NO_PARTNER)
        i++;
    return i < trail->count;
}

struct writer {
    struct buffer *out;
    struct verifier *plain;
    const struct proctype *claim; /* or NULL */
    int claim_state;
    uint32_t line;
};

static void write_line(struct writer *w, uint32_t pid, uint32_t transition)
{
    buffer_printf(w->out, "%u:%u:%d\n", ++w->line, pid, spin_number(w->plain, transition));
}

/* An atomic sequence or d_step of a claim is one move of it here, but a line for each statement
 * of an atomic sequence in Spin. `came` tells, for each state on the way from where the claim
 * is, through which transition. */
static const struct transition *find_way(const struct writer *w, uint32_t wanted,
                                         const struct transition **came, int *queue)
{
    const struct automaton *a = w->claim->automaton;
    int head = 0, tail = 0;
    queue[tail++] = w->claim_state;
    while (head < tail) {
        const struct control_state *state = &a->states[queue[head++]];
        for (int i = 0; i < state->count; i++) {
            const struct transition *t = &state->transitions[i];
            if ((uint32_t)t->id == wanted)
                return t;
            bool step = t->kind == TRANSITION_DSTEP;
            int next = step ? t->dstep_start : t->target;
            bool goes_on = step || t->atomic || a->states[t->target].inside >= 0;
            if (!goes_on || next == w->claim_state || came[next])
                continue;
            came[next] = t;
            queue[tail++] = next;
        }
    }
    return NULL;
}

static int source_of(const struct writer *w, const struct transition *t)
{
    return verifier_transition(w->plain, (uint32_t)t->id)->state;
}

static void write_move(struct writer *w, const struct transition *t)
{
    if (w->claim->automaton->states[source_of(w, t)].inside < 0) /* a d_step has one line */
        write_line(w, 0, (uint32_t)t->id);
}

static void write_claim(struct writer *w, uint32_t transition)
{
    size_t states = (size_t)w->claim->automaton->count;
    const struct transition **came = calloc(states, sizeof *came);
    int *queue = calloc(states, sizeof *queue);
    const struct transition *last = came && queue ? find_way(w, transition, came, queue) : NULL;
    if (last) {
        int way = 0;
        for (int at = source_of(w, last); at != w->claim_state; at = source_of(w, came[at]))
            queue[way++] = at;
        while (way > 0)
            write_move(w, came[queue[--way]]);
        write_move(w, last);
        w->claim_state = last->target;
    }
    free(came);
    free(queue);
}

static void write_step(struct writer *w, const struct trail_step *s)
{
    uint32_t first = w->claim ? 1 : 0; /* the claim is process 0 */
    if (w->claim && s->claim != NO_PARTNER)
        write_claim(w, s->claim);
    if (s->pid == NO_PARTNER)
        return;
    write_line(w, s->pid + first, s->transition);
    if (s->partner != NO_PARTNER)
        write_line(w, s->partner + first, s->receive);
}

/* A condition that can't be computed is no step, and only that it is tried shows the failure:
 * Spin's own trails end with a line for it, too. A division by zero ends Spin itself, before it
 * has shown anything: there the trail ends where it is tried. */
static void write_tried(struct writer *w, const struct trail *trail)
{
    struct follow f;
    struct followed done = {0};
    if ((trail->violation != VIOLATION_FAULT && trail->violation != VIOLATION_ASSERT) ||
        !follow_init(&f, w->plain))
        return;
    bool good = true;
    for (uint32_t i = 0; i < trail->count && good; i++)
        good = follow_step(&f, trail->steps[i], &done) && done.fault == 0;
    uint32_t transition, fault = good ? follow_fault(&f, &transition) : 0;
    if (fault != 0 && fault != FAULT_DIVISION && f.expander.fault != 0)
        write_line(w, f.expander.fault_pid + (w->claim ? 1 : 0), transition);
    follow_free(&f);
}

void spin_trail_write(struct buffer *out, struct verifier *plain, const struct trail *trail)
{
    struct writer w = {.out = out, .plain = plain, .claim = spin_written_claim(plain->model)};
    if (w.claim) {
        buffer_printf(out, "-2:%d:-2\n", spin_claim_number(plain->model, w.claim));
        w.claim_state = w.claim->automaton->start;
    }
    for (uint32_t i = 0; i < trail->count; i++) {
        if (i == trail->cycle && (w.claim || goes_on(trail, i))) /* else nothing moves */
            buffer_text(out, "-1:-1:-1\n");
        write_step(&w, &trail->steps[i]);
    }
    const struct transition_info *failed = verifier_transition(plain, trail->fault_transition);
    if (w.claim && trail->fault != 0 && failed && failed->proctype == w.claim)
        write_claim(&w, trail->fault_transition);
    else
        write_tried(&w, trail);
}
