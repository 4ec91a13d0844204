/* The stubs of the FORWARDED functions of hooks.def, and what their effects mean
 * (libc_table.h).
 *
 *    program ─ call modf ─▶ modf: r11 = its row ─▶ libc_stub: keep the argument registers
 *                                                     │ libc_announce(row, registers, pc)
 *                                                     ▼
 *                                                  restore them, jump to libc's modf
 *
 * libc's function returns to the program, not to the stub. So it may take any number of
 * arguments, even on the stack, and may leave by longjmp() or an exception. */
#include <dlfcn.h>

#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/libc/libc_sizes.h"
#include "runtime/hooks/libc/libc_table.h"
#include "runtime/memory/memory.h"
#include "runtime/hooks/files/scratch.h"

/* --- The stubs --- */

/* Saves six general registers in the order of the arguments, %rax (the number of vector
 * registers that a variadic call uses), the row, and eight vector registers. */
__asm__(".text\n\t.hidden libc_stub\n\t.globl libc_stub\n\t.type libc_stub, @function\n"
        "\t.p2align 4\nlibc_stub:\n\t.cfi_startproc\n"
        "\tpush %rbp\n\t.cfi_def_cfa_offset 16\n\t.cfi_offset %rbp, -16\n"
        "\tmov %rsp, %rbp\n\t.cfi_def_cfa_register %rbp\n"
        "\tsub $192, %rsp\n"
        "\tmov %rdi, 0(%rsp)\n\tmov %rsi, 8(%rsp)\n\tmov %rdx, 16(%rsp)\n"
        "\tmov %rcx, 24(%rsp)\n\tmov %r8, 32(%rsp)\n\tmov %r9, 40(%rsp)\n"
        "\tmov %rax, 48(%rsp)\n"
        "\tmovaps %xmm0, 64(%rsp)\n\tmovaps %xmm1, 80(%rsp)\n\tmovaps %xmm2, 96(%rsp)\n"
        "\tmovaps %xmm3, 112(%rsp)\n\tmovaps %xmm4, 128(%rsp)\n\tmovaps %xmm5, 144(%rsp)\n"
        "\tmovaps %xmm6, 160(%rsp)\n\tmovaps %xmm7, 176(%rsp)\n"
        "\tmov %r11, %rdi\n\tmov %rsp, %rsi\n\tmov 8(%rbp), %rdx\n"
        "\tcall libc_announce\n"
        "\tmov %rax, %r11\n"
        "\tmovaps 64(%rsp), %xmm0\n\tmovaps 80(%rsp), %xmm1\n\tmovaps 96(%rsp), %xmm2\n"
        "\tmovaps 112(%rsp), %xmm3\n\tmovaps 128(%rsp), %xmm4\n\tmovaps 144(%rsp), %xmm5\n"
        "\tmovaps 160(%rsp), %xmm6\n\tmovaps 176(%rsp), %xmm7\n"
        "\tmov 0(%rsp), %rdi\n\tmov 8(%rsp), %rsi\n\tmov 16(%rsp), %rdx\n"
        "\tmov 24(%rsp), %rcx\n\tmov 32(%rsp), %r8\n\tmov 40(%rsp), %r9\n"
        "\tmov 48(%rsp), %rax\n"
        "\tleave\n\t.cfi_def_cfa %rsp, 8\n"
        "\tjmp *%r11\n"
        "\t.cfi_endproc\n\t.size libc_stub, .-libc_stub\n");

#define FORWARDED(name, type, parameters, standard, facts, ...)                                \
    extern struct libc_row libc_row_##name;                                                    \
    struct libc_row libc_row_##name                                                            \
        __attribute__((used, visibility("hidden"))) = {#name, NULL, {__VA_ARGS__}};            \
    __asm__(".text\n\t.globl " #name "\n\t.type " #name ", @function\n\t.p2align 4\n" #name    \
            ":\n\t.cfi_startproc\n"                                                            \
            "\tlea libc_row_" #name "(%rip), %r11\n"                                           \
            "\tjmp libc_stub\n"                                                                \
            "\t.cfi_endproc\n\t.size " #name ", .-" #name "\n");

#include "runtime/hooks/def/hooks.def"

/* --- What the effects mean --- */

static void announce_memory(const struct libc_effect *effect, const uint64_t *argument,
                            uint64_t pc)
{
    void *at = (void *)argument[effect->at - 1];
    uint64_t size = effect->size;
    if (!at || (uint64_t)(uintptr_t)at >> 47) /* FE_DFL_ENV and similar */
        return;
    switch (effect->kind) {
    case EFFECT_READ_EACH:
    case EFFECT_WRITE_EACH:
        if (__builtin_mul_overflow(size, argument[effect->count - 1], &size))
            return;
        break;
    case EFFECT_WRITE_SIZED:
        if (argument[effect->count - 1] == 0)
            return;
        size = *(const uint32_t *)argument[effect->count - 1];
        break;
    case EFFECT_READ_TEXT:
        size = rawmem_length(at) + 1;
        break;
    case EFFECT_READ_WIDE:
        size = (rawmem_wide_length(at, SIZE_MAX) + 1) * sizeof(wchar_t);
        break;
    case EFFECT_FILL:
        snapshot_touch(at, size);
        return;
    default:
        break;
    }
    bool reads = effect->kind == EFFECT_READ || effect->kind == EFFECT_READ_EACH ||
                 effect->kind == EFFECT_READ_TEXT || effect->kind == EFFECT_READ_WIDE;
    if (reads) {
        caller_reads(at, size, pc);
        return;
    }
    snapshot_touch(at, size);
    caller_writes(at, size, pc);
}

/* C11 7.29.6.3: without a state of the caller, a conversion goes on in one of its own, in the
 * middle of a character where the last call stopped. (glibc has one for each function.) */
static void announce_conversion(mbstate_t *state, uint64_t pc)
{
    if (!state) {
        shared_use_among_threads(SHARED_CONVERSION, pc);
        return;
    }
    snapshot_touch(state, sizeof *state);
    caller_writes(state, sizeof *state, pc);
}

static void announce_path(const char *path, uint64_t pc)
{
    if (!path)
        return;
    shared_look_path(path, pc);
}

/* With a process per execution, no later execution can see it. */
static void leave_behind(const char *name, uint64_t pc)
{
    if (rt.board->config.isolate != ISOLATE_FORK)
        failure_uncontrolled(name);
    else
        shared_change_state(SHARED_SETTINGS, pc);
}

static void announce_effect(const struct libc_row *row, const struct libc_effect *effect,
                            const uint64_t *argument, uint64_t pc)
{
    switch (effect->kind) {
    case EFFECT_READ_PATH:
        announce_path((const char *)argument[effect->at - 1], pc);
        break;
    case EFFECT_LOOKS:
        if (effect->size == SHARED_ENVIRONMENT)
            environment_look(pc);
        else
            shared_look_state(effect->size, pc);
        break;
    case EFFECT_CHANGES:
        if (effect->size == SHARED_ENVIRONMENT)
            environment_change(pc);
        else
            shared_change_state(effect->size, pc);
        break;
    case EFFECT_CONVERTS:
        announce_conversion((mbstate_t *)argument[effect->at - 1], pc);
        break;
    case EFFECT_USES:
        shared_use_among_threads(effect->size, pc);
        break;
    case EFFECT_NUMBER:
        number_look((int)argument[effect->at - 1], pc);
        break;
    case EFFECT_LOCALE:
        libc_uses_locale((void *)argument[effect->at - 1], pc);
        break;
    case EFFECT_NUMBERS:
        files_take_number(pc);
        break;
    case EFFECT_LISTED:
        if (rt.used > 1)
            failure_uncontrolled(row->name);
        break;
    case EFFECT_VARIES:
        raise_reason(REASON_OUTSIDE, row->name);
        break;
    case EFFECT_OUTSIDE:
        failure_uncontrolled(row->name);
        files_changed();
        break;
    case EFFECT_LEAVES:
        leave_behind(row->name, pc);
        break;
    case EFFECT_LEAVES_FILE:
        files_changed();
        announce_path((const char *)argument[effect->at - 1], pc);
        scratch_note_writing((const char *)argument[effect->at - 1]);
        break;
    case EFFECT_LEAVES_FILE_OPEN:
        descriptor_use_file((int)argument[effect->at - 1], pc);
        if (!scratch_is_on())
            failure_uncontrolled(row->name);
        break;
    case EFFECT_REFUSES_IF:
        if (effect->condition(argument))
            refuse_call(row->name, effect->why, pc);
        break;
    case EFFECT_REFUSES:
        refuse_call(row->name, effect->why, pc);
        break;
    case EFFECT_OTHER:
        effect->other(argument, pc);
        break;
    default:
        announce_memory(effect, argument, pc);
        break;
    }
}

void *libc_announce(struct libc_row *row, const uint64_t *argument, uint64_t pc)
{
    if (UNLIKELY(!row->next)) {
        row->next = dlsym(RTLD_NEXT, row->name);
        if (!row->next)
            rt_fatal("a function that the program calls is not in this C or C++ library");
    }
    if (under_control())
        for (int i = 0; i < LIBC_EFFECTS_MAX && row->effect[i].kind != EFFECT_NONE; i++)
            announce_effect(row, &row->effect[i], argument, pc);
    return row->next;
}
