/* Uses AddressSanitizer's public interface (sanitizer/asan_interface.h), if it is present: see
 * asan.h. The references are weak: without ASan's runtime they are null. */
#include "runtime/access/asan.h"

#include "runtime/access/access.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/heap.h"

#define WEAK __attribute__((weak))

/* ASan's own memory on x86-64: shadow of low memory, gap, shadow of high memory. ASan's runtime
 * uses the string functions, too. */
#define SHADOW_LOW  UINT64_C(0x7fff8000)
#define SHADOW_HIGH UINT64_C(0x10007fff8000)

WEAK void __asan_poison_memory_region(const volatile void *address, size_t size);
WEAK void __asan_unpoison_memory_region(const volatile void *address, size_t size);
WEAK void *__asan_region_is_poisoned(void *address, size_t size);
WEAK void __asan_report_load_n(void *address, size_t size);
WEAK void __asan_report_store_n(void *address, size_t size);
WEAK void __asan_set_error_report_callback(void (*callback)(const char *report));
WEAK void *__asan_get_report_pc(void);
WEAK void *__asan_get_report_address(void);
WEAK int __asan_get_report_access_type(void);
WEAK size_t __asan_get_report_access_size(void);
WEAK const char *__asan_get_report_description(void);

/* ASan has written its report and would end the process next. The heap knows more than the
 * shadow memory about what happened to its blocks. */
static void on_error(const char *report)
{
    (void)report;
    if (!rt.on)
        return;
    uint64_t address = (uint64_t)(uintptr_t)__asan_get_report_address();
    uint64_t pc = (uint64_t)(uintptr_t)__asan_get_report_pc();
    size_t size = __asan_get_report_access_size();
    bool write = __asan_get_report_access_type() == 1;
    if (heap_contains(address))
        access_check(address, size, write, pc);
    failure_memory(__asan_get_report_description(), address, size, write, pc);
}

void asan_init(void)
{
    rt.asan = __asan_set_error_report_callback;
    if (rt.asan)
        __asan_set_error_report_callback(on_error);
}

/* The header before a block and the redzone after it have at least one granule each
 * (heap.h). */
void asan_allocated(void *block, size_t size)
{
    size_t whole = (size + HEAP_GRANULE - 1) & ~(size_t)(HEAP_GRANULE - 1);
    __asan_poison_memory_region((char *)block - HEAP_GRANULE, whole + 2 * (size_t)HEAP_GRANULE);
    __asan_unpoison_memory_region(block, size);
}

void asan_freed(void *block, size_t size)
{
    __asan_poison_memory_region(block, size);
}

void asan_access(const void *address, size_t size, bool write)
{
    uint64_t from = (uint64_t)(uintptr_t)address;
    if (from + size > SHADOW_LOW && from < SHADOW_HIGH)
        return;
    if (!__asan_region_is_poisoned((void *)(uintptr_t)address, size))
        return;
    if (write)
        __asan_report_store_n((void *)(uintptr_t)address, size);
    else
        __asan_report_load_n((void *)(uintptr_t)address, size);
}
