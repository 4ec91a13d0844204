/* The formats of formats.def as a table, and the functions that write them. All texts are
 * malloc'd. */
#ifndef MAZUR_REPORT_FORMATS_H
#define MAZUR_REPORT_FORMATS_H

#include <stddef.h>

struct result;
struct trace;

enum format_kind {
#define FORMAT(kind, name, title, trace, commands) FORMAT_##kind,
#define APPENDED(name, variable)
#include "report/files/formats.def"
#undef FORMAT
#undef APPENDED
    FORMATS
};

#define FORMAT(kind, name, title, trace, commands)                                             \
    char *name##_result(const struct result *result);
#define APPENDED(name, variable) char *name##_result(const struct result *result);
#include "report/files/formats.def"
#undef FORMAT
#undef APPENDED

char *json_trace(const struct trace *trace);

/* The result of a search in this format. */
char *format_result(enum format_kind kind, const struct result *result);
/* One trace in this format. */
char *format_trace(enum format_kind kind, const struct trace *trace);

/* A format that is appended to a file named by an environment variable. */
struct appended_format {
    const char *variable;
    char *(*write)(const struct result *result);
};

extern const struct appended_format appended_formats[];
extern const size_t appended_count;

#endif
