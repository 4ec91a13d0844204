/* What a program tells a race detector about itself: <sanitizer/tsan_interface.h> and the older
 * Annotate… calls of dynamic_annotations.h, which libraries with their own locks make.
 *
 *   release, happens-before     what the thread did before is ordered before …
 *   acquire, happens-after      … whatever follows a later acquire of the same address
 *   mutex and rwlock calls      the same, as for a lock; the lock's own code in between is not
 *                               checked for races
 *   ignore … begin and end      plain accesses of the thread are not checked for races
 *   benign race                 races in the memory are not reported
 *
 * Whether an acquire comes after a release decides which accesses are ordered, so each of them
 * is an operation. If an access was not checked, or a race was seen and not reported, the
 * result is not "complete". A program that defines these functions itself calls its own. */
#include "runtime/access/access.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/hooks/language/language.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/memory/heap.h"
#include "runtime/race/race.h"

/* Separate clocks: the address may also be that of an atomic or a lock. */
#define CLOCK(address)   ((uint64_t)(uintptr_t)(address) | UINT64_C(0x7a00) << 48)
#define READERS(address) ((uint64_t)(uintptr_t)(address) | UINT64_C(0x7a01) << 48)

#define BENIGN_MAX 256

static struct {
    uint32_t count;
    struct address_range range[BENIGN_MAX];
    bool detection_off; /* AnnotateEnableRaceDetection(0) */
} annotated;

void annotations_begin(void)
{
    annotated.count = 0;
    annotated.detection_off = false;
    rt.ignorers = 0;
}

/* --- Happens-before --- */

enum edge { ACQUIRE, RELEASE };

static void make_edge(enum edge edge, bool exclusive, const volatile void *address, uint64_t pc)
{
    struct op op = op_make(OP_SHARED, edge == ACQUIRE ? OP_READS : OP_READS | OP_WRITES,
                           (const void *)(uintptr_t)address, pc);
    if (rt.used == 1) /* no other thread to order with */
        return;
    schedule_point(&op);
    if (edge == ACQUIRE) {
        race_acquire(rt.current, CLOCK(address));
        if (exclusive)
            race_acquire(rt.current, READERS(address));
    } else {
        race_release(rt.current, exclusive ? CLOCK(address) : READERS(address));
    }
    schedule_done(&op);
}

static void take_lock(const volatile void *lock, bool exclusive, uint64_t pc)
{
    make_edge(ACQUIRE, exclusive, lock, pc);
    lock_note_taken((uint64_t)(uintptr_t)lock, pc, !exclusive);
}

static void give_lock(const volatile void *lock, bool exclusive, uint64_t pc)
{
    make_edge(RELEASE, exclusive, lock, pc);
    lock_note_released((uint64_t)(uintptr_t)lock);
}

static void forget_lock(const volatile void *lock)
{
    race_forget(CLOCK(lock));
    race_forget(READERS(lock));
}

/* --- What is not checked --- */

static void change_ignoring(uint16_t *depth, int change)
{
    struct thread *self = rt.self;
    bool before = self->ignores_reads || self->ignores_writes;
    if (change > 0 || *depth > 0)
        *depth = (uint16_t)(*depth + change);
    bool after = self->ignores_reads || self->ignores_writes;
    rt.ignorers += (uint32_t)(after - before);
}

static void ignore_both(int change)
{
    change_ignoring(&rt.self->ignores_reads, change);
    change_ignoring(&rt.self->ignores_writes, change);
}

bool annotations_ignore(bool write)
{
    const struct thread *self = rt.self;
    if (!annotated.detection_off && !(write ? self->ignores_writes : self->ignores_reads))
        return false;
    if (RACE_HOT->concurrent)
        raise_reason(REASON_RACES_EXCLUDED, NULL);
    return true;
}

static void add_benign(const volatile void *address, size_t size)
{
    uint64_t start = (uint64_t)(uintptr_t)address;
    for (uint32_t i = 0; i < annotated.count; i++)
        if (annotated.range[i].start == start && annotated.range[i].end == start + size)
            return;
    if (annotated.count == BENIGN_MAX) {
        failure_uncontrolled("AnnotateBenignRace at more than 256 places");
        return;
    }
    annotated.range[annotated.count++] = (struct address_range){start, start + size};
}

bool annotations_allow_race(uint64_t address, uint64_t size)
{
    for (uint32_t i = 0; i < annotated.count; i++)
        if (address < annotated.range[i].end && annotated.range[i].start < address + size) {
            raise_reason(REASON_RACES_BENIGN, NULL);
            return true;
        }
    return false;
}

static void set_detection(bool on)
{
    if (annotated.detection_off == !on)
        return;
    annotated.detection_off = !on;
    rt.ignorers += on ? UINT32_MAX : 1;
}

/* --- <sanitizer/tsan_interface.h> --- */

enum { READ_LOCK = 1 << 3, TRY_FAILED = 1 << 5, RECURSIVE_UNLOCK = 1 << 7 };

/* Runs the statements if the program is under control. */
#define ANNOTATION(name, parameters, ...)                                                      \
    EXPORT void name parameters;                                                               \
    void name parameters                                                                       \
    {                                                                                          \
        if (under_control()) {                                                                 \
            __VA_ARGS__;                                                                       \
        }                                                                                      \
    }

#define UNUSED_2(a, b)                                                                         \
    (void)(a);                                                                                 \
    (void)(b)

ANNOTATION(__tsan_acquire, (void *address), make_edge(ACQUIRE, false, address, CALLER))
ANNOTATION(__tsan_release, (void *address), make_edge(RELEASE, true, address, CALLER))
ANNOTATION(__tsan_mutex_create, (void *lock, unsigned flags), (void)flags; forget_lock(lock))
ANNOTATION(__tsan_mutex_destroy, (void *lock, unsigned flags), (void)flags; forget_lock(lock))
ANNOTATION(__tsan_mutex_pre_lock, (void *lock, unsigned flags), UNUSED_2(lock, flags);
           ignore_both(1))
ANNOTATION(__tsan_mutex_post_lock, (void *lock, unsigned flags, int recursion), (void)recursion;
           ignore_both(-1);
           if (!(flags & TRY_FAILED)) take_lock(lock, !(flags & READ_LOCK), CALLER))
ANNOTATION(__tsan_mutex_post_unlock, (void *lock, unsigned flags), UNUSED_2(lock, flags);
           ignore_both(-1))
ANNOTATION(__tsan_mutex_pre_signal, (void *lock, unsigned flags), UNUSED_2(lock, flags);
           ignore_both(1))
ANNOTATION(__tsan_mutex_post_signal, (void *lock, unsigned flags), UNUSED_2(lock, flags);
           ignore_both(-1))
/* The lock's code calls code that does not belong to the lock. */
ANNOTATION(__tsan_mutex_pre_divert, (void *lock, unsigned flags), UNUSED_2(lock, flags);
           ignore_both(-1))
ANNOTATION(__tsan_mutex_post_divert, (void *lock, unsigned flags), UNUSED_2(lock, flags);
           ignore_both(1))

EXPORT int __tsan_mutex_pre_unlock(void *lock, unsigned flags);
int __tsan_mutex_pre_unlock(void *lock, unsigned flags)
{
    if (under_control()) {
        give_lock(lock, !(flags & READ_LOCK), CALLER);
        ignore_both(1);
    }
    return flags & RECURSIVE_UNLOCK ? 1 : 0; /* passed back to __tsan_mutex_post_lock */
}

/* clang calls these for functions that it should ignore, with everything they call. */
ANNOTATION(__tsan_ignore_thread_begin, (void), ignore_both(1))
ANNOTATION(__tsan_ignore_thread_end, (void), ignore_both(-1))

ANNOTATION(__tsan_flush_memory, (void), )
ANNOTATION(__tsan_external_register_header, (void *tag, const char *header),
           UNUSED_2(tag, header))
ANNOTATION(__tsan_external_assign_tag, (void *address, void *tag), UNUSED_2(address, tag))
/* An access to an object whose fields are not instrumented: its first byte stands for the
 * object. */
ANNOTATION(__tsan_external_read, (void *address, void *pc, void *tag), (void)tag;
           access_read((uint64_t)(uintptr_t)address, 1, (uint64_t)(uintptr_t)pc))
ANNOTATION(__tsan_external_write, (void *address, void *pc, void *tag), (void)tag;
           access_write((uint64_t)(uintptr_t)address, 1, (uint64_t)(uintptr_t)pc))

EXPORT void *__tsan_external_register_tag(const char *type);
void *__tsan_external_register_tag(const char *type)
{
    return (void *)(uintptr_t)type; /* tags only serve TSan's reports */
}

/* --- dynamic_annotations.h: each call begins with the place in the source --- */

#define ANNOTATE(name, parameters, ...)                                                        \
    ANNOTATION(Annotate##name, parameters, UNUSED_2(file, line); __VA_ARGS__)
#define PLACE const char *file, int line
#define AT    const volatile void *address

ANNOTATE(HappensBefore, (PLACE, AT), make_edge(RELEASE, true, address, CALLER))
ANNOTATE(HappensAfter, (PLACE, AT), make_edge(ACQUIRE, false, address, CALLER))
/* A queue: everything before a put happens before everything after a get. */
ANNOTATE(PCQCreate, (PLACE, AT), forget_lock(address))
ANNOTATE(PCQDestroy, (PLACE, AT), forget_lock(address))
ANNOTATE(PCQPut, (PLACE, AT), make_edge(RELEASE, true, address, CALLER))
ANNOTATE(PCQGet, (PLACE, AT), make_edge(ACQUIRE, false, address, CALLER))

ANNOTATE(RWLockCreate, (PLACE, AT), forget_lock(address))
ANNOTATE(RWLockCreateStatic, (PLACE, AT), forget_lock(address))
ANNOTATE(RWLockDestroy, (PLACE, AT), forget_lock(address))
ANNOTATE(RWLockAcquired, (PLACE, AT, long exclusive), take_lock(address, exclusive, CALLER))
ANNOTATE(RWLockReleased, (PLACE, AT, long exclusive), give_lock(address, exclusive, CALLER))

ANNOTATE(IgnoreReadsBegin, (PLACE), change_ignoring(&rt.self->ignores_reads, 1))
ANNOTATE(IgnoreReadsEnd, (PLACE), change_ignoring(&rt.self->ignores_reads, -1))
ANNOTATE(IgnoreWritesBegin, (PLACE), change_ignoring(&rt.self->ignores_writes, 1))
ANNOTATE(IgnoreWritesEnd, (PLACE), change_ignoring(&rt.self->ignores_writes, -1))
/* Removing order would only add races; the order of the program's own operations still
 * counts. */
ANNOTATE(IgnoreSyncBegin, (PLACE), raise_reason(REASON_ORDERS_KEPT, "AnnotateIgnoreSyncBegin"))
ANNOTATE(IgnoreSyncEnd, (PLACE), )
ANNOTATE(EnableRaceDetection, (PLACE, int on), set_detection(on))

ANNOTATE(BenignRace, (PLACE, AT, const char *why), (void)why; add_benign(address, 1))
ANNOTATE(BenignRaceSized, (PLACE, AT, size_t size, const char *why), (void)why;
         add_benign(address, size))
ANNOTATE(ExpectRace, (PLACE, AT, const char *why), (void)why; add_benign(address, 1))
ANNOTATE(NewMemory, (PLACE, AT, size_t size),
         race_forget_range((uint64_t)(uintptr_t)address, size))
ANNOTATE(ThreadName, (PLACE, const char *name), pthread_setname_np(rt.self->life.handle, name))

/* For memory checkers, or for heuristics of other detectors: nothing to do. */
ANNOTATE(CondVarSignal, (PLACE, AT), (void)address)
ANNOTATE(CondVarSignalAll, (PLACE, AT), (void)address)
ANNOTATE(CondVarWait, (PLACE, AT, const volatile void *address_of_lock),
         UNUSED_2(address, address_of_lock))
ANNOTATE(MutexIsUsedAsCondVar, (PLACE, AT), (void)address)
ANNOTATE(MutexIsNotPHB, (PLACE, AT), (void)address)
ANNOTATE(PublishMemoryRange, (PLACE, AT, size_t size), UNUSED_2(address, size))
ANNOTATE(UnpublishMemoryRange, (PLACE, AT, size_t size), UNUSED_2(address, size))
ANNOTATE(MemoryIsInitialized, (PLACE, AT, size_t size), UNUSED_2(address, size))
ANNOTATE(MemoryIsUninitialized, (PLACE, AT, size_t size), UNUSED_2(address, size))
ANNOTATE(TraceMemory, (PLACE, AT), (void)address)
ANNOTATE(FlushState, (PLACE), )
ANNOTATE(FlushExpectedRaces, (PLACE), )
ANNOTATE(NoOp, (PLACE, AT), (void)address)

EXPORT int RunningOnValgrind(void);
int RunningOnValgrind(void)
{
    return 0;
}
EXPORT double ValgrindSlowdown(void);
double ValgrindSlowdown(void)
{
    return 1;
}
/* WebKit's names for the same. */
ANNOTATION(WTFAnnotateHappensBefore, (PLACE, AT), UNUSED_2(file, line);
           make_edge(RELEASE, true, address, CALLER))
ANNOTATION(WTFAnnotateHappensAfter, (PLACE, AT), UNUSED_2(file, line);
           make_edge(ACQUIRE, false, address, CALLER))
ANNOTATION(WTFAnnotateBenignRaceSized, (PLACE, AT, size_t size, const char *why),
           UNUSED_2(file, line);
           (void)why; add_benign(address, size))

/* --- Fibers of the program: stacks that it switches between itself ---
 *
 * A fiber's accesses count as those of the thread that runs it, which orders the fibers of one
 * thread. When a fiber moves to another thread, what it did before happens before what it does
 * there, and the switch to it is ordered after the switch away from it. Each fiber has its own
 * call stack. */

#define FIBER(fiber) ((uint64_t)(uintptr_t)(fiber) | UINT64_C(0x7a02) << 48)

struct program_fiber {
    uint32_t nframes;
    struct call_frame frame[FRAMES_MAX];
};

static struct program_fiber *fiber_of(struct thread *self)
{
    if (!self->program_fiber)
        self->program_fiber =
            heap_alloc(self->slot, sizeof *self->program_fiber, 0, true, CALLER);
    return self->program_fiber;
}

EXPORT void *__tsan_get_current_fiber(void);
void *__tsan_get_current_fiber(void)
{
    return under_control() ? fiber_of(rt.self) : NULL;
}

EXPORT void *__tsan_create_fiber(unsigned flags);
void *__tsan_create_fiber(unsigned flags)
{
    (void)flags;
    if (!under_control())
        return NULL;
    struct program_fiber *fiber = heap_alloc(rt.current, sizeof *fiber, 0, true, CALLER);
    race_release_store(rt.current, FIBER(fiber));
    return fiber;
}

static void switch_fiber(struct program_fiber *to, unsigned flags, uint64_t pc)
{
    struct thread *self = rt.self;
    struct program_fiber *from = fiber_of(self);
    access_check((uint64_t)(uintptr_t)to, sizeof *to, true, pc);
    if (flags & 1)
        raise_reason(REASON_ORDERS_KEPT, "__tsan_switch_to_fiber_no_sync");
    struct op op = op_make(OP_SHARED, OP_READS | OP_WRITES, from, pc);
    op.object[op.nobjects++] = (uint64_t)(uintptr_t)to;
    bool alone = rt.used == 1;
    if (!alone)
        schedule_point(&op);
    race_release_store(rt.current, FIBER(from));
    race_acquire(rt.current, FIBER(to));
    if (!alone)
        schedule_done(&op);
    from->nframes = self->nframes;
    __builtin_memcpy(from->frame, self->frame, sizeof from->frame);
    self->nframes = to->nframes;
    __builtin_memcpy(self->frame, to->frame, sizeof to->frame);
    self->program_fiber = to;
    spin_progress(self);
}

ANNOTATION(__tsan_switch_to_fiber, (void *fiber, unsigned flags),
           switch_fiber(fiber, flags, CALLER))
ANNOTATION(__tsan_set_fiber_name, (void *fiber, const char *name), UNUSED_2(fiber, name))
ANNOTATION(__tsan_destroy_fiber, (void *fiber), race_forget(FIBER(fiber));
           heap_free(rt.current, fiber, CALLER))
