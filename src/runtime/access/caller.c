/* See caller.h.
 *
 * The heap check applies to every caller. The race check must see the caller's atomics:
 * otherwise it would miss happens-before edges and report false races. So it applies to modules
 * with instrumented code and to the C++ library, which these call (the functions of std::string
 * are compiled into it). */
#include "runtime/access/caller.h"

#include "runtime/access/access.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/race/race.h"

/* --- Whose accesses count --- */

#define COUNTED_MAX (2 * LIMIT_MODULES) /* the instrumented modules, and all modules */

/* Ranges of modules, computed at the first call under control and again after an instrumented
 * module was loaded; never restored. */
static struct {
    uint32_t instrumented; /* number of instrumented modules at that time */
    uint32_t count;
    struct address_range range[COUNTED_MAX];
} counted;

struct address_range caller_module;
LASTING_STATE(counted);
LASTING_STATE(caller_module);

static bool path_contains(const char *path, const char *wanted)
{
    for (; *path; path++) {
        size_t i = 0;
        while (wanted[i] && path[i] == wanted[i])
            i++;
        if (!wanted[i])
            return true;
    }
    return false;
}

static void count_range(struct address_range range)
{
    for (uint32_t i = 0; i < counted.count; i++)
        if (counted.range[i].start == range.start)
            return;
    if (counted.count < COUNTED_MAX) /* always: the tables of modules are as large */
        counted.range[counted.count++] = range;
}

static void make_counted(void)
{
    counted.instrumented = rt.ninstrumented;
    for (uint32_t i = 0; i < rt.ninstrumented; i++)
        count_range(rt.instrumented[i]);
    for (uint32_t m = 0; m < rt.board->nmodules; m++) {
        const struct board_module *module = &rt.board->module[m];
        if (path_contains(module->path, "libstdc++") || path_contains(module->path, "libc++"))
            count_range((struct address_range){module->start, module->end});
    }
}

bool caller_counts_elsewhere(uint64_t pc)
{
    if (counted.instrumented != rt.ninstrumented)
        make_counted();
    for (uint32_t i = 0; i < counted.count; i++)
        if (pc >= counted.range[i].start && pc < counted.range[i].end) {
            caller_module = counted.range[i];
            return true;
        }
    return false;
}

/* --- The accesses --- */

void caller_add_memory(struct op *op, const void *at, size_t size, bool write)
{
    uint64_t address = (uint64_t)(uintptr_t)at;
    access_add_operand(op, address, size < UINT64_MAX - address ? size : UINT64_MAX - address,
                       write);
}

/* The accesses of other functions happen when these make them, not at this call. That is close
 * enough to detect a race, but not to explore it. */
static void list_racing(const void *at, size_t size, bool write, uint64_t pc)
{
    if (LIKELY(!caller_explores(pc)))
        return;
    struct op op = access_operation(size, pc);
    caller_add_memory(&op, at, size, write);
    if (access_point(&op))
        failure_uncontrolled("a call of libc with racing memory");
}

void caller_reads(const void *from, size_t size, uint64_t pc)
{
    list_racing(from, size, false, pc);
    caller_reads_now(from, size, pc);
}

void caller_reads_text(const char *text, uint64_t pc)
{
    if (text)
        caller_reads(text, rawmem_length(text) + 1, pc);
}

void caller_writes(void *to, size_t size, uint64_t pc)
{
    list_racing(to, size, true, pc);
    caller_writes_now(to, size, pc);
}

/* libc holds a lock of its own during these accesses, so they do not race with each other, but
 * they race with the program's own accesses to the same memory. Atomic accesses race in the
 * same way. */
void caller_writes_guarded(void *to, size_t size, uint64_t pc)
{
    list_racing(to, size, true, pc);
    if (!rt.on || size == 0)
        return;
    access_check((uint64_t)(uintptr_t)to, size, true, pc);
    if (caller_counts(pc))
        race_atomic_store(rt.current, (uint64_t)(uintptr_t)to, size, __ATOMIC_RELAXED, pc);
}

void caller_reads_guarded(const void *from, size_t size, uint64_t pc)
{
    list_racing(from, size, false, pc);
    if (!rt.on || size == 0)
        return;
    access_check((uint64_t)(uintptr_t)from, size, false, pc);
    if (caller_counts(pc))
        race_use(rt.current, (uint64_t)(uintptr_t)from, size, pc);
}
