/* Calls from lower layers to higher ones. A lower layer includes no header of a higher one;
 * where it has to call one, it calls through this table. driver/components.c fills in the whole
 * table before the program's main: no entry is NULL after that. */
#ifndef MAZUR_RUNTIME_CALLS_UP_H
#define MAZUR_RUNTIME_CALLS_UP_H

#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"
#include "explore/world/world.h"

struct thread;

struct calls_up {
    /* schedule.c: waiting */
    void (*endless_look)(void);
    int (*endless_probe_pick)(const struct position *);
    void (*spin_trial_point)(const struct op *);
    void (*spin_trial_done)(const struct op *);
    void (*spin_trial_fail)(void);
    void (*look_ahead_stop)(void);
    void (*look_ahead_at_end)(int result);
    void (*look_ahead_judge)(void);
    void (*look_ahead_judge_assumed)(void);
    int (*spin_prove_again)(void);
    bool (*busy_loop_try_again)(void);
    void (*look_ahead_at_failure)(void);
    const struct op *(*waits_for_change)(const struct op *, bool (*ready)(struct thread *));
    bool (*waits_ready)(struct thread *);
    void (*waits_over)(void);
    void (*waits_done)(const struct op *);
    void (*waits_add_awaited)(struct op *);
    void (*waits_yielded)(void);
    void (*fingerprint_note_entry)(struct thread *, uint64_t pc);
    uint64_t (*fingerprint_state)(const struct position *);
    /* schedule.c: evidence, and reports at the end */
    bool (*history_goes_on)(void);
    void (*history_stuck)(void);
    int (*record_switch)(int tid);
    void (*record_event)(const struct op *);
    void (*record_pending)(const struct op *);
    void (*store_buffers_done)(const struct op *);
    void (*raise_deadlock)(void);
    /* thread.c: main is about to create the first thread */
    void (*offer_checkpoint)(void);
    /* schedule.c: before the search is asked */
    void (*offer_mark)(void);
    /* schedule.c: hooks */
    void (*invariants_check)(void);
    void (*signals_deliver)(void);
    uint64_t (*timers_next)(void);
    void (*timers_fire)(void);
    /* failure.c: these find something only in RECORD runs */
    void (*home_find)(uint64_t address, struct board_home *);
    void (*home_walk)(uint64_t pc, struct board_stack *);
    bool (*record_pending_stack)(int tid, uint64_t pc, struct board_stack *);
    /* fingerprint.c, busy_loop.c: has this execution changed something that no fingerprint
     * covers? */
    bool (*files_touched)(void);
    bool (*mappings_changed)(void);
    /* access.c */
    bool (*object_is_exactly)(uint64_t address, uint32_t size);
    bool (*annotations_ignore)(bool write);
    void (*traps_watch_stack)(uint64_t address);
    /* exit.c: does some thread wait forever, although the process is about to end? */
    bool (*is_stuck_for_ever)(void);
};

extern struct calls_up calls_up __attribute__((visibility("hidden")));

#endif
