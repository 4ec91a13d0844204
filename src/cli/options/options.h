/* The options: one table serves command-line flags, environment variables (MAZUR_BOUND for
 * --bound), keys of the configuration file `.mazur`, --help and the manual page.
 *
 * Later sources override earlier ones: built-in value, configuration file, environment, command
 * line; lists are appended. Invariant: a value that reached `struct options` is inside the
 * range that its row states. */
#ifndef MAZUR_CLI_OPTIONS_H
#define MAZUR_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "board/settings.h"
#include "host/buffer.h"
#include "report/files/formats.h"

enum command_bit {
    COMMAND_CHECK = 1 << 0,
    COMMAND_RUN = 1 << 1,
    COMMAND_REPLAY = 1 << 2,
    COMMAND_SHOW = 1 << 3,
    COMMAND_REGRESS = 1 << 4,
    COMMAND_CC = 1 << 5,
    COMMAND_VIEW = 1 << 6,
    COMMAND_DEBUG = 1 << 7,
    COMMAND_MODEL = 1 << 8,
    COMMAND_MPI_MODEL = 1 << 9, /* mazur-mpi model, besides the options of mazur model */
    COMMAND_MERGE = 1 << 10,
};
#define COMMAND_SEARCHES (COMMAND_CHECK | COMMAND_RUN)
#define COMMAND_EXECUTES (COMMAND_SEARCHES | COMMAND_REPLAY | COMMAND_REGRESS | COMMAND_DEBUG)
#define COMMAND_REPORTS                                                                        \
    (COMMAND_SEARCHES | COMMAND_MODEL | COMMAND_REPLAY | COMMAND_SHOW | COMMAND_REGRESS |      \
     COMMAND_MERGE)
#define COMMAND_RESULTS (COMMAND_SEARCHES | COMMAND_MODEL)

enum { SHOW_TEXT = 0, SHOW_FORMATS }; /* SHOW_FORMATS + enum format_kind: that format */
enum color_mode { COLOR_AUTO = 0, COLOR_ALWAYS, COLOR_NEVER };

struct options {
    struct board_config settings; /* what decides executions: the rows of board/settings.def */
    char *strategy;
    int64_t execs;
    int64_t simplify;
    int64_t jobs; /* 0: all free cores; -1: so for programs, one for models */
    int64_t times;
    int64_t volatile_kind; /* 0: plain, 1: atomic; see also volatile_atomic */
    int64_t color;         /* enum color_mode */
    int64_t format;        /* SHOW_TEXT, SHOW_FORMATS + enum format_kind */
    double time;           /* seconds, 0: no limit */
    double hang;
    bool require_complete;
    bool resume;
    bool quiet;
    bool verbose;
    bool full;
    bool no_trace;
    bool no_open;
    bool batch;
    bool help;
    char *files[FORMATS]; /* --json, …: where that format goes */
    char *output;
    char *trace_dir;
    char *compiler;
    char *gdb;
    char *directory;
    char *scratch;
    char *shard;
    char *cache;
    /* models */
    bool keep_going;
    int64_t model_bound; /* BOUND_NONE unless asked for */
    int64_t por;         /* enum model_switch */
    int64_t optimize;    /* 0: off, 1: on */
    int64_t store;       /* enum model_store */
    int64_t search;      /* enum model_search */
    int64_t memory;      /* bytes; 0: three quarters of the machine's */
    int64_t tier;
    int64_t model_seed;
    int64_t steps;
    bool simulate;
    bool interactive;
    bool no_claim;
    bool acceptance;
    bool progress;
    bool weak_fairness;
    bool shorten;
    char *ltl;
    char *trail;
    char *emit_c;
    char *checkpoint;
    double checkpoint_every;
    struct text_list given;      /* the options on the command line, as given */
    struct text_list configured; /* options from the file that run a program */
    struct text_list preempt_only;
    struct text_list no_preempt;
    struct text_list visible;
};

/* What a scan of the command line does with a word that is not one of our options. */
enum scan_style {
    SCAN_MIXED,      /* words and options in any order; "-x" words are kept for the caller */
    SCAN_STRICT,     /* the same, but an unknown "-x" is an error */
    SCAN_TO_PROGRAM, /* the first word that is not an option ends the scan (mazur run) */
};

/* Fill `options` from the table, `.mazur` in the current directory and the environment.
 * False after a message on stderr. */
bool options_defaults(struct options *options);
/* Read argv[1…] of a subcommand. Words that are not options go to `words`, what follows "--"
 * (or the program's name) to `rest`. False after a message on stderr. */
bool options_scan(struct options *options, unsigned command, enum scan_style style, int argc,
                  char **argv, struct text_list *words, struct text_list *rest);
/* One `key = value` as of a configuration file; `where` begins the message. */
bool options_set(struct options *options, const char *key, const char *value,
                 const char *where);
/* Does this option name a program that is run? */
bool option_runs_program(const char *key);
/* Print which programs the configuration file has chosen for this command. */
void options_say_configured(const struct options *options, unsigned command);
/* The settings that decide executions (board/settings.def), without the lists of names
 * (cli/watch/place_names.h). The rest of the configuration is zero. */
void options_configure(const struct options *options, struct board_config *config);
/* Refuse what the engine can't do (yet). False after a message. */
bool options_validate(const struct options *options);
void options_release(struct options *options);

/* "60", "60s", "500ms", "2m", "1h" to seconds. */
bool parse_duration(const char *text, double *seconds);
bool parse_number(const char *text, int64_t minimum, int64_t maximum, int64_t *number);

/* The option rows for one command, as --help shows them, and all of them as roff. */
void options_print_help(FILE *out, unsigned command);

#endif
