/* See shared_locals.h.
 *
 * A variable is exposed when its address is announced, passed to a function or stored. Then gcc
 * announces the function's accesses to it, except for copies that are arguments or results. If
 * gcc announces nothing although there are other accesses, it knows that the address only
 * reaches functions that do not keep it. clang does not announce accesses to parts of a
 * variable, exposed or not, so all of these are reported.
 *
 * Invariant: an exposed variable is ignored only if gcc has decided that it needs no
 * announcements. */
#include "machine/shared_locals.h"

#include <stdlib.h>

#include "host/buffer.h"

#define LARGEST_FRAME (8u << 20)

struct shared_local {
    uint64_t address;
    uint64_t size;
    uint64_t start; /* code range in which it exists */
    uint64_t end;
    bool exposed;
    bool announced;
    bool used; /* other than as an argument or result, unannounced */
};

struct local_access {
    uint32_t instruction;
    uint64_t address;
    bool by_value; /* appears to be the copy of an argument or result */
};

/* --- Where addresses go --- */

static void remember_address(struct local_addresses *all, struct quantity address)
{
    if (!(address.of & FRAME))
        return;
    for (uint32_t n = 0; n < all->count; n++)
        if (all->address[n] == address.value)
            return;
    if (all->count < LOCALS_MAX)
        all->address[all->count++] = address.value;
}

/* If there are too many to remember, assume that any address is among them. */
static bool has_part_of(const struct local_addresses *all, const struct shared_local *local)
{
    for (uint32_t n = 0; n < all->count; n++)
        if (all->address[n] - local->address < local->size)
            return true;
    return all->count == LOCALS_MAX;
}

static void note_call(struct locals *locals, enum callee callee)
{
    static const uint8_t arguments[] = {7, 6, 2, 1, 8, 9}; /* rdi, rsi, rdx, rcx, r8, r9 */
    const struct quantity *reg = locals->flow->machine.reg;
    if (callee == CALLEE_ANNOUNCE || callee == CALLEE_ATOMIC) {
        remember_address(&locals->announced, reg[arguments[0]]);
        remember_address(&locals->exposed, reg[arguments[0]]);
        for (size_t i = 1; callee == CALLEE_ATOMIC && i <= 2; i++)
            remember_address(&locals->published, reg[arguments[i]]);
    } else if (callee != CALLEE_HARMLESS && callee != CALLEE_FORGETFUL) {
        for (size_t i = 0; i < sizeof arguments; i++)
            remember_address(&locals->exposed, reg[arguments[i]]);
    }
}

/* A register that is stored to memory, or moved to a vector register on the way there. */
static const struct operand *stored_register(const struct instruction *i)
{
    for (int n = 1; n < OPERANDS_KEPT; n++) {
        const struct operand *to = &i->operand[0], *from = &i->operand[n];
        bool leaves = to->kind == OPERAND_MEMORY ||
                      (to->kind == OPERAND_REGISTER && to->reg == SITE_NO_REGISTER);
        if (leaves && from->kind == OPERAND_REGISTER && from->reg != SITE_NO_REGISTER &&
            from->width == 8)
            return from;
    }
    return i->operation == OPERATION_PUSH && i->operand[0].reg != SITE_NO_REGISTER
               ? &i->operand[0]
               : NULL;
}

void locals_note(struct locals *locals, uint32_t number)
{
    const struct instruction *i = &locals->flow->instruction[number];
    const struct quantity *reg = locals->flow->machine.reg;
    const struct operand *stored = stored_register(i);
    struct call call;
    if (flow_call(locals->flow, number, &call))
        note_call(locals, call.callee);
    else if (stored)
        remember_address(&locals->exposed, reg[stored->reg]);
}

/* --- Variables --- */

static void add_local(struct locals *locals, struct shared_local local)
{
    local.exposed = has_part_of(&locals->exposed, &local);
    local.announced = has_part_of(&locals->announced, &local);
    locals->local[locals->nlocals++] = local;
}

static bool is_in_known(const struct locals *locals, uint64_t address)
{
    for (size_t i = 0; i < locals->nlocals; i++)
        if (address - locals->local[i].address < locals->local[i].size)
            return true;
    return false;
}

/* If no debug information describes an exposed address, the variable may extend from there to
 * the next exposed address, if that is near. If a function aligns its frame, clang describes
 * places relative to the aligned stack pointer, which has no fixed distance from the caller's
 * frame: these are guessed, too. */
static void guess_variables(struct locals *locals)
{
    enum { LARGEST = 4096 };
    const struct local_addresses *exposed = &locals->exposed;
    for (uint32_t i = 0; i < exposed->count; i++) {
        struct shared_local local = {
            exposed->address[i], LARGEST, 0, UINT64_MAX, true, true, false};
        if (is_in_known(locals, local.address))
            continue;
        for (uint32_t n = 0; n < exposed->count; n++) {
            uint64_t distance = exposed->address[n] - local.address;
            if (distance > 0 && distance < local.size)
                local.size = distance;
        }
        add_local(locals, local);
    }
}

/* and $-64, %rsp: after this the distance to the caller's frame is not fixed. */
static bool aligns_frame(const struct flow *flow)
{
    enum { STACK_POINTER = 4 };
    for (uint32_t n = 0; n < flow->count; n++) {
        const struct instruction *i = &flow->instruction[n];
        if (i->operation == OPERATION_AND && i->operand[0].kind == OPERAND_REGISTER &&
            i->operand[0].reg == STACK_POINTER)
            return true;
    }
    return false;
}

static void look_up(struct locals *locals)
{
    const struct frame_object *object = NULL;
    uint64_t start = locals->flow->start;
    size_t count = 0;
    if (locals->known)
        return;
    locals->known = true;
    locals->told =
        frames_of_function(locals->frames, start, &object, &count, &locals->from_gcc);
    /* gcc passes a compare-and-exchange the address of the expected value, and announces the
     * rest. */
    for (uint32_t i = 0; !locals->from_gcc && i < locals->published.count; i++)
        remember_address(&locals->exposed,
                         (struct quantity){.value = locals->published.address[i], .of = FRAME});
    locals->local = allocate((count + locals->exposed.count) * sizeof *locals->local);
    if (!locals->told) {
        guess_variables(locals);
        return;
    }
    uint64_t frame = machine_frame(start, locals->flow->part == PART_OF_FRAME);
    for (size_t i = 0; i < count; i++)
        add_local(locals, (struct shared_local){.address = frame + (uint64_t)object[i].offset,
                                                .size = object[i].size,
                                                .start = object[i].start,
                                                .end = object[i].end});
    if (!locals->from_gcc && aligns_frame(locals->flow))
        guess_variables(locals);
}

bool locals_are_from_clang(struct locals *locals)
{
    if (locals->frames)
        look_up(locals);
    return locals->told && !locals->from_gcc;
}

static bool is_there(const struct locals *locals, const struct shared_local *local,
                     const struct local_access *access)
{
    uint64_t code = flow_address(locals->flow, access->instruction);
    return code >= local->start && code < local->end;
}

static bool is_in(const struct shared_local *local, uint64_t address)
{
    return address - local->address < local->size;
}

/* --- Accesses --- */

/* Are there only moves between the access and its call, which is after it or before it? */
static bool is_by_value(const struct flow *flow, uint32_t number)
{
    uint8_t kind = flow->instruction[number].site.kind;
    bool forward = kind == SITE_LOAD || kind == SITE_COPY;
    bool backward = kind == SITE_STORE || kind == SITE_COPY || kind == SITE_FILL;
    struct call call;
    for (uint32_t n = number + 1; forward && n < flow->count; n++) {
        if (flow_call(flow, n, &call))
            return !is_hook(call.callee);
        forward = flow->instruction[n].moves;
    }
    for (uint32_t n = number; backward && n-- > 0;) {
        if (flow_call(flow, n, &call))
            return !is_hook(call.callee);
        backward = flow->instruction[n].moves;
    }
    return false;
}

void locals_add_access(struct locals *locals, uint32_t number, uint64_t address)
{
    if (!locals->frames || locals->exposed.count + locals->published.count == 0)
        return;
    locals->access = grow_array(locals->access, &locals->capacity, locals->naccesses,
                                sizeof *locals->access);
    locals->access[locals->naccesses++] =
        (struct local_access){number, address, is_by_value(locals->flow, number)};
}

/* With an index, an address in the frame becomes a number far away from it. */
static bool is_indexed(const struct locals *locals, uint64_t address)
{
    uint64_t frame = machine_frame(locals->flow->start, locals->flow->part == PART_OF_FRAME);
    return address - frame + LARGEST_FRAME >= 2 * LARGEST_FRAME;
}

/* Debug information does not tell where an array of variable size or the memory from alloca()
 * is: anywhere below the rest of the frame. Is the address of one exposed? */
static bool exposes_variable_size(const struct locals *locals)
{
    for (uint32_t n = 0; n < locals->exposed.count; n++)
        if (is_indexed(locals, locals->exposed.address[n]))
            return true;
    return locals->exposed.count == LOCALS_MAX;
}

static bool is_known_to_others(const struct locals *locals, const struct shared_local *local)
{
    return local->exposed && (!locals->from_gcc || local->announced || !local->used);
}

static bool needs_announcement(const struct locals *locals, const struct local_access *access)
{
    bool indexed = is_indexed(locals, access->address);
    if (indexed && !locals->from_gcc && exposes_variable_size(locals))
        return true;
    for (size_t i = 0; i < locals->nlocals; i++)
        if (is_there(locals, &locals->local[i], access) &&
            (indexed ? !locals->from_gcc || access->by_value
                     : is_in(&locals->local[i], access->address)) &&
            is_known_to_others(locals, &locals->local[i]))
            return true;
    return false;
}

void locals_report(struct locals *locals, void (*found)(void *context, uint32_t number),
                   void *context)
{
    if (locals->naccesses == 0)
        return;
    look_up(locals);
    for (size_t n = 0; n < locals->naccesses; n++)
        for (size_t i = 0; i < locals->nlocals; i++)
            if (is_there(locals, &locals->local[i], &locals->access[n]) &&
                is_in(&locals->local[i], locals->access[n].address))
                locals->local[i].used |= !locals->access[n].by_value;
    for (size_t n = 0; n < locals->naccesses; n++)
        if (needs_announcement(locals, &locals->access[n]))
            found(context, locals->access[n].instruction);
}

void locals_release(struct locals *locals)
{
    free(locals->local);
    free(locals->access);
}
