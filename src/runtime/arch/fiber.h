/* Fibers: the program's threads, which all run on the one OS thread of the process. Each has
 * its own stack and uses the thread-local storage of a parked donor thread.
 *
 * There is one implementation file per CPU. Invariant: exactly one fiber runs; the others are
 * stopped inside fiber_swap(), with everything that the ABI preserves on their own stack. */
#ifndef MAZUR_RUNTIME_FIBER_H
#define MAZUR_RUNTIME_FIBER_H

#include <stdint.h>

struct fiber {
    void *sp;      /* where it stopped; the assembly code relies on the first two fields */
    uintptr_t tls; /* thread pointer to install when it runs */
    char *stack;   /* lowest usable address */
    char *base;    /* just above the highest */
};

/* Once per process, before any other call. */
void fiber_init(void);
/* The thread pointer of the calling OS thread. */
uintptr_t fiber_thread_pointer(void);
/* Makes `fiber` start in entry(argument) at its next swap; entry must not return. */
void fiber_prepare(struct fiber *fiber, void (*entry)(void *), void *argument);
/* Saves the caller in `from` and continues in `to`. */
void fiber_swap(struct fiber *from, struct fiber *to);
/* Continues in `to` and never returns: the caller's state is dropped. */
void fiber_jump(struct fiber *to) __attribute__((noreturn));

/* Calls function(argument) on another stack, so that the values it leaves on the stack do not
 * end up in dead slots of the program's frames. */
int fiber_call(int (*function)(void *), void *argument, void *stack_top);

/* Sets *ready to 1, wakes its waiters and sleeps forever. It never writes to the stack again,
 * so the stack may be made read-only as soon as *ready is seen. */
void fiber_park(uint32_t *ready) __attribute__((noreturn));
/* Unregisters the thread's rseq area: the kernel would keep writing to it, and its page could
 * not be write-protected. */
void fiber_forget_rseq(void);

/* The registers that the ABI preserves across a call, with their values at the entry of the
 * running hook (used by spin.c). The entry stubs of the operations that can be part of a spin
 * loop fill them in. */
struct fiber_entry_registers {
    uint64_t preserved[6];
    uint64_t sp;
};
extern struct fiber_entry_registers fiber_entry;

/* FIBER_STUB(name): the exported symbol `name` saves the registers and jumps to name_hook. */
#if defined(__x86_64__)
#define FIBER_STUB(name)                                                                       \
    __asm__(".text\n\t.globl " #name "\n\t.type " #name ", @function\n\t.p2align 4\n" #name    \
            ":\n\t.cfi_startproc\n"                                                            \
            "\tmov %rbx, fiber_entry+0(%rip)\n"                                                \
            "\tmov %rbp, fiber_entry+8(%rip)\n"                                                \
            "\tmov %r12, fiber_entry+16(%rip)\n"                                               \
            "\tmov %r13, fiber_entry+24(%rip)\n"                                               \
            "\tmov %r14, fiber_entry+32(%rip)\n"                                               \
            "\tmov %r15, fiber_entry+40(%rip)\n"                                               \
            "\tmov %rsp, fiber_entry+48(%rip)\n"                                               \
            "\tjmp " #name "_hook\n"                                                           \
            "\t.cfi_endproc\n\t.size " #name ", .-" #name "\n")
#else
#error "Mazur's fibers know x86-64 only so far"
#endif

#endif
