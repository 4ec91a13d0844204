/* mazur regress: replay saved traces; do they still fail?
 *
 * A trace "still fails" if its schedule leads to the same kind of failure, is "fixed" if the
 * execution ends without one, and has "diverged" if the program has changed and can't follow
 * the schedule any more: then only a new search can tell. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/build/recipe.h"
#include "cli/build/toolchain.h"
#include "cli/commands/commands.h"
#include "cli/commands/help.h"
#include "cli/options/options.h"
#include "cli/record/record_trace.h"
#include "cli/watch/supervise.h"
#include "cli/search/write_reports.h"
#include "host/exit_codes.h"
#include "host/files.h"
#include "host/say.h"
#include "host/terminal.h"
#include "promela/report/replay_model.h"
#include "report/files/junit.h"
#include "trace/file/mzt.h"
#include "trace/verdict.h"

struct regress_tally {
    int failing;
    int fixed;
    int diverged;
    int broken;          /* unreadable, or the program can't be built */
    FILE *out;           /* for people */
    bool quiet;          /* print only the last line */
    struct buffer cases; /* for --junit */
    char *directory;     /* of the last trace */
};

static int is_trace(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".mzt") == 0;
}

/* Files sorted by name, so that two runs print the same. */
static bool add_directory(struct text_list *files, const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_trace, alphasort);
    if (count < 0) {
        complain("cannot read %s: %s", path, strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++) {
        list_take(files, format_text("%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/",
                                     entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    return true;
}

static bool add_path(struct text_list *files, const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return add_directory(files, path);
    list_add(files, path);
    return true;
}

static void say_row(struct regress_tally *tally, const char *path, const char *outcome,
                    const char *detail)
{
    if (tally->quiet)
        return;
    write_line(tally->out, "%-14s %s%s%s", outcome, path, *detail ? ": " : "", detail);
    fflush(tally->out);
}

/* A trace that is not fixed is a failed test; its row says why. */
static void say_failed(struct regress_tally *tally, const char *path, const char *outcome,
                       const char *type, const char *detail)
{
    bool broken = strcmp(type, "not-run") == 0;
    say_row(tally, path, outcome, detail);
    junit_case(&tally->cases, path,
               &(struct junit_reason){broken ? "error" : "failure", type, detail});
}

static void judge_replay(const char *path, const struct trace *trace, const struct trace *again,
                         struct regress_tally *tally)
{
    enum failure_kind kind = again->failure.kind;
    if (kind == trace->failure.kind) {
        tally->failing++;
        say_failed(tally, path, "still failing", "still-failing", again->failure.message);
    } else if (kind == FAILURE_NONE) {
        tally->fixed++;
        say_row(tally, path, "fixed", trace->failure.message);
        junit_case(&tally->cases, path, NULL);
    } else if (failure_is_outside(kind)) {
        tally->broken++;
        say_failed(tally, path, "not run", "not-run", again->failure.message);
    } else if (kind == FAILURE_DIVERGED || kind == FAILURE_NONDETERMINISM) {
        tally->diverged++;
        say_failed(tally, path, "diverged", "diverged", again->failure.message);
    } else {
        tally->failing++;
        char *detail =
            format_text("another failure: %s: %s", failure_title(kind), again->failure.message);
        say_failed(tally, path, "still failing", "still-failing", detail);
        free(detail);
    }
}

/* Where the programs are: once for all traces of a directory. */
static void say_directory(struct regress_tally *tally, const struct trace *trace,
                          const char *how)
{
    const char *directory = trace->recipe.directory;
    char *here = getcwd(NULL, 0);
    bool same = here && strcmp(here, directory) == 0;
    if (!tally->quiet && (!tally->directory || strcmp(tally->directory, directory) != 0)) {
        if (same)
            complain("programs are built and run in the current directory");
        else
            complain("programs are built and run in %s (%s)", directory, how);
    }
    free(here);
    free(tally->directory);
    tally->directory = copy_text(directory);
}

static void regress_one(const struct options *options, const char *runtime, const char *path,
                        struct regress_tally *tally)
{
    char *reason = NULL;
    struct trace *trace = mzt_read(path, &reason);
    if (!trace) {
        tally->broken++;
        say_failed(tally, path, "unreadable", "not-run", reason);
        free(reason);
        return;
    }
    struct program program = {0};
    struct trace *again = NULL;
    const char *how;
    if (recipe_settle(trace, options->directory, &how) != 0)
        again = NULL;
    else if (trace->recipe.model)
        again = model_again(trace);
    else if (program_from_trace(&program, trace, NULL, options->verbose) == 0)
        again = record_again(&program, trace, runtime, options->hang, false);
    if (again) {
        say_directory(tally, trace, how);
        recipe_explain(&program, trace, again);
        judge_replay(path, trace, again, tally);
    } else {
        tally->broken++;
        say_failed(tally, path, "not run", "not-run", "the program could not be built");
    }
    trace_free(again);
    trace_free(trace);
    program_release(&program);
}

static bool write_suite(const struct options *options, struct regress_tally *tally)
{
    int failed = tally->failing + tally->diverged;
    bool good = true;
    if (options->files[FORMAT_JUNIT]) {
        char *text = junit_suite(&tally->cases, failed + tally->fixed + tally->broken, failed,
                                 tally->broken);
        good = write_file(options->files[FORMAT_JUNIT], text);
        free(text);
    }
    buffer_release(&tally->cases);
    return good;
}

static int regress_files(const struct options *options, const struct text_list *files)
{
    struct regress_tally tally = {.out = files_on_stdout(options) ? stderr : stdout,
                                  .quiet = options->quiet};
    char *runtime = toolchain_runtime();
    if (!runtime)
        return EXIT_INTERNAL;
    supervise_catch_signals();
    for (size_t i = 0; i < files->count && !supervise_interrupted(); i++)
        regress_one(options, runtime, files->item[i], &tally);
    free(runtime);
    free(tally.directory);
    fprintf(tally.out,
            "%d passed, %d failed (%d fixed, %d diverged, %d still failing, %d not run)\n",
            tally.fixed, tally.failing + tally.broken + tally.diverged, tally.fixed,
            tally.diverged, tally.failing, tally.broken);
    if (!write_suite(options, &tally))
        return EXIT_INTERNAL;
    if (tally.broken)
        return EXIT_USAGE;
    return tally.failing ? 1 : tally.diverged ? 5 : 0;
}

int regress_main(int argc, char **argv)
{
    struct options options;
    struct text_list words = {0}, rest = {0}, files = {0};
    int status = EXIT_USAGE;
    bool good = options_defaults(&options) &&
                options_scan(&options, COMMAND_REGRESS, SCAN_STRICT, argc, argv, &words, &rest);
    list_copy(&words, &rest);
    for (size_t i = 0; i < words.count && good; i++)
        good = add_path(&files, words.item[i]);
    if (good && options.help)
        status = help_command("regress");
    else if (good && !words.count)
        complain("no trace file given: mazur regress DIRECTORY|FILE.mzt …");
    else if (good && try_report_files(&options))
        status = regress_files(&options, &files);
    list_release(&words);
    list_release(&rest);
    list_release(&files);
    options_release(&options);
    return status;
}
