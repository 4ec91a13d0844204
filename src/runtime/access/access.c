/* The functions that the compiler's thread instrumentation calls for plain accesses, and how an
 * address becomes an object. (The ABI is that of -fsanitize=thread, with the names of both gcc
 * and clang.)
 *
 * A plain access is not a scheduling point. It is checked against the live heap blocks and for
 * races; the race check is what makes it sound to schedule at synchronisation only (paper 003,
 * section 4).
 *
 * Atomic objects: the unit is a 16-byte granule with a map "byte → first byte of its object".
 * All accesses of one size at one place share an object. Accesses that overlap in another way
 * merge what they touch into one object, for the rest of the search. Merging makes more
 * operations dependent, never fewer: it can cost executions, but never lose one. */

#include "runtime/access/access.h"

#include "base/hash.h"
#include "runtime/access/returned_frames.h"
#include "runtime/core/calls_up.h"
#include "runtime/core/failure.h"
#include "runtime/core/places.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/evidence/home.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/stacks.h"
#include "runtime/race/race.h"
#include "runtime/waiting/look_ahead.h"
#include "runtime/waiting/spin.h"
#include "runtime/waiting/spin_stack.h"

#define GRANULES    (1u << 20) /* of atomics in one search: more than any program uses */
#define GRANULE     16
#define BYTE_UNUSED 0xff

struct granule {
    uint64_t key; /* address / 16 + 1; 0: free */
    uint8_t first[GRANULE];
};

static struct granule *granules;

/* The table belongs to the search, not to the process: forked executions and a restarted child
 * keep using it. */
uint64_t access_table_bytes(void)
{
    return GRANULES * sizeof *granules;
}

void access_init(void *table)
{
    granules = table;
}

static __attribute__((noinline, cold)) void
memory_failure(int result, uint64_t address, uint64_t size, bool write, uint64_t pc)
{
    static const char *const texts[] = {
        [HEAP_DOUBLE_FREE] = "double free",
        [HEAP_INVALID_FREE] = "free of an address that is not the start of a block",
        [HEAP_USE_AFTER_FREE] = "use after free",
        [HEAP_OUT_OF_BOUNDS] = "heap access out of bounds",
        [HEAP_UNALLOCATED] = "access to heap memory that was never allocated",
    };
    failure_memory(texts[result], address, size, write, pc);
}

void access_check(uint64_t address, uint64_t size, bool write, uint64_t pc)
{
    if (UNLIKELY(rt.watches_stacks))
        calls_up.traps_watch_stack(address);
    if (UNLIKELY(stacks_have_other(address, rt.current))) {
        frames_foreign_access(address, size, write, pc);
        if (write)
            stacks_note_write(address, size);
        if (UNLIKELY(rt.looks_ahead) && size > 0)
            look_ahead_foreign(address, size);
    }
    if (UNLIKELY(address - frames_storage.low < frames_storage.size) &&
        rt.self->fiber.tls - address > frames_storage.below)
        frames_foreign_storage(address, size, write, pc);
    int result = heap_check(address, size);
    if (UNLIKELY(result != HEAP_OK))
        memory_failure(result, address, size, write, pc);
}

/* Writes to the innermost frame are part of the local state that spin.c hashes, unless other
 * threads write there, too. Any other write that changes something is progress. */
static inline bool is_local_state(struct thread *self, uint64_t address)
{
    uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    return address >= here && address < thread_frame_end(self) &&
           thread_owns_stack(self, here) &&
           !(UNLIKELY(rt.shares_stacks) && stacks_shared(address));
}

/* --- Racing locations as scheduling points --- */

/* With --races=explore these are all of them, otherwise those that may race (libstdcxx.c). */

static bool lesson_overlaps(const struct lesson *lesson, uint64_t address, uint64_t size)
{
    return lesson->kind == LESSON_RACING && address < lesson->value + lesson->size &&
           lesson->value < address + size;
}

bool access_is_racing(uint64_t address)
{
    for (uint32_t i = 0; i < rt.board->lessons.count; i++)
        if (lesson_overlaps(&rt.board->lessons.item[i], address, 1))
            return true;
    return false;
}

void access_begin(void)
{
    rt.has_racy = lessons_have(&rt.board->lessons, LESSON_RACING);
}

void access_add_racy(uint64_t address, uint64_t size)
{
    /* A recording gets what the search found. It reports accesses as the program makes them,
     * which may cover more bytes than those that raced. */
    if (rt.recording)
        return;
    enum lesson_result result =
        lessons_add(&rt.board->lessons, LESSON_RACING, address, (uint32_t)size);
    if (result == LESSON_NO_ROOM)
        failure_raise(FAILURE_INVALID, &(struct failure_details){.address = address},
                      "too many racing locations (%d)", LESSONS_MOST);
    if (result == LESSON_NEW)
        schedule_start_over();
}

struct op access_operation(uint64_t size, uint64_t pc)
{
    return (struct op){
        .kind = OP_PLAIN_READ, .size = (uint8_t)(size < 255 ? size : 255), .pc = pc};
}

void access_add_operand(struct op *op, uint64_t address, uint64_t size, bool write)
{
    for (uint32_t i = 0; i < rt.board->lessons.count; i++) {
        const struct lesson *location = &rt.board->lessons.item[i];
        if (!lesson_overlaps(location, address, size))
            continue;
        op->kind = write ? OP_PLAIN_WRITE : op->kind;
        op->flags |= write ? OP_WRITES : OP_READS;
        if (op->nobjects == OP_OBJECTS) {
            op->flags |= OP_GLOBAL;
            continue;
        }
        if (!write)
            op->only_read |= (uint8_t)(1u << op->nobjects);
        op->object[op->nobjects++] =
            access_atomic_object(location->value, location->size, write, op->pc);
    }
}

bool access_point(struct op *op)
{
    if (op->nobjects == 0 && !(op->flags & OP_GLOBAL))
        return false;
    if (!(op->flags & OP_WRITES))
        op->only_read = 0; /* without writes all objects are only read */
    schedule_visible(op);
    return true;
}

/* gcc treats the copy of a struct as one statement: it calls the hook for the write, then the
 * one for the read, and only then makes both accesses. So a read right after a write that has
 * not taken effect yet, of the same size and from nearby code, forms one operation with that
 * write. (A store of the value that was already there looks the same; this adds a dependence,
 * but never loses one.) */
#define COPY_CODE 64 /* bytes of code from one call to the other, at most */

static size_t compared_bytes(uint64_t size)
{
    return size < sizeof rt.self->copy.before ? size : sizeof rt.self->copy.before;
}

static void note_copy(uint64_t address, uint64_t size, uint64_t pc)
{
    struct copy_target *copy = &rt.self->copy;
    *copy = (struct copy_target){.address = address, .size = size, .pc = pc};
    rawmem_copy(copy->before, (const void *)(uintptr_t)address, compared_bytes(size));
}

static bool is_copied(const struct copy_target *copy, uint64_t size, uint64_t pc)
{
    return copy->size == size && pc - copy->pc < COPY_CODE &&
           rawmem_compare(copy->before, (const void *)(uintptr_t)copy->address,
                          compared_bytes(size)) == 0;
}

static bool is_racing(uint64_t address, uint64_t size)
{
    for (uint32_t i = 0; i < rt.board->lessons.count; i++)
        if (lesson_overlaps(&rt.board->lessons.item[i], address, size))
            return true;
    return false;
}

/* An access to racing locations is an operation on each of them. The access itself follows in
 * the same step, when the hook returns. (A read of other memory is no operation, also right
 * after a write that has not taken effect yet: no other thread runs in between. Recordings trap
 * reads of locals there that the search need not see, and must have the same operations.) */
static void access_racy(uint64_t address, uint64_t size, bool write, uint64_t pc)
{
    struct copy_target *copy = &rt.self->copy;
    if (!is_racing(address, size))
        return;
    struct op op = access_operation(size, pc);
    if (!write && is_copied(copy, size, pc))
        access_add_operand(&op, copy->address, size, true);
    copy->size = 0;
    access_add_operand(&op, address, size, write);
    if (access_point(&op) && write)
        note_copy(address, size, pc);
}

/* In a function of --visible the instruction itself is the operation (traps.c). */
static bool is_trapped(uint64_t pc)
{
    rt.self->only_trapped = false;
    return places_have_code(LIST_VISIBLE, pc - 1);
}

/* --- Busy waits on plain memory --- */

/* `while (!done) ;` on a plain variable is a data race, but no other thread would run while the
 * loop makes no operation. So after many reads without an operation the thread yields, and the
 * others get to their writes. A long computation also yields a few times. This does no harm,
 * since a yield depends on nothing. The count restarts with every operation, so it depends only
 * on the thread's own past. */
#define MANY_READS  (1u << 20)
#define BUSY_YIELDS 16 /* after that many times MANY_READS it yields no more */

static void yield_busy_reader(uint64_t pc)
{
    uint32_t stretches = ++rt.self->spin.busy_stretches;
    bool is_power = (stretches & (stretches - 1)) == 0;
    rt.plain_reads = 0;
    if (!is_power || stretches > BUSY_YIELDS || rt.on_trial)
        return;
    struct op op = op_make(OP_YIELD, OP_YIELDS, NULL, pc);
    schedule_visible(&op);
}

static inline void note_read(uint64_t address, uint64_t size, uint64_t pc, bool is_point)
{
    if (UNLIKELY(++rt.plain_reads > MANY_READS))
        yield_busy_reader(pc);
    if (UNLIKELY(is_point))
        access_racy(address, size, false, pc);
    if (rt.check_races && LIKELY(rt.ignorers == 0 || !calls_up.annotations_ignore(false)))
        race_read(rt.current, address, size, pc);
}

static inline void note_write(uint64_t address, uint64_t size, uint64_t pc, bool is_point)
{
    if (!is_local_state(rt.self, address)) {
        if (rt.self->spin.nreads == 0)
            spin_progress(rt.self);
        else
            spin_note_write(rt.self, address, size);
        rt.self->spin.wrote = true;
    }
    if (UNLIKELY(is_point))
        access_racy(address, size, true, pc);
    if (rt.check_races && LIKELY(rt.ignorers == 0 || !calls_up.annotations_ignore(true)))
        race_write(rt.current, address, size, pc);
}

static inline void read_now(uint64_t address, uint64_t size, uint64_t pc, bool is_point)
{
    if (UNLIKELY(rt.looking_ahead)) {
        look_ahead_at_access(address, size, false);
        return;
    }
    access_check(address, size, false, pc);
    if (UNLIKELY(rt.has_traps) && is_trapped(pc))
        return;
    note_read(address, size, pc, is_point);
}

static inline void write_now(uint64_t address, uint64_t size, uint64_t pc, bool is_point)
{
    if (UNLIKELY(rt.looking_ahead)) {
        look_ahead_at_access(address, size, true);
        return;
    }
    access_check(address, size, true, pc);
    if (UNLIKELY(rt.has_traps) && is_trapped(pc))
        return;
    note_write(address, size, pc, is_point);
}

void access_read(uint64_t address, uint64_t size, uint64_t pc)
{
    read_now(address, size, pc, rt.has_racy);
}

void access_write(uint64_t address, uint64_t size, uint64_t pc)
{
    write_now(address, size, pc, rt.has_racy);
}

void access_read_trapped(uint64_t address, uint64_t size, uint64_t pc)
{
    if (UNLIKELY(rt.looking_ahead)) {
        look_ahead_at_access(address, size, false);
        return;
    }
    rt.self->only_trapped = false;
    access_check(address, size, false, pc);
    note_read(address, size, pc, rt.has_racy);
}

void access_write_trapped(uint64_t address, uint64_t size, uint64_t pc)
{
    if (UNLIKELY(rt.looking_ahead)) {
        look_ahead_at_access(address, size, true);
        return;
    }
    rt.self->only_trapped = false;
    access_check(address, size, true, pc);
    note_write(address, size, pc, rt.has_racy);
}

void access_read_picked(uint64_t address, uint64_t size, uint64_t pc)
{
    read_now(address, size, pc, false);
}

void access_write_picked(uint64_t address, uint64_t size, uint64_t pc)
{
    write_now(address, size, pc, false);
}

/* --- Objects of atomic operations --- */

static struct granule *find_granule(uint64_t address)
{
    uint64_t key = address / GRANULE + 1;
    uint32_t at = hash_slot(key, 20);
    for (uint32_t looked = 0;; at = (at + 1) & (GRANULES - 1)) {
        struct granule *granule = &granules[at];
        if (granule->key == key)
            return granule;
        if (++looked == GRANULES)
            rt_starved("the program has more than a million atomic objects");
        if (granule->key == 0) {
            granule->key = key;
            for (int i = 0; i < GRANULE; i++)
                granule->first[i] = BYTE_UNUSED;
            return granule;
        }
    }
}

static bool is_exactly(const struct granule *granule, uint32_t offset, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        if (granule->first[offset + i] != offset)
            return false;
    return offset + size == GRANULE || granule->first[offset + size] != offset;
}

/* Makes everything that [offset, offset + size) touches one object. If this renames objects
 * that the search already knows, the search starts over: names must not change during a
 * search. */
static uint32_t merge_objects(struct granule *granule, uint32_t offset, uint32_t size)
{
    bool renames = false;
    uint32_t low = offset, high = offset + size;
    for (uint32_t i = offset; i < offset + size; i++)
        if (granule->first[i] != BYTE_UNUSED && granule->first[i] < low)
            low = granule->first[i];
    while (high < GRANULE && granule->first[high] != BYTE_UNUSED &&
           granule->first[high] < high && granule->first[high] >= low)
        high++;
    for (uint32_t i = low; i < high; i++) {
        renames = renames || (granule->first[i] != BYTE_UNUSED && granule->first[i] != low);
        granule->first[i] = (uint8_t)low;
    }
    if (renames && !rt.recording)
        schedule_start_over();
    return low;
}

uint64_t access_atomic_object(uint64_t address, uint32_t size, bool write, uint64_t pc)
{
    access_check(address, size, write, pc);
    return access_object_name(address, size, pc);
}

bool access_object_is_exactly(uint64_t address, uint32_t size)
{
    uint32_t offset = address % GRANULE;
    const struct granule *granule = find_granule(address);
    return granule->first[offset] == offset && is_exactly(granule, offset, size);
}

uint64_t access_object_name(uint64_t address, uint32_t size, uint64_t pc)
{
    struct granule *granule = find_granule(address);
    uint32_t offset = address % GRANULE;
    if (UNLIKELY(offset + size > GRANULE))
        failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = pc, .address = address},
                      "atomic access of %u bytes at a misaligned address", size);
    if (LIKELY(granule->first[offset] == offset && is_exactly(granule, offset, size)))
        return address;
    return address - offset + merge_objects(granule, offset, size);
}

/* --- The compiler's calls --- */

EXPORT void __tsan_init(void);
EXPORT void __tsan_func_entry(void *call_site);
EXPORT void __tsan_func_exit(void);
EXPORT void __tsan_read_range(void *address, unsigned long size);
EXPORT void __tsan_write_range(void *address, unsigned long size);
EXPORT void __tsan_vptr_update(void **slot, void *value);
EXPORT void __tsan_vptr_read(void **slot);

/* A constructor of every instrumented file calls this; modules.c has found them all. */
void __tsan_init(void) {}

void __tsan_func_entry(void *call_site)
{
    if (!rt.on)
        return;
    struct thread *self = rt.self;
    uint32_t n = self->nframes++;
    self->only_trapped = false;
    if (LIKELY(n < FRAMES_MAX)) {
        self->frame[n].pc = (uint64_t)(uintptr_t)call_site;
        self->frame[n].sp = (uint64_t)(uintptr_t)__builtin_frame_address(0);
        if (self->frame[n].sp < self->stack_low && thread_owns_stack(self, self->frame[n].sp))
            self->stack_low = self->frame[n].sp;
        if (UNLIKELY(rt.recording))
            home_enter(self, n, __builtin_frame_address(0));
    }
}

void __tsan_func_exit(void)
{
    if (!rt.on || rt.self->nframes == 0)
        return;
    struct thread *self = rt.self;
    self->nframes--;
    if (UNLIKELY(self->foreign_high))
        frames_return(self, (struct frame_exit){CALLER, CALLER_SP});
    self->only_trapped = false;
    spin_returned(self);
}

#define PLAIN_READ(name, size)                                                                 \
    EXPORT void name(void *address);                                                           \
    void name(void *address)                                                                   \
    {                                                                                          \
        if (rt.on)                                                                             \
            access_read((uint64_t)(uintptr_t)address, size, CALLER);                           \
    }
#define PLAIN_WRITE(name, size)                                                                \
    EXPORT void name(void *address);                                                           \
    void name(void *address)                                                                   \
    {                                                                                          \
        if (rt.on)                                                                             \
            access_write((uint64_t)(uintptr_t)address, size, CALLER);                          \
    }
#define PLAIN_BOTH(name, size)                                                                 \
    EXPORT void name(void *address);                                                           \
    void name(void *address)                                                                   \
    {                                                                                          \
        if (!rt.on)                                                                            \
            return;                                                                            \
        access_read((uint64_t)(uintptr_t)address, size, CALLER);                               \
        access_write((uint64_t)(uintptr_t)address, size, CALLER);                              \
    }
#define PLAIN_SIZE(size)                                                                       \
    PLAIN_READ(__tsan_read##size, size)                                                        \
    PLAIN_WRITE(__tsan_write##size, size)                                                      \
    PLAIN_READ(__tsan_unaligned_read##size, size)                                              \
    PLAIN_WRITE(__tsan_unaligned_write##size, size)                                            \
    PLAIN_BOTH(__tsan_read_write##size, size)                                                  \
    PLAIN_BOTH(__tsan_unaligned_read_write##size, size)                                        \
    PLAIN_READ(__tsan_unaligned_volatile_read##size, size)                                     \
    PLAIN_WRITE(__tsan_unaligned_volatile_write##size, size)

PLAIN_SIZE(1)
PLAIN_SIZE(2)
PLAIN_SIZE(4)
PLAIN_SIZE(8)
PLAIN_SIZE(16)

void __tsan_read_range(void *address, unsigned long size)
{
    if (rt.on && size > 0)
        access_read((uint64_t)(uintptr_t)address, size, CALLER);
}

void __tsan_write_range(void *address, unsigned long size)
{
    if (rt.on && size > 0)
        access_write((uint64_t)(uintptr_t)address, size, CALLER);
}

/* Every constructor and destructor writes the value that is already there; a reader sees no
 * change. */
void __tsan_vptr_update(void **slot, void *value)
{
    if (!rt.on)
        return;
    if (*slot == value)
        access_read((uint64_t)(uintptr_t)slot, sizeof *slot, CALLER);
    else
        access_write((uint64_t)(uintptr_t)slot, sizeof *slot, CALLER);
}

void __tsan_vptr_read(void **slot)
{
    if (rt.on)
        access_read((uint64_t)(uintptr_t)slot, sizeof *slot, CALLER);
}
