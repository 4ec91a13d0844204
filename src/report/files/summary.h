/* The step summary of a GitHub Actions job: Markdown, appended to the file that the runner
 * names in GITHUB_STEP_SUMMARY. */
#ifndef MAZUR_REPORT_SUMMARY_H
#define MAZUR_REPORT_SUMMARY_H

#include "trace/result.h"

char *summary_result(const struct result *result); /* malloc'd */

#endif
