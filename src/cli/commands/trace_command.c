/* See trace_command.h. */
#include "cli/commands/trace_command.h"

#include <stdlib.h>

#include "cli/commands/help.h"
#include "host/exit_codes.h"
#include "host/say.h"
#include "trace/file/mzt.h"

static int with_trace(trace_command *run, const struct options *options, const char *path,
                      const struct text_list *rest)
{
    char *reason = NULL;
    struct trace *trace = mzt_read(path, &reason);
    if (!trace) {
        complain("%s: %s", path, reason);
        free(reason);
        return EXIT_USAGE;
    }
    int status = run(options, trace, rest);
    trace_free(trace);
    return status;
}

int run_trace_command(trace_command *run, const char *name, unsigned command, const char *more,
                      int argc, char **argv)
{
    struct options options;
    struct text_list words = {0}, rest = {0};
    int status = EXIT_USAGE;
    if (options_defaults(&options) &&
        options_scan(&options, command, SCAN_STRICT, argc, argv, &words, &rest)) {
        if (!*more)
            list_copy(&words, &rest);
        if (options.help)
            status = help_command(name);
        else if (words.count != 1)
            complain("give one trace file: mazur %s FILE.mzt%s", name, more);
        else
            status = with_trace(run, &options, words.item[0], &rest);
    }
    list_release(&words);
    list_release(&rest);
    options_release(&options);
    return status;
}
