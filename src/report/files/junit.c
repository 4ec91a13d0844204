/* --junit: for continuous integration, the result as one JUnit test case, and saved traces as
 * one test case each. */
#include "report/files/junit.h"

#include <stdlib.h>
#include <string.h>

#include "report/files/formats.h"
#include "report/files/markup.h"
#include "report/text/text.h"
#include "trace/verdict.h"

/* One element, even if --keep-going found several failures: most readers accept one per test
 * case. */
static void add_failures(struct buffer *out, const struct result *result)
{
    const struct trace_failure *first = &result->failure[0]->failure;
    buffer_printf(out, "    <failure type=\"%s\" message=\"", failure_name(first->kind));
    add_xml(out, first->message);
    if (result->nfailures > 1)
        buffer_printf(out, " (and %zu more)", result->nfailures - 1);
    buffer_text(out, "\">");
    for (size_t i = 0; i < result->nfailures; i++) {
        struct buffer text = {0};
        text_failure(&text, result->failure[i], (struct text_style){0});
        buffer_text(out, i ? "\n" : "");
        add_xml(out, text.data ? text.data : "");
        buffer_release(&text);
    }
    buffer_text(out, "</failure>\n");
}

void junit_case(struct buffer *cases, const char *name, const struct junit_reason *reason)
{
    buffer_text(cases, "  <testcase classname=\"mazur\" name=\"");
    add_xml(cases, name);
    buffer_text(cases, "\" time=\"0\">");
    if (reason) {
        buffer_printf(cases, "<%s type=\"%s\" message=\"", reason->element, reason->type);
        add_xml(cases, reason->message);
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
    add_xml(&out, result->program);
    buffer_printf(&out, "\" time=\"%.3f\">\n", result->seconds);
    if (result->nfailures)
        add_failures(&out, result);
    char *sentence = coverage_sentence(&result->coverage);
    if (incomplete) {
        buffer_text(&out, "    <failure type=\"incomplete\" message=\"");
        add_xml(&out, sentence);
        buffer_text(&out, "\"/>\n");
    }
    buffer_text(&out, "    <system-out>");
    add_xml(&out, sentence);
    buffer_text(&out, "</system-out>\n  </testcase>\n</testsuite>");
    free(sentence);
    return buffer_take(&out);
}
