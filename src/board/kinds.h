/* The enumerations that the board shares with everything made from it: traces, reports, models.
 * They are separate from board.h so that those need not know the layout of the shared
 * memory. */
#ifndef MAZUR_BOARD_KINDS_H
#define MAZUR_BOARD_KINDS_H

enum failure_kind {
    FAILURE_NONE = 0,
#define FAILURE(kind, name, title, code, traits, block) FAILURE_##kind,
#include "board/failures.def"
#undef FAILURE
    FAILURE_KINDS
};

enum thread_state {
    THREAD_NONE = 0,
    THREAD_RUNNABLE,
    THREAD_BLOCKED,  /* its pending operation is disabled */
    THREAD_SPINNING, /* idle spin loop: blocked until a location is written */
    THREAD_FINISHED,
};

/* Why control passed from one thread to another. */
enum switch_reason {
    SWITCH_NONE = 0,  /* same thread as before */
    SWITCH_PREEMPTED, /* the last thread could have continued */
    SWITCH_BLOCKED,   /* its pending operation is disabled */
    SWITCH_FINISHED,
    SWITCH_YIELDED,  /* its pending operation yields */
    SWITCH_SPINNING, /* it was found in an idle spin loop */
};

#endif
