/* Mappings that the program makes itself (POSIX mmap(3p)): they are not part of the snapshot,
 * so what an execution maps is unmapped at its end, and the next one gets the same addresses.
 *
 * What an execution does to mappings from before main, to the heap or to stacks (mprotect,
 * munmap, madvise, mmap over them) is undone at its end:
 *
 *     private and writable       kept page by page, mapped and filled again     snapshot_keep()
 *     the heap, stacks           accessible again; each execution fills them itself
 *     anything else (code, constants, shared memory)
 *                                protected as before; unmapping it is refused
 *
 * Shared memory of a file keeps its contents, and memory that is mapped twice has two names for
 * one object: both are named in the result. */
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "runtime/access/caller.h"
#include "runtime/access/objects.h"
#include "runtime/arch/execution_state.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/hooks/process/process.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/maps.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/snapshot.h"
#include "runtime/memory/stacks.h"
#include "runtime/race/race.h"

#define MAPPINGS_MAX  (1u << 17) /* twice what the kernel allows by default */
#define PROTECTED_MAX 1024
#define PAGE_MASK     UINT64_C(4095)

static struct address_range *mapping; /* MAPPINGS_MAX, reserved lazily */
static uint32_t nmappings;

/* Memory outside the snapshot whose protection has changed. */
static struct {
    uint32_t count;
    struct protection {
        uint64_t start, end;
        int before;
    } range[PROTECTED_MAX];
} protected;
LASTING_PART(protected, protected.range); /* beyond `count` nothing counts */

static long
    first_break; /* where the data segment ended when the execution began; 0: unchanged */

#define PLACES_BASE UINT64_C(0x5c0000000000)
#define PLACES_EACH (UINT64_C(8) << 30)

static struct mapping_place {
    uint32_t execution;
    uint64_t used;
} places[THREADS_MAX];
static uint32_t execution;

void mappings_begin(void)
{
    execution++;
}

static void add_mapping(uint64_t start, uint64_t end);

static void forget_part(uint64_t start, uint64_t end)
{
    for (uint32_t i = 0; i < nmappings; i++) {
        struct address_range *range = &mapping[i];
        if (end <= range->start || start >= range->end)
            continue;
        if (start > range->start && end < range->end)
            add_mapping(end, range->end);
        if (start <= range->start)
            range->start = end < range->end ? end : range->end;
        else
            range->end = start;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < nmappings; i++)
        if (mapping[i].start < mapping[i].end)
            mapping[kept++] = mapping[i];
    nmappings = kept;
}

static bool is_known(uint64_t start, uint64_t end)
{
    for (uint32_t i = 0; i < nmappings; i++)
        if (start >= mapping[i].start && end <= mapping[i].end)
            return true;
    return false;
}

bool mappings_changed(void)
{
    return nmappings > 0;
}

static void add_mapping(uint64_t start, uint64_t end)
{
    if (!mapping)
        mapping = rt_map_table(MAPPINGS_MAX * sizeof *mapping);
    if (nmappings == MAPPINGS_MAX)
        failure_raise(FAILURE_INVALID, &(struct failure_details){0},
                      "the program has more than %u mappings at a time, more than Mazur can "
                      "undo (--isolate=fork has no such limit)",
                      MAPPINGS_MAX);
    mapping[nmappings++] = (struct address_range){start, end};
}

/* Does each execution have its own process, or is there only one execution? */
static bool is_undone_anyway(void)
{
    return rt.board->config.isolate == ISOLATE_FORK || rt.recording;
}

static void note_protection(uint64_t start, uint64_t end, int before)
{
    if (protected.count == PROTECTED_MAX)
        failure_raise(FAILURE_INVALID, &(struct failure_details){0},
                      "an execution protects memory from before main in more than %d places, "
                      "more than Mazur can undo (--isolate=fork has no such limit)",
                      PROTECTED_MAX);
    protected.range[protected.count++] = (struct protection){start, end, before};
}

static bool is_fiber_memory(uint64_t address)
{
    return heap_contains(address) || thread_of_stack(address) >= 0;
}

struct change {
    uint64_t start, end;
    bool removes; /* the mapping, not only its protection */
    uint64_t pc;
};

/* A part of the range that is neither mapped by this execution nor part of the snapshot. */
static void keep_other(const struct maps_line *map, void *context)
{
    const struct change *change = context;
    uint64_t start = map->start > change->start ? map->start : change->start;
    uint64_t end = map->end < change->end ? map->end : change->end;
    if (start >= end || is_known(start, end) || snapshot_has(start))
        return;
    if (is_fiber_memory(start)) {
        note_protection(start, end, PROT_READ | PROT_WRITE);
        return;
    }
    if (change->removes)
        failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = change->pc},
                      "the program unmaps or replaces code, constants or shared memory from "
                      "before main, which Mazur can't undo (use --isolate=fork)");
    int before = (map->permissions[0] == 'r' ? PROT_READ : 0) |
                 (map->permissions[1] == 'w' ? PROT_WRITE : 0) |
                 (map->permissions[2] == 'x' ? PROT_EXEC : 0);
    note_protection(start, end, before);
}

/* The program is about to change mappings that the next execution needs as they are. */
static void keep_range(uint64_t start, uint64_t end, bool removes, uint64_t pc)
{
    if (start >= end || is_undone_anyway() || is_known(start, end))
        return;
    if (snapshot_keep(start, end) == end - start)
        return;
    struct change change = {start, end, removes, pc};
    maps_each(keep_other, &change);
}

void mappings_restore(void)
{
    for (uint32_t i = 0; i < nmappings; i++)
        raw_syscall2(SYS_munmap, (long)mapping[i].start,
                     (long)(mapping[i].end - mapping[i].start));
    nmappings = 0;
    for (uint32_t i = protected.count; i-- > 0;) {
        const struct protection *range = &protected.range[i];
        uint64_t size = range->end - range->start;
        if (raw_syscall3(SYS_mprotect, (long)range->start, (long)size, range->before) != 0)
            raw_syscall6(SYS_mmap, (long)range->start, (long)size, range->before,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    }
    protected.count = 0;
    if (first_break != 0)
        raw_syscall1(SYS_brk, first_break);
    first_break = 0;
}

static void note_mapping(uint64_t start, uint64_t size, int protection, int flags)
{
    uint64_t end = start + ((size + PAGE_MASK) & ~PAGE_MASK);
    forget_part(start, end);
    add_mapping(start, end);
    race_forget_range(start, end - start);
    if ((flags & MAP_SHARED) && !(flags & MAP_ANONYMOUS) && (protection & PROT_WRITE)) {
        failure_uncontrolled("mmap of a file as shared memory");
        raise_reason(REASON_MAPPED_FILE, NULL);
    }
}

/* The address that the kernel would choose depends on which thread maps first. Here each thread
 * has its own range of addresses, so that objects there have the same name in every execution.
 * 0: leave it to the kernel. */
static uint64_t own_place(size_t size, int flags)
{
    const int choosy =
        MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT | MAP_GROWSDOWN | MAP_HUGETLB;
    struct mapping_place *place = &places[rt.current];
    uint64_t length = (size + 2 * PAGE_MASK + 1) & ~PAGE_MASK; /* a gap between two */
    if (place->execution != execution)
        *place = (struct mapping_place){.execution = execution};
    if (flags & choosy || size > PLACES_EACH || place->used + length > PLACES_EACH)
        return 0;
    uint64_t address = PLACES_BASE + (uint64_t)rt.current * PLACES_EACH + place->used;
    place->used += length;
    return address;
}

/* Removing access rights conflicts with unordered accesses of other threads: with writes if the
 * memory becomes read-only, with all accesses if it can't even be read. */
static void announce_change(void *address, size_t size, int protection, uint64_t pc)
{
    if (rt.used == 1)
        return;
    if (size > LIMIT_CHANGED_MEMORY)
        limit_reached(LIMIT_AT_CHANGED_MEMORY);
    else if (!(protection & PROT_READ))
        caller_writes(address, size, pc);
    else if (!(protection & PROT_WRITE))
        caller_reads(address, size, pc);
}

static void *map_range(void *address, size_t size, int protection, int flags, int fd,
                       off_t offset, uint64_t pc)
{
    uint64_t own = under_control() && !address ? own_place(size, flags) : 0;
    long result = -1;
    if (under_control() && (flags & MAP_FIXED)) {
        uint64_t start = (uint64_t)(uintptr_t)address;
        shared_change(pc);
        announce_change(address, size, PROT_NONE, pc); /* the old contents are gone */
        keep_range(start, start + ((size + PAGE_MASK) & ~PAGE_MASK), true, pc);
    }
    if (own)
        result = raw_syscall6(SYS_mmap, (long)own, (long)size, protection,
                              flags | MAP_FIXED_NOREPLACE, fd, offset);
    if (!own || result == -EEXIST)
        result =
            raw_syscall6(SYS_mmap, (long)address, (long)size, protection, flags, fd, offset);
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return MAP_FAILED;
    }
    if (under_control())
        note_mapping((uint64_t)result, size, protection, flags);
    if (under_control() && (flags & MAP_FIXED)) /* for threads that use the address later */
        announce_change(address, size, PROT_NONE, pc);
    return (void *)result;
}

EXPORT void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return map_range(address, size, protection, flags, fd, offset, CALLER);
}

EXPORT void *mmap64(void *address, size_t size, int protection, int flags, int fd,
                    off64_t offset)
{
    return map_range(address, size, protection, flags, fd, offset, CALLER);
}

/* To other threads it is a free(): uses of the memory must be ordered before it. It is also an
 * operation. */
static void begin_unmapping(uint64_t start, uint64_t end, uint64_t pc)
{
    shared_change(pc);
    object_memory_ends(start, end - start, pc);
    race_free(rt.current, start, end - start, pc);
    keep_range(start, end, true, pc);
    forget_part(start, end);
}

EXPORT int munmap(void *address, size_t size)
{
    uint64_t start = (uint64_t)(uintptr_t)address;
    if (under_control())
        begin_unmapping(start, start + ((size + PAGE_MASK) & ~PAGE_MASK), CALLER);
    long result = raw_syscall2(SYS_munmap, (long)address, (long)size);
    if (result == 0)
        return 0;
    errno = (int)-result;
    return -1;
}

EXPORT void *mremap(void *address, size_t old_size, size_t size, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    void *target = flags & MREMAP_FIXED ? va_arg(list, void *) : NULL;
    va_end(list);
    uint64_t start = (uint64_t)(uintptr_t)address;
    uint64_t end = start + ((old_size + PAGE_MASK) & ~PAGE_MASK);
    /* mremap(2): with an old size of 0 "a new mapping of the same pages". */
    bool copies = old_size == 0 || (flags & MREMAP_DONTUNMAP);
    if (under_control() && copies)
        raise_reason(REASON_MAPPED_TWICE, "mremap");
    if (under_control() && old_size > 0) {
        shared_change(CALLER);
        keep_range(start, end, true, CALLER);
    }
    long result = raw_syscall6(SYS_mremap, (long)address, (long)old_size, (long)size, flags,
                               (long)target, 0);
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return MAP_FAILED;
    }
    if (under_control()) {
        if (!copies)
            forget_part(start, end);
        note_mapping((uint64_t)result, size, PROT_READ, MAP_ANONYMOUS);
    }
    return (void *)result;
}

/* --- Protection and advice --- */

static int protect_range(void *address, size_t size, int protection, int key, uint64_t pc)
{
    uint64_t start = (uint64_t)(uintptr_t)address;
    if (under_control()) {
        shared_change(pc); /* it decides whether another thread's access fails */
        announce_change(address, size, protection, pc);
        keep_range(start, start + ((size + PAGE_MASK) & ~PAGE_MASK), false, pc);
    }
    long result = raw_syscall4(key < 0 ? SYS_mprotect : SYS_pkey_mprotect, (long)address,
                               (long)size, protection, key);
    if (result == 0)
        return 0;
    errno = (int)-result;
    return -1;
}

EXPORT int mprotect(void *address, size_t size, int protection)
{
    return protect_range(address, size, protection, -1, CALLER);
}

EXPORT int pkey_mprotect(void *address, size_t size, int protection, int key)
{
    return protect_range(address, size, protection, key, CALLER);
}

/* Advice that changes the contents of memory, or whether it can be used. */
static bool changes_memory(int advice)
{
    return advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE ||
           advice == MADV_HWPOISON || advice == MADV_WIPEONFORK || advice == MADV_DONTFORK;
}

static long advise_range(void *address, size_t size, int advice, uint64_t pc)
{
    uint64_t start = (uint64_t)(uintptr_t)address;
    uint64_t end = start + ((size + PAGE_MASK) & ~PAGE_MASK);
    if (under_control() && changes_memory(advice)) {
        keep_range(start, end, false, pc);
        caller_writes(address, size, pc);
    }
    if (under_control() && advice == MADV_FREE) /* the kernel may take the pages at any time */
        failure_uncontrolled("madvise(MADV_FREE)");
    return raw_syscall3(SYS_madvise, (long)address, (long)size, advice);
}

EXPORT int madvise(void *address, size_t size, int advice)
{
    long result = advise_range(address, size, advice, CALLER);
    if (result == 0)
        return 0;
    errno = (int)-result;
    return -1;
}

/* posix_madvise(3p) returns the error number itself; glibc does nothing for
 * POSIX_MADV_DONTNEED. */
EXPORT int posix_madvise(void *address, size_t size, int advice)
{
    if (advice == POSIX_MADV_DONTNEED)
        return 0;
    return (int)-advise_range(address, size, advice, CALLER);
}

/* --- The data segment --- */

static void keep_break(uint64_t pc)
{
    shared_change(pc);
    if (first_break == 0 && !is_undone_anyway())
        first_break = raw_syscall1(SYS_brk, 0);
}

FORWARD(void *, sbrk, (intptr_t size), (size), keep_break(CALLER))
FORWARD(int, brk, (void *end), (end), keep_break(CALLER))
