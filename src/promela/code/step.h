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

#define STEP_STRING_(...) #__VA_ARGS__
#define STEP_STRING(...)  STEP_STRING_(__VA_ARGS__)

#define STEP_DECLARATIONS                                                                      \
    typedef unsigned char u8;                                                                  \
    typedef unsigned short u16;                                                                \
    typedef unsigned int u32;                                                                  \
    typedef unsigned long long u64;                                                            \
    struct shape {                                                                             \
        u32 id;                                                                                \
        u32 size;                                                                              \
        u32 processes;                                                                         \
        u32 channels;                                                                          \
        const u32 *type;                                                                       \
        const u32 *offset;                                                                     \
        const u32 *channel_type;                                                               \
        const u32 *channel_offset;                                                             \
        const struct shape *without;                                                           \
        u32 is_process;                                                                        \
    };                                                                                         \
    struct successor {                                                                         \
        u8 *vector;                                                                            \
        const struct shape *shape;                                                             \
        u32 transition;                                                                        \
        u32 receive;                                                                           \
        u32 pid;                                                                               \
        u32 partner;                                                                           \
        u32 atomic;                                                                            \
        u32 fault;                                                                             \
        u32 fault_transition;                                                                  \
    };                                                                                         \
    struct step {                                                                              \
        const u8 *now;                                                                         \
        const struct shape *shape;                                                             \
        u8 *next;                                                                              \
        const struct shape *next_shape;                                                        \
        u8 *middle;                                                                            \
        struct successor *list;                                                                \
        u32 count;                                                                             \
        u32 capacity;                                                                          \
        u32 moved;                                                                             \
        u32 nested;                                                                            \
        u32 chained;                                                                           \
        u32 timeout;                                                                           \
        u32 progress;                                                                          \
        u32 fault;                                                                             \
        u32 fault_mark;                                                                        \
        u32 fault_transition;                                                                  \
        u32 sender_fault;                                                                      \
        u32 sender_transition;                                                                 \
        u32 claim_count;                                                                       \
        u32 claim_target[256];                                                                 \
        u32 claim_transition[256];                                                             \
        u32 channel;                                                                           \
        const char *text;                                                                      \
        void (*print)(struct step *, u32, const int *, u32);                                   \
        u32 (*add_process)(struct step *, u32);                                                \
        u32 (*add_channel)(struct step *, u32);                                                \
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
    void (*expand)(struct step *step, u32 pid);
    void (*start)(struct step *step); /* writes the initial vector to step->next */
    void (*claim)(struct step *step, u32 state);
    /* Variables of the claim: what its move from step->now does, written to `next`. */
    void (*claim_effect)(struct step *step, u8 *next, u32 transition);
};

#endif
