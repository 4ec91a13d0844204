/* Shared by the parts of the text report: text.c, text_timeline.c, text_blocks.c, phrase.c. */
#ifndef MAZUR_REPORT_TEXT_PRIVATE_H
#define MAZUR_REPORT_TEXT_PRIVATE_H

#include "host/text_layout.h"
#include "host/terminal.h"
#include "report/text/text.h"

struct report {
    struct buffer *out;
    const struct trace *trace;
    struct text_style style;
    size_t width;                 /* columns of a line */
    enum long_word long_word;     /* what happens to a word that is longer */
    bool one_of_many;             /* what holds for all failures is said once, below the last */
    struct text_list *introduced; /* objects whose place of allocation was given; or NULL */
};

struct report report_open(struct buffer *out, const struct trace *trace,
                          struct text_style style);

/* What happened, without the advice that the message of a hang ends with. */
void add_message(struct buffer *out, const struct trace_failure *failure);
/* That advice, which the block of a hang gives; "" where there is none. */
const char *hang_advice(const struct trace_failure *failure);
/* Text in a colour, where colours are on. */
void add_painted(struct report *report, enum paint paint, const char *text);
/* How much of a place is shown. */
enum place_form {
    PLACE_FORM_WHOLE, /* "queue.c:88 Queue::push"; for an inline "lock.pml:3 take ← :17 P" */
    PLACE_FORM_NEAR,  /* ":88 push", below a place in the same file */
    PLACE_FORM_FILE,  /* "queue.c:88" */
    PLACE_FORM_LINE,  /* ":88", below a place in the same file */
    PLACE_FORMS
};
void add_place(struct buffer *out, const struct source_place *place);
void add_place_form(struct buffer *out, const struct source_place *place, enum place_form form);
/* The same, "lock.pml:3 in inline take, called at lock.pml:17 P". */
void add_place_in_words(struct buffer *out, const struct source_place *place);
/* "push" of "Queue<Job>::push". */
const char *innermost_name(const char *function);
/* The name of a function, its longer template arguments as `…`. */
void add_function(struct buffer *out, const char *function);
void add_thread(struct buffer *out, const struct trace *trace, int tid);
/* A stack, one line per frame, indented. */
void add_stack(struct report *report, const struct source_stack *stack, const char *indent);

/* phrase.c: "store x: 0 → 1 (release)" for an event, "lock m" for a pending operation. */
void add_event_phrase(struct buffer *out, const struct trace *trace, uint32_t index);
void add_operation(struct buffer *out, const struct trace_operation *operation);
/* What the event found, and what it left, in the form of its type. */
void add_value_before(struct buffer *out, const struct trace_event *event);
void add_value_after(struct buffer *out, const struct trace_event *event);
/* The same; the stack tells what C++ calls a read-modify-write: "fetch_add x". */
void add_operation_at(struct buffer *out, const struct trace_operation *operation,
                      const struct source_stack *stack);
/* Can the operation explain something? A thread's end decides nothing by itself, and the
 * library's internal counts mean nothing to readers. */
bool tells_something(const struct trace_operation *operation);
/* Does the operation have a memory order? */
bool is_atomic_kind(int kind);
void add_pending_phrase(struct buffer *out, const struct trace *trace, int tid);
/* " (shared)" or " (exclusive)" of a read-write lock; else "". */
const char *lock_mode(int kind);
/* ", held by T2", of what the thread waits for. */
void add_holder(struct buffer *out, const struct trace *trace, int tid);
/* "m", "T1", "a signal on ready": what a thread waits for at the end. */
void add_awaited(struct buffer *out, const struct trace *trace, int tid);
/* "T1 blocks: lock m, held by T2", "T2 waits for a signal on ready": where a thread is stuck.
 */
void add_final_wait(struct buffer *out, const struct trace *trace, int tid);
/* The condition that a thread waits for at the end of the execution, or NULL. */
const char *awaited_condition(const struct trace *trace, int tid);
/* "read of x", "free of Node", "virtual call on Sink": an access that is no event. */
void add_access_words(struct buffer *out, const struct trace_access *access);
/* Why `tid` lost control: "T1 is blocked: lock m". `next`: its next event, or TRACE_NO_EVENT.
 */
void add_switch_phrase(struct buffer *out, const struct trace *trace, uint32_t index,
                       uint32_t next);

/* text_selection.c: by event, is it shown? malloc'd. `full`: the user asks for all. The page
 * folds the others, too. */
bool *select_rows(const struct trace *trace, bool full);
/* A plain access is not an event. The earlier of two racing accesses gets a row of its own,
 * after the last event of its thread before it; the later one is where the execution ends.
 * NULL: there is none, or it is an event. */
const struct trace_access *find_earlier_access(const struct trace *trace);
/* A livelock ends in a cycle: the length of the shortest one that occurs twice, or 0. */
size_t find_final_cycle(const struct trace *trace);
/* text_names.c: the text, without the places of objects that were introduced before; malloc'd.
 */
char *introduce_objects(struct report *report, const char *text);

/* text_timeline.c: one column per thread, time downwards. */
void add_timeline(struct report *report);
/* Does the thread wait for ever, in a failure that is about that? */
bool is_stuck_at_end(const struct trace *trace, int tid);
/* text_rows.c: the rows of the timeline, laid out when all are known. */
struct timeline_row {
    size_t number; /* of the event, 0: none */
    size_t column; /* where the text starts */
    enum paint paint;
    char *text;
    const struct source_place *place; /* at the right, or NULL */
};
struct timeline_rows {
    struct timeline_row *row;
    size_t count;
    size_t capacity;
};
void rows_add(struct timeline_rows *rows, struct timeline_row row); /* takes over row.text */
/* Write them to the report, and release them. */
void rows_write(struct timeline_rows *rows, struct report *report);
/* text_history.c: the table of the history, and the serial orders with their first difference.
 */
void add_history(struct report *report);
/* text.c: the report of one failure; what was searched. */
void add_failure(struct report *report);
void add_coverage(struct report *report);
/* text_blocks.c: the block that belongs to the kind of failure. */
void add_failure_block(struct report *report);

#endif
