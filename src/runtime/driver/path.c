/* Checkpoints on the path of the search. Depth-first executions share all but their last steps
 * with the one before, so an execution goes on at the deepest checkpoint that it shares:
 *
 *     last execution   ──●───────●───────●───●─────x      ●  checkpoint
 *     this execution             │       └──────────────  goes on at the third: the search says
 *                                                          that its path is the same up to
 * there
 *
 * A checkpoint is made between two steps, when the time since the last one is a few times what
 * a checkpoint costs; both are measured, so short executions have none. What does not pay is
 * made more rarely. `--checkpoints=always` makes them everywhere, for tests.
 *
 * All that belongs to the execution is saved, in this order:
 *
 *     search       where it is (search_mark); it is not asked again
 *     rt           the fields below; all other fields must be as they were at the beginning
 *     statics      objects with a row (execution_state.h); nothing else may have changed. So
 * what is outside the process (descriptors, mappings, signals) can't have changed threads their
 * records, pending operations, and the used part of their stacks memory       pages that differ
 * from the snapshot heap, race   see heap_saved.c, race_saved.c
 *
 * The components have begun a new execution before anything is put back, so what none of these
 * has touched is in its initial state. Where something can't be saved there is no checkpoint.
 *
 * A program that behaves differently when the same schedule is run again is noticed where
 * prefixes are run again. So now and then an execution begins at the beginning.
 *
 * Invariant: the checkpoints are moments of the last execution that the search walked; a moment
 * that it leaves is dropped before the execution that leaves it begins. */
#include "runtime/driver/path.h"

#include <x86intrin.h>

#include "base/must.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/driver/checkpoint.h"
#include "runtime/driver/statics.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/saved.h"
#include "runtime/memory/snapshot.h"
#include "runtime/race/race.h"

#define POINTS_MAX   512
#define ROOM         (UINT64_C(64) << 20)
#define LOOK_EVERY   8     /* steps: reading the clock costs a fifth of a step */
#define FIRST_COST   20000 /* cycles, before it is measured */
#define PAYS_AT      3     /* times its cost: steps worth so much are run before a checkpoint */
#define PAYS_MOST    4096
#define JUDGED_AFTER 32  /* checkpoints */
#define SHARE        64  /* … and this part of the execution so far */
#define CHECK_EVERY  128 /* executions */
#define VAIN_MOST    16  /* executions in a row that could not be saved */

struct point {
    struct search_mark mark;
    uint32_t nschedule;
    uint64_t time; /* cycles from the beginning of the execution */
    char *saved, *end;
};

static struct {
    struct point point[POINTS_MAX];
    uint32_t npoints;
    char *room;
    uint32_t *choice;        /* of the path, up to the last point */
    struct runtime *runtime; /* at the beginning of the execution */
    const struct search *search;
    bool begun;      /* the state at the beginning was noted */
    bool other_path; /* the last execution was not one of the search's walk */
    bool wanted;     /* a thread has stopped */
    uint32_t lessons, given_back;
    uint64_t began; /* the execution, of the time-stamp counter: as if it had run everything */
    uint64_t last;  /* the last checkpoint, or the beginning */
    /* in cycles: */
    uint64_t cost;    /* of a checkpoint, on average */
    uint64_t pays_at; /* times the cost */
    uint64_t spent, gained;
    uint32_t judged;  /* checkpoints since these are counted */
    uint32_t repeats; /* executions since the last one that began at the beginning */
    uint32_t vain;
    struct saved *saving;
} path;
LASTING_STATE(path);

/* --- Is a checkpoint possible? --- */

static bool is_possible(void)
{
    return checkpoint_is_allowed() && !rt.simplifying && !rt.looks_ahead && !rt.waits &&
           !rt.symmetric && !rt.counts_rounds && path.vain < VAIN_MOST &&
           checkpoint_is_settled();
}

static bool makes_all(void)
{
    return rt.board->config.checkpoints == CHECKPOINTS_ALWAYS;
}

/* clang-format off */
#define SAVED_FIELDS(F)                                                                        \
    F(pos) F(done) F(done_step) F(blocking) F(stale) F(plain_reads) F(heap_pc) F(frees)        \
    F(operand) F(current) F(self) F(used) F(alive)
#define OTHER_FIELDS(F)                                                                        \
    F(on) F(saw_timed) F(saw_unproven_loop) F(saw_realtime) F(clock_looks) F(notes_prefix)     \
    F(outcome) F(driver) F(mark_at)
/* clang-format on */
#define RUNTIME_HEAD offsetof(struct runtime, pending)

struct saved_runtime {
#define DECLARE(field) __typeof__(rt.field) field;
    SAVED_FIELDS(DECLARE)
};

static bool is_runtime_known(void)
{
    struct runtime *start = path.runtime;
#define TAKE_OVER(field) start->field = rt.field;
    SAVED_FIELDS(TAKE_OVER)
    OTHER_FIELDS(TAKE_OVER)
    return __builtin_memcmp(start, &rt, RUNTIME_HEAD) == 0;
}

static bool is_thread_known(const struct thread *thread)
{
    return !thread->program_fiber && thread->atomic == 0 && thread->no_preempt == 0 &&
           (thread->state == THREAD_FINISHED ||
            thread_owns_stack(thread, (uint64_t)(uintptr_t)thread->fiber.sp));
}

static bool are_threads_known(void)
{
    for (uint32_t t = 0; t < rt.used; t++)
        if (rt.thread[t].state != THREAD_NONE && !is_thread_known(&rt.thread[t]))
            return false;
    return true;
}

/* --- Saving --- */

struct saved_object {
    void *at;
    size_t size;
};

static void save_static(void *at, size_t size)
{
    struct saved_object object = {at, size};
    saved_add(path.saving, &object, sizeof object);
    saved_add(path.saving, at, size);
}

static bool save_statics(struct saved *saved)
{
    path.saving = saved;
    bool known = statics_each_changed(save_static);
    saved_add(saved, &(struct saved_object){NULL, 0}, sizeof(struct saved_object));
    return known;
}

/* A thread that has finished is still on its stack if it is the one that stopped here: it picks
 * its successor. */
static uint64_t lowest_of_stack(const struct thread *thread)
{
    uint64_t sp = (uint64_t)(uintptr_t)thread->fiber.sp;
    bool on_it = thread->state != THREAD_FINISHED || thread == rt.self;
    return on_it && sp < thread->stack_low ? sp : thread->stack_low;
}

/* The parts of the record's arrays that are in use. */
#define EACH_ARRAY(F)                                                                          \
    F(frame,                                                                                   \
      (thread->nframes < FRAMES_MAX ? thread->nframes : FRAMES_MAX) * sizeof thread->frame[0]) \
    F(lock, thread->nlocks * sizeof thread->lock[0])                                           \
    F(read, thread->spin.nreads * sizeof thread->read[0])                                      \
    F(write, thread->spin.nwrites * sizeof thread->write[0])                                   \
    F(copy, sizeof thread->copy)

static void save_thread(struct saved *saved, uint32_t t)
{
    const struct thread *thread = &rt.thread[t];
    uint64_t low = lowest_of_stack(thread);
    saved_add(saved, &t, sizeof t);
    saved_add(saved, thread, offsetof(struct thread, frame));
#define SAVE_ARRAY(array, size) saved_add(saved, &thread->array, size);
    EACH_ARRAY(SAVE_ARRAY)
    saved_add(saved, &rt.pending[t], sizeof rt.pending[t]);
    saved_add(saved, &low, sizeof low);
    saved_add(saved, (const void *)low, (uint64_t)(uintptr_t)thread->fiber.base - low);
}

static void save_threads(struct saved *saved)
{
    for (uint32_t t = 0; t < rt.used; t++)
        if (rt.thread[t].state != THREAD_NONE)
            save_thread(saved, t);
    const uint32_t end = THREADS_MAX;
    saved_add(saved, &end, sizeof end);
}

static bool save_execution(struct saved *saved)
{
#define FIELD(field) .field = rt.field,
    struct saved_runtime fields = {SAVED_FIELDS(FIELD)};
    saved_add(saved, &fields, sizeof fields);
    if (!save_statics(saved))
        return false;
    save_threads(saved);
    if (!snapshot_save(saved))
        return false;
    heap_save(saved);
    race_save(saved);
    return !saved->full;
}

/* --- Putting back --- */

static void put_back_statics(struct saved *saved)
{
    for (;;) {
        const struct saved_object *object = saved_next(saved, sizeof *object);
        if (!object->at)
            return;
        saved_take(saved, object->at, object->size);
    }
}

/* What the last execution left below the saved part of the stack is cleared, as in
 * thread_reset(). */
static void put_back_thread(struct saved *saved, struct thread *thread)
{
    uint64_t used = thread->stack_low;
    saved_take(saved, thread, offsetof(struct thread, frame));
#define TAKE_ARRAY(array, size) saved_take(saved, &thread->array, size);
    EACH_ARRAY(TAKE_ARRAY)
    saved_take(saved, &rt.pending[thread - rt.thread], sizeof rt.pending[0]);
    uint64_t low;
    saved_take(saved, &low, sizeof low);
    if (used != 0 && used < low)
        __builtin_memset((void *)used, 0, low - used);
    saved_take(saved, (void *)low, (uint64_t)(uintptr_t)thread->fiber.base - low);
}

static void put_back_execution(struct saved *saved)
{
    const struct saved_runtime *fields = saved_next(saved, sizeof *fields);
#define PUT_BACK(field) rt.field = fields->field;
    SAVED_FIELDS(PUT_BACK)
    put_back_statics(saved);
    for (uint32_t t;;) {
        saved_take(saved, &t, sizeof t);
        if (t == THREADS_MAX)
            break;
        put_back_thread(saved, &rt.thread[t]);
    }
    snapshot_put_back(saved);
    heap_put_back(saved);
    race_put_back(saved);
}

/* --- Does it pay? --- */

static void count_cost(uint64_t cycles)
{
    if (cycles > 4 * path.cost) /* the processor did something else */
        cycles = 4 * path.cost;
    path.cost += (cycles >> 3) - (path.cost >> 3);
    path.spent += cycles;
}

/* Checkpoints that save little are made more rarely, up to never; others more often again. */
static void judge_points(void)
{
    if (++path.judged < JUDGED_AFTER)
        return;
    if (path.gained < 2 * path.spent && path.pays_at < PAYS_MOST)
        path.pays_at *= 2;
    else if (path.gained > 8 * path.spent && path.pays_at > PAYS_AT)
        path.pays_at /= 2;
    path.judged = 0;
    path.spent = path.gained = 0;
}

/* --- The points --- */

void path_drop(void)
{
    path.npoints = 0;
    path.begun = false;
    path.vain = 0;
    path.cost = FIRST_COST;
    path.pays_at = PAYS_AT;
    path.spent = path.gained = path.judged = 0;
    path.lessons = rt.board->lessons.count;
    path.search = rt.search;
    path.given_back = race_times_given_back();
}

static char *room_left(void)
{
    return path.npoints ? path.point[path.npoints - 1].end : path.room;
}

/* The choices are on the board until an execution that the search did not walk. */
static void note_choices(uint32_t from, uint32_t to)
{
    __builtin_memcpy(path.choice + from, rt.board->schedule + from,
                     (to - from) * sizeof *path.choice);
}

static void make_point(void)
{
    uint64_t start = __rdtsc();
    struct point *point = &path.point[path.npoints];
    struct saved saved = {room_left(), path.room + ROOM, false};
    bool fits = path.npoints < POINTS_MAX;
    path.last = start;
    if (!fits || !search_mark(rt.search, &point->mark))
        return;
    *point = (struct point){.mark = point->mark,
                            .nschedule = rt.board->nschedule,
                            .time = start - path.began,
                            .saved = saved.at};
    if (!are_threads_known() || !is_runtime_known() || !save_execution(&saved)) {
        path.vain += path.npoints == 0;
        rt.mark_at = UINT32_MAX; /* what can't be saved stays */
        return;
    }
    note_choices(path.npoints ? point[-1].nschedule : 0, point->nschedule);
    point->end = saved.at;
    path.npoints++;
    path.vain = 0;
    path.last = __rdtsc();
    count_cost(path.last - start);
    judge_points();
}

void path_offer(void)
{
    uint64_t now = __rdtsc();
    rt.mark_at = rt.pos.depth + LOOK_EVERY;
    if (makes_all())
        rt.mark_at = rt.pos.depth + 1;
    else if (now - path.last < path.pays_at * path.cost ||
             now - path.last < (now - path.began) / SHARE)
        return;
    if (rt.on_trial || rt.pos.depth == 0)
        return;
    path.wanted = true;
    fiber_swap(&rt.self->fiber, &rt.driver);
}

bool path_consider(void)
{
    if (!path.wanted)
        return false;
    path.wanted = false;
    make_point();
    return true;
}

/* --- The beginning of an execution --- */

static void go_on_at(const struct point *point)
{
    uint64_t start = __rdtsc();
    struct saved saved = {point->saved, point->end, false};
    if (path.other_path)
        __builtin_memcpy(rt.board->schedule, path.choice,
                         point->nschedule * sizeof *path.choice);
    schedule_go_on(point->nschedule, !path.other_path);
    put_back_execution(&saved);
    must(saved.at == point->end);
    path.other_path = false;
    path.last = __rdtsc();
    path.began = path.last - point->time;
    count_cost(path.last - start);
    path.gained += point->time;
    path.vain = 0;
}

static bool is_current(void)
{
    return path.search == rt.search && path.lessons == rt.board->lessons.count &&
           path.given_back == race_times_given_back();
}

static void note_beginning(void)
{
    if (path.begun)
        statics_note_again();
    else
        statics_note();
    path.begun = true;
    __builtin_memcpy(path.runtime, &rt, RUNTIME_HEAD);
}

/* The deepest point that this execution has, too; NULL: none. */
static const struct point *find_point(void)
{
    while (path.npoints > 0) {
        const struct point *point = &path.point[path.npoints - 1];
        switch (search_go_on(rt.search, &point->mark)) {
        case MARK_GOES_ON:
            return point;
        case MARK_LATER:
            path.other_path = true;
            rt.mark_at = UINT32_MAX;
            return NULL;
        case MARK_GONE:
            path.npoints--;
        }
    }
    path.other_path = false; /* whatever comes is the path */
    return NULL;
}

bool path_begin(void)
{
    rt.mark_at = UINT32_MAX;
    path.wanted = false;
    if (!is_possible() || !rt.search) {
        path.npoints = 0;
        path.begun = false;
        return false;
    }
    if (!path.room) {
        path.room = rt_map_table(ROOM);
        path.choice = rt_map_table(BOARD_SCHEDULE * sizeof *path.choice);
        path.runtime = rt_map_table(sizeof *path.runtime);
    }
    if (!is_current())
        path_drop();
    rt.mark_at = 1;
    note_beginning();
    if (++path.repeats == CHECK_EVERY)
        path.npoints = path.repeats = 0;
    path.began = path.last = __rdtsc();
    const struct point *point = find_point();
    if (point)
        go_on_at(point);
    return point;
}
