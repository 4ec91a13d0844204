/* Effects of functions in hooks.def that take more than an argument's number and a size to
 * describe. */
#include <locale.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "base/hash.h"
#include "runtime/access/access.h"
#include "runtime/access/caller.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/failure.h"
#include "runtime/core/modules.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/libc/libc_table.h"
#include "runtime/hooks/libc/process_state.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/snapshot.h"

/* libm's variable; a program that calls lgamma() has it. */
#pragma weak signgam

#define POINTER_AT(number) ((void *)argument[(number)-1])
#define TEXT_AT(number)    ((char *)argument[(number)-1])
#define WIDE_AT(number)    ((wchar_t *)argument[(number)-1])
#define NUMBER_AT(number)  (argument[(number)-1])

/* --- State of the process --- */

/* setlocale(3p): with a null pointer it only returns the present locale. */
void libc_sets_locale(const uint64_t *argument, uint64_t pc)
{
    if (!POINTER_AT(2)) {
        shared_look_state(SHARED_LOCALE, pc);
        return;
    }
    environment_look(pc);
    shared_change_state(SHARED_LOCALE, pc);
    if (rt.used > 1 && threadset_count(&rt.pos.enabled) > 1) /* another could run now */
        failure_uncontrolled("setlocale beside other threads");
}

/* libstdc++ counts the users of its locales with atomics that Mazur does not see, so there is
 * no race check there. libc's own locales are never freed. */
static bool is_own_locale(const void *locale)
{
    return heap_contains((uint64_t)(uintptr_t)locale);
}

void libc_uses_locale(void *locale, uint64_t pc)
{
    if (LIKELY(!is_own_locale(locale)))
        return;
    if (module_instrumented(pc))
        caller_reads(locale, sizeof(void *), pc);
    else
        access_check((uint64_t)(uintptr_t)locale, sizeof(void *), false, pc);
}

static void ends_locale(void *locale, uint64_t pc)
{
    if (is_own_locale(locale) && module_instrumented(pc))
        caller_writes(locale, sizeof(void *), pc);
}

void libc_frees_locale(const uint64_t *argument, uint64_t pc)
{
    ends_locale(POINTER_AT(1), pc);
}

/* newlocale(3p): "any old locale object … may be modified or freed". */
void libc_changes_locale(const uint64_t *argument, uint64_t pc)
{
    ends_locale(POINTER_AT(3), pc);
}

/* lgamma(3p): threads may call it concurrently; then signgam may be any thread's. */
void libc_sets_sign(const uint64_t *argument, uint64_t pc)
{
    (void)argument;
    shared_use_among_threads(SHARED_RESULTS, pc);
    if (&signgam)
        caller_writes_guarded(&signgam, sizeof signgam, pc);
}

/* initstate(3p), setstate(3p): the numbers of random() are made in the program's memory. */
static struct {
    void *memory; /* NULL: libc's own */
    size_t size;
} random_state;
EXECUTION_STATE(random_state);

void random_begin(void)
{
    random_state.memory = NULL;
}

/* libc orders its uses of the state by a lock. */
void libc_uses_random(const uint64_t *argument, uint64_t pc)
{
    (void)argument;
    if (random_state.memory)
        caller_writes_guarded(random_state.memory, random_state.size, pc);
}

void libc_gives_random(const uint64_t *argument, uint64_t pc)
{
    (void)pc;
    random_state.memory = POINTER_AT(2);
    random_state.size = NUMBER_AT(3);
}

/* setstate() knows the size from the first number in the state, which initstate() wrote. */
void libc_sets_random(const uint64_t *argument, uint64_t pc)
{
    (void)pc;
    random_state.memory = POINTER_AT(1);
    random_state.size = sizeof(int32_t);
}

/* getopt(3p): "is not required to be thread-safe"; the program uses its variables, too. */
void libc_parses_options(const uint64_t *argument, uint64_t pc)
{
    uint64_t count = (uint32_t)NUMBER_AT(1);
    caller_reads(&opterr, sizeof opterr, pc);
    caller_writes(&optind, sizeof optind, pc);
    caller_writes(&optarg, sizeof optarg, pc);
    caller_writes(&optopt, sizeof optopt, pc);
    if (POINTER_AT(2) && count < 1 << 16)
        caller_reads(POINTER_AT(2), count * sizeof(char *), pc);
}

/* --- Text --- */

static void writes_text(char *text, uint64_t pc)
{
    if (text)
        caller_writes(text, rawmem_length(text) + 1, pc);
}

void libc_shuffles_text(const uint64_t *argument, uint64_t pc)
{
    writes_text(TEXT_AT(1), pc);
}

/* dirname(3p), basename(3p): "may modify the string". */
void libc_cuts_path(const uint64_t *argument, uint64_t pc)
{
    writes_text(TEXT_AT(1), pc);
}

/* getsubopt(3p): reads the first option, up to a comma, which it overwrites. */
void libc_takes_option(const uint64_t *argument, uint64_t pc)
{
    char **options = POINTER_AT(1), *text = *options;
    size_t length = 0;
    while (text[length] && text[length] != ',')
        length++;
    caller_reads(text, length + 1, pc);
    if (text[length] == ',')
        caller_writes(text + length, 1, pc);
    caller_writes(options, sizeof *options, pc);
    for (char *const *token = POINTER_AT(2); *token; token++)
        caller_reads(*token, rawmem_length(*token) + 1, pc);
}

/* argz_add(3) and similar: the second argument points to the length of the text. */
void libc_changes_argz(const uint64_t *argument, uint64_t pc)
{
    char **text = POINTER_AT(1);
    const size_t *size = POINTER_AT(2);
    if (text && *text && size)
        caller_writes(*text, *size, pc);
}

void libc_reads_vector(const uint64_t *argument, uint64_t pc)
{
    char *const *text = POINTER_AT(1);
    for (; *text; text++)
        caller_reads(*text, rawmem_length(*text) + 1, pc);
}

/* gcvt(3): at most this many digits, a sign, a point, an exponent and the final zero. */
void libc_prints_digits(const uint64_t *argument, uint64_t pc)
{
    caller_writes(POINTER_AT(2), 2, pc);
}

static size_t length_up_to(const char *text, size_t limit)
{
    size_t i = 0;
    while (i < limit && text[i])
        i++;
    return i < limit ? i + 1 : limit;
}

void libc_compares_up_to(const uint64_t *argument, uint64_t pc)
{
    caller_reads(TEXT_AT(1), length_up_to(TEXT_AT(1), NUMBER_AT(3)), pc);
    caller_reads(TEXT_AT(2), length_up_to(TEXT_AT(2), NUMBER_AT(3)), pc);
}

void libc_reads_text_up_to(const uint64_t *argument, uint64_t pc)
{
    caller_reads(TEXT_AT(2), length_up_to(TEXT_AT(2), NUMBER_AT(3)), pc);
}

void libc_reads_to_byte(const uint64_t *argument, uint64_t pc)
{
    const char *text = TEXT_AT(1);
    size_t length = 0;
    while (text[length] != (char)NUMBER_AT(2))
        length++;
    caller_reads(text, length + 1, pc);
}

void libc_copies_text(const uint64_t *argument, uint64_t pc)
{
    caller_writes(TEXT_AT(1), rawmem_length(TEXT_AT(2)) + 1, pc);
}

void libc_prints_ether(const uint64_t *argument, uint64_t pc)
{
    caller_writes(POINTER_AT(2), sizeof "0:0:0:0:0:0", pc);
}

/* --- Wide and multibyte characters --- */

/* In UTF-8 the first byte tells the number of bytes; in other encodings it is one. */
static void reads_multibyte(const char *text, size_t limit, uint64_t pc)
{
    if (!text || limit == 0)
        return;
    unsigned char first = (unsigned char)*text;
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    caller_reads(text, length_up_to(text, length < limit ? length : limit), pc);
}

void libc_reads_multibyte(const uint64_t *argument, uint64_t pc)
{
    reads_multibyte(TEXT_AT(1), NUMBER_AT(2), pc);
}

void libc_reads_multibyte_second(const uint64_t *argument, uint64_t pc)
{
    reads_multibyte(TEXT_AT(2), NUMBER_AT(3), pc);
}

/* How many bytes a character becomes, in UTF-8 or in an encoding with one byte per
 * character. */
static size_t encoded_length(uint32_t character)
{
    NEXT(size_t, __ctype_get_mb_cur_max, (void));
    if (next() == 1)
        return 1;
    return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
}

void libc_writes_multibyte(const uint64_t *argument, uint64_t pc)
{
    if (POINTER_AT(1))
        caller_writes(POINTER_AT(1), encoded_length((uint32_t)NUMBER_AT(2)), pc);
}

/* mbsrtowcs(3p): reads from where the second argument points, and advances that pointer unless
 * it only counts the result. Each wide character takes at least one byte. */
static void reads_source(const uint64_t *argument, size_t limit, size_t room, uint64_t pc)
{
    const char **text = POINTER_AT(2);
    if (POINTER_AT(1))
        caller_writes(text, sizeof *text, pc);
    else
        caller_reads(text, sizeof *text, pc);
    if (POINTER_AT(1) && room < limit)
        limit = room;
    if (*text)
        caller_reads(*text, length_up_to(*text, limit), pc);
}

void libc_reads_source(const uint64_t *argument, uint64_t pc)
{
    reads_source(argument, SIZE_MAX, NUMBER_AT(3), pc);
}

void libc_reads_sized_source(const uint64_t *argument, uint64_t pc)
{
    reads_source(argument, NUMBER_AT(3), NUMBER_AT(4), pc);
}

/* wcsrtombs(3p): converts as many characters as fit. */
static void reads_wide_source(const uint64_t *argument, size_t limit, size_t room, uint64_t pc)
{
    const wchar_t **text = POINTER_AT(2);
    if (POINTER_AT(1))
        caller_writes(text, sizeof *text, pc);
    else
        caller_reads(text, sizeof *text, pc);
    if (!*text)
        return;
    size_t count = 0, used = 0;
    while (count < limit && (!POINTER_AT(1) || used < room)) {
        uint32_t character = (uint32_t)(*text)[count++];
        used += encoded_length(character);
        if (character == 0)
            break;
    }
    caller_reads(*text, count * sizeof **text, pc);
}

void libc_reads_wide_source(const uint64_t *argument, uint64_t pc)
{
    reads_wide_source(argument, SIZE_MAX, NUMBER_AT(3), pc);
}

void libc_reads_sized_wide_source(const uint64_t *argument, uint64_t pc)
{
    reads_wide_source(argument, NUMBER_AT(3), NUMBER_AT(4), pc);
}

static void reads_wide_up_to(const wchar_t *text, size_t limit, uint64_t pc)
{
    size_t length = rawmem_wide_length(text, limit);
    caller_reads(text, (length < limit ? length + 1 : limit) * sizeof *text, pc);
}

void libc_copies_wide(const uint64_t *argument, uint64_t pc)
{
    size_t length = rawmem_wide_length(WIDE_AT(2), SIZE_MAX);
    caller_writes(WIDE_AT(1), (length + 1) * sizeof(wchar_t), pc);
}

void libc_reads_wide_up_to(const uint64_t *argument, uint64_t pc)
{
    reads_wide_up_to(WIDE_AT(2), NUMBER_AT(3), pc);
}

static void appends_wide(wchar_t *to, const wchar_t *from, size_t limit, uint64_t pc)
{
    size_t old = rawmem_wide_length(to, SIZE_MAX), added = rawmem_wide_length(from, limit);
    caller_reads(to, (old + 1) * sizeof *to, pc);
    reads_wide_up_to(from, limit, pc);
    caller_writes(to + old, (added + 1) * sizeof *to, pc);
}

void libc_appends_wide(const uint64_t *argument, uint64_t pc)
{
    appends_wide(WIDE_AT(1), WIDE_AT(2), NUMBER_AT(3), pc);
}

void libc_appends_all_wide(const uint64_t *argument, uint64_t pc)
{
    appends_wide(WIDE_AT(1), WIDE_AT(2), SIZE_MAX, pc);
}

void libc_compares_wide_up_to(const uint64_t *argument, uint64_t pc)
{
    reads_wide_up_to(WIDE_AT(1), NUMBER_AT(3), pc);
    reads_wide_up_to(WIDE_AT(2), NUMBER_AT(3), pc);
}

void libc_measures_wide(const uint64_t *argument, uint64_t pc)
{
    reads_wide_up_to(WIDE_AT(1), NUMBER_AT(2), pc);
}

/* wcstok(3p): if the first argument is NULL, *argument 3 points to the rest of the text. */
void libc_takes_wide_word(const uint64_t *argument, uint64_t pc)
{
    wchar_t **rest = POINTER_AT(3), *text = WIDE_AT(1);
    if (!text)
        text = *rest;
    caller_writes(rest, sizeof *rest, pc);
    if (text)
        caller_writes(text, (rawmem_wide_length(text, SIZE_MAX) + 1) * sizeof *text, pc);
}

/* iconv(3p): it "updates" the four variables; the descriptor holds the state of the
 * conversion. */
void libc_converts(const uint64_t *argument, uint64_t pc)
{
    char **from = POINTER_AT(2), **to = POINTER_AT(4);
    size_t *from_size = POINTER_AT(3), *to_size = POINTER_AT(5);
    if (NUMBER_AT(1) != UINT64_MAX)
        caller_writes(POINTER_AT(1), 1, pc);
    if (from && *from && from_size) {
        caller_reads(*from, *from_size, pc);
        caller_writes(from, sizeof *from, pc);
        caller_writes(from_size, sizeof *from_size, pc);
    }
    if (to && *to && to_size) {
        caller_writes(*to, *to_size, pc);
        caller_writes(to, sizeof *to, pc);
        caller_writes(to_size, sizeof *to_size, pc);
    }
}

/* --- search.h --- */

void libc_finds_linear(const uint64_t *argument, uint64_t pc)
{
    caller_reads(POINTER_AT(3), sizeof(size_t), pc);
}

/* lsearch(3p): "if no such element exists, key is added at the end of the table". */
void libc_inserts_linear(const uint64_t *argument, uint64_t pc)
{
    size_t *count = POINTER_AT(3), size = NUMBER_AT(4);
    caller_reads(POINTER_AT(1), size, pc);
    caller_writes(count, sizeof *count, pc);
    caller_writes(TEXT_AT(2) + *count * size, size, pc);
}

/* hsearch_r(3): the entry takes two registers; FIND does not change the table. */
void libc_searches_hash(const uint64_t *argument, uint64_t pc)
{
    if (NUMBER_AT(3) == ENTER)
        caller_writes(POINTER_AT(5), sizeof(struct hsearch_data), pc);
    else
        caller_reads(POINTER_AT(5), sizeof(struct hsearch_data), pc);
}

/* insque(3p): the element's former successor gets a link back to the new element. */
void libc_links(const uint64_t *argument, uint64_t pc)
{
    void **before = POINTER_AT(2);
    if (before && before[0])
        caller_writes((void **)before[0] + 1, sizeof(void *), pc);
}

/* mincore(2): one byte for each page. */
void libc_tells_pages(const uint64_t *argument, uint64_t pc)
{
    uint64_t pages = NUMBER_AT(2) / 4096 + (NUMBER_AT(2) % 4096 != 0);
    snapshot_touch(POINTER_AT(3), pages);
    caller_writes(POINTER_AT(3), pages, pc);
}

/* sysconf(3): memory that is free now; everything else that it tells stays the same. */
void libc_asks_system(const uint64_t *argument, uint64_t pc)
{
    (void)pc;
    if (NUMBER_AT(1) == _SC_AVPHYS_PAGES)
        raise_reason(REASON_OUTSIDE, "sysconf");
}

/* remque(3p): links the neighbours with each other. */
void libc_unlinks(const uint64_t *argument, uint64_t pc)
{
    void **element = POINTER_AT(1);
    if (element[0])
        caller_writes((void **)element[0] + 1, sizeof(void *), pc);
    if (element[1])
        caller_writes(element[1], sizeof(void *), pc);
}

/* --- The conditions of REFUSES_IF() --- */

/* setrlimit(3p), nice(3p), setpriority(3p). */
void libc_changes_limits(const uint64_t *argument, uint64_t pc)
{
    (void)argument;
    (void)pc;
    process_keep_limits();
}

bool libc_has_threads(const uint64_t *argument)
{
    (void)argument;
    return rt.board->started_threads;
}

bool libc_is_inside(const uint64_t *argument)
{
    return descriptor_is_inside((int)argument[0]);
}

bool libc_is_either_inside(const uint64_t *argument)
{
    return descriptor_is_inside((int)argument[0]) || descriptor_is_inside((int)argument[1]);
}

bool libc_is_ceiling(const uint64_t *argument)
{
    return (int)argument[1] == PTHREAD_PRIO_PROTECT;
}
