/* mazur show: the report of a trace file; nothing is run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/commands/trace_command.h"
#include "cli/options/options.h"
#include "cli/options/style.h"
#include "host/exit_codes.h"
#include "host/files.h"
#include "host/terminal.h"
#include "report/files/formats.h"
#include "report/text/text.h"

static void show_text(const struct options *options, const struct trace *trace)
{
    struct buffer text = {0};
    text_failure(&text, trace, options_style(options, stdout));
    write_report(stdout, &text);
    buffer_release(&text);
}

static int show_trace(const struct options *options, struct trace *trace,
                      const struct text_list *rest)
{
    (void)rest;
    const char *json = options->files[FORMAT_JSON];
    if (!json && options->format == SHOW_TEXT) {
        show_text(options, trace);
        return 0;
    }
    char *text = format_trace(json ? FORMAT_JSON : options->format - SHOW_FORMATS, trace);
    bool good = write_file(json ? json : "-", text);
    free(text);
    return good ? 0 : EXIT_INTERNAL;
}

/* Here --json needs no file: alone it means stdout. */
static void accept_bare_json(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--json") == 0 &&
            (i + 1 == argc || strstr(argv[i + 1], ".mzt") || argv[i + 1][0] == '-') &&
            !(i + 1 < argc && strcmp(argv[i + 1], "-") == 0))
            argv[i] = (char *)"--json=-";
}

int show_main(int argc, char **argv)
{
    accept_bare_json(argc, argv);
    return run_trace_command(show_trace, "show", COMMAND_SHOW, "", argc, argv);
}
