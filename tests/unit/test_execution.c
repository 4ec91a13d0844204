/* What src/machine/instruction.c says of an instruction, and what src/runtime/arch/trap_operands.c
 * makes of it, against the processor: each kind of instruction that libc, libm, libmvec,
 * libstdc++ and libcrypto have is executed with its operand at the edges of protected memory.
 *
 *     no access │ readable and writable │ no access          and a page that is only readable
 *               ▲                       ▲
 *        lowest byte at the start:      highest byte at the end: no fault
 *        a byte lower: a fault          a byte higher: a fault
 *
 * On the page that is only readable it faults if and only if it is said to write; and what is
 * said not to read must leave the same behind whatever was there.
 *
 * DEEP=1 in the environment tries all of them, else every sixteenth. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cpuid.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "machine/image.h"
#include "machine/instruction.h"
#include "runtime/arch/trap_operands.h"

#define PAGE       4096
#define STATE_MAX  16384 /* bytes of a signal's vector registers */
#define RANGES     64
#define BREAKPOINT 0xcc

/* --- Executing one instruction --- */

static uint8_t *code, *edges, *readable,
    *stack;                      /* pages; the usable one of `edges` is its second */
static uint8_t state[STATE_MAX]; /* vector registers to start with */
static size_t state_size;
static ucontext_t wanted; /* registers to start with */
static uint8_t *usable;

static enum { CAPTURE, ARM, RUN } phase;
static struct run_outcome {
    int signal; /* SIGTRAP: it came to its end */
    int how;    /* si_code */
    uint64_t address;
    bool write;
    gregset_t registers;
} outcome;
static gregset_t before;
static uint8_t state_before[STATE_MAX];

static void on_signal(int number, siginfo_t *info, void *raw)
{
    ucontext_t *context = raw;
    gregset_t *registers = &context->uc_mcontext.gregs;
    uint8_t *now = (uint8_t *)context->uc_mcontext.fpregs;
    if (phase != RUN && number != SIGTRAP)
        _exit(3); /* the test itself */
    if (phase == CAPTURE) {
        uint32_t size;
        memcpy(&size, now + 464 + 16, sizeof size); /* of what XSAVE has written */
        state_size = size >= 576 && size <= STATE_MAX ? size : 512;
        memcpy(state, now, state_size);
        wanted = *context;
    } else if (phase == ARM) {
        memcpy(before, registers, sizeof before);
        memcpy(state_before, now, state_size);
        memcpy(registers, wanted.uc_mcontext.gregs, sizeof before);
        memcpy(now, state, state_size);
        phase = RUN;
    } else {
        outcome = (struct run_outcome){.signal = number,
                                       .how = info->si_code,
                                       .address = (uint64_t)(uintptr_t)info->si_addr,
                                       .write = (*registers)[REG_ERR] & 2};
        memcpy(outcome.registers, registers, sizeof before);
        memcpy(registers, before, sizeof before);
        memcpy(now, state_before, state_size);
        phase = ARM;
    }
}

static void execute(void)
{
    phase = ARM;
    __asm__ volatile("int3" : : : "memory");
}

/* --- Registers to start with --- */

static uint64_t seed = 1;

static uint64_t next_random(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed >> 33;
}

static uint32_t state_offset(unsigned part)
{
    unsigned a, b = 0, c, d;
    return __get_cpuid_count(0xd, part, &a, &b, &c, &d) && a ? b : 0;
}

/* Small numbers with random signs: indices of gathers, and masks. */
static void fill_vectors(void)
{
    static const struct {
        unsigned part, bytes;
    } parts[] = {{2, 256}, {5, 64}, {6, 512}, {7, 1024}};
    uint64_t used = 3;
    for (int i = 0; i < 16; i++)
        for (int n = 0; n < 4; n++) {
            uint32_t value = n % 2 ? 0 : (uint32_t)(next_random() % 16);
            memcpy(state + 160 + i * 16 + n * 4, &value, 4);
        }
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        uint32_t offset = state_offset(parts[p].part);
        if (!offset || offset + parts[p].bytes > state_size)
            continue;
        used |= UINT64_C(1) << parts[p].part;
        for (unsigned i = 0; i < parts[p].bytes; i++)
            state[offset + i] =
                i % 8 == 0 || parts[p].part == 5 ? (uint8_t)(next_random() % 16) : 0;
    }
    if (state_size > 512)
        memcpy(state + 512, &used, sizeof used);
}

/* Masks are in vectors, too: half of them select every lane, the others every second. */
static void select_lanes(const struct board_site *site, bool all)
{
    uint32_t high = state_offset(2), higher = state_offset(6);
    if (site->mask_kind != MASK_SIGNS)
        return;
    for (unsigned i = 0; i < 64; i++) {
        uint8_t *at = i < 16   ? state + 160 + site->mask * 16 + i
                      : i < 32 ? high ? state + high + site->mask * 16 + (i - 16) : NULL
                      : higher ? state + higher + site->mask * 32 + (i - 32)
                               : NULL;
        unsigned lane = i / site->size;
        if (at && (i + 1) % site->size == 0)
            *at = all || lane % 2 == 0 ? 0x80 : 0;
    }
}

/* --- What is said of it --- */

static struct range {
    uint64_t start, end;
    bool write;
} ranges[RANGES];
static size_t nranges;

static void add_read(uint64_t address, uint64_t size, uint64_t pc)
{
    (void)pc;
    assert_true(nranges < RANGES);
    ranges[nranges++] = (struct range){address, address + size, false};
}

static void add_write(uint64_t address, uint64_t size, uint64_t pc)
{
    add_read(address, size, pc);
    ranges[nranges - 1].write = true;
}

static struct range predict(const struct board_site *site)
{
    struct range all = {UINT64_MAX, 0, false};
    nranges = 0;
    wanted.uc_mcontext.fpregs = (void *)state;
    trap_each_access(site, &wanted, add_read, add_write);
    for (size_t i = 0; i < nranges; i++) {
        all.start = ranges[i].start < all.start ? ranges[i].start : all.start;
        all.end = ranges[i].end > all.end ? ranges[i].end : all.end;
        all.write |= ranges[i].write;
    }
    return all;
}

/* --- Putting the operand somewhere --- */

static bool is_string(const struct board_site *site)
{
    return site->kind == SITE_COPY || site->kind == SITE_FILL || site->kind == SITE_MATCH ||
           site->kind == SITE_SCAN;
}

static void add_to_register(uint8_t number, uint64_t distance)
{
    trap_set_register(&wanted, number, trap_register(&wanted, number) + distance);
}

static void move_operand(struct board_site *site, uint64_t distance)
{
    if (is_string(site)) {
        add_to_register(SITE_SOURCE, distance);
        add_to_register(SITE_DESTINATION, distance);
    } else if (site->base == SITE_RIP || site->base == SITE_NO_REGISTER) {
        site->displacement = (int32_t)((uint32_t)site->displacement + (uint32_t)distance);
        memcpy(code + site->displacement_at, &site->displacement, 4);
    } else {
        add_to_register(site->base, distance);
    }
}

/* Its first byte to `start`, or its last one before `end`. False: that can't be done. */
static bool place(struct board_site *site, uint8_t *start, uint8_t *end)
{
    for (int tries = 0; tries < 3; tries++) {
        struct range range = predict(site);
        uint64_t distance = start ? (uint64_t)(uintptr_t)start - range.start
                                  : (uint64_t)(uintptr_t)end - range.end;
        if (nranges == 0)
            return false;
        if (distance == 0)
            return true;
        move_operand(site, distance);
    }
    return false;
}

static void start_registers(const struct instruction *i)
{
    static const uint64_t bits[] = {100, 7, (uint64_t)-100, 65};
    for (uint8_t reg = 0; reg < 16; reg++)
        trap_set_register(&wanted, reg, 2 + reg % 4);
    trap_set_register(&wanted, SITE_COUNT, 3);
    trap_set_register(&wanted, SITE_STACK_POINTER, (uint64_t)(uintptr_t)stack + PAGE / 2);
    if (is_string(&i->site)) {
        trap_set_register(&wanted, SITE_SOURCE, (uint64_t)(uintptr_t)usable + PAGE / 2);
        trap_set_register(&wanted, SITE_DESTINATION, (uint64_t)(uintptr_t)usable + PAGE / 2);
    }
    if (i->site.bit_register != SITE_NO_REGISTER)
        trap_set_register(&wanted, i->site.bit_register, bits[next_random() % 4]);
    wanted.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)code;
    wanted.uc_mcontext.gregs[REG_EFL] = 0x202;
}

/* --- Judging one instruction --- */

static size_t tried, skipped, aligned;

/* mov to a segment register, lss, lfs, lgs: thread-local storage would be gone. */
static bool changes_segment(const uint8_t *bytes, const struct instruction *i)
{
    for (unsigned n = 0; n + 1u < i->site.length; n++) {
        if (bytes[n] == 0x8e)
            return true;
        if (bytes[n] == 0x0f)
            return bytes[n + 1] == 0xb2 || bytes[n + 1] == 0xb4 || bytes[n + 1] == 0xb5;
        if ((bytes[n] & 0xf0) != 0x40 &&
            !strchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", bytes[n]))
            return false;
    }
    return false;
}

static bool can_be_tried(const struct instruction *i)
{
    bool moves_stack = i->operation == OPERATION_PUSH || i->operation == OPERATION_POP;
    bool address_patched = i->site.base == SITE_RIP || i->site.base == SITE_NO_REGISTER;
    return instruction_accesses(i) && i->site.kind != SITE_UNTOLD && !i->elsewhere &&
           i->transfer == TRANSFER_NONE &&
           !(moves_stack && i->site.base == SITE_STACK_POINTER) &&
           (!address_patched || is_string(&i->site) || i->site.displacement_at > 0);
}

/* An operand that is not aligned where it must be, or an instruction of the kernel's. */
static bool is_refused(void)
{
    return (outcome.signal == SIGSEGV && outcome.how == SI_KERNEL) ||
           outcome.signal == SIGILL || outcome.signal == SIGBUS;
}

static bool has_faulted(void)
{
    return outcome.signal == SIGSEGV && outcome.how != SI_KERNEL;
}

static void complain(const struct instruction *i, const char *what)
{
    char bytes[64] = "";
    for (unsigned n = 0; n < i->site.length; n++)
        snprintf(bytes + 2 * n, 3, "%02x", code[n]);
    struct range range = predict(&i->site);
    fail_msg("%s: %s (kind %u size %u lanes %u; [%llx, %llx); signal %d address %llx write %d)",
             bytes, what, i->site.kind, i->site.size, i->site.lanes,
             (unsigned long long)(range.start - (uint64_t)(uintptr_t)usable),
             (unsigned long long)(range.end - (uint64_t)(uintptr_t)usable), outcome.signal,
             (unsigned long long)(outcome.address - (uint64_t)(uintptr_t)usable),
             outcome.write);
}

static void check_edges(struct instruction *i)
{
    static const struct {
        bool high;
        int beyond;
    } cases[] = {{true, 0}, {true, 1}, {false, 0}, {false, -1}};
    bool compares = i->site.kind == SITE_MATCH || i->site.kind == SITE_SCAN;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        if (compares && cases[n].beyond != 0)
            continue; /* they are compared here, too */
        uint8_t *at = (cases[n].high ? usable + PAGE : usable) + cases[n].beyond;
        if (!place(&i->site, cases[n].high ? NULL : at, cases[n].high ? at : NULL)) {
            skipped++;
            return;
        }
        execute();
        if (is_refused()) {
            aligned++;
            continue;
        }
        if (cases[n].beyond == 0 && has_faulted())
            complain(i, cases[n].high ? "more bytes than it is said to access"
                                      : "bytes before those that it is said to access");
        if (cases[n].beyond != 0 && !has_faulted())
            complain(i, cases[n].high ? "fewer bytes than it is said to access"
                                      : "later bytes than those that it is said to access");
    }
}

static void check_writing(struct instruction *i)
{
    if (!place(&i->site, readable, NULL))
        return;
    bool writes = predict(&i->site).write;
    execute();
    if (is_refused())
        return;
    if (has_faulted() && !(writes && outcome.write))
        complain(i, outcome.write ? "it writes" : "it reads elsewhere");
    if (!has_faulted() && writes)
        complain(i, "it does not write");
}

/* What it leaves behind must not depend on what was there. */
static void check_reading(struct instruction *i)
{
    uint8_t first[PAGE];
    if (i->site.kind != SITE_STORE || i->site.lanes || !place(&i->site, usable, NULL))
        return;
    memset(usable, 0x55, PAGE);
    execute();
    if (is_refused())
        return;
    memcpy(first, usable, i->site.size);
    memset(usable, 0xaa, PAGE);
    execute();
    if (memcmp(first, usable, i->site.size) != 0 && i->site.size < 28)
        complain(i, "it reads");
    memset(usable, 0x11, PAGE);
}

static void try_instruction(const uint8_t *bytes, struct instruction *i)
{
    memcpy(code, bytes, i->site.length);
    code[i->site.length] = BREAKPOINT;
    i->site.address = (uint64_t)(uintptr_t)code;
    start_registers(i);
    fill_vectors();
    select_lanes(&i->site, next_random() % 2);
    tried++;
    check_edges(i);
    check_writing(i);
    check_reading(i);
}

/* --- Libraries --- */

#define SEEN (1u << 22)
static uint8_t *seen; /* a bit for each kind of instruction, by its hash */

static bool is_new(const uint8_t *bytes, const struct instruction *i)
{
    uint64_t hash = i->site.length;
    for (unsigned n = 0; n < i->site.length; n++) {
        bool displacement = i->site.displacement_at && n >= i->site.displacement_at;
        hash = (hash ^ (displacement ? 0 : bytes[n])) * UINT64_C(0x100000001b3);
    }
    hash ^= hash >> 29;
    uint32_t bit = (uint32_t)(hash % (SEEN * UINT64_C(8)));
    bool sampled = getenv("DEEP") || (hash >> 40) % 16 == 0;
    bool known = seen[bit / 8] >> (bit % 8) & 1;
    seen[bit / 8] |= (uint8_t)(1u << (bit % 8));
    return sampled && !known;
}

static bool find_library(const char *name, char path[256])
{
    static const char *const places[] = {"/lib/x86_64-linux-gnu",
                                         "/usr/lib/x86_64-linux-gnu",
                                         "/lib64",
                                         "/usr/lib64",
                                         "/lib",
                                         "/usr/lib"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, 256, "%s/%s", places[i], name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static size_t try_library(const char *name)
{
    static struct board_module module;
    struct image image;
    GElf_Shdr text;
    size_t start = tried;
    if (!find_library(name, module.path) || !image_open(&image, &module))
        return 0;
    assert_true(image_section(&image, ".text", &text));
    const uint8_t *bytes = image_bytes(&image, text.sh_addr, text.sh_size);
    assert_non_null(bytes);
    for (size_t at = 0; at < text.sh_size;) {
        struct instruction i;
        if (!decode_instruction(bytes + at, text.sh_size - at, &i)) {
            at++;
            continue;
        }
        size_t length = i.site.length;
        if (can_be_tried(&i) && !changes_segment(bytes + at, &i) && is_new(bytes + at, &i))
            try_instruction(bytes + at, &i);
        at += length;
    }
    image_close(&image);
    return tried - start;
}

/* Inside the test: cmocka has signal handlers of its own. */
static void set_up(void)
{
    static uint8_t signals[65536];
    stack_t alternate = {.ss_sp = signals, .ss_size = sizeof signals};
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    static const int numbers[] = {SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    uint8_t *all =
        mmap(NULL, 8 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    assert_true(all != MAP_FAILED && sigaltstack(&alternate, NULL) == 0);
    code = all;
    stack = all + PAGE;
    edges = all + 2 * PAGE;
    usable = edges + PAGE;
    readable = all + 6 * PAGE;
    mprotect(code, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
    mprotect(stack, PAGE, PROT_READ | PROT_WRITE);
    mprotect(usable, PAGE, PROT_READ | PROT_WRITE);
    mprotect(readable, PAGE, PROT_READ);
    memset(usable, 0x11, PAGE);
    seen = calloc(1, SEEN);
    assert_non_null(seen);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    trap_operands_init();
    phase = CAPTURE;
    __asm__ volatile("int3" : : : "memory");
    fill_vectors();
}

static void libraries(void **unused)
{
    static const char *const names[] = {"libc.so.6", "libm.so.6", "libmvec.so.1",
                                        "libstdc++.so.6", "libcrypto.so.3"};
    (void)unused;
    set_up();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t count = try_library(names[i]);
        print_message("%s: %zu kinds of instructions\n", names[i], count);
    }
    print_message("%zu executions refused (alignment), %zu operands that can't be placed\n",
                  aligned, skipped);
    assert_true(tried > 500);
    assert_true(skipped < tried / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
