/* Fibers on x86-64 System V (see fiber.h).
 *
 * The thread pointer is the fs base. It is written with wrfsbase where the kernel allows it
 * (HWCAP2 bit 1), otherwise with arch_prctl. The ABI preserves the control words of SSE and x87
 * across calls, so a swap switches them, too. */
#include <sys/auxv.h>

#include "runtime/arch/execution_state.h"
#include "runtime/arch/fiber.h"
#include "runtime/arch/raw.h"

#define HWCAP2_FSGSBASE (1 << 1)
#define ARCH_GET_FS     0x1003

struct fiber_entry_registers fiber_entry __attribute__((visibility("hidden")));
EXECUTION_STATE(fiber_entry);
char fiber_has_wrfsbase __attribute__((visibility("hidden")));

void fiber_entry_point(void);

/* rdi: from, rsi: to. The frame on the stack of a stopped fiber, upwards from sp: control
 * words, r15, r14, r13, r12, rbx, rbp, return address. */
__asm__(".text\n\t.globl fiber_swap\n\t.hidden fiber_swap\n\t.type fiber_swap, @function\n"
        "fiber_swap:\n"
        "\tpush %rbp\n\tpush %rbx\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n"
        "\tsub $8, %rsp\n"
        "\tstmxcsr (%rsp)\n"
        "\tfnstcw 4(%rsp)\n"
        "\tmov %rsp, (%rdi)\n"
        "\tmov %rsi, %rdi\n"
        "\tjmp fiber_jump\n"
        "\t.size fiber_swap, .-fiber_swap\n");

__asm__(".text\n\t.globl fiber_jump\n\t.hidden fiber_jump\n\t.type fiber_jump, @function\n"
        "fiber_jump:\n"
        "\tmov (%rdi), %rsp\n"
        "\tmov 8(%rdi), %rsi\n"
        "\tcmpb $0, fiber_has_wrfsbase(%rip)\n"
        "\tje 1f\n"
        "\twrfsbase %rsi\n"
        "2:\n"
        "\tldmxcsr (%rsp)\n"
        "\tfldcw 4(%rsp)\n"
        "\tadd $8, %rsp\n"
        "\tpop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbx\n\tpop %rbp\n"
        "\tret\n"
        "1:\tmov $158, %eax\n" /* arch_prctl(ARCH_SET_FS, tls) */
        "\tmov $0x1002, %edi\n"
        "\tsyscall\n"
        "\tjmp 2b\n"
        "\t.size fiber_jump, .-fiber_jump\n");

/* The bottom frame. An undefined return address tells the unwinder that the stack ends here, so
 * that an uncaught exception reaches std::terminate. */
__asm__(".text\n\t.globl fiber_entry_point\n\t.hidden fiber_entry_point\n"
        "\t.type fiber_entry_point, @function\n"
        "fiber_entry_point:\n"
        "\t.cfi_startproc\n\t.cfi_undefined rip\n"
        "\txor %ebp, %ebp\n"
        "\tmov %r13, %rdi\n"
        "\tcall *%r12\n"
        "\tud2\n"
        "\t.cfi_endproc\n"
        "\t.size fiber_entry_point, .-fiber_entry_point\n");

/* rdi: function, rsi: argument, rdx: top of the other stack, 16-byte aligned */
__asm__(".text\n\t.globl fiber_call\n\t.hidden fiber_call\n\t.type fiber_call, @function\n"
        "fiber_call:\n"
        "\tpush %rbp\n"
        "\tmov %rsp, %rbp\n"
        "\tmov %rdx, %rsp\n"
        "\tmov %rdi, %rax\n"
        "\tmov %rsi, %rdi\n"
        "\tcall *%rax\n"
        "\tmov %rbp, %rsp\n"
        "\tpop %rbp\n"
        "\tret\n"
        "\t.size fiber_call, .-fiber_call\n");

__asm__(".text\n\t.globl fiber_park\n\t.hidden fiber_park\n\t.type fiber_park, @function\n"
        "fiber_park:\n"
        "\tmovl $1, (%rdi)\n"
        "\tmov %rdi, %r12\n"
        "1:\tmov $202, %eax\n" /* futex(ready, FUTEX_WAKE_PRIVATE, 1) */
        "\tmov %r12, %rdi\n"
        "\tmov $129, %esi\n"
        "\tmov $1, %edx\n"
        "\tsyscall\n"
        "\tmov $202, %eax\n" /* futex(ready, FUTEX_WAIT_PRIVATE, 1, no timeout) */
        "\tmov %r12, %rdi\n"
        "\tmov $128, %esi\n"
        "\tmov $1, %edx\n"
        "\txor %r10d, %r10d\n"
        "\tsyscall\n"
        "\tjmp 1b\n"
        "\t.size fiber_park, .-fiber_park\n");

/* glibc 2.35 and later export the offset of the area. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));

void fiber_forget_rseq(void)
{
    if (&__rseq_offset)
        raw_syscall4(334 /* rseq */, (long)(fiber_thread_pointer() + (uintptr_t)__rseq_offset),
                     32, 1 /* unregister */, 0x53053053);
}

void fiber_init(void)
{
    fiber_has_wrfsbase = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
}

uintptr_t fiber_thread_pointer(void)
{
    uintptr_t pointer;
    if (fiber_has_wrfsbase)
        __asm__ volatile("rdfsbase %0" : "=r"(pointer));
    else
        raw_syscall2(158, ARCH_GET_FS, (long)&pointer);
    return pointer;
}

void fiber_prepare(struct fiber *fiber, void (*entry)(void *), void *argument)
{
    uint64_t *top = (uint64_t *)((uintptr_t)fiber->base & ~(uintptr_t)15);
    uint64_t *sp = top - 10;
    uint32_t *control = (uint32_t *)sp;
    uint32_t mxcsr;
    uint16_t x87;
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87));
    control[0] = mxcsr & ~UINT32_C(0x3f); /* without the exceptions that the search has seen */
    control[1] = x87;
    sp[1] = 0;                             /* r15 */
    sp[2] = 0;                             /* r14 */
    sp[3] = (uint64_t)(uintptr_t)argument; /* r13 */
    sp[4] = (uint64_t)(uintptr_t)entry;    /* r12 */
    sp[5] = 0;                             /* rbx */
    sp[6] = 0;                             /* rbp */
    sp[7] = (uint64_t)(uintptr_t)fiber_entry_point;
    sp[8] = 0; /* where a return address would be */
    sp[9] = 0;
    fiber->sp = sp;
}
