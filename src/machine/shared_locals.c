/* See shared_locals.h.
 *
 * A variable is exposed when its address is announced, passed to a function or stored. Then gcc
 * announces the function's accesses to it, except for copies that are arguments or results. If
 * gcc announces nothing although there are other accesses, it knows that the address only
 * reaches functions that do not keep it. clang does not announce accesses to parts of a
 * variable, exposed or not, so all of these are reported.
 *
 * Not everything in a frame that has an address is a variable: temporary objects, compound
 * literals, what alloca() returns. Debug information does not say where these lie. So if
 * clang's code exposes an address where no variable is, all of the frame that is not a variable
 * is reported, registers that are spilled there included.
 *
 * Invariant: an exposed object is ignored only if gcc has decided that it needs no
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
    uint64_t scope_start;
    uint64_t scope_end;
    bool aggregate;
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

static void remember_at(struct local_addresses *all, uint64_t address, uint64_t code)
{
    if (all->count == LOCALS_MAX)
        return;
    all->address[all->count] = address;
    all->code[all->count++] = code;
}

static void remember_address(const struct locals *locals, uint32_t number,
                             struct local_addresses *all, struct quantity address)
{
    if (address.of & FRAME)
        remember_at(all, address.value, flow_address(locals->flow, number));
}

static void remember_announced(struct local_addresses *all, struct quantity address)
{
    if (!(address.of & FRAME))
        return;
    for (uint32_t n = 0; n < all->count; n++)
        if (all->address[n] == address.value)
            return;
    remember_at(all, address.value, 0);
}

/* If there are too many to remember, assume that any address is among them. */
static bool has_part_of(const struct local_addresses *all, const struct shared_local *local)
{
    for (uint32_t n = 0; n < all->count; n++)
        if (all->address[n] - local->address < local->size)
            return true;
    return all->count == LOCALS_MAX;
}

static void note_call(struct locals *locals, uint32_t number, enum callee callee)
{
    static const uint8_t arguments[] = {7, 6, 2, 1, 8, 9}; /* rdi, rsi, rdx, rcx, r8, r9 */
    const struct quantity *reg = locals->flow->machine.reg;
    if (callee == CALLEE_ANNOUNCE || callee == CALLEE_ATOMIC) {
        remember_announced(&locals->announced, reg[arguments[0]]);
        remember_address(locals, number, &locals->exposed, reg[arguments[0]]);
        for (size_t i = 1; callee == CALLEE_ATOMIC && i <= 2; i++)
            remember_address(locals, number, &locals->published, reg[arguments[i]]);
    } else if (callee != CALLEE_HARMLESS && callee != CALLEE_FORGETFUL) {
        for (size_t i = 0; i < sizeof arguments; i++)
            remember_address(locals, number, &locals->exposed, reg[arguments[i]]);
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
        note_call(locals, number, call.callee);
    else if (stored)
        remember_address(locals, number, &locals->exposed, reg[stored->reg]);
}

/* --- Variables --- */

static uint64_t frame_of(const struct locals *locals)
{
    return machine_frame(locals->flow->start, locals->flow->part == PART_OF_FRAME);
}

static void add_local(struct locals *locals, struct shared_local local)
{
    local.exposed = has_part_of(&locals->exposed, &local);
    local.announced = has_part_of(&locals->announced, &local);
    locals->local[locals->nlocals++] = local;
}

static bool is_in(const struct shared_local *local, uint64_t address)
{
    return address - local->address < local->size;
}

/* Is it in a variable that can be named at this place of the code? clang says where a scalar is
 * only for a part of the time that its memory is used. */
static bool is_in_variable(const struct locals *locals, uint64_t address, uint64_t code)
{
    for (size_t i = 0; i < locals->nlocals; i++)
        if (code >= locals->local[i].scope_start && code < locals->local[i].scope_end &&
            is_in(&locals->local[i], address))
            return true;
    return false;
}

/* Without debug information, a variable may extend from an exposed address to the next one, if
 * that is near. */
static void guess_variables(struct locals *locals)
{
    enum { LARGEST = 4096 };
    const struct local_addresses *exposed = &locals->exposed;
    for (uint32_t i = 0; i < exposed->count; i++) {
        struct shared_local local = {.address = exposed->address[i],
                                     .size = LARGEST,
                                     .end = UINT64_MAX,
                                     .scope_end = UINT64_MAX,
                                     .aggregate = true};
        if (is_in_variable(locals, local.address, exposed->code[i]))
            continue;
        for (uint32_t n = 0; n < exposed->count; n++) {
            uint64_t distance = exposed->address[n] - local.address;
            if (distance > 0 && distance < local.size)
                local.size = distance;
        }
        add_local(locals, local);
    }
}

/* and $-64, %rsp: after this the distance to the caller's frame is not fixed, and clang
 * describes places relative to the aligned stack pointer. */
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

/* clang: is an address exposed where no variable is? */
static bool exposes_unnamed(const struct locals *locals)
{
    const struct local_addresses *exposed = &locals->exposed;
    for (uint32_t n = 0; n < exposed->count; n++)
        if (!is_in_variable(locals, exposed->address[n], exposed->code[n]))
            return true;
    return exposed->count == LOCALS_MAX || (exposed->count > 0 && aligns_frame(locals->flow));
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
        remember_at(&locals->exposed, locals->published.address[i], locals->published.code[i]);
    locals->local = allocate((count + locals->exposed.count) * sizeof *locals->local);
    if (!locals->told) {
        guess_variables(locals);
        return;
    }
    uint64_t frame = frame_of(locals);
    for (size_t i = 0; i < count; i++)
        add_local(locals, (struct shared_local){.address = frame + (uint64_t)object[i].offset,
                                                .size = object[i].size,
                                                .aggregate = object[i].aggregate,
                                                .start = object[i].start,
                                                .end = object[i].end,
                                                .scope_start = object[i].scope_start,
                                                .scope_end = object[i].scope_end});
    locals->unnamed = !locals->from_gcc && exposes_unnamed(locals);
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
    return address - frame_of(locals) + LARGEST_FRAME >= 2 * LARGEST_FRAME;
}

/* Below the caller's frame, where arguments may be, and in no variable. */
static bool is_unnamed(const struct locals *locals, const struct local_access *access)
{
    return (int64_t)(access->address - frame_of(locals)) < 0 &&
           !is_in_variable(locals, access->address,
                           flow_address(locals->flow, access->instruction));
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
    if (indexed && !locals->from_gcc && (locals->unnamed || exposes_variable_size(locals)))
        return true;
    if (locals->unnamed && is_unnamed(locals, access))
        return true;
    for (size_t i = 0; i < locals->nlocals; i++)
        if (is_there(locals, &locals->local[i], access) && locals->local[i].aggregate &&
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
