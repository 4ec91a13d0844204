/* --junit: the result as one JUnit test case, for continuous integration. */
#include <stdlib.h>

#include "report/result.h"
#include "report/verdict.h"

/* XML 1.0 allows neither most control characters nor what is not UTF-8. */
static void add_escaped(struct buffer *out, const char *text)
{
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '<')
            buffer_text(out, "&lt;");
        else if (byte == '>')
            buffer_text(out, "&gt;");
        else if (byte == '&')
            buffer_text(out, "&amp;");
        else if (byte == '"')
            buffer_text(out, "&quot;");
        else if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f)
            buffer_printf(out, "\\x%02x", byte);
        else
            buffer_add(out, text, 1);
    }
}

static void add_failure(struct buffer *out, const struct trace *trace)
{
    struct buffer text = {0};
    buffer_printf(out, "    <failure type=\"%s\" message=\"",
                  failure_name(trace->failure.kind));
    add_escaped(out, trace->failure.message);
    buffer_text(out, "\">");
    text_failure(&text, trace, (struct text_style){0});
    add_escaped(out, text.data ? text.data : "");
    buffer_text(out, "</failure>\n");
    buffer_release(&text);
}

char *junit_result(const struct result *result)
{
    struct buffer out = {0};
    bool incomplete = !result->nfailures && result_exit_code(result) != 0;
    buffer_printf(&out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"mazur\" "
                  "tests=\"1\" failures=\"%d\" errors=\"0\" time=\"%.3f\">\n  <testcase "
                  "classname=\"mazur\" name=\"",
                  result->nfailures || incomplete ? 1 : 0, result->seconds);
    add_escaped(&out, result->program);
    buffer_printf(&out, "\" time=\"%.3f\">\n", result->seconds);
    for (size_t i = 0; i < result->nfailures; i++)
        add_failure(&out, result->failure[i]);
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
