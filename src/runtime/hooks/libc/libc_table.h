/* What the FORWARDED functions of hooks.def read and write: memory of their caller, state of
 * the process.
 *
 * Each row generates a hook: a stub that saves the call's registers, announces the effects and
 * jumps to the library's function. Arguments are counted from 1; only pointers and integers
 * count (what the ABI passes in the six general registers).
 *
 * What a function may write is announced before the call, with the whole size of the buffer: by
 * the function's contract the caller has handed that memory over. */
#ifndef MAZUR_RUNTIME_LIBC_TABLE_H
#define MAZUR_RUNTIME_LIBC_TABLE_H

#include "runtime/access/caller.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/hooks/language/language.h"
#include "runtime/hooks/policy/refused.h"
#include "runtime/memory/snapshot.h"

enum libc_effect_kind {
    EFFECT_NONE = 0,
    EFFECT_READ,        /* `size` bytes where argument `at` points; NULL: nothing */
    EFFECT_WRITE,       /* … */
    EFFECT_READ_EACH,   /* `size` times argument `count` bytes */
    EFFECT_WRITE_EACH,  /* … */
    EFFECT_WRITE_SIZED, /* the number of bytes is the 32-bit number that `count` points to */
    EFFECT_FILL,        /* `size` bytes that the kernel writes, unordered */
    EFFECT_READ_TEXT,
    EFFECT_READ_WIDE,
    EFFECT_READ_PATH,        /* a text; a relative path depends on the working directory */
    EFFECT_LOOKS,            /* reads a state of the process that rarely changes */
    EFFECT_CHANGES,          /* changes such a state */
    EFFECT_USES,             /* reads and changes a state that each call advances */
    EFFECT_NUMBER,           /* argument `at` is a descriptor */
    EFFECT_CONVERTS,         /* argument `at` is the state of a conversion; NULL: libc's own */
    EFFECT_LOCALE,           /* argument `at` is a locale that the program made */
    EFFECT_NUMBERS,          /* takes or gives back the number of a descriptor */
    EFFECT_LISTED,           /* its effects on other threads are not modelled */
    EFFECT_VARIES,           /* its result comes from outside and is another one each time */
    EFFECT_OUTSIDE,          /* depends on, or changes, what is outside Mazur's control */
    EFFECT_LEAVES,           /* changes the process so that the next execution would see it */
    EFFECT_LEAVES_FILE,      /* the same for the file whose path is argument `at` */
    EFFECT_LEAVES_FILE_OPEN, /* the same for the file whose descriptor is argument `at` */
    EFFECT_REFUSES,          /* would do harm: an error that says why */
    EFFECT_REFUSES_IF,       /* the same if a condition holds */
    EFFECT_OTHER,            /* calls a separate function */
};

typedef void libc_effect_function(const uint64_t *argument, uint64_t pc);
typedef bool libc_condition(const uint64_t *argument);

struct libc_effect {
    uint8_t kind;
    uint8_t at;
    uint8_t count;
    uint32_t size; /* or an enum shared_state */
    libc_effect_function *other;
    libc_condition *condition;
    const char *why;
};

#define LIBC_EFFECTS_MAX 6

struct libc_row {
    const char *name;
    void *next; /* libc's function, resolved at the first call */
    struct libc_effect effect[LIBC_EFFECTS_MAX];
};

/* clang-format off */
#define READS(where, bytes)              {.kind = EFFECT_READ, .at = where, .size = bytes}
#define WRITES(where, bytes)             {.kind = EFFECT_WRITE, .at = where, .size = bytes}
#define READS_EACH(where, times, bytes)  {.kind = EFFECT_READ_EACH, .at = where, .count = times, .size = bytes}
#define WRITES_EACH(where, times, bytes) {.kind = EFFECT_WRITE_EACH, .at = where, .count = times, .size = bytes}
#define WRITES_SIZED(where, length)      {.kind = EFFECT_WRITE_SIZED, .at = where, .count = length}
#define FILLS(where, bytes)              {.kind = EFFECT_FILL, .at = where, .size = bytes}
#define READS_TEXT(where)                {.kind = EFFECT_READ_TEXT, .at = where}
#define READS_WIDE(where)                {.kind = EFFECT_READ_WIDE, .at = where}
#define READS_PATH(where)                {.kind = EFFECT_READ_PATH, .at = where}
#define LOOKS(state)                     {.kind = EFFECT_LOOKS, .size = SHARED_##state}
#define CHANGES(state)                   {.kind = EFFECT_CHANGES, .size = SHARED_##state}
#define USES(state)                      {.kind = EFFECT_USES, .size = SHARED_##state}
#define CONVERTS(where)                  {.kind = EFFECT_CONVERTS, .at = where}
#define NUMBER(where)                    {.kind = EFFECT_NUMBER, .at = where}
#define USES_LOCALE(where)               {.kind = EFFECT_LOCALE, .at = where}
#define NUMBERS                          {.kind = EFFECT_NUMBERS}
#define LISTED                           {.kind = EFFECT_LISTED}
#define VARIES                           {.kind = EFFECT_VARIES}
#define OUTSIDE                          {.kind = EFFECT_OUTSIDE}
#define LEAVES                           {.kind = EFFECT_LEAVES}
#define LEAVES_FILE(where)               {.kind = EFFECT_LEAVES_FILE, .at = where}
#define LEAVES_FILE_OPEN(where)          {.kind = EFFECT_LEAVES_FILE_OPEN, .at = where}
#define REFUSES(reason)                  {.kind = EFFECT_REFUSES, .why = reason}
#define REFUSES_IF(function, reason)     {.kind = EFFECT_REFUSES_IF, .condition = function, .why = reason}
#define OTHER(function)                  {.kind = EFFECT_OTHER, .other = function}
/* clang-format on */

/* The stubs call this with their row: announces the effects, returns libc's function. */
void *libc_announce(struct libc_row *row, const uint64_t *argument, uint64_t pc);

/* libc_effects.c: effects that need a separate function. */
libc_effect_function libc_sets_zone, libc_sets_locale, libc_shuffles_text, libc_parses_options,
    libc_cuts_path, libc_converts, libc_prints_digits, libc_compares_up_to, libc_copies_text,
    libc_reads_multibyte, libc_reads_multibyte_second, libc_copies_wide, libc_reads_wide_up_to,
    libc_appends_wide, libc_appends_all_wide, libc_compares_wide_up_to, libc_measures_wide,
    libc_takes_wide_word, libc_finds_linear, libc_inserts_linear, libc_searches_hash,
    libc_links, libc_unlinks, libc_prints_ether, libc_sets_sign, libc_frees_locale,
    libc_changes_locale, libc_takes_option, libc_reads_to_byte, libc_reads_text_up_to,
    libc_writes_multibyte, libc_reads_source, libc_reads_sized_source, libc_reads_wide_source,
    libc_reads_sized_wide_source, libc_changes_argz, libc_reads_vector, libc_tells_pages,
    libc_asks_system, libc_uses_random, libc_gives_random, libc_sets_random;
/* A use of a locale that newlocale() made. */
void libc_uses_locale(void *locale, uint64_t pc);
/* libc_effects.c: when a call is refused. */
libc_condition libc_has_threads, libc_is_inside, libc_is_either_inside, libc_is_ceiling;
/* libc_files.c: those of streams and files. */
libc_effect_function libc_reads_stream_1, libc_reads_stream_4, libc_uses_stream_1,
    libc_uses_stream_2, libc_looks_at_stream_1, libc_uses_directory_1,
    libc_looks_at_stream_unlocked_1, libc_changes_stream_unlocked_1,
    libc_reads_stream_unlocked_1, libc_reads_stream_unlocked_3, libc_reads_stream_unlocked_4,
    libc_writes_stream_unlocked_1, libc_writes_stream_unlocked_2,
    libc_flushes_stream_unlocked_1, libc_reads_standard_input_unlocked,
    libc_reads_standard_input, libc_uses_standard_output, libc_writes_output_unlocked,
    libc_uses_standard_error, libc_changes_limits, libc_fills_pattern, libc_compares_entries,
    libc_reads_directory, libc_walks_files, libc_times_file, libc_reads_parts, libc_fills_parts,
    libc_looks_at_file, libc_uses_file, libc_opens_shared_memory, libc_closes_range,
    libc_names_directory, libc_reads_from_1, libc_reads_from_2;

/* environment.c: what getenv() and setenv() do. */
void environment_look(uint64_t pc);
void environment_change(uint64_t pc);
/* localtime() and similar set the time zone from the environment; localtime_r() and similar
 * only read it. */
void zone_set(uint64_t pc);
void zone_look(uint64_t pc);

#endif
