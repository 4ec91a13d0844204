/* Snapshot and restore: every private writable page of the process, except Mazur's own, goes
 * back to its contents just before main.
 *
 *      page         at the snapshot         first write of the search        after an execution
 *      cold         write-protected         fault: copy it, unprotect, ──▶   (never written)
 *      hot          writable                it is hot from now on            copied back
 *
 * So a page costs one fault in the whole search and one copy per execution, and only pages
 * that the program writes cost anything. The program's own small data segment is hot from the
 * start, because a system call that writes into a protected page fails with EFAULT; hooks of
 * calls with output buffers use snapshot_touch().
 *
 * What the program does to the mappings themselves (mprotect, munmap, madvise, mmap over them)
 * is undone, too: the pages are made hot before the change, and the mappings are restored
 * before the pages are copied back (snapshot_keep(), mapping.c).
 *
 * Not restored: the stacks of fibers (each execution writes them again), the heap beyond what
 * existed at the snapshot (heap.c), Mazur's own memory. */
#define XXH_INLINE_ALL
#include "runtime/memory/snapshot.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <xxhash.h>

#include "base/hash.h"
#include "base/must.h"
#include "runtime/arch/compiler.h"
#include "runtime/arch/execution_state.h"
#include "runtime/arch/raw.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/maps.h"
#include "runtime/memory/memory.h"

#define PAGE            UINT64_C(4096)
#define REGIONS_MAX     (1u << 17) /* twice the mappings that the kernel allows by default */
#define HOT_MAX         (1u << 18) /* 1 GiB of hot pages */
#define HOT_SLOTS       (2 * HOT_MAX)
#define CHANGED_MAX     4096 /* ranges whose mappings one execution changed */
#define HOT_SEGMENT_MAX 16   /* pages of a data segment that is hot from the start */
#define HOT_AGAIN_MAX   64   /* hot pages that stay hot at a checkpoint */

struct region {
    uint64_t start;
    uint64_t end;
    int protection; /* as the program sees it */
};

struct hot_page {
    uint64_t address;
    uint8_t *copy;
};

/* The hot pages, with what they are restored to. */
struct level {
    uint32_t nhot;
    struct hot_page *hot;
    uint32_t *hot_slot; /* hash table: index in hot[], plus one */
    uint8_t *copies;
};

static struct {
    struct region *region; /* by address; REGIONS_MAX entries, reserved lazily */
    uint32_t nregions;
    bool taken;
    struct level *level;  /* the one that is in force: */
    struct level initial; /* before main */
    struct level later;   /* at a checkpoint (snapshot_advance) */
    struct address_pair {
        uint64_t low, high;
    } added; /* by the checkpoint: the heap's region */
    uint32_t nchanged;
    struct region changed[CHANGED_MAX]; /* to be mapped again, protected as before */
} snapshot;
LASTING_STATE(snapshot);

static struct snapshot_layout layout;

extern const char __executable_start[] __attribute__((weak));

static void copy_page(void *to, const void *from)
{
    uint64_t words = PAGE / 8;
    __asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
}

static uint32_t *slot_of(const struct level *level, uint64_t page)
{
    uint64_t at = hash_slot(page >> 12, 19);
    for (;; at = (at + 1) % HOT_SLOTS) {
        uint32_t *slot = &level->hot_slot[at];
        if (*slot == 0 || level->hot[*slot - 1].address == page)
            return slot;
    }
}

static bool is_hot(uint64_t page)
{
    return *slot_of(snapshot.level, page) != 0;
}

/* The region that the address is in, or NULL. */
static const struct region *region_of(uint64_t address)
{
    uint32_t low = 0, high = snapshot.nregions;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (address >= snapshot.region[middle].end)
            low = middle + 1;
        else
            high = middle;
    }
    const struct region *region = &snapshot.region[low];
    return low < snapshot.nregions && address >= region->start ? region : NULL;
}

static bool in_regions(uint64_t address)
{
    return region_of(address);
}

static void open_level(struct level *level)
{
    level->hot = rt_map_table(HOT_MAX * sizeof *level->hot);
    level->hot_slot = rt_map_table(HOT_SLOTS * sizeof *level->hot_slot);
    level->copies = rt_map_table((uint64_t)HOT_MAX * PAGE);
}

static void empty_level(struct level *level)
{
    for (uint32_t i = level->nhot; i-- > 0;) /* the last one is at the end of its chain */
        *slot_of(level, level->hot[i].address) = 0;
    level->nhot = 0;
}

/* The page is writable; it will be restored to `contents`. */
static void add_hot(struct level *level, uint64_t page, const void *contents)
{
    must(*slot_of(level, page) == 0);
    if (level->nhot == HOT_MAX)
        rt_fatal("the program writes to more than 1 GiB of the memory that it had before main, "
                 "more than can be put back after each execution (try --isolate=fork)");
    uint8_t *copy = level->copies + (uint64_t)level->nhot * PAGE;
    copy_page(copy, contents);
    level->hot[level->nhot] = (struct hot_page){page, copy};
    *slot_of(level, page) = ++level->nhot;
}

/* A failure here is an internal error of Mazur, not one of the program. */
static void set_protection(uint64_t start, uint64_t end, int protection)
{
    if (raw_syscall3(SYS_mprotect, (long)start, (long)(end - start), protection) != 0)
        rt_fatal("the kernel has no room for the mappings that putting memory back needs "
                 "(vm.max_map_count; try --isolate=fork)");
}

static void make_hot(uint64_t page)
{
    add_hot(snapshot.level, page, (const void *)page);
    set_protection(page, page + PAGE, region_of(page)->protection);
}

bool snapshot_fault(uint64_t address)
{
    uint64_t page = address & ~(PAGE - 1);
    if (!snapshot.taken || !in_regions(page) || is_hot(page))
        return false;
    make_hot(page);
    return true;
}

void snapshot_touch(const void *address, size_t size)
{
    if (!snapshot.taken || size == 0 || !address)
        return;
    uint64_t first = (uint64_t)(uintptr_t)address & ~(PAGE - 1);
    uint64_t last = ((uint64_t)(uintptr_t)address + size - 1) & ~(PAGE - 1);
    for (uint64_t page = first; page <= last; page += PAGE)
        if (in_regions(page) && !is_hot(page))
            make_hot(page);
}

uint64_t snapshot_hash(uint64_t seed)
{
    const struct level *level = snapshot.level;
    for (uint32_t i = 0; level && i < level->nhot; i++) {
        const void *page = (const void *)level->hot[i].address;
        if (__builtin_memcmp(page, level->hot[i].copy, PAGE) != 0)
            seed ^= XXH3_64bits_withSeed(page, PAGE, level->hot[i].address);
    }
    return seed;
}

uint64_t snapshot_hot_pages(void)
{
    return snapshot.level ? snapshot.level->nhot : 0;
}

/* --- Finding the regions --- */

/* Mappings that belong to Mazur as a whole. */
static bool is_own(const struct maps_line *map)
{
    bool special = map->start >= RT_PRIVATE_LOW && map->start < RT_PRIVATE_HIGH;
    bool heap = map->start >= HEAP_BASE && map->start < HEAP_BASE + HEAP_BYTES;
    return special || heap;
}

/* Regions are found in the order of their addresses, with few exceptions. */
static void add_part(uint64_t start, uint64_t end, int protection)
{
    if (start >= end)
        return;
    if (!snapshot.region)
        snapshot.region = rt_map_table(REGIONS_MAX * sizeof *snapshot.region);
    if (snapshot.nregions == REGIONS_MAX)
        rt_fatal("the program has more than 131,072 mappings before main, more than can be "
                 "put back after each execution (try --isolate=fork)");
    uint32_t at = snapshot.nregions++;
    for (; at > 0 && snapshot.region[at - 1].start > start; at--)
        snapshot.region[at] = snapshot.region[at - 1];
    snapshot.region[at] = (struct region){start, end, protection};
}

/* The data of libmazur.so does not belong to the program. The kernel shows adjacent mappings as
 * one, so what is next to it (main's thread-local storage, say) is separated by address. */
static void add_region(const struct maps_line *map, void *context)
{
    (void)context;
    uint64_t own_start = layout.own_start & ~(PAGE - 1);
    uint64_t own_end = (layout.own_end + PAGE - 1) & ~(PAGE - 1);
    if (map->permissions[1] != 'w' || is_own(map))
        return;
    if (map->permissions[3] == 's' && !snapshot.taken) {
        layout.note_shared("shared memory from before main");
        return;
    }
    int protection = PROT_READ | PROT_WRITE | (map->permissions[2] == 'x' ? PROT_EXEC : 0);
    if (map->end <= own_start || map->start >= own_end) {
        add_part(map->start, map->end, protection);
        return;
    }
    add_part(map->start, own_start, protection);
    add_part(own_end, map->end, protection);
}

static void add_heap_range(uint64_t start, uint64_t end, void *context)
{
    (void)context;
    start &= ~(PAGE - 1);
    end = (end + PAGE - 1) & ~(PAGE - 1);
    add_part(start, end, PROT_READ | PROT_WRITE);
}

static void heat_range(uint64_t start, uint64_t end)
{
    for (uint64_t page = start & ~(PAGE - 1); page < end; page += PAGE)
        if (in_regions(page) && !is_hot(page))
            make_hot(page);
}

/* The executable's writable segment, by its mapping (several when it has .bss). */
static void heat_executable(const struct maps_line *map, void *context)
{
    const struct maps_line *executable = context;
    if (map->permissions[1] == 'w' && map->permissions[3] == 'p' &&
        map->start >= executable->start && map->start < executable->end &&
        (map->end - map->start) / PAGE <= HOT_SEGMENT_MAX)
        heat_range(map->start, map->end);
}

static void protect_cold(const struct region *region)
{
    set_protection(region->start, region->end, region->protection & ~PROT_WRITE);
}

/* The executable is in the first megabytes above its lowest mapping. */
static void heat_small_segments(void)
{
    struct maps_line executable = {.start = layout.image_start, .end = layout.image_end};
    maps_each(heat_executable, &executable);
}

/* A mapping that gets another protection looks like one that was changed, so the pages that are
 * hot from the start are made hot before the others are protected. */
static void protect_all_cold(void)
{
    for (uint32_t i = 0; i < snapshot.nregions; i++)
        protect_cold(&snapshot.region[i]);
    for (uint32_t i = 0; i < snapshot.level->nhot; i++) {
        uint64_t page = snapshot.level->hot[i].address;
        set_protection(page, page + PAGE, region_of(page)->protection);
    }
}

void snapshot_set_layout(const struct snapshot_layout *given)
{
    layout = *given;
}

void snapshot_take(void)
{
    open_level(&snapshot.initial);
    snapshot.level = &snapshot.initial;
    maps_each(add_region, NULL);
    heap_snapshot_ranges(add_heap_range, NULL);
    if (!in_regions(layout.main_tls & ~(PAGE - 1)))
        rt_fatal("main's thread-local storage is not part of the snapshot");
    snapshot.taken = true;
    heat_small_segments();
    protect_all_cold();
}

void snapshot_watch(void)
{
    if (!snapshot.taken)
        snapshot_take();
}

/* --- Mappings of the snapshot that the program changes --- */

static void note_changed(uint64_t start, uint64_t end, int protection)
{
    struct region *last = &snapshot.changed[snapshot.nchanged - 1];
    if (snapshot.nchanged > 0 && last->end == start && last->protection == protection) {
        last->end = end;
        return;
    }
    if (snapshot.nchanged == CHANGED_MAX)
        rt_fatal("an execution changes the mappings of the program's own memory (mprotect, "
                 "munmap) in more than 4,096 places (try --isolate=fork)");
    snapshot.changed[snapshot.nchanged++] = (struct region){start, end, protection};
}

uint64_t snapshot_keep(uint64_t start, uint64_t end)
{
    uint64_t kept = 0;
    if (!snapshot.taken)
        return end - start;
    for (uint64_t page = start & ~(PAGE - 1); page < end; page += PAGE) {
        const struct region *region = region_of(page);
        if (!region)
            continue;
        if (!is_hot(page))
            make_hot(page);
        note_changed(page, page + PAGE, region->protection);
        kept += PAGE;
    }
    return kept;
}

bool snapshot_has(uint64_t address)
{
    return snapshot.taken && in_regions(address & ~(PAGE - 1));
}

/* Maps the ranges again instead of changing their protection, because they may have been
 * unmapped or replaced. The pages are hot, so their contents are restored like the others. */
static void restore_mappings(void)
{
    for (uint32_t i = 0; i < snapshot.nchanged; i++) {
        const struct region *range = &snapshot.changed[i];
        raw_syscall6(SYS_mmap, (long)range->start, (long)(range->end - range->start),
                     range->protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    }
    snapshot.nchanged = 0;
}

void snapshot_restore(void)
{
    if (UNLIKELY(snapshot.nchanged > 0))
        restore_mappings();
    const struct level *level = snapshot.level;
    for (uint32_t i = 0; level && i < level->nhot; i++)
        copy_page((void *)level->hot[i].address, level->hot[i].copy);
}

/* --- Checkpoints on the path --- */

bool snapshot_save(struct saved *saved)
{
    const struct level *level = snapshot.level;
    uint32_t *count = saved_room(saved, sizeof *count);
    if (!level || snapshot.nchanged > 0 || !count)
        return false;
    *count = 0;
    for (uint32_t i = 0; i < level->nhot; i++) {
        const struct hot_page *hot = &level->hot[i];
        if (__builtin_memcmp((const void *)hot->address, hot->copy, PAGE) == 0)
            continue;
        saved_add(saved, &hot->address, sizeof hot->address);
        saved_add(saved, (const void *)hot->address, PAGE);
        ++*count;
    }
    return !saved->full;
}

void snapshot_put_back(struct saved *saved)
{
    uint32_t count;
    saved_take(saved, &count, sizeof count);
    while (count-- > 0) {
        uint64_t page;
        saved_take(saved, &page, sizeof page);
        copy_page((void *)page, saved_next(saved, PAGE));
    }
}

/* --- A second snapshot, later in the same execution --- */

bool snapshot_can_advance(void)
{
    return snapshot.taken && snapshot.level == &snapshot.initial && snapshot.nchanged == 0;
}

static void heat_added(void)
{
    for (uint64_t page = snapshot.added.low; page < snapshot.added.high; page += PAGE)
        add_hot(snapshot.level, page, (const void *)page);
}

/* Few hot pages stay hot. Many are protected again: most of them may have been written for the
 * last time. */
void snapshot_advance(uint64_t low, uint64_t high)
{
    must(snapshot_can_advance());
    struct level *before = &snapshot.initial;
    if (!snapshot.later.hot)
        open_level(&snapshot.later);
    snapshot.level = &snapshot.later;
    snapshot.added = (struct address_pair){low, high};
    bool small = (high - low) / PAGE <= HOT_SEGMENT_MAX;
    if (small)
        heat_added();
    add_part(low, high, PROT_READ | PROT_WRITE);
    if (before->nhot > HOT_AGAIN_MAX) {
        heat_small_segments();
        protect_all_cold();
        return;
    }
    for (uint32_t i = 0; i < before->nhot; i++) {
        uint64_t page = before->hot[i].address;
        add_hot(snapshot.level, page, (const void *)page);
    }
    if (!small)
        protect_cold(region_of(low));
}

static void remove_region(uint64_t start)
{
    uint32_t at = 0;
    while (snapshot.region[at].start != start)
        must(++at < snapshot.nregions);
    for (snapshot.nregions--; at < snapshot.nregions; at++)
        snapshot.region[at] = snapshot.region[at + 1];
}

/* A page that became hot only after the checkpoint had the same contents at the checkpoint as
 * before main. */
void snapshot_go_back(void)
{
    struct level *initial = &snapshot.initial, *later = &snapshot.later;
    must(snapshot.level == later && snapshot.nchanged == 0);
    for (uint32_t i = 0; i < later->nhot; i++) {
        uint64_t page = later->hot[i].address;
        bool added = page - snapshot.added.low < snapshot.added.high - snapshot.added.low;
        if (!added && *slot_of(initial, page) == 0)
            add_hot(initial, page, later->hot[i].copy);
    }
    if (snapshot.added.low < snapshot.added.high) {
        set_protection(snapshot.added.low, snapshot.added.high, PROT_READ | PROT_WRITE);
        remove_region(snapshot.added.low);
    }
    empty_level(later);
    snapshot.level = initial;
    for (uint32_t i = 0; i < initial->nhot; i++) {
        uint64_t page = initial->hot[i].address;
        set_protection(page, page + PAGE, region_of(page)->protection);
    }
    snapshot_restore();
}

static void add_if_contains(const struct maps_line *map, void *context)
{
    uint64_t address = *(uint64_t *)context;
    if (address >= map->start && address < map->end)
        add_region(map, NULL);
}

void snapshot_add_mapping(uint64_t address)
{
    uint32_t before = snapshot.nregions;
    maps_each(add_if_contains, &address);
    const struct region *region = region_of(address);
    if (snapshot.taken && snapshot.nregions > before && region)
        protect_cold(region);
}
