/* See supervise.h. One poll loop: a child's end (a pidfd), its two output pipes, and a tick
 * every 20 ms for heartbeat, time limit, Ctrl-C and progress. */
#define _GNU_SOURCE
#include "cli/watch/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/build/elfcheck.h"
#include "cli/watch/idle_child.h"
#include "cli/watch/place_names.h"
#include "host/guardian.h"
#include "host/process_limits.h"

#define TICK_MILLISECONDS 20
#define HANG_ANSWER       5.0 /* seconds of processor time the runtime has to report a hang */
#define HANG_SILENCE      60.0 /* … or this many by the clock, if it does not use the processor */
#define STOP_PATIENCE     1.0  /* seconds that a child has to end its execution */
#define STOP_ANSWER       10.0 /* seconds a stepping child has to end the search */

static volatile sig_atomic_t interrupts;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupts = interrupts + 1;
}

void supervise_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    sigaction(SIGXCPU, &action, NULL); /* the soft limit: some time is left for the report */
}

bool supervise_interrupted(void)
{
    return interrupts > 0;
}

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The pipes of one child, as the parent sees them. */
struct wires {
    int stream[OUTPUT_STREAMS]; /* read ends of its stdout and stderr, -1 when closed */
    int child_stream[OUTPUT_STREAMS];
    int start[2]; /* errno of a failed exec, or end of file */
};

static void close_one(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static void close_wires(struct wires *wires)
{
    for (int i = 0; i < OUTPUT_STREAMS; i++) {
        close_one(&wires->stream[i]);
        close_one(&wires->child_stream[i]);
        close_one(&wires->start[i]);
    }
}

static bool open_wires(struct wires *wires)
{
    *wires = (struct wires){{-1, -1}, {-1, -1}, {-1, -1}};
    for (int i = 0; i < OUTPUT_STREAMS; i++) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            return false;
        wires->stream[i] = ends[0];
        wires->child_stream[i] = ends[1];
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
    }
    return pipe2(wires->start, O_CLOEXEC) == 0;
}

/* Move a segment's descriptor to a high number, which programs do not use, and put it into the
 * environment. */
static bool hand_over(int descriptor, const char *variable)
{
    struct rlimit limit;
    int floor = 900;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1024)
        floor = (int)limit.rlim_cur - 8;
    int high = fcntl(descriptor, F_DUPFD, floor > 16 ? floor : 16);
    char number[16];
    snprintf(number, sizeof number, "%d", high);
    return high >= 0 && setenv(variable, number, 1) == 0;
}

/* ASan insists on being the first library, but Mazur must be first. It looks for leaks with a
 * thread that stops all others and does not know the stacks that Mazur makes. Mazur reports
 * crashes itself. */
static void set_asan_options(void)
{
    const char *given = getenv("ASAN_OPTIONS");
    char *options =
        format_text("%s%sverify_asan_link_order=0:detect_leaks=0:handle_segv=0:"
                    "handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0",
                    given ? given : "", given && *given ? ":" : "");
    setenv("ASAN_OPTIONS", options, 1);
    free(options);
}

void supervise_preload(const char *runtime, const char *program)
{
    if (program_uses_asan(program))
        set_asan_options();
    const char *others = getenv("LD_PRELOAD");
    char *list;
    if (!others || !*others || strstr(others, runtime))
        list = copy_text(runtime);
    else
        list = format_text("%s:%s", runtime, others);
    setenv("LD_PRELOAD", list, 1);
    /* Lazy binding would write to the program's tables in every execution, since they are
     * restored with the rest of its memory. */
    setenv("LD_BIND_NOW", "1", 1);
    free(list);
}

void supervise_empty_input(void)
{
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing > 0) {
        dup2(nothing, STDIN_FILENO);
        close(nothing);
    }
}

/* The program gets no terminal: Ctrl-C is for Mazur, and reading from the terminal would stop a
 * background process. */
static void quiet_input(void)
{
    if (isatty(STDIN_FILENO))
        supervise_empty_input();
}

static void child_exec(const struct supervision *supervision, struct wires *wires, pid_t parent)
{
    const struct program *program = supervision->program;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* the parent died before prctl() took effect */
        _exit(126);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    quiet_input();
    bool good = dup2(wires->child_stream[0], STDOUT_FILENO) >= 0 &&
                dup2(wires->child_stream[1], STDERR_FILENO) >= 0 &&
                hand_over(supervision->shared->board_fd, "MAZUR_BOARD") &&
                hand_over(supervision->shared->pool_fd, "MAZUR_POOL") &&
                (!program->directory || chdir(program->directory) == 0);
    if (good) {
        limits_for_program();
        supervise_preload(supervision->runtime, program->path);
        execv(program->path, program->arguments.item);
    }
    int error = errno;
    if (write(wires->start[1], &error, sizeof error) < 0)
        _exit(126);
    _exit(127);
}

/* Start the child; 0 with `error` set when it could not be started. */
static pid_t start_child(const struct supervision *supervision, struct wires *wires,
                         struct ending *ending)
{
    fflush(stdout);
    fflush(stderr);
    /* Inherited by the child; a kernel or container that refuses leaves addresses random. */
    int before = personality(0xffffffff);
    ending->randomized =
        before == -1 || personality((unsigned long)before | ADDR_NO_RANDOMIZE) == -1;
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0)
        child_exec(supervision, wires, parent);
    int fork_error = errno;
    if (before != -1)
        personality((unsigned long)before);
    if (child < 0) {
        ending->error = fork_error;
        return 0;
    }
    setpgid(child, child);
    guard_group(child);
    close_one(&wires->child_stream[0]);
    close_one(&wires->child_stream[1]);
    close_one(&wires->start[1]);
    int error;
    ssize_t got;
    while ((got = read(wires->start[0], &error, sizeof error)) < 0 && errno == EINTR)
        ;
    if (got == (ssize_t)sizeof error) {
        ending->error = error;
        waitpid(child, NULL, 0);
        unguard_group(child);
        return 0;
    }
    return child;
}

/* Read what is available now; close a stream that has ended. True: there was something. */
static bool drain_streams(struct program_output *output, struct wires *wires,
                          const struct board *board)
{
    static char bytes[65536];
    bool any = false;
    for (int i = 0; i < OUTPUT_STREAMS; i++) {
        if (wires->stream[i] < 0)
            continue;
        ssize_t got = read(wires->stream[i], bytes, sizeof bytes);
        if (got > 0) {
            any = true;
            if (output->mode != OUTPUT_CAPTURE && board->config.mode == BOARD_SEARCH &&
                output->mode != OUTPUT_DROP && board->started_threads)
                output_drop(output);
            output_take(output, i + 1, bytes, (size_t)got);
        } else if (got == 0) {
            close_one(&wires->stream[i]);
        }
    }
    return any;
}

struct watch {
    struct witness witness;
    const struct supervision *supervision;
    struct ending *ending;
    pid_t child;
    double started;
    double stop_asked; /* when it was asked to stop, 0: not yet */
    double hang_asked; /* when it was asked where it hangs, 0: not yet */
    double hang_used;  /* … and the processor time since its last step by then */
    struct idle_child idle;
    uint64_t heartbeat;
    bool killed;
    bool hung;
};

struct child {
    struct watch watch;
    struct wires wires;
    struct ending ending;
    int pidfd; /* -1: there is none */
    double next_tick;
    int status; /* after its end */
    struct rusage used;
};

static void kill_child(struct watch *watch)
{
    kill(-watch->child, SIGKILL); /* its group: with --isolate=fork it has a child of its own */
    kill(watch->child, SIGKILL);
    watch->killed = true;
}

static void ask_to_stop(struct watch *watch, double now)
{
    if (!watch->stop_asked)
        watch->stop_asked = now;
    /* a search that stops between executions can be resumed; in the middle of a long one it
     * can't */
    bool at_once = now - watch->stop_asked > STOP_PATIENCE;
    watch->supervision->shared->board->stop = at_once ? 2 : 1;
}

/* With --isolate=fork an execution is a process of its own. */
static pid_t running_process(const struct watch *watch)
{
    uint32_t forked = watch->supervision->shared->board->forked;
    return forked ? (pid_t)forked : watch->child;
}

static void ask_where_it_hangs(struct watch *watch, double now, bool blocks)
{
    struct board *board = watch->supervision->shared->board;
    pid_t process = running_process(watch);
    char text[sizeof board->blocked_in] = "";
    if (blocks)
        idle_blocked_in(process, text, sizeof text);
    memcpy(board->blocked_in, text, sizeof text);
    watch->hang_asked = now;
    watch->hang_used = idle_used(&watch->idle, process);
    board->hang_check = HANG_REPORT;
    kill(watch->child, SIGURG);
}

/* A child that takes no step: ask where it is, then give up on it (idle_child.c). */
static void watch_hang(struct watch *watch, double now)
{
    struct board *board = watch->supervision->shared->board;
    uint32_t state = board->state;
    bool alone = board->started_threads == 0 && board->config.mode == BOARD_SEARCH;
    double limit = alone ? watch->supervision->hang_alone : watch->supervision->hang;
    if (board->heartbeat != watch->heartbeat || state == CHILD_SEARCHING ||
        state == CHILD_DONE) {
        watch->heartbeat = board->heartbeat;
        watch->hang_asked = 0;
        idle_forget(&watch->idle);
        return;
    }
    if (limit <= 0)
        return;
    pid_t process = running_process(watch);
    enum idle_verdict verdict = idle_look(&watch->idle, process, limit);
    if (watch->hang_asked) {
        double used = idle_used(&watch->idle, process) - watch->hang_used;
        watch->hung = used > HANG_ANSWER || now - watch->hang_asked > HANG_SILENCE;
    } else if (verdict == IDLE_SUSPECT && state == CHILD_RUNNING) {
        board->hang_check = HANG_SUSPECT;
        kill(watch->child, SIGURG);
    } else if (verdict == IDLE_LOOPS || verdict == IDLE_BLOCKS) {
        watch->hung = state != CHILD_RUNNING; /* before main there is nobody to answer */
        if (!watch->hung)
            ask_where_it_hangs(watch, now, verdict == IDLE_BLOCKS);
    }
    if (watch->hung)
        kill_child(watch);
}

static void watch_limits(struct watch *watch, double now)
{
    double limit = watch->supervision->time;
    if (limit > 0 && now - watch->started > limit) {
        watch->ending->timed_out = watch->ending->timed_out || !watch->stop_asked;
        ask_to_stop(watch, now);
    }
    if (interrupts > 0) {
        watch->ending->interrupted = true;
        ask_to_stop(watch, now);
    }
    if (interrupts > 1 || (watch->stop_asked && now - watch->stop_asked > STOP_ANSWER &&
                           watch->supervision->shared->board->started_threads))
        kill_child(watch);
}

/* The child has loaded its modules and waits for the addresses of the names in options. */
static void answer_names(struct watch *watch)
{
    const struct supervision *supervision = watch->supervision;
    const struct board *board = supervision->shared->board;
    if (!board->places_asked || board->places_known)
        return;
    if (supervision->places_known)
        return places_keep(supervision->shared, supervision->nplaces);
    if (places_answer(supervision->shared))
        return;
    watch->ending->unresolved = true;
    kill_child(watch);
}

static void watch_tick(struct watch *watch)
{
    double now = clock_seconds();
    watch_limits(watch, now);
    if (!watch->killed)
        watch_hang(watch, now);
    if (watch->supervision->tick)
        watch->supervision->tick(watch->supervision->shared->board, now - watch->started,
                                 watch->supervision->context);
}

/* The child waits for the answer, and the user waits for the child: poll more often. */
static bool is_about_to_ask(const struct board *board)
{
    return board->state == CHILD_STARTING && !board->places_known;
}

void children_wait(struct child *const *children, size_t count, int milliseconds)
{
    struct pollfd *polls = allocate(count * (1 + OUTPUT_STREAMS) * sizeof *polls);
    nfds_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const struct child *child = children[i];
        polls[n++] = (struct pollfd){.fd = child->pidfd, .events = POLLIN};
        for (int j = 0; j < OUTPUT_STREAMS; j++)
            polls[n++] = (struct pollfd){.fd = child->wires.stream[j], .events = POLLIN};
        if (is_about_to_ask(child->watch.supervision->shared->board))
            milliseconds = 1;
    }
    poll(polls, n, milliseconds);
    free(polls);
}

static void judge_end(struct watch *watch, int status, const struct rusage *used)
{
    struct ending *ending = watch->ending;
    struct board *board = watch->supervision->shared->board;
    ending->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    ending->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (watch->hung)
        ending->end = CHILD_HUNG;
    else if (watch->killed)
        ending->end = CHILD_KILLED;
    else if (board->state == CHILD_DONE)
        ending->end = CHILD_FINISHED;
    else if (WIFSIGNALED(status) &&
             (ending->culprit = witness_judge(&watch->witness, WTERMSIG(status), used,
                                              ending->why)) != CULPRIT_PROGRAM)
        ending->end = CHILD_TAKEN;
    else
        ending->end = WIFSIGNALED(status) ? CHILD_CRASHED : CHILD_LEFT;
}

bool child_look(struct child *child)
{
    struct watch *watch = &child->watch;
    const struct board *board = watch->supervision->shared->board;
    /* output counts as a sign of life, until the time is up */
    if (drain_streams(watch->supervision->output, &child->wires, board) && !watch->stop_asked)
        idle_forget(&watch->idle);
    if (wait4(watch->child, &child->status, WNOHANG, &child->used) == watch->child)
        return false;
    if (!watch->killed)
        answer_names(watch);
    if (clock_seconds() >= child->next_tick) {
        watch_tick(watch);
        child->next_tick = clock_seconds() + TICK_MILLISECONDS * 1e-3;
    }
    return true;
}

void child_kill(struct child *child)
{
    kill_child(&child->watch);
}

struct ending child_end(struct child *child)
{
    struct watch *watch = &child->watch;
    const struct supervision *supervision = watch->supervision;
    if (watch->child) {
        /* kill whatever the program started; what these processes wrote before is still read */
        kill(-watch->child, SIGKILL);
        unguard_group(watch->child);
        while (drain_streams(supervision->output, &child->wires, supervision->shared->board))
            ;
        judge_end(watch, child->status, &child->used);
        if (!shared_freeze(supervision->shared))
            child->ending = (struct ending){.end = CHILD_NOT_STARTED, .error = errno};
    }
    child->ending.seconds = clock_seconds() - watch->started;
    close_one(&child->pidfd);
    close_wires(&child->wires);
    struct ending ending = child->ending;
    free(child);
    return ending;
}

struct child *child_start(const struct supervision *supervision)
{
    struct child *child = allocate(sizeof *child);
    *child = (struct child){.pidfd = -1, .ending = {.end = CHILD_NOT_STARTED}};
    struct watch *watch = &child->watch;
    watch->supervision = supervision;
    watch->ending = &child->ending;
    watch->started = clock_seconds();
    if (!open_wires(&child->wires) || !shared_thaw(supervision->shared)) {
        child->ending.error = errno;
        return child;
    }
    shared_give(supervision->shared);
    watch->witness = witness_open();
    watch->child = start_child(supervision, &child->wires, &child->ending);
    if (watch->child)
        child->pidfd = (int)syscall(SYS_pidfd_open, watch->child, 0);
    return child;
}

bool child_is_running(const struct child *child)
{
    return child->watch.child != 0;
}

struct ending supervise(const struct supervision *supervision)
{
    struct child *child = child_start(supervision);
    if (child_is_running(child))
        do
            children_wait(&child, 1, TICK_MILLISECONDS);
        while (child_look(child));
    return child_end(child);
}
