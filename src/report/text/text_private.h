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
    size_t width;             /* columns of a line */
    enum long_word long_word; /* what happens to a word that is longer */
    bool one_of_many;         /* what holds for all failures is said once, below the last */
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
    PLACE_FORM_WHOLE, /* "queue.c:88 push"; for an inline "lock.pml:3 take ← :17 P" */
    PLACE_FORM_FILE,  /* "queue.c:88" */
    PLACE_FORM_LINE,  /* ":88", below a place in the same file */
    PLACE_FORMS
};
void add_place(struct buffer *out, const struct source_place *place);
void add_place_form(struct buffer *out, const struct source_place *place, enum place_form form);
/* The same, "lock.pml:3 in inline take, called at lock.pml:17 P". */
void add_place_in_words(struct buffer *out, const struct source_place *place);
/* The name of a function, its longer template arguments as `…`. */
void add_function(struct buffer *out, const char *function);
void add_thread(struct buffer *out, const struct trace *trace, int tid);
/* A stack, one line per frame, indented. */
void add_stack(struct report *report, const struct source_stack *stack, const char *indent);

/* phrase.c: "store x: 0 → 1 (release)" for an event, "lock m" for a pending operation. */
void add_event_phrase(struct buffer *out, const struct trace *trace, uint32_t index);
void add_operation(struct buffer *out, const struct trace_operation *operation);
/* Does the operation have a memory order? */
bool is_atomic_kind(int kind);
void add_pending_phrase(struct buffer *out, const struct trace *trace, int tid);
/* The condition that a thread waits for at the end of the execution, or NULL. */
const char *awaited_condition(const struct trace *trace, int tid);
/* Why `tid` lost control: "T1 is blocked: lock m". `next`: its next event, or TRACE_NO_EVENT.
 */
void add_switch_phrase(struct buffer *out, const struct trace *trace, uint32_t index,
                       uint32_t next);

/* text_timeline.c: one column per thread, time downwards. */
/* The events that are shown unless the user asks for all; malloc'd. The page folds the others,
 * too. */
bool *timeline_selection(const struct trace *trace);
void add_timeline(struct report *report);
/* A livelock ends in a cycle: the length of the shortest one that occurs twice, or 0. */
size_t find_final_cycle(const struct trace *trace);
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
