/* `mazur selftest`: every strategy against the brute-force oracle on random synthetic programs,
 * for users who want to see it and for `make fuzz`. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "selftest/selftest.h"

#define USAGE_ERROR 64

static int print_usage(const char *word)
{
    fprintf(
        stderr,
        "mazur selftest: %s\n"
        "Usage: mazur selftest [--programs N] [--seed N] [--limit N] [--only STRATEGY]\n"
        "                      [--with WHAT,…]\n"
        "Runs every strategy on N random programs (default 1000) and compares what it covers\n"
        "with an enumeration of all interleavings. Each of the following is in a quarter of "
        "the\n"
        "programs; with --with, all programs have those that it names:\n"
        "  sections      atomic sections          timeouts      time-outs of an idle program\n"
        "  spurious      spurious wake-ups        any-timeouts  time-outs at any moment\n"
        "  spins         idle spin loops          copies        read one object, write "
        "another\n"
        "  failures      some executions fail     touches       plain accesses end executions\n"
        "  sync          semaphores, a read-write lock and a barrier\n"
        "  nameless      operations of unknown kind\n"
        "--limit: only programs with at most this many interleavings (default 20000).\n",
        word);
    return USAGE_ERROR;
}

static bool parse_number(const char *text, uint64_t maximum, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long parsed = strtoull(text, &end, 10);
    *value = parsed;
    return errno == 0 && end != text && *end == '\0' && *text != '-' && parsed <= maximum;
}

/* The features that the programs should have, as words separated by commas. */
static bool parse_with(const char *words, struct selftest_options *options)
{
    const struct {
        const char *word;
        bool *wanted;
    } known[] = {
        {"sections", &options->glue},     {"spurious", &options->spurious},
        {"timeouts", &options->time_out}, {"any-timeouts", &options->any_time_out},
        {"spins", &options->spin},        {"failures", &options->check},
        {"copies", &options->copy},       {"sync", &options->synchronise},
        {"touches", &options->touch},     {"nameless", &options->nameless},
    };
    options->mixed = false;
    for (;;) {
        size_t length = strcspn(words, ","), i = 0;
        while (i < sizeof known / sizeof *known &&
               (strlen(known[i].word) != length || strncmp(known[i].word, words, length) != 0))
            i++;
        if (i == sizeof known / sizeof *known)
            return false;
        *known[i].wanted = true;
        if (words[length] == '\0')
            return true;
        words += length + 1;
    }
}

static bool parse_options(int argc, char **argv, struct selftest_options *options,
                          const char **only, const char **fault)
{
    for (int i = 1; i < argc; i++) {
        char *word = argv[i], *equals = strchr(word, '=');
        size_t length = equals ? (size_t)(equals - word) : strlen(word);
        uint64_t value;
        *fault = word;
        const char *text = equals ? equals + 1 : i + 1 < argc ? argv[++i] : "";
        if (length == 6 && strncmp(word, "--only", length) == 0) {
            *only = text;
            continue;
        }
        if (length == 6 && strncmp(word, "--with", length) == 0) {
            if (!parse_with(text, options))
                return false;
            continue;
        }
        if (!parse_number(text, UINT32_MAX, &value))
            return false;
        if (length == 10 && strncmp(word, "--programs", length) == 0)
            options->programs = (uint32_t)value;
        else if (length == 6 && strncmp(word, "--seed", length) == 0)
            options->seed = value;
        else if (length == 7 && strncmp(word, "--limit", length) == 0)
            options->limit = (uint32_t)value;
        else
            return false;
    }
    return true;
}

int selftest_main(int argc, char **argv)
{
    struct selftest_options options = {
        .seed = 1, .programs = 1000, .limit = 20000, .mixed = true, .out = stdout};
    const char *fault = "", *only = NULL;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_usage("checks Mazur itself");
        return 0;
    }
    if (!parse_options(argc, argv, &options, &only, &fault)) {
        char text[128];
        snprintf(text, sizeof text, "what is '%.60s'?", fault);
        return print_usage(text);
    }
    int failed = 0, passed = 0;
    for (int i = 0; i < selftest_nchecks; i++) {
        if (only && strcmp(only, selftest_checks[i].name) != 0)
            continue;
        clock_t start = clock();
        uint32_t tried = 0;
        bool good = selftest_run(&selftest_checks[i], 1, &options, &tried);
        printf("%-24s %s %u programs, %.1f s\n", selftest_checks[i].name,
               good ? "holds on" : "FAILS after", tried,
               (double)(clock() - start) / CLOCKS_PER_SEC);
        fflush(stdout);
        passed += good;
        failed += !good;
    }
    if (passed + failed == 0)
        return print_usage("--only: there is no such check");
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 70 : 0;
}
