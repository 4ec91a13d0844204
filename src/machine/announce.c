/* See announce.h.
 *
 *     mov   %rbx,%rdi                 rbx contains some number r
 *     call  __tsan_read8              announces [r, r + 8)
 *     mov   (%rbx),%rax               reads [r, r + 8): fine
 *     mov   8(%rbx),%rdx              reads [r + 8, r + 16): not announced
 *
 * The compiler must assume that a call of a hook may write any memory, so an access stays with
 * its announcement: between the same two calls of other functions. (For a read and a write of
 * the same place clang announces only the write, so the order does not matter.) Announcements
 * count for their own block, for a following block if all paths to it have them, and for the
 * preceding block if all paths from it have them.
 *
 * Accesses to the function's own frame and to constants need no announcement, except for local
 * variables that other threads may know (shared_locals.h).
 *
 * If a function calls no hooks, either the programmer excluded it from instrumentation, or it
 * has nothing that the compiler could announce: assembly, and with clang long doubles and
 * vectors of more than 16 bytes. A simple move to or from memory may be meant as atomic: it
 * counts as assembly. A structure that the function returns is written where the caller wants
 * it, and other threads may know this place: it is a plain access.
 *
 * Invariant: an access counts as announced only if there is an announcement of the same address
 * between the same two calls. Reporting an access needlessly costs only time. */
#include "machine/announce.h"

#include <stdlib.h>

#include "host/buffer.h"
#include "machine/shared_locals.h"

#define ANNOUNCED 24 /* announcements remembered at a time */
#define PENDING   256

struct range {
    uint64_t address;
    uint64_t size;
};

struct announcements {
    struct range range[ANNOUNCED];
    uint32_t count; /* the last ANNOUNCED of them are there */
};

struct code_access {
    struct range range;
    uint32_t instruction;
    uint64_t of; /* what its address is derived from */
};

struct block_announcements {
    struct announcements early; /* before its first call of anything else */
    struct announcements left;  /* at its end */
};

struct announce_search {
    struct flow flow;
    struct locals locals;
    struct block_announcements *of_block;
    struct announcements announced;
    struct range made; /* by an atomic hook, which was the last call in this block */
    struct code_access pending[PENDING];
    uint32_t npending;
    uint64_t left_load; /* size of a load that clang leaves after an atomic hook; 0: none */
    bool returns_result;
    const struct announce_silent *silent; /* for a function without hooks */
    enum silence silence;
    announce_found *found;
    void *context;
};

/* --- Announcements --- */

static void add_announcement(const struct flow *flow, struct announcements *all, uint8_t size)
{
    const struct quantity *reg = flow->machine.reg;
    uint64_t bytes = size == ANNOUNCED_RANGE ? reg[SITE_SOURCE].value : size;
    all->range[all->count++ % ANNOUNCED] = (struct range){reg[SITE_DESTINATION].value, bytes};
}

static bool is_announced(const struct announcements *all, struct range range)
{
    uint32_t count = all->count < ANNOUNCED ? all->count : ANNOUNCED;
    while (range.size > 0) {
        uint64_t covered = 0;
        for (uint32_t i = 0; i < count && covered == 0; i++) {
            const struct range *announced = &all->range[i];
            uint64_t into = range.address - announced->address;
            if (into < announced->size)
                covered = announced->size - into;
        }
        if (covered == 0)
            return false;
        covered = covered < range.size ? covered : range.size;
        range.address += covered;
        range.size -= covered;
    }
    return true;
}

/* Is it announced right after the block, on every path that leaves it? */
static bool is_announced_after(const struct announce_search *search,
                               const struct flow_block *block, struct range range)
{
    bool some = false;
    for (int i = 0; i < 2; i++) {
        if (block->next[i] == NOWHERE)
            continue;
        if (!is_announced(&search->of_block[block->next[i]].early, range))
            return false;
        some = true;
    }
    return some;
}

/* A first pass, to find what each block announces early and what it does with the addresses of
 * variables. */
static void look_ahead(struct announce_search *search)
{
    struct flow *flow = &search->flow;
    for (uint32_t b = 0; b < flow->nblocks; b++) {
        const struct flow_block *block = &flow->block[b];
        bool early = true;
        if (!flow_enter(flow, block))
            continue;
        for (uint32_t n = block->first; n < block->end; n++) {
            struct call call;
            locals_note(&search->locals, n);
            if (flow_call(flow, n, &call)) {
                early = early && call.callee == CALLEE_ANNOUNCE;
                if (early)
                    add_announcement(flow, &search->of_block[b].early, call.announced);
            }
            flow_step(flow, n);
        }
    }
}

/* --- Accesses --- */

static void report_access(struct announce_search *search, uint32_t number,
                          enum finding_kind kind, uint64_t function)
{
    const struct instruction *i = &search->flow.instruction[number];
    struct finding finding = {kind, i->site, i->outside};
    finding.site.address = flow_address(&search->flow, number);
    finding.site.plain = true;
    finding.site.function = function;
    search->found(search->context, &finding);
}

/* Reads the source only if the answer matters, because that takes time. */
static bool is_silence_meant(struct announce_search *search)
{
    if (!search->flow.hooks && search->silence == SILENCE_UNASKED)
        search->silence = search->silent->judge(search->context, search->flow.start);
    return !search->flow.hooks && search->silence == SILENCE_MEANT;
}

/* A part that was moved away (.cold) could not be found by the addresses of its function. */
static void report_local(void *context, uint32_t number)
{
    struct announce_search *search = context;
    if (is_silence_meant(search))
        return;
    report_access(search, number, FOUND_PLAIN,
                  search->flow.part == PART_WHOLE ? search->flow.start : 0);
}

static bool is_simple_move(const struct instruction *i)
{
    bool moves = i->site.kind == SITE_LOAD || i->site.kind == SITE_STORE;
    return moves && i->site.size <= 8 && i->site.lanes == 0 && !i->site.repeated;
}

static bool is_result(const struct announce_search *search, const struct code_access *access)
{
    return search->returns_result && (access->of & RESULT);
}

/* A store of a constant is not the copy of an argument or result: the compiler would have
 * announced it as a statement. So it is assembly, with two exceptions: the result that this
 * function itself returns, and code with an announcement nearby, which may be for this access
 * if its address could not be followed. */
static enum finding_kind kind_of(const struct announce_search *search,
                                 const struct code_access *access)
{
    const struct instruction *i = &search->flow.instruction[access->instruction];
    bool assembly;
    if (is_result(search, access))
        return FOUND_PLAIN;
    if (!search->flow.hooks)
        assembly = search->silence == SILENCE_UNKNOWN || is_simple_move(i);
    else
        assembly = i->operation == OPERATION_MOVE && i->operand[1].kind == OPERAND_IMMEDIATE &&
                   search->announced.count == 0 && !(access->of & RESULT);
    return assembly ? FOUND_ASSEMBLY : FOUND_PLAIN;
}

/* clang leaves its own load after the call that makes an atomic load; its value is not used.
 * After an exception handler the analysis can't see that both have the same address. clang
 * announces real reads of the program by a call in between, so the first load of this size is
 * the leftover one. */
static bool is_left_load(struct announce_search *search, const struct code_access *access)
{
    const struct instruction *i = &search->flow.instruction[access->instruction];
    if (search->left_load != access->range.size || i->site.kind != SITE_LOAD ||
        !locals_are_from_clang(&search->locals))
        return false;
    search->left_load = 0;
    return true;
}

/* Called at a call, or (`ended`) at the end of a block. */
static void judge_pending(struct announce_search *search, const struct flow_block *ended)
{
    for (uint32_t i = 0; i < search->npending; i++) {
        const struct code_access *access = &search->pending[i];
        if (is_announced(&search->announced, access->range) ||
            (ended && is_announced_after(search, ended, access->range)) ||
            is_left_load(search, access))
            continue;
        if (access->of & FRAME)
            locals_add_access(&search->locals, access->instruction, access->range.address);
        else if (is_result(search, access) || !is_silence_meant(search))
            report_access(search, access->instruction, kind_of(search, access), 0);
    }
    search->npending = 0;
}

static void add_access(struct announce_search *search, uint32_t number, struct quantity address,
                       uint64_t size)
{
    if (address.of & CONSTANT)
        return;
    if (search->npending == PENDING)
        judge_pending(search, NULL);
    search->pending[search->npending++] =
        (struct code_access){{address.value, size}, number, address.of};
}

static void note_untold(struct announce_search *search, uint32_t number)
{
    struct flow *flow = &search->flow;
    const struct instruction *i = &flow->instruction[number];
    struct quantity address =
        machine_operand(&flow->machine, flow->module, i, flow_address(flow, number));
    if (!(i->memory && !i->elsewhere && (address.of & OWN)) && !is_silence_meant(search))
        report_access(search, number, FOUND_UNTOLD, 0);
}

/* clang inserts a hook for an atomic load of 16 bytes and leaves its own instruction there: a
 * lock cmpxchg16b that stores the value that it compares with, so it changes nothing. */
static bool is_left_over(const struct announce_search *search, uint32_t number)
{
    enum { RAX, RCX, RDX, RBX };
    const struct flow *flow = &search->flow;
    const struct instruction *i = &flow->instruction[number];
    const struct quantity *reg = flow->machine.reg;
    struct quantity at =
        machine_operand(&flow->machine, flow->module, i, flow_address(flow, number));
    return i->site.locked && i->site.size == 16 && search->made.size == 16 &&
           at.value == search->made.address && reg[RAX].value == reg[RBX].value &&
           reg[RDX].value == reg[RCX].value;
}

static void note_access(struct announce_search *search, uint32_t number)
{
    enum { LONGEST_COPY = 1 << 20 }; /* a larger count is treated as unknown */
    struct flow *flow = &search->flow;
    const struct instruction *i = &flow->instruction[number];
    const struct quantity *reg = flow->machine.reg;
    uint64_t size = i->site.size;
    bool strings = i->site.kind == SITE_COPY || i->site.kind == SITE_MATCH;
    if (i->site.kind == SITE_UNTOLD) {
        note_untold(search, number);
        return;
    }
    if (is_left_over(search, number))
        report_access(search, number, FOUND_LEFT, 0);
    if (i->elsewhere || i->site.locked || !instruction_accesses(i))
        return;
    if (i->site.lanes)
        size *= i->site.lanes;
    if (i->site.repeated && reg[SITE_COUNT].value < LONGEST_COPY)
        size *= reg[SITE_COUNT].value;
    if (strings)
        add_access(search, number, reg[SITE_SOURCE], size);
    if (strings || i->site.kind == SITE_FILL || i->site.kind == SITE_SCAN)
        add_access(search, number, reg[SITE_DESTINATION], size);
    else
        add_access(search, number,
                   machine_operand(&flow->machine, flow->module, i, flow_address(flow, number)),
                   size);
}

static void walk_block(struct announce_search *search, const struct flow_block *block)
{
    struct flow *flow = &search->flow;
    search->made = (struct range){0, 0};
    for (uint32_t n = block->first; n < block->end; n++) {
        struct call call;
        if (!flow_call(flow, n, &call)) {
            note_access(search, n);
        } else if (call.callee == CALLEE_ANNOUNCE) {
            add_announcement(flow, &search->announced, call.announced);
            search->made.size = 0;
        } else {
            judge_pending(search, NULL);
            search->announced.count = 0;
            search->left_load = call.callee == CALLEE_ATOMIC ? call.announced : 0;
            search->made.size = 0;
            if (call.callee == CALLEE_ATOMIC) {
                add_announcement(flow, &search->announced, call.announced);
                search->made = search->announced.range[0];
            }
        }
        flow_step(flow, n);
    }
    judge_pending(search, block);
}

/* Keeps in `common` only what is also in `other`. */
static void intersect_announcements(struct announcements *common,
                                    const struct announcements *other)
{
    struct announcements both = {.count = 0};
    uint32_t count = common->count < ANNOUNCED ? common->count : ANNOUNCED;
    for (uint32_t i = 0; i < count; i++)
        if (is_announced(other, common->range[i]))
            both.range[both.count++] = common->range[i];
    *common = both;
}

/* What was announced on all paths to the block; later blocks have not been visited yet. */
static void inherit_announcements(struct announce_search *search, uint32_t number)
{
    const struct flow *flow = &search->flow;
    const struct flow_block *block = &flow->block[number];
    bool some = false;
    search->announced.count = 0;
    if (number == 0 || block->handler)
        return;
    for (uint32_t n = 0; n < block->ways; n++) {
        uint32_t from = flow_from(flow, number, n);
        if (!flow->block[from].left)
            continue; /* unreachable */
        if (from >= number) {
            search->announced.count = 0;
            return;
        }
        if (some)
            intersect_announcements(&search->announced, &search->of_block[from].left);
        else
            search->announced = search->of_block[from].left;
        some = true;
    }
}

static void walk_all(struct announce_search *search)
{
    struct flow *flow = &search->flow;
    for (uint32_t b = 0; b < flow->nblocks; b++) {
        if (!flow_enter(flow, &flow->block[b]))
            continue;
        inherit_announcements(search, b);
        search->left_load = 0;
        walk_block(search, &flow->block[b]);
        search->of_block[b].left = search->announced;
    }
    locals_report(&search->locals, report_local, search);
}

/* Does the function return the address of its result at every return? */
static bool returns_result(const struct flow *flow)
{
    bool returns = false;
    for (uint32_t b = 0; b < flow->nblocks; b++) {
        const struct flow_block *block = &flow->block[b];
        const struct instruction *last = &flow->instruction[block->end - 1];
        if (!block->left || last->transfer != TRANSFER_RETURN)
            continue;
        if (!(block->left->reg[0].of & RESULT))
            return false;
        returns = true;
    }
    return returns;
}

static void report_outside(struct announce_search *search)
{
    for (uint32_t n = 0; n < search->flow.count; n++)
        if (search->flow.instruction[n].outside)
            report_access(search, n, FOUND_OUTSIDE, 0);
}

bool announce_check(const struct module_code *module, uint64_t start, uint64_t end,
                    enum function_part part, struct frames *frames,
                    const struct announce_silent *silent, announce_found *found, void *context,
                    bool *hooks)
{
    struct announce_search search = {.found = found, .context = context, .silent = silent};
    bool good = flow_open(&search.flow, module, start, end, part);
    search.locals = (struct locals){.flow = &search.flow, .frames = frames};
    *hooks = search.flow.hooks;
    report_outside(&search);
    if (!search.flow.hooks)
        search.found = silent->found;
    if (good && search.flow.nblocks > 0) {
        search.returns_result = returns_result(&search.flow);
        search.of_block = allocate(search.flow.nblocks * sizeof *search.of_block);
        look_ahead(&search);
        walk_all(&search);
    }
    locals_release(&search.locals);
    free(search.of_block);
    flow_close(&search.flow);
    return good;
}
