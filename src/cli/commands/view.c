/* mazur view: a trace file as one HTML page, opened if there is a desktop. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/commands.h"
#include "cli/commands/trace_command.h"
#include "cli/options/options.h"
#include "host/exit_codes.h"
#include "host/files.h"
#include "host/terminal.h"
#include "report/files/formats.h"

/* "dir/7f3a.mzt" → "dir/7f3a.html"; malloc'd. */
static char *page_path(const char *trace)
{
    size_t length = strlen(trace);
    if (length > 4 && strcmp(trace + length - 4, ".mzt") == 0)
        length -= 4;
    return format_text("%.*s.html", (int)length, trace);
}

static bool has_desktop(void)
{
    const char *browser = getenv("BROWSER");
    return (browser && *browser) || getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
}

/* Starts the user's browser and does not wait for it, since it may stay open for hours. */
static bool open_page(const char *path)
{
    const char *browser = getenv("BROWSER");
    char *full = realpath(path, NULL);
    char *words[] = {(char *)(browser && *browser ? browser : "xdg-open"), full, NULL};
    posix_spawn_file_actions_t quiet;
    pid_t child;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool good = full && posix_spawnp(&child, words[0], &quiet, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&quiet);
    free(full);
    return good;
}

static int view_trace(const struct options *options, struct trace *trace,
                      const struct text_list *rest)
{
    (void)rest;
    char *output = options->output ? copy_text(options->output) : page_path(trace->file_name);
    char *page = format_trace(FORMAT_HTML, trace);
    bool to_file = strcmp(output, "-") != 0;
    bool good = write_file(output, page);
    if (good && to_file) {
        bool opened = !options->no_open && has_desktop() && open_page(output);
        write_line(stdout, "mazur: %s%s", output, opened ? " is opening" : "");
    }
    free(page);
    free(output);
    return good ? 0 : EXIT_INTERNAL;
}

int view_main(int argc, char **argv)
{
    return run_trace_command(view_trace, "view", COMMAND_VIEW, "", argc, argv);
}
