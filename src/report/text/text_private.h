/* Shared by the parts of the text report: text.c, text_timeline.c, text_blocks.c, phrase.c. */
#ifndef MAZUR_REPORT_TEXT_PRIVATE_H
#define MAZUR_REPORT_TEXT_PRIVATE_H

#include "host/terminal.h"
#include "report/text/text.h"

struct report {
    struct buffer *out;
    const struct trace *trace;
    struct text_style style;
};

/* What happened, without the advice that the message of a hang ends with. */
void add_message(struct buffer *out, const struct trace_failure *failure);
/* That advice, which the block of a hang gives; "" where there is none. */
const char *hang_advice(const struct trace_failure *failure);
/* Text in a colour, where colours are on. */
void add_painted(struct report *report, enum paint paint, const char *text);
/* "queue.c:88 push"; for an inline "lock.pml:3 take ← :17 P". */
void add_place(struct buffer *out, const struct source_place *place);
/* The same, "lock.pml:3 in inline take, called at lock.pml:17 P". */
void add_place_in_words(struct buffer *out, const struct source_place *place);
void add_thread(struct buffer *out, const struct trace *trace, int tid);
/* A stack, one line per frame, indented. */
void add_stack(struct report *report, const struct source_stack *stack, const char *indent);

/* phrase.c: "store x: 0 → 1 (release)" for an event, "lock m" for a pending operation. */
void add_event_phrase(struct buffer *out, const struct trace *trace, uint32_t index);
void add_operation(struct buffer *out, const struct trace_operation *operation);
void add_pending_phrase(struct buffer *out, const struct trace *trace, int tid);
/* The condition that a thread waits for at the end of the execution, or NULL. */
const char *awaited_condition(const struct trace *trace, int tid);
/* Why control left `tid`: "T1 is blocked: lock m". `next`: its next event, or TRACE_NO_EVENT.
 */
void add_switch_phrase(struct buffer *out, const struct trace *trace, uint32_t index,
                       uint32_t next);

/* text_timeline.c: one column per thread, time downwards. */
void add_timeline(struct report *report);
/* text_history.c: the table of the history, and the serial orders with what they disagree in.
 */
void add_history(struct report *report);
/* text_blocks.c: the block that belongs to the kind of failure. */
void add_failure_block(struct report *report);

#endif
