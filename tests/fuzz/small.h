/* Small random programs in a code that a driver runs with real pthread calls (small_driver.c)
 * and an interpreter enumerates without Mazur (small_interpreter.c, small_steps.c).
 *
 * A program is text: threads, the first one main, with '/' between them; an instruction is four
 * characters: when ('.' always, '0' if the last value told was 0, '1' if it was not), the kind
 * as a letter, and two digits a and b:
 *
 *     .D10.E10/.h00.a00.j00        main creates and joins, the worker locks, loads, unlocks
 *
 * Every instruction that is told something keeps it: the outcome of an execution is a hash of
 * all that main, or whoever calls exit, was told, and of all that the threads were told that
 * had ended before. */
#ifndef MAZUR_FUZZ_SMALL_H
#define MAZUR_FUZZ_SMALL_H

#include <stdint.h>

#define THREADS      4
#define INSTRUCTIONS 12
#define ATOMICS      2
#define PLAINS       2
#define MUTEXES      3 /* normal, recursive, errorcheck */
#define CONDITIONS   2 /* both with mutex 0 */
#define SEMAPHORES   2 /* values 0 and 1 at the start */
#define KEYS         2 /* the second has a destructor */

enum kind {
    LOAD,       /* atomic a */
    STORE,      /* b */
    ADD,        /* b; told the old value */
    EXCHANGE,   /* with b */
    CAS,        /* from b to b + 1; told whether it worked */
    READ,       /* plain a */
    WRITE,      /* b */
    LOCK,       /* mutex a; told whether it failed (errorcheck) */
    TRYLOCK,    /* told whether it worked */
    UNLOCK,     /* if the thread holds it */
    RAW_UNLOCK, /* told whether it failed; a misuse of a normal mutex that others hold, or none
                 */
    WAIT,       /* for condition a, if the thread holds mutex 0 */
    SIGNAL,
    BROADCAST,
    DOWN, /* semaphore a */
    TRYDOWN,
    UP,
    VALUE,
    READLOCK, /* the read-write lock, if the thread does not hold it */
    WRITELOCK,
    TRYREAD,
    TRYWRITE,
    RELEASE, /* if the thread holds it */
    MEET,    /* the barrier of two; told whether it was the serial thread */
    ONCE,    /* adds 1 to atomic 1 */
    SET,     /* key a to b */
    GET,     /* told the value */
    EXIT,    /* status b */
    CHECK,   /* assert that the last value told is not b */
    CREATE,  /* thread a */
    JOIN,    /* thread a, if this one has created it and not joined or detached it */
    DETACH,  /* the same */
    YIELD,
    DESTROY, /* mutex a */
    FREE,    /* the memory of semaphore a */
    KINDS
};

struct instruction {
    uint8_t when; /* '.', '0', '1' */
    uint8_t kind;
    uint8_t a, b;
};

struct program {
    int threads;
    int count[THREADS];
    struct instruction code[THREADS][INSTRUCTIONS];
};

static inline int small_kind_letter(int kind)
{
    return kind < 26 ? 'a' + kind : 'A' + kind - 26;
}

/* 0: the text is a program. */
static inline int small_decode(const char *text, struct program *program)
{
    *program = (struct program){.threads = 1};
    while (*text) {
        int thread = program->threads - 1;
        if (*text == '/') {
            if (program->threads++ == THREADS)
                return -1;
            text++;
            continue;
        }
        if (!text[1] || !text[2] || !text[3] || program->count[thread] == INSTRUCTIONS)
            return -1;
        int kind = text[1] >= 'a' ? text[1] - 'a' : text[1] - 'A' + 26;
        if (kind < 0 || kind >= KINDS)
            return -1;
        program->code[thread][program->count[thread]++] =
            (struct instruction){(uint8_t)text[0], (uint8_t)kind, (uint8_t)(text[2] - '0'),
                                 (uint8_t)(text[3] - '0')};
        text += 4;
    }
    return 0;
}

static inline void small_encode(const struct program *program, char *text)
{
    for (int thread = 0; thread < program->threads; thread++) {
        if (thread > 0)
            *text++ = '/';
        for (int i = 0; i < program->count[thread]; i++) {
            const struct instruction *one = &program->code[thread][i];
            *text++ = (char)one->when;
            *text++ = (char)small_kind_letter(one->kind);
            *text++ = (char)('0' + one->a);
            *text++ = (char)('0' + one->b);
        }
    }
    *text = '\0';
}

/* What a thread was told, as a number. */
static inline uint32_t small_mix(uint32_t told, uint32_t value)
{
    told = (told ^ (value + 1)) * UINT32_C(0x9e3779b1);
    return told ^ told >> 15;
}

/* Of an execution: `mine` of the thread that ends it, then the others in order, 0 for one that
 * has not ended. */
static inline uint64_t small_outcome(int ending, const uint32_t *told, const uint8_t *ended)
{
    uint64_t outcome = (uint64_t)ending + 1;
    for (int thread = 0; thread < THREADS; thread++) {
        uint32_t value = thread == ending || ended[thread] ? small_mix(told[thread], 7) : 0;
        outcome = (outcome ^ value) * UINT64_C(0x9e3779b97f4a7c15);
        outcome ^= outcome >> 29;
    }
    return outcome;
}

#endif
