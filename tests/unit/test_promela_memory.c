/* How much memory a model may take by default, from files as Linux writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "promela/store/memory_limit.h"

#define GIGA ((size_t)1 << 30)

static char root[] = "/tmp/mazur-memory-XXXXXX";

/* The file, with the folders that lead to it. */
static void put(const char *path, const char *text)
{
    char name[512];
    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *at = strchr(name + strlen(root) + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(name, 0700);
        *at = '/';
    }
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void whole_machine(void **state)
{
    (void)state;
    assert_int_equal(memory_for_states(root), 3 * GIGA); /* nothing known: of 4 GB */
    put("/proc/meminfo", "MemTotal:       8388608 kB\nMemFree: 1 kB\n");
    assert_int_equal(memory_for_states(root), 6 * GIGA);
    put("/proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 5242880 kB\n");
    assert_int_equal(memory_for_states(root), 5 * GIGA / 10 * 9);
    put("/proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 8000000 kB\n");
}

static void version_two(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/a/b\n");
    assert_int_equal(memory_for_states(root), 6 * GIGA);
    put("/sys/fs/cgroup/a/b/memory.max", "max\n");
    assert_int_equal(memory_for_states(root), 6 * GIGA);
    put("/sys/fs/cgroup/a/memory.max", "4294967296\n"); /* of the group above */
    assert_int_equal(memory_for_states(root), 3 * GIGA);
    put("/sys/fs/cgroup/a/b/memory.max", "1073741824\n");
    assert_int_equal(memory_for_states(root), 3 * GIGA / 4);
    put("/proc/self/cgroup", "0::/\n"); /* a container sees its own group as the root */
    put("/sys/fs/cgroup/memory.max", "2147483648\n");
    assert_int_equal(memory_for_states(root), 3 * GIGA / 2);
}

static void version_one(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "3:cpu:/x\n5:memory:/c\n1:name=systemd:/x\n");
    put("/sys/fs/cgroup/memory/c/memory.limit_in_bytes", "1073741824\n");
    assert_int_equal(memory_for_states(root), 3 * GIGA / 4);
    put("/sys/fs/cgroup/memory/c/memory.limit_in_bytes", "9223372036854771712\n"); /* none */
    assert_int_equal(memory_for_states(root), 6 * GIGA);
}

static int make_root(void **state)
{
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_machine),
                                       cmocka_unit_test(version_two),
                                       cmocka_unit_test(version_one)};
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
