/* See format.h.
 *
 * A printf() format is first parsed into a list of conversions, each with the number of its
 * argument: %2$s may come before %1$d, and arguments can only be fetched in order of their
 * numbers, each by its type.
 *
 * Invariant: at a conversion that Mazur does not understand, it stops announcing but still
 * makes the call; it does not touch the arguments after an unknown conversion. */
#include "runtime/hooks/libc/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#include "runtime/access/caller.h"
#include "runtime/core/failure.h"
#include "runtime/core/shared_state.h"

#define ARGUMENTS   32
#define CONVERSIONS 32
#define NONE        (-1)

enum kind { KIND_NONE, KIND_INTEGER, KIND_DOUBLE, KIND_LONG_DOUBLE, KIND_POINTER };

enum use { USE_NOTHING, USE_TEXT, USE_WIDE_TEXT, USE_COUNT };

union argument {
    long integer;
    void *pointer;
};

struct conversion {
    enum use use;
    int value;     /* number of its argument */
    int precision; /* number of the argument that holds it, or NONE */
    long limit;    /* the precision itself, or NONE */
    size_t unit;   /* bytes that %n writes */
};

struct print_format {
    int narguments; /* one more than the largest number */
    int next;       /* the next argument for a conversion without a number */
    int nconversions;
    enum kind kind[ARGUMENTS];
    struct conversion conversion[CONVERSIONS];
    const char *unseen; /* why the rest of the format was not looked at; NULL: all of it was */
};

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

static long read_number(const char **at)
{
    long number = 0;
    for (; is_digit(**at); (*at)++)
        if (number < INT32_MAX / 10)
            number = number * 10 + (**at - '0');
    return number;
}

static bool is_one_of(char character, const char *list)
{
    for (; *list; list++)
        if (*list == character)
            return true;
    return false;
}

/* --- printf --- */

/* The number in "2$", if there is one; otherwise NONE, and *at is unchanged. */
static int read_position(const char **at)
{
    const char *start = *at;
    long number = read_number(at);
    if (**at == '$' && number >= 1) {
        (*at)++;
        return (int)number - 1;
    }
    *at = start;
    return NONE;
}

static int take_argument(struct print_format *format, int position, enum kind kind)
{
    int number = position == NONE ? format->next++ : position;
    if (number >= ARGUMENTS) {
        format->unseen = "printf with more than 32 arguments";
        return NONE;
    }
    format->kind[number] = kind;
    if (number >= format->narguments)
        format->narguments = number + 1;
    return number;
}

/* "*" or "*3$" of a width or precision, or digits. False: too many arguments. */
static bool read_amount(struct print_format *format, const char **at, int *argument,
                        long *amount)
{
    *argument = NONE;
    *amount = 0;
    if (**at != '*') {
        *amount = read_number(at);
        return true;
    }
    (*at)++;
    *argument = take_argument(format, read_position(at), KIND_INTEGER);
    return *argument != NONE;
}

enum length { LENGTH_INT, LENGTH_CHAR, LENGTH_SHORT, LENGTH_LONG, LENGTH_LONG_DOUBLE };

static enum length read_length(const char **at)
{
    enum length length = LENGTH_INT;
    for (; is_one_of(**at, "hlqLjzt"); (*at)++)
        if (**at == 'h')
            length = length == LENGTH_SHORT ? LENGTH_CHAR : LENGTH_SHORT;
        else
            length = **at == 'L' ? LENGTH_LONG_DOUBLE : LENGTH_LONG;
    return length;
}

static size_t size_of_integer(enum length length)
{
    switch (length) {
    case LENGTH_CHAR:
        return sizeof(char);
    case LENGTH_SHORT:
        return sizeof(short);
    case LENGTH_INT:
        return sizeof(int);
    default:
        return sizeof(long);
    }
}

/* The kind of argument that the letter at the end of a conversion takes. KIND_NONE: no
 * argument, as "%%" and "%m". */
static bool kind_of(char letter, enum length length, struct conversion *conversion,
                    enum kind *kind)
{
    bool wide = length == LENGTH_LONG;
    conversion->use = USE_NOTHING;
    if (is_one_of(letter, "diouxXcCbB")) {
        *kind = KIND_INTEGER;
    } else if (is_one_of(letter, "eEfFgGaA")) {
        *kind = length == LENGTH_LONG_DOUBLE ? KIND_LONG_DOUBLE : KIND_DOUBLE;
    } else if (is_one_of(letter, "sSpn")) {
        *kind = KIND_POINTER;
        if (letter == 's' || letter == 'S')
            conversion->use = wide || letter == 'S' ? USE_WIDE_TEXT : USE_TEXT;
        else if (letter == 'n')
            conversion->use = USE_COUNT;
        conversion->unit = size_of_integer(length);
    } else {
        *kind = KIND_NONE;
        return letter == '%' || letter == 'm';
    }
    return true;
}

/* Parses one conversion; *at is behind its "%". */
static bool read_conversion(struct print_format *format, const char **at)
{
    struct conversion conversion = {.precision = NONE, .limit = NONE};
    int position = read_position(at), width;
    long amount;
    enum kind kind;
    while (is_one_of(**at, "-+ #0'I"))
        (*at)++;
    if (!read_amount(format, at, &width, &amount))
        return false;
    if (**at == '.') {
        (*at)++;
        if (!read_amount(format, at, &conversion.precision, &conversion.limit))
            return false;
    }
    enum length length = read_length(at);
    if (**at == 0)
        return false;
    if (!kind_of(*(*at)++, length, &conversion, &kind)) {
        format->unseen = "printf with a conversion that Mazur does not know";
        return false;
    }
    if (kind == KIND_NONE)
        return true;
    conversion.value = take_argument(format, position, kind);
    if (conversion.value == NONE)
        return false;
    if (conversion.use == USE_NOTHING)
        return true;
    if (format->nconversions == CONVERSIONS) {
        format->unseen = "printf with more than 32 texts";
        return false;
    }
    format->conversion[format->nconversions++] = conversion;
    return true;
}

static void fetch_arguments(const struct print_format *format, va_list list,
                            union argument *argument)
{
    for (int i = 0; i < format->narguments; i++)
        switch (format->kind[i]) {
        case KIND_DOUBLE:
            (void)va_arg(list, double);
            break;
        case KIND_LONG_DOUBLE:
            (void)va_arg(list, long double);
            break;
        case KIND_POINTER:
            argument[i].pointer = va_arg(list, void *);
            break;
        default: /* int and long take the same space (x86-64 psABI 3.2.3) */
            argument[i].integer = va_arg(list, long);
            break;
        }
}

static void read_text(const char *text, size_t limit, uint64_t pc)
{
    size_t length = 0;
    while (length < limit && text[length])
        length++;
    caller_reads(text, length < limit ? length + 1 : limit, pc);
}

/* The precision of a wide string counts the bytes of the result. Each character becomes at
 * least one byte, so no more characters than that are read. */
static void read_wide_text(const wchar_t *text, size_t limit, uint64_t pc)
{
    size_t length = rawmem_wide_length(text, limit);
    caller_reads(text, (length < limit ? length + 1 : limit) * sizeof *text, pc);
}

static void report_argument(const struct conversion *conversion, const union argument *argument,
                            uint64_t pc)
{
    void *pointer = argument[conversion->value].pointer;
    long limit = conversion->precision == NONE ? conversion->limit
                                               : (int)argument[conversion->precision].integer;
    size_t most = limit < 0 ? SIZE_MAX : (size_t)limit;
    if (!pointer)
        return; /* "(null)" */
    if (conversion->use == USE_TEXT)
        read_text(pointer, most, pc);
    else if (conversion->use == USE_WIDE_TEXT)
        read_wide_text(pointer, most, pc);
    else
        caller_writes(pointer, conversion->unit, pc);
}

void format_prints(const char *format, va_list list, uint64_t pc)
{
    read_text(format, SIZE_MAX, pc);
    format_prints_arguments(format, list, pc);
}

void format_prints_arguments(const char *format, va_list list, uint64_t pc)
{
    shared_look_state(SHARED_LOCALE, pc); /* the decimal point, wide characters */
    struct print_format parsed;
    union argument argument[ARGUMENTS];
    parsed.narguments = parsed.next = parsed.nconversions = 0;
    parsed.unseen = NULL;
    for (int i = 0; i < ARGUMENTS; i++)
        parsed.kind[i] = KIND_NONE;
    for (const char *at = format; *at;)
        if (*at++ == '%' && !read_conversion(&parsed, &at))
            break;
    if (parsed.unseen)
        failure_uncontrolled(parsed.unseen);
    if (parsed.nconversions == 0)
        return;
    va_list copy;
    va_copy(copy, list);
    fetch_arguments(&parsed, copy, argument);
    va_end(copy);
    for (int i = 0; i < parsed.nconversions; i++)
        report_argument(&parsed.conversion[i], argument, pc);
}

/* --- scanf --- */

/* The place behind the set of "%[…]"; a bracket at its start belongs to the set. */
static const char *behind_set(const char *at)
{
    at += *at == '^';
    at += *at == ']';
    while (*at && *at != ']')
        at++;
    return *at ? at + 1 : at;
}

static size_t size_of_text(const void *text, bool wide)
{
    return wide ? (rawmem_wide_length(text, SIZE_MAX) + 1) * sizeof(wchar_t)
                : rawmem_length(text) + 1;
}

/* How many bytes the conversion wrote. 0: unknown. */
static size_t size_scanned(char letter, enum length length, long width, const void *pointer)
{
    bool wide = length == LENGTH_LONG || letter == 'S' || letter == 'C';
    if (is_one_of(letter, "diouxXnb"))
        return size_of_integer(length);
    if (is_one_of(letter, "eEfFgGaA"))
        return length == LENGTH_LONG_DOUBLE ? sizeof(long double)
               : length == LENGTH_LONG      ? sizeof(double)
                                            : sizeof(float);
    if (letter == 'p')
        return sizeof(void *);
    if (letter == 'c' || letter == 'C')
        return (size_t)(width > 0 ? width : 1) * (wide ? sizeof(wchar_t) : 1);
    if (is_one_of(letter, "sS["))
        return size_of_text(pointer, wide);
    return 0;
}

/* Numbered arguments, "%2$d", are hardly used with scanf. */
void format_scanned(const char *format, va_list list, int assigned, uint64_t pc)
{
    va_list copy;
    va_copy(copy, list);
    for (const char *at = format; *at && assigned >= 0;) {
        if (*at++ != '%')
            continue;
        bool skipped = *at == '*';
        at += skipped;
        while (*at == '\'' || *at == 'I')
            at++;
        long width = read_number(&at);
        if (*at == '$') {
            failure_uncontrolled("scanf with numbered arguments");
            break;
        }
        bool allocated = *at == 'm';
        at += allocated;
        enum length length = read_length(&at);
        char letter = *at;
        if (letter == 0)
            break;
        at = letter == '[' ? behind_set(at + 1) : at + 1;
        if (skipped || letter == '%')
            continue;
        if (letter != 'n' && assigned-- == 0)
            break;
        void *pointer = va_arg(copy, void *);
        size_t size = allocated ? sizeof(char *) : size_scanned(letter, length, width, pointer);
        if (size == 0) {
            failure_uncontrolled("scanf with a conversion that Mazur does not know");
            break;
        }
        caller_writes(pointer, size, pc);
    }
    va_end(copy);
}
