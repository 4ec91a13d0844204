/* The seam between the engine and the C that is generated for a model.
 *
 * One text serves both sides: the engine compiles it here, the generator writes it (as a
 * string) at the head of its output. Generated code has no headers and calls nothing but the
 * services in `struct step`, so that any C compiler turns it into a loadable object in
 * milliseconds.
 *
 *   state vector:  shape id | globals | process or channel | process or channel | ...
 *
 * The shape says which processes and channels there are and where; it is interned, so that it
 * costs four bytes per vector and offsets are looked up, never computed. Sizes are multiples
 * of four, and the bytes up to the next multiple of eight are zero.
 *
 * expand(step, pid) appends to `list` every successor of `now` that process pid can make. */
#ifndef MAZUR_PROMELA_STEP_H
#define MAZUR_PROMELA_STEP_H

#include <stdint.h>

#define STEP_STRING_(...) #__VA_ARGS__
#define STEP_STRING(...)  STEP_STRING_(__VA_ARGS__)

#define STEP_DECLARATIONS                                                                      \
    struct shape {                                                                             \
        unsigned id;                                                                           \
        unsigned size;                                                                         \
        unsigned processes;                                                                    \
        unsigned channels;                                                                     \
        const unsigned *type;                                                                  \
        const unsigned *offset;                                                                \
        const unsigned *channel_type;                                                          \
        const unsigned *channel_offset;                                                        \
        const struct shape *without;                                                           \
        unsigned is_process;                                                                   \
    };                                                                                         \
    struct successor {                                                                         \
        unsigned char *vector;                                                                 \
        const struct shape *shape;                                                             \
        unsigned transition;                                                                   \
        unsigned receive;                                                                      \
        unsigned pid;                                                                          \
        unsigned partner;                                                                      \
        unsigned atomic;                                                                       \
        unsigned fault;                                                                        \
        unsigned fault_transition;                                                             \
    };                                                                                         \
    struct step {                                                                              \
        const unsigned char *now;                                                              \
        const struct shape *shape;                                                             \
        unsigned char *next;                                                                   \
        const struct shape *next_shape;                                                        \
        unsigned char *middle;                                                                 \
        struct successor *list;                                                                \
        unsigned count;                                                                        \
        unsigned capacity;                                                                     \
        unsigned moved;                                                                        \
        unsigned nested;                                                                       \
        unsigned chained;                                                                      \
        unsigned timeout;                                                                      \
        unsigned progress;                                                                     \
        unsigned fault;                                                                        \
        unsigned fault_mark;                                                                   \
        unsigned fault_transition;                                                             \
        unsigned sender_fault;                                                                 \
        unsigned sender_transition;                                                            \
        unsigned claim_count;                                                                  \
        unsigned claim_target[256];                                                            \
        unsigned claim_transition[256];                                                        \
        unsigned channel;                                                                      \
        const char *text;                                                                      \
        void (*print)(struct step *, unsigned, const int *, unsigned);                         \
        unsigned (*add_process)(struct step *, unsigned);                                      \
        unsigned (*add_channel)(struct step *, unsigned);                                      \
        void (*end_process)(struct step *);                                                    \
        void *engine;                                                                          \
    };                                                                                         \
    enum fault {                                                                               \
        FAULT_NONE,                                                                            \
        FAULT_ASSERT,                                                                          \
        FAULT_INDEX,                                                                           \
        FAULT_DIVISION,                                                                        \
        FAULT_BLOCKED_DSTEP,                                                                   \
        FAULT_LONG_DSTEP,                                                                      \
        FAULT_NO_CHANNEL,                                                                      \
        FAULT_FIELDS,                                                                          \
        FAULT_PROCESSES,                                                                       \
        FAULT_REMOTE,                                                                          \
        FAULT_CAPACITY,                                                                        \
        FAULT_TRACE,                                                                           \
        FAULT_NOTRACE,                                                                         \
        FAULT_TRACE_CHOICE,                                                                    \
        FAULT_C_GUARD,                                                                         \
        FAULT_ENABLED,                                                                         \
        FAULT_POLL,                                                                            \
        FAULT_CHOICE,                                                                          \
        FAULT_C_ERROR,                                                                         \
        FAULT_SEND_IN_DSTEP                                                                    \
    };

STEP_DECLARATIONS

#define NO_PARTNER  0xffffffffu
#define TRACE_ENDED 0xffffu /* state of a trace assertion that watches no more */

/* What a generated object exports. */
struct step_code {
    void (*expand)(struct step *step, uint32_t pid);
    void (*start)(struct step *step); /* writes the initial vector to step->next */
    void (*claim)(struct step *step, uint32_t state);
    /* Variables of the claim: what its move from step->now does, written to `next`. */
    void (*claim_effect)(struct step *step, uint8_t *next, uint32_t transition);
    /* A formula's: its parts (struct proctype) that hold in step->now, a bit for each. */
    uint64_t (*parts)(struct step *step);
};

#endif
