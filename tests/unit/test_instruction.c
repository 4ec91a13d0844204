/* The instruction decoder: single instructions with what they access, and whole programs
 * against objdump, which must see the same instructions at the same addresses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/instruction.h"

struct example {
    const char *text; /* for the reader, and for the message */
    const char *bytes;
    uint8_t length, kind, size;
    bool locked;
};

#define LENGTH(bytes) bytes, sizeof bytes - 1

static const struct example examples[] = {
    {"lock cmpxchg %ecx,(%rdi)", LENGTH("\xf0\x0f\xb1\x0f"), SITE_COMPARE, 4, true},
    {"lock cmpxchg %rcx,8(%rdi)", LENGTH("\xf0\x48\x0f\xb1\x4f\x08"), SITE_COMPARE, 8, true},
    {"lock cmpxchg16b (%rdi)", LENGTH("\xf0\x48\x0f\xc7\x0f"), SITE_COMPARE, 16, true},
    {"xchg %eax,(%rdi)", LENGTH("\x87\x07"), SITE_UPDATE, 4, true},
    {"xchg %al,(%rdi)", LENGTH("\x86\x07"), SITE_UPDATE, 1, true},
    {"lock xadd %eax,0x0(%rip)", LENGTH("\xf0\x0f\xc1\x05\0\0\0\0"), SITE_UPDATE, 4, true},
    {"lock incl (%rax)", LENGTH("\xf0\xff\x00"), SITE_UPDATE, 4, true},
    {"lock orl $0,(%rsp)", LENGTH("\xf0\x83\x0c\x24\x00"), SITE_NONE, 0, false},
    {"mov (%rdi),%eax", LENGTH("\x8b\x07"), SITE_LOAD, 4, false},
    {"mov (%rdi),%ax", LENGTH("\x66\x8b\x07"), SITE_LOAD, 2, false},
    {"movzbl (%rdi),%eax", LENGTH("\x0f\xb6\x07"), SITE_LOAD, 1, false},
    {"mov %rax,(%rdi,%rcx,8)", LENGTH("\x48\x89\x04\xcf"), SITE_STORE, 8, false},
    {"movl $1,(%rdi)", LENGTH("\xc7\x07\x01\x00\x00\x00"), SITE_STORE, 4, false},
    {"movw $1,(%rdi)", LENGTH("\x66\xc7\x07\x01\x00"), SITE_STORE, 2, false},
    {"movb $1,(%rdi)", LENGTH("\xc6\x07\x01"), SITE_STORE, 1, false},
    {"cmpl $0,(%rdi)", LENGTH("\x83\x3f\x00"), SITE_LOAD, 4, false},
    {"testb $1,(%rdi)", LENGTH("\xf6\x07\x01"), SITE_LOAD, 1, false},
    {"notl (%rdi)", LENGTH("\xf7\x17"), SITE_UPDATE, 4, false},
    {"add %eax,(%rdi)", LENGTH("\x01\x07"), SITE_UPDATE, 4, false},
    {"add (%rdi),%eax", LENGTH("\x03\x07"), SITE_LOAD, 4, false},
    {"lock bts %rax,(%rdi)", LENGTH("\xf0\x48\x0f\xab\x07"), SITE_UPDATE, 8, true},
    {"bt %eax,(%rdi)", LENGTH("\x0f\xa3\x07"), SITE_LOAD, 4, false},
    {"movdqu (%rdi),%xmm0", LENGTH("\xf3\x0f\x6f\x07"), SITE_LOAD, 16, false},
    {"movups %xmm0,(%rdi)", LENGTH("\x0f\x11\x07"), SITE_STORE, 16, false},
    {"vmovdqu %ymm0,(%rdi)", LENGTH("\xc5\xfe\x7f\x07"), SITE_STORE, 32, false},
    {"lea 8(%rdi),%rax", LENGTH("\x48\x8d\x47\x08"), SITE_NONE, 0, false},
    {"nopw 0(%rax,%rax,1)", LENGTH("\x66\x0f\x1f\x84\0\0\0\0\0"), SITE_NONE, 0, false},
    {"mov %fs:0x28,%rax", LENGTH("\x64\x48\x8b\x04\x25\x28\0\0\0"), SITE_NONE, 0, false},
    {"mov 8(%rsp),%rax", LENGTH("\x48\x8b\x44\x24\x08"), SITE_NONE, 0, false},
    {"call *(%rax)", LENGTH("\xff\x10"), SITE_NONE, 0, false},
    {"push (%rax)", LENGTH("\xff\x30"), SITE_LOAD, 8, false},
    {"push %rax", LENGTH("\x50"), SITE_NONE, 0, false},
    {"fldt (%rdi)", LENGTH("\xdb\x2f"), SITE_LOAD, 10, false},
    {"fstpt (%rdi)", LENGTH("\xdb\x3f"), SITE_STORE, 10, false},
    {"fldl (%rdi)", LENGTH("\xdd\x07"), SITE_LOAD, 8, false},
    {"fistpll (%rdi)", LENGTH("\xdf\x3f"), SITE_STORE, 8, false},
    {"fnstcw (%rdi)", LENGTH("\xd9\x3f"), SITE_STORE, 2, false},
    {"rep movsq", LENGTH("\xf3\x48\xa5"), SITE_COPY, 8, false},
    {"stosb", LENGTH("\xaa"), SITE_FILL, 1, false},
    {"movabs $0x1122334455667788,%rax", LENGTH("\x48\xb8\x88\x77\x66\x55\x44\x33\x22\x11"),
     SITE_NONE, 0, false},
    {"pause", LENGTH("\xf3\x90"), SITE_NONE, 0, false},
    {"mfence", LENGTH("\x0f\xae\xf0"), SITE_NONE, 0, false},
    {"syscall", LENGTH("\x0f\x05"), SITE_SYSCALL, 0, false},
    {"je near", LENGTH("\x0f\x84\0\0\0\0"), SITE_NONE, 0, false},
};

static bool decode_site(const uint8_t *bytes, size_t length, struct board_site *site)
{
    struct instruction instruction;
    bool good = decode_instruction(bytes, length, &instruction);
    *site = instruction_site(&instruction);
    return good;
}

static void single_instructions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *example = &examples[i];
        const uint8_t *bytes = (const uint8_t *)example->bytes;
        struct board_site site;
        bool good = decode_site(bytes, example->length, &site);
        if (!good || site.length != example->length || site.kind != example->kind ||
            site.size != example->size || site.locked != example->locked)
            fail_msg("%s: length %u kind %u size %u locked %d", example->text, site.length,
                     site.kind, site.size, site.locked);
        assert_false(decode_site(bytes, example->length - 1u, &site) &&
                     site.length >= example->length);
    }
}

static void operands(void **state)
{
    (void)state;
    struct board_site site;
    /* lock xadd %eax,0x11223344(%rip) */
    const uint8_t relative[] = {0xf0, 0x0f, 0xc1, 0x05, 0x44, 0x33, 0x22, 0x11};
    assert_true(decode_site(relative, sizeof relative, &site));
    assert_int_equal(site.base, SITE_RIP);
    assert_int_equal(site.displacement, 0x11223344);
    assert_int_equal(site.displacement_at, 4);
    /* mov %rax,-8(%r13,%r12,4) */
    const uint8_t indexed[] = {0x4b, 0x89, 0x44, 0xa5, 0xf8};
    assert_true(decode_site(indexed, sizeof indexed, &site));
    assert_int_equal(site.base, 13);
    assert_int_equal(site.index, 12);
    assert_int_equal(site.scale, 2);
    assert_int_equal(site.displacement, -8);
    /* lock bts %r9,(%r8) */
    const uint8_t bit[] = {0xf0, 0x4d, 0x0f, 0xab, 0x08};
    assert_true(decode_site(bit, sizeof bit, &site));
    assert_int_equal(site.base, 8);
    assert_int_equal(site.bit_register, 9);
}

/* Compare with objdump over this very program: "  401136:\t55   \tpush %rbp". */
static void a_whole_program(void **state)
{
    (void)state;
    char line[512];
    size_t count = 0;
    if (system("objdump --version >/dev/null 2>&1") != 0)
        skip();
    char command[256];
    snprintf(command, sizeof command, "objdump -d -w -j .text /proc/%d/exe", (int)getpid());
    FILE *listing = popen(command, "r");
    assert_non_null(listing);
    while (fgets(line, sizeof line, listing)) {
        uint8_t bytes[16];
        size_t length = 0;
        char *tab = strchr(line, '\t');
        if (!tab || strstr(line, "(bad)") || strstr(line, "data16") || strstr(line, "fwait"))
            continue;
        for (char *at = tab + 1; length < sizeof bytes && at[0] != ' ' && at[0] != '\t';
             at += 3) {
            char digits[3] = {at[0], at[1], 0};
            bytes[length++] = (uint8_t)strtoul(digits, NULL, 16);
        }
        struct board_site site;
        if (!decode_site(bytes, length, &site) || site.length != length)
            fail_msg("decoded as %u bytes: %s", site.length, line);
        count++;
    }
    assert_int_equal(pclose(listing), 0);
    assert_true(count > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_instructions),
        cmocka_unit_test(operands),
        cmocka_unit_test(a_whole_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
