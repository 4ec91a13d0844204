/* State that libc or the kernel keeps for all threads of the process, in functions that do not
 * synchronise: which numbers descriptors and keys get, where strtok() continues, the result of
 * localtime(). The order of two such calls decides what both threads see, so each call is an
 * operation; otherwise a reduction would treat the threads as independent.
 *
 * For two kinds of state, accesses become operations only once they are known to matter. The
 * search learns this and starts over:
 *   - state that is read often and rarely changed (the environment, the time zone, the locale,
 *     the working directory): reads become operations when a thread changes it while other
 *     threads exist. The same holds for state that each thread has for itself (its name, its
 *     processors) and changes when it starts: these changes become operations when a thread
 *     reads the state of another one;
 *   - state that every call changes (rand(), getopt(), results in libc's own memory): uses
 *     become operations when two threads use it.
 * hooks.def lists which function uses what. */
#include "runtime/core/shared_state.h"

#include "base/hash.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"

/* With only one thread, its operations are ordered anyway. */
static void use_state(int flags, enum shared_state state, uint64_t pc)
{
    struct op op = op_make(OP_SHARED, flags, NULL, pc);
    if (rt.used == 1)
        return;
    op.object[op.nobjects++] = OBJECT_SHARED(state);
    schedule_visible(&op);
}

void shared_use(enum shared_state state, uint64_t pc)
{
    use_state(OP_READS | OP_WRITES, state, pc);
}

void shared_look(enum shared_state state, uint64_t pc)
{
    use_state(OP_READS, state, pc);
}

void shared_change(uint64_t pc)
{
    use_state(OP_READS | OP_WRITES | OP_GLOBAL, SHARED_PROCESS, pc);
}

/* --- State that is an operation once that matters --- */

static uint32_t learned_states; /* bit: enum shared_state */

static void learn_states(void)
{
    learned_states = 0;
    if (!lessons_have(&rt.board->lessons, LESSON_STATE))
        return;
    for (uint32_t state = 0; state < SHARED_STATES; state++)
        if (lessons_know(&rt.board->lessons, LESSON_STATE, state, 0))
            learned_states |= UINT32_C(1) << state;
}

bool shared_is_learned(enum shared_state state)
{
    return learned_states >> state & 1;
}

void shared_learn_state(enum shared_state state)
{
    if (!shared_is_learned(state))
        shared_learn(LESSON_STATE, state);
}

void shared_look_state(enum shared_state state, uint64_t pc)
{
    if (UNLIKELY(shared_is_learned(state)))
        use_state(OP_READS, state, pc);
}

void shared_change_state(enum shared_state state, uint64_t pc)
{
    if (rt.used == 1)
        return;
    shared_learn_state(state);
    use_state(OP_READS | OP_WRITES | OP_GLOBAL, state, pc);
}

void shared_look_other(enum shared_state state, uint64_t pc)
{
    if (rt.used == 1)
        return;
    shared_learn_state(state);
    use_state(OP_READS, state, pc);
}

void shared_change_own(enum shared_state state, uint64_t pc)
{
    if (UNLIKELY(shared_is_learned(state)))
        use_state(OP_READS | OP_WRITES, state, pc);
}

void shared_use_among_threads(enum shared_state state, uint64_t pc)
{
    spin_progress(rt.self); /* the next call returns something else */
    if (rt.used == 1)
        return;
    if (!shared_is_learned(state) && shared_has_another_user(OBJECT_SHARED(state)))
        shared_learn_state(state);
    if (shared_is_learned(state))
        use_state(OP_READS | OP_WRITES, state, pc);
}

/* --- Which thread uses what --- */

#define USERS 1024 /* a power of two */

static struct {
    uint32_t execution;
    uint32_t count;
    struct user {
        uint64_t object;
        uint32_t execution;
        int thread;
    } user[USERS];
} users;
EXECUTION_STATE(users);

void shared_begin(void)
{
    users.execution++;
    users.count = 0;
    learn_states();
}

void shared_learn(enum lesson_kind kind, uint64_t value)
{
    if (rt.recording || rt.simplifying)
        return;
    enum lesson_result result = lessons_add(&rt.board->lessons, kind, value, 0);
    if (result == LESSON_NO_ROOM)
        failure_uncontrolled("files or state of the process that threads share");
    if (result == LESSON_NEW)
        schedule_start_over();
}

bool shared_has_another_user(uint64_t object)
{
    uint64_t at = hash_slot(object, 10);
    if (users.count > USERS / 2)
        return true; /* the table is full: assume yes */
    for (;; at = (at + 1) % USERS) {
        struct user *user = &users.user[at];
        if (user->execution != users.execution) {
            *user = (struct user){object, users.execution, rt.current};
            users.count++;
            return false;
        }
        if (user->object == object)
            return user->thread != rt.current;
    }
}
