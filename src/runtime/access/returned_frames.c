/* Local variables that other threads use, and the end of their frames. See returned_frames.h.
 */
#include "runtime/access/returned_frames.h"

#include <errno.h>

#include "runtime/access/used_locals.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/failure.h"
#include "runtime/core/modules.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/stacks.h"
#include "runtime/race/race.h"

#define HOOK_FRAMES 64 /* more than lie between a hook and the scheduler */

struct thread_storage frames_storage;
EXECUTION_STATE(frames_storage);
static bool ends; /* a thread is ending now */

static struct {
    uint64_t below; /* where libc's thread-local variables begin, below the thread pointer */
    uint64_t size;
    bool is_shared; /* a thread other than their owner has used them in this execution */
} libc_storage;
EXECUTION_STATE(libc_storage);

/* The index of rbp among the words that fiber_swap() pushed, from the lowest: control words,
 * r15, r14, r13, r12, rbx, rbp. */
#define SAVED_FRAME 6
/* What a call of a hook pushes: the return address and the frame pointer. */
#define HOOK_CALL 16

/* Where a stopped thread called the hook that it is in. */
struct hook_call {
    uint64_t pc;
    uint64_t sp; /* 0: unknown */
};

/* Skips Mazur's own frames, which keep their frame pointers. */
static struct hook_call hook_call_of(const struct thread *thread)
{
    const uint64_t *frame = (const uint64_t *)((const uint64_t *)thread->fiber.sp)[SAVED_FRAME];
    for (int i = 0; i < HOOK_FRAMES; i++) {
        if (!thread_owns_stack(thread, (uint64_t)(uintptr_t)frame) || (uintptr_t)frame % 8)
            break;
        if (frame[1] - rt.own.start >= rt.own.end - rt.own.start)
            return (struct hook_call){frame[1], (uint64_t)(uintptr_t)(frame + 2)};
        frame = (const uint64_t *)frame[0];
    }
    return (struct hook_call){0};
}

/* Do the frames of the thread lie one below the other, the innermost at or above sp? Otherwise
 * the thread runs on a stack inside one of its frames (makecontext(3), sigaltstack(2)), or it
 * left functions by longjmp(), and frames below its stack pointer may be in use. */
static bool has_one_stack(const struct thread *thread, uint64_t sp)
{
    uint64_t above = thread->routine_end;
    for (uint32_t i = 0; i < thread->nframes; i++) {
        if (thread->frame[i].sp >= above)
            return false;
        above = thread->frame[i].sp;
    }
    return !thread->program_fiber && sp <= above + HOOK_CALL;
}

/* Main ends by pthread_exit(). Once it has waited for all threads, the functions of atexit()
 * run on its stack. */
static bool has_ended(const struct thread *owner)
{
    return owner->state == THREAD_FINISHED || (owner->life.ended && !rt.exiting);
}

static bool has_returned(struct thread *owner, uint64_t address)
{
    if (LIKELY(address >= owner->live_low))
        return false;
    if (has_ended(owner))
        return true;
    uint32_t n = owner->nframes;
    if (n == 0 || n > FRAMES_MAX)
        return false;
    uint64_t innermost = owner->frame[n - 1].sp;
    struct hook_call call = hook_call_of(owner);
    if (call.sp == 0)
        return false;
    owner->live_low = call.sp > innermost ? call.sp : innermost;
    if (address < call.sp && has_one_stack(owner, call.sp))
        return address < innermost;
    /* The frame of a library function that called the hook may lie where the variable was. */
    bool may_cover = address < innermost && !module_instrumented(call.pc);
    if (address < call.sp || may_cover)
        raise_reason(REASON_FRAMES_UNKNOWN, NULL);
    return false;
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
    locals_note_use(owner, address, size);
    if (address < owner->foreign_low)
        owner->foreign_low = address;
    if (address + size > owner->foreign_high)
        owner->foreign_high = address + size;
}

struct frame_locals {
    uint64_t low;
    uint64_t high;
};

/* An upper bound for the stack pointer of frame n's caller. Frames that longjmp() left may lie
 * between the two. If the stack pointer is the one at the entry of frame n, the function is
 * known to be frame n. */
static uint64_t top_of_frame(const struct thread *self, uint32_t n, struct frame_exit at)
{
    uint64_t sp = self->frame[n].sp;
    if (sp + HOOK_CALL == at.sp)
        while (n > 0 && self->frame[n - 1].sp <= sp)
            n--;
    return n > 0 ? self->frame[n - 1].sp + HOOK_CALL : self->routine_end;
}

/* The local variables of the function that is about to return: up to its return address, below
 * the frame of its caller. Empty if frame n is not its frame: longjmp() left it, or the thread
 * has several stacks. */
static struct frame_locals locals_of_frame(const struct thread *self, uint32_t n,
                                           struct frame_exit at)
{
    struct call_frame frame = self->frame[n];
    uint64_t top = top_of_frame(self, n, at);
    if (at.pc == frame.pc && at.sp <= top) /* it removed its frame and jumped to the hook */
        return (struct frame_locals){frame.sp, at.sp - 8};
    if (at.sp <= frame.sp + HOOK_CALL && thread_owns_stack(self, top - 8))
        for (uint64_t end = at.sp; end < top; end += 8)
            if (*(const uint64_t *)end == frame.pc)
                return (struct frame_locals){at.sp, end};
    return (struct frame_locals){0};
}

/* The frame of the function that is about to return: n, or a frame further out if longjmp()
 * left the inner functions. */
static uint32_t find_frame(const struct thread *self, uint32_t n, struct frame_exit at)
{
    for (uint32_t i = n; self->frame[i].sp < at.sp; i--) {
        bool is_it = self->frame[i].sp + HOOK_CALL == at.sp || self->frame[i].pc == at.pc;
        if (is_it || i == 0)
            return is_it ? i : n;
    }
    return n;
}

void frames_return(struct thread *self, struct frame_exit at)
{
    uint32_t n = self->nframes;
    if (n >= FRAMES_MAX || at.sp % 8 || !thread_owns_stack(self, at.sp))
        return;
    n = self->nframes = find_frame(self, n, at);
    bool is_main = self->slot == 0 && n == 0; /* the process ends next */
    if (is_main || (at.sp >= self->foreign_high && self->frame[n].sp >= self->foreign_high))
        return;
    struct frame_locals locals = locals_of_frame(self, n, at);
    if (!locals.high)
        raise_reason(REASON_FRAMES_UNKNOWN, NULL);
    if (locals.low < self->foreign_low)
        locals.low = self->foreign_low;
    if (locals.high > self->foreign_high)
        locals.high = self->foreign_high;
    if (locals.low >= locals.high)
        return;
    rt.frees++; /* threads that announced an operation there check the memory again */
    race_free(self->slot, locals.low, locals.high - locals.low, at.pc);
}

/* libc's storage is the one that contains errno. If the board has no room for all modules it
 * may not be found, but that limit forbids "complete" by itself. */
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
    if (self->foreign_high)
        race_free(self->slot, self->foreign_low, self->foreign_high - self->foreign_low, 0);
    if (self->slot == 0) /* its thread-local variables last as long as the process */
        return;
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
