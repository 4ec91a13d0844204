/* Makes random small programs, prints them as C, and shrinks them (small_generate.h). */
#include "small_generate.h"

#include <stdio.h>
#include <string.h>

/* How often each kind is drawn, in programs of each flavour: everything, or mostly a few kinds
 * that belong together, so that they interact. */
static const uint8_t weights[][KINDS] = {
    {[LOAD] = 6,       [STORE] = 6,    [ADD] = 4,     [EXCHANGE] = 2,  [CAS] = 4,
     [READ] = 4,       [WRITE] = 4,    [LOCK] = 8,    [TRYLOCK] = 4,   [UNLOCK] = 5,
     [RAW_UNLOCK] = 1, [WAIT] = 4,     [SIGNAL] = 4,  [BROADCAST] = 1, [DOWN] = 3,
     [TRYDOWN] = 2,    [UP] = 3,       [VALUE] = 1,   [READLOCK] = 3,  [WRITELOCK] = 2,
     [TRYREAD] = 1,    [TRYWRITE] = 1, [RELEASE] = 3, [MEET] = 2,      [ONCE] = 2,
     [SET] = 2,        [GET] = 1,      [EXIT] = 1,    [CHECK] = 1,     [YIELD] = 1},
    {[LOAD] = 4,
     [STORE] = 2,
     [READ] = 5,
     [WRITE] = 5,
     [LOCK] = 8,
     [TRYLOCK] = 3,
     [UNLOCK] = 6,
     [WAIT] = 6,
     [SIGNAL] = 5,
     [BROADCAST] = 2,
     [CHECK] = 1},
    {[LOAD] = 4,
     [ADD] = 3,
     [CAS] = 3,
     [READ] = 6,
     [WRITE] = 6,
     [EXIT] = 2,
     [CHECK] = 2,
     [YIELD] = 1},
    {[LOAD] = 3,
     [STORE] = 2,
     [DOWN] = 5,
     [TRYDOWN] = 3,
     [UP] = 6,
     [VALUE] = 2,
     [MEET] = 5,
     [ONCE] = 3,
     [READ] = 3,
     [WRITE] = 3},
    {[LOAD] = 3,
     [STORE] = 2,
     [READLOCK] = 5,
     [WRITELOCK] = 5,
     [TRYREAD] = 2,
     [TRYWRITE] = 2,
     [RELEASE] = 6,
     [LOCK] = 3,
     [UNLOCK] = 2,
     [READ] = 4,
     [WRITE] = 4,
     [SET] = 2,
     [GET] = 2},
};
#define FLAVOURS (sizeof weights / sizeof weights[0])

/* Programs that destroy objects, and the operations that use these objects. */
static const uint8_t lifetime_weights[KINDS] = {
    [LOAD] = 3,  [STORE] = 2,   [LOCK] = 6, [TRYLOCK] = 3, [UNLOCK] = 5,
    [DOWN] = 4,  [TRYDOWN] = 2, [UP] = 5,   [WAIT] = 2,    [SIGNAL] = 2,
    [VALUE] = 1, [DESTROY] = 4, [FREE] = 3, [EXIT] = 1,
};

static uint64_t random_state;

static unsigned draw(unsigned below)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(random_state >> 33) % below;
}

static int draw_kind(const uint8_t *weight)
{
    unsigned total = 0;
    for (int kind = 0; kind < KINDS; kind++)
        total += weight[kind];
    unsigned rest = draw(total);
    int kind = 0;
    while (rest >= weight[kind])
        rest -= weight[kind++];
    return kind;
}

static unsigned objects_of(int kind)
{
    switch (kind) {
    case LOCK ... RAW_UNLOCK:
    case DESTROY:
        return MUTEXES;
    default:
        return 2; /* all other kinds have two objects, or one and it does not matter */
    }
}

static struct instruction draw_instruction(const uint8_t *weight)
{
    struct instruction one = {.when = '.', .kind = (uint8_t)draw_kind(weight)};
    one.a = (uint8_t)draw(objects_of(one.kind));
    one.b = (uint8_t)draw(3);
    if (one.kind == LOCK && draw(2)) /* conditions belong to mutex 0 */
        one.a = 0;
    if (one.kind >= WAIT && one.kind <= BROADCAST) /* so that several wait for one object */
        one.a = draw(4) == 0;
    if (one.kind == RAW_UNLOCK && draw(4)) /* a misuse ends the execution */
        one.a = (uint8_t)(1 + draw(2));
    if (one.kind == EXIT)
        one.b = draw(3) ? 0 : 3;
    if (draw(6) == 0)
        one.when = draw(2) ? '0' : '1';
    return one;
}

static void append(struct program *program, int thread, struct instruction one)
{
    program->code[thread][program->count[thread]++] = one;
}

/* Pairs of calls that order the plain accesses around them; drawn separately, they would seldom
 * meet. */
static const struct {
    uint8_t first, before, after, last;
} idioms[] = {
    {WRITE, UP, DOWN, READ},
    {WRITE, UP, DOWN, WRITE},
    {WRITE, UP, TRYDOWN, READ},
    {LOCK, WRITE, LOCK, READ},
    {LOCK, WRITE, TRYLOCK, READ},
    {WRITELOCK, WRITE, READLOCK, READ},
    {READLOCK, READ, WRITELOCK, WRITE},
    {WRITE, MEET, MEET, READ},
    {WRITE, ONCE, ONCE, READ},
    {WRITE, ADD, LOAD, READ},
    {WRITE, STORE, CAS, READ},
    {LOCK, WAIT, LOCK, WAIT},
    {LOCK, WAIT, LOCK, SIGNAL},
    {SET, STORE, LOAD, GET},
};

static struct instruction about_first(uint8_t kind)
{
    uint8_t value = kind == WRITE || kind == STORE || kind == ADD || kind == SET;
    return (struct instruction){'.', kind, 0, value};
}

/* Two of the workers begin with the two sides of an idiom. */
static void draw_idiom(struct program *program)
{
    unsigned which = draw(sizeof idioms / sizeof idioms[0]);
    int one = 1 + (int)draw((unsigned)program->threads - 1),
        other = (one + 1) % program->threads;
    append(program, one, about_first(idioms[which].first));
    append(program, one, about_first(idioms[which].before));
    append(program, other, about_first(idioms[which].after));
    append(program, other, about_first(idioms[which].last));
    if (idioms[which].before == WAIT && idioms[which].last == WAIT) {
        int third = (other + 1) % program->threads;
        append(program, third, about_first(draw(2) ? SIGNAL : BROADCAST));
    }
}

/* Whoever creates a thread joins it, detaches it or forgets it. */
static void draw_children(struct program *program)
{
    for (int thread = 1; thread < program->threads; thread++) {
        int parent = thread == 2 && draw(4) == 0 ? 1 : 0;
        struct instruction create = {'.', CREATE, (uint8_t)thread, 0};
        struct instruction *code = program->code[parent];
        int place =
            parent == 0 && draw(3) ? 0 : (int)draw((unsigned)program->count[parent] + 1);
        memmove(&code[place + 1], &code[place],
                (size_t)(program->count[parent]++ - place) * sizeof *code);
        code[place] = create;
        if (draw(8) == 0)
            append(program, parent, (struct instruction){'.', DETACH, (uint8_t)thread, 0});
        else if (draw(8) != 0)
            append(program, parent, (struct instruction){'.', JOIN, (uint8_t)thread, 0});
    }
}

void generate(uint64_t seed, bool lifetimes, struct program *program)
{
    random_state = seed * 2654435761u + 1;
    draw(2);
    unsigned flavour = draw(FLAVOURS);
    const uint8_t *weight = lifetimes ? lifetime_weights : weights[flavour];
    memset(program, 0, sizeof *program);
    program->threads = draw(3) ? 3 : 2 + 2 * (int)draw(2);
    /* With idioms, locks for waiting, and children, a thread stays below INSTRUCTIONS. */
    unsigned longest = program->threads == 2 ? 4 : program->threads == 3 ? 3 : 2;
    if (draw(2))
        draw_idiom(program);
    for (int thread = 0; thread < program->threads; thread++) {
        unsigned count = thread == 0 ? draw(2) : draw(longest + 1);
        for (unsigned i = 0; i < count; i++) {
            struct instruction one = draw_instruction(weight);
            if (one.kind == WAIT && draw(3)) /* which needs the mutex */
                append(program, thread, (struct instruction){'.', LOCK, 0, 0});
            append(program, thread, one);
        }
    }
    draw_children(program);
}

/* ---- smaller programs ---- */

static void remove_at(struct program *program, int thread, int index)
{
    int rest = --program->count[thread] - index;
    memmove(&program->code[thread][index], &program->code[thread][index + 1],
            (size_t)rest * sizeof(struct instruction));
}

static bool shrink_once(struct program *program, still_fails *fails, void *argument)
{
    for (int thread = program->threads - 1; thread >= 0; thread--)
        for (int i = program->count[thread] - 1; i >= 0; i--) {
            struct program smaller = *program;
            remove_at(&smaller, thread, i);
            if (fails(&smaller, argument)) {
                *program = smaller;
                return true;
            }
            smaller = *program;
            smaller.code[thread][i].when = '.';
            if (program->code[thread][i].when != '.' && fails(&smaller, argument)) {
                *program = smaller;
                return true;
            }
        }
    struct program smaller = *program;
    if (smaller.threads > 2 && smaller.count[smaller.threads - 1] == 0) {
        smaller.threads--;
        if (fails(&smaller, argument)) {
            *program = smaller;
            return true;
        }
    }
    return false;
}

void shrink(struct program *program, still_fails *fails, void *argument)
{
    while (shrink_once(program, fails, argument))
        ;
}
