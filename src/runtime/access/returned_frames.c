/* Local variables that other threads use, and the end of their frames. See returned_frames.h.
 */
#include "runtime/access/returned_frames.h"

#include <errno.h>

#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/stacks.h"
#include "runtime/race/race.h"

#define HOOK_FRAMES 64 /* more than lie between a hook and the scheduler */

struct thread_storage frames_storage;
static bool ends; /* a thread, just now */

static struct {
    uint64_t below; /* where libc's thread-local variables begin, below the thread pointer */
    uint64_t size;
    bool is_shared; /* in this execution, another thread than their owner has used them */
} libc_storage;

/* What fiber_swap() pushed last lies lowest: control words, r15, r14, r13, r12, rbx, rbp. */
#define SAVED_FRAME 6

/* The stack pointer of a stopped thread at its call of the hook that it is in. Mazur's own
 * frames, which have frame pointers, are skipped. 0: unknown. */
static uint64_t stack_pointer_at_hook(const struct thread *thread)
{
    const uint64_t *frame = (const uint64_t *)((const uint64_t *)thread->fiber.sp)[SAVED_FRAME];
    for (int i = 0; i < HOOK_FRAMES; i++) {
        if (!thread_owns_stack(thread, (uint64_t)(uintptr_t)frame) || (uintptr_t)frame % 8)
            return 0;
        if (frame[1] - rt.own.start >= rt.own.end - rt.own.start)
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

/* The end of the frame of the function that is about to return: its return address is there. */
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
    bool is_main = self->slot == 0 && n == 0; /* the end of the process follows */
    if (n >= FRAMES_MAX || is_main || frame->sp % 8 || !thread_owns_stack(self, frame->sp))
        return;
    uint64_t low = frame->sp > self->foreign_low ? frame->sp : self->foreign_low;
    uint64_t high = low < self->foreign_high ? end_of_frame(self, frame) : low;
    if (low >= high)
        return;
    rt.frees++; /* operations that were announced there check the memory again */
    race_free(self->slot, low, high - low, pc);
}

/* The storage of libc is the one that contains errno. It is not found where the board has no
 * room for all modules, which takes "complete" away by itself. */
void frames_init(void)
{
    uint64_t errno_below = fiber_thread_pointer() - (uint64_t)(uintptr_t)&errno;
    for (uint32_t i = 0; i < rt.board->nmodules; i++) {
        const struct board_module *module = &rt.board->module[i];
        if (errno_below <= module->tls_below &&
            module->tls_below - errno_below < module->tls_size) {
            libc_storage.below = module->tls_below;
            libc_storage.size = module->tls_size;
        }
    }
}

void frames_begin(void)
{
    frames_storage = (struct thread_storage){0};
    libc_storage.is_shared = false;
}

/* --- Thread-local variables --- */

/* Those that the thread has of the program itself: no library's, which may lie elsewhere in
 * each thread. */
static bool find_storage(const struct thread *thread, uint64_t *start, uint64_t *size)
{
    const struct board_module *program = &rt.board->module[0];
    *start = thread->fiber.tls - program->tls_below;
    *size = program->tls_size;
    return rt.board->nmodules && program->instrumented && program->tls_below && *size;
}

static uint64_t start_of_libc(const struct thread *thread)
{
    return thread->fiber.tls - libc_storage.below;
}

static void add_storage(const struct thread *thread)
{
    uint64_t high = frames_storage.low + frames_storage.size;
    uint64_t start = thread->fiber.tls - frames_storage.below;
    if (frames_storage.size == 0)
        frames_storage.low = high = start;
    if (start < frames_storage.low)
        frames_storage.low = start;
    if (thread->fiber.tls > high)
        high = thread->fiber.tls;
    frames_storage.size = high - frames_storage.low;
}

void frames_thread_begins(const struct thread *thread)
{
    if (frames_storage.size == 0) {
        uint64_t program = rt.board->module[0].tls_below;
        frames_storage.below = libc_storage.below > program ? libc_storage.below : program;
        add_storage(&rt.thread[0]);
    }
    add_storage(thread);
}

void frames_thread_ends(const struct thread *self)
{
    uint64_t start, size;
    if (self->slot == 0)
        return;
    if (self->foreign_high)
        race_free(self->slot, self->foreign_low, self->foreign_high - self->foreign_low, 0);
    ends = true;
    if (find_storage(self, &start, &size))
        race_free(self->slot, start, size, 0);
    if (UNLIKELY(libc_storage.is_shared))
        race_free(self->slot, start_of_libc(self), libc_storage.size, 0);
    ends = false;
}

bool frames_thread_is_ending(void)
{
    return ends;
}

void frames_foreign_storage(uint64_t address, uint64_t size, bool write, uint64_t pc)
{
    uint64_t start, storage;
    for (uint32_t t = 0; t < rt.used; t++) {
        const struct thread *owner = &rt.thread[t];
        if (owner->fiber.tls - address > frames_storage.below || owner->state == THREAD_NONE)
            continue;
        bool is_libc = address - start_of_libc(owner) < libc_storage.size;
        bool is_program = find_storage(owner, &start, &storage) && address - start < storage;
        if (owner->state == THREAD_FINISHED && t > 0 && (is_libc || is_program))
            failure_memory("use of a thread-local variable of a thread that has ended", address,
                           size, write, pc);
        if (is_libc) {
            libc_storage.is_shared = true;
            raise_reason(REASON_LIBC_STORAGE, NULL);
        }
    }
}
