/* What the facets of libstdc++.so do to the program's memory: they read and write numbers,
 * money and times, classify and convert characters, and compare (C++ standard,
 * [locale.categories]).
 *
 * A facet is called through its vtable. The vtables of std::locale::classic() and of named
 * locales are inside the library, even if the program has instantiated the same template. Their
 * entries are bound by name, so a function here with that name replaces the library's. A facet
 * that the program compiles itself is instrumented and does not reach these hooks.
 *
 * The hooks announce accesses to the stream's format, to what is taken from its buffer, and to
 * the caller's values. Output goes through virtual functions of the buffer, which the program
 * has compiled.
 *
 * Names and layouts are as in libstdcxx.c. `c`, `w` in a name: for char, for wchar_t. */
#include <time.h>
#include <wchar.h>

#include "runtime/access/caller.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/hooks/language/language.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/memory/heap.h"

#define READS(object, size)  caller_reads(object, size, CALLER)
#define WRITES(object, size) caller_writes(object, size, CALLER)

enum {
    PRECISION = 8,
    WIDTH = 16,
    FLAGS = 24,
    FLAGS_SIZE = 4
}; /* where std::ios_base has them */
enum { WORD = 8, OLD_STRING_SIZE = 8, STRING_SIZE = 32 };

static void reads_range(const void *first, const void *last, uint64_t pc)
{
    if (first && first < last)
        caller_reads(first, (uint64_t)((const char *)last - (const char *)first), pc);
}

static void writes_range(void *first, const void *last, uint64_t pc)
{
    if (first && (const void *)first < last)
        caller_writes(first, (uint64_t)((const char *)last - (const char *)first), pc);
}

/* --- Output --- */

struct output { /* std::ostreambuf_iterator */
    void *buffer;
    bool failed;
};

/* [facet.num.put.virtuals]: the width is reset to 0. */
static void reads_format(const char *format, uint64_t pc)
{
    caller_reads(format + FLAGS, FLAGS_SIZE, pc);
    caller_writes((char *)(uintptr_t)format + WIDTH, WORD, pc);
}

#define NUM_PUT(c, type, mangled, also)                                                                               \
    FORWARD(                                                                                                          \
        struct output,                                                                                                \
        _ZNKSt7num_putI##c##St19ostreambuf_iteratorI##c##St11char_traitsI##c##EEE6do_putES3_RSt8ios_base##c##mangled, \
        (const void *facet, struct output out, char *format, int fill, type value),                                   \
        (facet, out, format, fill, value), reads_format(format, CALLER);                                              \
        also)
#define NUM_PUT_ALL(c)                                                                         \
    NUM_PUT(c, bool, b, )                                                                      \
    NUM_PUT(c, long, l, )                                                                      \
    NUM_PUT(c, unsigned long, m, )                                                             \
    NUM_PUT(c, long long, x, )                                                                 \
    NUM_PUT(c, unsigned long long, y, )                                                        \
    NUM_PUT(c, double, d, READS(format + PRECISION, WORD))                                     \
    NUM_PUT(c, long double, e, READS(format + PRECISION, WORD))                                \
    NUM_PUT(c, const void *, PKv, WRITES(format + FLAGS, FLAGS_SIZE))

NUM_PUT_ALL(c)
NUM_PUT_ALL(w)

#define MONEY_PUT(name, type, also)                                                            \
    FORWARD(struct output, name,                                                               \
            (const void *facet, struct output out, bool abroad, char *format, int fill,        \
             type value),                                                                      \
            (facet, out, abroad, format, fill, value), reads_format(format, CALLER);           \
            also)
#define MONEY_PUT_ALL(c)                                                                                                                                         \
    MONEY_PUT(                                                                                                                                                   \
        _ZNKSt7__cxx119money_putI##c##St19ostreambuf_iteratorI##c##St11char_traitsI##c##EEE6do_putES4_bRSt8ios_base##c##e,                                       \
        long double, )                                                                                                                                           \
    MONEY_PUT(                                                                                                                                                   \
        _ZNKSt7__cxx119money_putI##c##St19ostreambuf_iteratorI##c##St11char_traitsI##c##EEE6do_putES4_bRSt8ios_base##c##RKNS_12basic_stringI##c##S3_SaI##c##EEE, \
        const void *, READS(value, STRING_SIZE))                                                                                                                 \
    MONEY_PUT(                                                                                                                                                   \
        _ZNKSt9money_putI##c##St19ostreambuf_iteratorI##c##St11char_traitsI##c##EEE6do_putES3_bRSt8ios_base##c##e,                                               \
        long double, )

MONEY_PUT_ALL(c)
MONEY_PUT_ALL(w)
MONEY_PUT(
    _ZNKSt9money_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE6do_putES3_bRSt8ios_basecRKSs,
    const void *, READS(value, OLD_STRING_SIZE))
MONEY_PUT(
    _ZNKSt9money_putIwSt19ostreambuf_iteratorIwSt11char_traitsIwEEE6do_putES3_bRSt8ios_basewRKSbIwS2_SaIwEE,
    const void *, READS(value, OLD_STRING_SIZE))

#define TIME_PUT(c)                                                                                                    \
    FORWARD(                                                                                                           \
        struct output,                                                                                                 \
        _ZNKSt8time_putI##c##St19ostreambuf_iteratorI##c##St11char_traitsI##c##EEE6do_putES3_RSt8ios_base##c##PK2tmcc, \
        (const void *facet, struct output out, char *format, int fill, const struct tm *value,                         \
         int letter, int modifier),                                                                                    \
        (facet, out, format, fill, value, letter, modifier), READS(value, sizeof *value))

TIME_PUT(c)
TIME_PUT(w)

/* --- Input --- */

struct input { /* std::istreambuf_iterator */
    char *buffer;
    int character;
};

enum { GET_NEXT = 16, GET_END = 24 }; /* where std::streambuf has them */

struct text {
    const char *next;
    const char *end;
};

static struct text text_of(const char *buffer)
{
    if (!buffer)
        return (struct text){NULL, NULL};
    return (struct text){*(const char *const *)(buffer + GET_NEXT),
                         *(const char *const *)(buffer + GET_END)};
}

/* The characters that were taken, and the one that ended them. underflow(), which may have
 * refilled the buffer, is the program's own code. */
static void note_taken_text(char *buffer, struct text before, size_t character_size,
                            uint64_t pc)
{
    struct text now = text_of(buffer);
    if (!buffer)
        return;
    if (now.next == before.next)
        caller_reads(buffer + GET_NEXT, WORD, pc);
    else
        caller_writes(buffer + GET_NEXT, WORD, pc);
    if (now.end == before.end && before.next <= now.next)
        reads_range(before.next, now.next < now.end ? now.next + character_size : now.next, pc);
}

static void got_value(int *error, void *value, size_t size, uint64_t pc)
{
    if (*error != 0)
        caller_writes(error, sizeof *error, pc);
    caller_writes(value, size, pc);
}

#define SIZE_c 1
#define SIZE_w sizeof(wchar_t)

#define GET(c, name, parameters, arguments, size)                                              \
    FORWARD_RESULT(struct input, name, parameters, arguments,                                  \
                   READS(format + FLAGS, FLAGS_SIZE);                                          \
                   struct text before = text_of(from.buffer),                                  \
                   note_taken_text(from.buffer, before, SIZE_##c, CALLER);                     \
                   got_value(error, value, size, CALLER))

#define NUM_GET(c, mangled, type)                                                                                                      \
    GET(c,                                                                                                                             \
        _ZNKSt7num_getI##c##St19istreambuf_iteratorI##c##St11char_traitsI##c##EEE6do_getES3_S3_RSt8ios_baseRSt12_Ios_Iostate##mangled, \
        (const void *facet, struct input from, struct input end, char *format, int *error,                                             \
         type *value),                                                                                                                 \
        (facet, from, end, format, error, value), sizeof *value)
#define NUM_GET_ALL(c)                                                                         \
    NUM_GET(c, Rb, bool)                                                                       \
    NUM_GET(c, Rl, long)                                                                       \
    NUM_GET(c, Rt, unsigned short)                                                             \
    NUM_GET(c, Rj, unsigned)                                                                   \
    NUM_GET(c, Rm, unsigned long)                                                              \
    NUM_GET(c, Rx, long long)                                                                  \
    NUM_GET(c, Ry, unsigned long long)                                                         \
    NUM_GET(c, Rf, float)                                                                      \
    NUM_GET(c, Rd, double)                                                                     \
    NUM_GET(c, Re, long double)                                                                \
    NUM_GET(c, RPv, void *)

NUM_GET_ALL(c)
NUM_GET_ALL(w)

#define MONEY_GET(c, name, size)                                                               \
    GET(c, name,                                                                               \
        (const void *facet, struct input from, struct input end, bool abroad, char *format,    \
         int *error, void *value),                                                             \
        (facet, from, end, abroad, format, error, value), size)
#define MONEY_GET_ALL(c)                                                                                                                                                       \
    MONEY_GET(                                                                                                                                                                 \
        c,                                                                                                                                                                     \
        _ZNKSt7__cxx119money_getI##c##St19istreambuf_iteratorI##c##St11char_traitsI##c##EEE6do_getES4_S4_bRSt8ios_baseRSt12_Ios_IostateRe,                                     \
        sizeof(long double))                                                                                                                                                   \
    MONEY_GET(                                                                                                                                                                 \
        c,                                                                                                                                                                     \
        _ZNKSt7__cxx119money_getI##c##St19istreambuf_iteratorI##c##St11char_traitsI##c##EEE6do_getES4_S4_bRSt8ios_baseRSt12_Ios_IostateRNS_12basic_stringI##c##S3_SaI##c##EEE, \
        STRING_SIZE)                                                                                                                                                           \
    MONEY_GET(                                                                                                                                                                 \
        c,                                                                                                                                                                     \
        _ZNKSt9money_getI##c##St19istreambuf_iteratorI##c##St11char_traitsI##c##EEE6do_getES3_S3_bRSt8ios_baseRSt12_Ios_IostateRe,                                             \
        sizeof(long double))

MONEY_GET_ALL(c)
MONEY_GET_ALL(w)
MONEY_GET(
    c,
    _ZNKSt9money_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE6do_getES3_S3_bRSt8ios_baseRSt12_Ios_IostateRSs,
    OLD_STRING_SIZE)
MONEY_GET(
    w,
    _ZNKSt9money_getIwSt19istreambuf_iteratorIwSt11char_traitsIwEEE6do_getES3_S3_bRSt8ios_baseRSt12_Ios_IostateRSbIwS2_SaIwEE,
    OLD_STRING_SIZE)

/* `in`: the mangled prefix of the class's name; `it`: the abbreviation of the iterator
 * there. */
#define TIME_GET(in, it, c, what)                                                                                                                 \
    GET(c,                                                                                                                                        \
        _ZNKSt##in##8time_getI##c##St19istreambuf_iteratorI##c##St11char_traitsI##c##EEE##what##E##it##_##it##_RSt8ios_baseRSt12_Ios_IostateP2tm, \
        (const void *facet, struct input from, struct input end, char *format, int *error,                                                        \
         struct tm *value),                                                                                                                       \
        (facet, from, end, format, error, value), sizeof *value)
#define TIME_GET_LETTER(in, it, c)                                                                                                                 \
    GET(c,                                                                                                                                         \
        _ZNKSt##in##8time_getI##c##St19istreambuf_iteratorI##c##St11char_traitsI##c##EEE6do_getE##it##_##it##_RSt8ios_baseRSt12_Ios_IostateP2tmcc, \
        (const void *facet, struct input from, struct input end, char *format, int *error,                                                         \
         struct tm *value, int letter, int modifier),                                                                                              \
        (facet, from, end, format, error, value, letter, modifier), sizeof *value)
#define TIME_GET_ALL(in, it, c)                                                                \
    TIME_GET(in, it, c, 11do_get_date)                                                         \
    TIME_GET(in, it, c, 11do_get_time)                                                         \
    TIME_GET(in, it, c, 11do_get_year)                                                         \
    TIME_GET(in, it, c, 14do_get_weekday)                                                      \
    TIME_GET(in, it, c, 16do_get_monthname)                                                    \
    TIME_GET_LETTER(in, it, c)

TIME_GET_ALL(, S3, c)
TIME_GET_ALL(, S3, w)
TIME_GET_ALL(7__cxx11, S4, c)
TIME_GET_ALL(7__cxx11, S4, w)

/* --- Characters: ranges of them, and where the results go --- */

#define CHANGES_RANGE(name, type)                                                              \
    FORWARD(const type *, name, (const void *facet, type *first, const type *last),            \
            (facet, first, last), writes_range(first, last, CALLER))

CHANGES_RANGE(_ZNKSt5ctypeIcE10do_tolowerEPcPKc, char)
CHANGES_RANGE(_ZNKSt5ctypeIcE10do_toupperEPcPKc, char)
CHANGES_RANGE(_ZNKSt5ctypeIwE10do_tolowerEPwPKw, wchar_t)
CHANGES_RANGE(_ZNKSt5ctypeIwE10do_toupperEPwPKw, wchar_t)

#define MAPS_RANGE(name, type, result_type)                                                    \
    FORWARD(const type *, name,                                                                \
            (const void *facet, const type *first, const type *last, result_type *to),         \
            (facet, first, last, to), reads_range(first, last, CALLER);                        \
            writes_range(to, to + (last - first), CALLER))

MAPS_RANGE(_ZNKSt5ctypeIcE8do_widenEPKcS2_Pc, char, char)
MAPS_RANGE(_ZNKSt5ctypeIwE8do_widenEPKcS2_Pw, char, wchar_t)
MAPS_RANGE(_ZNKSt5ctypeIwE5do_isEPKwS2_Pt, wchar_t, unsigned short)

#define NARROWS_RANGE(name, type)                                                              \
    FORWARD(const type *, name,                                                                \
            (const void *facet, const type *first, const type *last, int other, char *to),     \
            (facet, first, last, other, to), reads_range(first, last, CALLER);                 \
            writes_range(to, to + (last - first), CALLER))

NARROWS_RANGE(_ZNKSt5ctypeIcE9do_narrowEPKcS2_cPc, char)
NARROWS_RANGE(_ZNKSt5ctypeIwE9do_narrowEPKwS2_cPc, wchar_t)

/* Up to the character that was searched for. */
#define SCANS_RANGE(name)                                                                      \
    FORWARD_RESULT(                                                                            \
        const wchar_t *, name,                                                                 \
        (const void *facet, unsigned mask, const wchar_t *first, const wchar_t *last),         \
        (facet, mask, first, last), ,                                                          \
        reads_range(first, result < last ? result + 1 : last, CALLER))

SCANS_RANGE(_ZNKSt5ctypeIwE10do_scan_isEtPKwS2_)
SCANS_RANGE(_ZNKSt5ctypeIwE11do_scan_notEtPKwS2_)

/* --- Conversions (codecvt): from, to, and how far it got --- */

#define CONVERTS(name)                                                                         \
    FORWARD_RESULT(int, name,                                                                  \
                   (const void *facet, mbstate_t *state, const char *from, const char *end,    \
                    const char **next_from, char *to, char *to_end, char **next_to),           \
                   (facet, state, from, end, next_from, to, to_end, next_to), ,                \
                   WRITES(state, sizeof *state);                                               \
                   WRITES(next_from, WORD); WRITES(next_to, WORD);                             \
                   reads_range(from, *next_from, CALLER); writes_range(to, *next_to, CALLER))
#define UNSHIFTS(name)                                                                         \
    FORWARD_RESULT(int, name,                                                                  \
                   (const void *facet, mbstate_t *state, char *to, char *end, char **next_to), \
                   (facet, state, to, end, next_to), , WRITES(state, sizeof *state);           \
                   WRITES(next_to, WORD); writes_range(to, *next_to, CALLER))
#define MEASURES(name)                                                                         \
    FORWARD_RESULT(int, name,                                                                  \
                   (const void *facet, mbstate_t *state, const char *from, const char *end,    \
                    size_t limit),                                                             \
                   (facet, state, from, end, limit), , WRITES(state, sizeof *state);           \
                   reads_range(from, from + result, CALLER))

/* `i`: internal (the program's) characters; `e`: external ones. */
#define CODECVT(i, e)                                                                          \
    CONVERTS(_ZNKSt7codecvtI##i##e##11__mbstate_tE5do_inERS0_PK##e##S4_RS4_P##i##S6_RS6_)      \
    CONVERTS(_ZNKSt7codecvtI##i##e##11__mbstate_tE6do_outERS0_PK##i##S4_RS4_P##e##S6_RS6_)     \
    UNSHIFTS(_ZNKSt7codecvtI##i##e##11__mbstate_tE10do_unshiftERS0_P##e##S3_RS3_)              \
    MEASURES(_ZNKSt7codecvtI##i##e##11__mbstate_tE9do_lengthERS0_PK##e##S4_m)
#define CODECVT_BASE(of, i)                                                                    \
    CONVERTS(_ZNKSt##of##I##i##E5do_inER11__mbstate_tPKcS4_RS4_P##i##S6_RS6_)                  \
    CONVERTS(_ZNKSt##of##I##i##E6do_outER11__mbstate_tPK##i##S4_RS4_PcS6_RS6_)                 \
    UNSHIFTS(_ZNKSt##of##I##i##E10do_unshiftER11__mbstate_tPcS3_RS3_)                          \
    MEASURES(_ZNKSt##of##I##i##E9do_lengthER11__mbstate_tPKcS4_m)

CODECVT(c, c)
CODECVT(w, c)
CODECVT(Ds, c)
CODECVT(Di, c)
CODECVT(Ds, Du)
CODECVT(Di, Du)
CODECVT_BASE(19__codecvt_utf8_base, w)
CODECVT_BASE(19__codecvt_utf8_base, Ds)
CODECVT_BASE(19__codecvt_utf8_base, Di)
CODECVT_BASE(20__codecvt_utf16_base, w)
CODECVT_BASE(20__codecvt_utf16_base, Ds)
CODECVT_BASE(20__codecvt_utf16_base, Di)
CODECVT_BASE(25__codecvt_utf8_utf16_base, w)
CODECVT_BASE(25__codecvt_utf8_utf16_base, Ds)
CODECVT_BASE(25__codecvt_utf8_utf16_base, Di)

/* --- Comparisons, messages --- */

#define COLLATE(in, s, c)                                                                      \
    FORWARD(int, _ZNKSt##in##7collateI##c##E10do_compareEPK##c##s##_##s##_##s##_,              \
            (const void *facet, const void *one, const void *one_end, const void *other,       \
             const void *other_end),                                                           \
            (facet, one, one_end, other, other_end), reads_range(one, one_end, CALLER);        \
            reads_range(other, other_end, CALLER))                                             \
    FORWARD(void *, _ZNKSt##in##7collateI##c##E12do_transformEPK##c##s##_,                     \
            (void *string, const void *facet, const void *first, const void *last),            \
            (string, facet, first, last), reads_range(first, last, CALLER))                    \
    FORWARD(long, _ZNKSt##in##7collateI##c##E7do_hashEPK##c##s##_,                             \
            (const void *facet, const void *first, const void *last), (facet, first, last),    \
            reads_range(first, last, CALLER))

COLLATE(, S2, c)
COLLATE(, S2, w)
COLLATE(7__cxx11, S3, c)
COLLATE(7__cxx11, S3, w)

/* All catalogues share one sequence of numbers, and the language is the process's. */
#define MESSAGES(name)                                                                         \
    FORWARD(int, name, (const void *facet, const void *string, const void *locale),            \
            (facet, string, locale), READS(string, OLD_STRING_SIZE);                           \
            if (rt.used > 1) failure_uncontrolled("std::messages::open"))

MESSAGES(
    _ZNKSt7__cxx118messagesIcE7do_openERKNS_12basic_stringIcSt11char_traitsIcESaIcEEERKSt6locale)
MESSAGES(
    _ZNKSt7__cxx118messagesIwE7do_openERKNS_12basic_stringIcSt11char_traitsIcESaIcEEERKSt6locale)
MESSAGES(_ZNKSt8messagesIcE7do_openERKSsRKSt6locale)
MESSAGES(_ZNKSt8messagesIwE7do_openERKSsRKSt6locale)

/* --- Numbers without a stream (charconv), hashes --- */

struct charconv_result {
    char *end;
    int error;
};

#define TO_CHARS(mangled, parameters, arguments)                                               \
    FORWARD_RESULT(struct charconv_result, _ZSt8to_charsPcS_##mangled, parameters, arguments,  \
                   , writes_range(first, result.end, CALLER))
#define TO_CHARS_ALL(c, type)                                                                  \
    TO_CHARS(c, (char *first, char *last, type value), (first, last, value))                   \
    TO_CHARS(c##St12chars_format, (char *first, char *last, type value, int format),           \
             (first, last, value, format))                                                     \
    TO_CHARS(c##St12chars_formati,                                                             \
             (char *first, char *last, type value, int format, int precision),                 \
             (first, last, value, format, precision))                                          \
    FORWARD_RESULT(struct charconv_result, _ZSt10from_charsPKcS0_R##c##St12chars_format,       \
                   (const char *first, const char *last, type *value, int format),             \
                   (first, last, value, format), ,                                             \
                   reads_range(first, result.end < last ? result.end + 1 : last, CALLER);      \
                   if (result.error == 0) WRITES(value, sizeof *value))

TO_CHARS_ALL(f, float)
TO_CHARS_ALL(d, double)
TO_CHARS_ALL(e, long double)

FORWARD(size_t, _ZSt11_Hash_bytesPKvmm, (const void *at, size_t size, size_t seed),
        (at, size, seed), READS(at, size))
FORWARD(size_t, _ZSt15_Fnv_hash_bytesPKvmm, (const void *at, size_t size, size_t seed),
        (at, size, seed), READS(at, size))

/* --- What facets keep for themselves ---
 *
 * A locale may be used by all threads at once ([locale.general]). Its facets compute some
 * results when they are first needed and cache them on the heap: a cache with its own texts for
 * numpunct and moneypunct, and tables inside std::ctype<char>. libstdc++ publishes them without
 * any synchronisation that Mazur could see. */

#define CACHES 64

static struct {
    uint32_t count;
    const uint64_t *cache[CACHES];
} caches;

void facets_begin(void)
{
    caches.count = 0;
}

static void remember_cache(const uint64_t *cache)
{
    caches.cache[caches.count++ % CACHES] = cache;
}

FORWARD(void, _ZNSt6locale5_Impl16_M_install_cacheEPKNS_5facetEm,
        (void *locale, const uint64_t *cache, size_t index), (locale, cache, index),
        remember_cache(cache))

static bool is_of_cache(uint64_t base)
{
    uint32_t count = caches.count < CACHES ? caches.count : CACHES;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *cache = caches.cache[i];
        size_t words = heap_usable_size(cache) / sizeof *cache;
        if (words > 0 && (uint64_t)(uintptr_t)cache == base)
            return true;
        for (size_t n = 0; n < words; n++)
            if (cache[n] == base)
                return true;
    }
    return false;
}

static bool is_character_facet(uint64_t base)
{
    enum { VTABLE_HEAD = 2 };
    static const char *const names[] = {"_ZTVSt5ctypeIcE", "_ZTVSt12ctype_bynameIcE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const uint64_t *vtable = dlsym(RTLD_DEFAULT, names[i]);
        if (vtable && *(const uint64_t *)base == (uint64_t)(uintptr_t)(vtable + VTABLE_HEAD))
            return true;
    }
    return false;
}

bool facets_keep(uint64_t address)
{
    struct board_block block;
    if (!heap_contains(address) || heap_check(address, 1) != HEAP_OK ||
        !heap_block(address, &block))
        return false;
    return is_of_cache(block.base) || is_character_facet(block.base);
}
