/* Successors of a state: drives the generated code, and offers it process creation. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "promela/code/layout.h"
#include "promela/verifier/verifier.h"

/* Reserved, not used: pages come as they are touched. Less where address space is short. */
#define ARENA_BYTES ((size_t)1 << 33)
#define LIST_BYTES  ((size_t)1 << 30)
#define LEAST_BYTES ((size_t)1 << 26)
#define LIMIT_PARTS 16 /* an arena takes one of so many parts of `ulimit -v` */

static uint32_t add_process(struct step *step, uint32_t type)
{
    struct expander *x = (struct expander *)step;
    const struct shape *old = step->next_shape;
    if (old->processes >= MOST_PROCESSES)
        return NO_PARTNER;
    const struct shape *shape = shapes_extend(x->verifier->shapes, old, true, type);
    if (!shape)
        return NO_PARTNER;
    memset(step->next + old->size, 0, ((shape->size + 7) & ~7u) - old->size);
    memcpy(step->next, &shape->id, 4);
    step->next_shape = shape;
    return old->processes;
}

/* 0: no more channels; the code knows which statement asked for one. */
static uint32_t add_channel(struct step *step, uint32_t type)
{
    struct expander *x = (struct expander *)step;
    const struct shape *old = step->next_shape;
    const struct shape *shape = old->channels < MOST_PROCESSES
                                    ? shapes_extend(x->verifier->shapes, old, false, type)
                                    : NULL;
    if (!shape)
        return 0;
    memset(step->next + old->size, 0, ((shape->size + 7) & ~7u) - old->size);
    memcpy(step->next, &shape->id, 4);
    step->next_shape = shape;
    return shape->channels;
}

/* The youngest process goes, and with it the channels that it created. */
static void end_process(struct step *step)
{
    const struct shape *shape = step->next_shape;
    while (!shape->is_process)
        shape = shape->without;
    shape = shape->without;
    memcpy(step->next, &shape->id, 4);
    step->next_shape = shape;
}

void *reserve_space(size_t *size)
{
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0)
        while (*size > LEAST_BYTES && *size > space.rlim_cur / LIMIT_PARTS)
            *size /= 2;
    for (;; *size /= 2) {
        void *memory = mmap(NULL, *size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory != MAP_FAILED)
            return memory;
        if (*size <= LEAST_BYTES)
            return NULL;
    }
}

bool expander_init(struct expander *x, struct verifier *verifier)
{
    memset(x, 0, sizeof *x);
    x->verifier = verifier;
    x->arena_size = ARENA_BYTES;
    x->list_size = LIST_BYTES;
    x->arena = reserve_space(&x->arena_size);
    x->list_base = reserve_space(&x->list_size);
    x->middle = malloc(VECTOR_LIMIT + 8);
    if (!x->arena || !x->list_base || !x->middle) {
        expander_free(x);
        return false;
    }
    x->step.next = x->arena;
    x->step.list = x->list_base;
    x->step.capacity = 1u << 20;
    x->step.middle = x->middle;
    x->step.add_process = add_process;
    x->step.add_channel = add_channel;
    x->step.end_process = end_process;
    return true;
}

void expander_free(struct expander *x)
{
    if (x->arena)
        munmap(x->arena, x->arena_size);
    if (x->list_base)
        munmap(x->list_base, x->list_size);
    free(x->middle);
    memset(x, 0, sizeof *x);
}

static void set_state(struct expander *x, const uint8_t *now, const struct shape *shape)
{
    struct step *step = &x->step;
    step->now = now;
    step->shape = shape;
    step->count = 0;
    step->moved = 0;
    step->fault = 0;
    x->fault = 0;
}

/* --- priorities --- */

static uint32_t priority_of(const struct expander *x, const uint8_t *now,
                            const struct shape *shape, uint32_t pid)
{
    const struct proctype *p = x->verifier->model->proctypes[shape->type[pid]];
    return now[shape->offset[pid] + (uint32_t)p->priority_offset];
}

/* Only the enabled processes of the highest priority may move; nobody looks at the statements
 * of the others, so what is wrong with those is not seen here. */
static void keep_highest(struct expander *x, const uint8_t *now, const struct shape *shape)
{
    struct step *step = &x->step;
    uint32_t highest = 0, kept = 0;
    for (uint32_t i = 0; i < step->count; i++) {
        uint32_t mine = priority_of(x, now, shape, step->list[i].pid);
        highest = mine > highest ? mine : highest;
    }
    for (uint32_t i = 0; i < step->count; i++)
        if (priority_of(x, now, shape, step->list[i].pid) == highest)
            step->list[kept++] = step->list[i];
    step->count = kept;
    if (x->fault != 0 && priority_of(x, now, shape, x->fault_pid) < highest)
        x->fault = 0;
}

/* Could a process of a higher priority move? Then an atomic sequence is interrupted, too. */
static bool is_outranked(struct expander *x, const uint8_t *now, const struct shape *shape,
                         uint32_t pid)
{
    struct step *step = &x->step, kept = *step;
    uint32_t mine = priority_of(x, now, shape, pid);
    bool outranked = false;
    step->print = NULL; /* only tried */
    for (uint32_t other = 0; other < shape->processes && !outranked; other++)
        if (other != pid && priority_of(x, now, shape, other) > mine) {
            x->verifier->code.expand(step, other);
            outranked = step->count > kept.count;
        }
    *step = kept;
    return outranked;
}

/* --- successors --- */

/* A fault of a process with a higher priority counts before another's. */
static void note_fault(struct expander *x, const uint8_t *now, const struct shape *shape,
                       uint32_t pid)
{
    if (x->fault == 0 ||
        (x->verifier->model->uses_priority &&
         priority_of(x, now, shape, pid) > priority_of(x, now, shape, x->fault_pid))) {
        x->fault = x->step.fault;
        x->fault_transition = x->step.fault_transition;
        x->fault_pid = pid;
    }
    x->step.fault = 0;
}

/* The order of a member of a swarm: up or down, from a process that the state decides. */
static void each_in_turn(struct expander *x, const uint8_t *now, const struct shape *shape)
{
    uint32_t member = x->verifier->options->member, count = shape->processes, first = 0;
    uint64_t sum = member;
    for (uint32_t i = 0; member > 1 && i < (shape->size + 7) / 8; i++)
        sum = (sum ^ ((const uint64_t *)now)[i]) * 0x9fb21c651e98df25u;
    if (member > 1)
        first = (uint32_t)((sum >> 33) % (count > 0 ? count : 1));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pid = (first + (member % 2 != 0 ? i : count - 1 - i)) % count;
        x->verifier->code.expand(&x->step, pid);
        if (x->step.fault != 0)
            note_fault(x, now, shape, pid);
    }
}

static void each_process(struct expander *x, const uint8_t *now, const struct shape *shape)
{
    if (__builtin_expect(x->verifier->options->member != 0, 0)) {
        each_in_turn(x, now, shape);
        return;
    }
    for (uint32_t pid = shape->processes; pid-- > 0;) {
        x->verifier->code.expand(&x->step, pid);
        if (__builtin_expect(x->step.fault != 0, 0))
            note_fault(x, now, shape, pid);
    }
}

uint32_t expander_all(struct expander *x, const uint8_t *now, const struct shape *shape)
{
    set_state(x, now, shape);
    each_process(x, now, shape);
    if (x->step.count == 0 && x->verifier->model->uses_timeout) {
        x->step.timeout = 1;
        each_process(x, now, shape);
        x->step.timeout = 0;
    }
    if (x->verifier->model->uses_priority)
        keep_highest(x, now, shape);
    return x->step.count;
}

uint32_t expander_one(struct expander *x, const uint8_t *now, const struct shape *shape,
                      uint32_t pid)
{
    set_state(x, now, shape);
    if (x->verifier->model->uses_priority && is_outranked(x, now, shape, pid))
        return 0;
    x->verifier->code.expand(&x->step, pid);
    if (x->step.fault != 0)
        note_fault(x, now, shape, pid);
    return x->step.count;
}

const struct shape *expander_start(struct expander *x)
{
    const struct shape *root = shapes_root(x->verifier->shapes);
    code_restart(x->verifier);
    memset(x->step.next, 0, root->size + 8);
    x->step.next_shape = x->step.shape = root;
    x->step.now = x->step.next;
    x->verifier->code.start(&x->step);
    const struct shape *shape = x->step.next_shape;
    memset(x->step.next + shape->size, 0, ((shape->size + 7) & ~7u) - shape->size);
    return shape;
}

uint32_t control_of(const struct verifier *verifier, const uint8_t *now,
                    const struct shape *shape, uint32_t pid)
{
    const uint8_t *at = now + shape->offset[pid];
    if (verifier->model->proctypes[shape->type[pid]]->control_width == 2)
        return (uint32_t)at[0] | (uint32_t)at[1] << 8;
    return at[0];
}

/* A trace assertion must have come to its end, too, where processes wait for more; with the
 * last process it is over, as in Spin. */
static bool trace_may_end(const struct model *model, const uint8_t *now,
                          const struct shape *shape)
{
    if (!model->trace || model->trace->notrace || shape->processes == 0)
        return true;
    uint16_t state;
    memcpy(&state, now + model->trace_offset, 2);
    return state == TRACE_ENDED || model->trace->automaton->states[state].end;
}

bool valid_end(const struct verifier *verifier, const uint8_t *now, const struct shape *shape)
{
    for (uint32_t pid = 0; pid < shape->processes; pid++) {
        const struct automaton *a = verifier->model->proctypes[shape->type[pid]]->automaton;
        if (!a->states[control_of(verifier, now, shape, pid)].end)
            return false;
    }
    return trace_may_end(verifier->model, now, shape);
}
