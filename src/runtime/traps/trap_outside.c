/* See trap_outside.h. The values are the same in every execution with the same order of
 * operations, so a program that uses them is deterministic. But the program could see other
 * values, too. So the command names these instructions and does not claim to be complete. */
#include "runtime/traps/trap_outside.h"

#include <cpuid.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/arch/trap_operands.h"
#include "runtime/core/failure.h"
#include "runtime/waiting/clock.h"

#define CARRY_FLAG    0x001
#define RANDOM_CLEARS 0x8d4 /* overflow, sign, zero, auxiliary, parity */

enum { RAX, RCX, RDX, RBX };

/* A counter that ticks once per (virtual) nanosecond. */
static void read_clock(const struct board_site *site, ucontext_t *context)
{
    uint64_t ticks = time_ticks();
    trap_set_register(context, RAX, (uint32_t)ticks);
    trap_set_register(context, RDX, ticks >> 32);
    if (site->index == SITE_COUNT) /* rdtscp: the number of the processor */
        trap_set_register(context, RCX, 0);
}

static void read_chance(const struct board_site *site, ucontext_t *context)
{
    uint64_t number = time_random(), old = trap_register(context, site->base);
    greg_t *flags = &context->uc_mcontext.gregs[REG_EFL];
    if (site->size == 2)
        number = (old & ~UINT64_C(0xffff)) | (number & 0xffff);
    else if (site->size == 4)
        number = (uint32_t)number;
    trap_set_register(context, site->base, number);
    *flags = (*flags & ~(greg_t)RANDOM_CLEARS) | CARRY_FLAG;
}

/* The results of cpuid are always the same, except for the number of the current processor. */
static void read_processor(const struct board_site *site, ucontext_t *context)
{
    unsigned a = 0, b = 0, c = 0, d = 0, leaf = (unsigned)trap_register(context, RAX);
    if (site->base != SITE_NO_REGISTER) { /* rdpid */
        trap_set_register(context, site->base, 0);
        return;
    }
    __cpuid_count(leaf, (unsigned)trap_register(context, RCX), a, b, c, d);
    if (leaf == 1)
        b &= 0x00ffffff;
    else if (leaf == 0xb || leaf == 0x1f)
        d = 0;
    else if (leaf == 0x8000001e)
        a = 0, b &= ~0xffu, c &= ~0xffu;
    trap_set_register(context, RAX, a);
    trap_set_register(context, RBX, b);
    trap_set_register(context, RCX, c);
    trap_set_register(context, RDX, d);
}

/* System calls that need the stack and registers of the instruction itself. */
static bool must_be_executed(long number)
{
    return number == SYS_rt_sigreturn || number == SYS_clone || number == SYS_clone3 ||
           number == SYS_fork || number == SYS_vfork;
}

/* Treated like a call of the C library's syscall(), but errors are returned as the kernel
 * does. */
static bool make_syscall(ucontext_t *context)
{
    greg_t *g = context->uc_mcontext.gregs;
    long number = g[REG_RAX];
    if (must_be_executed(number)) {
        failure_uncontrolled("the instruction syscall");
        return false;
    }
    int error = errno;
    long result =
        syscall(number, g[REG_RDI], g[REG_RSI], g[REG_RDX], g[REG_R10], g[REG_R8], g[REG_R9]);
    g[REG_RAX] = result == -1 ? -errno : result;
    errno = error;
    return true;
}

bool trap_outside(const struct board_site *site, ucontext_t *context)
{
    switch (site->kind) {
    case SITE_CLOCK:
        read_clock(site, context);
        return true;
    case SITE_CHANCE:
        read_chance(site, context);
        return true;
    case SITE_PROCESSOR:
        read_processor(site, context);
        return true;
    case SITE_SYSCALL:
        return make_syscall(context);
    default:
        return false;
    }
}
