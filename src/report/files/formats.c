/* See formats.h. */
#include "report/files/formats.h"

#include "base/must.h"
#include "trace/result.h"

static const struct format_row {
    char *(*write)(const struct result *result);
    char *(*write_trace)(const struct trace *trace);
} formats[FORMATS] = {
#define FORMAT(kind, name, title, trace, commands) {name##_result, trace},
#define APPENDED(name, variable)
#include "report/files/formats.def"
#undef FORMAT
#undef APPENDED
};

const struct appended_format appended_formats[] = {
#define FORMAT(kind, name, title, trace, commands)
#define APPENDED(name, variable) {variable, name##_result},
#include "report/files/formats.def"
#undef FORMAT
#undef APPENDED
};

const size_t appended_count = sizeof appended_formats / sizeof *appended_formats;

char *format_result(enum format_kind kind, const struct result *result)
{
    must((unsigned)kind < FORMATS);
    return formats[kind].write(result);
}

char *format_trace(enum format_kind kind, const struct trace *trace)
{
    must((unsigned)kind < FORMATS);
    if (formats[kind].write_trace)
        return formats[kind].write_trace(trace);
    struct trace *only = (struct trace *)trace; /* writers only read */
    struct result result = {.program = trace->program,
                            .end = ENDED_FAILURE,
                            .coverage = trace->coverage,
                            .nfailures = 1,
                            .failure = &only};
    return formats[kind].write(&result);
}
