/* The components: modules of the runtime that have state, in the order in which begin() is
 * called.
 *
 * State of one execution must be reset before the next one, or the program's behaviour would
 * depend on earlier executions. Every module with such state has one row here, and is listed
 * nowhere else.
 */
#include "runtime/driver/components.h"

#include <stddef.h>

#include "base/must.h"
#include "runtime/access/access.h"
#include "runtime/access/store_buffers.h"
#include "runtime/access/returned_frames.h"
#include "runtime/core/calls_up.h"
#include "runtime/core/executor.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/shared_state.h"
#include "runtime/core/threads.h"
#include "runtime/driver/checkpoint.h"
#include "runtime/driver/path.h"
#include "runtime/evidence/history.h"
#include "runtime/evidence/home.h"
#include "runtime/evidence/record.h"
#include "runtime/faults/faults.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/hooks/language/language.h"
#include "runtime/hooks/libc/process_state.h"
#include "runtime/hooks/process/process.h"
#include "runtime/hooks/process/timers.h"
#include "runtime/hooks/threads/keys.h"
#include "runtime/hooks/threads/lifecycle.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/hooks/threads/signal_delivery.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/snapshot.h"
#include "runtime/race/race.h"
#include "runtime/traps/traps.h"
#include "runtime/waiting/busy_loop.h"
#include "runtime/waiting/endless.h"
#include "runtime/waiting/fingerprint.h"
#include "runtime/waiting/counted.h"
#include "runtime/waiting/look_ahead.h"
#include "runtime/waiting/spin.h"
#include "runtime/waiting/spin_stack.h"
#include "runtime/waiting/waits.h"

static void init_executor(void)
{
    if (rt.os_threads)
        executor_init();
}

static void init_home(void)
{
    if (rt.recording)
        home_init();
}

static void init_store_buffers(void)
{
    if (rt.store_buffers)
        store_buffers_init();
}

static void begin_store_buffers(void)
{
    if (rt.store_buffers)
        store_buffers_begin();
}

static void begin_record(void)
{
    if (rt.recording)
        record_begin();
}

static void begin_race_heads(void)
{
    race_keep_heads(lessons_have(&rt.board->lessons, LESSON_HEADS));
}

/* clang-format off */
static const struct component components[] = {
    /* name               init                    snapshot       begin                 restore */
    {"store buffers",     init_store_buffers,     NULL,          begin_store_buffers,  NULL},
    {"executor",          init_executor,          NULL,          NULL,                 NULL},
    {"donors",            donors_init,            NULL,          NULL,                 NULL},
    {"unwinder",          unwinder_warm_up,       NULL,          NULL,                 NULL},
    {"home",              init_home,              NULL,          NULL,                 NULL},
    {"glib",              glib_take_over,         NULL,          NULL,                 NULL},
    {"libstdc++",         libstdcxx_take_over,    NULL,          NULL,                 NULL},
    {"crash",             crash_init,             NULL,          NULL,                 NULL},
    {"thread stacks",     threads_reserve_stacks, NULL,          NULL,                 NULL},
    {"busy loops",        NULL,                   NULL,          busy_loop_begin,      NULL},
    {"schedule",          NULL,                   NULL,          schedule_begin,       NULL},
    {"endless",           NULL,                   NULL,          endless_begin,        NULL},
    {"waits",             NULL,                   NULL,          waits_begin,          NULL},
    {"look ahead",        NULL,                   NULL,          look_ahead_begin,     NULL},
    {"counted rounds",    NULL,                   NULL,          counted_begin,        NULL},
    {"shared state",      NULL,                   NULL,          shared_begin,         NULL},
    {"shared files",      NULL,                   NULL,          shared_files_begin,   NULL},
    {"process state",     NULL,                   NULL,          zone_begin,           process_restore},
    {"random state",      NULL,                   NULL,          random_begin,         NULL},
    {"messages",          NULL,                   NULL,          messages_begin,       NULL},
    {"thread settings",   NULL,                   NULL,          settings_begin,       NULL},
    {"memory streams",    NULL,                   NULL,          memstreams_begin,     NULL},
    {"exit",              NULL,                   NULL,          exit_begin,           NULL},
    {"files",             NULL,                   files_init,    numbers_begin,        files_restore},
    {"exception holders", NULL,                   NULL,          holders_begin,        NULL},
    {"facets",            NULL,                   NULL,          facets_begin,         NULL},
    {"key uses",          NULL,                   keys_snapshot, keys_begin_uses,      NULL},
    {"annotations",       NULL,                   NULL,          annotations_begin,    NULL},
    {"race heads",        NULL,                   NULL,          begin_race_heads,     NULL},
    {"mappings",          NULL,                   NULL,          mappings_begin,       mappings_restore},
    {"access",            NULL,                   NULL,          access_begin,         NULL},
    {"shared stacks",     NULL,                   NULL,          stacks_begin,         NULL},
    {"heap",              NULL,                   heap_snapshot, heap_begin,           NULL},
    {"race",              NULL,                   NULL,          race_begin,           NULL},
    {"frames",            frames_init,            NULL,          frames_begin,         NULL},
    {"keys",              NULL,                   NULL,          keys_begin,           NULL},
    {"semaphores",        NULL,                   NULL,          semaphores_begin,     NULL},
    {"signals",           NULL,                   NULL,          signals_begin,        NULL},
    {"timers",            NULL,                   NULL,          timers_begin,         NULL},
    {"process",           NULL,                   NULL,          process_begin,        NULL},
    {"invariants",        NULL,                   NULL,          invariants_begin,     NULL},
    {"history",           NULL,                   NULL,          history_begin,        NULL},
    {"record",            NULL,                   NULL,          begin_record,         NULL},
    {"memory",            NULL,                   NULL,          NULL,                 snapshot_restore},
};
/* clang-format on */

/* Unrolled to get direct calls: a whole execution of a small program takes only 5
 * microseconds. */
#define CALL_EACH(member)                                                                      \
    _Pragma("GCC unroll 64") for (size_t i = 0; i < sizeof components / sizeof *components;    \
                                  i++)                                                         \
    {                                                                                          \
        if (components[i].member)                                                              \
            components[i].member();                                                            \
    }

void components_init(void)
{
    CALL_EACH(init)
}

void components_snapshot(void)
{
    CALL_EACH(snapshot)
}

void components_begin(void)
{
    CALL_EACH(begin)
}

void components_restore(void)
{
    CALL_EACH(restore)
}

void components_connect(void)
{
    calls_up = (struct calls_up){
        .endless_look = endless_look,
        .endless_probe_pick = endless_probe_pick,
        .spin_trial_point = spin_trial_point,
        .spin_trial_done = spin_trial_done,
        .spin_trial_fail = spin_trial_fail,
        .object_is_exactly = access_object_is_exactly,
        .look_ahead_stop = look_ahead_stop,
        .look_ahead_at_end = look_ahead_at_end,
        .look_ahead_judge = look_ahead_judge,
        .look_ahead_judge_assumed = look_ahead_judge_assumed,
        .spin_prove_again = spin_prove_again,
        .busy_loop_try_again = busy_loop_try_again,
        .look_ahead_at_failure = look_ahead_at_failure,
        .waits_for_change = waits_for_change,
        .waits_ready = waits_ready,
        .waits_over = waits_over,
        .waits_done = waits_done,
        .waits_add_awaited = waits_add_awaited,
        .waits_yielded = waits_yielded,
        .fingerprint_note_entry = fingerprint_note_entry,
        .fingerprint_state = fingerprint_state,
        .history_goes_on = history_goes_on,
        .history_stuck = history_stuck,
        .record_switch = record_switch,
        .record_event = record_event,
        .record_pending = record_pending,
        .store_buffers_done = store_buffers_done,
        .raise_deadlock = failure_deadlock,
        .offer_checkpoint = checkpoint_offer,
        .offer_mark = path_offer,
        .invariants_check = invariants_check,
        .signals_deliver = signals_deliver,
        .timers_next = timers_next,
        .timers_fire = timers_fire,
        .home_find = home_find,
        .home_walk = home_walk,
        .record_pending_stack = record_pending_stack,
        .files_touched = files_touched,
        .mappings_changed = mappings_changed,
        .annotations_ignore = annotations_ignore,
        .traps_watch_stack = traps_watch_stack,
        .is_stuck_for_ever = failure_stuck_for_ever,
    };
    uintptr_t call[sizeof calls_up / sizeof(uintptr_t)];
    __builtin_memcpy(call, &calls_up, sizeof calls_up);
    for (size_t i = 0; i < sizeof call / sizeof *call; i++)
        must(call[i]);
    race_report = report_race;
    race_birth = heap_birth;
}
