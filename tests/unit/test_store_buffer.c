/* The monitor for store buffers against a machine that has them: random programs of loads,
 * stores, fences and read-modify-writes are run in all ways that TSO allows, and in all
 * interleavings. An execution is who reads from whom and the order of the stores to each
 * variable. TSO has executions that no interleaving has iff the monitor finds an interleaving
 * vulnerable.
 *
 * STORE_BUFFER_PROGRAMS=n looks at n programs instead of the number that `make test` has time
 * for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "explore/judge/store_buffer.h"
#include "unit_size.h"

#define THREADS   3
#define STEPS     4 /* of a thread */
#define VARIABLES 3

enum step_kind { LOAD, STORE, STORE_SC, FENCE, RMW };

struct step {
    enum step_kind kind;
    int variable;
};

struct program {
    int threads;
    int length[THREADS];
    struct step step[THREADS][STEPS];
};

/* A store is named by 1 + thread * STEPS + its step; 0 is the initial value. */
struct machine {
    uint8_t at[THREADS];
    uint8_t buffered[THREADS][STEPS]; /* oldest first */
    uint8_t nbuffered[THREADS];
    uint8_t memory[VARIABLES];
    uint8_t from[THREADS][STEPS];              /* what each load read */
    uint8_t order[VARIABLES][THREADS * STEPS]; /* stores as they reached memory */
    uint8_t norder[VARIABLES];
};

struct explorer {
    const struct program *program;
    struct table seen; /* machine states that were explored */
    struct table ends; /* executions */
};

static int name_of(int thread, int step)
{
    return 1 + thread * STEPS + step;
}

static int variable_of(const struct program *program, int store)
{
    return program->step[(store - 1) / STEPS][(store - 1) % STEPS].variable;
}

static void commit(const struct program *program, struct machine *machine, int store)
{
    int variable = variable_of(program, store);
    machine->memory[variable] = (uint8_t)store;
    machine->order[variable][machine->norder[variable]++] = (uint8_t)store;
}

static uint8_t value_for(const struct program *program, const struct machine *machine,
                         int thread, int variable)
{
    for (int i = machine->nbuffered[thread]; i-- > 0;)
        if (variable_of(program, machine->buffered[thread][i]) == variable)
            return machine->buffered[thread][i];
    return machine->memory[variable];
}

/* The next step of a thread. False: it waits for its buffer to be empty. */
static bool execute(const struct program *program, struct machine *machine, int thread,
                    bool buffers)
{
    int at = machine->at[thread];
    const struct step *step = &program->step[thread][at];
    bool locked = step->kind != LOAD && step->kind != STORE;
    if (locked && machine->nbuffered[thread] > 0)
        return false;
    if (step->kind == LOAD || step->kind == RMW)
        machine->from[thread][at] = value_for(program, machine, thread, step->variable);
    if (step->kind == STORE && buffers)
        machine->buffered[thread][machine->nbuffered[thread]++] = (uint8_t)name_of(thread, at);
    else if (step->kind == STORE || step->kind == STORE_SC || step->kind == RMW)
        commit(program, machine, name_of(thread, at));
    machine->at[thread]++;
    return true;
}

static bool flush(const struct program *program, struct machine *machine, int thread)
{
    if (machine->nbuffered[thread] == 0)
        return false;
    commit(program, machine, machine->buffered[thread][0]);
    memmove(machine->buffered[thread], machine->buffered[thread] + 1, STEPS - 1);
    machine->buffered[thread][--machine->nbuffered[thread]] = 0;
    return true;
}

static bool note(struct table *table, const struct machine *machine)
{
    XXH128_hash_t hash = XXH3_128bits(machine, sizeof *machine);
    bool fresh;
    table_put(table, hash.low64, hash.high64, &fresh);
    return fresh;
}

static void explore(struct explorer *explorer, const struct machine *machine, bool buffers)
{
    const struct program *program = explorer->program;
    bool ended = true;
    if (!note(&explorer->seen, machine))
        return;
    for (int thread = 0; thread < program->threads; thread++) {
        struct machine next = *machine;
        if (machine->nbuffered[thread] > 0) {
            ended = false;
            flush(program, &next, thread);
            explore(explorer, &next, buffers);
            next = *machine;
        }
        if (machine->at[thread] == program->length[thread])
            continue;
        ended = false;
        if (execute(program, &next, thread, buffers))
            explore(explorer, &next, buffers);
    }
    if (ended)
        note(&explorer->ends, machine);
}

static uint32_t executions(struct pool *pool, const struct program *program, bool buffers)
{
    struct explorer explorer = {.program = program};
    struct machine start;
    memset(&start, 0, sizeof start);
    table_init(&explorer.seen, pool, 0);
    table_init(&explorer.ends, pool, 0);
    explore(&explorer, &start, buffers);
    return explorer.ends.count;
}

/* --- the monitor's view --- */

static struct op op_of(const struct step *step)
{
    static const struct op shape[] = {
        [LOAD] = {.kind = OP_LOAD, .flags = OP_READS, .order = __ATOMIC_RELAXED},
        [STORE] = {.kind = OP_STORE, .flags = OP_WRITES, .order = __ATOMIC_RELEASE},
        [STORE_SC] = {.kind = OP_STORE, .flags = OP_WRITES, .order = __ATOMIC_SEQ_CST},
        [RMW] = {.kind = OP_RMW, .flags = OP_READS | OP_WRITES, .order = __ATOMIC_RELAXED},
    };
    struct op op = shape[step->kind];
    op.nobjects = 1;
    op.object[0] = (uint64_t)step->variable + 1;
    return op;
}

static bool vulnerable(struct store_buffer *monitor, const struct program *program,
                       const uint8_t *schedule, uint32_t length)
{
    int at[THREADS] = {0};
    store_buffer_begin(monitor);
    for (uint32_t i = 0; i < length; i++) {
        int thread = schedule[i];
        const struct step *step = &program->step[thread][at[thread]++];
        struct op op = op_of(step);
        if (step->kind == FENCE)
            store_buffer_fence(monitor, thread);
        else if (store_buffer_step(monitor, thread, &op, i))
            return true;
    }
    return false;
}

static bool any_vulnerable(struct store_buffer *monitor, const struct program *program,
                           uint8_t *schedule, uint32_t length)
{
    int at[THREADS] = {0};
    bool ended = true;
    for (uint32_t i = 0; i < length; i++)
        at[schedule[i]]++;
    for (int thread = 0; thread < program->threads; thread++) {
        if (at[thread] == program->length[thread])
            continue;
        ended = false;
        schedule[length] = (uint8_t)thread;
        if (any_vulnerable(monitor, program, schedule, length + 1))
            return true;
    }
    return ended && vulnerable(monitor, program, schedule, length);
}

/* --- programs --- */

static uint64_t random_state;

static int below(int n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((random_state >> 33) % (uint64_t)n);
}

static struct program random_program(uint64_t seed)
{
    static const enum step_kind kinds[] = {LOAD,  LOAD,  LOAD,     STORE, STORE,
                                           STORE, FENCE, STORE_SC, RMW};
    struct program program = {.threads = 2 + (int)(seed % 2)};
    random_state = seed;
    for (int thread = 0; thread < program.threads; thread++) {
        program.length[thread] = 1 + below(program.threads == 2 ? STEPS : STEPS - 1);
        for (int i = 0; i < program.length[thread]; i++)
            program.step[thread][i] = (struct step){
                kinds[below(sizeof kinds / sizeof kinds[0])], below(2 + (int)(seed / 2 % 2))};
    }
    return program;
}

static void print(const struct program *program)
{
    static const char *const names[] = {"load", "store", "store-sc", "fence", "rmw"};
    for (int thread = 0; thread < program->threads; thread++) {
        fprintf(stderr, "  thread %d:", thread);
        for (int i = 0; i < program->length[thread]; i++)
            fprintf(stderr, " %s %c;", names[program->step[thread][i].kind],
                    'x' + program->step[thread][i].variable);
        fprintf(stderr, "\n");
    }
}

static bool agrees(struct pool *pool, const struct program *program, bool *difference)
{
    struct store_buffer monitor;
    uint8_t schedule[THREADS * STEPS];
    store_buffer_init(&monitor, pool);
    *difference = executions(pool, program, true) != executions(pool, program, false);
    return any_vulnerable(&monitor, program, schedule, 0) == *difference;
}

static void the_monitor_agrees_with_a_machine_with_store_buffers(void **state)
{
    (void)state;
    const char *wanted = getenv("STORE_BUFFER_PROGRAMS");
    uint64_t programs = wanted ? strtoull(wanted, NULL, 10) : UNIT_SIZE(2000);
    uint32_t differences = 0;
    for (uint64_t seed = 1; seed <= programs; seed++) {
        struct pool *pool = pool_create_private((size_t)1 << 30);
        struct program program = random_program(seed);
        bool difference;
        if (!agrees(pool, &program, &difference)) {
            fprintf(stderr, "seed %llu: the machine %s\n", (unsigned long long)seed,
                    difference ? "differs, the monitor is silent"
                               : "does not differ, the monitor is not silent");
            print(&program);
            fail();
        }
        differences += difference;
        pool_destroy_private(pool);
    }
    printf("store buffers make a difference in %u of %llu programs\n", differences,
           (unsigned long long)programs);
    assert_in_range(differences, programs / 50, programs / 2);
}

static void store_buffering_needs_two_fences(void **state)
{
    (void)state;
    for (int fences = 0; fences < 4; fences++) {
        struct pool *pool = pool_create_private((size_t)1 << 30);
        struct program program = {.threads = 2};
        bool difference;
        for (int thread = 0; thread < 2; thread++) {
            int *length = &program.length[thread];
            program.step[thread][(*length)++] = (struct step){STORE, thread};
            if (fences >> thread & 1)
                program.step[thread][(*length)++] = (struct step){FENCE, 0};
            program.step[thread][(*length)++] = (struct step){LOAD, 1 - thread};
        }
        assert_true(agrees(pool, &program, &difference));
        assert_int_equal(difference, fences != 3);
        pool_destroy_private(pool);
    }
}

/* x is written again by a third thread, which nothing orders: the load may miss that store in
 * an interleaving too, but not the first one. */
static void the_last_store_that_happens_before_counts(void **state)
{
    (void)state;
    struct pool *pool = pool_create_private((size_t)1 << 30);
    struct program program = {
        .threads = 3,
        .length = {2, 2, 1},
        .step = {{{STORE, 0}, {LOAD, 1}}, {{STORE, 1}, {LOAD, 0}}, {{STORE, 0}}}};
    struct store_buffer monitor;
    store_buffer_init(&monitor, pool);
    assert_true(vulnerable(&monitor, &program, (const uint8_t[]){0, 0, 1, 2, 1}, 5));
    assert_false(vulnerable(&monitor, &program, (const uint8_t[]){0, 1, 0, 2, 1}, 5));
    pool_destroy_private(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(store_buffering_needs_two_fences),
        cmocka_unit_test(the_last_store_that_happens_before_counts),
        cmocka_unit_test(the_monitor_agrees_with_a_machine_with_store_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
