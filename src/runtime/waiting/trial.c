/* Trials: where does a read lead?
 *
 * The thread continues, with the present value, to its next operation; then its stack,
 * registers and record are restored. Answers are kept, so there is one trial per local state
 * and value. A trial ends before anything that is more than a read: a plain access outside the
 * thread's own frames, a write, any other operation but a yield, a call of libc, the end of the
 * thread's function. Comparing all memory before and after the trial finds writes of code
 * without instrumentation; then this read no longer looks ahead, and the search starts over.
 *
 *     TRIAL_NEXT      from where the thread is, to its next operation
 *     TRIAL_FED       from the beginning of its attempt (attempt.c), through reads that are
 *                     given their values: each location holds the value while it is read
 *     TRIAL_THROUGH   from where it is, until it repeats itself or leaves
 *
 * The next operation is named by its pc and by the thread's state there. Inside the function
 * that waits this is the local state of spin.c. Further out (after the loop) it is the whole
 * stack and the operation's arguments; at the end of the thread, it is the thread's result. Two
 * trials that end in the same state differ in nothing that the thread can see later.
 *
 * Invariant: during a trial `rt.looking_ahead` is set, and only the thread's stack, its record
 * and the location being read are written; all of them are restored. */
#define XXH_INLINE_ALL
#include "runtime/waiting/trial.h"

#include <xxhash.h>

#include "base/hash.h"
#include "base/must.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/snapshot.h"
#include "runtime/waiting/attempt.h"
#include "runtime/waiting/look_ahead.h"
#include "runtime/waiting/spin.h"
#include "runtime/waiting/spin_stack.h"

#define ANSWERS      (UINT64_C(1) << 16) /* a power of two */
#define ANSWERS_MOST (ANSWERS / 4 * 3)
#define BELOW_STACK  (UINT64_C(16) << 10) /* what a trial may use below the stack pointer */
#define TRIAL_STACK  (64 << 10)
#define ROUNDS_MOST  64         /* reads of a trial that continues past them */
#define FRAME_UNITS  (1u << 16) /* of 16 bytes of stack, by a hash of their addresses */
#define THREAD_ENDS  1          /* instead of a pc */

struct ahead_answers {
    uint64_t count;
    uint8_t frame_use[FRAME_UNITS];
    struct ahead_answer item[ANSWERS];
};

static struct ahead_answers *answers;

/* If a round is left out, so are its plain writes to the thread's own frame. That is fine
 * unless another thread accesses the memory: then there may be a race. The order of the two
 * does not matter: the search starts over when it has seen both. */
enum { FRAME_FOREIGN = 1, FRAME_TRIED = 2 };

enum trial_mode { TRIAL_NEXT, TRIAL_FED, TRIAL_THROUGH };
enum trial_result { TRIAL_LEAVES, TRIAL_READS, TRIAL_IDLE, TRIAL_ASSUMES };

static struct {
    struct thread *thread;
    enum trial_mode mode;
    bool yields;
    bool stores;
    enum trial_result result;
    uint64_t pc, state; /* of the next operation */
    struct ahead_read next;
    struct ahead_read location; /* of the last read, with the value that is put back */
    struct ahead_read fed[SPIN_READS + 1];
    uint32_t nfed, at;
    uint32_t depth; /* of calls, where the trial began */
    uint32_t nseen;
    struct {
        uint64_t pc, state;
    } seen[ROUNDS_MOST];
    struct fiber fiber; /* where trials are made from */
    struct fiber asker; /* the code that asked */
    struct thread record;
    char *stack; /* a copy */
} trial;

uint64_t trial_bytes(void)
{
    return (sizeof *answers + 4095) & ~UINT64_C(4095);
}

void trial_init(void *memory)
{
    answers = memory;
}

/* --- Answers --- */

static uint64_t value_at(uint64_t address, uint32_t size)
{
    uint64_t value = 0;
    __builtin_memcpy(&value, (const void *)address, size);
    return value;
}

struct ahead_read trial_pending_read(const struct thread *thread)
{
    const struct spin_ahead *ahead = &thread->spin.ahead;
    return (struct ahead_read){ahead->address, value_at(ahead->address, ahead->size),
                               ahead->size};
}

uint64_t trial_key(const struct thread *thread, uint64_t pc, uint64_t state,
                   const struct ahead_read *read)
{
    uint64_t facts[] = {(uint64_t)thread->slot,
                        pc,
                        state,
                        read->address,
                        read->size,
                        read->value,
                        thread_frame_end(thread),
                        thread->spin.ahead.outer};
    return XXH3_64bits(facts, sizeof facts) | 1;
}

static struct ahead_answer *answer_place(uint64_t key)
{
    uint64_t at = key >> 8;
    while (answers->item[at & (ANSWERS - 1)].key != 0 &&
           answers->item[at & (ANSWERS - 1)].key != key)
        at++;
    return &answers->item[at & (ANSWERS - 1)];
}

static void forget_answers(void)
{
    answers->count = 0;
    __builtin_memset(answers->item, 0, sizeof answers->item);
}

static struct ahead_answer keep_answer(uint64_t key)
{
    bool reads = trial.result == TRIAL_READS;
    if (answers->count == ANSWERS_MOST) /* each answer can be found out again */
        forget_answers();
    answers->count++;
    struct ahead_answer *answer = answer_place(key);
    *answer = (struct ahead_answer){.key = key,
                                    .pc = trial.pc,
                                    .state = trial.state,
                                    .address = trial.next.address,
                                    .size = (uint8_t)trial.next.size,
                                    .reads = reads,
                                    .yields = trial.yields,
                                    .stores = trial.stores,
                                    .assumes = trial.result == TRIAL_ASSUMES};
    return *answer;
}

/* --- Making a trial --- */

static void stack_of_trial(const struct thread *thread, uint64_t *low, uint64_t *high)
{
    uint64_t lowest = (uint64_t)(uintptr_t)thread->fiber.stack;
    uint64_t sp = (uint64_t)(uintptr_t)thread->fiber.sp;
    if (trial.mode == TRIAL_FED && attempt_low(thread) < sp)
        sp = attempt_low(thread);
    *low = sp - lowest > BELOW_STACK ? sp - BELOW_STACK : lowest;
    *high = thread->routine_end;
    must(*high - *low <= TRIAL_KEPT_STACK);
}

/* Everything that the program can write, except for the stack of the thread on trial. */
static uint64_t other_memory(const struct thread *tried, const struct thread *asker)
{
    uint64_t hash = heap_hash(snapshot_hash(1));
    for (uint32_t t = 0; t < rt.used; t++) {
        const struct thread *thread = &rt.thread[t];
        bool stands = thread->state == THREAD_RUNNABLE || thread->state == THREAD_BLOCKED;
        const struct fiber *fiber = thread == asker ? &trial.asker : &thread->fiber;
        uint64_t low = (uint64_t)(uintptr_t)fiber->sp;
        if (thread != tried && stands && thread_owns_stack(thread, low) &&
            low < thread->routine_end)
            hash = XXH3_64bits_withSeed((const void *)low, thread->routine_end - low, hash);
    }
    return hash;
}

/* The location of the last atomic operation: the only one that can have changed something. */
static void note_location(uint64_t address, uint32_t size)
{
    trial.location = (struct ahead_read){address, value_at(address, size), size};
}

static void set_location(const struct ahead_read *to)
{
    if (value_at(to->address, to->size) != to->value)
        __builtin_memcpy((void *)to->address, &to->value, to->size);
}

/* The next value that the thread is given. */
static void feed_value(void)
{
    const struct ahead_read *read = &trial.fed[trial.at++];
    note_location(read->address, read->size);
    set_location(read);
}

/* Lets the thread continue in a trial, and restores what it changes. */
static void run_trial(struct thread *thread)
{
    const struct spin_ahead *ahead = &thread->spin.ahead;
    uint64_t low, high;
    stack_of_trial(thread, &low, &high);
    struct fiber_entry_registers entry = fiber_entry;
    threadset blocking = rt.blocking;
    uint32_t plain_reads = rt.plain_reads;
    int current = rt.current;
    struct thread *self = rt.self;
    rawmem_copy(trial.stack, (const void *)low, high - low);
    trial.record = *thread;
    if (trial.mode == TRIAL_FED) {
        attempt_rewind(thread);
        feed_value();
    } else {
        note_location(ahead->address, ahead->size);
    }
    trial.depth = thread->spin.depth;
    rt.current = thread->slot;
    rt.self = thread;
    rt.looking_ahead = rt.on_trial = true;
    fiber_swap(&trial.fiber, &thread->fiber);
    rt.on = false;
    rt.looking_ahead = rt.on_trial = false;
    rt.operand = 0;
    rt.current = current;
    rt.self = self;
    rt.plain_reads = plain_reads;
    rt.blocking = blocking;
    fiber_entry = entry;
    *thread = trial.record;
    rawmem_copy((void *)low, trial.stack, high - low);
    set_location(&trial.location); /* it stopped after a store, or was given another value */
}

static void make_trial(void *unused)
{
    (void)unused;
    struct thread *thread = trial.thread;
    const struct thread *asker = thread == rt.self ? NULL : rt.self;
    bool proves = !rt.recording;
    uint64_t before = proves ? other_memory(thread, asker) : 0;
    run_trial(thread);
    if (proves && other_memory(thread, asker) != before)
        look_ahead_forget(thread);
    fiber_jump(asker ? &trial.asker : &thread->fiber);
}

static void prepare_fiber(struct thread *thread, void (*entry)(void *))
{
    if (!trial.stack) {
        trial.stack = rt_map(TRIAL_KEPT_STACK);
        trial.fiber.stack = rt_map(TRIAL_STACK);
        trial.fiber.base = trial.fiber.stack + TRIAL_STACK;
        trial.fiber.tls = rt.driver.tls;
    }
    trial.thread = thread;
    fiber_prepare(&trial.fiber, entry, NULL);
}

/* Also returns during the trial (rt.looking_ahead) if the thread is the current one and is not
 * rewound. */
static void try_thread(struct thread *thread, enum trial_mode mode)
{
    must(!rt.on_trial);
    snapshot_watch();
    trial.mode = mode;
    trial.yields = trial.stores = false;
    trial.result = TRIAL_LEAVES;
    trial.pc = trial.state = 0;
    trial.next = (struct ahead_read){0};
    trial.nseen = trial.at = 0;
    prepare_fiber(thread, make_trial);
    if (thread == rt.self) {
        fiber_swap(&thread->fiber, &trial.fiber);
        return;
    }
    trial.asker = (struct fiber){.tls = rt.self->fiber.tls};
    fiber_swap(&trial.asker, &trial.fiber);
}

static void keep_beginning(void *unused)
{
    (void)unused;
    attempt_keep(trial.thread);
    fiber_jump(&trial.thread->fiber);
}

void trial_keep_beginning(struct thread *self)
{
    prepare_fiber(self, keep_beginning);
    fiber_swap(&self->fiber, &trial.fiber);
}

/* --- The end of a trial --- */

static void end_trial(enum trial_result result) __attribute__((noreturn));
static void end_trial(enum trial_result result)
{
    trial.result = result;
    fiber_jump(&trial.fiber);
}

void look_ahead_stop(void)
{
    trial.pc = trial.state = 0;
    end_trial(TRIAL_LEAVES);
}

void look_ahead_at_assume(void)
{
    trial.pc = trial.state = 0;
    end_trial(TRIAL_ASSUMES);
}

void look_ahead_at_end(int result)
{
    const struct thread_life *life = &rt.self->life;
    uint64_t facts[] = {(uint64_t)(uintptr_t)life->result, (uint64_t)result,
                        life->exit_by_call};
    trial.pc = THREAD_ENDS;
    trial.state = XXH3_64bits(facts, sizeof facts) | 1;
    end_trial(TRIAL_LEAVES);
}

/* The thread's state at an operation outside the function that it waits in. 0: the operation
 * has no entry stub, or the stack is not the thread's alone. */
static uint64_t whole_state(const struct thread *self, uint64_t address, uint64_t operand,
                            uint64_t pc)
{
    uint64_t sp = fiber_entry.sp, facts[] = {address, operand, self->nframes};
    if (sp >= self->routine_end || !thread_owns_stack(self, sp) || value_at(sp, 8) != pc ||
        stacks_overlap(sp, self->routine_end))
        return 0;
    uint64_t hash = XXH3_64bits(fiber_entry.preserved, sizeof fiber_entry.preserved);
    hash = XXH3_64bits_withSeed(facts, sizeof facts, hash);
    return XXH3_64bits_withSeed((const void *)sp, self->routine_end - sp, hash) | 1;
}

/* The thread has left, to an operation at pc. */
static void end_outside(uint64_t address, uint64_t operand, uint64_t pc)
{
    trial.pc = pc;
    trial.state = whole_state(rt.self, address, operand, pc);
    end_trial(TRIAL_LEAVES);
}

/* The thread is given the values of certain reads, and then makes another one. */
static bool reads_another(uint64_t address, uint32_t size)
{
    return trial.fed[trial.at].address != address || trial.fed[trial.at].size != size;
}

void look_ahead_at_atomic(uint64_t address, uint32_t size, bool reads, uint64_t operand,
                          uint64_t pc)
{
    struct thread *self = rt.self;
    bool looked = reads && size <= 8;
    uint64_t state = looked ? spin_local_state(self, pc) : 0;
    rt.on = false;
    if (state == 0 || self->spin.depth != trial.depth)
        end_outside(address, operand, pc);
    trial.pc = pc;
    trial.state = state;
    trial.next = (struct ahead_read){address, 0, size};
    if (trial.mode == TRIAL_NEXT || (trial.mode == TRIAL_FED && trial.at == trial.nfed))
        end_trial(TRIAL_READS);
    if (trial.mode == TRIAL_FED) {
        if (reads_another(address, size) || trial.yields || trial.stores)
            look_ahead_stop();
        set_location(&trial.location);
        feed_value();
        return;
    }
    for (uint32_t i = 0; i < trial.nseen; i++)
        if (trial.seen[i].pc == pc && trial.seen[i].state == state)
            end_trial(TRIAL_IDLE);
    if (trial.nseen == ROUNDS_MOST) {
        rt.saw_unproven_loop = true;
        end_trial(TRIAL_LEAVES);
    }
    trial.seen[trial.nseen].pc = pc;
    trial.seen[trial.nseen++].state = state;
    if (heap_check(address, size) != HEAP_OK)
        end_trial(TRIAL_LEAVES);
    note_location(address, size);
}

void look_ahead_at_operation(const struct op *op)
{
    if (op->kind != OP_YIELD || op->flags != OP_YIELDS)
        look_ahead_stop();
    trial.yields = true;
    rt.on = false;
}

void look_ahead_at_store(bool same)
{
    if (!same)
        look_ahead_stop();
    trial.stores = true;
}

static uint8_t *frame_use(uint64_t unit)
{
    return &answers->frame_use[hash_slot(unit, 16)];
}

void look_ahead_foreign(uint64_t address, uint64_t size)
{
    bool tried = false;
    for (uint64_t unit = address / 16; unit <= (address + size - 1) / 16; unit++) {
        tried = tried || *frame_use(unit) == FRAME_TRIED;
        *frame_use(unit) |= FRAME_FOREIGN;
    }
    if (!tried || rt.recording)
        return;
    forget_answers();
    schedule_start_over();
}

static bool write_stays_private(uint64_t address, uint64_t size)
{
    for (uint64_t unit = address / 16; unit <= (address + size - 1) / 16; unit++) {
        if (*frame_use(unit) & FRAME_FOREIGN)
            return false;
        *frame_use(unit) |= FRAME_TRIED;
    }
    return true;
}

/* The thread's own frames are part of the local state. Other threads may write other plain
 * memory, and the access may be a race: it must happen. */
void look_ahead_at_access(uint64_t address, uint64_t size, bool write)
{
    const struct thread *self = rt.self;
    uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    bool own = address >= here && address + size <= thread_frame_end(self) &&
               thread_owns_stack(self, here) && !stacks_shared(address);
    if (own && write && trial.mode != TRIAL_THROUGH && !write_stays_private(address, size))
        own = false;
    if (!own && (write || trial.mode != TRIAL_THROUGH))
        look_ahead_stop();
}

/* --- Where a read leads --- */

struct ahead_answer trial_find_next(struct thread *thread, uint64_t key)
{
    if (answer_place(key)->key == key)
        return *answer_place(key);
    try_thread(thread, TRIAL_NEXT);
    if (rt.looking_ahead)
        return (struct ahead_answer){0};
    return keep_answer(key);
}

bool trial_confirms(struct thread *thread)
{
    const struct spin_ahead *ahead = &thread->spin.ahead;
    try_thread(thread, TRIAL_NEXT);
    return !rt.looking_ahead && trial.pc == ahead->next_pc &&
           trial.state == ahead->next_state &&
           (trial.result == TRIAL_READS) == ahead->next_reads;
}

static bool all_stay_mapped(const struct ahead_read *reads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!spin_stays_mapped(reads[i].address, reads[i].size) ||
            heap_check(reads[i].address, reads[i].size) != HEAP_OK)
            return false;
    return true;
}

struct ahead_answer trial_find_fed(struct thread *thread, uint64_t key,
                                   const struct ahead_read *reads, uint32_t count)
{
    must(count > 0 && count <= SPIN_READS + 1);
    if (answer_place(key)->key == key)
        return *answer_place(key);
    if (!all_stay_mapped(reads, count))
        return (struct ahead_answer){0};
    __builtin_memcpy(trial.fed, reads, count * sizeof *reads); /* off the thread's stack */
    trial.nfed = count;
    try_thread(thread, TRIAL_FED);
    if (trial.at < count) /* it makes other reads */
        return (struct ahead_answer){0};
    return keep_answer(key);
}

bool trial_finds_way_out(struct thread *thread)
{
    try_thread(thread, TRIAL_THROUGH);
    return !rt.looking_ahead && trial.result == TRIAL_LEAVES;
}
