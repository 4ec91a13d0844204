/* `mazur-mpi`: the commands of mazur over the ranks of an MPI job. A program of its own, so
 * that `mazur` needs no MPI.
 *
 * Every rank runs the same command on the same files; the first one prints. Before they search,
 * the ranks compare their models: if one could not read its model, or read a different one, the
 * job ends with a message instead of a wrong answer. */
#define _GNU_SOURCE /* memfd_create */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/build/toolchain.h"
#include "cli/commands/model_options.h"
#include "cli/options/options.h"
#include "host/exit_codes.h"
#include "host/files.h"
#include "host/process_limits.h"
#include "host/say.h"
#include "mpi/mpi_parts.h"
#include "mpi/mpi_transport.h"
#include "promela/search/labels.h"
#include "promela/spread/spread.h"

/* What this rank prints before the ranks know whether they agree. */
struct silence {
    int text, before;
};

struct mpi_job {
    struct mpi_transport net;
    struct silence silence;
    bool agreed; /* the ranks have compared what they search */
    bool failed; /* … and it differs, or some rank has nothing */
};

/* --- output --- */

static void begin_silence(struct silence *s)
{
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fflush(stdout);
    if (nothing >= 0)
        dup2(nothing, STDOUT_FILENO);
    close(nothing);
    s->before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    s->text = memfd_create("mazur-mpi", MFD_CLOEXEC);
    if (s->text >= 0)
        dup2(s->text, STDERR_FILENO);
}

static void end_silence(struct silence *s, bool say)
{
    char text[4096];
    ssize_t length;
    if (s->before <= 0)
        return;
    fflush(stderr);
    dup2(s->before, STDERR_FILENO);
    if (say && s->text >= 0 && (length = pread(s->text, text, sizeof text, 0)) > 0)
        fwrite(text, 1, (size_t)length, stderr);
    close(s->before);
    close(s->text);
    s->before = 0;
}

/* Open MPI gives each rank a terminal of its own, whatever mpirun's output is: no colours, no
 * live line, no terminal's width. So what the first rank prints goes through a pipe. */
struct plumbing {
    int from, to; /* to: 0 where there is no pipe */
    pthread_t copier;
};

static void *copy_output(void *context)
{
    const struct plumbing *p = context;
    char text[4096];
    ssize_t length;
    while ((length = read(p->from, text, sizeof text)) > 0)
        if (!write_all(p->to, text, (size_t)length))
            break;
    return NULL;
}

static void begin_plumbing(struct plumbing *p)
{
    int ends[2];
    if (!isatty(STDOUT_FILENO) || pipe2(ends, O_CLOEXEC) != 0)
        return;
    p->from = ends[0];
    p->to = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (p->to < 0 || pthread_create(&p->copier, NULL, copy_output, p) != 0)
        p->to = 0;
    else
        dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
}

static void end_plumbing(struct plumbing *p)
{
    fflush(stdout);
    if (p->to <= 0)
        return;
    dup2(p->to, STDOUT_FILENO);
    pthread_join(p->copier, NULL);
    close(p->from);
    close(p->to);
}

/* --- agreement --- */

struct opinion {
    uint64_t what; /* 0: this rank has nothing to search */
    char machine[64];
};

static void say_who_differs(const struct mpi_job *job, const struct opinion *all)
{
    for (int i = 1; i < job->net.ranks && all[0].what != 0; i++)
        if (all[i].what == 0)
            complain("rank %d on %s could not start; see its message above or below", i,
                     all[i].machine);
        else if (all[i].what != all[0].what)
            complain("rank %d on %s has a different model or different options than rank 0", i,
                     all[i].machine);
}

/* Do all ranks search the same? Each rank calls it once, with 0 if it has nothing. */
static bool agree_with_all(struct mpi_job *job, uint64_t what)
{
    struct opinion mine = {.what = what}, *all = calloc((size_t)job->net.ranks, sizeof *all);
    MPI_Request request;
    bool same = all;
    if (gethostname(mine.machine, sizeof mine.machine - 1) != 0)
        snprintf(mine.machine, sizeof mine.machine, "?");
    job->agreed = true;
    if (!all)
        MPI_Abort(job->net.all, EXIT_INTERNAL);
    MPI_Iallgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, job->net.all,
                   &request);
    mpi_wait(&request);
    for (int i = 0; i < job->net.ranks; i++)
        same &= all[i].what != 0 && all[i].what == all[0].what;
    end_silence(&job->silence, what == 0 && all[0].what != 0);
    if (job->net.rank == 0 && !same)
        say_who_differs(job, all);
    job->failed = !same;
    free(all);
    return same;
}

/* Could all ranks get ready? Each one calls it. A rank that can't has said why, if it is the
 * first one that speaks; nobody aborts the job, which would cut that message off. */
static bool all_are_ready(struct mpi_job *job, bool ready)
{
    int mine = ready ? job->net.ranks : job->net.rank, first;
    MPI_Request request;
    MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, job->net.all, &request);
    mpi_wait(&request);
    if (first < job->net.ranks && job->net.rank == 0)
        complain("the search can't start on rank %d", first);
    return first == job->net.ranks;
}

/* --- models --- */

/* True: done; false: again, with room for more processes. */
static bool run_spread(struct mpi_job *job, struct verifier *v,
                       const struct spread_setup *setup)
{
    struct spread_net net = mpi_transport(&job->net);
    struct spread_rank *spread = spread_create(v, &net, setup);
    if (!all_are_ready(job, spread)) {
        verifier_truncate(v, "rank that can't start");
        job->failed = true;
        spread_free(spread);
        return true;
    }
    spread_start(spread);
    while (!spread_is_over(spread))
        if (!spread_turn(spread))
            mpi_rest();
    while (!mpi_transport_is_empty(&job->net))
        mpi_rest();
    bool done = spread_finish(spread);
    spread_free(spread);
    return done;
}

static void search_over_ranks(const struct search_engine *engine, struct verifier *v,
                              level_done *done, void *context)
{
    struct mpi_job *job = engine->context;
    const struct options *options = v->options->shared;
    struct spread_setup setup = {.folder = options->checkpoint,
                                 .every = options->checkpoint_every,
                                 .resume = options->resume,
                                 .pids = LABEL_FEW,
                                 .done = done,
                                 .context = context};
    v->shared = true;
    if (!agree_with_all(job, spread_identity(v))) {
        verifier_truncate(v, "ranks that disagree");
        return;
    }
    if (run_spread(job, v, &setup))
        return;
    setup.pids = LABEL_MANY;
    setup.resume = false;
    v->truncated = false;
    run_spread(job, v, &setup);
}

/* --- the command --- */

static int ranks_on_this_machine(void)
{
    MPI_Comm here;
    int count = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &count);
    MPI_Comm_free(&here);
    return count;
}

static const char usage[] =
    "usage: mpirun -n RANKS mazur-mpi check [options] FILE.c … [compiler flags] [-- "
    "arguments]\n"
    "       mpirun -n RANKS mazur-mpi run [options] PROGRAM [arguments]\n"
    "       mpirun -n RANKS mazur-mpi model [options] FILE.pml [-D NAME=VALUE]\n"
    "\n"
    "check, run: searches the interleavings of a program in parts, which the ranks take one\n"
    "after the other. model: checks a Promela model for assertions and invalid end states "
    "with\n"
    "the memory of all ranks; each stores its share of the states. docs/cluster.md says how "
    "to\n"
    "start it and what it costs. The options are those of the commands of mazur, and:\n"
    "\n";

static int print_usage(FILE *out, int status)
{
    fputs(usage, out);
    options_print_help(out, COMMAND_MPI_MODEL);
    return status;
}

/* The merge checks that the parts belong to the same search. */
static int run_parts(struct mpi_job *job, int argc, char **argv)
{
    struct part_words words;
    int status = EXIT_USAGE;
    bool good = part_words_take(&words, argc, argv);
    if (agree_with_all(job, good))
        status = mpi_search_parts(&job->net, &words);
    part_words_free(&words);
    return status;
}

static int run_command(struct mpi_job *job, int argc, char **argv)
{
    struct search_engine engine = {.ranks = job->net.ranks,
                                   .ranks_here = ranks_on_this_machine(),
                                   .leads = job->net.rank == 0,
                                   .refuse = spread_refusal,
                                   .search = search_over_ranks,
                                   .context = job};
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--version") == 0)
        return puts("mazur-mpi " MAZUR_VERSION) < 0;
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_usage(stdout, 0);
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--") == 0)
            break;
        else if (strcmp(argv[i], "--help") == 0)
            return print_usage(stdout, 0);
    if (strcmp(name, "model") == 0)
        return model_main_over(&engine, argc - 1, argv + 1);
    if (strcmp(name, "check") == 0 || strcmp(name, "run") == 0)
        return run_parts(job, argc - 1, argv + 1);
    if (name[0] != '\0')
        complain("mazur-mpi has no command '%s'", name);
    return print_usage(stderr, EXIT_USAGE);
}

int main(int argc, char **argv)
{
    struct mpi_job job = {0};
    struct plumbing plumbing = {0};
    int given = 0;
    MPI_Request request;
    if (!limits_open())
        return EXIT_INTERNAL;
    toolchain_folder();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
    if (!mpi_transport_init(&job.net))
        MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
    if (job.net.rank != 0)
        begin_silence(&job.silence);
    else
        begin_plumbing(&plumbing);
    int status = run_command(&job, argc, argv);
    if (!job.agreed)
        agree_with_all(&job, 0);
    if (job.failed && status == 0 && job.net.rank == 0 && argc > 1 && argv[1][0] != '-')
        status = EXIT_INTERNAL;
    /* the first rank may have a failure to simplify: the others sleep until it is done */
    MPI_Ibarrier(job.net.all, &request);
    mpi_wait(&request);
    mpi_transport_free(&job.net);
    end_plumbing(&plumbing);
    MPI_Finalize();
    return job.failed && job.net.rank != 0 ? 0 : status;
}
