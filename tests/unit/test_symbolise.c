/* Names of code and data addresses, on the test program itself: it knows where its variables
 * are, and the symboliser must find out from the ELF file alone. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debuginfo/symbolise.h"

struct slot {
    int state;
    long sequence;
};
static struct {
    struct slot slots[4];
    pthread_mutex_t mutex;
    union {
        char bytes[8];
        long whole;
    } either;
} table;
int matrix[3][5];
int counter;
static volatile int touched;

static struct board *board;

static int note_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    struct board_module *module = &board->module[board->nmodules];
    module->bias = info->dlpi_addr;
    module->start = UINT64_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        uint64_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        uint64_t end = start + info->dlpi_phdr[i].p_memsz;
        module->start = start < module->start ? start : module->start;
        module->end = end > module->end ? end : module->end;
    }
    if (board->nmodules == 0) {
        if (readlink("/proc/self/exe", module->path, BOARD_PATH - 1) < 0)
            return -1;
    } else {
        snprintf(module->path, BOARD_PATH, "%s", info->dlpi_name);
    }
    board->nmodules++;
    return 0;
}

static struct arena arena;
static struct symboliser *symboliser;

static int start(void **state)
{
    (void)state;
    board = calloc(1, sizeof *board);
    dl_iterate_phdr(note_module, NULL);
    symboliser = symboliser_new(board, &arena);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    symboliser_free(symboliser);
    arena_free(&arena);
    free(board);
    return 0;
}

static const char *name_of_data(const volatile void *address, unsigned size)
{
    const char *name = symbolise_data(symboliser, (uint64_t)(uintptr_t)address, size);
    return name ? name : "(none)";
}

static void variables(void **state)
{
    (void)state;
    static int inside;
    matrix[0][0] = counter = inside = table.slots[0].state = touched;
    assert_string_equal(name_of_data(&counter, 4), "counter");
    assert_string_equal(name_of_data(&inside, 4), "inside");
    assert_string_equal(name_of_data(&table.slots[2].sequence, 8), "table.slots[2].sequence");
    assert_string_equal(name_of_data(&table.slots[3].state, 4), "table.slots[3].state");
    assert_string_equal(name_of_data(&table.mutex, 0), "table.mutex");
    assert_string_equal(name_of_data(&table.mutex, 4), "table.mutex");
    assert_string_equal(name_of_data(&table.either.whole, 8), "table.either.whole");
    assert_string_equal(name_of_data(&table.either.bytes[3], 1), "table.either.bytes[3]");
    assert_string_equal(name_of_data(&matrix[2][4], 4), "matrix[2][4]");
    assert_string_equal(name_of_data((char *)&matrix[1][0] + 1, 1), "matrix[1][0]+1");
    assert_string_equal(name_of_data(&touched, 4), "touched");
}

static void unknown_data(void **state)
{
    (void)state;
    int local = 0;
    assert_string_equal(name_of_data(&local, 4), "(none)");
    assert_string_equal(name_of_data(NULL, 4), "(none)");
    assert_string_equal(name_of_data((void *)UINTPTR_MAX, 8), "(none)");
    assert_string_equal(name_of_data(board, 8), "(none)");
}

static void given_names(void **state)
{
    (void)state;
    board->name[0] = (struct board_name){(uintptr_t)&matrix[1][1], 8, "the pair"};
    board->nnames = 1;
    assert_string_equal(name_of_data(&matrix[1][1], 4), "the pair");
    assert_string_equal(name_of_data(&matrix[1][2], 4), "the pair+4");
    assert_string_equal(name_of_data(&matrix[1][3], 4), "matrix[1][3]");
}

/* Where this code is; inlining keeps it, unlike the address of a label. */
static inline __attribute__((always_inline)) void inlined(struct board_stack *stack)
{
    uint64_t pc;
    touched++;
#if defined(__x86_64__)
    __asm__ volatile("lea 0(%%rip), %0" : "=r"(pc));
#else
    __asm__ volatile("adr %0, ." : "=r"(pc));
#endif
    stack->pc[stack->depth++] = pc;
    touched++;
}

static __attribute__((noinline)) void outer(struct board_stack *stack)
{
    inlined(stack);
    touched++;
}

static void code(void **state)
{
    (void)state;
    struct board_stack stack = {0};
    outer(&stack);
    struct source_stack places = symbolise_stack(symboliser, &stack, true);
    assert_true(places.count >= 2);
    assert_string_equal(places.place[0].function, "inlined");
    assert_string_equal(places.place[1].function, "outer");
    assert_non_null(strstr(places.place[0].file, "test_symbolise.c"));
    assert_true(places.place[0].line > 0 && places.place[1].line > places.place[0].line);
    assert_false(places.place[0].library);
    places = symbolise_code(symboliser, (uintptr_t)outer, false);
    assert_string_equal(places.place[places.count - 1].function, "outer");
}

static void library_code(void **state)
{
    (void)state;
    struct source_stack places = symbolise_code(symboliser, (uintptr_t)qsort, false);
    assert_int_equal(places.count, 1);
    assert_true(places.place[0].library);
    assert_non_null(places.place[0].function);
    places = symbolise_code(symboliser, 0x10, false); /* no module there */
    assert_int_equal(places.count, 1);
    assert_string_equal(places.place[0].function, "0x10");
}

/* A module whose file is damaged, gone or another one must not matter. */
static void damaged_modules(void **state)
{
    (void)state;
    char path[] = "/tmp/mazur-elf-XXXXXX";
    int from = open("/proc/self/exe", O_RDONLY), to = mkstemp(path);
    struct stat status;
    assert_true(from >= 0 && to >= 0 && fstat(from, &status) == 0);
    char *image = malloc((size_t)status.st_size);
    assert_int_equal(read(from, image, (size_t)status.st_size), status.st_size);
    uint64_t seed = 42;
    for (int round = 0; round < 60; round++) {
        struct board *copy = calloc(1, sizeof *copy);
        struct arena own = {0};
        memcpy(copy->module, board->module, sizeof *copy->module);
        copy->nmodules = 1;
        snprintf(copy->module[0].path, BOARD_PATH, "%s", path);
        size_t size =
            round % 3 ? (size_t)status.st_size : (size_t)status.st_size / 60 * (size_t)round;
        assert_int_equal(ftruncate(to, 0), 0);
        assert_true(pwrite(to, image, size, 0) == (ssize_t)size);
        for (int i = 0; i < 200 && size; i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            char byte = (char)(seed >> 56);
            assert_int_equal(pwrite(to, &byte, 1, (off_t)((seed >> 16) % size)), 1);
        }
        struct symboliser *other = symboliser_new(copy, &own);
        symbolise_data(other, (uintptr_t)&matrix[2][4], 4);
        symbolise_data(other, (uintptr_t)&table.mutex, 0);
        symbolise_code(other, (uintptr_t)outer, false);
        symboliser_free(other);
        arena_free(&own);
        free(copy);
    }
    free(image);
    close(from);
    close(to);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables),
        cmocka_unit_test(unknown_data),
        cmocka_unit_test(code),
        cmocka_unit_test(library_code),
        cmocka_unit_test(damaged_modules),
        cmocka_unit_test(given_names),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
