/* The step summary of a GitHub Actions job, in Markdown. Markdown passes HTML through, so texts
 * of the program are escaped as HTML and stand inside <pre> or <code>, where Markdown is not
 * interpreted. */
#include <stdlib.h>
#include <string.h>

#include "report/files/formats.h"
#include "report/files/markup.h"
#include "report/text/text.h"

/* A blank line would end the HTML block and return to Markdown. */
static void add_html(struct buffer *out, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '"' ? NULL : markup_entity(*text);
        if (entity)
            buffer_text(out, entity);
        else if (*text == '\n' && text[1] == '\n')
            buffer_text(out, "\n&#8203;");
        else
            buffer_add(out, text, 1);
    }
}

static void add_failure(struct buffer *out, const struct trace *trace)
{
    struct buffer text = {0};
    text_failure(&text, trace, (struct text_style){0});
    buffer_text(out, "<details open><summary><code>");
    add_html(out, trace->failure.message);
    buffer_text(out, "</code></summary>\n<pre>\n");
    add_html(out, text.data ? text.data : "");
    buffer_text(out, "</pre>\n</details>\n\n");
    buffer_release(&text);
}

char *summary_result(const struct result *result)
{
    struct buffer out = {0};
    char *sentence = coverage_sentence(&result->coverage);
    buffer_printf(&out, "### %s Mazur: <code>", result->nfailures ? "❌" : "✅");
    add_html(&out, result->program);
    buffer_printf(&out, "</code>: %s\n\n", result_verdict(result));
    for (size_t i = 0; i < result->nfailures; i++)
        add_failure(&out, result->failure[i]);
    if (!result->nfailures) {
        add_html(&out, sentence);
        buffer_text(&out, "\n\n");
    }
    const struct search_stats *stats = &result->coverage.stats;
    if (stats->nrows > 0)
        buffer_printf(&out, "| bound | %s |\n| ---: | ---: | ---: |\n",
                      result->coverage.model ? "states | transitions"
                                             : "executions | distinct traces");
    for (int i = 0; i < stats->nrows; i++)
        buffer_printf(&out, "| %d | %llu | %llu |\n", stats->row[i].bound,
                      (unsigned long long)stats->row[i].executions,
                      (unsigned long long)stats->row[i].distinct);
    buffer_text(&out, stats->nrows > 0 ? "\n" : "");
    free(sentence);
    return buffer_take(&out);
}
