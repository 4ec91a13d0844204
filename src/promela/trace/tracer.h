/* What the files that make a model's trace share: tracer_steps.c (events, switches, messages),
 * tracer_failure.c (cycles, what fails at the end), model_trace.c (the path as a whole). */
#ifndef MAZUR_PROMELA_TRACER_H
#define MAZUR_PROMELA_TRACER_H

#include "promela/trace/model_trace.h"
#include "trace/file/trace_settings.h"

#define QUEUE_MOST 256 /* messages in a channel */

struct sends { /* which event sent each message of a channel */
    uint32_t event[QUEUE_MOST];
    uint32_t count;
};

/* How an event shows a statement. */
struct shown_statement {
    const char *words; /* NULL: not yet */
    struct source_stack stack;
};

struct tracer {
    struct verifier *verifier;
    const struct model *model;
    struct follow follow;
    struct trace *trace;
    size_t room, schedule_room;
    int thread[256];               /* of each process number, -1: none */
    struct sends *sends[256];      /* by channel */
    struct shown_statement *shown; /* by transition; NULL before the first event */
    uint32_t last_pid, last_partner;
    uint32_t cycle_event; /* number of events before the cycle */
    uint8_t *cycle_vector;
    const struct shape *cycle_shape;
    bool accepted;       /* a state of the cycle is accepting */
    bool claim_accepted; /* … by the claim, not only by labels in processes */
    bool blocked[256];   /* in some state of the cycle */
    bool moved[256];     /* in the cycle */
    bool in_cycle, fair;
    bool believed;     /* what only Spin can know */
    bool second_round; /* values that nothing reads may differ */
    bool repeated;     /* the cycle was traversed twice */
    struct followed done;
    struct buffer output; /* all that was printed */
    uint32_t fault, fault_transition, fault_pid;
    uint64_t parts_first, parts_before,
        parts; /* of the formula that hold: at first, before the step, now */
};

/* The trace of a run that has not begun; false: no memory. */
bool tracer_init(struct tracer *t, struct verifier *verifier, bool fair);
/* The trace as it is now; the rest of the tracer is released. */
struct trace *tracer_finish(struct tracer *t);
/* One step, with its events if `log`; false if it can't be taken here. */
bool tracer_take_step(struct tracer *t, const struct trail_step *step, bool log);
/* Threads for the processes that a step created, by thread `by`. */
void tracer_note_processes(struct tracer *t, const struct shape *before,
                           const struct shape *after, int parent);
/* A transition as the text of its statement. */
const char *tracer_words(struct tracer *t, uint32_t id);
/* All options of a process where it is now, and the place of the first; NULL: it is at its end.
 */
const char *tracer_next_words(struct tracer *t, uint32_t pid, struct source_stack *place);
/* Where it stands, inlines inside out. */
struct source_stack tracer_place(struct tracer *t, uint32_t id);
/* Why control came here from the process that moved last; call it before the step. */
enum switch_reason tracer_why_switched(struct tracer *t, uint32_t pid, uint32_t partner);
/* Events and schedule of the step in `done`; `waits`: what thread `from` is blocked on, or
 * NULL. */
void tracer_add_step(struct tracer *t, enum switch_reason reason, int from, const char *waits);

/* formula_parts.c. Adds to what the last step changed the parts of the formula that came to
 * hold by it, or hold no more. */
void tracer_note_parts(struct tracer *t, struct trace_event *event);
/* "In the first state p is true, q is false.", or "" without a formula. */
const char *tracer_first_parts(struct tracer *t);

/* The cycle begins here. */
void tracer_start_cycle(struct tracer *t);
void tracer_note_cycle_state(struct tracer *t);
void tracer_note_cycle_step(struct tracer *t);
/* Does the path come back to where the cycle began, as the property forbids? */
bool tracer_cycle_holds(struct tracer *t);
bool violation_is_cyclic(enum violation violation);
void tracer_set_failure(struct tracer *t, enum failure_kind kind, const char *message);
/* The failure at the end of the path, found again. */
void tracer_conclude(struct tracer *t, enum violation violation);
/* The switch from the last step of a cycle to its first, which has no event. */
void tracer_note_next_round(struct tracer *t, const struct trail *trail);

#endif
