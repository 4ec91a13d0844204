/* Small random programs: compares Mazur's result for each with what the interpreter enumerates.
 *
 * Usage: small_fuzz MAZUR PROGRAMS FIRST-SEED STRATEGIES DRIVER…     (small.sh calls it so)
 *        small_fuzz MAZUR CODE PRINT                               what the interpreter says
 *
 * Each program is run in three ways. The strategy and the driver (one per compiler) rotate with
 * the number of the program (ROUNDS times, each with the next ones):
 *
 *   outcomes   --races=report --keep-going: the same outcomes, the same kinds of failures
 *   explored   --races=explore --keep-going: the same, with every racing plain access a step
 *   least      stopping at the first failure, with a strategy that has a bound: the failure has
 *              the fewest preemptions
 *
 * Another $FILES programs are written as separate C files and compiled by Mazur, with one
 * compiler after the other: the same kinds of failures, the same number of preemptions.
 *
 * And if nothing fails, "complete" must be claimed. A difference is shrunk, then printed. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <jansson.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "small_generate.h"
#include "small_interpreter.h"

#define MOST_STATES 150000
#define EXECUTIONS  "3000" /* a search that needs more is not judged */
#define CODE_MAX    (THREADS * (INSTRUCTIONS * 4 + 1) + 1)

enum way { OUTCOMES, EXPLORED, LEAST, WAYS };
static const char *const way_names[WAYS] = {"outcomes", "explored", "least"};

struct run {
    const char *mazur, *driver, *strategy;
    enum way way;
    bool as_file; /* a separate C file instead of the driver; then `driver` is a compiler */
    bool judged;  /* the search finished */
    char difference[256];
};

extern char **environ;
static char outcomes_file[] = "outcomes", json_file[] = "result.json",
            source_file[] = "small.c";

static bool is_bounded(const char *strategy)
{
    return strcmp(strategy, "auto") == 0 || strcmp(strategy, "icb") == 0 ||
           strncmp(strategy, "bpor", 4) == 0 || strncmp(strategy, "cbpor", 5) == 0;
}

/* ---- running Mazur ---- */

static int start(const struct run *run, const char *code)
{
    const char *words[24];
    char silent[4096];
    int n = 0;
    words[n++] = run->mazur;
    words[n++] = run->as_file ? "check" : "run";
    words[n++] = "--quiet";
    words[n++] = "--no-trace";
    words[n++] = "--strategy";
    words[n++] = run->strategy;
    words[n++] = "--simplify=0";
    /* executions that the step bound cuts are not counted: there may be no end of them */
    words[n++] = strcmp(run->strategy, "idb") == 0 ? "--time=4" : "--time=0";
    words[n++] = "--execs";
    words[n++] = EXECUTIONS;
    words[n++] = "--json";
    words[n++] = json_file;
    words[n++] = run->way == EXPLORED ? "--races=explore" : "--races=report";
    if (run->way != LEAST)
        words[n++] = "--keep-going";
    if (run->as_file) {
        words[n++] = "--compiler";
        words[n++] = run->driver;
        words[n++] = source_file;
    } else {
        snprintf(silent, sizeof silent, "%s-silent", run->driver);
        words[n++] = run->way == LEAST ? silent : run->driver;
        words[n++] = code;
    }
    words[n] = NULL;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "output", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    unlink(outcomes_file);
    unlink(json_file);
    pid_t child;
    int status = -1;
    if (posix_spawn(&child, run->mazur, &actions, NULL, (char **)words, environ) == 0)
        waitpid(child, &status, 0);
    posix_spawn_file_actions_destroy(&actions);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The different outcomes in the file, sorted. */
static size_t read_outcomes(uint64_t **outcomes)
{
    size_t count = 0, room = 0;
    char line[32];
    *outcomes = NULL;
    FILE *file = fopen(outcomes_file, "r");
    while (file && fgets(line, sizeof line, file)) {
        uint64_t value = 0;
        for (int i = 15; i >= 0; i--)
            value = value << 4 |
                    (uint64_t)(line[1 + i] <= '9' ? line[1 + i] - '0' : line[1 + i] - 'a' + 10);
        if (count == room) {
            room = room ? room * 2 : 1024;
            *outcomes = realloc(*outcomes, room * sizeof **outcomes);
        }
        (*outcomes)[count++] = value;
    }
    if (file)
        fclose(file);
    if (count == 0)
        return 0;
    qsort(*outcomes, count, sizeof **outcomes, compare_numbers);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if ((*outcomes)[i] != (*outcomes)[kept - 1])
            (*outcomes)[kept++] = (*outcomes)[i];
    return kept;
}

/* ---- comparing ---- */

static void differ(struct run *run, const char *format, ...)
{
    if (run->difference[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->difference, sizeof run->difference, format, arguments);
    va_end(arguments);
}

/* With `all` they must be all possible ones; otherwise each must be possible. */
static void compare_outcomes(struct run *run, const struct result *expected, bool all)
{
    uint64_t *outcomes;
    size_t count = read_outcomes(&outcomes), i = 0, j = 0, lost = 0, more = 0;
    while (i < count || j < (size_t)expected->outcomes) {
        uint64_t seen = i < count ? outcomes[i] : UINT64_MAX;
        uint64_t wanted = j < (size_t)expected->outcomes ? expected->outcome[j] : UINT64_MAX;
        lost += wanted < seen;
        more += seen < wanted;
        i += seen <= wanted;
        j += wanted <= seen;
    }
    free(outcomes);
    if ((lost && all) || more)
        differ(run, "lacks %zu outcomes of %d, has %zu that can't be", lost, expected->outcomes,
               more);
}

static int verdict_of(const char *kind)
{
    for (int verdict = 0; verdict < VERDICTS; verdict++)
        if (strcmp(kind, verdict_names[verdict]) == 0)
            return verdict;
    return -1;
}

static void compare_failures(struct run *run, json_t *json, const struct result *expected,
                             bool all)
{
    bool seen[VERDICTS] = {false};
    size_t index;
    json_t *failure;
    json_array_foreach(json_object_get(json, "failures"), index, failure)
    {
        const char *kind = json_string_value(json_object_get(failure, "kind"));
        int verdict = verdict_of(kind ? kind : "?");
        if (verdict < 0 || expected->least[verdict] == NEVER)
            differ(run, "says %s, which can't be", kind ? kind : "?");
        else
            seen[verdict] = true;
    }
    for (int verdict = 0; verdict < VERDICTS; verdict++)
        if (all && expected->least[verdict] != NEVER && !seen[verdict])
            differ(run, "misses %s", verdict_names[verdict]);
}

static void compare_least(struct run *run, json_t *json, const struct result *expected)
{
    int least = NEVER;
    for (int verdict = 0; verdict < VERDICTS; verdict++)
        least = expected->least[verdict] < least ? expected->least[verdict] : least;
    json_t *failures = json_object_get(json, "failures");
    if (json_array_size(failures) == 0) {
        if (least != NEVER)
            differ(run, "finds nothing, but there is a failure with %d preemptions", least);
        return;
    }
    json_t *failure = json_array_get(failures, 0);
    const char *kind = json_string_value(json_object_get(failure, "kind"));
    int preemptions = (int)json_integer_value(json_object_get(failure, "preemptions"));
    int verdict = verdict_of(kind ? kind : "?");
    if (verdict < 0 || expected->least[verdict] == NEVER)
        differ(run, "says %s, which can't be", kind ? kind : "?");
    else if (preemptions != least || expected->least[verdict] != least)
        differ(run, "%s with %d preemptions, but it takes %d, and the first failure %d", kind,
               preemptions, expected->least[verdict], least);
}

static bool fails_anywhere(const struct result *expected)
{
    for (int verdict = 0; verdict < VERDICTS; verdict++)
        if (expected->least[verdict] != NEVER)
            return true;
    return false;
}

/* Is "complete" claimed, or withheld only because of the library with which the driver reports
 * its outcomes? (DRIVER-silent, which runs if only failures are compared, has no such
 * library.) */
static bool claims_all(const struct run *run, json_t *json)
{
    size_t index;
    json_t *reason;
    if (json_is_true(json_object_get(json, "complete")))
        return true;
    if (run->way == LEAST || run->as_file)
        return false;
    json_array_foreach(json_object_get(json, "reasons"), index, reason)
    {
        const char *id = json_string_value(json_object_get(reason, "id"));
        if (!id || strcmp(id, "code-not-instrumented") != 0)
            return false;
    }
    return index > 0;
}

static bool has_reason(json_t *json, const char *wanted)
{
    size_t index;
    json_t *reason;
    json_array_foreach(json_object_get(json, "reasons"), index, reason)
    {
        const char *id = json_string_value(json_object_get(reason, "id"));
        if (id && strcmp(id, wanted) == 0)
            return true;
    }
    return false;
}

/* Run the program in one way; run->difference says what differs. */
static void judge(struct run *run, const struct program *program)
{
    static struct result expected;
    char code[CODE_MAX];
    run->difference[0] = '\0';
    run->judged = false;
    interpret(program, run->way != EXPLORED, MOST_STATES, &expected);
    if (expected.too_large)
        return;
    small_encode(program, code);
    if (run->as_file) {
        FILE *file = fopen(source_file, "w");
        if (!file)
            exit(70);
        print_as_c(program, file);
        fclose(file);
    }
    int status = start(run, code);
    json_error_t error;
    json_t *json = json_load_file(json_file, 0, &error);
    if (!json) {
        differ(run, "ends with code %d and no result", status);
        return;
    }
    long long executions = json_integer_value(json_object_get(json, "executions"));
    if (executions >= atoll(EXECUTIONS) || has_reason(json, "time")) {
        json_decref(json);
        return;
    }
    run->judged = true;
    bool complete = claims_all(run, json);
    bool stateful = strcmp(run->strategy, "sdpor") == 0;
    /* a reported race ends an execution, which on another path to the same state would
     * continue */
    bool all = !stateful || !has_reason(json, "states-without-clocks");
    if (run->way == LEAST) {
        compare_least(run, json, &expected);
    } else {
        compare_failures(run, json, &expected, all);
        if (!run->as_file)
            compare_outcomes(run, &expected, all);
    }
    if (!fails_anywhere(&expected) && !complete && !stateful)
        differ(run, "does not call it complete");
    if (fails_anywhere(&expected) && complete)
        differ(run, "calls it complete");
    json_decref(json);
}

/* ---- all of them ---- */

static bool same_difference(const struct program *program, void *argument)
{
    struct run run = *(struct run *)argument;
    judge(&run, program);
    return run.difference[0] != '\0';
}

static void complain(struct run *run, const struct program *program, uint64_t seed)
{
    struct program smallest = *program;
    char code[CODE_MAX];
    shrink(&smallest, same_difference, run);
    judge(run, &smallest);
    small_encode(&smallest, code);
    printf("FAIL seed %llu, %s, %s, %s: %s\n     %s\n", (unsigned long long)seed, run->strategy,
           way_names[run->way], run->driver, run->difference, code);
    print_as_c(&smallest, stdout);
    fflush(stdout);
}

static int split(char *text, const char *word[], int most)
{
    int n = 0;
    for (char *part = strtok(text, " ,"); part && n < most; part = strtok(NULL, " ,"))
        word[n++] = part;
    return n;
}

static int show(const char *code)
{
    static struct result result;
    struct program program;
    if (small_decode(code, &program) != 0)
        return 64;
    print_as_c(&program, stdout);
    for (int races = 1; races >= 0; races--) {
        interpret(&program, races, MOST_STATES, &result);
        printf("%s: %d states%s, %d outcomes", races ? "races reported" : "races explored",
               result.states, result.too_large ? " (too many)" : "", result.outcomes);
        for (int verdict = 0; verdict < VERDICTS; verdict++)
            if (result.least[verdict] != NEVER)
                printf(", %s with %d", verdict_names[verdict], result.least[verdict]);
        printf("\n");
    }
    return 0;
}

struct tally {
    long runs, judged, wrong;
};

/* One run of one program; true: it was judged. */
static bool try_program(struct run *run, const struct program *program, uint64_t seed,
                        struct tally *tally)
{
    judge(run, program);
    tally->runs++;
    if (run->difference[0]) {
        tally->wrong++;
        complain(run, program, seed);
    }
    return run->judged;
}

static long number_of(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

/* Programs as C files: then the words are compilers. */
static void try_files(const char *mazur, uint64_t first, const char **compiler, int compilers,
                      struct tally *tally)
{
    long files = number_of("FILES", 0);
    bool lifetimes = number_of("LIFETIMES", 0);
    for (long i = 0; i < files; i++) {
        struct program program;
        struct run run = {.mazur = mazur, .strategy = "auto", .as_file = true};
        run.way = i & 1 ? LEAST : OUTCOMES;
        run.driver = compiler[i / 2 % compilers];
        generate(first + (uint64_t)i, lifetimes, &program);
        tally->judged += try_program(&run, &program, first + (uint64_t)i, tally);
    }
}

int main(int argc, char **argv)
{
    const char *strategy[16], *compiler[4];
    char compilers[64];
    if (argc == 4)
        return show(argv[2]);
    if (argc < 6)
        return 64;
    long programs = atol(argv[2]), rounds = number_of("ROUNDS", 1);
    bool lifetimes = number_of("LIFETIMES", 0);
    uint64_t first = strtoull(argv[3], NULL, 10);
    int strategies = split(argv[4], strategy, 16), drivers = argc - 5;
    struct tally tally = {0};
    setenv("OUTCOMES", outcomes_file, 1);
    for (long i = 0; i < programs; i++) {
        struct program program;
        generate(first + (uint64_t)i, lifetimes, &program);
        bool is_judged = false;
        for (long k = 0; k < rounds * WAYS; k++) {
            long turn = (long)first + i * rounds + k / WAYS + k % WAYS;
            struct run run = {.mazur = argv[1], .way = (enum way)(k % WAYS)};
            run.strategy = strategy[turn % strategies];
            run.driver = argv[5 + turn / strategies % drivers];
            bool explores = run.way == EXPLORED && !lifetimes; /* free() is not a step */
            if (explores || run.way == OUTCOMES ||
                (run.way == LEAST && is_bounded(run.strategy)))
                is_judged |= try_program(&run, &program, first + (uint64_t)i, &tally);
        }
        tally.judged += is_judged;
        if ((i + 1) % 250 == 0)
            fprintf(stderr, "%ld programs, %ld judged, %ld runs, %ld differences\n", i + 1,
                    tally.judged, tally.runs, tally.wrong);
    }
    snprintf(compilers, sizeof compilers, "%s",
             getenv("COMPILERS") ? getenv("COMPILERS") : "gcc");
    try_files(argv[1], first, compiler, split(compilers, compiler, 4), &tally);
    printf("%ld random programs, %ld judged by the interpreter, %ld runs: %ld differences\n",
           programs + number_of("FILES", 0), tally.judged, tally.runs, tally.wrong);
    return tally.wrong != 0;
}
