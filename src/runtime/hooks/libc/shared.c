/* State that libc or the kernel keeps for all threads of the process, in functions that are no
 * synchronisation: which numbers descriptors and keys get, where strtok() goes on, the result
 * of localtime(). The order of two such calls decides what both threads see, so that each is an
 * operation; without that a reduction would take the threads for independent.
 *
 * Two kinds of state are operations only once that is known to matter, which the search learns
 * and then begins again:
 *   - what is looked at often and rarely changed (the environment, the time zone, the locale,
 *     the working directory): looks are operations when a change was seen beside other threads.
 *     The same goes for what each thread has its own of (its name, its processors) and changes
 *     when it starts: such changes are operations when a thread was seen to look at another's;
 *   - what every call moves on (rand(), getopt(), results in libc's own memory): uses are
 *     operations when two threads were seen to use it.
 * Which function uses what: libc.def. What is printed is not read back by the program and no
 * operation either. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/memory.h"
#include "runtime/race/objects.h"
#include "runtime/race/race.h"
#include "runtime/memory/raw.h"
#include "runtime/hooks/files/scratch.h"

/* As long as there is one thread its operations are in order anyway. */
static void use(int flags, enum shared_state state, uint64_t pc)
{
    struct op op = op_make(OP_SHARED, flags, NULL, pc);
    if (rt.used == 1)
        return;
    op.object[op.nobjects++] = BOARD_OBJECT_SHARED + state;
    visible(&op);
}

void shared_use(enum shared_state state, uint64_t pc)
{
    use(OP_READS | OP_WRITES, state, pc);
}

void shared_look(enum shared_state state, uint64_t pc)
{
    use(OP_READS, state, pc);
}

void shared_change(uint64_t pc)
{
    use(OP_READS | OP_WRITES | OP_GLOBAL, SHARED_PROCESS, pc);
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

static bool is_learned_state(enum shared_state state)
{
    return learned_states >> state & 1;
}

static void learn_state(enum shared_state state)
{
    if (!is_learned_state(state))
        shared_learn(LESSON_STATE, state);
}

void shared_look_state(enum shared_state state, uint64_t pc)
{
    if (UNLIKELY(is_learned_state(state)))
        use(OP_READS, state, pc);
}

void shared_change_state(enum shared_state state, uint64_t pc)
{
    if (rt.used == 1)
        return;
    learn_state(state);
    use(OP_READS | OP_WRITES | OP_GLOBAL, state, pc);
}

void shared_look_other(enum shared_state state, uint64_t pc)
{
    if (rt.used == 1)
        return;
    learn_state(state);
    use(OP_READS, state, pc);
}

void shared_change_own(enum shared_state state, uint64_t pc)
{
    if (UNLIKELY(is_learned_state(state)))
        use(OP_READS | OP_WRITES, state, pc);
}

/* A path is text of the caller's; a relative one depends on the working directory. */
void shared_look_path(const char *path, uint64_t pc)
{
    if (path != NULL)
        caller_reads(path, rawmem_length(path) + 1, pc);
    if (path != NULL && path[0] != '/')
        shared_look_state(SHARED_DIRECTORY, pc);
    scratch_look(pc);
}

static bool has_another_user(uint64_t object);

void shared_use_among_threads(enum shared_state state, uint64_t pc)
{
    spin_progress(rt.self); /* the next call gives something else */
    if (rt.used == 1)
        return;
    if (!is_learned_state(state) && has_another_user(BOARD_OBJECT_SHARED + state))
        learn_state(state);
    if (is_learned_state(state))
        use(OP_READS | OP_WRITES, state, pc);
}

/* --- Files and streams ---
 *
 * As long as each is used by one thread, reading and writing it is no operation: programs do it
 * byte by byte. When a second thread comes the search learns that, and begins again. */

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

/* Which functions exit() calls. */
static struct {
    bool is_operation; /* calling exit() is one */
    bool registered;   /* one was added to them, last by this thread: */
    int thread;
    bool by_several;
} at_exit;

void shared_begin(void)
{
    users.execution++;
    users.count = 0;
    rt.shares_files = lessons_have(&rt.board->lessons, LESSON_FILES);
    learn_states();
    zone_begin();
    settings_begin();
    memstreams_begin();
    at_exit.is_operation = lessons_have(&rt.board->lessons, LESSON_EXIT);
    at_exit.registered = false;
    numbers_begin();
    holders_begin();
    facets_begin();
    keys_begin_uses();
    annotations_begin();
    race_keep_heads(lessons_have(&rt.board->lessons, LESSON_HEADS));
    mappings_begin();
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

static bool has_another_user(uint64_t object)
{
    uint64_t at = (object * UINT64_C(0x9e3779b97f4a7c15)) >> 54;
    if (users.count > USERS / 2)
        return true; /* for all that is known */
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

void shared_use_file(uint64_t object, int flags, uint64_t pc)
{
    struct op op = op_make(OP_SHARED, flags, NULL, pc);
    if (rt.used == 1)
        return;
    if (scratch_is_on())
        object = BOARD_OBJECT_SHARED + SHARED_FILES;
    if (!rt.shares_files && has_another_user(object))
        shared_learn(LESSON_FILES, 0);
    if (!rt.shares_files && !(flags & OP_GLOBAL))
        return;
    op.object[op.nobjects++] = object;
    visible(&op);
}

/* libc's own, whatever the program has `stdout` point to. */
extern FILE _IO_2_1_stdout_, _IO_2_1_stderr_;

/* What goes to standard output and error is not read back, unless the program has sent it to a
 * file of its own. */
static bool is_output(const void *file)
{
    return (file == &_IO_2_1_stdout_ || file == &_IO_2_1_stderr_) &&
           descriptor_of(((const FILE *)file)->_fileno)->channel == 0;
}

void stream_use(const void *file, uint64_t pc)
{
    memstream_use(file, pc);
    if (is_output(file))
        return;
    files_changed(); /* where it is in the file: put back after the execution */
    shared_use_file((uint64_t)(uintptr_t)file, OP_READS | OP_WRITES, pc);
    if (heap_contains((uint64_t)(uintptr_t)file)) /* fclose() frees it */
        object_use(file, sizeof(int), pc);
}

/* --- What belongs to the process --- */

static void register_exit(uint64_t pc)
{
    if (rt.used > 1) {
        at_exit.by_several =
            at_exit.registered && (at_exit.by_several || at_exit.thread != rt.current);
        at_exit.registered = true;
        at_exit.thread = rt.current;
        if (rt.exiting && rt.exiting_thread != rt.current && !at_exit.is_operation)
            shared_learn(LESSON_EXIT, 0);
    }
    shared_use(SHARED_EXIT, pc);
}

/* Handlers run in the reverse order of these calls. atexit() and the destructors of C++ objects
 * come here, too. */
EXPORT int __cxa_atexit(void (*function)(void *), void *argument, void *module);
FORWARD(int, __cxa_atexit, (void (*function)(void *), void *argument, void *module),
        (function, argument, module), register_exit(CALLER))
FORWARD(int, on_exit, (void (*function)(int, void *), void *argument), (function, argument),
        register_exit(CALLER))

static bool never(struct thread *self)
{
    (void)self;
    return false;
}

/* exit(3p): it looks at the functions that were registered, and (POSIX.1-2024) "if exit() is
 * called by more than one thread, the second and later calls shall block until the process has
 * terminated". Which call is the first, and what was registered before it, matters only where
 * another thread calls exit() or atexit(), too: when that is seen the search learns that
 * calling exit() is an operation, and begins again. */
void shared_begin_exit(uint64_t pc)
{
    struct op op = op_make(OP_SHARED, OP_READS | OP_WRITES | OP_YIELDS, NULL, pc);
    op.object[op.nobjects++] = BOARD_OBJECT_SHARED + SHARED_EXIT;
    bool shared = rt.exiting || at_exit.by_several ||
                  (at_exit.registered && at_exit.thread != rt.current);
    if (shared && !at_exit.is_operation)
        shared_learn(LESSON_EXIT, 0);
    if (at_exit.is_operation && rt.used > 1)
        visible(&op);
    if (!rt.exiting)
        return;
    op.flags |= OP_MAY_BLOCK;
    schedule_point_blocking(&op, never);
}

/* Not in memory, so that they have to be put back after an execution. */
static struct {
    bool directory_changed;
    int directory; /* where the program was */
    bool mask_changed;
    mode_t mask;
} process;

static void keep_directory(uint64_t pc)
{
    if (!process.directory_changed && !scratch_is_on()) {
        long fd = raw_syscall4(SYS_openat, AT_FDCWD, (long)".", O_PATH | O_CLOEXEC, 0);
        process.directory =
            (int)raw_syscall3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, files_spare_floor());
        raw_syscall1(SYS_close, fd);
        if (process.directory < 0)
            rt_fatal("the limit on open files (ulimit -n) leaves no room for the working "
                     "directory that Mazur must return to");
        process.directory_changed = true;
    }
    shared_change_state(SHARED_DIRECTORY, pc);
}

static void keep_mask(uint64_t pc)
{
    if (!process.mask_changed) {
        process.mask = (mode_t)raw_syscall1(SYS_umask, 0);
        raw_syscall1(SYS_umask, process.mask);
        process.mask_changed = true;
    }
    shared_change(pc);
}

void process_restore(void)
{
    if (process.directory_changed) {
        raw_syscall1(SYS_fchdir, process.directory);
        raw_syscall1(SYS_close, process.directory);
    }
    if (process.mask_changed)
        raw_syscall1(SYS_umask, process.mask);
    process.directory_changed = process.mask_changed = false;
}

FORWARD(int, chdir, (const char *path), (path),
        caller_reads(path, rawmem_length(path) + 1, CALLER);
        keep_directory(CALLER))
FORWARD(int, fchdir, (int fd), (fd), keep_directory(CALLER))
FORWARD(mode_t, umask, (mode_t mask), (mask), keep_mask(CALLER))
