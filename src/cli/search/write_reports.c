/* See write_reports.h. */
#include "cli/search/write_reports.h"

#include <stdlib.h>
#include <string.h>

#include "host/files.h"
#include "report/files/formats.h"

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

bool files_on_stdout(const struct options *options)
{
    for (int kind = 0; kind < FORMATS; kind++)
        if (is_stdout(options->files[kind]))
            return true;
    return false;
}

bool wants_files(const struct options *options)
{
    for (int kind = 0; kind < FORMATS; kind++)
        if (options->files[kind])
            return true;
    return false;
}

bool try_report_files(const struct options *options)
{
    for (int kind = 0; kind < FORMATS; kind++)
        if (options->files[kind] && !try_file(options->files[kind]))
            return false;
    if (options->trail && !options->simulate && !try_file(options->trail))
        return false;
    /* where no directory was given, a failure is worth reporting without a trace file */
    return options->no_trace || strcmp(options->trace_dir, ".") == 0 ||
           try_directory("the trace file in ", options->trace_dir);
}

bool write_machine_reports(const struct options *options, const struct result *result)
{
    bool good = true;
    for (int kind = 0; kind < FORMATS; kind++) {
        if (!options->files[kind])
            continue;
        char *text = format_result(kind, result);
        good = write_file(options->files[kind], text) && good;
        free(text);
    }
    for (size_t i = 0; i < appended_count; i++) {
        const char *path = getenv(appended_formats[i].variable);
        if (!path || !*path)
            continue;
        char *text = appended_formats[i].write(result);
        append_file(path, text);
        free(text);
    }
    return good;
}
