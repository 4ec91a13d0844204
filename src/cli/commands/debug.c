/* mazur debug: the execution of a trace file under gdb, with OS threads for the program's
 * threads (runtime/core/executor.h), along the same schedule and with the same check as mazur
 * replay.
 *
 * gdb runs the program, as often as the user likes; this process waits for gdb, clears the
 * board before each run (launch.c asks for it), watches for hangs, which a debugger does not
 * notice, and finally reports how the last run ended. */
#define _GNU_SOURCE
#include "cli/commands/debug.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/build/recipe.h"
#include "cli/build/toolchain.h"
#include "cli/commands/commands.h"
#include "cli/commands/trace_command.h"
#include "cli/options/options.h"
#include "cli/watch/idle_child.h"
#include "cli/watch/open_shared.h"
#include "cli/watch/place_names.h"
#include "cli/record/record_trace.h"
#include "cli/watch/supervise.h"
#include "host/exit_codes.h"
#include "host/process_limits.h"
#include "host/say.h"
#include "host/terminal.h"
#include "report/files/debug_session.h"
#include "trace/verdict.h"

#define TICK_MILLISECONDS 100
#define DESCRIPTORS       900 /* numbers that programs do not use; see also supervise.c */
#define NO_STATUS         255 /* gdb: the program did not exit by itself */

struct debug_session {
    const struct options *options;
    const struct trace *trace;
    const struct program *program;
    const struct text_list *gdb_arguments;
    char *runtime;
    char *scripts; /* where gdb's scripts are */
    struct recording recording;
    struct shared shared;
    int wire[2];  /* ours, and the one that launch.c gets */
    int document; /* what the script reads */
    pid_t gdb;
    uint64_t heartbeat;
    struct idle_child idle;
};

/* --- Starting gdb --- */

/* A copy of the descriptor that gdb and its children inherit, away from the program's own. */
static char *inherit_descriptor(int descriptor)
{
    int high = fcntl(descriptor, F_DUPFD, DESCRIPTORS);
    if (high < 0)
        high = fcntl(descriptor, F_DUPFD, 16);
    return format_text("%d", high);
}

static char *own_path(void)
{
    char *path = realpath("/proc/self/exe", NULL);
    return path ? path : copy_text("mazur");
}

static char *launch_command(const struct debug_session *session)
{
    struct text_list words = {0};
    list_take(&words, own_path());
    list_add(&words, "debug");
    list_add(&words, LAUNCH_WORD);
    list_take(&words, inherit_descriptor(session->wire[1]));
    list_take(&words, inherit_descriptor(session->shared.board_fd));
    list_take(&words, inherit_descriptor(session->shared.pool_fd));
    list_add(&words, session->program->directory ? session->program->directory : "");
    list_add(&words, session->runtime);
    list_add(&words, session->program->arguments.item[0]);
    char *command = list_command(&words);
    list_release(&words);
    return command;
}

static bool write_document(int descriptor, const char *text)
{
    size_t length = strlen(text);
    return write(descriptor, text, length) == (ssize_t)length &&
           lseek(descriptor, 0, SEEK_SET) == 0;
}

/* The arguments that make gdb do what `mazur debug` promises, followed by the user's own. */
static void gdb_command(const struct debug_session *session, const char *document,
                        struct text_list *words)
{
    const struct program *program = session->program;
    bool batch = session->options->batch;
    list_add(words, session->options->gdb);
    list_add(words, "-q");
    if (batch) {
        list_add(words, "-nx");
        list_add(words, "-batch");
        list_add(words, "-return-child-result");
    }
    list_add(words, "-ex");
    list_take(words, format_text("python MAZUR_SESSION = %s", document));
    static const char *const scripts[] = {"frames", "session", "commands"};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        list_add(words, "-ex");
        list_take(words, format_text("source %s/%s.py", session->scripts, scripts[i]));
    }
    list_add(words, "-ex");
    list_add(words, batch && !session->gdb_arguments->count ? "mazur report" : "mazur start");
    list_copy(words, session->gdb_arguments);
    list_add(words, "--args");
    list_add(words, program->path);
    for (size_t i = 1; i < program->arguments.count; i++)
        list_add(words, program->arguments.item[i]);
}

static void run_gdb(struct debug_session *session)
{
    char *command = launch_command(session);
    char *document = session_json(session->trace, command, session->options->batch);
    struct text_list words = {0};
    if (!document || !write_document(session->document, document)) {
        complain("cannot write the trace for gdb: %s", strerror(errno));
        _exit(EXIT_INTERNAL);
    }
    gdb_command(session, inherit_descriptor(session->document), &words);
    /* gdb starts the program through a shell, which must understand our quoting. launch.c
     * restores the user's own SHELL for the program. */
    const char *shell = getenv("SHELL");
    setenv(LAUNCH_SHELL, shell ? shell : "", 1);
    setenv("SHELL", "/bin/sh", 1);
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    execvp(words.item[0], words.item);
    complain("cannot run %s: %s", words.item[0], strerror(errno));
    _exit(EXIT_USAGE);
}

/* --- While it runs --- */

/* Detect a thread that uses the processor without a step, as in supervise.c. A program that the
 * debugger has stopped uses no processor time. */
static void watch_hang(struct debug_session *session)
{
    struct board *board = session->shared.board;
    double limit = session->options->hang;
    pid_t process = (pid_t)board->process;
    bool quiet = board->state == CHILD_RUNNING && board->heartbeat == session->heartbeat &&
                 board->process;
    session->heartbeat = board->heartbeat;
    if (!quiet || limit <= 0) {
        idle_forget(&session->idle);
        return;
    }
    enum idle_verdict verdict = idle_look(&session->idle, process, limit);
    if (verdict == IDLE_WORKS || verdict == IDLE_SUSPECT)
        return;
    char text[sizeof board->blocked_in] = "";
    if (verdict == IDLE_BLOCKS)
        idle_blocked_in(process, text, sizeof text);
    memcpy(board->blocked_in, text, sizeof text);
    idle_forget(&session->idle);
    board->hang_check = HANG_REPORT;
    syscall(SYS_tgkill, process, (pid_t)board->os_thread, SIGURG);
}

static void answer_launch(struct debug_session *session)
{
    char byte;
    if (read(session->wire[0], &byte, 1) != 1)
        return;
    bool good = shared_reset(&session->shared);
    if (good) {
        recording_prepare(session->shared.board, &session->recording);
        shared_give(&session->shared);
    } else {
        complain("no memory for the board: %s", strerror(errno));
    }
    byte = good ? LAUNCH_REQUEST : 0;
    if (write(session->wire[0], &byte, 1) != 1)
        complain("the program under gdb has gone");
}

/* A program with --visible waits before main for the addresses of the places in its trace. */
static void answer_places(struct shared *shared)
{
    const struct board *board = shared->board;
    if (board->places_asked && !board->places_known && !places_answer(shared))
        complain("the program has changed and can't run as it did");
}

/* Returns gdb's exit status. */
static int wait_for_gdb(struct debug_session *session)
{
    int pidfd = (int)syscall(SYS_pidfd_open, session->gdb, 0);
    int status = 0;
    for (;;) {
        struct pollfd polls[] = {{.fd = pidfd, .events = POLLIN},
                                 {.fd = session->wire[0], .events = POLLIN}};
        poll(polls, 2, TICK_MILLISECONDS);
        if (polls[1].revents & POLLIN)
            answer_launch(session);
        if (waitpid(session->gdb, &status, WNOHANG) == session->gdb)
            break;
        answer_places(&session->shared);
        watch_hang(session);
    }
    if (pidfd >= 0)
        close(pidfd);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* --- The result --- */

/* The number of the first event that differs, or 0: both executions are the same. */
static size_t first_difference(const struct trace *a, const struct trace *b)
{
    size_t count = a->nevents < b->nevents ? a->nevents : b->nevents;
    for (size_t i = 0; i < count; i++) {
        const struct trace_event *x = &a->event[i], *y = &b->event[i];
        if (x->tid != y->tid || x->operation.kind != y->operation.kind ||
            x->before != y->before || x->after != y->after || x->result != y->result)
            return i + 1;
    }
    return a->nevents == b->nevents ? 0 : count + 1;
}

/* How the program ended according to gdb (-return-child-result): a status, or NO_STATUS. */
static struct ending ending_of(const struct board *board, int gdb_status)
{
    if (board->state == CHILD_DONE)
        return (struct ending){.end = CHILD_FINISHED};
    if (gdb_status == NO_STATUS)
        return (struct ending){.end = CHILD_CRASHED};
    return (struct ending){.end = CHILD_LEFT, .status = gdb_status};
}

/* The exit code, or -1: gdb was asked for something other than running the program to its end.
 */
static int batch_result(struct debug_session *session, int gdb_status)
{
    struct board *board = session->shared.board;
    if (!board->magic || (board->state != CHILD_DONE && session->gdb_arguments->count))
        return -1;
    struct ending ending = ending_of(board, gdb_status);
    if (!shared_freeze(&session->shared)) {
        complain("no memory for the board: %s", strerror(errno));
        return EXIT_INTERNAL;
    }
    struct program_output output;
    output_open(&output, OUTPUT_CAPTURE, true);
    struct trace *again = record_trace(&session->recording, board, &ending, &output);
    output_close(&output);
    const struct trace *trace = session->trace;
    recipe_explain(session->program, trace, again);
    enum failure_kind kind = again->failure.kind;
    size_t differs = first_difference(trace, again);
    if (kind != trace->failure.kind)
        write_line(stdout, "mazur: this is not the failure of the trace: %s: %s",
                   failure_title(trace->failure.kind), trace->failure.message);
    else if (differs)
        printf("mazur: the same failure as in the trace, but event %zu differs\n", differs);
    else
        printf("mazur: the same %zu events and the same failure as in the trace\n",
               again->nevents);
    trace_free(again);
    return failure_exit_code(kind);
}

static int run_session(struct debug_session *session)
{
    /* Ctrl-C is for gdb and its program. */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    fflush(stdout);
    fflush(stderr);
    session->gdb = fork();
    if (session->gdb == 0)
        run_gdb(session);
    if (session->gdb < 0) {
        complain("cannot start gdb: %s", strerror(errno));
        return EXIT_INTERNAL;
    }
    close(session->wire[1]);
    session->wire[1] = -1;
    int status = wait_for_gdb(session);
    int result = session->options->batch ? batch_result(session, status) : -1;
    return result >= 0 ? result : status;
}

static bool open_session(struct debug_session *session)
{
    session->document = memfd_create("mazur-session", MFD_CLOEXEC);
    if (session->document < 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, session->wire) != 0) {
        complain("cannot set up the session with gdb: %s%s", strerror(errno),
                 limits_hint(errno));
        return false;
    }
    if (!open_shared(&session->shared))
        return false;
    if (!recording_open(&session->recording, session->program, session->trace, session->runtime,
                        session->options->hang))
        return false;
    session->recording.config.os_threads = true;
    session->recording.show_output = true;
    return true;
}

static void close_session(struct debug_session *session)
{
    recording_close(&session->recording);
    if (session->shared.board)
        shared_close(&session->shared);
    for (int i = 0; i < 2; i++)
        if (session->wire[i] >= 0)
            close(session->wire[i]);
    if (session->document >= 0)
        close(session->document);
}

/* --- Finding a usable gdb --- */

static bool has_python(const char *gdb)
{
    struct text_list words = {0};
    struct buffer output = {0};
    list_add(&words, gdb);
    for (const char *const *word =
             (const char *const[]){"-nx", "-q", "-batch", "-ex", "python print(6 * 7)", NULL};
         *word; word++)
        list_add(&words, *word);
    int status = toolchain_run(&words, NULL, &output, true);
    bool good = status == 0 && output.data && strstr(output.data, "42");
    list_release(&words);
    buffer_release(&output);
    return good;
}

static bool find_gdb(const char *gdb)
{
    if (!toolchain_on_path(gdb)) {
        complain("%s is not installed, and mazur debug needs it: install the package gdb (apt "
                 "install gdb, dnf install gdb), or name another gdb with --gdb",
                 gdb);
        return false;
    }
    if (!has_python(gdb)) {
        complain("%s has no Python, which the commands of mazur debug need: install the "
                 "package gdb instead of gdb-minimal, or name another gdb with --gdb",
                 gdb);
        return false;
    }
    return true;
}

static int debug_trace(const struct options *options, struct trace *trace,
                       const struct text_list *gdb_arguments)
{
    const char *how;
    int code = recipe_settle(trace, options->directory, &how);
    if (code != 0)
        return code;
    struct program program = {0};
    struct debug_session session = {.options = options,
                                    .trace = trace,
                                    .program = &program,
                                    .gdb_arguments = gdb_arguments,
                                    .wire = {-1, -1},
                                    .document = -1};
    session.runtime = toolchain_runtime();
    session.scripts = toolchain_gdb_scripts();
    code = EXIT_INTERNAL;
    if (session.runtime && session.scripts)
        code = program_from_trace(&program, trace, how, options->verbose);
    if (code == 0)
        code = open_session(&session) ? run_session(&session) : EXIT_INTERNAL;
    close_session(&session);
    program_release(&program);
    free(session.runtime);
    free(session.scripts);
    return code;
}

static int debug_command(const struct options *options, struct trace *trace,
                         const struct text_list *gdb_arguments)
{
    if (trace->recipe.model) {
        complain("this is the trace of a model, which gdb can't run; mazur view and mazur show "
                 "--full show every step");
        return EXIT_USAGE;
    }
    options_say_configured(options, COMMAND_DEBUG);
    return find_gdb(options->gdb) ? debug_trace(options, trace, gdb_arguments) : EXIT_USAGE;
}

int debug_main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], LAUNCH_WORD) == 0)
        return launch_main(argc, argv);
    return run_trace_command(debug_command, "debug", COMMAND_DEBUG, " [-- gdb arguments]", argc,
                             argv);
}
