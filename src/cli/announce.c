/* See announce.h.
 *
 *     mov   %rbx,%rdi                 rbx holds some number r
 *     call  __tsan_read8              announces [r, r + 8)
 *     mov   (%rbx),%rax               reads [r, r + 8): fine
 *     mov   8(%rbx),%rdx              reads [r + 8, r + 16): nobody was told
 *
 * A call of a hook may write any memory as far as the compiler knows, so an access stays where
 * its announcement is: between the same two calls of other functions. (clang announces a read
 * and a write of the same place once, by the write: the order does not matter.) Registers are
 * followed (machine.h) over all blocks: what one holds at the start of a block is what it holds
 * at the end of each block before, if that is the same everywhere; a fixed point. Announcements
 * are good for their own block and for those that can be entered from it only.
 *
 * Accesses to the function's own frame and to constants need no announcement, but for
 * structures and arrays among the local variables whose address is computed somewhere in the
 * function: another thread may have it. (clang does not announce accesses to their parts.)
 *
 * A function that calls no hooks is left alone: the programmer may have kept it from
 * instrumentation. But where it writes a structure that it returns there was nothing to
 * announce, although the caller may have given a place that others know: these are reported.
 *
 * Invariant: an access that is called announced is one, or shares its calls' interval with an
 * announcement of the same address. What is reported without need costs time, nothing else. */
#include "cli/announce.h"

#include <stdlib.h>
#include <string.h>

#include "cli/machine.h"
#include "report/buffer.h"

#define ANNOUNCED 24 /* remembered at a time */
#define PENDING   64
#define EXPOSED   64
#define ROUNDS    64 /* over all blocks; loops within loops take a few */
#define NOWHERE   UINT32_MAX

struct range {
    uint64_t address;
    uint64_t size;
};

struct announcements {
    struct range range[ANNOUNCED];
    uint32_t count; /* the last ANNOUNCED of them are there */
};

struct block {
    uint32_t first; /* instructions */
    uint32_t end;
    uint32_t next[2]; /* blocks that follow, or NOWHERE; not those of a switch */
    uint32_t way;     /* first of the ways that lead here */
    uint32_t ways;
    bool handler;                   /* of exceptions: entered from any call */
    struct machine *left;           /* registers at its end; NULL: no way here was found yet */
    struct announcements early;     /* before its first call of anything else */
    struct announcements announced; /* at its end */
};

struct way {
    uint32_t to;
    uint32_t from; /* blocks */
};

struct access {
    struct range range;
    uint32_t instruction;
};

struct search {
    const struct module_code *module;
    uint64_t start;
    uint64_t end;
    const uint8_t *code;
    struct instruction *instruction;
    uint32_t *offset; /* of each */
    uint32_t count;
    size_t capacity;
    size_t offsets_capacity;
    uint8_t *leader; /* by offset: a block starts here: 1; a case of a switch does: 2 */
    struct block *block;
    uint32_t nblocks;
    bool in_frame; /* it starts with another's frame pointer */
    bool hooks;
    struct way *way; /* in order of `to` */
    size_t nways;
    size_t ways_capacity;
    struct machine *at_call; /* what is the same after all calls; NULL: there is none */
    struct machine machine;
    struct announcements announced;
    struct access pending[PENDING];
    uint32_t npending;
    uint64_t exposed[EXPOSED]; /* addresses in the frame that are computed */
    uint32_t nexposed;
    struct frames *frames; /* NULL: not known */
    const struct frame_object *object;
    size_t nobjects;
    bool objects_known;
    unannounced_access *found;
    void *context;
};

/* --- Instructions --- */

static bool is_relative_jump(const struct instruction *i)
{
    return i->map == 0 ? (i->opcode >= 0x70 && i->opcode <= 0x7f) || i->opcode == 0xe9 ||
                             i->opcode == 0xeb || (i->opcode >= 0xe0 && i->opcode <= 0xe3)
                       : i->map == 1 && !i->vector && i->opcode >= 0x80 && i->opcode <= 0x8f;
}

static bool is_indirect_jump(const struct instruction *i)
{
    return i->map == 0 && i->opcode == 0xff && (i->reg & 7) == 4;
}

/* Nothing follows: jmp, ret, ud2, hlt. */
static bool ends_way(const struct instruction *i)
{
    return i->map == 0 ? i->opcode == 0xe9 || i->opcode == 0xeb || i->opcode == 0xc3 ||
                             i->opcode == 0xc2 || i->opcode == 0xf4 || is_indirect_jump(i)
                       : i->map == 1 && !i->vector && i->opcode == 0x0b;
}

static uint64_t address_of(const struct search *search, uint32_t number)
{
    return search->start + search->offset[number];
}

/* What a jump goes to within the function, as an offset; else NOWHERE. */
static uint32_t target_of(const struct search *search, uint32_t number)
{
    const struct instruction *i = &search->instruction[number];
    uint64_t target =
        address_of(search, number) + i->site.length + (uint64_t)i->immediate - search->start;
    return is_relative_jump(i) && target < search->end - search->start ? (uint32_t)target
                                                                       : NOWHERE;
}

static bool calls(const struct search *search, uint32_t number, struct call *call)
{
    return module_call(search->module, search->start, search->end, &search->instruction[number],
                       address_of(search, number), call);
}

static void decode_all(struct search *search)
{
    size_t size = (size_t)(search->end - search->start);
    for (size_t at = 0; at < size;) {
        struct instruction instruction;
        struct call call;
        if (!decode_instruction(search->code + at, size - at, &instruction)) {
            at++;
            continue;
        }
        search->instruction = grow_array(search->instruction, &search->capacity, search->count,
                                         sizeof *search->instruction);
        search->offset = grow_array(search->offset, &search->offsets_capacity, search->count,
                                    sizeof *search->offset);
        search->instruction[search->count] = instruction;
        search->offset[search->count] = (uint32_t)at;
        search->hooks |= calls(search, search->count, &call) && is_hook(call.callee);
        at += instruction.site.length;
        search->count++;
    }
}

/* --- Blocks --- */

/* The places that a switch goes to: distances from the table (as both compilers make them), or
 * addresses where the program lies at a fixed place. */
static void read_jump_table(struct search *search, uint64_t table, size_t width)
{
    uint64_t size = search->end - search->start;
    for (uint64_t at = table;; at += width) {
        const uint8_t *entry = image_bytes(&search->module->image, at, width);
        int64_t value = 0;
        if (!entry)
            return;
        memcpy(&value, entry, width);
        uint64_t target = (width == 4 ? table + (uint64_t)(int64_t)(int32_t)value
                                      : (uint64_t)value + search->module->image.bias) -
                          search->start;
        if (target >= size)
            return;
        search->leader[target] = 2;
    }
}

static void find_leaders(struct search *search)
{
    bool switches = false;
    for (uint32_t n = 0; n < search->count; n++)
        switches |= is_indirect_jump(&search->instruction[n]);
    for (uint32_t n = 0; n < search->count; n++) {
        const struct instruction *i = &search->instruction[n];
        const struct board_site *site = &i->site;
        uint32_t target = target_of(search, n), after = search->offset[n] + site->length;
        if (target != NOWHERE && search->leader[target] == 0)
            search->leader[target] = 1;
        if ((is_relative_jump(i) || ends_way(i)) && search->leader[after] == 0)
            search->leader[after] = 1;
        if (switches && i->memory && i->map == 0 && i->opcode == 0x8d && site->base == SITE_RIP)
            read_jump_table(search,
                            search->start + after + (uint64_t)(int64_t)site->displacement, 4);
        else if (is_indirect_jump(i) && i->memory && site->base == SITE_NO_REGISTER)
            read_jump_table(search, (uint64_t)(int64_t)site->displacement, 8);
    }
}

static uint32_t block_at(const struct search *search, uint32_t offset)
{
    uint32_t low = 0, high = search->nblocks;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (search->offset[search->block[middle].first] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < search->nblocks && search->offset[search->block[low].first] == offset;
    return found ? low : NOWHERE;
}

static void connect(struct search *search, uint32_t from, uint32_t to)
{
    if (to == NOWHERE)
        return;
    search->way =
        grow_array(search->way, &search->ways_capacity, search->nways, sizeof *search->way);
    search->way[search->nways++] = (struct way){to, from};
}

/* A switch leads to all cases there are; there is seldom more than one in a function. */
static void connect_switches(struct search *search)
{
    for (uint32_t from = 0; from < search->nblocks; from++) {
        if (!is_indirect_jump(&search->instruction[search->block[from].end - 1]))
            continue;
        for (uint32_t to = 0; to < search->nblocks; to++)
            if (search->leader[search->offset[search->block[to].first]] == 2)
                connect(search, from, to);
    }
}

static int by_target(const void *left, const void *right)
{
    const struct way *a = left, *b = right;
    return a->to != b->to      ? (a->to < b->to ? -1 : 1)
           : a->from < b->from ? -1
                               : a->from > b->from;
}

/* Nothing leads to what fills up the space between blocks. */
static bool is_filling(const struct instruction *i)
{
    return i->map == 0 ? i->opcode == 0x90 : i->map == 1 && i->opcode == 0x1f;
}

static void connect_blocks(struct search *search)
{
    for (uint32_t b = 0; b < search->nblocks; b++) {
        uint32_t last = search->block[b].end - 1, target = target_of(search, last);
        uint32_t *next = search->block[b].next;
        bool goes_on = !ends_way(&search->instruction[last]) && b + 1 < search->nblocks;
        next[0] = goes_on ? b + 1 : NOWHERE;
        next[1] = target != NOWHERE ? block_at(search, target) : NOWHERE;
        connect(search, b, next[0]);
        connect(search, b, next[1]);
    }
    connect_switches(search);
    if (search->way)
        qsort(search->way, search->nways, sizeof *search->way, by_target);
    for (uint32_t i = 0; i < search->nways; i++) {
        struct block *block = &search->block[search->way[i].to];
        if (block->ways++ == 0)
            block->way = i;
    }
    for (uint32_t b = 1; b < search->nblocks; b++) {
        struct block *block = &search->block[b];
        block->handler = block->ways == 0 && !is_filling(&search->instruction[block->first]);
    }
}

static void make_blocks(struct search *search)
{
    size_t capacity = 0;
    for (uint32_t n = 0; n < search->count; n++) {
        if (n > 0 && !search->leader[search->offset[n]])
            continue;
        if (search->nblocks)
            search->block[search->nblocks - 1].end = n;
        search->block =
            grow_array(search->block, &capacity, search->nblocks, sizeof *search->block);
        search->block[search->nblocks++] = (struct block){.first = n};
    }
    search->block[search->nblocks - 1].end = search->count;
    connect_blocks(search);
}

/* --- What registers hold --- */

static void step(struct search *search, uint32_t number)
{
    struct call call;
    uint64_t address = address_of(search, number);
    if (calls(search, number, &call))
        machine_call(&search->machine, address);
    else
        machine_step(&search->machine, search->module, &search->instruction[number], address);
}

static bool enter_from(struct machine *entry, bool entered, uint64_t address,
                       const struct machine *from)
{
    if (from && entered)
        machine_meet(entry, address, from);
    else if (from)
        *entry = *from;
    return entered || from;
}

/* The registers at the start of a block, in search->machine. False: no way there is known. */
static bool enter(struct search *search, const struct block *block)
{
    struct machine *entry = &search->machine, start;
    uint64_t address = address_of(search, block->first);
    bool entered = false;
    if (block == search->block) {
        machine_enter_function(&start, search->start, search->in_frame);
        entered = enter_from(entry, entered, address, &start);
    }
    if (block->handler)
        entered = enter_from(entry, entered, address, search->at_call);
    for (uint32_t i = 0; i < block->ways; i++)
        entered = enter_from(entry, entered, address,
                             search->block[search->way[block->way + i].from].left);
    return entered;
}

static bool keep(struct machine **kept, const struct machine *machine)
{
    if (*kept && memcmp(*kept, machine, sizeof *machine) == 0)
        return false;
    if (!*kept)
        *kept = allocate(sizeof **kept);
    **kept = *machine;
    return true;
}

/* What calls leave is only narrowed down: the same registers after more and more of them. */
static bool add_call(struct search *search)
{
    if (!search->at_call)
        return keep(&search->at_call, &search->machine);
    return machine_meet(search->at_call, search->end, &search->machine);
}

static bool follow_block(struct search *search, struct block *block)
{
    bool changed = false;
    for (uint32_t n = block->first; n < block->end; n++) {
        struct call call;
        step(search, n);
        if (calls(search, n, &call))
            changed |= add_call(search);
    }
    return keep(&block->left, &search->machine) || changed;
}

/* False: it does not come to an end. */
static bool follow_registers(struct search *search)
{
    bool changed = true;
    for (int rounds = 0; changed && rounds < ROUNDS; rounds++) {
        changed = false;
        for (uint32_t b = 0; b < search->nblocks; b++)
            if (enter(search, &search->block[b]))
                changed |= follow_block(search, &search->block[b]);
    }
    return !changed;
}

/* --- Accesses --- */

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

/* Is it announced right after the block, whichever way the code goes on? */
static bool is_announced_after(const struct search *search, const struct block *block,
                               struct range range)
{
    bool some = false;
    for (int i = 0; i < 2; i++) {
        if (block->next[i] == NOWHERE)
            continue;
        if (!is_announced(&search->block[block->next[i]].early, range))
            return false;
        some = true;
    }
    return some;
}

/* At a call, or (`ended`) at the end of a block. */
static void judge(struct search *search, const struct block *ended)
{
    for (uint32_t i = 0; i < search->npending; i++) {
        const struct access *access = &search->pending[i];
        if (is_announced(&search->announced, access->range) ||
            (ended && is_announced_after(search, ended, access->range)))
            continue;
        struct board_site site = search->instruction[access->instruction].site;
        site.address = address_of(search, access->instruction);
        site.plain = true;
        search->found(search->context, &site);
    }
    search->npending = 0;
}

/* --- Local variables --- */

/* lea, or a copy of the stack pointer where a variable lies lowest. */
static void note_exposed(struct search *search, uint32_t number)
{
    const struct instruction *i = &search->instruction[number];
    struct quantity address = {0};
    if (i->map == 0 && i->opcode == 0x8d)
        address =
            machine_operand(&search->machine, search->module, i, address_of(search, number));
    else if (i->map == 0 && i->opcode == 0x89 && !i->memory && i->reg == SITE_STACK_POINTER)
        address = search->machine.reg[SITE_STACK_POINTER];
    if (!(address.of & FRAME))
        return;
    for (uint32_t n = 0; n < search->nexposed; n++)
        if (search->exposed[n] == address.value)
            return;
    if (search->nexposed < EXPOSED)
        search->exposed[search->nexposed++] = address.value;
}

static void announce(const struct search *search, struct announcements *all, uint8_t size)
{
    const struct quantity *reg = search->machine.reg;
    uint64_t bytes = size == ANNOUNCED_RANGE ? reg[SITE_SOURCE].value : size;
    all->range[all->count++ % ANNOUNCED] = (struct range){reg[SITE_DESTINATION].value, bytes};
}

/* A first walk, for what a block exposes and announces early. */
static void look_ahead(struct search *search)
{
    for (uint32_t b = 0; b < search->nblocks; b++) {
        struct block *block = &search->block[b];
        bool early = true;
        if (!enter(search, block))
            continue;
        for (uint32_t n = block->first; n < block->end; n++) {
            struct call call;
            note_exposed(search, n);
            if (calls(search, n, &call)) {
                early = early && call.callee == CALLEE_ANNOUNCE;
                if (early)
                    announce(search, &block->early, call.announced);
            }
            step(search, n);
        }
    }
}

static bool is_exposed(const struct search *search, struct range object)
{
    for (uint32_t n = 0; n < search->nexposed; n++)
        if (search->exposed[n] - object.address < object.size)
            return true;
    return search->nexposed == EXPOSED; /* there may be more */
}

/* Does the access go to a local variable that another thread may know? With an index it may be
 * to any of them. */
static bool is_shared_local(struct search *search, uint64_t address)
{
    enum { LARGEST_FRAME = 8 << 20 };
    if (!search->frames || search->nexposed == 0)
        return false;
    if (!search->objects_known)
        search->object = frames_of_function(search->frames, search->start, &search->nobjects);
    search->objects_known = true;
    uint64_t frame = machine_frame(search->start, search->in_frame);
    bool indexed = address - frame + LARGEST_FRAME >= 2 * LARGEST_FRAME;
    for (size_t i = 0; i < search->nobjects; i++) {
        struct range object = {frame + (uint64_t)search->object[i].offset,
                               search->object[i].size};
        if ((indexed || address - object.address < object.size) && is_exposed(search, object))
            return true;
    }
    return false;
}

static void add_access(struct search *search, uint32_t number, struct quantity address,
                       uint64_t size)
{
    bool shared = address.of & FRAME && is_shared_local(search, address.value);
    if (search->hooks ? address.of & OWN && !shared : !(address.of & RESULT))
        return;
    if (search->npending == PENDING)
        judge(search, NULL);
    search->pending[search->npending++] = (struct access){{address.value, size}, number};
}

static void note_access(struct search *search, uint32_t number)
{
    enum { LONGEST_COPY = 1 << 20 }; /* a count beyond that is one that is not known */
    const struct instruction *i = &search->instruction[number];
    const struct quantity *reg = search->machine.reg;
    uint64_t size = i->site.size;
    if (i->elsewhere || i->site.locked || i->site.kind == SITE_NONE ||
        i->site.kind == SITE_SYSCALL)
        return;
    if (i->site.repeated && reg[SITE_COUNT].value < LONGEST_COPY)
        size *= reg[SITE_COUNT].value;
    if (i->site.kind == SITE_COPY)
        add_access(search, number, reg[SITE_SOURCE], size);
    if (i->site.kind == SITE_COPY || i->site.kind == SITE_FILL)
        add_access(search, number, reg[SITE_DESTINATION], size);
    else
        add_access(
            search, number,
            machine_operand(&search->machine, search->module, i, address_of(search, number)),
            size);
}

static void walk(struct search *search, const struct block *block)
{
    for (uint32_t n = block->first; n < block->end; n++) {
        struct call call;
        if (!calls(search, n, &call)) {
            note_access(search, n);
        } else if (call.callee == CALLEE_ANNOUNCE) {
            announce(search, &search->announced, call.announced);
        } else {
            judge(search, NULL);
            search->announced.count = 0;
            if (call.callee == CALLEE_ATOMIC)
                announce(search, &search->announced,
                         call.announced); /* clang leaves its load there, unused */
        }
        step(search, n);
    }
    judge(search, block);
}

/* A block with one way to it, from a block before, is still within reach of what that one
 * announced. */
static void walk_all(struct search *search)
{
    for (uint32_t b = 0; b < search->nblocks; b++) {
        struct block *block = &search->block[b];
        if (!enter(search, block))
            continue;
        search->announced.count = 0;
        if (b > 0 && block->ways == 1 && search->way[block->way].from < b)
            search->announced = search->block[search->way[block->way].from].announced;
        walk(search, block);
        block->announced = search->announced;
    }
}

/* Does the function return the address of its result wherever it returns? */
static bool returns_result(const struct search *search)
{
    bool returns = false;
    for (uint32_t b = 0; b < search->nblocks; b++) {
        const struct block *block = &search->block[b];
        const struct instruction *last = &search->instruction[block->end - 1];
        if (!block->left || last->map != 0 || last->opcode != 0xc3)
            continue;
        if (!(block->left->reg[0].of & RESULT))
            return false;
        returns = true;
    }
    return returns;
}

static void release(struct search *search)
{
    for (uint32_t b = 0; b < search->nblocks; b++)
        free(search->block[b].left);
    free(search->way);
    free(search->at_call);
    free(search->block);
    free(search->leader);
    free(search->instruction);
    free(search->offset);
}

bool announce_check(const struct module_code *module, uint64_t start, uint64_t end,
                    bool in_frame, struct frames *frames, unannounced_access *found,
                    void *context)
{
    size_t size = (size_t)(end - start);
    struct search search = {.module = module,
                            .start = start,
                            .end = end,
                            .code = image_bytes(&module->image, start, size),
                            .in_frame = in_frame,
                            .frames = frames,
                            .found = found,
                            .context = context};
    bool good = true;
    if (search.code)
        decode_all(&search);
    if (search.count > 0) {
        search.leader = allocate(size + 1);
        find_leaders(&search);
        make_blocks(&search);
        good = follow_registers(&search);
        look_ahead(&search);
        if (good && (search.hooks || returns_result(&search)))
            walk_all(&search);
    }
    release(&search);
    return good;
}
