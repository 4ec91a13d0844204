/* --junit: for continuous integration, the result as one JUnit test case, and saved traces as
 * one test case each. */
#include "report/files/junit.h"

#include <stdlib.h>
#include <string.h>

#include "host/terminal.h"
#include "report/files/formats.h"
#include "report/files/markup.h"
#include "report/text/text.h"
#include "trace/verdict.h"

/* Length of a character that XML 1.0 allows (section 2.2: UTF-8, few control characters,
 * neither U+FFFE nor U+FFFF) and that does not control a terminal, or 0. */
static int xml_length(const char *text)
{
    if (*text == '\n' || *text == '\t')
        return 1;
    return strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0
               ? 0
               : shown_length(text);
}

static void add_escaped(struct buffer *out, const char *text)
{
    for (int length; *text; text += length ? length : 1) {
        const char *entity = markup_entity(*text);
        length = xml_length(text);
        if (entity)
            buffer_text(out, entity);
        else if (length)
            buffer_add(out, text, (size_t)length);
        else
            buffer_printf(out, "\\x%02x", (unsigned char)*text);
    }
}

/* One element, even if --keep-going found several failures: most readers accept one per test
 * case. */
static void add_failures(struct buffer *out, const struct result *result)
{
    const struct trace_failure *first = &result->failure[0]->failure;
    buffer_printf(out, "    <failure type=\"%s\" message=\"", failure_name(first->kind));
    add_escaped(out, first->message);
    if (result->nfailures > 1)
        buffer_printf(out, " (and %zu more)", result->nfailures - 1);
    buffer_text(out, "\">");
    for (size_t i = 0; i < result->nfailures; i++) {
        struct buffer text = {0};
        text_failure(&text, result->failure[i], (struct text_style){0});
        buffer_text(out, i ? "\n" : "");
        add_escaped(out, text.data ? text.data : "");
        buffer_release(&text);
    }
    buffer_text(out, "</failure>\n");
}

void junit_case(struct buffer *cases, const char *name, const struct junit_reason *reason)
{
    buffer_text(cases, "  <testcase classname=\"mazur\" name=\"");
    add_escaped(cases, name);
    buffer_text(cases, "\" time=\"0\">");
    if (reason) {
        buffer_printf(cases, "<%s type=\"%s\" message=\"", reason->element, reason->type);
        add_escaped(cases, reason->message);
        buffer_text(cases, "\"/>");
    }
    buffer_text(cases, "</testcase>\n");
}

char *junit_suite(const struct buffer *cases, int tests, int failures, int errors)
{
    return format_text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"mazur\" "
                       "tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"0\" "
                       "time=\"0\">\n%s</testsuite>",
                       tests, failures, errors, cases->data ? cases->data : "");
}

char *junit_result(const struct result *result)
{
    struct buffer out = {0};
    bool incomplete = !result->nfailures && result_exit_code(result) != 0;
    buffer_printf(
        &out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"mazur\" "
        "tests=\"1\" failures=\"%d\" errors=\"0\" skipped=\"0\" time=\"%.3f\">\n  <testcase "
        "classname=\"mazur\" name=\"",
        result->nfailures || incomplete ? 1 : 0, result->seconds);
    add_escaped(&out, result->program);
    buffer_printf(&out, "\" time=\"%.3f\">\n", result->seconds);
    if (result->nfailures)
        add_failures(&out, result);
    char *sentence = coverage_sentence(&result->coverage);
    if (incomplete) {
        buffer_text(&out, "    <failure type=\"incomplete\" message=\"");
        add_escaped(&out, sentence);
        buffer_text(&out, "\"/>\n");
    }
    buffer_text(&out, "    <system-out>");
    add_escaped(&out, sentence);
    buffer_text(&out, "</system-out>\n  </testcase>\n</testsuite>");
    free(sentence);
    return buffer_take(&out);
}
