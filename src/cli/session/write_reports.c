/* See write_reports.h. */
#include "cli/session/write_reports.h"

#include <stdlib.h>
#include <string.h>

#include "host/files.h"
#include "report/files/sarif.h"
#include "report/files/summary.h"
#include "report/page/html.h"

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

bool files_on_stdout(const struct options *options)
{
    return is_stdout(options->json) || is_stdout(options->junit) || is_stdout(options->html) ||
           is_stdout(options->sarif);
}

bool wants_files(const struct options *options)
{
    return options->json || options->junit || options->html || options->sarif;
}

/* One report, where it was asked for. */
static bool write_as(const char *path, char *(*format)(const struct result *),
                     const struct result *result)
{
    if (!path)
        return true;
    char *text = format(result);
    bool good = write_file(path, text);
    free(text);
    return good;
}

bool write_machine_reports(const struct options *options, const struct result *result)
{
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    bool good = write_as(options->json, json_result, result);
    good = write_as(options->junit, junit_result, result) && good;
    good = write_as(options->html, html_result, result) && good;
    good = write_as(options->sarif, sarif_result, result) && good;
    if (summary && *summary) {
        char *text = summary_result(result);
        append_file(summary, text);
        free(text);
    }
    return good;
}
