/* Local variables that other threads use, and the end of their frames. See frames.h. */
#include "runtime/access/frames.h"

#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/stacks.h"
#include "runtime/race/race.h"

#define HOOK_FRAMES 64 /* more of Mazur's own calls than lie between a hook and the scheduler */

/* Our own code lies between these, which are names of the linker's. */
extern const char code_start[] __asm__("__ehdr_start") __attribute__((visibility("hidden")));
extern const char code_end[] __asm__("_DYNAMIC") __attribute__((visibility("hidden")));

struct ended_storage frames_ended;
static bool ends; /* a thread, just now */

/* What fiber_swap() pushed last lies lowest: control words, r15, r14, r13, r12, rbx, rbp. */
#define SAVED_FRAME 6

/* The stack pointer of a thread that does not run, where it called the hook that it is in: our
 * own calls, which keep their frame pointers, are left out. 0: it can't be told. */
static uint64_t stack_pointer_at_hook(const struct thread *thread)
{
    const uint64_t *frame = (const uint64_t *)((const uint64_t *)thread->fiber.sp)[SAVED_FRAME];
    for (int i = 0; i < HOOK_FRAMES; i++) {
        if (!thread_owns_stack(thread, (uint64_t)(uintptr_t)frame) || (uintptr_t)frame % 8)
            return 0;
        if (frame[1] - (uint64_t)(uintptr_t)code_start >=
            (uint64_t)(code_end - code_start))
            return (uint64_t)(uintptr_t)(frame + 2);
        frame = (const uint64_t *)frame[0];
    }
    return 0;
}

static bool has_returned(const struct thread *owner, uint64_t address)
{
    if (owner->state == THREAD_FINISHED)
        return true;
    uint32_t n = owner->nframes;
    if (n == 0 || n > FRAMES_MAX || address >= owner->frame[n - 1].sp)
        return false;
    return address < stack_pointer_at_hook(owner);
}

void frames_foreign_access(uint64_t address, uint64_t size, bool write, uint64_t pc)
{
    struct thread *owner = &rt.thread[(address - STACKS_ADDRESS) / STACK_SLOT];
    if (rt.os_threads || owner->state == THREAD_NONE || !thread_owns_stack(owner, address))
        return;
    if (UNLIKELY(has_returned(owner, address)))
        failure_memory("use after return: the variable was local to a function of another "
                       "thread, which has returned",
                       address, size, write, pc);
    if (address < owner->foreign_low)
        owner->foreign_low = address;
    if (address + size > owner->foreign_high)
        owner->foreign_high = address + size;
}

/* Where the frame of the function ends that is about to return: its return address lies there. */
static uint64_t end_of_frame(const struct thread *self, const struct call_frame *frame)
{
    uint64_t end = frame->sp;
    while (end < self->foreign_high && *(const uint64_t *)end != frame->pc)
        end += 8;
    return end < self->foreign_high ? end : self->foreign_high;
}

void frames_return(struct thread *self, uint32_t n, uint64_t pc)
{
    const struct call_frame *frame = &self->frame[n];
    bool is_main = self->slot == 0 && n == 0; /* what follows is the end of the process */
    if (n >= FRAMES_MAX || is_main || frame->sp % 8 || !thread_owns_stack(self, frame->sp))
        return;
    uint64_t low = frame->sp > self->foreign_low ? frame->sp : self->foreign_low;
    uint64_t high = low < self->foreign_high ? end_of_frame(self, frame) : low;
    if (low >= high)
        return;
    rt.frees++; /* who has announced an operation there looks again before making it */
    race_free(self->slot, low, high - low, pc);
}

void frames_begin(void)
{
    frames_ended = (struct ended_storage){0};
}

/* The thread-local variables of the thread in a module that is instrumented; false: none. */
static bool storage_of(const struct thread *thread, const struct board_module *module,
                       uint64_t *start)
{
    *start = thread->fiber.tls - module->tls_below;
    return module->instrumented && module->tls_below && module->tls_size;
}

static void add_ended(uint64_t start, uint64_t size)
{
    uint64_t low = frames_ended.low;
    uint64_t high = low + frames_ended.size;
    if (frames_ended.size == 0)
        low = high = start;
    if (start < low)
        low = start;
    if (start + size > high)
        high = start + size;
    frames_ended = (struct ended_storage){low, high - low};
}

void frames_thread_ends(const struct thread *self)
{
    uint64_t start;
    if (self->foreign_high && self->slot != 0)
        race_free(self->slot, self->foreign_low, self->foreign_high - self->foreign_low, 0);
    ends = true;
    for (uint32_t i = 0; i < rt.board->nmodules && self->slot != 0; i++)
        if (storage_of(self, &rt.board->module[i], &start)) {
            race_free(self->slot, start, rt.board->module[i].tls_size, 0);
            add_ended(start, rt.board->module[i].tls_size);
        }
    ends = false;
}

bool frames_thread_is_ending(void)
{
    return ends;
}

void frames_ended_access(uint64_t address, uint64_t size, bool write, uint64_t pc)
{
    uint64_t start;
    for (uint32_t t = 1; t < rt.used; t++)
        for (uint32_t i = 0; i < rt.board->nmodules; i++)
            if (rt.thread[t].state == THREAD_FINISHED &&
                storage_of(&rt.thread[t], &rt.board->module[i], &start) &&
                address - start < rt.board->module[i].tls_size)
                failure_memory("use of a thread-local variable of a thread that has ended",
                               address, size, write, pc);
}
