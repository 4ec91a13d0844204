/* mazur merge: the results of shards (--shard) become the result of the whole search. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands/commands.h"
#include "cli/commands/help.h"
#include "cli/options/options.h"
#include "cli/jobs/merge_results.h"
#include "cli/search/search_steps.h"
#include "cli/search/write_reports.h"
#include "host/exit_codes.h"
#include "host/say.h"
#include "trace/file/result_read.h"

/* False after a message. */
static bool read_results(const struct text_list *files, struct result **results)
{
    for (size_t i = 0; i < files->count; i++) {
        char *why = NULL;
        results[i] = result_read(files->item[i], &why);
        if (!results[i]) {
            complain("cannot read %s: %s", files->item[i], why);
            free(why);
            return false;
        }
    }
    return true;
}

static int merge_files(const struct options *options, const struct text_list *files,
                       struct result **results)
{
    char *why = NULL;
    if (!read_results(files, results))
        return EXIT_USAGE;
    struct result *merged = merge_results(results, files->item, files->count, &why);
    if (!merged) {
        complain("cannot merge: %s", why);
        free(why);
        return EXIT_USAGE;
    }
    merged->require_complete = options->require_complete;
    settle_failures(merged);
    int code = result_exit_code(merged);
    if (!report_result(options, merged, files_on_stdout(options) ? stderr : stdout))
        code = code ? code : EXIT_INTERNAL;
    result_free(merged);
    return code;
}

static int run_merge(const struct options *options, const struct text_list *files)
{
    if (files->count == 0) {
        complain("mazur merge needs the results of shards: mazur merge r1.json r2.json …");
        return EXIT_USAGE;
    }
    if (!try_report_files(options))
        return EXIT_USAGE;
    struct result **results = allocate(files->count * sizeof *results);
    for (size_t i = 0; i < files->count; i++)
        results[i] = NULL;
    int code = merge_files(options, files, results);
    for (size_t i = 0; i < files->count; i++)
        if (results[i])
            result_free(results[i]);
    free(results);
    return code;
}

int merge_main(int argc, char **argv)
{
    struct options options;
    struct text_list files = {0}, rest = {0};
    int code = EXIT_USAGE;
    bool good = options_defaults(&options) &&
                options_scan(&options, COMMAND_MERGE, SCAN_STRICT, argc, argv, &files, &rest);
    list_copy(&files, &rest);
    if (good)
        code = options.help ? help_command("merge") : run_merge(&options, &files);
    list_release(&files);
    list_release(&rest);
    options_release(&options);
    return code;
}
