/* What the program under test prints.
 *
 * A search runs the program thousands of times, so its output is not shown. But a program that
 * never starts a thread must behave as if Mazur were not there, and nobody knows in advance
 * which it is. So output is kept (in memory, then in an unlinked file) until the first thread
 * starts, and dropped from then on:
 *
 *     HOLD ── first thread ──▶ DROP         a search
 *     HOLD ── end of program ─▶ replayed    no thread: output passes through
 *     HOLD ── too much ──────▶ PASS         mazur run: shown at once, whatever the program
 *     HOLD ── too much ──────▶ (cut)        mazur check: the rest is not kept
 *     CAPTURE                               head and tail of a recorded execution
 *     SHOW                                  mazur replay: captured, and shown as it comes
 */
#ifndef MAZUR_CLI_OUTPUT_H
#define MAZUR_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "host/buffer.h"

enum output_mode { OUTPUT_HOLD, OUTPUT_DROP, OUTPUT_CAPTURE, OUTPUT_PASS, OUTPUT_SHOW };

#define OUTPUT_STREAMS 2 /* stdout, stderr */

struct program_output {
    enum output_mode mode;
    struct buffer chunks; /* HOLD: stream, length, bytes, … */
    int spool;            /* HOLD: file that follows `chunks`, -1: none */
    size_t spooled;
    bool may_pass;      /* HOLD: show what can't be kept */
    size_t cut;         /* HOLD: bytes that were not kept */
    struct buffer head; /* CAPTURE, SHOW */
    struct buffer tail;
    size_t skipped;
};

void output_open(struct program_output *output, enum output_mode mode, bool may_pass);
/* Take bytes that the program wrote to stream 1 or 2. */
void output_take(struct program_output *output, int stream, const char *bytes, size_t length);
void output_drop(struct program_output *output);
/* Pass what was kept to our own stdout and stderr. */
void output_replay(struct program_output *output);
/* CAPTURE, SHOW: the text, with a line for what was left out; malloc'd. */
char *output_captured(struct program_output *output);
void output_close(struct program_output *output);

#endif
