/* Conversions of one byte; `state` is NULL or the caller's. */
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <uchar.h>
#include <wchar.h>

static size_t convert_source(const char *text, mbstate_t *state)
{
    wchar_t wide[4];
    return mbsnrtowcs(wide, &text, 1, 4, state);
}

#define MBTOWC(text, state)     ((size_t)mbtowc(&(wchar_t){0}, text, 1))
#define MBRTOWC(text, state)    mbrtowc(&(wchar_t){0}, text, 1, state)
#define MBRLEN(text, state)     mbrlen(text, 1, state)
#define MBRTOC32(text, state)   mbrtoc32(&(char32_t){0}, text, 1, state)
#define MBSNRTOWCS(text, state) convert_source(text, state)
