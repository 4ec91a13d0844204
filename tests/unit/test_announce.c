/* Accesses that are not announced, in code that real compilers make: none where everything is,
 * exactly those where something is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/unannounced.h"

static char directory[] = "/tmp/mazur-announce-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* The linker does not need the hooks for a library. */
static bool compile(const char *compiler, const char *flags, const char *name)
{
    char command[1024];
    snprintf(
        command, sizeof command,
        "cd %s && %s %s -g -fPIC -fno-omit-frame-pointer -fsanitize=thread -c -o m.o %s && "
        "%s -shared -nostdlib -o m.so m.o",
        directory, compiler, flags, name, compiler);
    return system(command) == 0;
}

static uint64_t end_of(const struct board_module *module)
{
    struct image image;
    size_t count = 0;
    uint64_t end = 0;
    assert_true(image_open(&image, module));
    assert_int_equal(elf_getphdrnum(image.elf, &count), 0);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        assert_non_null(gelf_getphdr(image.elf, (int)i, &header));
        if (header.p_type == PT_LOAD && header.p_vaddr + header.p_memsz > end)
            end = header.p_vaddr + header.p_memsz;
    }
    image_close(&image);
    return end;
}

struct count {
    struct symboliser *symboliser;
    const char *function;
    int accesses;
};

static void count_access(void *context, const struct finding *finding)
{
    struct count *count = context;
    struct source_stack places =
        symbolise_code(count->symboliser, finding->site.address, false);
    const char *in = places.count ? places.place[places.count - 1].function : "?";
    assert_true(finding->kind == FOUND_PLAIN || strcmp(in, "assembly") == 0);
    if (!count->function || strcmp(in, count->function) == 0)
        count->accesses++;
}

/* How many in the function, or (NULL) in all of the code. */
static int unannounced_in(const char *function)
{
    struct board *board = calloc(1, sizeof *board);
    struct arena arena = {0};
    assert_non_null(board);
    board->nmodules = 1;
    board->module[0].instrumented = true;
    snprintf(board->module[0].path, sizeof board->module[0].path, "%s/m.so", directory);
    board->module[0].end = end_of(&board->module[0]);
    struct count count = {symboliser_new(board, &arena), function, 0};
    assert_true(unannounced_of_module(board, count.symboliser, 0, count_access, &count));
    symboliser_free(count.symboliser);
    arena_free(&arena);
    free(board);
    return count.accesses;
}

static const char *const compilers[] = {"gcc", "clang"};
static const char *const levels[] = {"-O0", "-O1", "-O2", "-O3", "-Os"};

static bool has_compiler(const char *name)
{
    char command[64];
    snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", name);
    return system(command) == 0;
}

static void for_all(const char *name, void (*check)(const char *compiler, const char *level))
{
    for (size_t c = 0; c < sizeof compilers / sizeof *compilers; c++)
        for (size_t l = 0; has_compiler(compilers[c]) && l < sizeof levels / sizeof *levels;
             l++) {
            if (!compile(compilers[c], levels[l], name))
                fail_msg("%s %s %s", compilers[c], levels[l], name);
            check(compilers[c], levels[l]);
        }
}

/* --- All is announced --- */

static const char *const quiet =
    "struct list { struct list *next; long value; };\n"
    "static const int table[] = {3, 1, 2, 7};\n"
    "static long total, counts[8];\n"
    "extern void give(struct list *);\n"
    "extern int choose(int);\n"
    "long walk(struct list *list, long wanted)\n"
    "{\n"
    "    for (; list; list = list->next)\n"
    "        if (list->value == wanted)\n"
    "            total += list->value, list->value = 0;\n"
    "    return total;\n"
    "}\n"
    "void count(const int *numbers, int n)\n"
    "{\n"
    "    int own[4] = {0};\n"
    "    for (int i = 0; i < n; i++)\n"
    "        own[numbers[i] & 3] += table[i & 3];\n"
    "    for (int i = 0; i < 4; i++)\n"
    "        counts[i] += own[i];\n"
    "}\n"
    "int decide(int n)\n"
    "{\n"
    "    switch (n) {\n"
    "    case 0: return choose(3);\n"
    "    case 1: counts[1]++; break;\n"
    "    case 2: counts[2] += 2; /* fall through */\n"
    "    case 3: total -= counts[3]; break;\n"
    "    case 4: counts[4] = choose(n) ? counts[5] : counts[6]; break;\n"
    "    case 5: total ^= counts[n]; break;\n"
    "    default: return n;\n"
    "    }\n"
    "    return choose(n);\n"
    "}\n"
    "long wait(void)\n"
    "{\n"
    "    while (__atomic_load_n(&counts[0], __ATOMIC_ACQUIRE) == 0)\n"
    "        if (choose(1))\n"
    "            counts[7]++;\n"
    "    return __atomic_exchange_n(&counts[0], 1, __ATOMIC_SEQ_CST) + total;\n"
    "}\n"
    "long lend(long n)\n"
    "{\n"
    "    long lent = n;\n"
    "    give((struct list *)&lent);\n"
    "    return lent + table[n & 3];\n"
    "}\n";

static void nothing_left_out(const char *compiler, const char *level)
{
    int accesses = unannounced_in(NULL);
    if (accesses)
        fail_msg("%s %s: %d accesses", compiler, level, accesses);
}

static void announced(void **state)
{
    (void)state;
    write_file("quiet.c", quiet);
    for_all("quiet.c", nothing_left_out);
}

/* --- Some is not --- */

static const char *const loud =
    "struct large { long part[7]; };\n"
    "static struct large large, *pointer = &large;\n"
    "extern long take(struct large);\n"
    "extern void give(struct large *);\n"
    "long by_value(void) { return take(large); }\n"
    "long through_pointer(int n) { return take(pointer[n]); }\n"
    "void assembly(void) { __asm__(\"movq $1, %0\" : \"=m\"(large.part[2])); take(large); }\n"
    "long lent(void) { struct large mine = {{1}}; give(&mine); return take(mine); }\n"
    "long literal(void)\n"
    "{\n"
    "    struct large *mine = &(struct large){{1}};\n"
    "    give(mine);\n"
    "    return mine->part[3];\n"
    "}\n"
    "__attribute__((no_sanitize_thread)) void exempt(void) { large.part[1]++; }\n";

static void what_is_left_out(const char *compiler, const char *level)
{
    static const char *const functions[] = {"by_value", "through_pointer", "assembly", "lent"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (unannounced_in(functions[i]) == 0)
            fail_msg("%s %s: nothing in %s", compiler, level, functions[i]);
    /* gcc, and clang without optimisation, announce what is accessed by a pointer variable */
    if (strcmp(compiler, "clang") == 0 && strcmp(level, "-O0") != 0 &&
        unannounced_in("literal") == 0)
        fail_msg("%s %s: nothing in literal", compiler, level);
    assert_int_equal(unannounced_in("exempt"), 0);
}

static void not_announced(void **state)
{
    (void)state;
    write_file("loud.c", loud);
    for_all("loud.c", what_is_left_out);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int clean_up(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(announced),
        cmocka_unit_test(not_announced),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
