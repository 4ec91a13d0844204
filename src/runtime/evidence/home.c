/* Where an address belongs, for a RECORD run: to a frame on some thread's stack, or to a
 * thread's thread-local storage. The parent turns this into the name of a variable
 * (debuginfo/locals.c).
 *
 * Stacks have fixed places, so a stack address identifies its thread. The frame is the
 * outermost one that reaches down to the address. Instrumented functions report their entry; at
 * that point this file saves what the parent needs to find the canonical frame address: a pc
 * inside the function, and the stack and base pointer at that pc.
 *
 * Thread-local variables of modules that were loaded at the start are at the same distance
 * below the thread pointer in every thread. */
#include "runtime/evidence/home.h"

#include <dlfcn.h>
#include <unwind.h>

#include "runtime/core/modules.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/stacks.h"

struct frame_home {
    uint64_t pc; /* where the function was when it reported its entry */
    uint64_t bp;
};

static struct frame_home (*frames)[FRAMES_MAX]; /* by thread */

typedef _Unwind_Reason_Code backtrace_function(_Unwind_Trace_Fn, void *);
typedef _Unwind_Ptr get_ip_function(struct _Unwind_Context *);
static backtrace_function *backtrace;
static get_ip_function *get_ip;

void home_init(void)
{
    frames = rt_map(THREADS_MAX * sizeof *frames);
    /* unwinder_warm_up() has loaded it */
    void *library = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (library) {
        backtrace = (backtrace_function *)(uintptr_t)dlsym(library, "_Unwind_Backtrace");
        get_ip = (get_ip_function *)(uintptr_t)dlsym(library, "_Unwind_GetIP");
    }
}

void home_enter(const struct thread *self, uint32_t frame, const void *hook_frame)
{
    const uint64_t *saved = hook_frame; /* base pointer, return address */
    frames[self->slot][frame] = (struct frame_home){.pc = saved[1], .bp = saved[0]};
}

/* --- Variables --- */

static bool find_frame(const struct thread *thread, uint64_t address, struct board_home *home)
{
    uint32_t count = thread->nframes < FRAMES_MAX ? thread->nframes : FRAMES_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t sp = thread->frame[i].sp + 16; /* skip the hook's own two words */
        if (address < sp)
            continue;
        const struct frame_home *frame = &frames[thread->slot][i];
        bool innermost = i + 1 == count;
        home->kind = HOME_STACK;
        home->tid = thread->slot;
        home->pc = frame->pc;
        home->sp = sp;
        home->bp = frame->bp;
        home->at = innermost ? rt.pending[thread->slot].pc : thread->frame[i + 1].pc;
        return true;
    }
    return false;
}

static bool find_storage(uint64_t address, struct board_home *home)
{
    const struct board *board = rt.board;
    for (uint32_t t = 0; t < rt.used; t++)
        for (uint32_t i = 0; i < board->nmodules; i++) {
            const struct board_module *module = &board->module[i];
            uint64_t start = rt.thread[t].fiber.tls - module->tls_below;
            if (module->tls_below == 0 || address - start >= module->tls_size)
                continue;
            home->kind = HOME_STORAGE;
            home->tid = (int32_t)t;
            home->module = i;
            home->offset = address - start;
            return true;
        }
    return false;
}

void home_find(uint64_t address, struct board_home *home)
{
    int slot = thread_of_stack(address);
    home->kind = HOME_NONE;
    if (!frames || address == 0 || object_is_named(address))
        return;
    if (slot >= 0 && (uint32_t)slot < rt.used)
        find_frame(&rt.thread[slot], address, home);
    else if (slot < 0)
        find_storage(address, home);
}

/* --- Stacks of code that does not report its functions --- */

struct walk {
    uint64_t from;
    bool begun;
    bool whole;   /* no code reports functions: walk to the start of the thread */
    bool arrived; /* at the user's code */
    struct board_stack *out;
};

static bool is_users(uint64_t pc)
{
    return module_instrumented(pc) || (pc >= rt.image_start && pc < rt.image_end);
}

static _Unwind_Reason_Code walk_step(struct _Unwind_Context *context, void *argument)
{
    struct walk *walk = argument;
    uint64_t pc = (uint64_t)get_ip(context);
    if (!walk->begun) {
        walk->begun = pc == walk->from;
        return _URC_NO_REASON;
    }
    if (walk->out->depth == BOARD_STACK)
        return _URC_NORMAL_STOP;
    walk->out->pc[walk->out->depth++] = pc;
    walk->arrived |= is_users(pc);
    return walk->arrived && !walk->whole ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

void home_walk(uint64_t pc, struct board_stack *out)
{
    bool whole = rt.ninstrumented == 0;
    if (!backtrace || !get_ip || pc == 0 || (is_users(pc) && !whole))
        return;
    uint32_t depth = out->depth;
    struct walk walk = {.from = pc, .whole = whole, .out = out};
    bool was_on = rt.on;
    rt.on = false;
    backtrace(walk_step, &walk);
    rt.on = was_on;
    if (!walk.arrived)
        out->depth = depth; /* no user code found: the frames would only be noise */
}
