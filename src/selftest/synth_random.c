/* Making, printing and shrinking synthetic programs (synth.h).
 *
 * Sizes are chosen so that most programs have between ten and some ten thousand interleavings:
 * few enough to enumerate, enough to find bugs. */
#include <string.h>

#include "base/hash.h"
#include "selftest/synth.h"

struct synth_generator {
    struct synth_program *program;
    uint64_t random;
    bool cyclic;
    bool exits; /* main ends the process */
    bool spawned[SYNTH_THREADS];
};

static int draw_below(struct synth_generator *generator, int n)
{
    return (int)random_below(&generator->random, (uint64_t)n);
}

/* How often each kind is drawn; memory operations most, since they make the dependences. */
static const uint8_t frequency[SYNTH_KINDS] = {
    [SYNTH_READ] = 18,     [SYNTH_WRITE] = 18, [SYNTH_RMW] = 8,     [SYNTH_CAS] = 8,
    [SYNTH_LOCK] = 10,     [SYNTH_UNLOCK] = 4, [SYNTH_TRYLOCK] = 5, [SYNTH_WAIT] = 4,
    [SYNTH_SIGNAL] = 4,    [SYNTH_YIELD] = 4,  [SYNTH_CHOOSE] = 3,  [SYNTH_SPAWN] = 6,
    [SYNTH_BROADCAST] = 1, [SYNTH_JOIN] = 4,   [SYNTH_AWAIT] = 6,   [SYNTH_SPIN] = 8,
};

static int draw_kind(struct synth_generator *generator)
{
    int total = 0;
    for (int kind = 0; kind < SYNTH_KINDS; kind++)
        total += frequency[kind];
    int rest = draw_below(generator, total);
    int kind = 0;
    while (rest >= frequency[kind])
        rest -= frequency[kind++];
    return kind;
}

/* Only what makes sense here: no spawn twice, no spinning unless asked for. */
static bool is_acceptable(const struct synth_generator *generator, int tid,
                          const struct synth_op *op)
{
    switch (op->kind) {
    case SYNTH_SPAWN:
        return !generator->program->bare && op->object > tid && !generator->spawned[op->object];
    case SYNTH_JOIN:
        return !generator->program->bare && op->object != tid;
    case SYNTH_SPIN:
        return generator->cyclic;
    default:
        return true;
    }
}

static void draw_object(struct synth_generator *generator, struct synth_op *op)
{
    switch (op->kind) {
    case SYNTH_SPAWN:
    case SYNTH_JOIN:
        op->object = (uint8_t)draw_below(generator, generator->program->nthreads);
        break;
    case SYNTH_LOCK:
    case SYNTH_UNLOCK:
    case SYNTH_TRYLOCK:
    case SYNTH_WAIT:
    case SYNTH_SIGNAL:
    case SYNTH_BROADCAST:
        op->object = (uint8_t)(draw_below(generator, 4) == 0);
        break;
    default:
        op->object = (uint8_t)draw_below(generator, SYNTH_VARS);
    }
}

static void draw_op(struct synth_generator *generator, int tid, struct synth_op *op)
{
    do {
        memset(op, 0, sizeof *op);
        op->kind = (uint8_t)draw_kind(generator);
        draw_object(generator, op);
    } while (!is_acceptable(generator, tid, op));
    bool waits = op->kind == SYNTH_AWAIT || op->kind == SYNTH_SPIN;
    op->value = (uint8_t)(op->kind == SYNTH_CHOOSE ? draw_below(generator, 2)
                                                   : draw_below(generator, 3));
    if (waits || op->kind == SYNTH_RMW)
        op->value = (uint8_t)(1 + draw_below(generator, 2));
    op->add_r = draw_below(generator, 3) == 0;
    if (draw_below(generator, 5) == 0)
        op->guard = (uint8_t)(1 + draw_below(generator, 2));
    if (op->kind == SYNTH_SPAWN)
        generator->spawned[op->object] = true;
}

/* A lock without an unlock would make deadlocks the rule. */
static void draw_thread(struct synth_generator *generator, int tid, int wanted)
{
    struct synth_program *program = generator->program;
    int owed = -1;
    int *n = &program->nops[tid];
    while (*n < wanted) {
        struct synth_op *op = &program->op[tid][(*n)++];
        if (owed >= 0 && (*n == wanted || draw_below(generator, 3) == 0)) {
            *op = (struct synth_op){.kind = SYNTH_UNLOCK, .object = (uint8_t)owed};
            owed = -1;
            continue;
        }
        draw_op(generator, tid, op);
        if ((op->kind == SYNTH_LOCK || op->kind == SYNTH_TRYLOCK) &&
            draw_below(generator, 8) != 0)
            owed = op->object;
    }
    if (tid == 0 && generator->exits && *n > 0)
        program->op[tid][*n - 1] = (struct synth_op){.kind = SYNTH_EXIT};
}

void synth_random(struct synth_program *program, uint64_t seed, bool cyclic)
{
    struct synth_generator generator = {.program = program, .random = seed, .cyclic = cyclic};
    memset(program, 0, sizeof *program);
    program->seed = seed;
    program->bare = draw_below(&generator, 2) == 0;
    static const uint8_t threads[8] = {2, 2, 2, 3, 3, 3, 3, 4};
    program->nthreads = threads[draw_below(&generator, 8)];
    generator.exits = draw_below(&generator, 6) == 0;
    int most = program->bare ? 14 / program->nthreads - (program->nthreads > 2) : 5;
    if (!program->bare && program->nthreads > 2)
        most = program->nthreads == 3 ? 3 : 2;
    if (most > SYNTH_OPS)
        most = SYNTH_OPS;
    for (int tid = 0; tid < program->nthreads; tid++)
        draw_thread(&generator, tid, draw_below(&generator, most) + (tid > 0 || program->bare));
}

void synth_glue(struct synth_program *program, uint64_t seed)
{
    uint64_t random = seed;
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++)
            program->op[tid][i].glued = random_below(&random, 4) == 0;
}

void synth_time_out(struct synth_program *program, uint64_t seed, enum synth_time time)
{
    uint64_t random = seed;
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++) {
            struct synth_op *op = &program->op[tid][i];
            bool some = (op->kind == SYNTH_LOCK || op->kind == SYNTH_WAIT) &&
                        random_below(&random, 2) == 0;
            if (op->kind == SYNTH_AWAIT || some)
                op->time = (uint8_t)time;
        }
}

void synth_spurious(struct synth_program *program)
{
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++)
            program->op[tid][i].spurious = program->op[tid][i].kind == SYNTH_WAIT;
}

void synth_spin(struct synth_program *program, uint64_t seed)
{
    uint64_t random = seed;
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++) {
            struct synth_op *op = &program->op[tid][i];
            bool some = random_below(&random, 3) == 0;
            if (op->kind == SYNTH_AWAIT) {
                op->kind = SYNTH_POLL;
                op->wide = random_below(&random, 4) == 0;
            } else if (op->kind == SYNTH_CAS && some) {
                op->kind = SYNTH_CLAIM;
            } else if (op->kind == SYNTH_RMW && some) {
                op->kind = SYNTH_GRAB;
            }
            if (synth_is_loop(op->kind))
                op->time = TIME_NEVER;
        }
}

void synth_check(struct synth_program *program, uint64_t seed)
{
    uint64_t random = seed;
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++)
            if (program->op[tid][i].kind == SYNTH_READ && random_below(&random, 2) == 0)
                program->op[tid][i].kind = SYNTH_CHECK;
}

/* May its final form be OP_FAILED anyway? Then a trace that ends there would look like one that
 * continues. */
static bool may_fail(const struct synth_op *op)
{
    return op->kind == SYNTH_CAS || op->kind == SYNTH_CLAIM || op->kind == SYNTH_TRYLOCK ||
           op->kind == SYNTH_UNLOCK || op->kind == SYNTH_RELEASE || op->time != TIME_NEVER;
}

void synth_touch(struct synth_program *program, uint64_t seed)
{
    uint64_t random = seed;
    enum synth_touch touch = random_below(&random, 2) == 0 ? TOUCH_ASSUMES : TOUCH_FAILS;
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++)
            if (random_below(&random, 3) == 0 && !may_fail(&program->op[tid][i]))
                program->op[tid][i].touch = (uint8_t)touch;
}

void synth_copy(struct synth_program *program, uint64_t seed)
{
    uint64_t random = seed;
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++)
            if (program->op[tid][i].kind == SYNTH_WRITE && random_below(&random, 2) == 0)
                program->op[tid][i].kind = SYNTH_COPY;
}

bool synth_has_sections(const struct synth_program *program)
{
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++)
            if (program->op[tid][i].glued)
                return true;
    return false;
}

bool synth_has_checks(const struct synth_program *program)
{
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++)
            if (program->op[tid][i].kind == SYNTH_CHECK || program->op[tid][i].touch)
                return true;
    return false;
}

static const char *const kind_names[SYNTH_KINDS] = {
    [SYNTH_READ] = "r = x%d",
    [SYNTH_WRITE] = "x%d =",
    [SYNTH_RMW] = "r = fetch_add x%d,",
    [SYNTH_CAS] = "r = cas x%d from",
    [SYNTH_LOCK] = "lock m%d",
    [SYNTH_UNLOCK] = "unlock m%d",
    [SYNTH_TRYLOCK] = "r = trylock m%d",
    [SYNTH_WAIT] = "wait c%d",
    [SYNTH_SIGNAL] = "signal c%d",
    [SYNTH_BROADCAST] = "broadcast c%d",
    [SYNTH_YIELD] = "yield",
    [SYNTH_CHOOSE] = "r = choose 0 …",
    [SYNTH_SPAWN] = "spawn thread %d",
    [SYNTH_JOIN] = "join thread %d",
    [SYNTH_AWAIT] = "r = await x%d ==",
    [SYNTH_SPIN] = "r = spin until x%d ==",
    [SYNTH_POLL] = "r = poll from x%d on until one ==",
    [SYNTH_GRAB] = "r = exchange x%d, 1 until == 0",
    [SYNTH_CLAIM] = "r = cas until it works x%d from",
    [SYNTH_CHECK] = "fail if (r = x%d) ==",
    [SYNTH_COPY] = "copy x%d to the next",
    [SYNTH_DOWN] = "down s%d",
    [SYNTH_UP] = "up s%d",
    [SYNTH_SHARE] = "lock the rwlock for reading",
    [SYNTH_EXCLUDE] = "lock the rwlock for writing",
    [SYNTH_RELEASE] = "unlock the rwlock",
    [SYNTH_ARRIVE] = "r = arrive at the barrier",
    [SYNTH_DEPART] = "wait at the barrier",
    [SYNTH_EXIT] = "exit process",
};

static bool has_value(int kind)
{
    return kind == SYNTH_WRITE || kind == SYNTH_RMW || kind == SYNTH_CAS ||
           kind == SYNTH_CHOOSE || kind == SYNTH_AWAIT || kind == SYNTH_SPIN ||
           kind == SYNTH_POLL || kind == SYNTH_CLAIM || kind == SYNTH_CHECK;
}

void synth_print(const struct synth_program *program, FILE *out)
{
    fprintf(out, "program of seed %llu, %s start and exit operations\n",
            (unsigned long long)program->seed, program->bare ? "without" : "with");
    for (int tid = 0; tid < program->nthreads; tid++) {
        fprintf(out, "  thread %d:\n", tid);
        for (int i = 0; i < program->nops[tid]; i++) {
            const struct synth_op *op = &program->op[tid][i];
            static const char *const guards[] = {"", "if r == 0: ", "if r != 0: "};
            fprintf(out, "    %s", guards[op->guard]);
            fprintf(out, kind_names[op->kind], op->object);
            if (op->kind == SYNTH_WRITE && op->add_r)
                fprintf(out, " r +");
            if (has_value(op->kind))
                fprintf(out, " %d", op->value + (op->kind == SYNTH_CHOOSE));
            static const char *const times[] = {"", ", or until nobody can run", ", or not"};
            fputs(times[op->time], out);
            fputs(op->spurious ? ", or wake up by itself" : "", out);
            fputs(op->kind == SYNTH_POLL && op->add_r ? ", keeping r" : "", out);
            fputs(op->wide ? ", with many others" : "", out);
            static const char *const touches[] = {"", ", touch", ", touch or assume"};
            fputs(touches[op->touch], out);
            fputs(op->glued ? ", atomic with:\n" : "\n", out);
        }
    }
}

static void remove_op(struct synth_program *program, int tid, int index)
{
    int rest = --program->nops[tid] - index;
    memmove(&program->op[tid][index], &program->op[tid][index + 1],
            (size_t)rest * sizeof(struct synth_op));
}

static bool waits_for_value(int kind)
{
    return kind == SYNTH_AWAIT || kind == SYNTH_SPIN || kind == SYNTH_POLL;
}

/* Simpler forms of one operation; the first that still fails is kept. */
static bool simplify_op(struct synth_program *program, int tid, int index, synth_fails *fails,
                        void *argument)
{
    struct synth_op *op = &program->op[tid][index];
    struct synth_op before = *op;
    struct synth_op forms[10];
    for (int i = 0; i < 10; i++)
        forms[i] = before;
    forms[0].guard = GUARD_NONE;
    forms[1].add_r = false;
    forms[2].value = waits_for_value(before.kind) ? 1 : 0;
    forms[3].kind = SYNTH_WRITE;
    forms[4].glued = false;
    forms[5].time = TIME_NEVER;
    forms[6].spurious = false;
    forms[7].kind = before.kind == SYNTH_POLL ? SYNTH_AWAIT : before.kind;
    forms[8].wide = false;
    forms[9].touch = TOUCH_NONE;
    for (int i = 0; i < 10; i++) {
        bool same = memcmp(&forms[i], &before, sizeof before) == 0;
        bool memory =
            before.kind == SYNTH_RMW || before.kind == SYNTH_CAS || before.kind == SYNTH_COPY;
        if (same || (i == 3 && !memory))
            continue;
        *op = forms[i];
        if (fails(program, argument))
            return true;
    }
    *op = before;
    return false;
}

static bool shrink_once(struct synth_program *program, synth_fails *fails, void *argument)
{
    for (int tid = 0; tid < program->nthreads; tid++) {
        for (int i = 0; i < program->nops[tid]; i++) {
            struct synth_program smaller = *program;
            remove_op(&smaller, tid, i);
            if (fails(&smaller, argument)) {
                *program = smaller;
                return true;
            }
            if (simplify_op(program, tid, i, fails, argument))
                return true;
        }
    }
    struct synth_program smaller = *program;
    if (smaller.nthreads > 2 && smaller.nops[smaller.nthreads - 1] == 0) {
        smaller.nthreads--;
        if (fails(&smaller, argument)) {
            *program = smaller;
            return true;
        }
    }
    smaller = *program;
    smaller.bare = true;
    if (!program->bare && fails(&smaller, argument)) {
        *program = smaller;
        return true;
    }
    return false;
}

void synth_shrink(struct synth_program *program, synth_fails *fails, void *argument)
{
    while (shrink_once(program, fails, argument))
        ;
}
