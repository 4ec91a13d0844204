/* The trace page: one self-contained HTML file for `mazur view` and --html.
 *
 *     page/page.html, *.css, *.js ── page/assemble.sh (make) ──▶ page_head, page_tail
 *     trace ── html_data ──▶ JSON, escaped for a script element ──▶ between the two
 *
 * Invariant: nothing that came from the program, the trace or its sources reaches the page
 * except inside that one data block, which no HTML parser leaves early; the page's script
 * displays it only as text nodes. */
#ifndef MAZUR_REPORT_HTML_H
#define MAZUR_REPORT_HTML_H

#include <jansson.h>

#include "trace/trace.h"

/* html_sources.c: { "file": { "text": … , "newer": true } } for every file of the user's own
 * code that `places` (a place table as JSON) names and that can be read. */
void html_sources(json_t *sources, const json_t *places, const struct trace *trace);

#endif
