/* Interrupts instructions of the program, so that Mazur sees what they access.
 *
 * --visible FUNCTION: its memory accesses become visible operations, no matter what made them:
 * an atomic in inline assembly, a library without instrumentation.
 *
 *     the function                      the slot of the instruction
 *     …                                 lock cmpxchg %ecx,(%rdi)   a copy of it
 *     int3 (was: lock cmpxchg …) ──┐    int3 ──┐
 *     …                            ▼           ▼
 *                  arrive_at_trap():      finish_access():
 *                  schedule_point,        schedule_done,
 *                  continue in the slot   continue after the instruction in the function
 *
 * The command has decoded the functions (machine/instruction.c); this file only moves
 * instructions. The processor itself executes the copy, so the effect is the usual one. A load
 * counts as an acquire, a store as a release, an update as both, which is what x86-64
 * guarantees. An update that is not atomic (add without lock) is executed in one step here, but
 * the race detector treats it as plain: it races with unordered accesses of other threads.
 * System calls are treated like syscall(2); counters and random numbers of the processor become
 * virtual (trap_outside.c).
 *
 * The handlers run on the stack of the interrupted thread. A switch to another thread inside a
 * handler leaves the signal frame there, like the frame of any hook.
 *
 * Accesses through the frame pointer to the thread's own stack are accesses to locals and not
 * operations. Vector and string instructions are plain accesses: each is executed as a whole,
 * without a switch before it.
 *
 * Unannounced accesses of instrumented code (machine/announce.c) are treated as if the compiler
 * had announced them: as plain accesses, like those of __tsan_read… and __tsan_write…. Their
 * slots return to the program with a jump if there is room for one.
 *
 * Invariant: between arrive_at_trap() and finish_access() of an instruction no other thread
 * runs. */
#define XXH_INLINE_ALL
#include "runtime/traps/traps.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <xxhash.h>

#include "runtime/access/access.h"
#include "runtime/access/atomic.h"
#include "runtime/arch/raw.h"
#include "runtime/arch/trap_operands.h"
#include "runtime/core/calls_up.h"
#include "runtime/core/modules.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/snapshot.h"
#include "runtime/memory/stacks.h"
#include "runtime/race/race.h"
#include "runtime/traps/trap_outside.h"

#define SLOT       32   /* bytes of a slot: an instruction of at most 15, and what follows it */
#define BREAKPOINT 0xcc /* int3 */
#define INVALID    0x06 /* not an instruction in 64-bit mode: see trap_byte() */
#define PAGE       UINT64_C(4096)
#define BREAK_ROOM (UINT64_C(64) << 20)
#define NEAR       (UINT64_C(1) << 30) /* how far a slot may be from its module */
#define RED_ZONE   128
#define JUMP       0xe9 /* jmp, with the distance in four bytes */
#define JUMP_SIZE  5
#define ZERO_FLAG  0x40

struct slots { /* of one module */
    uint64_t start;
    uint32_t first; /* site that slot 0 belongs to */
    uint32_t count;
};

static struct {
    uint32_t nslots;
    struct slots slots[BOARD_MODULES];
    /* the instruction being executed in its slot */
    const struct board_site *site;
    bool quiet; /* … which is not an operation */
    struct op op;
    uint64_t address;
    uint64_t before;
    struct sigaction previous; /* the previous handler of the signal */
} traps;

/* --- Local state --- */

static uint64_t value_at(uint64_t address, uint32_t size)
{
    switch (size) {
    case 1:
        return *(volatile uint8_t *)address;
    case 2:
        return *(volatile uint16_t *)address;
    case 4:
        return *(volatile uint32_t *)address;
    default:
        return *(volatile uint64_t *)address;
    }
}

/* The local state that spin.c hashes. The function was interrupted at an arbitrary instruction,
 * so its state may include what a call does not preserve: registers, flags, vectors, the red
 * zone below the stack. After a hook, though, these contain Mazur's leftovers, which differ
 * between executions. So each of them counts only from the moment that it changes between two
 * trapped instructions of the thread without a hook in between. This is enough: what has not
 * changed since the hook can't distinguish two rounds of a loop, and a round that calls a hook
 * keeps nothing in them. */
#define VOLATILES 12 /* nine registers, flags, vectors, red zone */

static struct {
    uint64_t was[VOLATILES]; /* the values after the last trapped instruction */
    uint32_t counts;         /* a bit for each */
} volatiles[THREADS_MAX];

static void read_volatiles(const ucontext_t *context, uint64_t now[VOLATILES])
{
    static const uint8_t scratch[9] = {REG_RAX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
                                       REG_R8,  REG_R9,  REG_R10, REG_R11};
    const greg_t *g = context->uc_mcontext.gregs;
    for (int i = 0; i < 9; i++)
        now[i] = (uint64_t)g[scratch[i]];
    now[9] = (uint64_t)g[REG_EFL];
    now[10] = !context->uc_mcontext.fpregs
                  ? 0
                  : XXH3_64bits(context->uc_mcontext.fpregs->_xmm,
                                sizeof context->uc_mcontext.fpregs->_xmm);
    now[11] = XXH3_64bits((const void *)((uint64_t)g[REG_RSP] - RED_ZONE), RED_ZONE);
}

static void note_registers(const ucontext_t *context)
{
    static const uint8_t preserved[6] = {REG_RBX, REG_RBP, REG_R12, REG_R13, REG_R14, REG_R15};
    uint64_t now[VOLATILES], hash = 0;
    uint32_t *counts = &volatiles[rt.current].counts;
    for (int i = 0; i < 6; i++)
        fiber_entry.preserved[i] = (uint64_t)context->uc_mcontext.gregs[preserved[i]];
    fiber_entry.sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
    if (!rt.self->only_trapped)
        *counts = 0;
    read_volatiles(context, now);
    for (int i = 0; i < VOLATILES && rt.self->only_trapped; i++) {
        if (now[i] != volatiles[rt.current].was[i])
            *counts |= 1u << i;
        if (*counts >> i & 1)
            hash = XXH3_64bits_withSeed(&now[i], sizeof now[i], hash + (uint64_t)i);
    }
    fiber_entry.preserved[0] ^= hash;
}

/* --- Slots --- */

static const struct slots *slots_at(uint64_t pc)
{
    for (uint32_t i = 0; i < traps.nslots; i++)
        if (pc >= traps.slots[i].start &&
            pc < traps.slots[i].start + traps.slots[i].count * SLOT)
            return &traps.slots[i];
    return NULL;
}

static uint64_t slot_of(const struct board_site *site)
{
    uint32_t number = (uint32_t)(site - rt.board->site);
    for (uint32_t i = 0; i < traps.nslots; i++)
        if (number - traps.slots[i].first < traps.slots[i].count)
            return traps.slots[i].start + (uint64_t)(number - traps.slots[i].first) * SLOT;
    return 0;
}

static const struct board_site *site_at(uint64_t address)
{
    uint32_t low = 0, high = rt.board->nsites;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (rt.board->site[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < rt.board->nsites && rt.board->site[low].address == address;
    return found ? &rt.board->site[low] : NULL;
}

uint64_t traps_program_pc(uint64_t pc)
{
    const struct slots *slots = traps.nslots > 0 ? slots_at(pc) : NULL;
    return slots ? rt.board->site[slots->first + (pc - slots->start) / SLOT].address : pc;
}

/* The slots are mapped some distance after the module, so that sbrk() can still grow the
 * program's data, but close enough for operands relative to the instruction. */
static uint64_t map_near(uint64_t end, uint64_t size)
{
    uint64_t from = ((end + PAGE - 1) & ~(PAGE - 1)) + BREAK_ROOM;
    for (uint64_t at = from; at < from + NEAR; at += UINT64_C(1) << 20) {
        long result = raw_syscall6(SYS_mmap, (long)at, (long)size, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (result == (long)at)
            return at;
        if (result > 0)
            raw_syscall2(SYS_munmap, result, (long)size);
    }
    rt_fatal("no room for the instructions of --visible");
}

/* Under a debugger, breakpoints belong to the debugger. There the trap is an invalid
 * instruction, whose signal (SIGILL) gdb passes on silently. */
static uint8_t trap_byte(void)
{
    return rt.os_threads ? INVALID : BREAKPOINT;
}

static void put_number(uint8_t *at, uint64_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(number >> (8 * i));
}

static void fill_slot(const struct board_site *site, uint8_t *slot)
{
    const uint8_t *code = (const uint8_t *)site->address;
    uint64_t moved = site->address - (uint64_t)(uintptr_t)slot;
    for (uint8_t i = 0; i < site->length; i++)
        slot[i] = code[i];
    slot[site->length] = trap_byte();
    if (site->plain && site->length + JUMP_SIZE <= SLOT) {
        slot[site->length] = JUMP;
        put_number(slot + site->length + 1, moved - JUMP_SIZE);
    }
    if (site->base == SITE_RIP)
        put_number(slot + site->displacement_at, (uint64_t)(int64_t)site->displacement + moved);
}

static void patch_site(const struct board_site *site)
{
    long page = (long)(site->address & ~(PAGE - 1));
    raw_syscall3(SYS_mprotect, page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
    *(volatile uint8_t *)site->address = trap_byte();
    raw_syscall3(SYS_mprotect, page, PAGE, PROT_READ | PROT_EXEC);
}

static void install_module(const struct board_module *module)
{
    struct board *board = rt.board;
    struct slots *slots = &traps.slots[traps.nslots];
    slots->count = 0;
    for (uint32_t i = 0; i < board->nsites; i++) {
        if (board->site[i].address < module->start || board->site[i].address >= module->end)
            continue;
        if (slots->count++ == 0)
            slots->first = i;
    }
    if (slots->count == 0)
        return;
    uint64_t size = (slots->count * SLOT + PAGE - 1) & ~(PAGE - 1);
    slots->start = map_near(module->end, size);
    traps.nslots++;
    for (uint32_t i = 0; i < slots->count; i++)
        fill_slot(&board->site[slots->first + i], (uint8_t *)slots->start + i * SLOT);
    raw_syscall3(SYS_mprotect, (long)slots->start, (long)size, PROT_READ | PROT_EXEC);
    for (uint32_t i = 0; i < slots->count; i++)
        if (board->site[slots->first + i].function == 0)
            patch_site(&board->site[slots->first + i]);
}

/* --- An instruction --- */

static void go_to(ucontext_t *context, uint64_t pc)
{
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
}

static void execute_copy(const struct board_site *site, ucontext_t *context, bool quiet)
{
    traps.site = site;
    traps.quiet = quiet;
    go_to(context, slot_of(site));
}

static bool is_local(const struct board_site *site, uint64_t address)
{
    const struct fiber *fiber = &rt.self->fiber;
    return site->base == SITE_FRAME_POINTER && address >= (uint64_t)(uintptr_t)fiber->stack &&
           address < (uint64_t)(uintptr_t)fiber->base;
}

/* Accesses of more than a word, across a word boundary or in several places are not operations.
 */
static bool is_plain(const struct board_site *site, uint64_t address)
{
    bool wide = site->size > 8 && site->kind != SITE_COMPARE;
    bool several = site->lanes > 0 || site->repeated || site->kind > SITE_COMPARE;
    return site->plain || several || wide || address % 16 + site->size > 16;
}

/* The access is an operation only if it takes part in a race. */
static void access_plainly(const struct board_site *site, const ucontext_t *context)
{
    if (rt.has_racy)
        note_registers(context);
    trap_each_access(site, context, access_read_trapped, access_write_trapped);
}

static void arrive_at_trap(const struct board_site *site, ucontext_t *context)
{
    static const struct {
        uint8_t kind, flags, order;
    } as[] = {
        [SITE_LOAD] = {OP_LOAD, OP_READS, __ATOMIC_ACQUIRE},
        [SITE_STORE] = {OP_STORE, OP_WRITES, __ATOMIC_RELEASE},
        [SITE_UPDATE] = {OP_RMW, OP_READS | OP_WRITES, __ATOMIC_SEQ_CST},
        [SITE_COMPARE] = {OP_CAS, OP_READS | OP_WRITES, __ATOMIC_SEQ_CST},
    };
    uint64_t pc = site->address + site->length;
    uint64_t address = trap_operand(site, context);
    if (!rt.on || (!site->plain && is_local(site, address))) {
        execute_copy(site, context, true);
        return;
    }
    if (is_plain(site, address)) {
        access_plainly(site, context);
        execute_copy(site, context, true);
        return;
    }
    note_registers(context);
    struct op op = atomic_begin(as[site->kind].kind, as[site->kind].flags, address, site->size,
                                as[site->kind].order, pc);
    snapshot_touch((const void *)address, site->size);
    traps.op = op;
    traps.address = address;
    traps.before = value_at(address, site->size);
    execute_copy(site, context, false);
}

static void finish_divisible(const struct board_site *site, uint64_t after, uint64_t pc)
{
    atomic_values(traps.before, after);
    traps.op.value = traps.before;
    traps.op.flags =
        (uint16_t)((traps.op.flags & ~(OP_SPINS | OP_MAY_BLOCK)) | OP_READS | OP_WRITES);
    if (rt.check_races && LIKELY(rt.ignorers == 0 || !calls_up.annotations_ignore(true))) {
        race_read(rt.current, traps.address, site->size, pc);
        race_write(rt.current, traps.address, site->size, pc);
    }
    schedule_done(&traps.op);
}

static void finish_access(ucontext_t *context)
{
    const struct board_site *site = traps.site;
    uint64_t pc = site->address + site->length;
    uint64_t after = traps.quiet ? 0 : value_at(traps.address, site->size);
    bool equal = context->uc_mcontext.gregs[REG_EFL] & ZERO_FLAG;
    go_to(context, pc);
    if (traps.quiet)
        return;
    if (site->kind == SITE_LOAD || (site->kind == SITE_COMPARE && !equal))
        atomic_end_load(&traps.op, traps.address, site->size, __ATOMIC_ACQUIRE, traps.before,
                        pc);
    else if (site->kind == SITE_STORE)
        atomic_end_store(&traps.op, traps.address, site->size, __ATOMIC_RELEASE, traps.before,
                         after, pc);
    else if (!site->locked)
        finish_divisible(site, after, pc);
    else
        atomic_end_rmw(&traps.op, traps.address, site->size, __ATOMIC_SEQ_CST, traps.before,
                       after, pc);
    rt.self->only_trapped = true;
    read_volatiles(context, volatiles[rt.current].was);
}

static bool is_outside(const struct board_site *site)
{
    return site->kind == SITE_SYSCALL || site->kind == SITE_CLOCK ||
           site->kind == SITE_CHANCE || site->kind == SITE_PROCESSOR;
}

/* Not one of our traps: the program's own, which the previous handler reports. Without one it
 * ends the program. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
    if (traps.previous.sa_flags & SA_SIGINFO) {
        traps.previous.sa_sigaction(signal, info, context);
        return;
    }
    struct sigaction normal = {.sa_handler = SIG_DFL};
    real.sigaction(signal, &normal, NULL);
    raw_syscall2(SYS_kill, raw_syscall1(SYS_getpid, 0), signal);
}

static void on_trap(int signal, siginfo_t *info, void *raw_context)
{
    ucontext_t *context = raw_context;
    /* The pc is after an int3, but at an invalid instruction. */
    uint64_t pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP] - (signal == SIGTRAP);
    const struct board_site *site = site_at(pc);
    if (slots_at(pc)) {
        finish_access(context);
    } else if (!site) {
        pass_on(signal, info, context);
    } else if (!is_outside(site)) {
        arrive_at_trap(site, context);
    } else if (rt.on && trap_outside(site, context)) {
        go_to(context, site->address + site->length);
    } else {
        execute_copy(site, context, true);
    }
}

/* --- Local variables --- */

/* Interrupts the accesses to local variables in the function that contains the code address; pc
 * 0: in all functions. The nearest preceding function start with such accesses belongs to this
 * function, if it has any. */
static bool wake_function(uint64_t pc)
{
    struct board *board = rt.board;
    uint64_t function = 0;
    bool woken = false;
    for (uint32_t i = 0; i < board->nsites; i++)
        if (board->site[i].function <= pc && board->site[i].function > function)
            function = board->site[i].function;
    for (uint32_t i = 0; i < board->nsites; i++) {
        struct board_site *site = &board->site[i];
        if (site->function == 0 || (pc != 0 && site->function != function))
            continue;
        site->function = 0;
        patch_site(site);
        woken = true;
    }
    return woken;
}

/* All functions that the thread is in; all functions of the program if these are unknown. */
static bool wake_functions_of(const struct thread *owner)
{
    bool woken = false;
    if (owner->nframes == 0 || owner->nframes > FRAMES_MAX)
        return wake_function(0);
    for (uint32_t i = 1; i <= owner->nframes; i++) {
        uint64_t pc = i < owner->nframes ? owner->frame[i].pc : rt.pending[owner->slot].pc;
        woken |= wake_function(module_instrumented(pc) ? pc : 0);
    }
    return woken;
}

void traps_watch_stack(uint64_t address)
{
    int owner = thread_of_stack(address);
    if (owner >= 0 && owner != rt.current && wake_functions_of(&rt.thread[owner]))
        schedule_start_over();
}

/* Installs the traps on local variables right away where the search can't start over: in a
 * recording, and with a process per execution. */
static void settle_locals(void)
{
    struct board *board = rt.board;
    bool at_once = rt.recording || rt.os_threads || board->config.resume ||
                   board->config.isolate == ISOLATE_FORK;
    for (uint32_t i = 0; i < board->nsites; i++) {
        if (at_once)
            board->site[i].function = 0;
        rt.watches_stacks |= board->site[i].function != 0;
    }
}

void traps_install(void)
{
    if (rt.board->nsites == 0)
        return;
    trap_operands_init();
    settle_locals();
    for (uint32_t i = 0; i < rt.board->nsites; i++)
        rt.has_traps |= !rt.board->site[i].plain;
    for (uint32_t i = 0; i < rt.board->nmodules; i++)
        install_module(&rt.board->module[i]);
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER};
    real.sigaction(rt.os_threads ? SIGILL : SIGTRAP, &action, &traps.previous);
}
