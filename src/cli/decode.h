/* One machine instruction: how long it is, and which memory it reads or writes. For --visible,
 * which makes the accesses of a function visible whatever made them: assembly, a compiler
 * without instrumentation. x86-64 only, like the fibers. */
#ifndef MAZUR_CLI_DECODE_H
#define MAZUR_CLI_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/board.h"

/* Decode the instruction at code[0 … size). False: not an instruction that is known, or cut
 * off. site->address is not filled in; site->kind SITE_NONE: nothing to make visible. */
bool decode_instruction(const uint8_t *code, size_t size, struct board_site *site);

#endif
