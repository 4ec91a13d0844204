/* A checkpoint where main creates its first thread: what main does before that (reading input,
 * filling tables) is the same in every execution, and is run only once.
 *
 *   WATCH    measure how long main takes until there
 *   HASH     worth saving: note main's state there
 *   TAKE     if it is the same state again, save it ────────────▶ TAKEN, or
 *   NEVER    something in it can't be saved, or it differs each time
 *
 * There main is the only thread, which keeps this simple: everything so far happens before
 * everything that follows, so the race detector starts with an empty history. The checkpoint
 * saves memory (a second snapshot), the heap's blocks, main's stack and struct thread, the
 * position of the search (which is asked again, see prefix.c), and the static variables that
 * belong to an execution (execution_state.h). Components that restore something outside the
 * process (descriptors, mappings, signals, …) note changes of it in static variables. These
 * variables have no row, so a change of them forbids the checkpoint.
 *
 * The checkpoint is forgotten when the search starts over, since a lesson may turn what main
 * did before into operations. */
#include "runtime/driver/checkpoint.h"

#include <x86intrin.h>

#include "base/must.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/prefix.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/driver/path.h"
#include "runtime/driver/statics.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/snapshot.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* In cycles. A resumed execution costs about a microsecond more than one that begins with main,
 * and each page that it writes costs a fault once. */
#define WORTH_EACH  UINT64_C(20000)
#define WORTH_ALL   UINT64_C(10000000)
#define SAVED_BYTES (UINT64_C(64) << 20) /* for the stack and static variables */
#define OBJECTS_MAX 64
#define TRIES_MAX   4

struct saved_part {
    void *at;
    size_t size;
    char *copy;
};

static struct {
    enum { PHASE_WATCH, PHASE_HASH, PHASE_TAKE, PHASE_TAKEN, PHASE_NEVER } phase;
    bool offered;
    uint64_t began; /* of the time-stamp counter */
    uint64_t spent; /* in main before its first thread, … */
    uint64_t times; /* … this many times */
    uint64_t hash;
    uint32_t tries;
    uint32_t lessons; /* lessons so far */
    char *saved;      /* memory for the parts */
    uint64_t nsaved;  /* bytes */
    struct saved_part part[OBJECTS_MAX];
    uint32_t nparts;
    uint64_t stack_low;
    struct runtime *runtime; /* at the start; at the checkpoint */
} checkpoint;
LASTING_STATE(checkpoint);

/* --- Is a checkpoint possible? --- */

bool checkpoint_is_allowed(void)
{
    const struct board_config *config = &rt.board->config;
    return config->checkpoints != CHECKPOINTS_OFF && config->isolate == ISOLATE_SNAPSHOT &&
           !rt.recording && !rt.asan && !rt.fingerprints && !rt.store_buffers &&
           !rt.has_traps && !rt.probing;
}

/* The fields of rt that may differ at the checkpoint: SAVED_FIELDS belong to the execution and
 * are saved, OTHER_FIELDS stay as they are. All other fields must be as they were at the
 * start. */
/* clang-format off */
#define SAVED_FIELDS(F)                                                                        \
    F(pos) F(done) F(done_step) F(blocking) F(stale) F(plain_reads) F(heap_pc)
#define OTHER_FIELDS(F)                                                                        \
    F(on) F(frees) F(saw_timed) F(saw_unproven_loop) F(saw_realtime) F(clock_looks)            \
    F(notes_prefix) F(outcome) F(driver)
/* clang-format on */
#define RUNTIME_HEAD offsetof(struct runtime, pending)

static bool is_runtime_known(void)
{
    struct runtime *start = checkpoint.runtime;
#define TAKE_OVER(field) start->field = rt.field;
    SAVED_FIELDS(TAKE_OVER)
    OTHER_FIELDS(TAKE_OVER)
    return __builtin_memcmp(start, &rt, RUNTIME_HEAD) == 0;
}

static void save_part(void *at, size_t size)
{
    must(checkpoint.nparts < OBJECTS_MAX && checkpoint.nsaved + size <= SAVED_BYTES);
    char *copy = checkpoint.saved + checkpoint.nsaved;
    checkpoint.nsaved += (size + 15) & ~UINT64_C(15);
    __builtin_memcpy(copy, at, size);
    checkpoint.part[checkpoint.nparts++] = (struct saved_part){at, size, copy};
}

/* Does not copy the object yet: heap_advance() and snapshot_advance() come first. */
static void note_part(void *at, size_t size)
{
    must(checkpoint.nparts < OBJECTS_MAX);
    checkpoint.part[checkpoint.nparts++] = (struct saved_part){at, size, NULL};
}

/* --- The phases --- */

void checkpoint_begin(void)
{
    if (checkpoint.phase == PHASE_NEVER || !checkpoint_is_allowed())
        return;
    if (!checkpoint.saved) {
        checkpoint.saved = rt_map_table(SAVED_BYTES);
        checkpoint.runtime = rt_map_table(sizeof *checkpoint.runtime);
    }
    if (checkpoint.phase == PHASE_WATCH && rt.board->config.checkpoints == CHECKPOINTS_ALWAYS)
        checkpoint.phase = PHASE_HASH;
    if (checkpoint.phase == PHASE_TAKE) {
        statics_note();
        __builtin_memcpy(checkpoint.runtime, &rt, RUNTIME_HEAD);
        prefix_begin();
    }
    checkpoint.began = __rdtsc();
}

void checkpoint_offer(void)
{
    if (rt.on_trial)
        return;
    heap_settle();
    if (rt.os_threads)
        return;
    rt.on = false;
    checkpoint.offered = true;
    fiber_swap(&rt.self->fiber, &rt.driver);
    rt.on = true;
}

static uint64_t lowest_of_stack(void)
{
    uint64_t sp = (uint64_t)(uintptr_t)rt.thread[0].fiber.sp;
    return sp < rt.thread[0].stack_low ? sp : rt.thread[0].stack_low;
}

static uint64_t hash_state(void)
{
    const struct thread *thread = &rt.thread[0];
    uint64_t low = lowest_of_stack();
    if (low == (uint64_t)(uintptr_t)thread->fiber.sp)
        low += 8; /* the control words: the search may have set flags of exceptions in them */
    uint64_t seed =
        XXH3_64bits((const void *)low, (uint64_t)(uintptr_t)thread->fiber.base - low);
    seed = XXH3_64bits_withSeed(&thread->time, sizeof thread->time, seed);
    seed = XXH3_64bits_withSeed(&rt.pos.depth, sizeof rt.pos.depth, seed);
    return snapshot_hash(heap_hash(seed));
}

static void watch_cost(void)
{
    checkpoint.spent += __rdtsc() - checkpoint.began;
    checkpoint.times++;
    if (checkpoint.spent > WORTH_ALL && checkpoint.spent / checkpoint.times > WORTH_EACH)
        checkpoint.phase = PHASE_HASH;
}

static bool can_take(void)
{
    checkpoint.nparts = 0;
    return statics_each_changed(note_part) && rt.notes_prefix && is_runtime_known() &&
           rt.used == 1 &&
           thread_owns_stack(&rt.thread[0], (uint64_t)(uintptr_t)rt.thread[0].fiber.sp) &&
           !rt.thread[0].program_fiber && snapshot_can_advance();
}

static void take_checkpoint(void)
{
    struct thread *thread = &rt.thread[0];
    uint32_t n = checkpoint.nparts;
    uint64_t low, high;
    if (!heap_advance(&low, &high)) {
        checkpoint.phase = PHASE_NEVER;
        return;
    }
    snapshot_advance(low, high);
    checkpoint.nparts = 0;
    checkpoint.nsaved = 0;
    for (uint32_t i = 0; i < n; i++)
        save_part(checkpoint.part[i].at, checkpoint.part[i].size);
    checkpoint.stack_low = lowest_of_stack();
    save_part((void *)checkpoint.stack_low,
              (uint64_t)(uintptr_t)thread->fiber.base - checkpoint.stack_low);
    save_part(thread, sizeof *thread);
    save_part(&rt.pending[0], sizeof rt.pending[0]);
    __builtin_memcpy(checkpoint.runtime, &rt, RUNTIME_HEAD);
    checkpoint.lessons = rt.board->lessons.count;
    checkpoint.phase = PHASE_TAKEN;
}

/* The first execution may differ from all others: libc's functions are looked up in it. */
static void compare_state(void)
{
    uint64_t hash = hash_state();
    bool same = checkpoint.phase == PHASE_TAKE && hash == checkpoint.hash;
    if (checkpoint.phase == PHASE_HASH)
        checkpoint.tries = 0;
    checkpoint.phase = PHASE_TAKE;
    checkpoint.hash = hash;
    if (same && can_take())
        take_checkpoint();
    else if (same || ++checkpoint.tries == TRIES_MAX)
        checkpoint.phase = PHASE_NEVER;
}

bool checkpoint_consider(void)
{
    if (!checkpoint.offered)
        return false;
    checkpoint.offered = false;
    if (checkpoint.phase == PHASE_NEVER || !checkpoint_is_allowed())
        return true;
    if (checkpoint.phase == PHASE_WATCH)
        watch_cost();
    else
        compare_state();
    rt.notes_prefix = false;
    return true;
}

bool checkpoint_is_taken(void)
{
    if (checkpoint.phase != PHASE_TAKEN)
        return false;
    if (LIKELY(checkpoint.lessons == rt.board->lessons.count && checkpoint_is_allowed()))
        return true;
    checkpoint_drop();
    return false;
}

bool checkpoint_is_settled(void)
{
    return checkpoint.phase != PHASE_HASH && checkpoint.phase != PHASE_TAKE;
}

bool checkpoint_resume(void)
{
    struct thread *thread = &rt.thread[0];
    int answer = prefix_repeat();
    if (answer < 0) {
        if (answer == PICK_DIVERGED)
            schedule_note_divergence();
        schedule_note_end(answer == PICK_DIVERGED ? OUTCOME_DIVERGED : OUTCOME_PRUNED);
        return false;
    }
    if (thread->stack_low < checkpoint.stack_low)
        __builtin_memset((void *)thread->stack_low, 0,
                         checkpoint.stack_low - thread->stack_low);
    for (uint32_t i = 0; i < checkpoint.nparts; i++) {
        const struct saved_part *part = &checkpoint.part[i];
        __builtin_memcpy(part->at, part->copy, part->size);
    }
#define PUT_BACK(field) rt.field = checkpoint.runtime->field;
    SAVED_FIELDS(PUT_BACK)
    return true;
}

void checkpoint_drop(void)
{
    path_drop();
    if (checkpoint.phase == PHASE_TAKEN) {
        heap_go_back();
        snapshot_go_back();
        checkpoint.phase = PHASE_HASH;
    } else if (checkpoint.phase == PHASE_NEVER) {
        checkpoint.phase = PHASE_HASH; /* what could not be saved may not occur again */
    }
}
